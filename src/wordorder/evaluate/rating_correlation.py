"""Whether reordering scores say what people say of translations (Talbot et al. 2011, tables 6 and 7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.correlation import average_ranks, moments, pearson_of_moments
from wordorder.core.resample import Interval, bootstrap_sums, interval
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.systems import Standings
from wordorder.io.files import open_binary
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r and Spearman's rho of one metric with people; None where one of them does not vary."""

    metric: str
    level: str  # sentence or system
    items: int
    pearson: float | None
    spearman: float | None
    pearson_interval: Interval | None = None
    spearman_interval: Interval | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data: dict[str, Any] = {
            name: getattr(self, name) for name in ("metric", "level", "items", "pearson", "spearman")
        }
        for name in ("pearson_interval", "spearman_interval"):
            around: Interval | None = getattr(self, name)
            data[name] = [around.low, around.high] if around else None
        return data


def read_ratings(path: str, sentences: int) -> Doubles:
    """Ratings, one a line; an empty line or ``-`` is a sentence that no one rated (NaN here)."""
    found = []
    with open_binary(path) as handle:
        for number, line in enumerate(read_lines(handle, path), start=1):
            if isinstance(line, BadLine):
                raise line
            text = line.strip()
            try:
                value = float(text) if text not in ("", "-") else np.nan
            except ValueError:
                raise BadFile(f"{text[:40]!r} is no number", file=path, line=number) from None
            if text not in ("", "-") and not np.isfinite(value):
                raise BadFile(f"{text[:40]!r} is no rating", file=path, line=number)
            found.append(value)
    if len(found) != sentences:
        raise BadFile(f"has {len(found)} ratings for {sentences} sentences", file=path, line=len(found))
    return np.array(found)


def correlate(
    standings: Standings, ratings: Mapping[str, Doubles], *, samples: int = 1000, seed: int = 12345
) -> list[Correlation]:
    """The correlation of each metric with ratings by system, over sentences and over systems.

    Ratings are of all sentences. Resampling draws sentences, all their systems with them.
    """
    for name in ratings:
        if name not in standings.names:
            raise BadSetting(
                f"ratings of {name!r}, which is no system; systems: {', '.join(standings.names)}"
            )
    systems = [system for system in standings.systems if system.name in ratings]
    used = np.array(standings.used)
    rated = np.column_stack([ratings[system.name][used] for system in systems])
    there = np.isfinite(rated)
    found = []
    for m, metric in enumerate(standings.metrics):
        scored = np.column_stack([system.sentence_scores[m] for system in systems])
        scored = scored if metric.higher_is_better else -scored
        x, y = scored[there], rated[there]
        values: list[float | None] = []
        around: list[Interval | None] = []
        for one, other in ((x, y), (average_ranks(x), average_ranks(y))):
            rows = np.zeros((len(used), 6))
            np.add.at(rows, np.nonzero(there)[0], moments(one, other))
            values.append(_told(pearson_of_moments(rows.sum(axis=0, keepdims=True))[0]))
            drawn = (
                pearson_of_moments(bootstrap_sums(rows, samples=samples, seed=seed)) if samples > 1 else None
            )
            good = drawn is not None and values[-1] is not None and bool(np.isfinite(drawn).all())
            around.append(interval(drawn) if good and drawn is not None else None)
        found.append(Correlation(metric.name, "sentence", len(x), values[0], values[1], around[0], around[1]))
        kept = [k for k in range(len(systems)) if there[:, k].any()]
        if len(kept) > 2:
            means = np.array([rated[there[:, k], k].mean() for k in kept])
            totals = np.array([systems[k].scores[m] for k in kept]) * (1 if metric.higher_is_better else -1)
            plain = _pearson(totals, means)
            found.append(
                Correlation(
                    metric.name,
                    "system",
                    len(kept),
                    plain,
                    _pearson(average_ranks(totals), average_ranks(means)),
                )
            )
    return found


def _pearson(x: Doubles, y: Doubles) -> float | None:
    return _told(pearson_of_moments(moments(x, y).sum(axis=0, keepdims=True))[0])


def _told(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def rated_systems(given: Sequence[str]) -> dict[str, str]:
    """Files of ratings by system, from ``SYSTEM=FILE``."""
    found = {}
    for text in given:
        name, equals, path = text.partition("=")
        if not equals or not name or not path:
            raise BadSetting(f"{text!r}: expected SYSTEM=FILE")
        found[name] = path
    return found
