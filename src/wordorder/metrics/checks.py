"""The contract of a metric, as a check that runs on anyone's class."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.plugins import ContractBroken
from wordorder.errors import UnknownName
from wordorder.metrics.base import Metric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.segments import Segments

TOLERANCE = 1e-9


def check_metric(metric: Metric | type[Metric]) -> None:
    """Raise :class:`ContractBroken`, naming the first promise that the metric does not keep.

    Takes a metric, or a class that can be made without arguments.

    >>> from wordorder.metrics.registry import metric
    >>> check_metric(metric("kendall"))
    """
    if isinstance(metric, type):
        metric = metric()
    try:
        _check_identity(metric)
        if isinstance(metric, OrderingMetric):
            _check_order_signature(metric)
            _check_values(metric)
            _check_sums(metric)
        _check_text(metric)
    except ContractBroken:
        raise
    except Exception as error:
        raise ContractBroken(
            f"{type(metric).__name__}: fails with {type(error).__name__}: {error}"
        ) from error


def _require(holds: bool, metric: Metric, promise: str) -> None:
    if not holds:
        raise ContractBroken(f"{type(metric).__name__}: {promise}")


def _check_identity(metric: Metric) -> None:
    _require(isinstance(getattr(metric, "name", None), str), metric, "has no name")
    lower = metric.name.isidentifier() and metric.name.islower()
    _require(lower, metric, f"name {metric.name!r} is not lower_case")
    _require(bool(type(metric).__doc__), metric, "has no docstring that says what it measures")
    frozen = dataclasses.is_dataclass(metric) and getattr(metric, "__dataclass_params__").frozen  # noqa: B009
    _require(frozen, metric, "is not a frozen dataclass: settings could change after the signature is read")
    low, high = metric.range
    _require(low < high and not math.isnan(low + high), metric, f"range {metric.range} is not rising")


def _check_order_signature(metric: OrderingMetric) -> None:
    from wordorder.metrics.matched import SHARED
    from wordorder.metrics.registry import REGISTRY, from_signature, spec_of
    from wordorder.metrics.registry import metric as make_metric

    orders, text = metric.order_signature, metric.signature
    metric.corpus_score_orders([[1, 0, 2]])
    _require(metric.order_signature == orders, metric, "scoring changed the signature")
    for key, value in metric.settings.items():
        if key in metric.places or (key in metric.unnamed and metric.unnamed[key] == value):
            continue
        _require(f"|{key}:" in text, metric, f"setting {key} is not in the signature")
        _require((f"|{key}:" in orders) == (key not in SHARED), metric, f"{key} is wrong in order_signature")
    try:
        known = REGISTRY.get(metric.name) is type(metric)
    except UnknownName:
        known = False
    if known:
        _require(from_signature(text) == metric, metric, "the signature does not rebuild the metric")
        again = from_signature(orders)
        own = {key: value for key, value in metric.settings.items() if key not in SHARED}
        same = own == {key: again.settings.get(key) for key in own}
        _require(same, metric, "the signature of orders does not rebuild the metric")
        _require(make_metric(spec_of(metric)) == metric, metric, "the short form does not rebuild it")


def _samples() -> Permutations:
    rng = np.random.default_rng(20)
    orders: list[Iterable[int]] = [p for n in range(6) for p in itertools.permutations(range(n))]
    orders += [rng.permutation(n) for n in (7, 20, 63, 64, 65, 130, 400)]
    orders += [line for n in (30, 600) for line in (range(n), range(n)[::-1])]
    return Permutations(orders)


def _check_range(metric: Metric, scores: Doubles) -> None:
    low, high = metric.range
    _require(bool(np.isfinite(scores).all()), metric, "a score is not finite")
    _require(bool((scores >= low - TOLERANCE).all()), metric, f"a score is below {low}")
    _require(bool((scores <= high + TOLERANCE).all()), metric, f"a score is above {high}")


def _check_additive(metric: Metric, sums: Doubles, whole: float) -> None:
    together = abs(float(metric.scores(sums[None])[0]) - whole) < TOLERANCE
    _require(together, metric, "statistics do not add up: two halves differ from the whole")


def _check_values(metric: OrderingMetric) -> None:
    batch = _samples()
    scores = metric.score_orders(batch)
    _require(scores.shape == (len(batch),), metric, "score_orders does not give one score per permutation")
    _check_range(metric, scores)
    for p, score in zip(batch, scores.tolist(), strict=True):
        if p.is_identity() and len(p) > 2:
            is_best = abs(score - metric.best) < TOLERANCE
            _require(is_best, metric, f"{p.to_text()[:40]} is not the best score")
    varies = bool((np.abs(scores - metric.best) > TOLERANCE).any())
    _require(varies, metric, "every order gets the best score")
    if metric.constants.get("short") == metric.best:
        for short in ([], [0]):
            _require(metric(short) == metric.best, metric, f"{short} does not score as its signature says")
    alone = [metric(p) for p in batch]
    _require(np.array_equal(alone, scores), metric, "a sentence alone scores differently from in a batch")
    _require(np.array_equal(metric.score_orders(batch), scores), metric, "scoring twice gives two results")
    turned = Permutation([2, 0, 1, 3])
    same = metric.corpus_score_orders([turned]).score == metric(turned)
    _require(same or metric.agg != "macro", metric, "corpus_score_orders and a call disagree")


def _check_sums(metric: OrderingMetric) -> None:
    batch = _samples()
    rows = metric.statistics(batch)
    _require(rows.ndim == 2 and len(rows) == len(batch), metric, "statistics is not one row per sentence")
    whole = metric.corpus_score_orders(batch).score
    parts = metric.statistics(batch[:100]).sum(axis=0) + metric.statistics(batch[100:]).sum(axis=0)
    _check_additive(metric, parts, whole)
    doubled = float(metric.scores(2 * rows.sum(axis=0, keepdims=True))[0])
    _require(abs(doubled - whole) < TOLERANCE, metric, "the same corpus twice scores differently")


def _check_text(metric: Metric) -> None:
    lines = ["one", "a b c d e .", "e d c b a .", "", "a a b b a", "x y z"]
    turned = [*lines[1:], lines[0]]
    before = metric.signature_for(1)
    segments = Segments(lines, [turned])
    rows = metric.statistics(segments)
    scores = metric.segment_scores(rows)
    _require(metric.signature_for(1) == before, metric, "scoring changed the signature")
    _require(scores.shape == (len(lines),), metric, "segment_scores does not give one score per segment")
    _check_range(metric, scores)
    whole = metric.corpus_score(lines, [turned]).score
    parts = [metric.statistics(Segments(lines[a:b], [turned[a:b]])).sum(axis=0) for a, b in ((0, 2), (2, 6))]
    _check_additive(metric, parts[0] + parts[1], whole)
    sums = np.vstack([rows.sum(axis=0), rows[:3].sum(axis=0), rows[0] * 0])
    one_by_one = [float(metric.scores(total[None])[0]) for total in sums]
    _require(np.allclose(metric.scores(sums), one_by_one), metric, "scores of several sums differ from each")
    _require(np.array_equal(metric.statistics(segments), rows), metric, "scoring twice gives two results")
    alone = [metric.sentence_score(h, [r]).score for h, r in zip(lines, turned, strict=True)]
    _require(np.allclose(alone, scores), metric, "sentence_score and segment_scores disagree")
    if not metric.reference_is_best:
        return
    same = metric.corpus_score(lines[1:3], [lines[1:3]]).score
    _require(abs(same - metric.best) < 1e-6, metric, "the reference itself does not get the best score")
