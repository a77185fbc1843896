"""A preorderer for tests: words that were seen to move right, on average, move past the next word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Arrays, Preorderer, expected_loss, precedence_of
from wordorder.preorder.oracle import Oracle
from wordorder.preorder.source import Candidate, Source
from wordorder.preorder.training import RunOptions, TrainingData


@dataclass(frozen=True, kw_only=True)
class Toy(Preorderer):
    """Learns how far each word moves."""

    name = "toy"
    learns = True

    bend: float = 1.0

    def learn(self, data: TrainingData, run: RunOptions) -> Self:
        shifts: dict[str, list[float]] = {}
        for source, alignment in zip(data.sources, data.alignments, strict=True):
            rank = Oracle().gold_order(alignment).ranks
            for i, word in enumerate(source.words):
                shifts.setdefault(word, []).append(float(rank[i] - i))
        if run.log:
            run.log({"iteration": 1, "of": 1, "words": len(shifts)})
        moves = {word: float(np.mean(some)) for word, some in sorted(shifts.items())}
        return self.fitted(moves, {"seed": run.seed, "sentences": len(data.sources)})

    def arrays(self) -> Arrays:
        words = "\n".join(self.state).encode()
        return {"words": np.frombuffer(words, np.uint8), "moves": np.array(list(self.state.values()))}

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> dict[str, float]:
        words = arrays["words"].tobytes().decode().split("\n")
        return dict(zip(words, arrays["moves"].tolist(), strict=True))

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        keys = [[i + self.bend * self.state.get(w, 0.0) for i, w in enumerate(s.words)] for s in sources]
        return [Permutation.from_order(sorted(range(len(row)), key=row.__getitem__)) for row in keys]

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """The best order, and those with two neighbours swapped."""
        lists = []
        for order in self.reorder_batch(sources):
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
