"""Draw the pictures of README.md and of docs/pictures.md."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path

import numpy as np

from tools.pages import DOCS, generator_main
from wordorder.core.permutation import Permutation
from wordorder.core.resample import bootstrap_scores, interval
from wordorder.core.tree import tree
from wordorder.data import sample
from wordorder.draw import Dot, Series, crossing_svg, dot_chart, line_chart, scaled_chart, tree_svg
from wordorder.io.permutations import read_permutations
from wordorder.metrics.registry import parse_ordering_metrics

METRICS = "kendall,spearman,ulam,fuzzy,recpef,pet_size"
SYSTEMS = ("system-a", "system-b")
FOLDER = DOCS / "pictures"


def pictures() -> dict[Path, str]:
    """Draw all pictures; returns the content of each file."""
    words = ["I", "will", "wait", "for", "you", "tomorrow"]
    order = Permutation.parse("2 4 5 6 1 3")
    return {
        FOLDER / "tree.svg": tree_svg(tree(order, words)),
        FOLDER / "crossing.svg": crossing_svg(order, words),
        FOLDER / "lines.svg": lines(),
        FOLDER / "scaled.svg": scaled(),
        FOLDER / "dots.svg": dots(),
    }


def lines() -> str:
    """Draw the mean score of all permutations of n words; for one metric, a band holds the middle half."""
    sizes = range(2, 8)
    series = []
    for metric in parse_ordering_metrics(["recpef,kendall,ulam,fuzzy,pet_size"]):
        scores = [metric.score_orders([*permutations(range(n))]) for n in sizes]
        means = [float(row.mean()) for row in scores]
        if metric.name == "recpef":
            low, high = ([float(np.quantile(row, q)) for row in scores] for q in (0.25, 0.75))
            series.append(Series(metric.name, sizes, means, low, high))
        else:
            series.append(Series(metric.name, sizes, means))
    return line_chart(series, x_label="words", y_label="mean score of all permutations", y_range=(0, 1))


def scaled() -> str:
    """Draw how clearly metrics separate the two systems of the sample, on parts of the sample."""
    first, second = (read_permutations(str(sample(f"{name}.ranks"))) for name in SYSTEMS)
    parts = {f"{k + 1} to {k + 4}": slice(k, k + 4) for k in range(0, 20, 4)}
    gaps = {
        metric.name: [
            metric.corpus_score_orders(first[part]).score - metric.corpus_score_orders(second[part]).score
            for part in parts.values()
        ]
        for metric in parse_ordering_metrics([METRICS])
    }
    return scaled_chart(list(parts), gaps, x_label="sentences of the sample")


def dots() -> str:
    """Draw the scores of the sample with their intervals."""
    rows = []
    for system in SYSTEMS:
        orders = read_permutations(str(sample(f"{system}.ranks")))
        for metric in parse_ordering_metrics([METRICS]):
            samples = bootstrap_scores(metric.statistics(orders), metric.scores, samples=1000, seed=1)
            around, score = interval(samples), metric.corpus_score_orders(orders).score
            rows.append(Dot(metric.name, score, around.low, around.high, group=system))
    return dot_chart(rows, x_label="corpus score, 95 % interval")


if __name__ == "__main__":
    sys.exit(generator_main(None, __doc__, pictures))
