"""Human judgments with the scores of metrics, as the tables of the reproduction need them."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tools.pages import markdown_table
from wordorder.engine.threads import available_threads
from wordorder.errors import BadSetting
from wordorder.judge.agreement import Agreement, agree
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores, Scorer
from wordorder.judge.read import read_judgments
from wordorder.judge.score_cache import ScoreCache, default_folder
from wordorder.judge.task import Level, Task, Test
from wordorder.metrics.registry import parse_metrics
from wordorder.metrics.segments import Matching

RANKED = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
RATED = ("wmt17-da", "wmt21-da", "wmt21-mqm")
SAMPLES = 1000
METEOR = "METEOR's four stages"
Row = list[object]


class JudgedData:
    """Judgments, each folder read once, and scores of metrics, which are cached on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scorer = Scorer(cache=ScoreCache(default_folder()), processes=available_threads())

    @cache  # noqa: B019 (there is one of these, as long as the program runs)
    def read(self, name: str) -> list[Judgments]:
        """Read one folder."""
        return read_judgments(str(self.folder / name))

    def sets(self, *names: str, pairs: Sequence[str] | None = None) -> list[Judgments]:
        """Read some folders; if language pairs are given, only those, in their order."""
        every = [judgments for name in names for judgments in self.read(name)]
        if pairs is None:
            return every
        return [judgments for pair in pairs for judgments in every if judgments.pair == pair]

    def judge(
        self,
        sets: Sequence[Judgments],
        specs: Sequence[str],
        *,
        matching: Matching | None = None,
        level: Level = "segment",
        measure: str | None = None,
        against: Sequence[str] = (),
        test: Test = "bootstrap",
        samples: int = SAMPLES,
    ) -> Agreement:
        """Compute the agreement of metrics with people; metrics are labelled by their specs."""
        start, usual = time.monotonic(), Matching()
        shared = {
            key: value for key, value in vars(matching or usual).items() if value != getattr(usual, key)
        }
        scored = self.scorer(sets, parse_metrics(specs, shared))
        if (seconds := time.monotonic() - start) > 1:
            print(f"  {len(sets)} sets, {len(specs)} metrics: {seconds:.0f} s", file=sys.stderr)
        labelled = [
            [MetricScores(**{**vars(scores), "label": spec}) for scores, spec in zip(row, specs, strict=True)]
            for row in scored
        ]
        task = Task(level=level, measure=measure, baselines=tuple(against), paired=test, samples=samples)
        return agree(task, sets, labelled)


def full(order: str, **settings: object) -> str:
    """Write the spec of the full metric around an ordering score.

    >>> full("kendall", alpha=0.3)
    'full:order=kendall,alpha=0.3'
    """
    extra = "".join(f",{key}={value}" for key, value in settings.items())
    return f"full:order={order}{extra}"


def table(rows: Sequence[Row]) -> str:
    """Format a table of numbers."""
    return markdown_table(rows, right_aligned=True)


def show(value: float | None, digits: int = 3) -> str:
    """Format a number, or a dash for None."""
    return "–" if value is None else f"{value:.{digits}f}"


@cache
def matchers() -> dict[str, Matching]:
    """List ways to match words, including METEOR's if its data are found."""
    known = {
        "exact": Matching(),
        "exact, METEOR's ties": Matching(match="exact@first"),
        "exact+stem": Matching(match="exact+stem"),
        "RIBES's": Matching(match="ribes"),
    }
    meteor = Matching(match="exact+stem+synonym+paraphrase")
    try:
        _ = meteor.matcher.signature_part
    except BadSetting as error:
        print(f"without METEOR's stages: {error}", file=sys.stderr)
    else:
        known[METEOR] = meteor
    return known


def means(judged: Agreement) -> list[float]:
    """Return the mean over sets of each metric; NaN where it is not defined."""
    return [cell.value if cell.value is not None else float("nan") for cell in judged.means]
