"""Many alignments at once give what each gives alone."""

from __future__ import annotations

import time
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.alignment import Alignment
from wordorder.core.induce import PolicyName, induce, relative
from wordorder.core.orders import induce_orders
from wordorder.errors import InvalidPermutation


@st.composite
def alignments(draw: st.DrawFn, n: int) -> Alignment:
    m = draw(st.integers(0, 6))
    links = st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)) if n and m else st.nothing()
    sure = draw(st.sets(links, max_size=8)) if n and m else set()
    return Alignment(n, m, sure, possible=(draw(st.sets(links, max_size=3)) if n and m else set()) - sure)


PAIRS = st.lists(st.integers(0, 6).flatmap(lambda n: st.tuples(alignments(n), alignments(n))), max_size=6)


@given(PAIRS, st.sampled_from(get_args(PolicyName)))
def test_orders_are_those_of_each_alone(pairs: list[tuple[Alignment, Alignment]], policy: PolicyName) -> None:
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    system, reference = induce_orders(ones, policy), induce_orders(others, policy)
    assert list(system.permutations) == [induce(one, policy).order for one in ones]
    assert list(system.relative_to(reference)) == [
        relative(induce(other, policy).order, induce(one, policy).order) for one, other in pairs
    ]
    both = [{i for i, _ in one.links} & {i for i, _ in other.links} for one, other in pairs]
    assert system.linked_in_both(reference).tolist() == [len(words) for words in both]


def test_sources_of_different_length_are_refused() -> None:
    one, two = (induce_orders([Alignment(n, 1)], "birch") for n in (1, 2))
    with pytest.raises(InvalidPermutation):
        one.relative_to(two)


def test_many_at_once_take_a_fraction_of_the_time() -> None:
    many = [Alignment(20, 20, [(i, (7 * i + k) % 20) for i in range(20)]) for k in range(20)] * 50
    begin = time.perf_counter()
    induce_orders(many, "birch")
    middle = time.perf_counter()
    for one in many:
        induce(one, "birch")
    assert middle - begin < (time.perf_counter() - middle) / 3
