"""How well metrics agree with people on several sets of judgments, with intervals and tests.

Segments are drawn with replacement, the same for all metrics. At segment level only judged segments are
drawn. At system level a sample gives other scores of systems by the metric and, where they are made from the
judgments at hand, by people; scores that were published stay as they are, and so does TrueSkill.

Noise of segments lowers a correlation over systems, and resampled segments are noisier than the segments
themselves. The samples at system level are therefore moved, on Fisher's scale, so that their mean is the
value: the interval is one of the correlation that a test set of this size gives, not of one without end.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.core.resample import drawn, p_value
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.judge.human import human_kind, system_scores
from wordorder.judge.measures import ADDITIVE, average_ranks, segment_measure, values_and_samples
from wordorder.judge.records import Judgments
from wordorder.judge.scores import Scored
from wordorder.judge.significance import student_tail, williams
from wordorder.judge.systems import correlate, system_measure

Doubles = NDArray[np.float64]
Level = Literal["segment", "system"]
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
class Column:
    """One set of judgments, as a table shows it."""

    name: str
    collection: str
    pair: str
    testset: str
    year: int
    measure: str
    human: str  # what metrics are compared with
    judgments: int
    items: int
    systems: int
    odd: dict[str, int]


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
            one = _Set(judgments, metrics, level, measure, human, seed)
        except _Unusable as reason:
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


class _Unusable(Exception):
    """Why a set cannot be used."""


class _Set:
    """One set at one level: values of all metrics, and of resampled segments."""

    def __init__(
        self,
        judgments: Judgments,
        metrics: Sequence[Scored],
        level: Level,
        measure: str | None,
        human: str,
        seed: int,
    ) -> None:
        self.judgments, self.metrics, self.level = judgments, metrics, level
        self.human = "judgments"
        if level == "segment":
            usual = "tau:ties=counted" if judgments.preferences is not None else "pearson"
            self.measure = segment_measure(measure or usual)
            self.rated = self.measure not in ADDITIVE or ADDITIVE[self.measure].needs == "ratings"
            if self.rated and not (judgments.rated and len(judgments.rated)):
                raise _Unusable(f"{self.measure} needs ratings of machine translations, and it has none")
            if not self.rated and not judgments.compared.untied + judgments.compared.tied:
                raise _Unusable(f"{self.measure} needs preferences, or several ratings of a segment")
            return
        self.measure = system_measure(measure or "pearson")
        try:
            self.human = human_kind(judgments, human)
            self.scores_by_people = system_scores(judgments, self.human, seed=seed)
        except BadSetting as error:
            raise _Unusable(str(error)) from None
        self.rated = self.human == "mean" or judgments.preferences is None
        there = np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems)) > 0
        self.seen = np.flatnonzero(there & np.isfinite(self.scores_by_people[0]))
        if len(self.seen) < 3:
            raise _Unusable(f"it has {len(self.seen)} systems with scores; a correlation needs three")

    def sampled(self, samples: int, seed: Sequence[int]) -> tuple[Doubles, Doubles]:
        if self.level == "segment":
            scores = np.array([one.oriented for one in self.metrics])
            return values_and_samples(self.measure, self.judgments, scores, self._weights(samples, seed))
        values = self.of_systems(None)[0]
        if samples < 2:
            return values, np.zeros((0, len(values)))
        segments = len(self.judgments.segments)
        resampled = np.concatenate([self.of_systems(w) for w in drawn(segments, samples, seed)])
        return values, resampled if self.measure == "accuracy:ties=wrong" else recentred(values, resampled)

    def _weights(self, samples: int, seed: Sequence[int]) -> Doubles:
        """How often each segment is drawn; segments without a judgment are not."""
        judgments = self.judgments
        items = judgments.rated.item if self.rated and judgments.rated else judgments.compared.first
        judged = np.unique(judgments.item_segment[items])
        weights = np.zeros((samples if samples > 1 else 0, len(judgments.segments)))
        if samples > 1:
            weights[:, judged] = np.concatenate(list(drawn(len(judged), samples, seed)))
        return weights

    def metric_scores(self, metric: Scored, weights: Doubles | None) -> Doubles:
        """The scores of the systems that are compared; a row a sample, higher is better."""
        judgments = self.judgments
        segments, systems = len(judgments.segments), len(judgments.systems)
        item = np.flatnonzero(judgments.usable)
        width = metric.stats.shape[1] + 1
        table = np.zeros((segments, systems, width))
        table[judgments.item_segment[item], judgments.item_system[item], :-1] = metric.stats[item]
        table[judgments.item_segment[item], judgments.item_system[item], -1] = 1.0
        drawn_ = np.ones((1, segments)) if weights is None else weights
        sums = (drawn_ @ table[:, self.seen].reshape(segments, -1)).reshape(
            len(drawn_), len(self.seen), width
        )
        scores = metric.combine(sums[:, :, :-1].reshape(-1, width - 1)).reshape(sums.shape[:2])
        scores = np.where(sums[:, :, -1] > 0, scores, np.nan)  # none of the system's outputs was drawn
        return scores if metric.higher_is_better else -scores

    def human_scores(self, weights: Doubles | None) -> Doubles:
        """The same by people."""
        if weights is None or self.human in ("trueskill", "published"):
            return np.repeat(
                self.scores_by_people[:, self.seen], 1 if weights is None else len(weights), axis=0
            )
        return system_scores(self.judgments, self.human, weights)[:, self.seen]

    def of_systems(self, weights: Doubles | None) -> Doubles:
        """The correlation of every metric; a row a sample."""
        human = self.human_scores(weights)
        return np.column_stack(
            [correlate(self.measure, self.metric_scores(one, weights), human) for one in self.metrics]
        )

    def column(self) -> Column:
        judgments = self.judgments
        if self.rated and judgments.rated:
            said = len(judgments.rated)
        else:
            said = judgments.compared.untied
            said += (
                judgments.compared.tied
                if self.measure.startswith("accuracy:ties=") and self.level == "segment"
                else 0
            )
        return Column(
            judgments.name,
            judgments.collection,
            judgments.pair,
            judgments.testset,
            judgments.year,
            self.measure,
            self.human,
            said,
            len(judgments),
            len(self.seen) if self.level == "system" else len(judgments.systems),
            dict(judgments.odd),
        )

    def notes(self, values: Doubles) -> list[str]:
        """What a reader of the table must know."""
        judgments = self.judgments
        name = judgments.name
        told = []
        for metric, value in zip(self.metrics, values, strict=True):
            scores = metric.segment[judgments.usable]
            if len(scores) and scores.min() == scores.max():
                told.append(f"{metric.label} gives the same value to all outputs of {name}")
            elif not np.isfinite(value):
                told.append(f"{metric.label} is not defined on {name}: nothing that was compared differs")
        if lost := int(judgments.missing.sum()):
            told.append(f"{name}: {counted(lost, 'judged output')} missing")
        if judgments.unused:
            told.append(
                f"{name}: {counted(judgments.unused, 'judgment')} not used: of translations by people, or of "
                "outputs that are missing"
            )
        if self.level == "system":
            outputs = np.bincount(judgments.item_system[judgments.usable], minlength=len(judgments.systems))
            gone = [
                system
                for number, system in enumerate(judgments.systems)
                if number not in self.seen and system not in judgments.human
            ]
            if gone:
                told.append(f"{name}: without {', '.join(gone)}, which have no output or no human score")
            if outputs[self.seen].min() < outputs[self.seen].max():
                told.append(
                    f"{name}: systems have {outputs[self.seen].min():,} to {outputs[self.seen].max():,} "
                    "outputs; their scores are on differing segments"
                )
        return told


def recentred(values: Doubles, resampled: Doubles) -> Doubles:
    """Resampled correlations, moved on Fisher's scale so that their mean is the value."""
    with np.errstate(invalid="ignore", divide="ignore"):
        limit = 1 - 1e-12
        there = np.arctanh(np.clip(resampled, -limit, limit))
        means = np.nanmean(np.where(np.isfinite(there), there, np.nan), axis=0) if len(there) else 0.0
        moved = there - means + np.arctanh(np.clip(values, -limit, limit))
    return np.asarray(np.tanh(moved))


def _p_values(
    one: _Set, test: Test, values: Doubles, resampled: Doubles, base: int, samples: int, seed: int
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


def _permuted(one: _Set, values: Doubles, base: int, samples: int, seed: int) -> list[float | None]:
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


def _williams(one: _Set, values: Doubles, base: int) -> list[float | None]:
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
