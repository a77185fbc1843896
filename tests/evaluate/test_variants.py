"""Scores of preorderers against slow twins, printed figures and each other."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.oracle import preordering as slow
from tests.oracle.evaluating import reference_permutation
from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.evaluate import VARIANTS, evaluate_orders
from wordorder.evaluate.references import reference
from wordorder.evaluate.variants import Variant, variant
from wordorder.preorder.corpus import read_training
from wordorder.preorder.oracle import Oracle
from wordorder.report.evaluation import EvaluationReport


def lader_ranks(alignment: Alignment, words: list[str] | None = None, *, attach: str = "right") -> np.ndarray:
    known = None if words is None else [words]
    return orders_from_links([alignment], f"lader:attach={attach}", words=known).ranks[0]


def some_alignments(count: int, seed: int, *, sparse: bool = False) -> list[Alignment]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        n, m = (int(k) for k in rng.integers(0, 8, size=2))
        tries = int(rng.integers(0, n + 1 if sparse else 2 * n + 1)) if m else 0
        links = {(int(rng.integers(n)), int(rng.integers(m))) for _ in range(tries)} if n else set()
        made.append(Alignment(n, m, links))
    return made


def some_orders(alignments: list[Alignment], seed: int) -> list[Permutation]:
    rng = np.random.default_rng(seed)
    return [Permutation.from_order(rng.permutation(a.source_size)) for a in alignments]


def rows_of(chosen: Variant, alignments: list[Alignment], orders: list[Permutation]) -> np.ndarray:
    """The statistics of all scores of a variant side by side."""
    return np.hstack(chosen.rows(chosen.ranks(alignments), orders, chosen.scores))


def test_nakagawa_is_what_the_twin_counts() -> None:
    alignments = some_alignments(800, 1) + some_alignments(800, 2, sparse=True)
    orders = some_orders(alignments, 3)
    rows = rows_of(VARIANTS["nakagawa"], alignments, orders)
    left_out = 0
    for row, alignment, order in zip(rows, alignments, orders, strict=True):
        expected = slow.nakagawa(alignment, order.order.tolist())
        if expected is None:
            left_out += 1
            assert not row.any()
        else:
            np.testing.assert_allclose(row, [x for score in expected for x in (score, 1)])
    assert 100 < left_out < 1500


def test_thesis_is_what_the_twin_counts() -> None:
    alignments = some_alignments(500, 4)
    orders = some_orders(alignments, 5)
    rows = rows_of(VARIANTS["thesis"], alignments, orders)
    for row, alignment, order in zip(rows, alignments, orders, strict=True):
        gold = Oracle().gold_order(alignment)
        np.testing.assert_allclose(
            row, [x for score in slow.thesis(gold.order.tolist(), order.order.tolist()) for x in (score, 1)]
        )


def test_lader_is_what_the_twin_counts() -> None:
    alignments = some_alignments(800, 6)
    orders = some_orders(alignments, 7)
    ranks = VARIANTS["lader"].ranks(alignments)
    rows = rows_of(VARIANTS["lader"], alignments, orders)
    for row, found, order in zip(rows, ranks, orders, strict=True):
        np.testing.assert_array_equal(row, slow.lader(found.tolist(), order.order.tolist()))  # type: ignore[union-attr]


def test_lader_blocks_are_those_of_the_twin() -> None:
    compared = 0
    for alignment in some_alignments(2000, 8, sparse=True):
        parts = slow.blocks(alignment)
        if parts is None:
            continue
        compared += 1
        linked = [i for i, found in enumerate(alignment.targets()) if found]
        ranks = lader_ranks(alignment)
        groups: dict[int, set[int]] = {}
        for i in linked:
            groups.setdefault(int(ranks[i]), set()).add(i)
        assert [groups[k] for k in sorted(groups)] == parts, alignment
    assert compared > 1000


def test_lader_takes_what_stands_between_into_a_block() -> None:
    # Words 1 and 3 share a target word; word 2 stands between them and goes with them, wherever it is linked.
    assert lader_ranks(Alignment(4, 4, [(0, 2), (1, 3), (2, 0), (3, 3)])).tolist() == [0, 1, 1, 1]
    assert lader_ranks(Alignment(3, 4, [(0, 0), (1, 3), (2, 0)])).tolist() == [0, 0, 0]


def test_lader_keeps_brackets_around_their_words() -> None:
    words = ["he", "(", "a", "b", ")", "left", "(", ")"]
    alignment = Alignment(8, 4, [(0, 3), (2, 1), (3, 0), (5, 2)])
    #                        he ( a b ) left ( )    target order: b a left he
    assert lader_ranks(alignment, words).tolist() == [5, 0, 2, 1, 3, 4, 4, 4]
    assert lader_ranks(alignment).tolist() == [3, 1, 1, 0, 2, 2, 2, 2]


def test_unaligned_words_join_the_next_and_the_last_the_one_before() -> None:
    assert lader_ranks(Alignment(4, 2, [(1, 1), (2, 0)])).tolist() == [1, 1, 0, 0]
    assert lader_ranks(Alignment(4, 2, [(1, 1), (2, 0)]), attach="left").tolist() == [1, 1, 0, 0]
    assert lader_ranks(Alignment(3, 2, [(0, 1), (2, 0)])).tolist() == [1, 0, 0]
    assert lader_ranks(Alignment(3, 2, [(0, 1), (2, 0)]), attach="left").tolist() == [1, 1, 0]
    assert lader_ranks(Alignment(3, 0)).tolist() == [0, 0, 0]
    assert lader_ranks(Alignment(0, 3)).tolist() == []


def test_ranks_go_the_right_way() -> None:
    # source a b c is read c a b: an order that is not its own inverse
    alignment = Alignment(3, 3, [(0, 1), (1, 2), (2, 0)])
    for name in ("thesis", "nakagawa", "lader", "talbot"):
        (rank,) = VARIANTS[name].ranks([alignment])
        assert rank is not None and rank.tolist() == [1, 2, 0], name
    found = evaluate_orders(
        [alignment],
        {"right": [Permutation.from_order([2, 0, 1])], "inverse": [Permutation.from_order([1, 2, 0])]},
    )
    for scored in found.variants:
        for score in scored.cells["right"]:
            assert scored.cells["right"][score].score == 1.0
            assert scored.cells["inverse"][score].score < 1.0


def test_a_perfect_order_is_perfect_where_links_are_plain() -> None:
    rng = np.random.default_rng(9)
    alignments = [Alignment(n, n, [(i, int(j)) for i, j in enumerate(rng.permutation(n))]) for n in range(12)]
    found = evaluate_orders(alignments, {"gold": [Oracle().gold_order(a) for a in alignments]}, samples=0)
    assert all(cell.score == 1.0 for v in found.variants for cell in v.cells["gold"].values())


def test_intervals_and_tests_tell_a_real_difference_from_none() -> None:
    rng = np.random.default_rng(10)
    alignments, good, other = [], [], []
    for _ in range(120):
        gold = Permutation.from_order(rng.permutation(8))
        alignments.append(Alignment(8, 8, list(enumerate(gold.ranks.tolist()))))
        good.append(gold if rng.random() < 0.7 else Permutation.identity(8))
        other.append(gold if rng.random() < 0.7 else Permutation.identity(8))
    how: dict[str, Any] = {"variants": ["thesis", "nakagawa"], "all_pairs": True}
    found = evaluate_orders(alignments, {"good": good, "other": other, "same": good}, **how)
    scored = found.variants[0]
    cell = scored.cells["good"]["kendall"]
    assert cell.interval and cell.interval.low < cell.score < cell.interval.high
    assert cell.p_value is not None and cell.p_value < 0.01
    assert scored.pairs["kendall"]["good", "other"].p_value > 0.05
    assert scored.pairs["kendall"]["good", "same"].p_value == 1.0
    assert found.as_dict()["variants"][1]["systems"]["identity"]["tau"]["p_value"] is None
    again = evaluate_orders(alignments, {"good": good, "other": other, "same": good}, **how)
    assert again.as_dict(sentences=True) == found.as_dict(sentences=True)


def test_what_cannot_be_evaluated_is_said() -> None:
    one = [Alignment(2, 2, [(0, 0)])]
    with pytest.raises(WordOrderError, match="no sentences"):
        evaluate_orders([], {})
    with pytest.raises(WordOrderError, match="mine has 2 orders for 1 sentence"):
        evaluate_orders(one, {"mine": [Permutation.identity(2)] * 2})
    with pytest.raises(WordOrderError, match="mine, sentence 1: the order has 3 words, the sentence 2"):
        evaluate_orders(one, {"mine": [Permutation.identity(3)]})
    with pytest.raises(BadSetting, match="always evaluated"):
        evaluate_orders(one, {"identity": [Permutation.identity(2)]})
    with pytest.raises(UnknownName, match="unknown variant 'talbott'"):
        evaluate_orders(one, {}, variants=["talbott"])
    with pytest.raises(BadSetting, match="the variant talbot is given twice"):
        evaluate_orders(one, {}, variants=["talbot", "lader", "talbot:unaligned=next"])


def test_variants_with_other_settings_have_other_names() -> None:
    specs = ["talbot", "talbot:unaligned=drop", "talbot:unaligned=drop,match=positions"]
    found = evaluate_orders([Alignment(2, 2, [(0, 1), (1, 0)])], {}, variants=specs, samples=0)
    assert [scored.title for scored in found.variants] == specs
    lines = EvaluationReport(found).write("tsv").decode().splitlines()
    assert list(dict.fromkeys(line.split("\t")[1] for line in lines[1:])) == specs


def test_nothing_linked_is_nothing_wrong() -> None:
    orders = [Permutation.from_order(order) for order in ([2, 1, 0], [], [0])]
    found = evaluate_orders([Alignment(3, 2), Alignment(0, 0), Alignment(1, 0)], {"x": orders})
    by_name = {scored.variant.name: scored for scored in found.variants}
    assert by_name["nakagawa"].cells["x"]["tau"].score == 1.0
    assert by_name["lader"].cells["x"]["tau"].score == 1.0
    assert by_name["thesis"].cells["x"]["kendall"].score == pytest.approx(2 / 3)


def test_talbot_scores_what_the_references_give() -> None:
    alignments = some_alignments(200, 11)
    words = [["a", "b", ",", "a", "c", "b", "."][: a.source_size] for a in alignments]
    orders = some_orders(alignments, 12)
    for spec, policies in [
        ("talbot", {}),
        ("talbot:punctuation=pin", {"punctuation": "pin"}),
        ("talbot:unaligned=drop,punctuation=drop", {"unaligned": "drop", "punctuation": "drop"}),
    ]:
        found = evaluate_orders(alignments, {"x": orders}, words=words, variants=[spec], samples=0).variants[
            0
        ]
        slow_scores = []
        for a, w, order in zip(alignments, words, orders, strict=True):
            made = reference(a, w, **policies)  # type: ignore[arg-type]
            if not a.links or not made.order:  # left out
                continue
            read = list(reference_permutation(made, order))
            chunks = 1 + sum(y != x + 1 for x, y in itertools.pairwise(read))
            slow_scores.append(1 - (chunks - 1) / (len(read) - 1) if len(read) > 1 else 1.0)
        assert found.cells["x"]["fuzzy"].score == pytest.approx(np.mean(slow_scores))
        assert (found.used, found.left_out) == (len(slow_scores), 200 - len(slow_scores))
        assert found.left_out > 0
    assert "punctuation:pin" in variant("talbot:punctuation=pin").signature()
    for spec, said in [("talbot:pin=yes", "has no setting 'pin'"), ("lader:a=1", "'lader' has no settings")]:
        with pytest.raises(BadSetting, match=said):
            variant(spec)


@pytest.mark.shared
def test_identity_on_kftt_has_the_printed_scores(shared: Path) -> None:
    folder = shared / "data" / "parallel" / "kftt-gold" / "en-ja"
    english, japanese, align = (str(folder / f"devtest.{end}.gz") for end in ("en", "ja", "align"))
    sources, alignments = read_training(english, align, target=japanese)
    found = evaluate_orders(alignments, {}, words=[source.words for source in sources])
    nakagawa = next(scored for scored in found.variants if scored.variant.name == "nakagawa")
    assert (nakagawa.used, nakagawa.left_out) == (321, 36)
    cells = nakagawa.cells["identity"]
    assert (round(cells["tau"].score, 4), round(cells["frs"].score, 4)) == (0.7253, 0.4938)
