"""Averages of MQM ratings, computed from the marks of raters and published beside them by Google.

The data are a clone of google/wmt-mqm-human-evaluation, where ``X.avg_seg_scores.tsv`` holds the averages of
the marks in ``X.tsv``.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from experiments.interoperability.comparison import Comparison
from wordorder.judge.formats.mqm import Mqm
from wordorder.judge.formats.wmt_ratings import WmtRatings
from wordorder.judge.judgments import Judgments

COMMAND = "python -m experiments.interoperability google_mqm --data wmt-mqm-human-evaluation"
ENDING = ".avg_seg_scores.tsv"


def comparisons(data: Path | None) -> Iterator[Comparison]:
    """Compare the averages of every pair of files; Google's have six decimals."""
    found = sorted(data.rglob(f"*{ENDING}")) if data else []
    pairs = [(path.with_name(path.name.removesuffix(ENDING) + ".tsv"), path) for path in found]
    pairs = [(marks, averages) for marks, averages in pairs if marks.is_file()]
    if not pairs:
        raise LookupError("needs --data FOLDER, a clone of google/wmt-mqm-human-evaluation")
    for marks, averages in pairs:
        ours, (one,) = averaged(marks), WmtRatings().read(str(averages))
        theirs = ratings(one)
        equal = [key in ours and abs(ours[key] - score) < 1e-6 for key, score in theirs.items()]
        yield Comparison(
            program="Google's MQM averages", version="-", compared=marks.stem, cases=len(equal),
            equal=sum(equal), how="within 1e-6, the digits of the file", command=COMMAND,
        )  # fmt: skip


def averaged(marks: Path) -> dict[tuple[str, str], float]:
    """Return minus the mean cost over raters, by segment and system."""
    costs: dict[tuple[str, str], list[float]] = {}
    for rated in Mqm().raters(str(marks)):
        costs.setdefault((rated.segment, rated.system), []).append(rated.cost)
    return {key: -sum(by_rater) / len(by_rater) for key, by_rater in costs.items()}


def ratings(one: Judgments) -> dict[tuple[str, str], float]:
    """Return the ratings of a set, by segment and system."""
    if one.ratings is None:
        return {}
    places = zip(one.ratings.item.tolist(), one.ratings.score.tolist(), strict=True)
    return {
        (one.segments[int(one.item_segment[item])], one.systems[int(one.item_system[item])]): score
        for item, score in places
    }
