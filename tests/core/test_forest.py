"""Forests against the papers' pseudo-code."""

from __future__ import annotations

import collections

import numpy as np
import pytest

from tests.oracle import permutations as slow
from wordorder.core.forest import Forest, catalan
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidTree


def spans_of(made: object) -> frozenset[tuple[int, int]]:
    return frozenset((begin, end) for begin, end, _, _ in made.table.tolist())  # type: ignore[attr-defined]


@pytest.mark.parametrize("words", [6, pytest.param(7, marks=pytest.mark.slow)])
def test_entries_are_those_of_the_pseudo_code(words: int) -> None:
    for p in slow.all_permutations(words, 1):
        expected = slow.paper_forest(p)
        found = {
            (e.begin, e.end): (tuple(e.operator), list(e.inferences))
            for e in Forest(p).entries()
            if e.operator is not None
        }
        assert found == expected, p


def test_size_is_counted_without_building() -> None:
    for p in slow.all_permutations(6):
        forest = Forest(p)
        entries = list(forest.entries())
        assert forest.size == (len(entries), sum(len(e.inferences) for e in entries))
        assert len({(e.begin, e.end) for e in entries}) == len(entries)


def test_count_and_trees_are_those_of_the_unpacked_forest() -> None:
    for p in slow.all_permutations(6, 1):
        expected = slow.paper_trees(p)
        forest = Forest(p)
        assert forest.count == len(expected)
        found = [spans_of(t) for t in forest.trees()]
        assert len(found) == len(set(found)) and set(found) == set(expected)
        assert all(t.yielded() == forest.permutation for t in forest.trees())


def test_identity_has_catalan_many_trees() -> None:
    assert [Forest(range(n)).count for n in range(1, 8)] == [1, 1, 2, 5, 14, 42, 132]
    assert Forest(range(501)).count == catalan(500)
    assert Forest([]).count == 1


def test_first_and_last_tree_are_the_canonical_ones() -> None:
    for p in slow.all_permutations(6, 1):
        forest = Forest(p)
        assert forest.tree_at(0) == forest.flat.right()
        assert forest.tree_at(forest.count - 1) == forest.flat.left()
    with pytest.raises(InvalidTree, match="expected 0 to 1"):
        Forest([0, 1, 2]).tree_at(2)


def test_trees_are_made_one_at_a_time() -> None:
    first = next(Forest(range(300)).trees())  # of about 10^175
    assert first.yielded() == Permutation.identity(300)


def test_random_trees_are_uniform() -> None:
    rng = np.random.default_rng(11)
    forest = Forest([0, 1, 2, 3, 6, 5, 4])  # 14 * 2 = 28 trees
    draws = 5600
    seen = collections.Counter(spans_of(forest.random_tree(rng)) for _ in range(draws))
    assert len(seen) == forest.count == 28
    expected = draws / 28
    chi_square = sum((k - expected) ** 2 / expected for k in seen.values())
    assert chi_square < 55.5  # 27 degrees of freedom: exceeded once in a thousand seeds


def test_random_tree_of_many_words_needs_no_recursion() -> None:
    forest = Forest(range(20_000))
    made = forest.random_tree(np.random.default_rng(0))
    assert len(made.table) == 19_999 and made.yielded() == forest.permutation


def test_thesis_example_has_132_trees() -> None:
    # Thesis 2.5.3: the permutation of figure 2.5 has exactly 132 trees, those of a chain of seven.
    assert Forest(range(7)).count == 132


def test_worked_example_of_four_inverted_words() -> None:
    # Stanojević and Sima'an 2014, figures 3 and 4: entry [0, 4] has split points 1, 2 and 3.
    forest = Forest(Permutation.parse("4 3 2 1"))
    root = [e for e in forest.entries() if (e.begin, e.end) == (0, 4)]
    assert len(root) == 1 and root[0].inferences == ((1,), (2,), (3,))
    assert root[0].operator == Permutation([1, 0]) and forest.count == 5
    with pytest.raises(InvalidTree, match="use"):
        len(forest)
