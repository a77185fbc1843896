"""Agreement over hybrid systems (Graham and Liu 2016): thousands of points instead of a dozen.

A hybrid takes every segment from a system chosen at random. Its human score is the mean of the ratings of its
segments, or their share of wins. Differences between metrics are tested by Williams' test over the hybrids,
for Pearson's r and Spearman's rho.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks
from wordorder.engine.compare import Entries
from wordorder.errors import BadSetting
from wordorder.judge.agreement import Agreement, agreement_cells, mean_ranks
from wordorder.judge.judgments import Judgments
from wordorder.judge.level_set import SetSummary
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.paired_tests import williams_test
from wordorder.judge.segment_measures import kendall_b, measure_named
from wordorder.judge.system_measures import pearson_rows
from wordorder.judge.system_scores import human_kind
from wordorder.judge.task import Task


def _spearman(x: Doubles, y: Doubles) -> float:
    return float(pearson_rows(average_ranks(x)[None], average_ranks(y)[None])[0])


CORRELATIONS: dict[str, Callable[[Doubles, Doubles], float]] = {
    "pearson": lambda x, y: float(pearson_rows(x[None], y[None])[0]),
    "spearman:ties=average": _spearman,
    "kendall:ties=b": kendall_b,
}


def agree_over_hybrids(
    task: Task, sets: Sequence[Judgments], scored: Sequence[Sequence[MetricScores]]
) -> Agreement:
    """Compute a correlation over hybrids, by set and metric."""
    measure = measure_named(task.measure or "pearson", CORRELATIONS)
    labels = [metric.label for metric in scored[0]]
    bases = [labels.index(name) for name in task.baselines]
    summaries, cells, all_values, used = [], [], [], []
    notes = [f"hybrids are drawn with seed {task.seed}"]
    for judgments, metrics in zip(sets, scored, strict=True):
        try:
            human_sums(judgments, task.human)
        except BadSetting as error:
            notes.append(f"{judgments.name} is left out: {error}")
            continue
        if judged_systems(judgments, task.human) < 2:
            notes.append(
                f"{judgments.name} is left out: hardly any segment has two judged systems to choose from"
            )
            continue
        used.append(metrics)
        mixtures = [
            draw_hybrids(judgments, metric, samples=task.hybrids, seed=task.seed, human=task.human)
            for metric in metrics
        ]
        scores, human = np.array([values for values, _ in mixtures]), mixtures[0][1]
        r = np.array([CORRELATIONS[measure](row, human) for row in scores])
        test = williams_test(scores, measure) if bases else None
        cells.append(agreement_cells(Entries(r, np.empty((0, len(r)))), bases, test))
        all_values.append(r)
        rated = judgments.preferences is None and judgments.rated
        count = len(judgments.rated) if rated and judgments.rated else judgments.compared.untied
        people = f"{task.hybrids} hybrids"
        summaries.append(
            SetSummary.of(judgments, measure=measure, human=people, judged=count, systems=task.hybrids)
        )
    if not summaries:
        raise BadSetting("; ".join(notes[1:]))
    means = Entries(np.mean(all_values, axis=0), np.empty((0, len(labels))))
    return Agreement(
        task=task,
        sets=summaries,
        labels=labels,
        signatures=[[metrics[k].signature for metrics in used] for k in range(len(labels))],
        cells=[list(row) for row in zip(*cells, strict=True)],
        means=agreement_cells(means, bases, None),
        ranks=mean_ranks(np.array(all_values)),
        notes=notes,
    )


def draw_hybrids(
    judgments: Judgments, metric: MetricScores, *, samples: int, seed: int, human: str = "auto"
) -> tuple[Doubles, Doubles]:
    """Return the scores of hybrids by a metric, higher being better, and by people.

    Each segment of a hybrid comes from a system chosen at random among those that have both an output and a
    judgment there.
    """
    quality, number = human_sums(judgments, human)
    items = np.flatnonzero((number > 0) & judgments.usable)
    segment = judgments.item_segment[items]
    first = np.searchsorted(segment, np.arange(len(judgments.segments)))
    count = np.bincount(segment, minlength=len(judgments.segments))
    first, count = first[count > 0], count[count > 0]
    rng = np.random.default_rng(seed)
    totals = np.empty((samples, metric.stats.shape[1]))
    people = np.empty(samples)
    for k in range(samples):
        chosen = items[first + (rng.random(len(first)) * count).astype(np.int64)]
        totals[k] = metric.stats[chosen].sum(axis=0)
        people[k] = quality[chosen].sum() / number[chosen].sum()
    scores = metric.combine(totals)
    return scores if metric.higher_is_better else -scores, people


def judged_systems(judgments: Judgments, human: str = "auto") -> float:
    """Return the mean number of systems from which a judged segment can be taken."""
    number = human_sums(judgments, human)[1]
    items = np.flatnonzero((number > 0) & judgments.usable)
    return len(items) / max(len(np.unique(judgments.item_segment[items])), 1)


def human_sums(judgments: Judgments, human: str = "auto") -> tuple[Doubles, Doubles]:
    """Return for each item the sum and the number of its ratings, or its wins and its judgments.

    ``human`` is "mean" or "win_ratio"; by default ratings are preferred where preferences are not the
    judgments that were collected.
    """
    quality, number = np.zeros(len(judgments)), np.zeros(len(judgments))
    if human == "auto":
        rated = judgments.rated is not None and human_kind(judgments) != "win_ratio"
        human = "mean" if rated else "win_ratio"
    if human == "mean":
        if judgments.rated is None:
            raise BadSetting(f"{judgments.name} has no ratings to average")
        np.add.at(quality, judgments.rated.item, judgments.rated.score)
        np.add.at(number, judgments.rated.item, 1.0)
        return quality, number
    pairs = judgments.compared
    np.add.at(quality, pairs.first, pairs.wins)
    np.add.at(quality, pairs.second, pairs.losses)
    for side in (pairs.first, pairs.second):
        np.add.at(number, side, pairs.wins + pairs.losses)
    return quality, number
