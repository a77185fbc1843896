"""The links of many sentence pairs in a few arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder.core.alignment import Alignment, Link
from wordorder.errors import WordOrderError


@dataclass(frozen=True, slots=True)
class Links:
    """Links by sentence: those of sentence s are ``pairs[offsets[s]:offsets[s + 1]]``.

    ``pairs`` has a row (source position, target position) a link, 0-based. ``scores`` are between 0 and
    1 where the aligner has them; ``possible`` marks links that are possible and not sure.

    >>> links = Links.of([[(0, 1), (1, 0)], []])
    >>> len(links), links[0], links[1]
    (2, [(0, 1), (1, 0)], [])
    """

    pairs: NDArray[np.int32]
    offsets: NDArray[np.int64]
    scores: NDArray[np.float32] | None = None
    possible: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, sentences: Iterable[Iterable[Link]]) -> Links:
        """Collect links; they are kept as given."""
        rows: list[Link] = []
        offsets = [0]
        for sentence in sentences:
            rows.extend(sentence)
            offsets.append(len(rows))
        pairs = np.array(rows, dtype=np.int32).reshape(-1, 2)
        return cls(pairs, np.array(offsets, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> list[Link]:
        if not -len(self) <= sentence < len(self):
            raise IndexError(sentence)
        begin, end = self.offsets[sentence % len(self)], self.offsets[sentence % len(self) + 1]
        return [(i, j) for i, j in self.pairs[begin:end].tolist()]

    def __iter__(self) -> Iterator[list[Link]]:
        return (self[s] for s in range(len(self)))

    @property
    def sentence(self) -> NDArray[np.int64]:
        """The sentence of every link."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def inverse(self) -> Links:
        """Swap source and target; links stay in their order."""
        swapped = np.ascontiguousarray(self.pairs[:, ::-1])
        return Links(swapped, self.offsets, self.scores, self.possible)

    def alignments(self, source_sizes: Iterable[int], target_sizes: Iterable[int]) -> Iterator[Alignment]:
        """One ``Alignment`` a sentence."""
        for s, (n, m) in enumerate(zip(source_sizes, target_sizes, strict=True)):
            if self.possible is None:
                yield Alignment(n, m, self[s])
                continue
            marks = self.possible[self.offsets[s] : self.offsets[s + 1]].tolist()
            sure = [link for link, mark in zip(self[s], marks, strict=True) if not mark]
            yield Alignment(n, m, sure, possible=[k for k, mark in zip(self[s], marks, strict=True) if mark])

    def check_same_length(self, other: Links, *, what: str) -> None:
        """Two sets of links of the same sentences, or an error."""
        if len(self) != len(other):
            raise WordOrderError(f"{what} have {len(self)} and {len(other)} sentences; they must be the same")
