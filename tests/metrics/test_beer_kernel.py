"""Kernels of BEER 2.0 written out: the terms, their order, and scores with them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from math import comb
from pathlib import Path

import numpy as np
import pytest

from wordorder.metrics.beer.beer20_kernel import expansion
from wordorder.metrics.beer.beer20_model import read_beer20

# Which features are multiplied, as the loops of the program list them; none: the constant.
ORDER = {
    (2, 1): ["00", "0", ""],
    (2, 3): ["00", "0", "01", "02", "11", "1", "12", "22", "2", ""],
    (3, 1): ["000", "00", "0", ""],
    (3, 3): [
        "000", "00", "0", "001", "011", "01", "012", "002", "022", "02",
        "111", "11", "1", "112", "122", "12", "222", "22", "2", "",
    ],
}  # fmt: skip
PRIMES = np.array([[2.0, 3.0, 5.0, 7.0, 11.0, 13.0]])


def roots(degree: int, term: str) -> float:
    """The root of the number of ways in which a product comes about in (x·y + 1)^degree."""
    ways, left = 1, degree
    for factor in sorted(set(term)):
        ways *= comb(left, term.count(factor))
        left -= term.count(factor)
    return float(np.sqrt(ways))


@pytest.mark.parametrize(("degree", "size"), list(ORDER))
@pytest.mark.parametrize("gamma", [1.0, 0.25, 8.0])
def test_terms_stand_in_the_order_of_the_weights(degree: int, size: int, gamma: float) -> None:
    numbers = PRIMES[:, :size]
    expected = [
        roots(degree, term) * gamma ** (len(term) / 2) * np.prod([numbers[0, int(c)] for c in term])
        for term in ORDER[degree, size]
    ]
    assert expansion(degree, gamma, size).values(numbers)[0] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("degree", [2, 3])
def test_every_product_is_there_once(degree: int) -> None:
    numbers = np.log(PRIMES)  # sums of logarithms of primes tell products apart
    places = expansion(degree, 1.0, 6).places
    row = np.concatenate([numbers, [[0.0]], 3 * numbers], axis=1)[0]
    found = sum(row[place] for place in places)
    every = [
        sum(numbers[0, k] for k in chosen)
        for length in range(degree + 1)
        for chosen in combinations_with_replacement(range(6), length)
    ]
    assert sorted(found) == pytest.approx(sorted(every), abs=1e-12)


@pytest.mark.parametrize("degree", [2, 3])
def test_written_out_it_is_the_kernel(degree: int) -> None:
    rng = np.random.default_rng(5)
    for gamma in (2.0**-7, 1.0, 3.0):
        made = expansion(degree, gamma, 7)
        one, other = rng.normal(size=(2, 20, 7))
        kernel = (gamma * (one * other).sum(axis=1) + 1) ** degree
        assert (made.values(one) * made.values(other)).sum(axis=1) == pytest.approx(
            kernel, rel=1e-9, abs=1e-9
        )
        weights = rng.normal(size=len(made))
        slow = [sum(w * v for w, v in zip(weights, row, strict=True)) for row in made.values(one)]
        assert made.sums(one, weights).tolist() == slow  # one after the other, so to the last digit


def test_the_number_of_terms() -> None:
    for size in range(1, 12):
        assert len(expansion(2, 1.0, size)) == comb(size + 2, 2)
        assert len(expansion(3, 1.0, size)) == comb(size + 3, 3)
    assert len(expansion(3, 1.0, 62)) == comb(65, 3)


def folder(place: Path, degree: int, weights: list[float]) -> Path:
    """A model with two features, word and length."""
    files = {
        "feature_template.yaml": "features:\n  -\n    name: ngram\n    order: 1\n    symmetry: true\n"
        "  -\n    name: length-disbalance\n    exponential: false\n",
        "feature_names_mapping": "0 len_disbalance_word.d.1.0\n1 ngram1.a\n",
        "feature_values_scaling": "0.0 2.0\n0.0 1.0\n",
        "core_model": "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 5\nbias 0.0\nw\n"
        + "".join(f"{weight} \n" for weight in weights),
        "kernel.properties": f"#kernel properties\ngamma=0.5\npolynomialDegree={degree}\nC=1.0\n",
        "platt_scaling.properties": "A=-1.0\nB=0.5\n",
    }
    for name, text in files.items():
        (place / name).write_text(text, encoding="utf-8")
    return place


def test_a_model_of_degree_2_by_hand(tmp_path: Path) -> None:
    w = [0.5, -1.0, 2.0, 0.25, 3.0, 0.125]
    model = read_beer20(folder(tmp_path, 2, w))
    # "a b" and "a c d": pieces a, b, <S> a, b </S> and a, c, d, <S> a, d </S>; half as long again.
    x, y = (3 / 2 - 1) / 2, 2 / 5
    terms = [0.5 * x * x, x, 2**0.5 * 0.5 * x * y, 0.5 * y * y, y, 1.0]
    raw = sum(a * b for a, b in zip(w, terms, strict=True))
    assert model.margins(["a b"], ["a c d"])[0] == pytest.approx(raw, rel=1e-15)
    assert model.scores(["a b"], ["a c d"])[0] == pytest.approx(1 / (1 + np.exp(0.5 - raw)), rel=1e-15)


def test_a_model_of_degree_3_by_hand_and_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    w = [1.0, 0.5, -1.0, 2.0, 0.25, 3.0, 0.125, -2.0, 1.5, 0.75]
    model = read_beer20(folder(tmp_path, 3, w))
    x, y, g, s = 0.25, 0.4, 0.5**1.5, 3**0.5
    terms = [g * x**3, s * 0.5 * x * x, 1.5**0.5 * x]
    terms += [s * g * x * x * y, s * g * x * y * y, 6**0.5 * 0.5 * x * y]
    terms += [g * y**3, s * 0.5 * y * y, 1.5**0.5 * y, 1.0]
    raw = sum(a * b for a, b in zip(w, terms, strict=True))
    assert model.margins(["a b"], ["a c d"])[0] == pytest.approx(raw, rel=1e-14)
    many = ["a b", "a", "b c d", ""] * 5
    whole = model.margins(many, many[::-1])
    monkeypatch.setattr("wordorder.metrics.beer.beer20_kernel.TERMS", 30)
    assert model.margins(many, many[::-1]).tolist() == whole.tolist()


def test_platt_scaling_far_from_the_middle(tmp_path: Path) -> None:
    model = read_beer20(folder(tmp_path, 2, [0.0, 0.0, 0.0, 0.0, 5000.0, 0.0]))
    low = read_beer20(folder(tmp_path, 2, [0.0, 0.0, 0.0, 0.0, -5000.0, 0.0]))
    assert model.scores(["a"], ["a"])[0] == 1.0 and low.scores(["a"], ["a"])[0] == 0.0
