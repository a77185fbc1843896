"""Judgments that say little: one system, one segment, equal texts, equal ratings. No warning may leak."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import run_here
from wordorder.core.resample import bootstrap_sums, swapped_sums
from wordorder.judge.level_set import recentred

MEASURES = [
    "tau:ties=counted",
    "consistency",
    "accuracy:ties=calibrated,average=segments",
    "accuracy:ties=exact,average=none",
    "pearson",
    "spearman",
    "kendall",
    "kendall:average=segments",
]
TESTS = ["bootstrap", "randomisation", "williams", "t-test"]


def write_judgments(folder: Path, rng: random.Random) -> None:
    """Write few judgments of few systems, some of which are all the same."""
    equal_texts, equal_ratings = rng.random() < 0.4, rng.random() < 0.4
    segments, systems = rng.choice([1, 2, 5]), rng.choice([1, 2, 3])

    def text() -> str:
        return "a b c" if equal_texts else " ".join(rng.choices("abcd", k=rng.randint(1, 5)))

    rows: dict[str, list[tuple[object, ...]]] = {
        "segments.tsv": [("lp", "testset", "segment", "source", "reference")],
        "outputs.tsv": [("lp", "testset", "segment", "system", "output")],
        "da.tsv": [("lp", "testset", "segment", "system", "z")],
        "pairs.tsv": [
            ("lp", "testset", "segment", "system_a", "system_b", "a_better", "b_better", "tie"),
        ],
    }
    for segment in range(1, segments + 1):
        place = ("xx-en", "test", segment)
        rows["segments.tsv"].append((*place, "x y z", text()))
        for system in range(systems):
            rows["outputs.tsv"].append((*place, f"s{system}", text()))
            rows["da.tsv"].append(
                (*place, f"s{system}", 1 if equal_ratings else rng.choice([0, 1, 1e30, -3]))
            )
        for a, b in itertools.combinations(range(systems), 2):
            votes = (0, 0, 1) if equal_ratings else (rng.randint(0, 2), rng.randint(0, 2), 0)
            rows["pairs.tsv"].append((*place, f"s{a}", f"s{b}", *votes))
    del rows[rng.choice(["da.tsv", "pairs.tsv"])]
    for name, lines in rows.items():
        (folder / name).write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))


@pytest.mark.parametrize("seed", range(60))
def test_little_is_reported_without_warnings(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    write_judgments(tmp_path, rng)
    done = run_here(
        "judge", str(tmp_path), "-m", "kendall,chrf", "--no-cache", "--processes", "1", "--baseline", "chrf",
        "--samples", rng.choice(["0", "1", "20"]), "--measure", rng.choice(MEASURES),
        "--level", rng.choice(["segment", "system", "both"]), "--paired", rng.choice(TESTS),
    )  # fmt: skip
    assert done.returncode in (0, 2, 3) and "Warning" not in done.stderr


def test_no_samples_are_no_sums() -> None:
    stats = np.ones((3, 2))
    assert (
        bootstrap_sums(stats, samples=0, seed=1).shape
        == swapped_sums(stats, samples=0, seed=1).shape
        == (0, 2)
    )


def test_correlations_that_no_sample_has() -> None:
    resampled = np.array([[np.nan, 0.5], [np.nan, 0.5]])
    assert np.array_equal(recentred(np.array([0.5, 0.5]), resampled)[:, 0], [np.nan, np.nan], equal_nan=True)
