"""Explanations of long and deep sentences: their costs are bounded."""

from __future__ import annotations

from itertools import permutations

import pytest

from wordorder.errors import InvalidTree
from wordorder.preorder.rules.explain import longest_increasing, words_below


def obvious_longest_increasing(numbers: list[int]) -> set[int]:
    best: list[list[int]] = []  # the longest that ends at each number
    for k, number in enumerate(numbers):
        before = (best[j] for j in range(k) if numbers[j] < number)
        best.append([*max(before, key=len, default=[]), k])
    return set(max(best, key=len, default=[]))


def test_the_longest_increasing_subsequence_is_the_obvious_one() -> None:
    for n in range(7):
        for numbers in permutations(range(n)):
            assert longest_increasing(numbers) == obvious_longest_increasing(list(numbers))


def test_a_head_with_many_children_is_quick() -> None:
    numbers = [k ^ 1 for k in range(60_000)]
    assert len(longest_increasing(numbers)) == 30_000  # quadratic: minutes


def test_a_tree_that_is_too_deep_is_refused() -> None:
    with pytest.raises(InvalidTree, match="100000 words is too deep"):
        words_below(range(-1, 99_999))
