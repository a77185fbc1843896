"""The lexicon that a training makes of its own texts.

Words come from texts in the language: references, and sources of sets that translate from it. Words that
outputs from three other languages or more have, though their references lack them, are added: nobody leaves
the same word untranslated in three languages but it is a name. A year's own features are made with the words
of the other years, so that words are as unknown in training as they will be later.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.judge.judgments import Judgments
from wordorder.text.lexicon import FREQUENT, Lexicon
from wordorder.text.tokens import Words

LANGUAGES = 3


@dataclass(frozen=True, eq=False)
class Gathered:
    """What one set tells: how often each word stands in texts, and words that outputs add."""

    year: int
    source: str
    texts: dict[str, int]
    added: frozenset[str]


def gathered(one: Judgments, language: str) -> Gathered:
    """The words of a set."""
    source, _, target = one.pair.partition("-")
    table = Words("letters", lowercase=True)
    texts: Counter[str] = Counter()
    added: set[str] = set()
    lines = one.references[0] if target == language else one.sources if source == language else None
    if lines:
        tokens = table.encode(list(lines))
        texts.update(
            dict(zip(table.words, np.bincount(tokens.ids, minlength=len(table)).tolist(), strict=True))
        )
    if target == language:
        references = table.encode(list(one.references[0]))
        outputs = table.encode([text or "" for text in one.outputs])
        size = len(table)
        line = np.repeat(np.arange(len(references)), references.lengths)
        there = np.unique(line * size + references.ids)
        segment = np.repeat(one.item_segment, outputs.lengths)
        beyond = ~np.isin(segment * size + outputs.ids, there)
        words = table.words
        added = {words[k] for k in np.unique(outputs.ids[beyond]).tolist()}
    return Gathered(
        one.year,
        source,
        {word: n for word, n in texts.items() if _wanted(word)},
        frozenset(word for word in added if _wanted(word)),
    )


def _wanted(word: str) -> bool:
    return not any("0" <= letter <= "9" for letter in word)


def lexicon(parts: Sequence[Gathered], language: str, *, without: int | None = None) -> Lexicon | None:
    """The lexicon of some sets but those of one year; None where they have no texts."""
    texts: Counter[str] = Counter()
    sources: dict[str, set[str]] = {}
    for part in parts:
        if part.year == without:
            continue
        texts.update(part.texts)
        for word in part.added:
            sources.setdefault(word, set()).add(part.source)
    if not texts:
        return None
    ranked = sorted(texts, key=lambda word: (-texts[word], word))
    first = ranked[:FREQUENT]
    rest = sorted(ranked[FREQUENT:])
    more = sorted(word for word, known in sources.items() if len(known) >= LANGUAGES and word not in texts)
    return Lexicon(language, tuple([*first, *rest, *more]), len(first), len(ranked))
