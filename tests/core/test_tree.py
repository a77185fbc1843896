"""Trees against their definitions, in every form, on every permutation up to seven words."""

from __future__ import annotations

import itertools
import resource
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import permutations as slow
from wordorder import _native
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.tree import Tree, flat_tables, is_primal, tree
from wordorder.errors import InvalidTree

permutations = st.integers(0, 40).flatmap(lambda n: st.permutations(range(n)))


def spans_of(made: Tree) -> list[tuple[int, int]]:
    return [(begin, end) for begin, end, _, _ in made.table.tolist()]


def test_flat_trees_are_the_strong_intervals() -> None:
    for p in slow.all_permutations(7):
        assert spans_of(tree(p)) == slow.strong_intervals(p), p


@pytest.mark.parametrize("linear", [False, True], ids=["short path", "linear path"])
def test_both_kernels_agree_with_the_definition_on_longer_permutations(linear: bool) -> None:
    for p in slow.random_permutations(300, 60):
        nodes, _ = _native.trees(np.array(p, np.int32), np.array([0, len(p)]), linear)
        assert [tuple(row[:2]) for row in nodes.tolist()] == slow.strong_intervals(p), p


def test_longer_permutations_agree_with_the_quadratic_parser() -> None:
    for p in slow.random_permutations(80, 160, seed=5):
        assert spans_of(tree(p).left()) == slow.shift_reduce(p), p


def test_scanning_and_linear_kernels_agree_wherever_scanning_gives_up() -> None:
    rng = np.random.default_rng(5)
    perms = [np.array(p) for p in slow.random_permutations(300, 1500, seed=6)]
    for n in (65, 100, 1000, 5000):  # in order up to some point, then at random: lost late, or nearly
        for cut in (0, n // 2, n - 30, n - 1):
            head, tail = np.arange(cut), cut + rng.permutation(n - cut)
            perms += [np.concatenate([head, tail]), np.concatenate([tail, head])[::-1].copy()]
    batch = Permutations(perms)
    for one, other in zip(flat_tables(batch), _native.trees(batch.values, batch.offsets, True), strict=True):
        assert np.array_equal(one, other)


def test_linear_kernel_agrees_on_all_short_permutations() -> None:
    batch = Permutations(list(slow.all_permutations(8)))
    for one, other in zip(flat_tables(batch), _native.trees(batch.values, batch.offsets, True), strict=True):
        assert np.array_equal(one, other)


def test_kinds_and_arities_are_those_of_the_children() -> None:
    for p in slow.all_permutations(7, 1):
        for node in tree(p).nodes():
            operator = slow.standardise(tuple(min(p[c.begin : c.end]) for c in node.children))
            assert node.arity == len(operator)
            if node.kind == "monotone":
                assert operator == tuple(range(node.arity)) and node.operator == Permutation([0, 1])
            elif node.kind == "inverted":
                assert operator == tuple(range(node.arity))[::-1] and node.operator == Permutation([1, 0])
            else:
                assert tuple(node.operator) == operator and node.arity >= 4
                assert slow.intervals(operator) == [(0, node.arity)]


def test_left_branching_tree_is_that_of_the_shift_reduce_parser() -> None:
    for p in itertools.chain(slow.all_permutations(7), slow.random_permutations(200, 40)):
        assert spans_of(tree(p).left()) == slow.shift_reduce(p), p


def test_right_branching_tree_is_the_mirror_image_of_the_left() -> None:
    for p in slow.all_permutations(7, 1):
        n = len(p)
        mirrored = [(n - end, n - begin) for begin, end in spans_of(tree(p[::-1]).left())]
        assert sorted(mirrored) == sorted(spans_of(tree(p).right())), p


def test_yield_gives_the_permutation_back_from_operators_alone() -> None:
    for p in slow.all_permutations(7):
        for made in (tree(p), tree(p).left(), tree(p).right()):
            assert tuple(made.yielded()) == p


def test_counts_of_simple_and_of_binarisable_permutations() -> None:
    simple, binary = [], []
    for n in range(1, 8):
        every = list(itertools.permutations(range(n)))
        simple.append(sum(is_primal(p) for p in every))
        binary.append(sum(tree(p).max_arity <= 2 for p in every))
    assert simple == [1, 2, 0, 2, 6, 46, 338]
    assert binary == [1, 2, 6, 22, 90, 394, 1806]


def test_node_count_and_max_arity_follow_from_any_tree() -> None:
    for p in slow.all_permutations(6, 2):
        left = tree(p).left()
        assert tree(p).node_count == left.node_count == len(left.table)
        assert tree(p).max_arity == max(node.arity for node in left.nodes())


@given(permutations)
def test_text_round_trips(p: list[int]) -> None:
    if not p:
        return
    for made in (tree(p), tree(p).left(), tree(p).right()):
        assert Tree.parse(made.to_brackets()) == made
        assert Tree.parse(made.to_penn()) == made


@given(st.permutations(range(7)), st.lists(st.text("ab<>⟨⟩(),.|P1", min_size=1), min_size=7, max_size=7))
def test_text_with_words_round_trips(p: list[int], words: list[str]) -> None:
    made = tree(p, words)
    assert Tree.parse(made.to_penn()) == made


def test_operators_of_ten_children_and_more_round_trip() -> None:
    made = tree([1, 3, 5, 7, 9, 11, 0, 2, 4, 6, 8, 10])
    assert made.root.kind == "prime" and "P2.4.6" in made.to_penn()
    assert Tree.parse(made.to_penn()) == made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no leaves"),
        ("(P12 1 2", "')' is missing"),
        ("(P12 1 2))", "after the end"),
        ("(P12 1)", "with 1 children"),
        ("(P2413 1 2 3)", "with 3 children"),
        ("(P123 1 2 3)", "not primal"),
        ("(X 1 2)", "such as P12"),
        ("(P21 1 2)", "do not fit the operators"),
        ("⟨2,1⟩(1 2)", "do not fit the operators"),
        ("⟨2,2⟩(1 2)", "bad operator"),
        ("(P12 1 (2 3))", "such as P12"),
        ("⟨1,2⟩(1 (2 3))", "without an operator"),
        ("1 2", "after the end"),
    ],
)
def test_bad_tree_text_says_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(InvalidTree, match=r".*" + message.replace("(", r"\(").replace(")", r"\)")):
        Tree.parse(text)


def test_spans_must_nest_and_be_intervals() -> None:
    p = Permutation([0, 1, 2, 3])
    assert Tree.from_spans(p, [(0, 4), (0, 2), (2, 4)]).to_brackets() == "⟨1,2⟩(⟨1,2⟩(1 2) ⟨1,2⟩(3 4))"
    with pytest.raises(InvalidTree, match="crosses"):
        Tree.from_spans(p, [(0, 4), (0, 2), (1, 3)])
    with pytest.raises(InvalidTree, match="not an interval"):
        Tree.from_spans(Permutation([0, 2, 1]), [(0, 3), (0, 2)])
    with pytest.raises(InvalidTree, match="missing"):
        Tree.from_spans(p, [(0, 2)])
    with pytest.raises(InvalidTree, match="not primal"):
        Tree.from_spans(Permutation([0, 2, 1]), [(0, 3)])


@pytest.mark.parametrize(
    "kind",
    [*(pytest.param(kind, marks=pytest.mark.slow) for kind in ("random", "monotone", "inverted")), "nested"],
)
def test_many_words_need_no_recursion(kind: str) -> None:
    n = 20_000
    assert n > 10 * sys.getrecursionlimit()
    if kind == "nested":  # alternates ⟨1,2⟩ and ⟨2,1⟩: as deep as a tree can be
        p = [0]
        low, high = 0, 0
        for k in range(1, n):
            low, high = (low - 1, high) if k % 2 else (low, high + 1)
            p.append(low if k % 2 else high)
        order = np.array(p) - low
        assert len(tree(Permutation(order)).table) == n - 1
    else:
        rng = np.random.default_rng(3)
        order = {"random": rng.permutation(n), "monotone": np.arange(n), "inverted": np.arange(n)[::-1]}[kind]
    perm = Permutation(order)
    made = tree(perm)
    assert made.yielded() == perm
    assert made.left().yielded() == perm
    assert Tree.parse(made.to_penn()) == made
    assert sum(1 for _ in made.nodes(order="post", leaves=True)) == len(made.table) + n


def test_time_grows_with_the_words_and_not_with_their_square() -> None:
    rng = np.random.default_rng(8)

    def seconds(n: int) -> float:
        batch = Permutations([rng.permutation(n)])
        runs = 6_000_000 // n

        def spent() -> float:  # without what the system takes to find memory for the large one
            return resource.getrusage(resource.RUSAGE_THREAD).ru_utime

        start = spent()
        for _ in range(runs):
            flat_tables(batch)
        return (spent() - start) / runs

    assert seconds(300_000) < 40 * seconds(20_000)  # 15 if linear, 225 if quadratic


def test_worked_examples_of_the_papers() -> None:
    # Stanojević and Sima'an 2014, figures 1 and 3; 2016, figure 1; thesis 2.5.3.
    assert str(tree([1, 3, 4, 5, 0, 2])) == "⟨2,4,1,3⟩(2 ⟨1,2⟩(4 5 6) 1 3)"
    figure3 = tree(Permutation.parse("5 7 4 6 3 1 2"))
    assert str(figure3) == "⟨2,1⟩(⟨2,4,1,3⟩(5 7 4 6) 3 ⟨1,2⟩(1 2))"
    assert str(figure3.left()) == "⟨2,1⟩(⟨2,1⟩(⟨2,4,1,3⟩(5 7 4 6) 3) ⟨1,2⟩(1 2))"
    for text in ("6 1 4 2 3 5", "6 1 5 2 3 4"):
        assert tree(Permutation.parse(text)).max_arity == 2
    # The 2016 paper calls ⟨6,2,4,1,5,3⟩ primal, but 2 4 1 5 3 is a sub-permutation of it.
    assert str(tree(Permutation.parse("6 2 4 1 5 3"))) == "⟨2,1⟩(6 ⟨2,4,1,5,3⟩(2 4 1 5 3))"
    assert is_primal(Permutation.parse("2 4 1 5 3"))
    assert tree(Permutation.parse("5 7 2 4 1 3 6")).max_arity > 2
    assert tree(Permutation.parse("4 2 3 1")).root.operator == Permutation([1, 0])
