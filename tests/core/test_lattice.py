"""Lattices of orders: all orders, no others, as few states as can be, and their expected losses."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from tests.oracle.lattice import breadth_first, largest_jump, minimal_size, shorter_jumps, smallest_jump
from wordorder.core.lattice import lattice
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidPermutation
from wordorder.preorder.base import Doubles, expected_loss


def some_table(n: int, rng: np.random.Generator) -> Doubles:
    upper = np.triu(rng.random((n, n)), 1)
    table: Doubles = upper + np.tril(1 - upper.T, -1)
    return table


def some_orders(n: int, count: int, rng: np.random.Generator) -> list[Permutation]:
    """Orders that share much, as those of an n-best list do."""
    found = {tuple(range(n))}
    base = list(found)
    while len(found) < count:
        order = list(base[int(rng.integers(len(base)))])
        i = int(rng.integers(n - 1))
        j = int(rng.integers(i + 2, min(n, i + 5) + 1)) if i + 2 <= n else n
        order[i:j] = order[i:j][::-1]
        found.add(tuple(order))
        base.append(tuple(order))
    return [Permutation.from_order(order) for order in sorted(found)]


def test_all_sets_of_orders_of_three_words() -> None:
    rng = np.random.default_rng(0)
    everything = list(itertools.permutations(range(3)))
    for size in range(1, 7):
        for chosen in itertools.combinations(everything, size):
            made = lattice([Permutation.from_order(order) for order in chosen], some_table(3, rng))
            assert [tuple(path.order.order) for path in made.orders()] == sorted(chosen)
            assert (made.states + 1, len(made.arcs)) == minimal_size(chosen)


@pytest.mark.parametrize("n", [1, 2, 5, 8, 12])
def test_random_sets_are_minimal_and_weighted(n: int) -> None:
    rng = np.random.default_rng(n)
    for count in (1, 2, 10, 60):
        if n < 5 and count > n:
            continue
        orders = some_orders(n, count, rng) if n > 1 else [Permutation.from_order([0])]
        rng.shuffle(orders)  # type: ignore[arg-type]
        table = some_table(n, rng)
        made = lattice([*orders, orders[0]], table)  # one stands there twice
        found = {path.order: path.loss for path in made.orders()}
        assert found.keys() == set(orders)
        assert (made.states + 1, len(made.arcs)) == minimal_size([tuple(order.order) for order in orders])
        for order, loss in found.items():
            assert loss == pytest.approx(expected_loss(order, table), abs=1e-12)
        np.testing.assert_array_less(made.arcs[:, 0], made.arcs[:, 1])
        left = n - 1 - _depths(made.arcs)
        np.testing.assert_allclose((made.gains + made.losses) * max(n * (n - 1) / 2, 1), left)


@pytest.mark.parametrize("n", [3, 5, 7])
def test_states_are_numbered_for_short_jumps(n: int) -> None:
    rng = np.random.default_rng(n)
    for count in (1, 2, 4, 6, 12):
        made = lattice(some_orders(n, min(count, 2 * n - 2), rng), some_table(n, rng))
        arcs = [(start, to, label) for start, to, label in made.arcs.tolist()]
        plain = breadth_first(arcs)
        assert sorted(arcs) == shorter_jumps(plain)
        assert made.jump == largest_jump(arcs) <= largest_jump(plain)


def test_jumps_are_nearly_as_short_as_can_be() -> None:
    """The search is not exact, but comes closer to the best numbering than to the breadth-first one."""
    rng = np.random.default_rng(11)
    best = found = plain = 0
    for _ in range(40):
        made = lattice(some_orders(5, int(rng.integers(3, 6)), rng), some_table(5, rng))
        arcs = [(start, to, label) for start, to, label in made.arcs.tolist()]
        least = smallest_jump(arcs)
        assert made.jump >= least
        best, found, plain = best + least, found + made.jump, plain + largest_jump(breadth_first(arcs))
    assert best <= found < plain
    assert found - best < plain - found


@pytest.mark.parametrize("n", [2, 5, 9])
def test_paths_have_the_probabilities_of_their_orders(n: int) -> None:
    rng = np.random.default_rng(n)
    for count in (1, 2, 40):
        orders = some_orders(n, min(count, n), rng) if n < 5 else some_orders(n, count, rng)
        log_probs = np.log(rng.dirichlet(np.ones(len(orders)))) - rng.random() * 30
        rows = rng.permutation(len(orders))
        table = some_table(n, rng)
        made = lattice([orders[r] for r in rows], table, log_probs[rows].tolist())
        paths = {path.order: path for path in made.orders()}
        assert list(paths) == orders
        for order, expected in zip(orders, log_probs.tolist(), strict=True):
            assert paths[order].log_prob == pytest.approx(expected, abs=n * 1e-6)
            assert paths[order].loss == pytest.approx(expected_loss(order, table), abs=1e-12)
        plain = lattice(orders, table)
        assert len(plain.arcs) <= len(made.arcs) <= len(orders) * n
        for state, arcs in list(made.out())[1:]:  # the arcs of every state but the first share its orders
            assert np.exp(made.log_probs[arcs]).sum() == pytest.approx(1, abs=1e-5), state
    # Equal odds are shared: here the second half has the same probabilities after either first half.
    square = [Permutation.from_order([*a, *b]) for a in ([0, 1], [1, 0]) for b in ([2, 3], [3, 2])]
    odds = [0.6 * 0.3, 0.6 * 0.7, 0.4 * 0.3, 0.4 * 0.7]
    assert len(lattice(square, some_table(4, rng), np.log(odds).tolist()).arcs) == 8
    assert len(lattice(square, some_table(4, rng), np.log([0.1, 0.2, 0.3, 0.4]).tolist()).arcs) == 10


def test_weights_must_be_finite_and_one_per_order() -> None:
    orders = [Permutation([0, 1]), Permutation([1, 0])]
    for weights in ([0.0], [0.0, -np.inf]):
        with pytest.raises(InvalidPermutation, match="log probabilities of 2 orders"):
            lattice(orders, np.zeros((2, 2)), weights)


def _depths(arcs: np.ndarray) -> np.ndarray:  # type: ignore[type-arg]
    depth = {0: 0}
    for state, to, _ in arcs.tolist():
        assert depth.setdefault(to, depth[state] + 1) == depth[state] + 1
    return np.array([depth[state] for state in arcs[:, 0].tolist()])


def test_no_words_and_what_does_not_fit() -> None:
    made = lattice([Permutation.from_order([])], np.zeros((0, 0)))
    assert made.states == 0 and [tuple(path.order.order) for path in made.orders()] == [()]
    with pytest.raises(InvalidPermutation, match="at least one"):
        lattice([], np.zeros((0, 0)))
    with pytest.raises(InvalidPermutation, match="of the same words"):
        lattice([Permutation.from_order([0]), Permutation.from_order([0, 1])], np.zeros((1, 1)))
    with pytest.raises(InvalidPermutation, match="table of 2 words is 3 x 3"):
        lattice([Permutation.from_order([0, 1])], np.zeros((3, 3)))


def test_a_thousand_orders_take_milliseconds() -> None:
    rng = np.random.default_rng(5)
    orders = some_orders(15, 980, rng)
    table = some_table(15, rng)
    best = min(_seconds(lambda: lattice(orders, table)) for _ in range(5))
    assert best < 0.05  # 10 ms is the goal; a busy machine is given time


def _seconds(work: object) -> float:
    start = time.process_time()
    work()  # type: ignore[operator]
    return time.process_time() - start
