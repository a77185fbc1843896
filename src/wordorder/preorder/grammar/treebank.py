"""The latent treebank: the permutation forests of word-aligned sentences.

A sentence becomes a sequence of tokens, which are minimal phrases or words, with the places that the aligned
tokens take in the target. Its forest contains every permutation tree of these places; tokens without a link
are joined to a neighbour by ``P01`` or ``P10``. Sentences that the grammar cannot learn from are left out
and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from wordorder import _native
from wordorder.arrays import Ints, Longs
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import target_spans
from wordorder.errors import InvalidAlignment, WordOrderError
from wordorder.preorder.grammar.operators import OPERATORS, PRIMES, Operator
from wordorder.preorder.grammar.vocabulary import Vocabulary


class TokenisedSentence(NamedTuple):
    """The tokens of a sentence, and the place of each among the aligned tokens (-1: not aligned)."""

    words: list[str]
    ranks: list[int]


@dataclass(frozen=True)
class ForestShape:
    """How sentences become forests.

    ``unit``: minimal phrases (as in the thesis), or words by their first link. ``bracketing``: all trees of a
    permutation, or the canonical left- or right-branching one. ``arity``: the largest number of children of
    an operator. ``attach`` and ``level``: whether a token without a link joins the lowest or the highest
    phrase on its right or left. ``longest``: the largest number of tokens of a sentence. ``rare`` and
    ``break_rare``: phrases that occur at most ``rare`` times are broken into words; without ``break_rare``
    they are one unknown phrase.
    """

    unit: Literal["phrases", "words"] = "phrases"
    bracketing: Literal["forest", "left", "right"] = "forest"
    arity: int = 5
    attach: Literal["right", "left"] = "right"
    level: Literal["low", "high"] = "low"
    longest: int = 100
    rare: int = 3
    break_rare: bool = True


@dataclass(frozen=True)
class Treebank:
    """Forests in arrays: tokens of sentence s at ``offsets[s]``, nodes at ``ends[s]``.

    A node has a begin, an end, an operator, and a flag for all bracketings of its children. ``kept`` are the
    numbers of the sentences in the treebank; ``filtered`` counts the others by reason.
    """

    tokens: Ints
    offsets: Longs
    nodes: Ints
    ends: Longs
    operators: tuple[Operator, ...]
    kept: Ints
    filtered: dict[str, int]
    lengths: Longs  # source words per sentence

    @property
    def words(self) -> int:
        """The number of source words in the treebank."""
        return int(self.lengths.sum())

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def part(self, first: int, last: int) -> Treebank:
        """Return the sentences from ``first`` up to, but without, ``last``."""
        a, b = self.offsets[first], self.offsets[last]
        c, d = self.ends[first], self.ends[last]
        return Treebank(
            self.tokens[a:b],
            self.offsets[first : last + 1] - a,
            self.nodes[c:d],
            self.ends[first : last + 1] - c,
            self.operators,
            self.kept[first:last],
            {},
            self.lengths[first:last],
        )


def tokenise(
    sources: Sequence[Sequence[str]],
    alignments: Sequence[Alignment],
    shape: ForestShape,
    known: Vocabulary | None = None,
) -> Iterator[TokenisedSentence]:
    """Yield the tokens of each sentence and their places; phrases of a known vocabulary are not rare.

    >>> a = Alignment(4, 4, [(0, 0), (0, 2), (1, 1), (3, 3)])
    >>> next(tokenise([["a", "b", "c", "d"]], [a], ForestShape(rare=0)))
    TokenisedSentence(words=['a b', 'c', 'd'], ranks=[0, -1, 1])
    """
    if shape.unit == "words":
        for words, alignment in zip(sources, alignments, strict=True):
            first, _ = target_spans(Alignments.from_alignments([alignment]))
            yield TokenisedSentence(list(words), _ranks(first.tolist()))
        return
    batch = Alignments.from_alignments(alignments)
    spans, span_ends = _native.blocks(batch.pairs, batch.offsets)
    table = spans.tolist()
    cut = [list(_cut(words, table[span_ends[s] : span_ends[s + 1]])) for s, words in enumerate(sources)]
    counts = Counter(piece for pieces in cut for piece, _ in pieces if " " in piece)
    kept = (
        {piece for piece, count in counts.items() if count > shape.rare} if known is None else known.numbers
    )
    for pieces in cut:
        if shape.break_rare:
            pieces = [
                (word, place)
                for piece, place in pieces
                for word in (piece.split(" ") if " " in piece and piece not in kept else [piece])
            ]
        yield TokenisedSentence([piece for piece, _ in pieces], _ranks([place for _, place in pieces]))


def _cut(words: Sequence[str], blocks: list[list[int]]) -> Iterator[tuple[str, int]]:
    """Yield phrases and words without a link, each with its first target position or -1."""
    at = 0
    for first, last, target, _ in blocks:
        yield from ((word, -1) for word in words[at:first])
        yield " ".join(words[first : last + 1]), target
        at = last + 1
    yield from ((word, -1) for word in words[at:])


def _ranks(places: list[int]) -> list[int]:
    """Convert places into ranks among those that are not -1; ties are ranked from left to right."""
    aligned = sorted((place, i) for i, place in enumerate(places) if place >= 0)
    ranks = [-1] * len(places)
    for rank, (_, i) in enumerate(aligned):
        ranks[i] = rank
    return ranks


def check_pairs(sources: Sequence[Sequence[str]], alignments: Sequence[Alignment]) -> None:
    """Raise an error unless there is an alignment of the right size for each sentence."""
    if len(sources) != len(alignments):
        raise WordOrderError(f"{len(sources)} sentences, but {len(alignments)} alignments")
    for number, (words, alignment) in enumerate(zip(sources, alignments, strict=True), start=1):
        if len(words) != alignment.source_size:
            raise InvalidAlignment(
                f"sentence {number} has {len(words)} words, but its alignment has {alignment.source_size}"
            )


def build_treebank(
    sentences: Sequence[TokenisedSentence],
    vocabulary: Vocabulary,
    shape: ForestShape,
    operators: Sequence[Operator] | None = None,
) -> Treebank:
    """Build the forests of tokenised sentences.

    Without ``operators`` the treebank has all operators that it needs. With the operators of an existing
    grammar, sentences that need other operators are left out.
    """
    reasons = [_unfit(tokens, shape) for tokens in sentences]
    filtered = Counter(reason for reason in reasons if reason)
    kept = [number for number, reason in enumerate(reasons) if not reason]
    ranks = np.array([r for s in kept for r in sentences[s].ranks], dtype=np.int32)
    offsets = _offsets([len(sentences[s].words) for s in kept])
    trees = {"forest": 0, "left": 1, "right": 2}[shape.bracketing]
    nodes, ends, good = _native.forests(
        ranks, offsets, [list(p) for p in PRIMES], trees, shape.arity,
        attach_right=shape.attach == "right", attach_high=shape.level == "high",
    )  # fmt: skip
    filtered["operator too long"] = int((good == 0).sum())
    used = [OPERATORS.index(op) for op in operators or ()] or sorted(set(nodes[:, 2].tolist()))
    where = np.full(len(OPERATORS), -1, dtype=np.int32)
    where[used] = np.arange(len(used))
    nodes = nodes.copy()
    nodes[:, 2] = where[nodes[:, 2]]
    unknown = np.zeros(len(kept), dtype=bool)  # sentences with an operator that the grammar lacks
    unknown[np.repeat(np.arange(len(kept)), np.diff(ends))[nodes[:, 2] < 0]] = True
    filtered["operator not in the grammar"] = int(unknown.sum())
    fit = (good != 0) & ~unknown
    final = [s for s, ok in zip(kept, fit.tolist(), strict=True) if ok]
    numbers = [vocabulary.number(word) for s in final for word in sentences[s].words]
    return Treebank(
        np.array(numbers, dtype=np.int32),
        _offsets([len(sentences[s].words) for s in final]),
        np.ascontiguousarray(nodes[np.repeat(fit, np.diff(ends))]),
        _offsets(np.diff(ends)[fit].tolist()),
        tuple(OPERATORS[x] for x in used),
        np.array(final, dtype=np.int32),
        {reason: count for reason, count in filtered.items() if count},
        np.array([sum(word.count(" ") + 1 for word in sentences[s].words) for s in final], dtype=np.int64),
    )


def _unfit(tokens: TokenisedSentence, shape: ForestShape) -> str | None:
    """Return why a sentence cannot be learned from; None if it can."""
    if not tokens.words:
        return "empty"
    aligned = sum(rank >= 0 for rank in tokens.ranks)
    if not aligned:
        return "no links"
    if aligned < 2:
        return "one aligned phrase"
    return "too long" if len(tokens.words) > shape.longest else None


def _offsets(sizes: Sequence[int]) -> Longs:
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.int64)
