"""Sentences that go into a preorderer, and orders that come out of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.io.lines import split_words
from wordorder.io.sentence import Sentence
from wordorder.parse.spacy_docs import has_tree, is_doc, sentences_of, tree_of, words_of


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence to reorder: its words, and optional annotation.

    ``parse`` is its dependency tree (for rules), ``alignment`` its links to a translation (for the
    oracle). ``layers`` are rows of labels, one label per word; methods that use labels read the first
    row. ``target`` is the target language, for models that know several.
    """

    words: tuple[str, ...]
    parse: Sentence | None = None
    alignment: Alignment | None = None
    layers: tuple[tuple[str, ...], ...] = ()
    target: str = ""

    def __len__(self) -> int:
        return len(self.words)


class Candidate(NamedTuple):
    """One of several orders of a sentence.

    ``loss`` is the expected Kendall loss: the expected share, from 0 to 1, of word pairs in the wrong
    order. ``log_prob`` is the log probability of the order, if the method knows it. ``unaligned`` lists
    the source positions that the method takes for words without a counterpart in the target.
    """

    order: Permutation
    loss: float
    log_prob: float | None = None
    unaligned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Reordering(Displayed):
    """A sentence in its new order.

    ``loss`` and ``log_prob`` are those of :class:`Candidate`; None where they were not computed.

    >>> result = Reordering(("a", "b", "c"), Permutation.from_order([1, 2, 0]))
    >>> print(result, result.words, result.order)
    b c a ['b', 'c', 'a'] [1, 2, 0]
    """

    source: tuple[str, ...]
    permutation: Permutation
    loss: float | None = None
    log_prob: float | None = None

    @property
    def words(self) -> list[str]:
        """The words in their new order."""
        return self.permutation.apply(self.source)

    @property
    def order(self) -> list[int]:
        """The source positions, from 0, in their new order."""
        positions: list[int] = self.permutation.order.tolist()
        return positions

    def __str__(self) -> str:
        return " ".join(self.words)


SentenceLike = str | Source | Sequence[str]  # and Doc and Span of spaCy, which have no type here


def as_sources(sentences: Iterable[SentenceLike]) -> list[Source]:
    """Make sources of sentences: sources, strings (split at blanks), lists of words, documents of spaCy.

    >>> [source.words for source in as_sources(["a b", ["c"]])]
    [('a', 'b'), ('c',)]
    """
    sources = []
    for number, sentence in enumerate(sentences, start=1):
        if is_doc(sentence):
            sentence = source_of_doc(sentence)
        elif not isinstance(sentence, Source):
            sentence = Source(tuple(split_words(sentence) if isinstance(sentence, str) else sentence))
        check_words(sentence, number)
        sources.append(sentence)
    return sources


def one_or_several(sentences: SentenceLike | Iterable[SentenceLike]) -> tuple[list[Source], bool]:
    """Return sources, and whether the input was a single sentence.

    A string, a source, a document of spaCy and a list of strings (words) are one sentence; a list of
    anything else is a list of sentences.

    >>> one_or_several(["a", "b"])[1], one_or_several("a b")[1], one_or_several([["a", "b"]])[1]
    (True, True, False)
    """
    if isinstance(sentences, str | Source):
        return as_sources([sentences]), True
    if is_doc(sentences):
        return as_sources([source_of_doc(sentences)]), True
    items = list(sentences)
    words = [item for item in items if isinstance(item, str)]
    if items and len(words) == len(items):
        return as_sources([words]), True
    return as_sources(items), False


def source_of_doc(doc: Any) -> Source:
    """Make a source of a ``Doc`` or ``Span`` of spaCy, with its tree if it is parsed, without white space."""
    sentences = sentences_of(doc) if hasattr(doc, "has_annotation") else [doc]
    if len(sentences) > 1:
        raise BadSetting(f"the document has {len(sentences)} sentences, not one; pass list(doc.sents)")
    parse = tree_of(doc) if has_tree(doc) else None
    return Source(tuple(token.text for token in words_of(doc)), parse=parse)


def check_words(source: Source, number: int) -> None:
    """Raise an error unless every word is text without blanks; ``number`` counts sentences from 1."""
    for word in source.words:
        if not isinstance(word, str) or not word or " " in word or "\t" in word or "\n" in word:
            raise BadSetting(
                f"sentence {number}: {word!r} is not a word; expected non-empty text without blanks and"
                " line ends. A list of strings is one sentence: write several as a list of lists of words."
            )


def realigned(alignment: Alignment, order: Permutation) -> Alignment:
    """Return the alignment of the source in its new order with the same target.

    >>> print(realigned(Alignment(3, 3, [(0, 2), (1, 0), (2, 1)]), Permutation.from_order([1, 2, 0])))
    0-0 1-1 2-2
    """
    place = order.ranks.tolist()
    return Alignment(
        alignment.source_size,
        alignment.target_size,
        [(place[i], j) for i, j in alignment.sure],
        possible=[(place[i], j) for i, j in alignment.possible],
    )
