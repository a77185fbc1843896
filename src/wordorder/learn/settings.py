"""Learns settings of a metric, such as alpha, from judgments, and draws their curves.

What is learned is reported on judgments that it was not learned from: each year with the settings learned
from the other years, or each of several parts of the segments with those learned from the other parts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.segment_measures import ADDITIVE
from wordorder.learn.setting_space import Climbed, Part, Point, Space, additive, climb, objective
from wordorder.learn.years import held_out, years_of
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of

MEASURE = "tau:ties=counted"


@dataclass(frozen=True)
class HeldOutSettings:
    """The settings learned without one year or one fold of segments, and their value there."""

    held_out: str  # the year, or "fold 1"
    sets: tuple[str, ...]
    learned: dict[str, float]
    usual: float  # value of the metric as given
    value: float  # value with the settings learned from the rest
    best: float  # highest value found on what is held out: an upper bound, not a result
    climbed: Climbed


@dataclass(frozen=True)
class LearnedSettings:
    """The settings of a metric learned from all judgments, and the results where they were held out.

    ``usual``, ``value`` and ``best`` are means over years; with folds, they are of all segments, each scored
    with the settings learned from the other folds.
    """

    spec: str
    group: str  # the language pair, or "all"
    settings: dict[str, float]
    measure: str
    split: Literal["years", "segments"]
    folds: tuple[HeldOutSettings, ...]
    usual: float
    value: float
    best: float
    climbed: Climbed
    restarts: int
    seed: int


def learn_settings(
    metric: Metric,
    keys: Sequence[str],
    sets: Sequence[Judgments],
    scorer: Scorer,
    *,
    measure: str = MEASURE,
    folds: int = 0,
    restarts: int = 20,
    seed: int = 12345,
) -> LearnedSettings:
    """Learn settings between 0 and 1, and report them where they were not learned from.

    Years are held out in turn. If ``folds`` is 2 or more, so many parts of the segments are held out instead,
    so that one year is enough. A segment is in the same part whatever the language pair.
    """
    rule = ADDITIVE[additive(measure)]
    if len(set(keys)) < len(keys):
        raise BadSetting(f"a setting is named twice: {', '.join(keys)}")
    for judgments in sets:
        if not rule.applies(judgments):
            raise BadSetting(f"{judgments.name} cannot be judged by {rule.name}; choose sets of one kind")
    if folds == 1 or folds < 0:
        raise BadSetting(f"folds is {folds}; expected 2 or more, or 0 to hold out years")
    years = [] if folds else years_of(sets)
    fold_of = segment_folds(sets, folds, seed) if folds else []
    space = Space(metric, keys, sets, scorer)
    splits = _by_segments(space, fold_of, folds) if folds else _by_years(space, years)

    def search(parts: Sequence[Part]) -> Climbed:
        return climb(space, objective(space, rule.name, parts), restarts=restarts, seed=seed)

    def named(climbed: Climbed) -> dict[str, float]:
        return dict(zip(space.keys, climbed.point, strict=True))

    results = []
    for name, *sides in splits:
        rest, held = ([part for part in side if rule.applies(part.judgments)] for side in sides)
        if not rest or not held:
            raise BadSetting(
                f"{name} or the rest has no judgments: the data are too few", suggest={"folds": 2}
            )
        climbed = search(rest)
        usual = float(np.mean([space.given_value(rule.name, part) for part in held]))
        value = objective(space, rule.name, held)(climbed.point)
        names = tuple(part.judgments.name for part in held)
        best = search(held).value
        results.append(HeldOutSettings(name, names, named(climbed), usual, value, best, climbed))
    on_all = search(space.whole)
    if folds:
        points = [fold.climbed.point for fold in results]
        crossed = [_crossed(space, points, fold_of[part.number], part) for part in space.whole]
        usual = float(np.mean([space.given_value(rule.name, part) for part in space.whole]))
        value = float(
            np.mean([rule.of(part.judgments, s) for part, s in zip(space.whole, crossed, strict=True)])
        )
        best = on_all.value
    else:
        usual, value, best = (
            float(np.mean([getattr(fold, name) for fold in results])) for name in ("usual", "value", "best")
        )
    pairs = {judgments.pair for judgments in sets}
    return LearnedSettings(
        spec=spec_of(metric),
        group=pairs.pop() if len(pairs) == 1 else "all",
        settings=named(on_all),
        measure=rule.name,
        split="segments" if folds else "years",
        folds=tuple(results),
        usual=usual,
        value=value,
        best=best,
        climbed=on_all,
        restarts=restarts,
        seed=seed,
    )


Split = tuple[str, list[Part], list[Part]]  # what is held out, the rest, and the held-out parts


def _by_years(space: Space, years: Sequence[int]) -> Iterator[Split]:
    year_of = [part.judgments.year for part in space.whole]
    for year, others, held in held_out(years, space.whole, year_of):
        yield str(year), others, held


def _by_segments(space: Space, fold_of: Sequence[Longs], folds: int) -> Iterator[Split]:
    for fold in range(folds):
        rest, held = (
            [
                Part(part.number, part.judgments.judged_in((fold_of[part.number] == fold) == inside))
                for part in space.whole
            ]
            for inside in (False, True)
        )
        yield f"fold {fold + 1}", rest, held


def segment_folds(sets: Sequence[Judgments], folds: int, seed: int) -> list[Longs]:
    """Return the fold of each segment of each set; a segment that several sets share is in one fold.

    Only judged segments are distributed, so that folds have the same size.
    """
    names: dict[tuple[str, str], int] = {}
    for judgments in sets:
        for segment in _judged(judgments).tolist():
            names.setdefault((judgments.testset, judgments.segments[segment]), len(names))
    if len(names) < folds:
        raise BadSetting(f"{len(names)} judged segments cannot be split into {folds} folds")
    fold = np.random.default_rng(seed).permutation(len(names)) % folds
    return [
        np.array(
            [
                fold[names[key]] if (key := (judgments.testset, name)) in names else 0
                for name in judgments.segments
            ],
            dtype=np.int64,
        )
        for judgments in sets
    ]


def _judged(judgments: Judgments) -> Longs:
    """Return the numbers of the segments that have judgments."""
    items = [judgments.preferences.first] if judgments.preferences is not None else []
    items += [judgments.ratings.item] if judgments.ratings is not None else []
    return np.unique(judgments.item_segment[np.concatenate(items)]) if items else np.zeros(0, np.int64)


def _crossed(space: Space, points: Sequence[Point], fold_of: Longs, part: Part) -> Doubles:
    """Score each item with the settings learned without the fold of its segment."""
    by_fold = np.stack([space.scores(point, part.number) for point in points])
    return by_fold[fold_of[part.judgments.item_segment], np.arange(by_fold.shape[1])]


def curve(
    metric: Metric, key: str, sets: Sequence[Judgments], scorer: Scorer, *, measure: str, points: int = 21
) -> tuple[list[float], list[float | None]]:
    """Return the mean of a measure over sets for values of a setting from 0 to 1; None where undefined."""
    space = Space(metric, [key], sets, scorer)
    value_at = objective(space, measure, space.whole)
    xs = [round(k / (points - 1), 6) for k in range(points)]
    if key in space.early:
        xs = space.grid
    values = [value_at((x,)) for x in xs]
    return xs, [value if np.isfinite(value) else None for value in values]
