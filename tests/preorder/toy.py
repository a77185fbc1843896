"""A preorderer for tests: words that were seen to move right, on average, move past the next word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.preorder.base import (
    Arrays,
    Candidate,
    Preorderer,
    Source,
    Training,
    expected_loss,
    precedence_of,
)
from wordorder.preorder.oracle import Oracle


@dataclass(frozen=True, kw_only=True)
class Toy(Preorderer):
    """Learns how far each word moves."""

    name = "toy"
    learns = True

    bend: float = 1.0
    moves: Mapping[str, float] = field(default_factory=dict, init=False, compare=False, repr=False)

    def fit(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], *, training: Training | None = None
    ) -> Self:
        training = training or Training()
        found: dict[str, list[float]] = {}
        for source, alignment in zip(sources, alignments, strict=True):
            rank = Oracle().gold_order(alignment).ranks
            for i, word in enumerate(source.words):
                found.setdefault(word, []).append(float(rank[i] - i))
        if training.log:
            training.log({"iteration": 1, "words": len(found)})
        moves = {word: float(np.mean(some)) for word, some in sorted(found.items())}
        return self._with(moves, {"seed": training.seed, "sentences": len(sources)})

    def _with(self, moves: Mapping[str, float], trained: Mapping[str, Any]) -> Self:
        new = type(self)(**self.settings)
        object.__setattr__(new, "moves", moves)
        object.__setattr__(new, "trained", dict(trained))
        return new

    def arrays(self) -> Arrays:
        words = "\n".join(self.moves).encode()
        return {"words": np.frombuffer(words, np.uint8), "moves": np.array(list(self.moves.values()))}

    def restored(self, arrays: Arrays, trained: Mapping[str, Any]) -> Self:
        words = arrays["words"].tobytes().decode().split("\n")
        return self._with(dict(zip(words, arrays["moves"].tolist(), strict=True)), trained)

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        self.check_fitted()
        keys = [[i + self.bend * self.moves.get(w, 0.0) for i, w in enumerate(s.words)] for s in sources]
        return [Permutation.standardise(row) for row in keys]

    def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The best order, and those with two neighbours swapped."""
        lists = []
        for order in self.reorder(sources):
            table = precedence_of(order)
            found = [order]
            for i in range(min(k, len(order)) - 1):
                swapped = order.order.tolist()
                swapped[i : i + 2] = reversed(swapped[i : i + 2])
                found.append(Permutation.from_order(swapped))
            lists.append(
                [Candidate(one, expected_loss(one, table), -float(at)) for at, one in enumerate(found)]
            )
        return lists
