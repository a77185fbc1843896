"""Permutations: which way round, what is refused and how it is said."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.permutation import Permutation, Permutations, describe_problem
from wordorder.core.tree import tree
from wordorder.errors import InvalidPermutation

permutations = st.integers(0, 30).flatmap(lambda n: st.permutations(range(n)))


def test_order_and_rank_on_words() -> None:
    # Not their own inverses, so that a swap of order and rank shows.
    p = Permutation([1, 2, 0])
    assert p.apply(["the", "red", "house"]) == ["house", "the", "red"]
    assert p.inverse().apply(["the", "red", "house"]) == ["red", "house", "the"]
    assert list(p) == p.ranks.tolist() == [1, 2, 0] and p.order.tolist() == [2, 0, 1]
    assert Permutation.from_ranks([1, 2, 0]) == Permutation.from_order([2, 0, 1]) == p
    q = Permutation([1, 3, 0, 2])
    assert q.apply("abcd") == list("cadb")
    assert Permutation.from_order([1, 3, 0, 2]).apply("abcd") == list("bdac")
    assert [q.apply("abcd")[place] for place in q] == list("abcd")
    assert str(q) == "⟨2,4,1,3⟩"  # the first word goes to place 2


def test_batches_of_orders_and_ranks_on_words() -> None:
    batch = Permutations([[1, 2, 0], [], [1, 3, 0, 2]])
    assert [p.apply(range(len(p))) for p in batch] == [[2, 0, 1], [], [2, 0, 3, 1]]
    assert batch.orders.tolist() == [2, 0, 1, 2, 0, 3, 1]
    again = Permutations.from_orders(batch.orders, batch.offsets)
    assert list(again) == list(batch)
    words = Permutations.from_orders(np.array([1, 2, 0, 1, 3, 0, 2]), np.array([0, 3, 7]))
    assert [words[0].apply("abc"), words[1].apply("abcd")] == [list("bca"), list("bdac")]
    mixed = Permutations([Permutation.from_order([1, 2, 0]), Permutation([1, 2, 0])])
    assert [p.apply("abc") for p in mixed] == [list("bca"), list("cab")]
    with pytest.raises(InvalidPermutation, match="permutation 1"):
        Permutations.from_orders(np.array([0, 1, 1]), np.array([0, 1, 3]))


@given(permutations)
def test_inverse_undoes(p: list[int]) -> None:
    perm = Permutation(p)
    words = [f"w{i}" for i in range(len(p))]
    assert perm.inverse().apply(perm.apply(words)) == words
    assert perm.inverse().inverse() == perm
    assert perm.compose(perm.inverse()).is_identity()


@given(permutations, st.sampled_from([0, 1]), st.booleans())
def test_text_round_trips(p: list[int], base: int, brackets: bool) -> None:
    perm = Permutation(p)
    if p or brackets:
        assert Permutation.parse(perm.to_text(base=base, brackets=brackets), base=base) == perm


@given(st.lists(st.integers(-5, 5)))
def test_standardise_keeps_the_order_and_breaks_ties_to_the_left(items: list[int]) -> None:
    ranks = list(Permutation.standardise(items))
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            assert (ranks[i] < ranks[j]) == (items[i] <= items[j])


def test_compose_is_first_then_second() -> None:
    p, q = Permutation([1, 2, 0]), Permutation([0, 2, 1])
    assert p.compose(q).apply("abc") == p.apply(q.apply("abc")) != q.apply(p.apply("abc"))
    with pytest.raises(InvalidPermutation, match="cannot compose"):
        p.compose(Permutation([0]))


def test_values_are_immutable_and_hashable() -> None:
    source = np.array([1, 0, 2], dtype=np.int32)
    p = Permutation(source)
    source[0] = 7
    assert list(p) == [1, 0, 2]
    with pytest.raises(ValueError):
        p.order[0] = 5
    with pytest.raises(ValueError):
        p.ranks[0] = 5
    assert len({p, Permutation([1, 0, 2]), Permutation([0, 1, 2])}) == 2
    assert p != [1, 0, 2] and p[0] == 1 and p[1:] == [0, 2]


def test_plain_parsing_and_printing() -> None:
    assert str(Permutation([1, 3, 0, 2])) == "⟨2,4,1,3⟩"
    for text in ("2 4 1 3", "2,4,1,3", "<2,4,1,3>", "⟨2, 4, 1, 3⟩", "  2\t4 1,3 "):
        assert Permutation.parse(text) == Permutation([1, 3, 0, 2]), text
    assert Permutation.parse("<>") == Permutation([])


@pytest.mark.parametrize(
    ("text", "base", "message"),
    [
        ("1 2 3", 0, "number 3 is 3, past the last place .3 numbers, 0-2.. Do the numbers start at 1"),
        ("0 2 1", 1, "number 1 is 0, before the first place .3 numbers, 1-3.. Do the numbers start at 0"),
        ("1 1 2", 1, "1 occurs twice, as numbers 1 and 2; 3 is missing"),
        ("1 2 9", 1, "number 3 is 9, past the last"),
        ("1 x 2", 1, "number 2 is 'x'"),
        ("1 -2 3", 1, "number 2 is '-2'"),
        ("1.0 2", 1, "number 1 is '1.0'"),
        ("1,,2", 1, "number 2 is ''"),
        ("", 1, "no numbers"),
        ("<1 2", 1, "bracket without a partner"),
        ("99999999999999999999", 1, "number 1 is 99999999999999999999"),
        ("٣ ١ ٢", 1, "number 1 is '٣'"),
    ],
)
def test_bad_text_says_what_is_wrong(text: str, base: int, message: str) -> None:
    with pytest.raises(InvalidPermutation, match=message):
        Permutation.parse(text, base=base)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, 2], "number 2 is 2"),
        ([0, 0], "0 occurs twice"),
        ([1.0, 0.0], "number 1 is 1.0; expected a whole number"),
        (["0"], "number 1 is '0'"),
        ([True, False], "number 1 is True"),
        ("10", "use Permutation.parse"),
        ([2**40], "too large"),
        (np.array([2**40]), "too large"),
        ([-1, 0], "number 1 is -1, before the first"),
    ],
)
def test_bad_values_say_what_is_wrong(values: object, message: str) -> None:
    with pytest.raises(InvalidPermutation, match=message):
        Permutation(values)  # type: ignore[arg-type]


def test_batches_hold_what_was_put_in() -> None:
    batch = Permutations([[0, 1, 2], Permutation([1, 0]), [], np.array([0])])
    assert [list(p) for p in batch] == [[0, 1, 2], [1, 0], [], [0]]
    assert batch[-1] == Permutation([0]) and batch[1:3] == [Permutation([1, 0]), Permutation([])]
    assert batch.lengths.tolist() == [3, 2, 0, 1]
    with pytest.raises(IndexError):
        batch[4]
    with pytest.raises(InvalidPermutation, match="permutation 1: number 2 is 3"):
        Permutations([[0], [0, 3]])
    assert len(Permutations([])) == 0


def test_nothing_can_be_changed_afterwards() -> None:
    batch = Permutations([[1, 0], [0]])
    for array in (batch.values, batch.offsets, copy.deepcopy(batch).values, Permutations.from_arrays(
            np.array([1, 0]), np.array([0, 2])).values):  # fmt: skip
        with pytest.raises(ValueError):
            array[0] = 5
    for value in (Permutation([1, 0]), tree([1, 0, 2], ["a", "b", "c"])):
        again = pickle.loads(pickle.dumps(value))
        assert again == value == copy.deepcopy(value)
    with pytest.raises(ValueError):
        copy.deepcopy(Permutation([1, 0])).order[0] = 3


def test_numbers_do_not_wrap_around() -> None:
    for bad in (np.array([-(2**32), 1 - 2**32]), np.array([2**32, 1])):
        with pytest.raises(InvalidPermutation, match="too large"):
            Permutation(bad)
        with pytest.raises(InvalidPermutation, match="too large"):
            Permutations.from_arrays(bad, np.array([0, 2]))
    with pytest.raises(InvalidPermutation, match="whole number"):
        Permutations.from_arrays(np.array([0.9, 1.5]), np.array([0, 2]))
    with pytest.raises(TypeError):
        Permutation.identity(2.5)  # type: ignore[arg-type]


def test_trees_are_shared_by_threads() -> None:
    made = tree(np.random.default_rng(0).permutation(3000).tolist())
    with ThreadPoolExecutor(8) as pool:
        counts = list(pool.map(lambda _: sum(1 for _ in made.nodes(leaves=True)), range(16)))
    assert len(set(counts)) == 1


def test_batches_from_arrays_are_checked() -> None:
    assert len(Permutations.from_arrays(np.array([0, 1, 0]), np.array([0, 2, 3]))) == 2
    for values, offsets in (([0, 1], [0, 1]), ([0], [1, 1]), ([0, 1], []), ([0, 1, 0], [0, 3, 2, 3])):
        with pytest.raises(InvalidPermutation):
            Permutations.from_arrays(np.array(values), np.array(offsets))


def test_problem_of_one_number() -> None:
    assert (
        describe_problem([1])
        == "number 1 is 1, past the last place (1 number, 0). Do the numbers start at 1?"
    )
