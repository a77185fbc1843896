"""Trees from scores of heads, against all vectors of heads."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from wordorder import _native

NONE = -np.inf


def is_tree(heads: tuple[int, ...]) -> bool:
    """Whether all words lead to the root, which has one dependent."""
    if heads.count(0) != 1:
        return False
    for word in range(1, len(heads) + 1):
        steps, node = 0, word
        while node and steps <= len(heads):
            node, steps = heads[node - 1], steps + 1
        if node:
            return False
    return True


def all_trees(scores: np.ndarray) -> list[tuple[float, tuple[int, ...]]]:
    """All possible trees with their scores, the best first."""
    n = len(scores)
    found = [
        (float(sum(scores[w, h] for w, h in enumerate(heads))), heads)
        for heads in itertools.product(range(n + 1), repeat=n)
        if is_tree(heads)
    ]
    return sorted((tree for tree in found if tree[0] > NONE), key=lambda tree: -tree[0])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("kind", ["random", "ties", "forbidden", "large", "cycles"])
def test_all_trees_in_order(n: int, kind: str) -> None:
    rng = np.random.default_rng(n)
    for _ in range(12 if n < 5 else 3):
        scores = rng.normal(size=(n, n + 1))
        if kind == "ties":
            scores = np.round(scores)
        elif kind == "forbidden":
            scores[rng.random(scores.shape) < 0.45] = NONE
        elif kind == "large":
            scores *= 1e6
        elif kind == "cycles":  # every word prefers its neighbour, which prefers it
            scores[np.arange(n), [w + 2 if w % 2 == 0 and w + 2 <= n else w for w in range(n)]] += 10
        expected = all_trees(scores)
        heads, found = _native.spanning_trees(scores, 10_000)
        assert len(heads) == len(expected)
        np.testing.assert_allclose(found, [score for score, _ in expected], rtol=1e-9, atol=1e-9)
        assert {tuple(each) for each in heads.tolist()} == {each for _, each in expected}
        for score, each in zip(found, heads.tolist(), strict=True):
            assert sum(scores[w, h] for w, h in enumerate(each)) == pytest.approx(score)
        for k in (1, 2, 7):
            fewer, best = _native.spanning_trees(scores, k)
            assert len(fewer) == min(k, len(expected))
            np.testing.assert_array_equal(best, found[: len(best)])


def test_there_are_as_many_trees_as_cayley_says() -> None:
    """n ** (n - 1) rooted trees of n words."""
    for n in range(1, 6):
        assert len(_native.spanning_trees(np.zeros((n, n + 1)), 100_000)[0]) == n ** (n - 1)


def test_one_root_even_if_two_are_much_better() -> None:
    scores = np.array([[9.0, 0, 0, 0], [9.0, 0, 0, 0], [9.0, 0, 0, 0]])
    (heads,), (best,) = _native.spanning_trees(scores, 1)
    assert heads.tolist().count(0) == 1 and best == 9


def test_no_tree() -> None:
    assert len(_native.spanning_trees(np.full((3, 4), NONE), 5)[0]) == 0
    roots = np.full((3, 4), NONE)
    roots[:, 0] = 0  # three roots
    assert len(_native.spanning_trees(roots, 1)[0]) == 0
    circle = np.array([[NONE, NONE, 0], [NONE, 0, NONE]])
    assert len(_native.spanning_trees(circle, 1)[0]) == 0


def test_long_sentences() -> None:
    """The best tree of a chain of many words; nested cycles are contracted one by one."""
    n = 200
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(n, n + 1))
    scores[np.arange(n), np.arange(n)] += 50  # the word before, the root before the first
    (heads,), _ = _native.spanning_trees(scores, 1)
    assert heads.tolist() == list(range(n))
    (heads,), (best,) = _native.spanning_trees(rng.normal(size=(n, n + 1)), 1)
    assert is_tree(tuple(heads.tolist())) and best > 0


@pytest.mark.parametrize(
    ("scores", "said"),
    [
        (np.zeros((2, 2)), "expected scores of each head"),
        (np.zeros((0, 1)), "expected scores of each head"),
        (np.array([[np.nan, 0.0]]), "not a number"),
        (np.array([[np.inf, 0.0]]), "too large"),
    ],
)
def test_wrong_scores(scores: np.ndarray, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        _native.spanning_trees(scores, 1)
