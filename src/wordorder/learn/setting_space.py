"""A metric at all values of some settings, and the search for the best ones.

The search is hill climbing with random restarts, as Birch and Osborne (2010) use it for alpha.
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
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of

Point = tuple[float, ...]
GRID = 20  # steps between 0 and 1 for settings that require scoring again
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)  # of settings that do not; all on one grid, so that climbs meet


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


@dataclass(frozen=True, eq=False)
class Part:
    """A set of a space, or some of its judgments."""

    number: int  # of the set
    judgments: Judgments


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
        self.whole = [Part(number, judgments) for number, judgments in enumerate(sets)]
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
        self._scores: dict[tuple[Point, int], Doubles] = {}
        self._values: dict[tuple[str, Point, Part], float] = {}

    def scores(self, point: Point, number: int) -> Doubles:
        """Return the segment scores at a point, on one set; higher is better."""
        if (point, number) not in self._scores:
            values = dict(zip(self.keys, point, strict=True))
            scored = self._scored[tuple(values[key] for key in self.early)][number]
            late = {key: values[key] for key in self.late}
            self._scores[point, number] = scored.oriented_with(late) if late else scored.oriented
        return self._scores[point, number]

    def value(self, measure: str, point: Point, part: Part) -> float:
        """Return a segment measure at a point, on a set or a part of it."""
        key = measure, point, part
        if key not in self._values:
            self._values[key] = ADDITIVE[measure].of(part.judgments, self.scores(point, part.number))
        return self._values[key]

    def given_value(self, measure: str, part: Part) -> float:
        """Return a segment measure of the metric as given, on a set or a part of it."""
        return ADDITIVE[measure].of(part.judgments, self._given[part.number])

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


def objective(space: Space, measure: str, parts: Sequence[Part]) -> Callable[[Point], float]:
    """Return the mean of a segment measure over some parts of a space, as a function of the point."""
    name = additive(measure)

    def mean_at(point: Point) -> float:
        mean = float(np.mean([space.value(name, point, part) for part in parts]))
        return mean if np.isfinite(mean) else -np.inf

    return mean_at


@dataclass(frozen=True, slots=True)
class Step:
    """A point of a climb, and its value."""

    point: Point
    value: float


@dataclass(frozen=True)
class Climbed:
    """What hill climbing found, and the climbs: one from each random start, from its start to its top."""

    point: Point
    value: float
    climbs: tuple[tuple[Step, ...], ...]


def climb(
    space: Space, value_at: Callable[[Point], float], *, restarts: int = 20, seed: int = 12345
) -> Climbed:
    """Climb hills from random starts; the first of the highest tops counts."""
    rng = np.random.default_rng(seed)
    climbs = []
    for _ in range(restarts):
        start = space.random(rng)
        steps = [Step(start, value_at(start))]
        for size in STEPS:
            while True:
                neighbour = max(space.neighbours(steps[-1].point, size), key=value_at)
                if value_at(neighbour) <= steps[-1].value:
                    break
                steps.append(Step(neighbour, value_at(neighbour)))
        climbs.append(tuple(steps))
    if not climbs:
        raise BadSetting("restarts is 0; expected 1 or more")
    top = max((steps[-1] for steps in climbs), key=lambda step: step.value)
    return Climbed(top.point, top.value, tuple(climbs))
