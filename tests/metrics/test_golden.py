"""Figures printed by the papers and by other programs."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from wordorder.core.permutation import Permutation, Permutations
from wordorder.metrics import metric

BEER11 = {
    "kendall": "kendall:variant=beer11",
    "spearman": "spearman:variant=beer11",
    "hamming": "hamming:variant=beer11",
    "ulam": "ulam:variant=beer11",
    "fuzzy": "fuzzy:variant=beer11",
    "PEF0.6": "recpef:variant=beer11",
    "PEFold0.6": "recpef:variant=beer11,mean=inferences",
    "PETcanon0.6": "recpet:variant=beer11",
    "PETflat0.6": "recpet:variant=beer11,tree=flat",
    "PETviterbi0.6": "recpet:variant=beer11,tree=best",
    "maxArity": "max_operator:variant=beer11",
    "avgArity": "mean_operator:variant=beer11",
    "nodeCount": "pet_size:variant=beer11",
    "countRatio": "pet_count:variant=beer11",
}


def compare(path: Path) -> int:
    with path.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader((line for line in lines if not line.startswith("#")), delimiter="\t"))
    batch = Permutations([[int(v) for v in row["perm"].split()] for row in rows])
    for column, spec in BEER11.items():
        printed = np.array([float(row[column]) for row in rows])
        assert np.abs(metric(spec).score_orders(batch) - printed).max() < 1e-9, (column, spec)
    return len(rows)


def test_beer11_variants_reproduce_the_program() -> None:
    assert compare(Path(__file__).parents[1] / "golden" / "beer11.tsv") == 37


@pytest.mark.shared
def test_beer11_variants_reproduce_the_program_on_all_known_figures(shared: Path) -> None:
    assert compare(shared / "golden" / "beer11_permutation_scores.tsv") == 600


@pytest.mark.parametrize(
    ("spec", "text", "value"),
    [
        # The notes on the released program: thesis 0.6, program 0.789...; thesis, figure 4.4.
        ("recpef", "1 3 2", 0.6),
        ("recpef:variant=beer11", "1 3 2", 0.7894736842105263),
        # Birch and Osborne 2010, table 1: monotone, a local swap, halves swapped, one word moved far.
        ("hamming", "1 2 3 4 5 6 7 8 9 10", 1.0),
        ("hamming", "1 2 3 4 6 5 7 8 9 10", 0.8),
        ("hamming", "6 7 8 9 10 1 2 3 4 5", 0.0),
        ("hamming", "2 3 4 5 6 7 8 9 10 1", 0.0),
        ("kendall", "1 2 3 4 5 6 7 8 9 10", 1.0),
        ("kendall", "1 2 3 4 6 5 7 8 9 10", 1 - 1 / 45),
        ("kendall", "6 7 8 9 10 1 2 3 4 5", 1 - 25 / 45),
        ("kendall", "2 3 4 5 6 7 8 9 10 1", 1 - 9 / 45),
        # One permutation, one name, many values: what others compute for 2 0 1 3.
        ("kendall", "3 1 2 4", 2 / 3),
        ("kendall:scale=tau", "3 1 2 4", 1 / 3),
        ("kendall:scale=sqrt", "3 1 2 4", 1 - (1 / 3) ** 0.5),
        ("fuzzy", "3 1 2 4", 1 / 3),
        ("fuzzy:joints=boundary", "3 1 2 4", 0.4),
        ("kendall", "3 2 1 4", 0.5),
        ("fuzzy:joints=boundary", "3 2 1 4", 0.2),
        ("kendall", "3 1 2", 1 / 3),
        ("fuzzy", "3 1 2", 0.5),
        ("fuzzy:joints=boundary", "3 1 2", 0.25),
        # Stanojević and Sima'an 2014, introduction: "B because A" is two inversions of blocks, whose
        # inner order is still rewarded: the mean over its two trees, each worth 0.4 of its parts.
        ("recpef", "5 6 7 4 1 2 3", 0.4 * (0.4 + 1.0) / 2),
        # Figure 1: one ⟨2,4,1,3⟩ over a chain.
        ("pet_size", "2 4 5 6 1 3", 0.5),
        ("max_operator", "2 4 5 6 1 3", 0.5),
        ("recpef", "2 4 5 6 1 3", 0.4),
        ("recpet", "2 4 5 6 1 3", 0.4),
        # Figure 3: five trees of four inverted words, all scores of order but the tree counts are nothing.
        ("pet_count", "4 3 2 1", 1.0),
        ("recpef", "4 3 2 1", 0.0),
        # Figure 3: an inverted root over an inverted node above ⟨2,4,1,3⟩, and over a monotone pair.
        ("recpet", "5 7 4 6 3 1 2", 0.4 * (0.4 * 0.0 + 1.0) / 2),
        # 2016, figure 1: simpler orders score higher.
        ("max_operator", "6 1 4 2 3 5", 1.0),
        ("pet_size", "6 1 5 2 3 4", 1.0),
    ],
)
def test_worked_examples(spec: str, text: str, value: float) -> None:
    assert metric(spec)(Permutation.parse(text)) == pytest.approx(value, abs=1e-12)
