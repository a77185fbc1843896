"""Orders in terms of references, and ranks of whole corpora, against what references do one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.oracle.evaluating import reference_permutation
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidPermutation
from wordorder.evaluate.references import Reference, reference
from wordorder.evaluate.relative import relative_orders

POLICIES = [(u, p) for u in ("next", "previous", "drop") for p in ("words", "pin", "drop")]


def corpus(seed: int, size: int = 300) -> tuple[list[Alignment], list[list[str]], list[Permutation]]:
    rng = random.Random(seed)
    alignments, words, orders = [], [], []
    for _ in range(size):
        n, m = rng.randrange(0, 10), rng.randrange(1, 8)
        links = {(rng.randrange(n), rng.randrange(m)) for _ in range(rng.randrange(0, 12))} if n else set()
        alignments.append(Alignment(n, m, links))
        words.append([rng.choice(["a", "b", "c", "d", ",", ".", "(", "the"]) for _ in range(n)])
        orders.append(Permutation.from_order(rng.sample(range(n), n)))
    return alignments, words, orders


@pytest.mark.parametrize(("unaligned", "punctuation"), POLICIES)
def test_ranks_of_a_corpus_are_those_of_its_sentences(unaligned: str, punctuation: str) -> None:
    alignments, words, _ = corpus(3)
    policy = f"talbot:unaligned={unaligned},punctuation={punctuation}"
    found = orders_from_links(alignments, policy, words=words).ranks
    for a, line, ranks in zip(alignments, words, found, strict=True):
        made = reference(a, line, unaligned=unaligned, punctuation=punctuation)  # type: ignore[arg-type]
        assert ranks.tolist() == made.ranks().tolist(), (a, line)


@pytest.mark.parametrize("match", ["words", "positions"])
@pytest.mark.parametrize(("unaligned", "punctuation"), POLICIES)
def test_relative_orders_are_those_of_references(match: str, unaligned: str, punctuation: str) -> None:
    alignments, words, orders = corpus(4)
    made: list[Reference] = [
        reference(a, line, unaligned=unaligned, punctuation=punctuation)  # type: ignore[arg-type]
        for a, line in zip(alignments, words, strict=True)
    ]
    ranks = [one.ranks() for one in made]
    found = relative_orders(ranks, orders, words if match == "words" else None)
    for one, order, mine in zip(made, orders, found, strict=True):
        assert mine == reference_permutation(one, order, match=match), (one, order)


def test_sentences_without_ranks_become_empty() -> None:
    found = relative_orders(
        [None, np.array([1, 0])], [Permutation.from_order([0]), Permutation.from_order([0, 1])]
    )
    assert [list(one) for one in found] == [[], [1, 0]]
    assert len(relative_orders([], [])) == 0


def test_lengths_must_agree() -> None:
    with pytest.raises(InvalidPermutation, match="sentence 2: the order has 1 words, the reference 2"):
        relative_orders(
            [np.array([0]), np.array([1, 0])], [Permutation.from_order([0]), Permutation.from_order([0])]
        )
