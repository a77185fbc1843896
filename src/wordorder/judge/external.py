"""Scores that were computed elsewhere, to be judged like any metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadFile
from wordorder.judge.judgments import Judgments
from wordorder.judge.mt_metrics_eval import ItemScores
from wordorder.judge.scores import Scored
from wordorder.judge.submission import read_segment_scores, segment_numbers


def submitted_scores(path: str, sets: Sequence[Judgments]) -> list[dict[str, ItemScores]]:
    """Scores of a file in the WMT submission form, by set and metric."""
    rows = read_segment_scores(path)
    found: list[dict[str, ItemScores]] = []
    used = 0
    several = {row.metric for row in rows if len({r.reference for r in rows if r.metric == row.metric}) > 1}
    for one in sets:
        segment = {number: k for k, number in enumerate(segment_numbers(one))}
        system = {name: number for number, name in enumerate(one.systems)}
        places = zip(one.item_segment.tolist(), one.item_system.tolist(), strict=True)
        item = {place: number for number, place in enumerate(places)}
        mine: dict[str, ItemScores] = {}
        for row in rows:
            if (row.pair, row.testset) != (one.pair, one.testset):
                continue
            number = item.get((segment.get(row.segment, -1), system.get(row.system, -1)))
            if number is not None:
                # With several references a metric is several metrics.
                name = f"{row.metric}-{row.reference}" if row.metric in several else row.metric
                empty = ItemScores(np.zeros(len(one)), np.zeros(len(one), dtype=np.bool_))
                scores = mine.setdefault(name, empty)
                scores.score[number], scores.known[number] = row.score, True
                used += 1
        found.append(mine)
    if not used:
        raise BadFile("has no score for any output of these judgments", file=path)
    return found


def with_external(
    sets: Sequence[Judgments],
    scores: Sequence[Mapping[str, ItemScores]],
    names: Sequence[str],
    *,
    lower_is_better: Sequence[str] = (),
) -> tuple[list[Judgments], list[list[Scored]]]:
    """Sets and the scores of metrics by name; a corpus scores the mean of its segments.

    An output that one of them did not score is missing for all metrics, and counted, so that all are
    judged on the same outputs.
    """
    kept, scored = [], []
    for one, known in zip(sets, scores, strict=True):
        chosen = [known[name] for name in names if name in known]
        if len(chosen) < len(names):
            lost = [name for name in names if name not in known]
            raise BadFile(f"no scores of {lost[0]} for {one.name}", file=one.collection)
        there = np.logical_and.reduce([scores.known for scores in chosen]) | one.missing
        gaps = int((~there).sum())
        if gaps:
            outputs = [text if has else None for text, has in zip(one.outputs, there, strict=True)]
            one = replace(one, outputs=outputs, odd={**one.odd, "outputs that a metric did not score": gaps})
        kept.append(one)
        scored.append(
            [
                _scored(name, each, one, name not in lower_is_better)
                for name, each in zip(names, chosen, strict=True)
            ]
        )
    return kept, scored


def _scored(name: str, scores: ItemScores, judgments: Judgments, higher: bool) -> Scored:
    values = np.where(judgments.missing, 0.0, scores.score)
    stats = np.column_stack([values, (~judgments.missing).astype(np.float64)])
    signature = f"{name}|computed elsewhere"
    return Scored(name, signature, signature, higher, values, stats, _mean)


def _mean(totals: Doubles) -> Doubles:
    return np.divide(totals[:, 0], totals[:, 1], out=np.zeros(len(totals)), where=totals[:, 1] != 0)
