"""Pairs of texts, where a text may take part in many pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Longs
from wordorder.errors import WordOrderError
from wordorder.text.tokens import as_lines, joined, utf8

T = TypeVar("T")
BLOCK = 4096  # texts that are compared at a time


@dataclass(frozen=True, eq=False)
class Pairs:
    """Some texts, and which of them is the hypothesis (``first``) and the reference of each pair.

    What depends on one text only is computed once, however many pairs it is in. Of ``mirrored`` pairs, the
    second half are those of the first half the other way round: what is symmetric is computed once, too.
    """

    texts: Sequence[str]
    first: Longs
    second: Longs
    mirrored: bool = False

    @classmethod
    def of(cls, hypotheses: Sequence[str], references: Sequence[str]) -> Pairs:
        """Pair each hypothesis with its reference."""
        hypotheses, references = as_lines(hypotheses, "lines"), as_lines(references, "lines")
        if len(hypotheses) != len(references):
            raise WordOrderError(f"{len(hypotheses)} hypotheses but {len(references)} references")
        first = np.arange(len(hypotheses), dtype=np.int64)
        return cls([*hypotheses, *references], first, first + len(hypotheses))

    def __len__(self) -> int:
        return len(self.first)

    @cached_property
    def written(self) -> bytes:
        """All texts, for a kernel."""
        return utf8(joined(self.texts))

    @cached_property
    def lowered(self) -> bytes:
        """All texts in lower case, for a kernel."""
        # Line by line: one character beyond Latin-1 would slow down all of a long text.
        return utf8(joined([text.lower() for text in self.texts]))

    def take(self, chosen: Longs) -> Pairs:
        """Return some of the pairs, with the texts that they need."""
        both = np.concatenate([self.first[chosen], self.second[chosen]])
        kept, numbers = np.unique(both, return_inverse=True)
        first, second = np.split(numbers.astype(np.int64), 2)
        return Pairs([self.texts[k] for k in kept.tolist()], first, second)

    def once(self, compute: Callable[[Pairs], T]) -> T:
        """Return what a function computes from these pairs; it is computed once."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        return cast("T", self._computed[compute])

    @cached_property
    def _computed(self) -> dict[Any, Any]:
        return {}

    def map(self, change: Callable[[str], str]) -> Pairs:
        """Change every text."""
        return replace(self, texts=[change(text) for text in self.texts])

    def blocks(self) -> Iterator[tuple[slice, Pairs]]:
        """Yield blocks of pairs that have few texts, and where they are."""
        if len(self.texts) <= BLOCK:
            yield slice(0, len(self)), self
            return
        for begin in range(0, len(self), BLOCK // 2):
            part = slice(begin, min(begin + BLOCK // 2, len(self)))
            yield part, self.take(np.arange(part.start, part.stop))

    def symmetric(
        self, count: Callable[[Longs, Longs], NDArray[Any]], turned: Sequence[int] | slice = slice(None)
    ) -> NDArray[Any]:
        """Compute columns of numbers, pairs last; ``turned`` is the order of columns of a turned pair."""
        if not self.mirrored:
            return count(self.first, self.second)
        half = len(self) // 2
        found = count(self.first[:half], self.second[:half])
        return np.concatenate([found, found[..., turned, :]], axis=-1)
