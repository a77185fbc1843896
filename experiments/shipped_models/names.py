"""Names of Japanese people, whose order is known without links: sentences and headings to learn from.

In Japanese the family name comes first. KFTT writes family names in capitals (Yoshimasa ASHIKAGA), so that
the English text alone says which of two words it is. Aligners link rare words in the order in which they
stand, and most names are rare, so that automatic links teach the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from itertools import pairwise

from experiments.parallel import Corpus, concatenate
from wordorder.core.alignment import Alignment
from wordorder.preorder import Source

CAPITALS = "kftt30k/en-ja/train"  # the set that writes family names in capitals ...
TESTED = "kftt30k/en-ja/dev"  # ... and its part to test with
SHORT = (2, 3)  # the lengths of other headings ...
OTHERS = 500  # ... and how many of them, at most, are learned beside names
AROUND = 3  # words of a phrase on each side of a name
_GIVEN = re.compile(r"[A-Z][a-z]+")
_FAMILY = re.compile(r"[A-Z]{2,}")
# Syllables of Japanese words in Roman letters, with double consonants and a final n.
_SYLLABLE = r"(?:(?:[kgsztdnhbpmyrwfj]|sh|ch|ts|[kgszjnhbpmr]y|kk|ss|tt|pp|ssh|tch|cch)?[aiueo]|n)"
_JAPANESE = re.compile(f"{_SYLLABLE}+")
_NUMBER = re.compile(r"[ivx]+")


def is_name(given: str, family: str) -> bool:
    """Return whether two words of KFTT are the given and the family name of a Japanese person.

    >>> is_name("Yoshimasa", "ASHIKAGA"), is_name("Claude", "MONET"), is_name("War", "II")
    (True, False, False)
    """
    words = given.lower(), family.lower()
    return (
        bool(_GIVEN.fullmatch(given) and _FAMILY.fullmatch(family))
        and all(_JAPANESE.fullmatch(word) for word in words)
        and not _NUMBER.fullmatch(words[1])
    )


def name_places(words: list[str]) -> list[int]:
    """Return the places of given names that a family name follows.

    >>> name_places("He met Soji OKITA and Isami KONDO .".split())
    [2, 5]
    """
    return [at for at, pair in enumerate(pairwise(words)) if is_name(*pair)]


def family_first(alignment: Alignment, given: int) -> Alignment | None:
    """Return links in which the word after ``given`` comes first; None if the two cannot be told apart.

    Together, both words must be linked to two or more neighbouring words, which no other word is linked to.
    If they share some of them, the family name has the first half.

    >>> family_first(Alignment(3, 3, [(0, 0), (1, 1), (2, 2)]), 0).links
    ((0, 1), (1, 0), (2, 2))
    """
    both = (given, given + 1)
    own = {word: {j for i, j in alignment.links if i == word} for word in both}
    targets = sorted(own[given] | own[given + 1])
    others = [link for link in alignment.links if link[0] not in both]
    if len(targets) < 2 or targets[-1] - targets[0] >= len(targets):
        return None
    if any(j in targets for _, j in others):
        return None
    apart = all(own.values()) and not own[given] & own[given + 1]
    first = len(own[given + 1]) if apart else len(targets) // 2
    changed = [(given + 1, j) for j in targets[:first]] + [(given, j) for j in targets[first:]]
    return Alignment(alignment.source_size, alignment.target_size, [*others, *changed])


def _is_first(alignment: Alignment, given: int) -> bool:
    """Return whether all links of the family name are before those of the given name."""
    own = {word: [j for i, j in alignment.links if i == word] for word in (given, given + 1)}
    return all(own.values()) and max(own[given + 1]) < min(own[given])


def named(lines: Iterable[str], automatic: Corpus) -> Corpus:
    """Return the sentences of a text with names in which family names come first, or can be put there.

    ``lines`` have capitals; the sentences, with links to Japanese, do not.
    """
    places = _places(lines)
    corpus = Corpus([], [])
    for source, alignment in zip(automatic.sources, automatic.alignments, strict=True):
        found: Alignment | None = alignment
        names = places.get(" ".join(source.words), [])
        for given in names:
            found = found and (family_first(found, given) or (found if _is_first(found, given) else None))
        if names and found:
            corpus.sources.append(source)
            corpus.alignments.append(found)
    return corpus


def phrases(lines: Iterable[str], sentences: Corpus) -> Corpus:
    """Return the words around each name of a text, with their links."""
    places = _places(lines)
    corpus = Corpus([], [])
    for source, alignment in zip(sentences.sources, sentences.alignments, strict=True):
        for given in places.get(" ".join(source.words), []):
            begin, end = max(given - AROUND, 0), min(given + 2 + AROUND, len(source.words))
            links = [(i - begin, j) for i, j in alignment.links if begin <= i < end]
            rank = {j: at for at, j in enumerate(sorted({j for _, j in links}))}
            corpus.sources.append(Source(source.words[begin:end], target=source.target))
            corpus.alignments.append(Alignment(end - begin, len(rank), [(i, rank[j]) for i, j in links]))
    return corpus


def names_in(lines: Iterable[str], sentences: Corpus) -> set[tuple[str, ...]]:
    """Return the different names in a text."""
    places = _places(lines)
    return {
        source.words[given : given + 2]
        for source in sentences.sources
        for given in places.get(" ".join(source.words), [])
    }


def headings(names: set[tuple[str, ...]], automatic: Corpus, target: str) -> Corpus:
    """Return names, with the family name first, and other short lines of a text with their links."""
    people = Corpus(
        [Source(words, target=target) for words in sorted(names)],
        [Alignment(2, 2, [(0, 1), (1, 0)]) for _ in names],
    )
    short = [s for s, x in enumerate(automatic.sources) if len(x.words) in SHORT and x.words not in names]
    return concatenate([people, automatic.select(short[:: -(-len(short) // OTHERS) or 1])])


def tested(
    lines: Iterable[str], learned: Container[str], known: Container[tuple[str, ...]], target: str
) -> Corpus:
    """Return the lines with names that are not ``known``, without capitals, with links of these names alone.

    Lines that are ``learned`` from are left out.
    """
    corpus = Corpus([], [])
    for line, every in _places(lines).items():
        words = tuple(line.split())
        places = [given for given in every if words[given : given + 2] not in known]
        if places and line not in learned:
            links = [(given + k, 2 * at + 1 - k) for at, given in enumerate(places) for k in (0, 1)]
            corpus.sources.append(Source(words, target=target))
            corpus.alignments.append(Alignment(len(words), 2 * len(places), links))
    return corpus


def _places(lines: Iterable[str]) -> dict[str, list[int]]:
    """Return the places of given names in each line that has any, by the line without capitals."""
    found = ((" ".join(line.lower().split()), name_places(line.split())) for line in lines)
    return {line: places for line, places in found if places}
