"""Probabilities against how often they are right, beside the slow and obvious."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from tests.preorder.test_crf_features import SMALL, corpus
from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting, WordOrderError
from wordorder.evaluate.calibration import calibrate, gold_pairs, reliability, wilson
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import Source, TrainingData, preorderer
from wordorder.preorder.grammar import ReorderingGrammar


def random_alignment(rng: np.random.Generator) -> Alignment:
    n, m = int(rng.integers(0, 7)), int(rng.integers(1, 6))
    links = [(i, j) for i in range(n) for j in range(m) if rng.random() < 0.3]
    return Alignment(n, m, links)


def test_pairs_of_linked_words_that_have_an_order() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        one = random_alignment(rng)
        expected = []
        for a, b in itertools.permutations(range(one.source_size), 2):
            mine, other = ([j for i, j in one.links if i == word] for word in (a, b))
            if not mine or not other or (min(mine), max(mine)) == (min(other), max(other)):
                continue
            if min(mine) <= min(other) and max(mine) <= max(other):
                expected.append([a, b])
        assert gold_pairs(one).tolist() == expected


@pytest.mark.parametrize("binning", ["width", "count"])
def test_bins_and_scores(binning: str) -> None:
    rng = np.random.default_rng(1)
    chances = np.concatenate([rng.random(500) ** 0.2, [0.0, 1.0, 1.0, 0.5]])
    right = rng.random(504) < chances
    right[:3] = False
    found = reliability(chances, right, 8, binning)  # type: ignore[arg-type]
    assert (found.count, found.right) == (504, sum(right))
    assert sum(one.count for one in found.bins) == 504
    error = 0.0
    for b, one in enumerate(found.bins):
        last = b == len(found.bins) - 1
        rows = [
            (p, good)
            for p, good in zip(chances.tolist(), right.tolist(), strict=True)
            if one.low <= p and (p < one.high or (last and p <= one.high))
        ]
        assert one.count == len(rows)
        assert one.mean == pytest.approx(sum(p for p, _ in rows) / len(rows))
        assert one.share == pytest.approx(sum(good for _, good in rows) / len(rows))
        assert one.interval.low <= one.share <= one.interval.high
        error += len(rows) / 504 * abs(one.mean - one.share)
    assert found.error == pytest.approx(error)
    assert found.brier == pytest.approx(
        sum((p - good) ** 2 for p, good in zip(chances, right, strict=True)) / 504
    )
    kept = [min(max(p, 1e-6), 1 - 1e-6) for p in chances.tolist()]
    lost = [-math.log(p if good else 1 - p) for p, good in zip(kept, right.tolist(), strict=True)]
    assert found.log_loss == pytest.approx(sum(lost) / 504)
    if binning == "count":
        assert max(one.count for one in found.bins) <= 66


def test_honest_probabilities_have_little_error_and_intervals_cover() -> None:
    rng = np.random.default_rng(2)
    chances = rng.random(40_000)
    right = rng.random(40_000) < chances**2
    honest, boastful = reliability(chances**2, right, 10), reliability(chances, right, 10)
    assert honest.error < 0.01 < 0.1 < boastful.error
    assert honest.brier < boastful.brier and honest.log_loss < boastful.log_loss
    covered = 0
    for _ in range(400):
        around = wilson(int((rng.random(40) < 0.9).sum()), 40)
        covered += around.low <= 0.9 <= around.high
    assert 0.92 <= covered / 400 <= 0.985
    assert wilson(0, 5).low == 0.0 and wilson(5, 5).high == 1.0


def test_a_model_by_hand() -> None:
    sources, alignments = corpus(60)
    test, gold = corpus(30, seed=5)
    test.append(Source(()))
    gold.append(Alignment(0, 0))
    gold.append(Alignment(3, 3, [(0, 0), (0, 2), (1, 1), (2, 1)]))  # one span lies inside another
    test.append(Source(tuple("abc")))
    for made in (
        SMALL.fit(TrainingData(sources, alignments)),
        ReorderingGrammar(binary=2, iterations=2).fit(TrainingData(sources, alignments)),
    ):
        found = calibrate(made, test, gold, bins=5)
        chances, right, wholes = [], [], []
        for source, alignment in zip(test, gold, strict=True):
            order, table = made.reorder_batch([source])[0], made.precedence_batch([source])[0]
            pairs = gold_pairs(alignment).tolist()
            read = [(a, b) if order.ranks[a] < order.ranks[b] else (b, a) for a, b in pairs]
            chances += [table[pair] for pair in read]
            right += [[a, b] in pairs for a, b in read]
            if pairs and alignment is not gold[-1]:
                known = made.agreement([source], [read])[0]
                known = made.log_probability_batch([source], [order])[0] if known is None else known
                wholes.append((math.exp(known), all([a, b] in pairs for a, b in read)))
        assert found.pairs == reliability(np.array(chances), np.array(right), 5)
        assert found.orders == reliability(*map(np.array, zip(*wholes, strict=True)), 5)
        assert found.is_open == (made.name == "crf")
        # Sentences without a pair have no order that could be wrong.
        some = [s for s in range(30) if len(gold_pairs(gold[s]))]
        assert found.orders.count == found.consistent == len(some)
        scored = evaluate_orders(
            [gold[s] for s in some],
            {"it": made.reorder_batch([test[s] for s in some])},
            variants=["nakagawa"],
            samples=0,
        )
        assert found.orders.right / len(some) == pytest.approx(scored.variants[0].cells["it"]["exact"].score)
        assert found.as_dict()["orders"]["count"] == len(some)


def test_what_cannot_be_calibrated() -> None:
    with pytest.raises(BadSetting, match="identity has no probabilities"):
        calibrate(preorderer("identity"), [Source(("a",))], [Alignment(1, 1)])
    made = SMALL.fit(TrainingData(*corpus(5)))
    with pytest.raises(WordOrderError, match="no sentences"):
        calibrate(made, [], [])
    with pytest.raises(WordOrderError, match="the links order no pair of words"):
        calibrate(made, [Source(("a",))], [Alignment(1, 1, [(0, 0)])])
