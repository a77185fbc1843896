"""Write the pictures of README.md and of pictures.md.

``python docs/make_pictures.py`` (``--check``: are they up to date?)
"""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.core.resample import bootstrap_scores, interval
from wordorder.core.tree import tree
from wordorder.data import sample
from wordorder.draw import Dot, Series, crossing_svg, dot_chart, line_chart, scaled_chart, tree_svg
from wordorder.io.permutations import read_permutations
from wordorder.metrics import metric

METRICS = ("kendall", "spearman", "ulam", "fuzzy", "recpef", "pet_size")
SYSTEMS = ("system-a", "system-b")
FOLDER = Path(__file__).parent / "pictures"


def pictures() -> dict[str, str]:
    """The content of each file."""
    words = ["I", "will", "wait", "for", "you", "tomorrow"]
    order = Permutation.parse("2 4 5 6 1 3")
    return {
        "tree.svg": tree_svg(tree(order, words)),
        "crossing.svg": crossing_svg(order, words),
        "lines.svg": lines(),
        "scaled.svg": scaled(),
        "dots.svg": dots(),
    }


def lines() -> str:
    """The mean score of all permutations of n words; for one metric a band holds the middle half of them."""
    sizes = range(2, 8)
    series = []
    for name in ("recpef", "kendall", "ulam", "fuzzy", "pet_size"):
        scores = [metric(name).score_orders([*permutations(range(n))]) for n in sizes]
        means = [float(row.mean()) for row in scores]
        if name == "recpef":
            low, high = ([float(np.quantile(row, q)) for row in scores] for q in (0.25, 0.75))
            series.append(Series(name, sizes, means, low, high))
        else:
            series.append(Series(name, sizes, means))
    return line_chart(series, x_label="words", y_label="mean score of all permutations", y_range=(0, 1))


def scaled() -> str:
    """How far metrics tell the sample's first system from its second, over parts of the sample."""
    one, other = (read_permutations(str(sample(f"{name}.order"))) for name in SYSTEMS)
    parts = {f"{k + 1} to {k + 4}": slice(k, k + 4) for k in range(0, 20, 4)}
    gaps = {
        name: [
            metric(name).corpus_score_orders(one[part]).score
            - metric(name).corpus_score_orders(other[part]).score
            for part in parts.values()
        ]
        for name in METRICS
    }
    return scaled_chart(list(parts), gaps, x_label="sentences of the sample")


def dots() -> str:
    """The sample's scores with their intervals."""
    rows = []
    for system in SYSTEMS:
        orders = read_permutations(str(sample(f"{system}.order")))
        for name in METRICS:
            made = metric(name)
            stats = made.statistics(orders)
            around = interval(bootstrap_scores(stats, made.scores, samples=1000, seed=1))
            rows.append(
                Dot(name, made.corpus_score_orders(orders).score, around.low, around.high, group=system)
            )
    return dot_chart(rows, x_label="corpus score, 95 % interval")


def main() -> None:
    """Write, or check."""
    FOLDER.mkdir(exist_ok=True)
    for name, content in pictures().items():
        path = FOLDER / name
        if "--check" in sys.argv:
            if not path.exists() or path.read_text(encoding="utf-8") != content:
                sys.exit(f"{path} is out of date: run python {Path(__file__).name}")
        else:
            path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
