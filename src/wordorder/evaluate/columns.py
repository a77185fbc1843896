"""Scores of several systems side by side: one column of a table, with intervals and paired tests.

Every score is a function of sums of additive statistics, one row per sentence. All columns of an
evaluation are resampled alike: the same sentences are drawn for all systems and scores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.resample import Scorer
from wordorder.engine.compare import PairTest, Result, compare

IDENTITY = "identity"  # no reordering: always the first system


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonSettings:
    """How systems are compared: each with ``baseline``, or all pairs too; not at all without samples."""

    paired: str | None = "bootstrap"
    baseline: str = IDENTITY
    all_pairs: bool = False
    samples: int = 1000
    seed: int = 12345


@dataclass(frozen=True, slots=True)
class ColumnMeasure:
    """What a column shows: a score of the sums of rows, its direction, and what determines it."""

    name: str
    higher_is_better: bool
    signature: str
    scores: Scorer


@dataclass(frozen=True, slots=True)
class Column:
    """One score of several systems. Sentences without a score have rows of zeros, and the score NaN."""

    measure: ColumnMeasure
    rows: dict[str, Doubles]  # by system
    cells: dict[str, Result]
    pairs: dict[tuple[str, str], PairTest]
    sentence_scores: dict[str, Doubles]

    @property
    def name(self) -> str:
        """The name of the score."""
        return self.measure.name


def compare_systems(
    measures: Sequence[ColumnMeasure],
    rows: Mapping[str, Sequence[Doubles]],
    sentence_scores: Mapping[str, Sequence[Doubles]],
    settings: ComparisonSettings,
) -> tuple[Column, ...]:
    """Compare systems by some scores; ``rows`` and ``sentence_scores`` hold one array for each of them.

    If the baseline is not among the systems, they are not tested against it.
    """
    names = list(rows)
    known = settings.baseline in names
    tested = settings.samples > 1 and (known or settings.all_pairs)
    comparison = compare(
        list(rows.values()),
        [measure.scores for measure in measures],
        samples=settings.samples,
        seed=settings.seed,
        paired=settings.paired if tested else None,
        baseline=names.index(settings.baseline) if known else 0,
        all_pairs=settings.all_pairs and tested,
    )
    columns = []
    for m, measure in enumerate(measures):
        results = [of_system[m] for of_system in comparison.results]
        if not known:
            results = [Result(result.score, result.interval) for result in results]
        tests = comparison.pairs[m] if comparison.pairs else []
        columns.append(
            Column(
                measure,
                {name: parts[m] for name, parts in rows.items()},
                dict(zip(names, results, strict=True)),
                {(names[test.first], names[test.second]): test for test in tests},
                {name: parts[m] for name, parts in sentence_scores.items()},
            )
        )
    return tuple(columns)


def mean_or_nan(sums: Doubles) -> Doubles:
    """Divide the first column by the second; NaN where there is nothing to divide by."""
    nothing = np.full(len(sums), np.nan)
    return np.asarray(np.divide(sums[:, 0], sums[:, 1], out=nothing, where=sums[:, 1] != 0))


def measured(
    rows: Mapping[str, tuple[Doubles, Callable[[Doubles], Doubles]]], settings: ComparisonSettings
) -> dict[str, Result]:
    """Compute several values, each from rows of its own, with intervals; NaN if a value is undefined."""
    comparison = compare(
        [[part for part, _ in rows.values()]],
        [scorer for _, scorer in rows.values()],
        samples=settings.samples,
        seed=settings.seed,
    )
    return dict(zip(rows, comparison.results[0], strict=True))


def columns_as_dict(columns: Sequence[Column], sentences: Sequence[int] | None = None) -> dict[str, Any]:
    """Return plain data for JSON; with ``sentences`` (from 0), also their scores."""
    systems = list(dict.fromkeys(name for column in columns for name in column.cells))
    data: dict[str, Any] = {
        "scores": [
            {
                "name": column.name,
                "higher_is_better": column.measure.higher_is_better,
                "signature": column.measure.signature,
            }
            for column in columns
        ],
        "systems": {
            name: {column.name: column.cells[name].as_dict() for column in columns if name in column.cells}
            for name in systems
        },
        "pairs": [
            {
                "score": column.name,
                "systems": list(pair),
                "difference": test.difference,
                "p_value": test.p_value,
                "corrected": test.corrected,
            }
            for column in columns
            for pair, test in column.pairs.items()
        ],
    }
    if sentences is not None:
        data["sentences"] = [s + 1 for s in sentences]
        data["sentence_scores"] = {
            name: {
                column.name: column.sentence_scores[name][list(sentences)].tolist()
                for column in columns
                if name in column.sentence_scores
            }
            for name in systems
        }
    return data
