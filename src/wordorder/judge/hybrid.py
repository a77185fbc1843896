"""Agreement over hybrid systems (Graham and Liu 2016): thousands of points instead of a dozen.

Each hybrid takes every segment from a system at random. Differences of metrics are tested by Williams' test
over the hybrids.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.errors import BadSetting
from wordorder.judge.agreement import Agreement, Verdict, mean_ranks
from wordorder.judge.judgments import Judgments
from wordorder.judge.level_set import Column
from wordorder.judge.scores import Scored
from wordorder.judge.significance import hybrids as drawn_hybrids
from wordorder.judge.significance import judged_systems, williams
from wordorder.judge.systems import pearson_rows


def hybrid_agreement(
    sets: Sequence[Judgments],
    scored: Sequence[Sequence[Scored]],
    *,
    against: Sequence[str] = (),
    hybrids: int = 10_000,
    seed: int = 12345,
) -> Agreement:
    """Pearson's r over hybrids, by set and metric."""
    labels = [one.label for one in scored[0]]
    bases = [labels.index(name) for name in against]
    if hybrids < 4:
        raise BadSetting(f"{hybrids} hybrids are too few to correlate over")
    columns, cells, all_values, used, notes = [], [], [], [], [f"hybrids are drawn with seed {seed}"]
    for one, metrics in zip(sets, scored, strict=True):
        choices = judged_systems(one)
        if choices < 2:
            notes.append(f"{one.name} is left out: hardly any segment has two judged systems to choose from")
            continue
        used.append(metrics)
        scores = []
        for metric in metrics:
            values, human = drawn_hybrids(one, metric.stats, metric.combine, samples=hybrids, seed=seed)
            scores.append(values if metric.higher_is_better else -values)
        table = np.array(scores)
        r = pearson_rows(table, np.tile(human, (len(table), 1)))
        between = np.array([pearson_rows(table, np.tile(table[base], (len(table), 1))) for base in bases])
        cells.append([_verdict(r, between, bases, k, hybrids) for k in range(len(labels))])
        all_values.append(r)
        said = len(one.rated) if one.preferences is None and one.rated else one.compared.untied
        columns.append(
            Column(
                one.name,
                one.collection,
                one.pair,
                one.testset,
                one.year,
                "pearson",
                f"{hybrids} hybrids",
                said,
                len(one),
                hybrids,
                dict(one.odd),
            )
        )
    if not columns:
        raise BadSetting("; ".join(notes[1:]))
    none = (None,) * len(bases)
    means = [
        Verdict(float(value) if np.isfinite(value) else None, p_values=none, better=none)
        for value in np.mean(all_values, axis=0)
    ]
    return Agreement(
        level="system",
        columns=columns,
        labels=labels,
        signatures=[[metrics[k].signature for metrics in used] for k in range(len(labels))],
        cells=[list(row) for row in zip(*cells, strict=True)],
        means=means,
        ranks=mean_ranks(np.array(all_values)),
        baselines=list(against),
        test="williams",
        samples=0,
        seed=seed,
        notes=notes,
    )


def _verdict(r: np.ndarray, between: np.ndarray, bases: Sequence[int], k: int, n: int) -> Verdict:
    if not np.isfinite(r[k]):
        return Verdict(None, p_values=(None,) * len(bases), better=(None,) * len(bases))
    p_values: list[float | None] = []
    better: list[bool | None] = []
    for b, base in enumerate(bases):
        if k == base or not np.isfinite(r[base]):
            p_values.append(None)
            better.append(None)
            continue
        high, low = max(r[k], r[base]), min(r[k], r[base])
        p_values.append(min(1.0, 2 * williams(float(high), float(low), float(between[b, k]), n)))
        better.append(bool(r[k] > r[base]) if r[k] != r[base] else None)
    return Verdict(float(r[k]), p_values=tuple(p_values), better=tuple(better))
