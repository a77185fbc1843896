"""Training: the optimum is one, signs are kept, and held-out years stay unseen."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.judge.simulated import judgments
from wordorder.data import sample_judgments
from wordorder.errors import BadSetting
from wordorder.judge.records import Judgments
from wordorder.tune.beer import train
from wordorder.tune.ranking import Examples, differences, fit, taus

pytest.importorskip("scipy")


def simulated(seed: int, truth: np.ndarray, segments: int = 150) -> Examples:
    """Judges who follow known weights, with logistic noise."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(segments * 3, len(truth))).astype(np.float32)
    liked = features @ truth
    pairs = []
    for s in range(segments):
        for i, j in itertools.combinations(range(3), 2):
            a, b = 3 * s + i, 3 * s + j
            first = bool(liked[a] - liked[b] + rng.logistic() > 0)
            pairs.append((a, b, int(first), int(not first), 0))
    return Examples(judgments(segments, 3, pairs=pairs, name=f"wmt{12 + seed}"), features)


def test_weights_are_found_and_keep_their_sign() -> None:
    truth = np.array([1.5, -0.7, 0.0, 0.4])
    rows, weights = differences([simulated(k, truth, 800) for k in range(3)])
    assert weights.sum() == pytest.approx(1.0, abs=1e-5)
    found = fit(rows, weights, [1, -1, 1, 1], penalty=1e-6)
    assert found == pytest.approx(truth, abs=0.15)
    turned = fit(rows, weights, [-1, -1, 1, 1], penalty=1e-6)
    assert turned[0] == 0.0 and (turned * [-1, -1, 1, 1] >= 0).all()


def test_the_optimum_is_flat() -> None:
    """At the weights found no small step that keeps the signs makes the preferences likelier."""
    rows, weights = differences([simulated(1, np.array([1.0, -0.5, 0.2]))])
    signs, penalty = [1, -1, 1], 1e-4
    spread = np.sqrt(weights @ (rows * rows))

    def loss(w: np.ndarray) -> float:
        return float(weights @ np.logaddexp(0, -(rows @ w))) + penalty * float(((w * spread) ** 2).sum())

    found = fit(rows, weights, signs, penalty=penalty)
    for k, step in itertools.product(range(3), (-0.01, 0.01)):
        moved = found.copy()
        moved[k] += step
        if moved[k] * signs[k] >= 0:
            assert loss(moved) >= loss(found) - 1e-6


def test_taus_count_ties() -> None:
    one = Examples(
        judgments(1, 3, pairs=[(0, 1, 1, 0, 0), (1, 2, 1, 0, 0)]), np.array([[1], [0], [0]], np.float32)
    )
    assert taus([one], np.array([1.0])).tolist() == [0.5]


def sets() -> list[Judgments]:
    from wordorder.judge.tables import read_tables

    (one,) = read_tables(str(sample_judgments()))
    return [replace(one, collection=name) for name in ("wmt12", "wmt13", "wmt14")]


def test_held_out_years_are_not_learned_from() -> None:
    made = sets()
    trained = train(made, templates="char1-3.sf1 ngram1-2.sf1 len_disbalance_word.d", penalties=[1e-4])
    assert [report.year for report in trained.years] == [2012, 2013, 2014]
    preferences = made[0].preferences
    assert preferences is not None
    turned = type(preferences)(
        preferences.first, preferences.second, preferences.losses, preferences.wins, preferences.ties
    )
    other = train(
        [replace(made[0], preferences=turned), *made[1:]],
        templates="char1-3.sf1 ngram1-2.sf1 len_disbalance_word.d",
        penalties=[1e-4],
    )
    assert other.years[0].mean == pytest.approx(-trained.years[0].mean)
    with pytest.raises(BadSetting, match="two years"):
        train(made[:1])


def test_the_command(tmp_path: Path) -> None:
    for name in ("wmt12", "wmt13"):
        shutil.copytree(sample_judgments(), tmp_path / name)
    model = tmp_path / "model.json"
    command = [
        sys.executable,
        "-m",
        "wordorder",
        "train-metric",
        str(tmp_path / "wmt12"),
        str(tmp_path / "wmt13"),
    ]
    done = subprocess.run(
        [*command, "--out", str(model), "--templates", "char1-4.sf1 ngram1-2.sf1"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0 and "held out" in done.stdout, done.stderr
    card = json.loads(model.read_text())["card"]
    assert card["judgments"] == 306 and set(card["held_out_tau"]) == {"2012", "2013"}
    again = tmp_path / "again.json"
    subprocess.run(
        [*command, "--out", str(again), "--templates", "char1-4.sf1 ngram1-2.sf1"],
        check=True,
        capture_output=True,
    )
    assert again.read_bytes() == model.read_bytes()  # nothing is random
