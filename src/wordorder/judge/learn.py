"""Learning the few parameters of a metric from judgments, and their curves.

Random-restart hill climbing (Birch and Osborne 2010 use it for alpha), and cross-validation over years:
what is learned on some years is reported on another.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.measures import ADDITIVE, segment_measure
from wordorder.judge.scores import Scored
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import spec_of

Point = tuple[float, ...]
GRID = 20  # steps between 0 and 1 of a setting for which everything is scored again
STEPS = (0.2, 0.1, 0.05, 0.02, 0.01)  # of settings that cost nothing: all on one grid, so that climbs meet

ScoreSets = Callable[[Sequence[Judgments], Sequence[Metric]], list[list[Scored]]]


def varied(metric: Metric, settings: Mapping[str, float]) -> Metric:
    """The metric with other settings; those it does not have are its ordering score's.

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
    """Whether all these can be varied."""
    try:
        varied(metric, dict.fromkeys(keys, 0.5))
    except BadSetting:
        return False
    return True


class Space:
    """A metric at every value of some settings, on some sets.

    Settings that are late cost nothing; for the others, values lie on a grid and all of it is scored at once.
    """

    def __init__(
        self, metric: Metric, keys: Sequence[str], sets: Sequence[Judgments], score: ScoreSets
    ) -> None:
        if not has_settings(metric, keys):
            raise BadSetting(f"{spec_of(metric)} cannot learn {', '.join(keys)}")
        late = tuple(getattr(metric, "late", ()))
        single = all(len(one.references) == 1 for one in sets)  # of several, the best depends on them
        self.keys = tuple(keys)
        self.late = tuple(key for key in keys if key in late and single)
        self.early = tuple(key for key in keys if key not in self.late)
        self.sets = sets
        self.grid = [round(step / GRID, 4) for step in range(GRID + 1)]
        corners = list(itertools.product(self.grid, repeat=len(self.early)))
        made = [varied(metric, dict(zip(self.early, corner, strict=True))) for corner in corners]
        scored = score(sets, made)
        self._scored = {corner: [row[k] for row in scored] for k, corner in enumerate(corners)}
        self._known: dict[tuple[str, Point, int], float] = {}

    def scores(self, point: Point, number: int) -> Doubles:
        """The segment scores at one point, on one set; higher is better."""
        values = dict(zip(self.keys, point, strict=True))
        one = self._scored[tuple(values[key] for key in self.early)][number]
        late = {key: values[key] for key in self.late}
        return one.oriented_with(late) if late else one.oriented

    def value(self, measure: str, point: Point, number: int) -> float:
        """A segment measure at one point, on one set."""
        key = measure, point, number
        if key not in self._known:
            self._known[key] = _value(measure, self.sets[number], self.scores(point, number))
        return self._known[key]

    def neighbours(self, point: Point, step: float) -> list[Point]:
        """Points one step away along each setting."""
        found = []
        for k, key in enumerate(self.keys):
            size = step if key in self.late else max(step, 1 / GRID)
            for sign in (-1, 1):
                value = min(1.0, max(0.0, point[k] + sign * size))
                value = round(value, 2) if key in self.late else self._on_grid(value)
                if value != point[k]:
                    found.append((*point[:k], value, *point[k + 1 :]))
        return found

    def random(self, rng: np.random.Generator) -> Point:
        """Somewhere to start."""
        return tuple(
            round(float(rng.random()), 2) if key in self.late else float(rng.choice(self.grid))
            for key in self.keys
        )

    def _on_grid(self, value: float) -> float:
        return self.grid[round(value * GRID)]


def additive(measure: str) -> str:
    """The name of a measure that settings can be learned by."""
    name = segment_measure(measure)
    if name not in ADDITIVE:
        raise BadSetting(f"settings cannot be learned by {name}: choose one of {', '.join(ADDITIVE)}")
    return name


def objective(space: Space, measure: str, numbers: Sequence[int]) -> Callable[[Point], float]:
    """The mean of a segment measure over some sets of a space, at a point."""
    name = additive(measure)

    def worth(point: Point) -> float:
        mean = float(np.mean([space.value(name, point, n) for n in numbers]))
        return mean if np.isfinite(mean) else -np.inf

    return worth


def _value(measure: str, judgments: Judgments, scores: Doubles) -> float:
    rule = ADDITIVE[measure]
    return float(rule.value(rule.rows(judgments, scores).sum(axis=0)[None, :])[0])


def climb(
    space: Space, worth: Callable[[Point], float], *, restarts: int = 20, seed: int = 12345
) -> tuple[Point, float]:
    """Random-restart hill climbing: the best point found, and its worth."""
    rng = np.random.default_rng(seed)
    best: tuple[Point, float] | None = None
    for _ in range(restarts):
        point = space.random(rng)
        here = worth(point)
        for step in STEPS:
            while True:
                ahead = max(space.neighbours(point, step), key=worth)
                if worth(ahead) <= here:
                    break
                point, here = ahead, worth(ahead)
        if best is None or here > best[1]:
            best = point, here
    if best is None:
        raise BadSetting("restarts is 0; expected 1 or more")
    return best


@dataclass(frozen=True)
class Fold:
    """What was learned without one year, and what it is worth there."""

    year: int
    sets: tuple[str, ...]
    learned: dict[str, float]
    usual: float  # the metric as it was given, on this year
    value: float  # with what the other years taught
    best: float  # the best there could have been, found on this very year: not a result


@dataclass(frozen=True)
class Learned:
    """A metric's learned settings: over all years, and year by year for the report."""

    spec: str
    settings: dict[str, float]
    measure: str
    folds: tuple[Fold, ...]
    restarts: int
    seed: int


def learn(
    metric: Metric,
    keys: Sequence[str],
    sets: Sequence[Judgments],
    score: ScoreSets,
    *,
    measure: str = "tau:ties=counted",
    restarts: int = 20,
    seed: int = 12345,
) -> Learned:
    """Learn settings between 0 and 1; each year is reported with what the other years teach."""
    rule = ADDITIVE[additive(measure)]
    if len(set(keys)) < len(keys):
        raise BadSetting(f"a setting is to be learned twice: {', '.join(keys)}")
    for one in sets:
        if not rule.applies(one):
            raise BadSetting(f"{one.name} cannot be judged by {rule.name}: choose sets of one kind")
    years = sorted({one.year for one in sets})
    if len(years) < 2:
        raise BadSetting(f"all judgments are of {years[0]}: learning needs two years, one to report on")
    space = Space(metric, keys, sets, score)
    given = score(sets, [metric])
    folds = []
    for year in years:
        held = [n for n, one in enumerate(sets) if one.year == year]
        others = [n for n, one in enumerate(sets) if one.year != year]
        point, _ = climb(space, objective(space, rule.name, others), restarts=restarts, seed=seed)
        there = objective(space, rule.name, held)
        usual = np.mean([_value(rule.name, sets[n], given[n][0].oriented) for n in held])
        best = climb(space, there, restarts=restarts, seed=seed)[1]
        learned = dict(zip(space.keys, point, strict=True))
        names = tuple(sets[n].name for n in held)
        folds.append(Fold(year, names, learned, float(usual), there(point), best))
    everything = objective(space, rule.name, range(len(sets)))
    point, _ = climb(space, everything, restarts=restarts, seed=seed)
    settings = dict(zip(space.keys, point, strict=True))
    return Learned(spec_of(metric), settings, rule.name, tuple(folds), restarts, seed)


def curve(
    metric: Metric, key: str, sets: Sequence[Judgments], score: ScoreSets, *, measure: str, points: int = 21
) -> tuple[list[float], list[float | None]]:
    """The mean of a measure over sets as one setting goes from 0 to 1; None where it is not defined."""
    space = Space(metric, [key], sets, score)
    worth = objective(space, measure, range(len(sets)))
    xs = [round(k / (points - 1), 6) for k in range(points)]
    if key in space.early:
        xs = space.grid
    values = [worth((x,)) for x in xs]
    return xs, [value if np.isfinite(value) else None for value in values]
