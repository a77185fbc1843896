"""Endings of inflected words, learned from a list of words, by which forms are known that are not listed.

A word is known as a form if it is a stem of five letters or more and an ending, and at least two of the words
that the stem makes with the eight most closely related endings are listed. Endings that also fit words of
other languages are left out: a word of another language must be a hundred times less likely to fit than a
rare word of the list itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

STEM, LONGEST = 5, 7  # letters of stems and endings
FORMS = 3  # listed forms of a stem from which endings are learned
ENDINGS = 1000  # the most frequent endings, of which some are left out
RELATED, OTHER_FORMS = 8, 2  # endings that are tried with the stem of a word, and words that must be listed
FEWEST, FOREIGN = 10, 0.01  # rare words that an ending must fit, and foreign words as a share of them
Endings = dict[str, list[str]]  # of each ending, the most closely related ones


def divided(word: str, least: int = 0) -> Iterator[tuple[str, str]]:
    """Divide a word into a stem and an ending of at least so many letters."""
    for k in range(max(STEM, len(word) - LONGEST), len(word) - least + 1):
        yield word[:k], word[k:]


def related_endings(words: Sequence[str]) -> Endings:
    """Find the most frequent endings of stems with several forms, each with those that share most stems."""
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for word in words:
        for stem, ending in divided(word):
            forms[stem].append(ending)
    several = [endings for endings in forms.values() if len(endings) >= FORMS]
    count = Counter(ending for endings in several for ending in endings)
    frequent = {ending for ending, _ in sorted(count.items(), key=lambda item: (-item[1], item[0]))[:ENDINGS]}
    together: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for endings in several:
        own = frequent.intersection(endings)
        for ending in own:
            together[ending].update(own)

    def closest(ending: str) -> list[str]:
        others = sorted(together[ending].items(), key=lambda item: (-item[1], item[0]))
        return [other for other, _ in others if other != ending][:RELATED]

    return {ending: closest(ending) for ending in sorted(frequent) if ending}


def fitting(word: str, endings: Endings, listed: Collection[str]) -> list[str]:
    """Return the endings by which a word is a form of listed words."""
    return [
        ending
        for stem, ending in divided(word, 1)
        if sum(stem + other in listed for other in endings.get(ending, ())) >= OTHER_FORMS
    ]


def endings_of(words: Sequence[str], frequent: int, foreign: Sequence[str]) -> Endings:
    """Learn endings from a list whose first words are frequent, and from words of other languages."""
    listed = frozenset(words)
    endings = related_endings(words)
    rare = words[frequent:]
    own = Counter(ending for word in rare for ending in fitting(word, endings, listed))
    others = Counter(ending for word in foreign for ending in fitting(word, endings, listed))
    most = FOREIGN * len(foreign) / len(rare)
    return {
        ending: related
        for ending, related in endings.items()
        if own[ending] >= FEWEST and others[ending] <= most * own[ending]
    }


def accepted(words: Sequence[str], endings: Endings, listed: Collection[str]) -> float:
    """Return the percentage of words that are taken for forms of listed words."""
    return 100 * sum(bool(fitting(word, endings, listed)) for word in words) / max(len(words), 1)
