"""How well metrics agree with people on several sets of judgments, with intervals and tests.

Segments are drawn with replacement, the same for all metrics. At segment level only judged segments are
drawn. At system level a sample gives other scores of systems by the metric and, where they are made from the
judgments at hand, by people; scores that were published stay as they are, and so does TrueSkill.

Noise of segments lowers a correlation over systems, and resampled segments are noisier than the segments
themselves. The samples at system level are therefore turned about their mean and moved to the value, on
Fisher's scale: the interval is one of the correlation that a test set of this size gives, not of one
without end.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks
from wordorder.core.resample import p_value
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.level_set import Column, Level, LevelSet, Unusable
from wordorder.judge.measures import ADDITIVE
from wordorder.judge.scores import Scored
from wordorder.judge.significance import student_tail, williams
from wordorder.judge.systems import correlate

Test = Literal["bootstrap", "permutation", "williams", "t-test"]
TESTS: tuple[Test, ...] = ("bootstrap", "permutation", "williams", "t-test")


@dataclass(frozen=True, slots=True)
class Verdict:
    """A metric's agreement with people; None where it is not defined."""

    value: float | None
    low: float | None = None
    high: float | None = None
    p_values: tuple[float | None, ...] = ()  # against each baseline
    better: tuple[bool | None, ...] = ()  # than each baseline, significant or not


@dataclass(frozen=True, slots=True)
class Agreement:
    """One table: metrics by sets."""

    level: Level
    columns: list[Column]
    labels: list[str]
    signatures: list[list[str]]  # by metric and column
    cells: list[list[Verdict]]
    means: list[Verdict]
    ranks: list[float | None]
    baselines: list[str]
    test: str
    samples: int
    seed: int
    notes: list[str]

    def tally(self, metric: int, baseline: int, *, p: float = 0.05) -> tuple[int, int, int]:
        """Sets on which the metric is significantly better, significantly worse, and neither."""
        won = lost = 0
        for cell in self.cells[metric]:
            chance = cell.p_values[baseline]
            if chance is not None and chance < p:
                won += cell.better[baseline] is True
                lost += cell.better[baseline] is False
        return won, lost, len(self.columns) - won - lost


def agreement(
    sets: Sequence[Judgments],
    scored: Sequence[Sequence[Scored]],
    *,
    level: Level = "segment",
    measure: str | None = None,
    human: str = "auto",
    against: Sequence[str] = (),
    test: Test = "bootstrap",
    samples: int = 1000,
    seed: int = 12345,
) -> Agreement:
    """Judge metrics on sets; ``scored`` has, for each set, the same metrics in the same order."""
    labels = [one.label for one in scored[0]]
    for name in against:
        if name not in labels:
            raise BadSetting(f"{name} is not among the metrics: {', '.join(labels)}")
    if test not in TESTS:
        raise BadSetting(f"test is {test!r}; expected one of {', '.join(TESTS)}")
    if test == "williams" and level == "segment":
        raise BadSetting("Williams' test compares correlations over systems: use --level system")
    names = [one.name for one in sets]
    if len(set(names)) < len(names):
        again = next(name for name in names if names.count(name) > 1)
        raise BadSetting(
            f"{again} is given twice; other judgments of that name need a folder of another name"
        )
    if against and test != "williams" and samples < 2:
        raise BadSetting(f"test {test} needs samples")
    chosen = [labels.index(name) for name in against]
    columns, cells, notes = [], [], []
    all_values: list[Doubles] = []
    all_samples: list[Doubles] = []
    for judgments, metrics in zip(sets, scored, strict=True):
        try:
            one = LevelSet(judgments, metrics, level, measure, human, seed)
        except Unusable as reason:
            notes.append(f"{judgments.name} is left out: {reason}")
            continue
        # Seeded by name, so that other sets on the command line change nothing.
        values, resampled = one.sampled(samples, [seed, zlib.crc32(judgments.name.encode())])
        tests = [_p_values(one, test, values, resampled, base, samples, seed) for base in chosen]
        columns.append(one.column())
        cells.append(_verdicts(values, resampled, tests, [values[base] for base in chosen]))
        all_values.append(values)
        all_samples.append(resampled)
        notes += one.notes(values)
    if not columns:
        raise BadSetting("no set of judgments can be used: " + "; ".join(notes))
    mean, mean_samples = np.mean(all_values, axis=0), np.mean(all_samples, axis=0)
    # A mean is tested by its samples; for the other tests there is no such thing.
    mean_tests: list[list[float | None]] = [
        _sample_test(test, mean, mean_samples, base)
        if test in ("bootstrap", "t-test")
        else [None] * len(labels)
        for base in chosen
    ]
    if len({column.measure for column in columns}) > 1:
        notes.append(
            "the means are over different measures: " + ", ".join(sorted({c.measure for c in columns}))
        )
    used = [metrics for judgments, metrics in zip(sets, scored, strict=True) if _named(judgments, columns)]
    return Agreement(
        level=level,
        columns=columns,
        labels=labels,
        signatures=[[metrics[k].signature_at(level) for metrics in used] for k in range(len(labels))],
        cells=[list(row) for row in zip(*cells, strict=True)],
        means=_verdicts(mean, mean_samples, mean_tests, [mean[base] for base in chosen]),
        ranks=mean_ranks(np.array(all_values)),
        baselines=list(against),
        test=test,
        samples=samples,
        seed=seed,
        notes=notes,
    )


def _named(judgments: Judgments, columns: Sequence[Column]) -> bool:
    return any(column.name == judgments.name for column in columns)


def _p_values(
    one: LevelSet, test: Test, values: Doubles, resampled: Doubles, base: int, samples: int, seed: int
) -> list[float | None]:
    if test == "permutation":
        return _permuted(one, values, base, samples, seed)
    if test == "williams":
        return _williams(one, values, base)
    return _sample_test(test, values, resampled, base)


def _sample_test(test: Test, values: Doubles, resampled: Doubles, base: int) -> list[float | None]:
    """Tests of the resampled differences; None where there is nothing to compare."""
    found: list[float | None] = []
    for k, value in enumerate(values):
        both = resampled[:, [k, base]]
        both = both[np.isfinite(both).all(axis=1)]
        if k == base or len(both) < 2 or not np.isfinite([value, values[base]]).all():
            found.append(None)
        elif test == "t-test":
            # Paper 000: a t-test of the two lists of resampled correlations. More samples make any
            # difference significant, so it is here for comparison only.
            apart = both.mean(axis=0)
            spread = float(np.sqrt(both.var(axis=0, ddof=1).sum() / len(both)))
            t = abs(float(apart[0] - apart[1])) / spread if spread else 0.0
            found.append(min(1.0, 2 * student_tail(t, 2 * len(both) - 2)))
        else:
            found.append(p_value(both[:, 0] - both[:, 1], float(value - values[base])))
    return found


def _permuted(one: LevelSet, values: Doubles, base: int, samples: int, seed: int) -> list[float | None]:
    """Paired permutation: which metric a score came from is exchanged (Deutsch et al. 2021).

    Whole segments are exchanged at segment level, systems at system level; scores are standardised first.
    """
    rng = np.random.default_rng(seed)
    if one.level == "segment":
        if one.measure not in ADDITIVE:
            raise BadSetting(f"the permutation test is not there for {one.measure}: use the bootstrap")
        measure = ADDITIVE[one.measure]
        usable = one.judgments.usable
        rows = [measure.rows(one.judgments, _standard(metric.oriented, usable)) for metric in one.metrics]

        def worth(sums: Doubles) -> Doubles:
            return measure.value(sums)
    else:
        human = one.human_scores(None)[0]
        every = np.ones(len(one.seen), dtype=np.bool_)
        rows = [_standard(one.metric_scores(metric, None)[0], every)[:, None] for metric in one.metrics]
    found: list[float | None] = []
    for k, value in enumerate(values):
        if k == base or not np.isfinite([value, values[base]]).all():
            found.append(None)
            continue
        swap = rng.integers(2, size=(samples, len(rows[k]))).astype(np.float64)
        if one.level == "segment":
            mine = (1 - swap) @ rows[k] + swap @ rows[base]
            theirs = swap @ rows[k] + (1 - swap) @ rows[base]
            moved = worth(mine) - worth(theirs)
        else:
            x, y = rows[k][:, 0], rows[base][:, 0]
            people = np.tile(human, (samples, 1))
            moved = correlate(one.measure, np.where(swap, y, x), people) - correlate(
                one.measure, np.where(swap, x, y), people
            )
        moved = moved[np.isfinite(moved)]
        as_far = np.abs(moved) >= abs(value - values[base]) - 1e-12
        found.append(float((as_far.sum() + 1) / (len(moved) + 1)))
    return found


def _williams(one: LevelSet, values: Doubles, base: int) -> list[float | None]:
    """Williams' test, made two-sided, of Pearson's r over systems."""
    if one.measure != "pearson":
        raise BadSetting("Williams' test is for pearson")
    scores = [one.metric_scores(metric, None) for metric in one.metrics]
    n = scores[0].shape[1]
    found: list[float | None] = []
    for k, value in enumerate(values):
        if k == base or not np.isfinite([value, values[base]]).all():
            found.append(None)
            continue
        between = float(correlate("pearson", scores[k], scores[base])[0])
        high, low = max(value, values[base]), min(value, values[base])
        found.append(min(1.0, 2 * williams(float(high), float(low), between, n)))
    return found


def _standard(scores: Doubles, usable: NDArray[np.bool_]) -> Doubles:
    spread = scores[usable].std()
    centred = scores - scores[usable].mean()
    return np.asarray(centred / spread if spread > 0 else centred)


def _verdicts(
    values: Doubles, resampled: Doubles, tests: Sequence[Sequence[float | None]], bases: Sequence[float]
) -> list[Verdict]:
    found = []
    for k, value in enumerate(values):
        if not np.isfinite(value):
            found.append(Verdict(None, p_values=(None,) * len(tests), better=(None,) * len(tests)))
            continue
        kept = resampled[:, k][np.isfinite(resampled[:, k])]
        low, high = (float(x) for x in np.quantile(kept, [0.025, 0.975])) if len(kept) > 1 else (None, None)
        better = tuple(bool(value > base) if np.isfinite(base) and value != base else None for base in bases)
        found.append(Verdict(float(value), low, high, tuple(test[k] for test in tests), better))
    return found


def mean_ranks(values: Doubles) -> list[float | None]:
    """The mean over sets of a metric's rank, 1 the best; what is not defined on some set has none."""
    ranks = np.array([average_ranks(-np.where(np.isfinite(row), row, -np.inf)) for row in values])
    defined = np.isfinite(values.sum(axis=0)).tolist()
    return [float(rank) if there else None for rank, there in zip(ranks.mean(axis=0), defined, strict=True)]
