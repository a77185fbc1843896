"""What a language pair needs: by hand, against slow twins, and where there is nothing to compare."""

from __future__ import annotations

import numpy as np
import pytest

from wordorder.analyse.needed_order import (
    COLUMNS,
    OrderStandard,
    SourcePlaces,
    compare_needs,
    inversions,
    places_by_links,
    predict,
    standard_of_translation,
)
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.permutation import Permutation
from wordorder.preorder import load_preorderer
from wordorder.preorder.base import expected_loss, precedence_of


def places(*orders: list[int]) -> list[SourcePlaces]:
    return [SourcePlaces(np.array(one, np.int32), np.ones(len(one), np.bool_)) for one in orders]


def test_by_hand() -> None:
    # Of three pairs, people invert (0, 2) and (1, 2); the system (0, 1) and (0, 2).
    people, system = places([1, 2, 0]), places([2, 0, 1])
    rows = inversions(standard_of_translation("people", people), system)
    assert rows == pytest.approx(np.array([[2 / 3, 2 / 3, 1 / 3, 1]]))
    found = compare_needs(standard_of_translation("people", people), {"a": system, "b": people}, samples=0)
    for results, expected in zip(found.results, ([0.5, 0.5], [1, 1]), strict=True):
        values = [result.score if result else None for result in results]
        assert values == pytest.approx([2 / 3, 2 / 3, 0, *expected])
    assert found.standard == "people" and found.systems == ["a", "b"] and found.sentences == [1, 1]


def test_slow_twin() -> None:
    rng = np.random.default_rng(1)
    tables, counts, system = [], [], []
    for n in rng.integers(0, 9, size=60).tolist():
        upper = np.triu(rng.random((n, n)), 1)
        tables.append(upper + np.tril(1 - upper.T, -1))
        counts.append(rng.random(n) < 0.8)
        system.append(SourcePlaces(rng.permutation(n).astype(np.int32), rng.random(n) < 0.8))
    rows = inversions(OrderStandard("model", tables, counts), system)
    for table, some, one, row in zip(tables, counts, system, rows, strict=True):
        words = [w for w in range(len(some)) if some[w] and one.counts[w]]
        pairs = [(a, b) for a in words for b in words if a < b]
        if not pairs:
            assert row.tolist() == [0, 0, 0, 0]
            continue
        inverted = [one.places[a] > one.places[b] for a, b in pairs]
        needed = [table[b, a] for a, b in pairs]
        both = sum(x * y for x, y in zip(inverted, needed, strict=True))
        expected = np.array([sum(inverted), sum(needed), both, len(pairs)]) / len(pairs)
        assert row == pytest.approx(expected)


def test_a_model_expects_what_its_table_says() -> None:
    model = load_preorderer("en-ja-crf")
    lines = ["my father is reading a newspaper .", "", "yes"]
    standard, orders = predict("model", model, lines, map)
    assert [len(order) for order in orders] == [7, 0, 1] and [len(t) for t in standard.tables] == [7, 0, 1]
    straight = Permutation(range(7))
    row = inversions(standard, places(list(range(7)), [], [0]))[0]
    assert row[0] == 0 and row[1] == pytest.approx(expected_loss(straight, standard.tables[0]))
    own = inversions(standard, places([int(k) for k in orders[0]], [], [0]))[0]
    assert own[2] > 0.5 * own[1]  # most of what it expects is in its best order
    assert precedence_of(orders[0]).shape == standard.tables[0].shape


def test_sentences_without_links_and_pairs_are_left_out() -> None:
    links = Alignments.from_alignments([Alignment(2, 2), Alignment(2, 2, [(0, 1), (1, 0)]), Alignment(1, 1)])
    found = places_by_links(links, "talbot")
    assert [one.counts.tolist() for one in found] == [[False, False], [True, True], [False]]
    standard = standard_of_translation("same", found)
    compared = compare_needs(standard, {"a": found}, samples=20)
    assert compared.sentences == [1]
    assert [r.score if r else None for r in compared.results[0]] == [1, 1, 0, 1, 1]


def test_nothing_to_divide_by_is_no_number() -> None:
    straight = places([0, 1], [0, 1])
    found = compare_needs(standard_of_translation("same", straight), {"a": straight}, samples=20)
    assert dict(zip(COLUMNS, found.results[0], strict=True))["precision"] is None
    none = places([0], [])
    assert compare_needs(standard_of_translation("same", none), {"a": none}).results == [[None] * 5]
