"""The report on tuned weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.draw import Dot, Scene, Series, dot_chart, line_chart
from wordorder.report.html.page import ReportPage, charts
from wordorder.report.table import Table

MOST = 12  # weights that a chart can show


@dataclass(frozen=True)
class TunedRound:
    """A round with a decoder: its number, new candidates, score, and weights by feature."""

    number: int
    new: int
    score: float
    weights: Mapping[str, float]


def tuning_page(
    tables: Sequence[Table], facts: Mapping[str, Any], metric: str, rounds: Sequence[TunedRound] = ()
) -> bytes:
    """Write the tables of a tuning run, and what happened round by round, as an HTML page."""
    runs, weights = tables
    page = ReportPage(f"Tuning towards {metric}", f"{facts['method']} · {facts['metric']}")
    page.add("runs", "Runs", page.table(runs, file="runs"), charts([_scores_chart(runs, metric)]))
    if rounds:
        page.add(
            "rounds",
            "Rounds",
            page.table(_rounds(rounds, metric), file="rounds"),
            charts(_round_charts(rounds, metric)),
        )
    page.add("weights", "Weights", page.table(weights, file="weights"), charts([_weights_chart(weights)]))
    return page.write()


def _scores_chart(runs: Table, metric: str) -> Scene:
    return dot_chart([Dot(str(run["run"]), float(run[metric])) for run in runs.records], x_label=metric)


def _weights_chart(weights: Table) -> Scene:
    """Draw the largest weights, before and after tuning."""
    largest = sorted(weights.records, key=lambda record: -abs(record["best"]))[:MOST]
    dots = [
        Dot(name, float(one[name]), group=one["feature"]) for one in largest for name in ("start", "best")
    ]
    return dot_chart(dots, x_label="weight")


def _rounds(rounds: Sequence[TunedRound], metric: str) -> Table:
    return Table(
        head=["round", "new candidates", metric],
        rows=[[str(one.number), f"{one.new:,}", f"{one.score:.4f}"] for one in rounds],
        records=[
            {"round": one.number, "new": one.new, metric: one.score, "weights": dict(one.weights)}
            for one in rounds
        ],
        name="rounds",
    )


def _round_charts(rounds: Sequence[TunedRound], metric: str) -> list[Scene]:
    """Draw the score, and the weights that changed most, by round."""
    numbers = [float(one.number) for one in rounds]
    names = dict.fromkeys(name for one in rounds for name in one.weights)

    def values(name: str) -> list[float]:
        return [one.weights.get(name, 0.0) for one in rounds]

    changed = sorted(names, key=lambda name: min(values(name)) - max(values(name)))[:MOST]
    score = Series(metric, numbers, [one.score for one in rounds])
    weights = [Series(name, numbers, values(name)) for name in changed]
    return [
        line_chart([score], x_label="round", y_label=metric),
        line_chart(weights, x_label="round", y_label="weight"),
    ]
