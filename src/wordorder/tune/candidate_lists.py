"""Lists of candidate translations with their features, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints, Longs
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.tune.weights import Weights


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """The candidates of all sentences, with sparse features.

    Candidate ``c`` has the features ``keys[index[k]]`` with ``value[k]`` for ``rows[c] <= k < rows[c + 1]``;
    sentence ``s`` has the candidates from ``starts[s]`` to ``starts[s + 1]``.
    """

    texts: list[str]
    starts: Longs
    keys: list[tuple[str, int]]  # features: name, and number of the value from 1 (0 if it is the only one)
    rows: Longs
    index: Ints
    value: Doubles

    @classmethod
    def of(
        cls, candidates: Iterable[CandidateTranslation], *, sentences: int | None = None
    ) -> CandidateLists:
        """Collect candidates, in any order; each sentence keeps their order, without repetitions.

        Two candidates are the same if they have the same text and the same features. ``sentences`` is the
        number of sentences that must have candidates.
        """
        by_sentence: dict[int, dict[tuple[str, tuple[tuple[str, tuple[float, ...]], ...]], None]] = {}
        for candidate in candidates:
            by_sentence.setdefault(candidate.sentence, {})[candidate.text, candidate.features] = None
        if not by_sentence:
            raise BadSetting("there are no candidates")
        count = max(by_sentence) + 1 if sentences is None else sentences
        for number in range(count):
            if number not in by_sentence:
                raise BadSetting(f"sentence {number} has no candidates (sentences are numbered from 0)")
        if max(by_sentence) >= count:
            raise BadSetting(f"there are candidates for sentence {max(by_sentence)}, but {count} references")
        columns: dict[tuple[str, int], int] = {}
        sizes: dict[str, int] = {}
        texts: list[str] = []
        starts, rows = [0], [0]
        index: list[int] = []
        value: list[float] = []
        for number in range(count):
            for text, features in by_sentence[number]:
                texts.append(text)
                for name, values in features:
                    if sizes.setdefault(name, len(values)) != len(values):
                        seen = f"{len(values)} values in sentence {number}, and {sizes[name]} before"
                        raise BadSetting(f"feature {name} has {seen}")
                row = {columns.setdefault(key, len(columns)): v for key, v in flat_features(features)}
                for column in sorted(row):
                    index.append(column)
                    value.append(row[column])
                rows.append(len(index))
            starts.append(len(texts))
        return cls(
            texts,
            np.array(starts, dtype=np.int64),
            list(columns),
            np.array(rows, dtype=np.int64),
            np.array(index, dtype=np.int32),
            np.array(value, dtype=np.float64),
        )

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.starts) - 1

    @cached_property
    def sentence(self) -> Longs:
        """The sentence of each candidate."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))

    def model_scores(self, weights: Doubles, *, threads: int = 1) -> Doubles:
        """Compute the weighted sum of the features of each candidate."""
        return _native.model_scores(self.rows, self.index, self.value, weights, threads)

    def best(self, scores: Doubles) -> Longs:
        """Return the best candidate of each sentence; of equal candidates, the first."""
        highest = np.maximum.reduceat(scores, self.starts[:-1])
        winners = np.flatnonzero(scores == highest[self.sentence])
        return winners[np.searchsorted(winners, self.starts[:-1])]

    @property
    def names(self) -> list[str]:
        """The names of the features, such as ``LM0``, ``TM0#1``, ``TM0#2``."""
        return [f"{name}#{k}" if k else name for name, k in self.keys]

    def vector(self, weights: Weights) -> Doubles:
        """Return weights in the order of ``keys``; features without a weight get 0."""
        by_key = dict(flat_features(weights.values))
        known = {name for name, _ in self.keys}
        for name, values in weights.values:
            if name in known and any(key not in self.keys for key, _ in flat_features([(name, values)])):
                count = counted(len(values), "weight")
                raise BadSetting(f"{name} has {count}, but another number of values in the candidates")
        if by_key and not any(key in by_key for key in self.keys):
            raise BadSetting(
                f"no weight is for a feature of the candidates: weights for {_some(n for n, _ in by_key)}; "
                f"features {_some(self.names)}"
            )
        return np.array([by_key.get(key, 0.0) for key in self.keys])

    def weights(self, vector: Doubles, others: Weights | None = None) -> Weights:
        """Return a vector as named weights, with those of ``others`` that are for no feature here."""
        grouped: dict[str, list[float]] = {}
        for (name, _), weight in zip(self.keys, vector.tolist(), strict=True):
            grouped.setdefault(name, []).append(weight)
        pairs = [(name, tuple(values)) for name, values in grouped.items()]
        rest = [(name, values) for name, values in (others.values if others else ()) if name not in grouped]
        return Weights((*pairs, *rest))

    @cached_property
    def spread(self) -> Doubles:
        """The standard deviation of each feature within sentences; 1 where it is constant."""
        width = len(self.keys)
        cell = self.sentence.repeat(np.diff(self.rows)) * width + self.index
        sums = np.bincount(cell, self.value, minlength=width * len(self)).reshape(-1, width)
        squares = np.bincount(cell, self.value**2, minlength=width * len(self)).reshape(-1, width)
        size = np.diff(self.starts)[:, None]
        variance = (squares - sums**2 / size).clip(0).sum(axis=0) / len(self.texts)
        return np.where(variance > 1e-12, np.sqrt(variance), 1.0)


def flat_features(features: Iterable[tuple[str, Sequence[float]]]) -> list[tuple[tuple[str, int], float]]:
    """Give every value a key: its name and its number from 1, or 0 if it is the only one.

    >>> flat_features([("LM0", [1.5]), ("TM0", [2.0, 3.0])])
    [(('LM0', 0), 1.5), (('TM0', 1), 2.0), (('TM0', 2), 3.0)]
    """
    return [
        ((name, k if len(values) > 1 else 0), value)
        for name, values in features
        for k, value in enumerate(values, start=1)
    ]


def _some(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names))[:5])
