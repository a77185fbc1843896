"""Word alignments between two sentences, one and many."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import overload

import numpy as np

from wordorder.arrays import Bools, Floats, Ints, Longs
from wordorder.core.displayed import Displayed
from wordorder.errors import InvalidAlignment

Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment(Displayed):
    """Links between the words of a source and a target sentence, 0-based.

    ``sure`` and ``possible`` follow Och and Ney (2003): sure links are certain, possible ones may be
    right as well. Plain alignments have sure links only. Both are sorted, and a link that is given twice is
    kept once. ``scores`` holds the probabilities that some aligners give their links; alignments with the
    same links are equal.

    >>> a = Alignment(3, 2, [(0, 0), (2, 1)], possible=[(1, 1)])
    >>> a.links
    ((0, 0), (1, 1), (2, 1))
    >>> a.inverse().sure
    ((0, 0), (1, 2))
    """

    source_size: int
    target_size: int
    sure: tuple[Link, ...]
    possible: tuple[Link, ...]
    scores: Mapping[Link, float] = field(compare=False, repr=False)

    def __init__(
        self,
        source_size: int,
        target_size: int,
        sure: Iterable[Link] = (),
        *,
        possible: Iterable[Link] = (),
        scores: Mapping[Link, float] | None = None,
    ) -> None:
        try:
            source_size, target_size = operator.index(source_size), operator.index(target_size)
        except TypeError:
            raise InvalidAlignment(
                f"sizes are {source_size!r} and {target_size!r}; expected whole numbers"
            ) from None
        for name, size in (("source", source_size), ("target", target_size)):
            if size < 0:
                raise InvalidAlignment(f"the {name} has {size!r} words; expected 0 or more")
        surely = _links(sure, source_size, target_size)
        perhaps = _links(possible, source_size, target_size)
        both = sorted(set(surely) & set(perhaps))
        if both:
            i, j = both[0]
            raise InvalidAlignment(f"link {i}-{j} is marked both sure and possible; give it once")
        object.__setattr__(self, "source_size", source_size)
        object.__setattr__(self, "target_size", target_size)
        object.__setattr__(self, "sure", surely)
        object.__setattr__(self, "possible", perhaps)
        object.__setattr__(self, "scores", dict(scores or {}))

    @classmethod
    def _trusted(
        cls,
        source_size: int,
        target_size: int,
        sure: tuple[Link, ...],
        possible: tuple[Link, ...],
        scores: Mapping[Link, float] | None = None,
    ) -> Alignment:
        """Make an alignment of links that are known to be sorted, in range and marked once."""
        new = cls.__new__(cls)
        object.__setattr__(new, "source_size", source_size)
        object.__setattr__(new, "target_size", target_size)
        object.__setattr__(new, "sure", sure)
        object.__setattr__(new, "possible", possible)
        object.__setattr__(new, "scores", scores or {})
        return new

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, sure and possible."""
        return tuple(sorted(self.sure + self.possible)) if self.possible else self.sure

    def inverse(self) -> Alignment:
        """Swap source and target."""
        return Alignment(
            self.target_size,
            self.source_size,
            [(j, i) for i, j in self.sure],
            possible=[(j, i) for i, j in self.possible],
        )

    def targets(self) -> list[list[int]]:
        """List the target positions of each source word in ascending order.

        >>> Alignment(2, 2, [(0, 1), (0, 0)]).targets()
        [[0, 1], []]
        """
        targets: list[list[int]] = [[] for _ in range(self.source_size)]
        for i, j in self.links:
            targets[i].append(j)
        return targets

    def __str__(self) -> str:
        marked = [(link, "-") for link in self.sure] + [(link, "p") for link in self.possible]
        return " ".join(f"{i}{mark}{j}" for (i, j), mark in sorted(marked))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Alignments(Sequence[Alignment]):
    """The links of many sentence pairs in a few arrays, as the kernels use them.

    ``pairs`` has one row (source position, target position) per link, 0-based; those of sentence s are
    ``pairs[offsets[s]:offsets[s + 1]]``. ``possible`` marks links that are possible but not sure (None: all
    are sure), and ``scores`` holds the numbers that some aligners give their links. Nothing is checked here:
    links of a file may be repeated or lie outside their sentences. Items are :class:`Alignment`.

    >>> batch = Alignments.from_links([[(0, 1), (1, 0)], []])
    >>> len(batch), str(batch[0]), batch.source_sizes.tolist()
    (2, '0-1 1-0', [2, 0])
    """

    pairs: Ints
    offsets: Longs
    source_sizes: Longs
    target_sizes: Longs
    possible: Bools | None = None
    scores: Floats | None = None

    @classmethod
    def from_links(
        cls,
        sentences: Iterable[Iterable[Link]],
        source_sizes: Sequence[int] | Longs | None = None,
        target_sizes: Sequence[int] | Longs | None = None,
    ) -> Alignments:
        """Collect sure links in their order; sentences of unknown size end with their last link."""
        rows: list[Link] = []
        offsets = [0]
        for sentence in sentences:
            rows.extend(sentence)
            offsets.append(len(rows))
        pairs = np.array(rows, dtype=np.int32).reshape(-1, 2)
        ends = np.array(offsets, dtype=np.int64)
        source, target = (
            linked_sizes(pairs[:, side], ends) if sizes is None else np.asarray(sizes, dtype=np.int64)
            for side, sizes in enumerate((source_sizes, target_sizes))
        )
        return cls(pairs, ends, source, target)

    @classmethod
    def from_alignments(cls, alignments: Iterable[Alignment]) -> Alignments:
        """Put alignments into one batch; a batch is returned as it is.

        >>> Alignments.from_alignments([Alignment(3, 2, [(0, 1)], possible=[(2, 0)])]).possible.tolist()
        [False, True]
        """
        if isinstance(alignments, Alignments):
            return alignments
        items = [alignments] if isinstance(alignments, Alignment) else list(alignments)
        for item in items:
            if not isinstance(item, Alignment):
                raise InvalidAlignment(f"expected a sequence of Alignment, found {item!r}")
        links = [item.links for item in items]
        flat = chain.from_iterable(chain.from_iterable(links))
        offsets = np.zeros(len(items) + 1, dtype=np.int64)
        np.cumsum([len(some) for some in links], out=offsets[1:])
        possible = None
        if any(item.possible for item in items):
            marks = ([link in item.possible for link in item.links] for item in items)
            possible = np.fromiter(chain.from_iterable(marks), dtype=np.bool_)
        scores = None
        if any(item.scores for item in items):
            each = ([item.scores.get(link, 1.0) for link in item.links] for item in items)
            scores = np.fromiter(chain.from_iterable(each), dtype=np.float32)
        return cls(
            np.fromiter(flat, dtype=np.int32).reshape(-1, 2),
            offsets,
            np.array([item.source_size for item in items], dtype=np.int64),
            np.array([item.target_size for item in items], dtype=np.int64),
            possible,
            scores,
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> Alignment: ...
    @overload
    def __getitem__(self, index: slice) -> Alignments: ...
    def __getitem__(self, index: int | slice) -> Alignment | Alignments:
        if isinstance(index, slice):
            return self.take(range(*index.indices(len(self))))
        at = range(len(self))[index]
        links, sizes = self.links(at), (int(self.source_sizes[at]), int(self.target_sizes[at]))
        known = None
        if self.scores is not None:
            own = self.scores[self.offsets[at] : self.offsets[at + 1]].tolist()
            known = dict(zip(links, own, strict=True))
        if self.possible is None:
            return Alignment(*sizes, links, scores=known)
        marks = self.possible[self.offsets[at] : self.offsets[at + 1]].tolist()
        marked = list(zip(links, marks, strict=True))
        sure = [link for link, mark in marked if not mark]
        perhaps = [link for link, mark in marked if mark]
        return Alignment(*sizes, sure, possible=perhaps, scores=known)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alignments):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.pairs.tobytes(), self.offsets.tobytes()))

    def __repr__(self) -> str:
        return f"<Alignments: {len(self)} with {len(self.pairs)} links>"

    def __iter__(self) -> Iterator[Alignment]:
        return (self[s] for s in range(len(self)))

    def links(self, sentence: int) -> list[Link]:
        """List the links of a sentence as they are stored."""
        begin, end = self.offsets[sentence], self.offsets[sentence + 1]
        return [(i, j) for i, j in self.pairs[begin:end].tolist()]

    def take(self, sentences: Sequence[int] | Longs) -> Alignments:
        """Return the alignments of some sentences."""
        chosen = np.asarray(sentences, dtype=np.int64)
        lengths = np.diff(self.offsets)[chosen]
        offsets = np.zeros(len(chosen) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        rows = np.arange(offsets[-1]) + np.repeat(self.offsets[chosen] - offsets[:-1], lengths)
        return Alignments(
            self.pairs[rows],
            offsets,
            self.source_sizes[chosen],
            self.target_sizes[chosen],
            None if self.possible is None else self.possible[rows],
            None if self.scores is None else self.scores[rows],
        )

    @property
    def sentence(self) -> Longs:
        """The sentence of every link."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def links_per_word(self, side: int) -> tuple[Longs, Longs]:
        """Count the links of each source word (side 0) or target word (side 1); also return its sentence."""
        sizes = self.target_sizes if side else self.source_sizes
        word = (np.cumsum(sizes) - sizes)[self.sentence] + self.pairs[:, side]
        return np.bincount(word, minlength=int(sizes.sum())), np.repeat(np.arange(len(self)), sizes)

    def inverse(self) -> Alignments:
        """Swap source and target; links stay in their order."""
        swapped = np.ascontiguousarray(self.pairs[:, ::-1])
        return Alignments(
            swapped, self.offsets, self.target_sizes, self.source_sizes, self.possible, self.scores
        )

    def sure(self) -> Alignments:
        """Keep the sure links only."""
        if self.possible is None:
            return self
        kept = ~self.possible
        offsets = np.concatenate([[0], np.cumsum(kept)])[self.offsets].astype(np.int64)
        scores = None if self.scores is None else self.scores[kept]
        return Alignments(self.pairs[kept], offsets, self.source_sizes, self.target_sizes, scores=scores)

    def check_same_length(self, other: Alignments, *, what: str) -> None:
        """Raise an error unless both have the same number of sentences."""
        if len(self) != len(other):
            raise InvalidAlignment(
                f"{what} have {len(self)} and {len(other)} sentences; they must have the same number"
            )


def linked_sizes(positions: Ints, offsets: Longs) -> Longs:
    """Count the words of each sentence up to its last link."""
    sizes = np.zeros(len(offsets) - 1, dtype=np.int64)
    sentence = np.repeat(np.arange(len(sizes)), np.diff(offsets))
    np.maximum.at(sizes, sentence, positions.astype(np.int64) + 1)
    return sizes


def _links(links: Iterable[Link], source_size: int, target_size: int) -> tuple[Link, ...]:
    checked: set[Link] = set()
    for link in links:
        try:
            first, second = link
            i, j = operator.index(first), operator.index(second)
        except (TypeError, ValueError):
            raise InvalidAlignment(f"{link!r} is not a link; expected a pair of word positions") from None
        for side, at, size in (("source", i, source_size), ("target", j, target_size)):
            if not 0 <= at < size:
                span = f"0-{size - 1}" if size else "none"
                hint = " Do your links start at 1?" if at == size else ""
                raise InvalidAlignment(
                    f"link {i}-{j}: {side} word {at} does not exist ({size} words, {span}).{hint}"
                )
        checked.add((i, j))
    return tuple(sorted(checked))
