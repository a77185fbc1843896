"""Lattices: what their weights mean, how far arcs advance, and that the reader of Moses takes all of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.test_lattice import some_orders, some_table
from tests.oracle import moses
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import expected_loss
from wordorder.preorder.lattices import LatticeOptions, OrderLattice, lattice_lines, order_lattice
from wordorder.preorder.source import Candidate
from wordorder.text.escapes import escaped


def some_candidates(
    n: int, count: int, seed: int, *, known: bool = True
) -> tuple[list[Candidate], np.ndarray]:  # type: ignore[type-arg]
    """Orders by expected loss, with probabilities that have nothing to do with the losses."""
    rng = np.random.default_rng(seed)
    table = some_table(n, rng)
    orders = some_orders(n, count, rng) if n > 1 else [Permutation.from_order(range(n))]
    log_probs = np.log(rng.dirichlet(np.ones(len(orders)))) - 2.0
    found = [
        Candidate(order, expected_loss(order, table), float(log_prob) if known else None)
        for order, log_prob in zip(orders, log_probs, strict=True)
    ]
    return sorted(found, key=lambda one: one.loss), table


def weights(made: OrderLattice) -> dict[Permutation, float]:
    return {path.order: path.log_prob for path in made.graph.orders()}


def softmax_of_losses(candidates: list[Candidate], temperature: float) -> dict[Permutation, float]:
    """The formula of the documentation: pairs in the wrong order, divided by the temperature."""
    n = len(candidates[0].order)
    wrong = [one.loss * n * (n - 1) / 2 for one in candidates]
    total = sum(math.exp(-each / temperature) for each in wrong)
    chances = [math.exp(-each / temperature) / total for each in wrong]
    return {one.order: math.log(chance) for one, chance in zip(candidates, chances, strict=True)}


def test_weights_are_log_probabilities_or_losses() -> None:
    candidates, table = some_candidates(6, 12, 1)
    expected = {one.order: one.log_prob for one in candidates}
    assert weights(order_lattice(candidates, table)) == pytest.approx(expected, abs=1e-5)
    for temperature in (0.5, 1.0, 3.0):
        options = LatticeOptions(weights="loss", temperature=temperature)
        expected = softmax_of_losses(candidates, temperature)
        assert weights(order_lattice(candidates, table, options)) == pytest.approx(expected, abs=1e-5)


def test_losses_serve_where_no_probability_is_known() -> None:
    candidates, table = some_candidates(6, 12, 2, known=False)
    options = LatticeOptions(temperature=2.0)
    expected = softmax_of_losses(candidates, 2.0)
    assert weights(order_lattice(candidates, table, options)) == pytest.approx(expected, abs=1e-5)
    impossible = [one._replace(log_prob=-math.inf) for one in candidates]
    assert weights(order_lattice(impossible, table, options)) == pytest.approx(expected, abs=1e-5)
    some = [one._replace(log_prob=-1.0 - k) for k, one in enumerate(candidates[:2])]
    made = weights(order_lattice([*some, *impossible[2:]], table))
    assert made == pytest.approx({one.order: one.log_prob for one in some}, abs=1e-5)


@pytest.mark.parametrize("limit", [1, 2, 5, 9])
def test_the_least_probable_orders_are_left_out_for_short_jumps(limit: int) -> None:
    for seed in range(5):
        candidates, table = some_candidates(8, 60, seed)
        whole = order_lattice(candidates, table)
        assert whole.graph.jump > 9 and whole.left_out == 0
        made = order_lattice(candidates, table, LatticeOptions(max_jump=limit))
        kept, everything = weights(made), weights(whole)
        assert made.graph.jump <= limit and len(kept) + made.left_out == len(candidates)
        first, *others = candidates
        ranked = [first, *sorted(others, key=lambda one: -(one.log_prob or 0.0))]
        assert kept.keys() == {one.order for one in ranked[: len(kept)]}
        assert kept == pytest.approx({order: everything[order] for order in kept}, abs=1e-5)
        one_more = order_lattice(ranked[: len(kept) + 1], table).graph
        assert one_more.jump > limit
    assert order_lattice(candidates, table, LatticeOptions(max_jump=whole.graph.jump)).left_out == 0


def test_what_cannot_be_wanted() -> None:
    for wrong, said in [
        ({"weights": "odds"}, "unknown weights 'odds'; expected one of probability, loss"),
        ({"temperature": 0.0}, "temperature is 0.0; expected a number above 0"),
        ({"temperature": math.nan}, "temperature is nan"),
        ({"max_jump": 0}, "arcs advance by 0 states"),
    ]:
        with pytest.raises(BadSetting, match=said):
            LatticeOptions(**wrong)  # type: ignore[arg-type]


HOSTILE = ["'", "\\", "\\'", "''", "|", "|||", "a|b", "[X]", "<seg", "*EPS*", "(", "),", "',1.0,1)", "&",
           "&empty;", "&amp;", "木", "\u3000", "\u2028", ",", '"', "=", "1.0"]  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sampled_from(HOSTILE), max_size=7), min_size=1, max_size=4), st.integers(0, 9))
def test_the_reader_of_moses_takes_every_lattice(sentences: list[list[str]], seed: int) -> None:
    for form, numbers in (("plf", 1), ("plf-named", 0)):
        text, expected = "", []
        for words in sentences:
            candidates, table = some_candidates(len(words), min(12, math.factorial(len(words))), seed)
            made = order_lattice(candidates, table)
            shown = [escaped(word) for word in words]
            (line,) = lattice_lines(made.graph, shown, form=form, placeholder=True)
            text += f"{line}\n"
            expected.append(sorted(tuple(one.order.apply(shown)) for one in candidates))
        read = moses.read_lattices(text, numbers=numbers)
        assert len(read) == len(sentences)
        for states, words, orders in zip(read, sentences, expected, strict=True):
            if numbers:
                found = list(moses.paths(states))
                assert sorted(order for order, _ in found) == (orders if words else [("&empty;",)])
                assert sum(math.exp(total) for _, total in found) == pytest.approx(1, abs=1e-4)


def test_long_sentences_and_tiny_probabilities() -> None:
    n = 300
    same = list(range(n))
    orders = [same, same[1::-1] + same[2:], [*same[:-2], n - 1, n - 2]]
    candidates = [Candidate(Permutation.from_order(order), 0.0, -900.0 - k) for k, order in enumerate(orders)]
    made = order_lattice(candidates, np.zeros((n, n)))
    (line,) = lattice_lines(made.graph, ["w"] * n, form="plf")
    (states,) = moses.read_lattices(f"{line}\n")
    chances = []
    for order in orders:  # follow the arcs, which are in the order of positions
        state, total = 0, 0.0
        by_state = dict(made.graph.out())
        for position in order:
            (a,) = [a for a in by_state[state] if made.graph.arcs[a, 2] == position]
            _, (weight,), _, step = states[state][a - by_state[state].start]
            state, total = state + step, total + math.log(weight)
        chances.append(total)
    assert np.diff(chances) == pytest.approx([-1, -1], abs=1e-3)
    assert sum(map(math.exp, chances)) == pytest.approx(1, abs=1e-4)


def test_the_strict_reader_is_strict() -> None:
    good = "((('a',1.0,1),),)\n"
    assert len(moses.read_lattices(good * 3)) == 3
    for bad in (
        "\n",
        good + "\n" + good,
        good[:-1],
        "()\n",
        "((('a|b',1.0,1),),)\n",
        "((('*EPS*',1.0,1),),)\n",
        "((('a',0.0,1),),)\n",
        "((('a',1e-50,1),),)\n",
        "((('a',0.5,0.5,1),),)\n",
        "((('a',1.0,2),),)\n",
        "((('a',1.0,2),),(('b',1.0,1),),)\n",
    ):
        with pytest.raises((AssertionError, IndexError)):
            moses.read_lattices(bad)
    steps = itertools.chain(["(('a',0.5,21),('a',0.5,1),)"], ["(('a',1.0,1),)"] * 20)
    line = "(" + "".join(f"{each}," for each in steps) + ")\n"
    assert moses.read_lattices(line, longest=21)
    with pytest.raises(AssertionError, match="Moses stops at the jump"):
        moses.read_lattices(line)
