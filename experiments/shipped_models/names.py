"""Names of people: Japanese ones, whose family name comes first in Japanese, and others, which stay in order.

KFTT writes Japanese family names in capitals (Yoshimasa ASHIKAGA), so that its English text alone says what
the order is. Aligners link rare words in the order in which they stand, and most names are rare, so that
automatic links teach the wrong order. Names that cannot be Japanese are found in dependency trees. Without
them, a network would learn to invert any two rare words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

from experiments.parallel import Corpus
from wordorder.core.alignment import Alignment
from wordorder.preorder import Source

CAPITALS = "kftt30k/en-ja/train"  # the set that writes family names in capitals ...
TESTED = "kftt30k/en-ja/dev"  # ... and its part to test with
SHORT = (2, 3)  # the lengths of other headings ...
MOST_SHORT = 500  # ... and how many of them, at most, are learned beside names
AROUND = 3  # words of a phrase on each side of a name
_GIVEN = re.compile(r"[A-Z][a-z]+")
_FAMILY = re.compile(r"[A-Z]{2,}")
# Syllables of Japanese words in Roman letters, with double consonants and a final n.
_SYLLABLE = r"(?:(?:[kgsztdnhbpmyrwfj]|sh|ch|ts|[kgszjnhbpmr]y|kk|ss|tt|pp|ssh|tch|cch)?[aiueo]|n)"
_JAPANESE = re.compile(f"{_SYLLABLE}+")
_LETTERS = re.compile(r"[a-z]{2,}")
_NUMBER = re.compile(r"[ivx]+")

Name = tuple[str, ...]  # its two words, without capitals
Places = Callable[[Source], Sequence[int]]  # where names begin in a sentence
Relink = Callable[[Alignment, int], Alignment | None]


# Finding names


def is_japanese(given: str, family: str) -> bool:
    """Return whether two words of KFTT are the given and the family name of a Japanese person.

    >>> is_japanese("Yoshimasa", "ASHIKAGA"), is_japanese("Claude", "MONET"), is_japanese("War", "II")
    (True, False, False)
    """
    return bool(
        _GIVEN.fullmatch(given)
        and _FAMILY.fullmatch(family)
        and _may_be_japanese(given, family)
        and not _NUMBER.fullmatch(family.lower())
    )


def _may_be_japanese(*words: str) -> bool:
    return all(_JAPANESE.fullmatch(word.lower()) for word in words)


def japanese(lines: Iterable[str]) -> Places:
    """Return what finds the Japanese names of sentences, in lower case or not, by their lines with capitals.

    >>> japanese(["He met Soji OKITA ."])(Source(("he", "met", "soji", "okita", ".")))
    [2]
    """
    found = {}
    for line in lines:
        words = line.split()
        if places := [at for at, pair in enumerate(pairwise(words)) if is_japanese(*pair)]:
            found[tuple(word.lower() for word in words)] = places
    return lambda source: found.get(tuple(word.lower() for word in source.words), [])


def others(source: Source) -> list[int]:
    """Find names that cannot be Japanese, in a parsed sentence: two proper nouns, the second one `flat`."""
    assert source.parse is not None
    rows = source.parse.words
    return [
        at
        for at, (first, second) in enumerate(pairwise(rows))
        if first.upos == second.upos == "PROPN"
        and second.deprel == "flat"
        and source.parse.heads[at + 1] == at + 1
        and all(_LETTERS.fullmatch(row.form.lower()) for row in (first, second))
        and not _may_be_japanese(first.form, second.form)
    ]


def names_in(sentences: Iterable[Source], places: Places) -> set[Name]:
    """Return the different names in sentences."""
    return {
        tuple(word.lower() for word in source.words[at : at + 2])
        for source in sentences
        for at in places(source)
    }


# Links


def family_first(alignment: Alignment, given: int) -> Alignment | None:
    """Return links in which the word after ``given`` comes first; None if they cannot be changed so.

    If all links of that word come first already, they stay. Otherwise, both words together must be linked to
    two or more neighbouring words, which no other word is linked to. Each word keeps its number of links. If
    they share a word, or one of them has no links, the family name gets the first half.

    >>> family_first(Alignment(3, 3, [(0, 0), (1, 1), (2, 2)]), 0).links
    ((0, 1), (1, 0), (2, 2))
    """
    own = {word: {j for i, j in alignment.links if i == word} for word in (given, given + 1)}
    if all(own.values()) and max(own[given + 1]) < min(own[given]):
        return alignment
    targets = sorted(own[given] | own[given + 1])
    kept = [link for link in alignment.links if link[0] not in own]
    if len(targets) < 2 or targets[-1] - targets[0] >= len(targets) or any(j in targets for _, j in kept):
        return None
    apart = all(own.values()) and not own[given] & own[given + 1]
    first = len(own[given + 1]) if apart else len(targets) // 2
    changed = [(given + 1, j) for j in targets[:first]] + [(given, j) for j in targets[first:]]
    return Alignment(alignment.source_size, alignment.target_size, [*kept, *changed])


def in_order(alignment: Alignment, given: int) -> Alignment | None:
    """Return the links if all those of a word come before all those of the next word, else None."""
    first, second = ([j for i, j in alignment.links if i == word] for word in (given, given + 1))
    return alignment if first and second and max(first) < min(second) else None


# What is learned from


def named(sentences: Corpus, places: Places, relink: Relink) -> Corpus:
    """Return the sentences with names whose links are right after ``relink``."""
    corpus = Corpus([], [])
    for source, alignment in zip(sentences.sources, sentences.alignments, strict=True):
        found: Alignment | None = alignment
        own = places(source)
        for at in own:
            found = found and relink(found, at)
        if own and found:
            corpus.sources.append(source)
            corpus.alignments.append(found)
    return corpus


def phrases(sentences: Corpus, places: Places) -> Corpus:
    """Return the words around each name, with their links."""
    corpus = Corpus([], [])
    for source, alignment in zip(sentences.sources, sentences.alignments, strict=True):
        for at in places(source):
            begin, end = max(at - AROUND, 0), min(at + 2 + AROUND, len(source.words))
            links = [(i - begin, j) for i, j in alignment.links if begin <= i < end]
            rank = {j: k for k, j in enumerate(sorted({j for _, j in links}))}
            corpus.sources.append(Source(source.words[begin:end], target=source.target))
            corpus.alignments.append(Alignment(end - begin, len(rank), [(i, rank[j]) for i, j in links]))
    return corpus


def alone(names: Collection[Name], target: str, *, inverted: bool = False) -> Corpus:
    """Return names as sentences of their own, with links."""
    links = [(0, 1), (1, 0)] if inverted else [(0, 0), (1, 1)]
    return Corpus(
        [Source(name, target=target) for name in sorted(names)], [Alignment(2, 2, links) for _ in names]
    )


def short_lines(sentences: Corpus, known: Collection[Name]) -> Corpus:
    """Return a share of the short lines that are no known names."""
    found = [s for s, x in enumerate(sentences.sources) if len(x.words) in SHORT and x.words not in known]
    return sentences.select(found[:: -(-len(found) // MOST_SHORT) or 1])


# What is tested


def new_names(
    sentences: Iterable[Source],
    places: Places,
    known: Collection[Name],
    target: str,
    *,
    inverted: bool = False,
) -> Corpus:
    """Return the sentences with names that are not ``known``, without capitals, with links of these alone."""
    corpus = Corpus([], [])
    for source in sentences:
        words = tuple(word.lower() for word in source.words)
        own = [at for at in places(source) if words[at : at + 2] not in known]
        if own:
            links = [(at + k, 2 * n + (1 - k if inverted else k)) for n, at in enumerate(own) for k in (0, 1)]
            corpus.sources.append(Source(words, target=target))
            corpus.alignments.append(Alignment(len(words), 2 * len(own), links))
    return corpus
