"""Scores of permutations and text, and the list of metrics."""

from __future__ import annotations

import inspect
import math
from collections.abc import Sequence

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation, Permutations
from wordorder.metrics.base import Metric, Score, tally
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import (
    metric,
    metric_names,
)
from wordorder.metrics.segments import Segments
from wordorder.metrics.weighted_features import WeightedFeatures
from wordorder.report.order_scores import describe
from wordorder.web.operations.requests import Answer, check_words, parsed, permutation
from wordorder.web.schemas import (
    ScoreRequest,
)


def score(request: ScoreRequest) -> Answer:
    """Score permutations or text with several metrics."""
    metrics = parsed(tuple(request.metrics), permutations=request.permutations is not None)
    if request.permutations is not None:
        orders = [permutation(p, order=request.order) for p in request.permutations]
        return {"scores": [_order_score(name, m, orders, request) for name, m in metrics.items()]}
    texts = [*(request.hypotheses or []), *(line for stream in request.references or [] for line in stream)]
    check_words(texts)
    segments = Segments(request.hypotheses or [], request.references or [])
    return {"scores": [_text_score(name, m, segments, request) for name, m in metrics.items()]}


def _order_score(name: str, m: Metric, orders: Sequence[Permutation], request: ScoreRequest) -> Answer:
    assert isinstance(m, OrderingMetric)
    whole = m.corpus_score_orders(orders, n_bootstrap=request.bootstrap, seed=request.seed)
    found = _described(name, m, whole)
    if len(orders) == 1:
        batch = Permutations(orders)
        found |= _filled(m, m.statistics(batch), batch)
    if request.segments:
        found["segments"] = m.score_orders(orders).tolist()
    return found


def _text_score(name: str, m: Metric, segments: Segments, request: ScoreRequest) -> Answer:
    m = m.for_segments(segments)
    rows = m.statistics(segments)
    signature = m.signature_for(len(segments.references))
    whole = m.make_score(rows, tally(m.word_counts(segments)), signature, request.bootstrap, request.seed)
    found = _described(name, m, whole)
    if len(segments) == 1:
        matched = m.matched(segments)[0].permutations if isinstance(m, MatchedMetric) else None
        features = m.weighted_features(segments)
        found |= _filled(m, rows, matched, features)
        if features:  # the equation is that of a segment, which is not scored as a corpus of one is
            found["score"] = float(m.segment_scores(rows)[0])
    if request.segments:
        found["segments"] = m.segment_scores(rows).tolist()
    return found


def _filled(
    m: Metric, rows: Doubles, permutations: Permutations | None, features: WeightedFeatures | None = None
) -> Answer:
    numbers = m.terms(rows, permutations) | (features.terms if features else {})
    terms = {name: float(values[0]) for name, values in numbers.items() if not np.isnan(values[0])}
    return {"equation": m.equation, "terms": terms}


def _described(name: str, m: Metric, whole: Score) -> Answer:
    low, high = m.range
    counts = whole.as_dict()
    return {
        "metric": name,
        **{key: counts[key] for key in ("score", "low", "high", "signature", "words", "matched")},
        "range": [low, high if math.isfinite(high) else None],
        "higher_is_better": m.higher_is_better,
    }


def metrics() -> Answer:
    """List the metrics."""
    entries = []
    for name in metric_names():
        m = metric(name)
        about = describe(m)
        text = (inspect.getdoc(type(m)) or "").partition("\n>>>")[0].rstrip().replace("``", "")
        entries.append(
            {key: about[key] for key in ("name", "range", "higher_is_better", "settings", "signature")}
            | {"about": text, "permutations": isinstance(m, OrderingMetric)}
        )
    return {"metrics": entries}
