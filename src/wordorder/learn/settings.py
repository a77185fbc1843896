"""Learns settings of a metric, such as alpha, from judgments, and draws their curves.

The search is hill climbing with random restarts, as Birch and Osborne (2010) use it for alpha. Each year is
reported with the settings learned from the other years.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.segment_measures import ADDITIVE, SEGMENT_MEASURES, measure_named
from wordorder.learn.years import held_out, years_of
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of

Point = tuple[float, ...]
GRID = 20  # steps between 0 and 1 for settings that require scoring again
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)  # of settings that do not; all on one grid, so that climbs meet
MEASURE = "tau:ties=counted"


def varied(metric: Metric, settings: Mapping[str, float]) -> Metric:
    """Return the metric with other settings; those that it does not have go to its ordering metric.

    >>> from wordorder.metrics.registry import metric
    >>> spec_of(varied(metric("full"), {"alpha": 0.3, "beta": 0.5}))
    'full:order=recpef/beta=0.5,alpha=0.3'
    """
    own = {key: value for key, value in settings.items() if key in metric.setting_names()}
    inner = {key: value for key, value in settings.items() if key not in own}
    if inner:
        ordering = getattr(metric, "ordering", None)
        if ordering is None or any(key not in ordering.setting_names() for key in inner):
            raise BadSetting(f"{spec_of(metric)} has no {', '.join(inner)}")
        spec = spec_of(replace(ordering, **inner))
        own["order"] = spec.replace(":", "/").replace(",", "/")  # type: ignore[assignment]
    return replace(metric, **own)


def has_settings(metric: Metric, keys: Sequence[str]) -> bool:
    """Return whether all these settings of a metric can be varied."""
    try:
        varied(metric, dict.fromkeys(keys, 0.5))
    except BadSetting:
        return False
    return True


class Space:
    """A metric at all values of some settings, on some sets.

    Late settings, which do not affect the statistics of segments, can take any value at no cost. The others
    take values on a grid, and all points of the grid are scored at once, together with the metric as given.
    """

    def __init__(
        self, metric: Metric, keys: Sequence[str], sets: Sequence[Judgments], scorer: Scorer
    ) -> None:
        if not has_settings(metric, keys):
            raise BadSetting(f"{spec_of(metric)} cannot learn {', '.join(keys)}")
        late = tuple(getattr(metric, "late", ()))
        # With several references, late settings may change which of them is the best.
        single = all(len(judgments.references) == 1 for judgments in sets)
        self.keys = tuple(keys)
        self.late = tuple(key for key in keys if key in late and single)
        self.early = tuple(key for key in keys if key not in self.late)
        self.sets = sets
        self.grid = [round(step / GRID, 4) for step in range(GRID + 1)]
        corners = list(itertools.product(self.grid, repeat=len(self.early)))
        variants = [varied(metric, dict(zip(self.early, corner, strict=True))) for corner in corners]
        metrics = list(dict.fromkeys([metric, *variants]))  # the metric as given may be on the grid
        scored = scorer(sets, metrics)
        self._given = [by_metric[0].oriented for by_metric in scored]
        self._scored = {
            corner: [by_metric[metrics.index(variant)] for by_metric in scored]
            for corner, variant in zip(corners, variants, strict=True)
        }
        self._known: dict[tuple[str, Point, int], float] = {}

    def scores(self, point: Point, number: int) -> Doubles:
        """Return the segment scores at a point, on one set; higher is better."""
        values = dict(zip(self.keys, point, strict=True))
        scored = self._scored[tuple(values[key] for key in self.early)][number]
        late = {key: values[key] for key in self.late}
        return scored.oriented_with(late) if late else scored.oriented

    def value(self, measure: str, point: Point, number: int) -> float:
        """Return a segment measure at a point, on one set."""
        key = measure, point, number
        if key not in self._known:
            self._known[key] = ADDITIVE[measure].of(self.sets[number], self.scores(point, number))
        return self._known[key]

    def given_value(self, measure: str, number: int) -> float:
        """Return a segment measure of the metric as given, on one set."""
        return ADDITIVE[measure].of(self.sets[number], self._given[number])

    def neighbours(self, point: Point, step: float) -> list[Point]:
        """Return the points one step away along each setting."""
        points = []
        for k, key in enumerate(self.keys):
            size = step if key in self.late else max(step, 1 / GRID)
            for sign in (-1, 1):
                value = min(1.0, max(0.0, point[k] + sign * size))
                value = round(value, 2) if key in self.late else self.grid[round(value * GRID)]
                if value != point[k]:
                    points.append((*point[:k], value, *point[k + 1 :]))
        return points

    def random(self, rng: np.random.Generator) -> Point:
        """Return a random point to start from."""
        return tuple(
            round(float(rng.random()), 2) if key in self.late else float(rng.choice(self.grid))
            for key in self.keys
        )


def additive(measure: str) -> str:
    """Return the full name of a measure, which must be one that settings can be learned by."""
    name = measure_named(measure, SEGMENT_MEASURES)
    if name not in ADDITIVE:
        raise BadSetting(f"settings cannot be learned by {name}; choose one of {', '.join(ADDITIVE)}")
    return name


def objective(space: Space, measure: str, numbers: Sequence[int]) -> Callable[[Point], float]:
    """Return the mean of a segment measure over some sets of a space, as a function of the point."""
    name = additive(measure)

    def mean_at(point: Point) -> float:
        mean = float(np.mean([space.value(name, point, number) for number in numbers]))
        return mean if np.isfinite(mean) else -np.inf

    return mean_at


def climb(
    space: Space, value_at: Callable[[Point], float], *, restarts: int = 20, seed: int = 12345
) -> tuple[Point, float]:
    """Climb hills from random starts; return the best point and its value."""
    rng = np.random.default_rng(seed)
    best: tuple[Point, float] | None = None
    for _ in range(restarts):
        point = space.random(rng)
        value = value_at(point)
        for step in STEPS:
            while True:
                neighbour = max(space.neighbours(point, step), key=value_at)
                if value_at(neighbour) <= value:
                    break
                point, value = neighbour, value_at(neighbour)
        if best is None or value > best[1]:
            best = point, value
    if best is None:
        raise BadSetting("restarts is 0; expected 1 or more")
    return best


@dataclass(frozen=True)
class HeldOutSettings:
    """The settings learned without one year, and their value on that year."""

    year: int
    sets: tuple[str, ...]
    learned: dict[str, float]
    usual: float  # value of the metric as given
    value: float  # value with the settings learned from the other years
    best: float  # highest value found on this very year: an upper bound, not a result


@dataclass(frozen=True)
class LearnedSettings:
    """The settings of a metric learned from all years, and the results on each year when it was held out."""

    spec: str
    settings: dict[str, float]
    measure: str
    folds: tuple[HeldOutSettings, ...]
    restarts: int
    seed: int


def learn_settings(
    metric: Metric,
    keys: Sequence[str],
    sets: Sequence[Judgments],
    scorer: Scorer,
    *,
    measure: str = MEASURE,
    restarts: int = 20,
    seed: int = 12345,
) -> LearnedSettings:
    """Learn settings between 0 and 1; each year is reported with the settings learned from the others."""
    rule = ADDITIVE[additive(measure)]
    if len(set(keys)) < len(keys):
        raise BadSetting(f"a setting is named twice: {', '.join(keys)}")
    for judgments in sets:
        if not rule.applies(judgments):
            raise BadSetting(f"{judgments.name} cannot be judged by {rule.name}; choose sets of one kind")
    years = years_of(sets)
    space = Space(metric, keys, sets, scorer)
    year_of = [judgments.year for judgments in sets]
    folds = []
    for year, others, held in held_out(years, range(len(sets)), year_of):
        point, _ = climb(space, objective(space, rule.name, others), restarts=restarts, seed=seed)
        on_year = objective(space, rule.name, held)
        usual = np.mean([space.given_value(rule.name, number) for number in held])
        best = climb(space, on_year, restarts=restarts, seed=seed)[1]
        learned = dict(zip(space.keys, point, strict=True))
        names = tuple(sets[number].name for number in held)
        folds.append(HeldOutSettings(year, names, learned, float(usual), on_year(point), best))
    on_all = objective(space, rule.name, range(len(sets)))
    point, _ = climb(space, on_all, restarts=restarts, seed=seed)
    settings = dict(zip(space.keys, point, strict=True))
    return LearnedSettings(spec_of(metric), settings, rule.name, tuple(folds), restarts, seed)


def curve(
    metric: Metric, key: str, sets: Sequence[Judgments], scorer: Scorer, *, measure: str, points: int = 21
) -> tuple[list[float], list[float | None]]:
    """Return the mean of a measure over sets for values of a setting from 0 to 1; None where undefined."""
    space = Space(metric, [key], sets, scorer)
    value_at = objective(space, measure, range(len(sets)))
    xs = [round(k / (points - 1), 6) for k in range(points)]
    if key in space.early:
        xs = space.grid
    values = [value_at((x,)) for x in xs]
    return xs, [value if np.isfinite(value) else None for value in values]
