"""Scores computed by other programs, judged like those of any metric."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.formats.mt_metrics_eval import (
    ExternalScores,
    MtMetricsEval,
    metric_names,
    read_metric_scores,
)
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.submission import SegmentScore, SystemScore, read_scores, segment_numbers


def submitted_scores(path: str, sets: Sequence[Judgments]) -> list[dict[str, ExternalScores]]:
    """Read the scores of a file in the format of WMT submissions, of segments or of systems, by metric."""
    rows = _whole_test_set(read_scores(path), path)
    references: dict[str, set[str]] = {}
    for row in rows:
        references.setdefault(row.metric, set()).add(row.reference)
    several = {metric for metric, names in references.items() if len(names) > 1}
    by_set = [_scores_of_set(rows, judgments, several) for judgments in sets]
    if not any(by_set):
        raise BadFile("has no score of any output of these judgments", file=path)
    return by_set


def _whole_test_set(
    rows: Sequence[SegmentScore | SystemScore], path: str
) -> Sequence[SegmentScore | SystemScore]:
    """Leave out scores of systems in single domains."""
    domains = {row.domain for row in rows if isinstance(row, SystemScore)}
    if len(domains) < 2:
        return rows
    if "all" not in domains:
        message = f"has scores of systems in {', '.join(sorted(domains))}, but not in the domain 'all'"
        raise BadFile(message, file=path)
    return [row for row in rows if row.domain == "all"]


def _scores_of_set(
    rows: Sequence[SegmentScore | SystemScore], judgments: Judgments, several: Collection[str]
) -> dict[str, ExternalScores]:
    """Return the scores of one set; a metric with several references is treated as several metrics."""
    segment = {number: k for k, number in enumerate(segment_numbers(judgments))}
    by_metric: dict[str, ExternalScores] = {}
    for row in rows:
        if (row.pair, row.testset) != (judgments.pair, judgments.testset):
            continue
        name = f"{row.metric}-{row.reference}" if row.metric in several else row.metric
        if isinstance(row, SystemScore):
            if row.system not in judgments.systems:
                continue
            systems = by_metric.setdefault(name, _no_scores(judgments, systems=True)).systems
            assert isinstance(systems, dict)
            systems[row.system] = row.score
            continue
        number = judgments.item_numbers.get((segment.get(row.segment, -1), row.system))
        if number is not None:
            scores = by_metric.setdefault(name, _no_scores(judgments))
            scores.score[number], scores.known[number] = row.score, True
    return by_metric


def _no_scores(judgments: Judgments, *, systems: bool = False) -> ExternalScores:
    items = len(judgments)
    return ExternalScores(np.zeros(items), np.zeros(items, dtype=np.bool_), {} if systems else None)


def read_external_scores(
    name: str, data: Sequence[str], sets: Sequence[Judgments]
) -> list[dict[str, ExternalScores]]:
    """Read scores by set, of a submission file or of a metric in an mt-metrics-eval folder.

    ``data`` are the folders and files that the sets were read from.
    """
    if os.path.isfile(name):
        return submitted_scores(name, sets)
    folders = [path for path in data if MtMetricsEval.recognises(path)]
    if not folders:
        raise BadSetting(f"{name} is not a file, and there is no mt-metrics-eval folder among the data")
    by_set: list[dict[str, ExternalScores]] = []
    for judgments in sets:
        of_set = (path for path in folders if os.path.basename(os.path.abspath(path)) == judgments.testset)
        folder = next(of_set, folders[0])
        stored = read_metric_scores(folder, judgments, {name})
        if not stored:
            known = ", ".join(metric_names(folder, judgments.pair)) or "none"
            raise BadSetting(f"{folder} has no scores of {name} for {judgments.pair}; it has {known}")
        by_set.append(stored)
    return by_set


def merged_scores(
    names: Sequence[str], data: Sequence[str], sets: Sequence[Judgments]
) -> list[dict[str, ExternalScores]]:
    """Read several files or metrics and merge their scores by set.

    A metric may occur only once, or in two files, one of segments and one of systems.
    """
    merged: list[dict[str, ExternalScores]] = [{} for _ in sets]
    for name in names:
        for known, new in zip(merged, read_external_scores(name, data, sets), strict=True):
            for metric, scores in new.items():
                known[metric] = _both(metric, known[metric], scores) if metric in known else scores
    return merged


def _both(metric: str, first: ExternalScores, second: ExternalScores) -> ExternalScores:
    """Join scores of segments and scores of systems."""
    systems, segments = (first, second) if _only_systems(first) else (second, first)
    if not _only_systems(systems) or segments.systems is not None:
        raise BadSetting(f"scores of {metric} are given twice")
    return replace(segments, systems=systems.systems)


def add_external(
    sets: Sequence[Judgments],
    scored: Sequence[Sequence[MetricScores]],
    external: Sequence[Mapping[str, ExternalScores]],
    *,
    lower_is_better: Sequence[str] = (),
) -> tuple[list[Judgments], list[list[MetricScores]]]:
    """Add external scores to those of metrics.

    The score of a system is the one that was computed elsewhere, else the mean of its segments. An output
    that one of the external metrics did not score counts as missing for all metrics, so that all are judged
    on the same outputs.
    """
    names = list(dict.fromkeys(name for by_metric in external for name in by_metric))
    if unknown := [name for name in lower_is_better if name not in names]:
        raise BadSetting(f"{unknown[0]} is not among the external scores: {', '.join(names)}")
    kept, all_scores = [], []
    for judgments, metrics, by_metric in zip(sets, scored, external, strict=True):
        for name in names:
            if name not in by_metric:
                raise BadFile(f"no scores of {name} for {judgments.name}", file=judgments.collection)
            if name in {metric.label for metric in metrics}:
                raise BadSetting(f"{name} names both a metric and external scores; rename one of them")
        known = np.ones(len(judgments), dtype=np.bool_)
        for name in names:
            if not _only_systems(by_metric[name]):
                known &= judgments.missing | by_metric[name].known
        if gaps := int((~known).sum()):
            outputs = [text if there else None for text, there in zip(judgments.outputs, known, strict=True)]
            odd = {**judgments.odd, "outputs that a metric did not score": gaps}
            judgments = replace(judgments, outputs=outputs, odd=odd)
        kept.append(judgments)
        added = [_scored(name, by_metric[name], judgments, name not in lower_is_better) for name in names]
        all_scores.append([*metrics, *added])
    return kept, all_scores


def _only_systems(scores: ExternalScores) -> bool:
    return scores.systems is not None and not scores.known.any()


def _scored(name: str, scores: ExternalScores, judgments: Judgments, higher: bool) -> MetricScores:
    values = np.where(judgments.missing, 0.0, scores.score)
    counted = scores.known & ~judgments.missing
    stats = np.column_stack([values, counted.astype(np.float64)])
    signature = f"{name}|computed elsewhere"
    return MetricScores(
        label=name,
        signature=signature,
        segment_signature=signature,
        higher_is_better=higher,
        segment=values,
        stats=stats,
        combine=_mean,
        systems=None
        if scores.systems is None
        else np.array([scores.systems.get(system, np.nan) for system in judgments.systems]),
        has_segments=not _only_systems(scores),
    )


def _mean(totals: Doubles) -> Doubles:
    with np.errstate(invalid="ignore"):
        return np.asarray(totals[:, 0] / totals[:, 1])
