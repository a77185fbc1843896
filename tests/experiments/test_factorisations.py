from itertools import combinations, permutations

import pytest

from experiments.tightness.factorisations import (
    WeakFactorisation,
    intervals,
    refinement_steps,
    weak_factorisations,
)
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, is_primal
from wordorder.errors import InvalidTree


def up_to(n: int, start: int = 1):
    return [Permutation(order) for k in range(start, n + 1) for order in permutations(range(k))]


def slow_intervals(order):
    n = len(order)
    spans = [(a, b) for a in range(n) for b in range(a + 2, n + 1)]
    return {
        (a, b) for a, b in spans if sorted(order[a:b]) == list(range(min(order[a:b]), max(order[a:b]) + 1))
    }


def slow_families(order):
    """Every subset of the intervals, kept if it holds the whole and any two are nested or apart."""
    spans = slow_intervals(order)
    whole = {(0, len(order))} if len(order) > 1 else set()
    for size in range(len(spans) + 1):
        for family in map(set, combinations(spans, size)):
            cells = [set(range(a, b)) for a, b in family]
            if whole <= family and all(
                one <= two or two <= one or not one & two for one, two in combinations(cells, 2)
            ):
                yield frozenset(family)


def test_enumeration_equals_the_filtered_subsets():
    for order in up_to(5):
        found = [frozenset(weak.spans) for weak in weak_factorisations(order)]
        assert len(found) == len(set(found))
        assert set(found) == set(slow_families(order)), order


def test_intervals_equal_the_sorted_windows():
    for order in up_to(6):
        assert intervals(order) == sorted(slow_intervals(order))


def test_the_identity_has_little_schroeder_many():
    for order in (range, lambda n: range(n)[::-1]):
        counts = [sum(1 for _ in weak_factorisations(order(n))) for n in range(1, 8)]
        assert counts == [1, 1, 3, 11, 45, 197, 903]


def test_primal_permutations_have_one():
    for order in up_to(6):
        assert (sum(1 for _ in weak_factorisations(order)) == 1) == is_primal(order)


def test_the_maximal_ones_are_the_pets():
    for order in up_to(6):
        weak = list(weak_factorisations(order))
        refined = {x for x, _ in refinement_steps(weak)}
        maximal = {weak[k] for k in range(len(weak)) if k not in refined}
        assert maximal == {one for one in weak if one.is_pet}
        assert {Tree.from_spans(order, one.spans) for one in maximal} == set(Forest(order).trees())


def test_the_flattest_is_first_and_nodes_never_get_fewer():
    for order in up_to(5, start=2):
        weak = list(weak_factorisations(order))
        assert [one.is_flattest for one in weak] == [True] + [False] * (len(weak) - 1)
        assert weak[0].operators == (order,)
        sizes = [len(one.spans) for one in weak]
        assert sizes == sorted(sizes)


def test_refinement_is_the_closure_of_the_steps():
    for order in up_to(5):
        weak = list(weak_factorisations(order))
        below = {k: set() for k in range(len(weak))}
        for x, y in reversed(refinement_steps(weak)):  # y before x: its own are complete
            below[x] |= {y} | below[y]
        for x, one in enumerate(weak):
            assert below[x] == {y for y, two in enumerate(weak) if two.refines(one)}


def test_lengths_and_operators_agree_and_count_the_words():
    for order in up_to(6):
        for weak in weak_factorisations(order):
            assert weak.lengths == tuple(map(len, weak.operators))
            assert sum(length - 1 for length in weak.lengths) == len(order) - 1


def test_the_example_of_figure_3():
    order = Permutation.parse("2 4 5 6 1 3")
    assert [str(weak) for weak in weak_factorisations(order)] == [
        "⟨2,4,5,6,1,3⟩(2 4 5 6 1 3)",
        "⟨2,4,5,1,3⟩(2 ⟨1,2⟩(4 5) 6 1 3)",
        "⟨2,4,1,3⟩(2 ⟨1,2,3⟩(4 5 6) 1 3)",
        "⟨2,4,5,1,3⟩(2 4 ⟨1,2⟩(5 6) 1 3)",
        "⟨2,4,1,3⟩(2 ⟨1,2⟩(⟨1,2⟩(4 5) 6) 1 3)",
        "⟨2,4,1,3⟩(2 ⟨1,2⟩(4 ⟨1,2⟩(5 6)) 1 3)",
    ]


def test_text_of_a_pet_is_the_text_of_its_tree():
    for order in up_to(5):
        for weak in weak_factorisations(order):
            if weak.is_pet:
                assert str(weak) == str(Tree.from_spans(order, weak.spans))


def test_chain_sizes_of_a_pet_are_those_of_the_flat_tree():
    for order in up_to(6):
        chains = sorted(node.chain for node in Forest(order).flat.nodes() if node.kind != "prime")
        for weak in weak_factorisations(order):
            if weak.is_pet:
                assert sorted(weak.chain_sizes) == chains


def test_no_words_and_one_word():
    for n in (0, 1):
        (weak,) = weak_factorisations(range(n))
        assert weak.spans == weak.operators == weak.lengths == weak.chain_sizes == ()
        assert weak.is_flattest and weak.is_pet
        assert str(weak) == "1" * n


def test_values_are_equal_whatever_the_order_of_the_spans():
    one = WeakFactorisation(Permutation([0, 1, 2]), ((1, 3), (0, 3), (0, 3)))
    two = WeakFactorisation(Permutation([0, 1, 2]), ((0, 3), (1, 3)))
    assert one == two and hash(one) == hash(two) and not one.refines(two)
    assert not one.refines(next(weak_factorisations([2, 1, 0])))


@pytest.mark.parametrize(
    ("spans", "message"),
    [
        (((0, 2),), r"\(0, 3\), is missing"),
        (((0, 3), (1, 2)), "not the span of a node"),
        (((0, 3), (1, 4)), "not the span of a node"),
        (((0, 3), (-1, 2)), "not the span of a node"),
        (((0, 3), (0, 2), (1, 3)), "crosses"),
    ],
)
def test_bad_spans_are_refused(spans, message):
    with pytest.raises(InvalidTree, match=message):
        WeakFactorisation(Permutation([0, 1, 2]), spans)


def test_spans_that_are_not_intervals_and_strange_nodes_are_refused():
    with pytest.raises(InvalidTree, match="not an interval of ⟨1,3,2⟩"):
        WeakFactorisation(Permutation([0, 2, 1]), ((0, 3), (0, 2)))
    with pytest.raises(InvalidTree, match="not a node"):
        next(weak_factorisations([0, 2, 1])).children((1, 3))
