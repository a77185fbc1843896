"""Judgments of which the truth is known."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordorder.judge.judgments import Judgments, Preferences, Ratings
from wordorder.judge.metric_scores import MetricScores

Doubles = NDArray[np.float64]


def judgments(
    segments: int,
    systems: int,
    *,
    ratings: Doubles | None = None,
    pairs: list[tuple[int, ...]] | None = None,
    missing: tuple[int, ...] = (),
    name: str = "wmt13",
    outputs: list[str] | None = None,
    references: list[str] | None = None,
) -> Judgments:
    """All systems on all segments; item = segment * systems + system."""
    n = segments * systems
    texts: list[str | None] = list(outputs or [f"text {k}" for k in range(n)])
    for k in missing:
        texts[k] = None
    table = np.array(pairs or [], dtype=np.int64).reshape(-1, 5)
    return Judgments(
        collection=name,
        pair="de-en",
        testset="-",
        segments=[str(k + 1) for k in range(segments)],
        sources=None,
        references=[references or ["text"] * segments],
        systems=[f"s{k}" for k in range(systems)],
        item_segment=np.repeat(np.arange(segments), systems),
        item_system=np.tile(np.arange(systems), segments),
        outputs=texts,
        preferences=Preferences(*table.T.copy()) if pairs is not None else None,
        ratings=None if ratings is None else Ratings(np.arange(n), ratings),
    )


def scored(values: Doubles, label: str = "metric") -> MetricScores:
    stats = np.column_stack([values, np.ones(len(values))])
    return MetricScores(
        label, f"{label}|v:0", f"{label}|v:0", True, values, stats, lambda totals: totals[:, 0] / totals[:, 1]
    )
