"""Draw the pictures of README.md and of docs/pictures.md."""

from __future__ import annotations

import sys
from itertools import permutations
from pathlib import Path

import numpy as np

from tools.pages import DOCS, generator_main
from wordorder.analyse.source_order import source_order
from wordorder.core.alignment import Alignment
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.resample import bootstrap_scores, interval
from wordorder.core.tree import tree
from wordorder.data import sample
from wordorder.draw import (
    Dot,
    Scene,
    Series,
    anticipation_chart,
    curves_picture,
    dot_chart,
    forest_picture,
    line_chart,
    matrix_picture,
    scaled_chart,
    to_svg,
    tree_picture,
)
from wordorder.draw.pictures import PictureSettings
from wordorder.draw.sentences import linked_pictures, predicted_pictures
from wordorder.io.permutations import read_permutations
from wordorder.io.read_write import read_records
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.preorder import Source, load_preorderer
from wordorder.report.source_order import curve_chart

METRICS = "kendall,spearman,ulam,fuzzy,recpef,pet_size"
SYSTEMS = ("system-a", "system-b")
FOLDER = DOCS / "pictures"
WORDS = ["I", "will", "wait", "for", "you", "tomorrow"]
ORDER = Permutation.parse("2 4 5 6 1 3")
LINKED = 1  # the sentence of the sample that is drawn with its links, from 0
ARABIC = ["ذهب", "الولد", "إلى", "المدرسة", "الكبيرة", "أمس"]
ENGLISH = ["the", "boy", "went", "to", "the", "big", "school", "yesterday"]
ARABIC_LINKS = [(0, 2), (1, 0), (1, 1), (2, 3), (3, 4), (3, 6), (4, 5), (5, 7)]


def pictures() -> dict[Path, str]:
    """Draw all pictures; returns the content of each file."""
    return {FOLDER / f"{name}.svg": to_svg(scene) for name, scene in scenes().items()}


def scenes() -> dict[str, Scene]:
    """Compute all pictures by name."""
    files = (sample(f"text.{name}").read_text(encoding="utf-8") for name in ("en", "ja", "align"))
    source, target, links = (text.splitlines()[LINKED] for text in files)
    pairs = [(int(i), int(j)) for i, _, j in (link.partition("-") for link in links.split())]
    alignment = Alignment(len(source.split()), len(target.split()), pairs)
    linked = linked_pictures(alignment, source.split(), target.split())
    predicted = predicted_pictures(load_preorderer("en-ja-crf"), Source(tuple(source.split())), k=6)
    arabic = Alignment(len(ARABIC), len(ENGLISH), ARABIC_LINKS)
    return {
        "tree": tree_picture(tree(ORDER, WORDS)),
        "forest": forest_picture(Forest(ORDER, WORDS)),
        "folded": linked["tree"].scene(PictureSettings(width=460)),
        "forest-panels": linked["forest"].scene(PictureSettings(width=460)),
        "curves": linked["curves"].scene(PictureSettings()),
        "matrix": matrix_picture(alignment, source.split(), target.split()),
        "right-to-left": curves_picture(arabic, ARABIC, ENGLISH),
        "lattice": predicted["lattice"].scene(PictureSettings()),
        "precedence": predicted["precedence"].scene(PictureSettings()),
        "anticipation": anticipation_chart(ORDER),
        "source-order": source_order_curves(),
        "lines": lines(),
        "scaled": scaled(),
        "dots": dots(),
    }


def source_order_curves() -> Scene:
    """Draw the anticipation of the sample: of people, of a model, and of a monotone translation."""
    source, target = (sample(f"text.{side}").read_text("utf-8").splitlines() for side in ("en", "ja"))
    links = list(read_records(str(sample("text.align"))))
    straight = [Alignment(n, n, [(k, k) for k in range(n)]) for n in (len(line.split()) for line in source)]
    found = source_order(
        source,
        {"monotone": source},
        references={"people": target},
        model=load_preorderer("en-multi-crf", language="ja"),
        alignments={"people": links, "monotone": straight},
    )
    return curve_chart(found)


def lines() -> Scene:
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


def scaled() -> Scene:
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


def dots() -> Scene:
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
