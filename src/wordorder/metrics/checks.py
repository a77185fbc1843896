"""The contract of a metric, as a check that runs on anyone's class."""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterable

import numpy as np

from wordorder.core.permutation import Permutation, Permutations
from wordorder.errors import UnknownName
from wordorder.metrics.base import Metric, OrderingMetric
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric

TOLERANCE = 1e-9


class ContractBroken(AssertionError):
    """A metric does not keep the contract."""


def check_metric(made: Metric | type[Metric]) -> None:
    """Raise :class:`ContractBroken`, naming the first promise that the metric does not keep.

    Takes a metric, or a class that can be made without arguments.

    >>> from wordorder.metrics import metric
    >>> check_metric(metric("kendall"))
    """
    if isinstance(made, type):
        made = made()
    try:
        _check_identity(made)
        if isinstance(made, OrderingMetric):
            _check_signature(made)
            _check_values(made)
            _check_sums(made)
        if isinstance(made, TextMetric):
            _check_text(made)
    except ContractBroken:
        raise
    except Exception as error:
        raise ContractBroken(f"{type(made).__name__}: fails with {type(error).__name__}: {error}") from error


def _require(holds: bool, made: Metric, promise: str) -> None:
    if not holds:
        raise ContractBroken(f"{type(made).__name__}: {promise}")


def _check_identity(made: Metric) -> None:
    _require(isinstance(getattr(made, "name", None), str), made, "has no name")
    _require(made.name.isidentifier() and made.name.islower(), made, f"name {made.name!r} is not lower_case")
    _require(bool(type(made).__doc__), made, "has no docstring to say what it tells")
    frozen = dataclasses.is_dataclass(made) and made.__dataclass_params__.frozen
    _require(frozen, made, "is not a frozen dataclass: settings could change under a signature")
    low, high = made.range
    _require(low < high and not math.isnan(low + high), made, f"range {made.range} is not rising")


def _check_signature(made: OrderingMetric) -> None:
    from wordorder.metrics.registry import build, from_signature, metric_class, spec_of

    before = made.signature
    made.corpus_score([[1, 0, 2]])
    _require(made.signature == before, made, "scoring changed the signature")
    for key in made.settings:
        _require(f"|{key}:" in before, made, f"setting {key} is not in the signature")
    try:
        known = metric_class(made.name) is type(made)
    except UnknownName:
        known = False
    if known:
        _require(from_signature(before) == made, made, "the signature does not rebuild the metric")
        _require(build(*_split(spec_of(made))) == made, made, "the short form does not rebuild the metric")


def _split(spec: str) -> tuple[str, dict[str, str]]:
    name, _, rest = spec.partition(":")
    return name, dict(piece.split("=", 1) for piece in rest.split(",")) if rest else {}


def _samples() -> Permutations:
    rng = np.random.default_rng(20)
    some: list[Iterable[int]] = [p for n in range(6) for p in itertools.permutations(range(n))]
    some += [rng.permutation(n) for n in (7, 20, 63, 64, 65, 130, 400)]
    some += [line for n in (30, 600) for line in (range(n), range(n)[::-1])]
    return Permutations(some)


def _check_values(made: OrderingMetric) -> None:
    batch = _samples()
    scores = made.sentence_scores(batch)
    low, high = made.range
    _require(scores.shape == (len(batch),), made, "sentence_scores does not give one score a sentence")
    _require(bool(np.isfinite(scores).all()), made, "a score is not finite")
    _require(bool((scores >= low - TOLERANCE).all()), made, f"a score is below {low}")
    _require(bool((scores <= high + TOLERANCE).all()), made, f"a score is above {high}")
    for p, score in zip(batch, scores.tolist(), strict=True):
        if p.is_identity() and len(p) > 2:
            _require(abs(score - made.best) < TOLERANCE, made, f"{p.to_text()[:40]} is not the best score")
    _require(bool((np.abs(scores - made.best) > TOLERANCE).any()), made, "every order gets the best score")
    if made.constants.get("short") == made.best:
        for short in ([], [0]):
            _require(made(short) == made.best, made, f"{short} does not score as its signature says")
    alone = [made(p) for p in batch]
    _require(np.array_equal(alone, scores), made, "a sentence alone scores differently from in a batch")
    _require(np.array_equal(made.sentence_scores(batch), scores), made, "scoring twice gives two results")
    some = Permutation([2, 0, 1, 3])
    _require(made.sentence_score(some).score == made(some), made, "sentence_score and a call disagree")


def _check_text(made: TextMetric) -> None:
    lines = ["one", "a b c d e .", "e d c b a .", "", "a a b b a", "x y z"]
    turned = [*lines[1:], lines[0]]
    low, high = made.range
    before = made.signature_for(1)
    segments = Segments(lines, [turned])
    scores, stats = made.segment_scores(segments), made.segment_stats(segments)
    _require(made.signature_for(1) == before, made, "scoring changed the signature")
    _require(scores.shape == (len(lines),), made, "segment_scores does not give one score a segment")
    _require(bool(np.isfinite(scores).all()), made, "a score is not finite")
    inside = (scores >= low - TOLERANCE) & (scores <= high + TOLERANCE)
    _require(bool(inside.all()), made, f"a score is not between {low} and {high}")
    whole = made.corpus_score(lines, [turned]).score
    parts = [made.segment_stats(Segments(lines[a:b], [turned[a:b]])).sum(axis=0) for a, b in ((0, 2), (2, 6))]
    joined = made.score_from_stats(parts[0] + parts[1])
    _require(abs(joined - whole) < TOLERANCE, made, "stats do not add up: two halves differ from the whole")
    _require(np.array_equal(made.segment_stats(segments), stats), made, "scoring twice gives two results")
    alone = [made.sentence_score(h, [r]).score for h, r in zip(lines, turned, strict=True)]
    _require(np.allclose(alone, scores), made, "sentence_score and segment_scores disagree")
    if not made.reference_is_best:
        return
    same = made.corpus_score(lines[1:3], [lines[1:3]]).score
    _require(abs(same - made.best) < 1e-6, made, "the reference itself does not get the best score")


def _check_sums(made: OrderingMetric) -> None:
    batch = _samples()
    stats = made.stats(batch)
    _require(stats.ndim == 2 and len(stats) == len(batch), made, "stats is not a row a sentence")
    whole = made.corpus_score(batch).score
    parts = made.stats(batch[:100]).sum(axis=0) + made.stats(batch[100:]).sum(axis=0)
    joined = made.score_from_stats(parts)
    _require(abs(joined - whole) < TOLERANCE, made, "stats do not add up: two halves differ from the whole")
    doubled = made.score_from_stats(2 * stats.sum(axis=0))
    _require(abs(doubled - whole) < TOLERANCE, made, "the same corpus twice scores differently")
