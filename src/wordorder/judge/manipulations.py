"""Changes of texts that a metric should notice, and changes that it should not.

A manipulation takes a text, a source of randomness and what surrounds the text, and returns the changed
text, or None if the change does not apply: a text without digits has none to change. Words are those
between spaces; of scripts without spaces, those of ``text/scripts.py``.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.text.normalisation import lower
from wordorder.text.scripts import cut, join

PART = 0.25  # share of the words that are added or cut off
FEWEST = 4  # words of a text whose order is changed
# Words that negate a sentence, the one that is inserted first.
NEGATIONS = {
    "ar": "لا لم لن ليس",
    "cs": "ne není nikdy",
    "de": "nicht nie kein keine keinen keiner",
    "en": "not n't never cannot",
    "es": "no nunca",
    "fi": "ei en et eivät emme ette",
    "fr": "pas jamais ne",
    "hi": "नहीं न मत",
    "ja": "ない",
    "ko": "안 않는다",
    "ru": "не нет никогда",
    "th": "ไม่",
    "tr": "değil",
    "zh": "不",
}


@dataclass(frozen=True)
class Surroundings:
    """What a manipulation may use beside the text itself."""

    language: str
    source: str | None
    words: Sequence[str]  # words of other outputs, to be added


Change = Callable[[str, np.random.Generator, Surroundings], str | None]


def shuffled(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Put all words in random order."""
    words = cut(text)
    return _reordered(words, rng.permutation(len(words)).tolist())


def halves_exchanged(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Put the second half of the words before the first half."""
    words = cut(text)
    middle = (len(words) + 1) // 2
    return _reordered(words, [*range(middle, len(words)), *range(middle)])


def neighbours_swapped(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Exchange the first and second word, the third and fourth, and so on."""
    words = cut(text)
    last = len(words) // 2 * 2
    return _reordered(words, [*(k ^ 1 for k in range(last)), *range(last, len(words))])


def copied_source(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Take the source for the translation."""
    return around.source or None


def lengthened(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Add a quarter of words, drawn from other outputs, at random places."""
    words = cut(text)
    if not words or not around.words:
        return None
    for drawn in rng.choice(len(around.words), size=_part(words)).tolist():
        words.insert(int(rng.integers(len(words) + 1)), around.words[drawn])
    return join(words)


def truncated(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Cut off the last quarter of the words."""
    words = cut(text)
    return join(words[: -_part(words)]) if len(words) > 1 else None


def repeated(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Write the text twice."""
    return join(cut(text) * 2)


def without_punctuation(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Remove all punctuation; what remains of words stays together."""
    kept = "".join(" " if c == "-" else c for c in text if c == "-" or unicodedata.category(c)[0] != "P")
    return " ".join(kept.split())


def case_changed(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Write the text in lower case; in capitals if it has none."""
    small = lower(text, around.language)
    return small if small != text else text.upper()


def blanks_doubled(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Double all blanks, and add one at both ends."""
    return f" {text.replace(' ', '  ')} "


def negated(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Remove the words of negation; insert one in the middle if there are none."""
    known = NEGATIONS.get(around.language, "").split()
    words = cut(text)
    if not known or len(words) < 2:
        return None
    if around.language == "en":
        text = re.sub(r"(?i)\bcannot\b", "can not", re.sub(r"(?i)(?<=\w)n['’]t\b", " n't", text))
        words = cut(text)
    signs = [cut(word) for word in known]
    rest = _without(words, signs)
    if rest == words:
        rest = [*words[: len(words) // 2], *signs[0], *words[len(words) // 2 :]]
    return join(rest)


def digits_changed(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Replace every digit by the next one: 1 by 2, 9 by 0."""
    return re.sub(
        r"\d", lambda match: chr(ord(match[0]) + (1 if unicodedata.digit(match[0]) < 9 else -9)), text
    )


def untouched(text: str, rng: np.random.Generator, around: Surroundings) -> str | None:
    """Leave the text as it is."""
    return text


# Texts that are put beside real outputs: made of the reference, but for the source.
FORGERIES: dict[str, Change] = {
    "reference": untouched,
    "shuffled": shuffled,
    "halves": halves_exchanged,
    "neighbours": neighbours_swapped,
    "source": copied_source,
}
# Changes of real outputs.
CHANGES: dict[str, Change] = {
    "shuffled": shuffled,
    "halves": halves_exchanged,
    "neighbours": neighbours_swapped,
    "lengthened": lengthened,
    "truncated": truncated,
    "repeated": repeated,
    "punctuation": without_punctuation,
    "case": case_changed,
    "blanks": blanks_doubled,
    "negation": negated,
    "digits": digits_changed,
}


def changed(text: str, change: Change, around: Surroundings, *, seed: int) -> str | None:
    """Return the changed text, or None if the change does not apply.

    What is random depends on the seed and on the text alone.

    >>> changed("it costs 95 euros", digits_changed, Surroundings("en", None, ()), seed=1)
    'it costs 06 euros'
    """
    rng = np.random.default_rng([seed, zlib.crc32(text.encode("utf-8", "surrogatepass"))])
    return change(text, rng, around)


def _reordered(words: Sequence[str], order: Sequence[int]) -> str | None:
    return join([words[k] for k in order]) if len(words) >= FEWEST else None


def _part(words: Sequence[str]) -> int:
    return max(1, round(PART * len(words)))


def _without(words: Sequence[str], signs: Sequence[Sequence[str]]) -> list[str]:
    """Remove words, each of which may consist of several pieces."""
    kept: list[str] = []
    at = 0
    while at < len(words):
        found = next((s for s in signs if [w.lower() for w in words[at : at + len(s)]] == list(s)), None)
        if found is None:
            kept.append(words[at])
        at += len(found) if found else 1
    return kept
