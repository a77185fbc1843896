"""The learned forest score: its kernel against a slow twin, its weights, its place among the settings."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import permutations as slow
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutations
from wordorder.data import package_file
from wordorder.errors import BadSetting
from wordorder.metrics import from_signature, metric
from wordorder.metrics.learned import FILE, ForestWeights, forest_weights
from wordorder.metrics.recursive import RecPef
from wordorder.metrics.registry import spec_of

SHIPPED = forest_weights()
numbers = st.floats(0.0, 1.5)
weights = st.builds(
    ForestWeights,
    inverted=st.floats(0.01, 5),
    prime=st.floats(0.01, 5),
    arity=numbers,
    span=st.floats(-1, 1),
    length=numbers,
)


def plain(made: ForestWeights) -> dict[str, Any]:
    return {key: getattr(made, key) for key in ("inverted", "prime", "arity", "span", "length")}


@given(weights, st.integers(0, 7).flatmap(lambda n: st.permutations(range(n))))
def test_the_kernel_is_the_slow_twin(made: ForestWeights, order: list[int]) -> None:
    found = made.scores(Permutations([order]))[0]
    assert found == pytest.approx(slow.learned_score(tuple(order), **plain(made)), rel=1e-10, abs=1e-300)


def test_all_small_permutations_with_the_weights_of_the_package() -> None:
    perms = list(slow.all_permutations(6))
    found = metric("recpef:weights=learned").score_orders(Permutations(perms))  # type: ignore[attr-defined]
    assert np.abs(found - [slow.learned_score(p, **plain(SHIPPED)) for p in perms]).max() < 1e-12


def test_longer_permutations_against_the_packed_forest() -> None:
    def packed(p: slow.Perm) -> float:
        cost: dict[slow.Span, float] = {}
        for e in sorted(Forest(p).entries(), key=lambda e: e.end - e.begin):
            i, j = e.begin, e.end
            cost[i, j] = 0.0
            if e.operator is not None and tuple(e.operator) != (0, 1):
                k = len(e.operator)
                own = SHIPPED.inverted if k == 2 else SHIPPED.prime * (k - 3.0) ** SHIPPED.arity
                cost[i, j] = own * (j - i) ** SHIPPED.span
            sums = [sum(cost[s] for s in pairwise([i, *inner, j])) for inner in e.inferences if inner]
            cost[i, j] += sum(sums) / len(sums) if sums else 0.0
        return float(np.exp(-cost[0, len(p)] / len(p) ** SHIPPED.length))

    perms = list(slow.random_permutations(200, 60))
    blocks = [v for k in range(38, -1, -2) for v in (k, k + 1)]  # an inverted chain of longer children
    perms += [tuple(range(40))[::-1], tuple(blocks), (40, *blocks), (*blocks, 40)]
    found = SHIPPED.scores(Permutations(perms))
    assert np.abs(found - [packed(p) for p in perms]).max() < 1e-12


def test_only_the_perfect_order_is_perfect() -> None:
    perms = list(slow.all_permutations(6)) + list(slow.random_permutations(200, 200))
    for p, score in zip(perms, SHIPPED.scores(Permutations(perms)).tolist(), strict=True):
        assert (score == 1.0) == (p == tuple(range(len(p)))), p
        assert 0.0 < score <= 1.0
    assert SHIPPED.scores(Permutations([range(100_000), range(100_000)[::-1]]))[0] == 1.0


def test_no_words_one_word_two_words() -> None:
    made = metric("recpef:weights=learned")
    two = np.exp(-SHIPPED.inverted * 2 ** (SHIPPED.span - SHIPPED.length))
    for order, score in (((), 1.0), ((0,), 1.0), ((0, 1), 1.0), ((1, 0), two)):
        assert made(order) == pytest.approx(score, abs=1e-15)  # type: ignore[operator]


def test_the_file_of_weights_is_well_formed() -> None:
    read = orjson.loads(package_file(FILE).read_bytes())
    assert set(read) == {"weights", "learned_from", "seed"}
    assert ForestWeights(**read["weights"]) == SHIPPED
    assert read["learned_from"] == sorted(read["learned_from"]) and len(read["learned_from"]) == 5


def test_the_signature_tells_the_weights_and_the_others_are_as_before() -> None:
    made = metric("recpef:weights=learned")
    assert re.fullmatch(
        rf"recpef\|weights:learned\|agg:macro\|short:1\.0\|learned:{SHIPPED.tag}\|v:.*", made.order_signature
    )
    assert from_signature(made.signature) == made
    assert spec_of(made) == "recpef:weights=learned"
    with pytest.raises(BadSetting, match="does not have learned:00000000"):
        from_signature(made.signature.replace(SHIPPED.tag, "00000000"))
    assert "weights" not in metric("recpef").signature and "learned" not in metric("recpef").signature
    assert RecPef(weights="none") == metric("recpef")


@pytest.mark.parametrize("other", ["beta=0.5", "gamma=0.1", "op=ulam", "mean=trees", "variant=beer11"])
def test_what_is_learned_cannot_be_set(other: str) -> None:
    with pytest.raises(BadSetting, match=f"weights=learned has no {other.partition('=')[0]}"):
        metric(f"recpef:weights=learned,{other}")


@pytest.mark.parametrize(
    "wrong", [{"inverted": 0.0}, {"prime": -1.0}, {"span": float("nan")}, {"length": 1e9}]
)
def test_weights_that_make_no_score_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadSetting, match="learned weights"):
        ForestWeights(**{**plain(SHIPPED), **wrong})


def test_inside_the_full_metric_and_on_text() -> None:
    full = metric("full:order=recpef/weights=learned")
    assert full.corpus_score(["b a c"], [["a b c"]]).score == pytest.approx(0.5 + 0.5 * SHIPPED.scores(
        Permutations([[1, 0, 2]])
    )[0])  # fmt: skip
    assert metric("recpef:weights=learned").corpus_score(["x"], [["a b c"]]).score == 0.0
