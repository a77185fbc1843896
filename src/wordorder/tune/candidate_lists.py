"""Lists of candidate translations with their features, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles, Ints, Longs
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.tune.weights import LARGEST, Weights


@dataclass(frozen=True, eq=False)
class CandidateLists:
    """The candidates of all sentences, with sparse features.

    Candidate ``c`` has the text ``texts[text[c]]``, and the features ``keys[index[k]]`` with ``value[k]`` for
    ``rows[c] <= k < rows[c + 1]``; sentence ``s`` has the candidates from ``starts[s]`` to ``starts[s + 1]``.
    """

    texts: list[str]  # of the candidates of a sentence, each text once
    text: Longs
    starts: Longs
    keys: list[tuple[str, int]]  # features: name, and number of the value from 1 (0 if it is the only one)
    rows: Longs
    index: Ints
    value: Doubles

    @classmethod
    def of(
        cls, candidates: Iterable[CandidateTranslation], *, references: Sequence[str] | None = None
    ) -> CandidateLists:
        """Collect candidates, in any order; see :meth:`from_table`."""
        table = _native.CandidateTable()
        for candidate in candidates:
            add_candidate(table, candidate)
        return cls.from_table(table, references)

    @classmethod
    def from_table(
        cls, table: _native.CandidateTable, references: Sequence[str] | None = None
    ) -> CandidateLists:
        """Take the candidates out of a table; each sentence keeps their order, without repetitions.

        Two candidates are the same if they have the same text and the same features. Every sentence must have
        candidates; with ``references``, there must be as many sentences.
        """
        if not len(table):
            raise BadSetting("there are no candidates")
        sentence, text, rows, index, value, texts, features = table.sorted()
        check_sentences(sentence, references)
        sizes = np.bincount(sentence)
        starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        keys = [key for key, _ in flat_features((name, [0.0] * size) for name, size in features)]
        return cls(texts, text, starts, keys, rows, index, value)

    def take(self, order: Longs) -> CandidateLists:
        """Return the lists with their candidates in another order, in which sentences must stay together."""
        lengths = np.diff(self.rows)[order]
        rows = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(rows[-1]) + np.repeat(self.rows[order] - rows[:-1], lengths)
        return replace(
            self, text=self.text[order], rows=rows, index=self.index[places], value=self.value[places]
        )

    @property
    def size(self) -> int:
        """The number of candidates."""
        return len(self.text)

    def chosen_texts(self, choice: Longs) -> list[str]:
        """Return the texts of some candidates."""
        return [self.texts[k] for k in self.text[choice].tolist()]

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
        keys = set(self.keys)
        known = {name for name, _ in keys}
        for name, values in weights.values:
            if name in known and any(key not in keys for key, _ in flat_features([(name, values)])):
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
        present, place = np.unique(cell, return_inverse=True)  # most sparse features are in few sentences
        sums, squares = np.bincount(place, self.value), np.bincount(place, self.value**2)
        inside = (squares - sums**2 / np.diff(self.starts)[present // width]).clip(0)
        variance = np.bincount(present % width, inside, minlength=width) / self.size
        return np.where(variance > 1e-12, np.sqrt(variance), 1.0)


def check_features(candidate: CandidateTranslation) -> None:
    """Refuse a candidate with a feature that occurs twice, or that is too large."""
    seen: set[str] = set()
    for name, values in candidate.features:
        if name in seen:
            raise BadSetting(f"feature {name} of sentence {candidate.sentence} occurs twice")
        seen.add(name)
        if not all(abs(value) <= LARGEST for value in values):
            limits = f"expected numbers from {-LARGEST:g} to {LARGEST:g}"
            raise BadSetting(
                f"feature {name} of sentence {candidate.sentence} is {max(values, key=abs)}; {limits}"
            )


def add_candidate(table: _native.CandidateTable, candidate: CandidateTranslation) -> None:
    """Add a candidate to a table, unless its features do not fit those of the others."""
    check_features(candidate)
    bad = table.add(candidate.sentence, candidate.text, candidate.features)
    if bad >= 0:
        name, values = candidate.features[bad]
        size = table.values_of(name)
        now = counted(len(values), "value")
        raise BadSetting(f"feature {name} has {now} in sentence {candidate.sentence}, and {size} before")


def check_sentences(sentence: Longs, references: Sequence[str] | None) -> None:
    """Refuse lists in which a sentence is missing, and lists for more or fewer sentences than references."""
    last, present = int(sentence.max()), np.unique(sentence)
    if len(present) <= last:
        number = int((present == np.arange(len(present))).argmin())
        raise BadSetting(f"sentence {number} has no candidates (sentences are numbered from 0)")
    if references is None or len(references) == last + 1:
        return
    message = f"the last sentence with candidates is {last}, counted from 0, but there are "
    message += counted(len(references), "reference")
    if len(references) > last + 1 and not references[-1].strip():
        message += ", the last of which is empty"
    raise BadSetting(message)


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
