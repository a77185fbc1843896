"""The order of translations against their source, in one call."""

from __future__ import annotations

from typing import Any

import pytest

import wordorder
from wordorder.align.bilingual import train_aligner
from wordorder.analyse.linked_texts import chosen_tokenizer, joined_blocks
from wordorder.analyse.source_order import LAGS, METRICS, source_order
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import orders_from_links
from wordorder.data import sample
from wordorder.engine.score_texts import TextBlock
from wordorder.errors import WordOrderError
from wordorder.io.read_write import read_records
from wordorder.metrics import metric
from wordorder.metrics.given_alignments import SourceAlignments
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import parse_metrics
from wordorder.preorder import load_preorderer

ENGLISH, JAPANESE = (sample(f"text.{side}").read_text("utf-8").splitlines() for side in ("en", "ja"))
RECORDS = list(read_records(str(sample("text.align"))))
LINKS = [
    Alignment(len(en.split()), len(ja.split()), links.sure)
    for en, ja, links in zip(ENGLISH, JAPANESE, RECORDS, strict=True)
]
TURNED, STRAIGHT = Alignment(2, 2, [(0, 1), (1, 0)]), Alignment(2, 2, [(0, 0), (1, 1)])
TWO: dict[str, Any] = {
    "translations": {"a": ["x y", "x y"], "b": ["y x", "x y"]},
    "alignments": {"a": [STRAIGHT, STRAIGHT], "b": [TURNED, STRAIGHT]},
}


def test_scores_are_those_of_the_orders_by_links() -> None:
    found = source_order(ENGLISH, {"ja": JAPANESE}, alignments={"ja": LINKS}, samples=50)
    orders = [order.order for order in orders_from_links(LINKS).permutations]
    for label, made in zip(found.metrics, parse_metrics([METRICS]), strict=True):
        assert isinstance(made, OrderingMetric)
        result = found.scores(label)["ja"]
        assert result.score == pytest.approx(made.corpus_score_orders(orders).score), label
        assert result.interval is not None and result.interval.low <= result.score <= result.interval.high
    curve = [point.score for point in found.curves["ja"]]
    for k, score in zip(LAGS, curve, strict=True):
        assert score == pytest.approx(metric(f"anticipation:k={k}").corpus_score_orders(orders).score)
    assert curve == sorted(curve, reverse=True) and found.lags == tuple(range(1, 11))
    linked = sum(len({i for i, _ in one.links}) for one in LINKS) / sum(one.source_size for one in LINKS)
    assert found.systems[0].matched == pytest.approx(linked)
    assert found.needed == [] and "SourceOrder of 1 systems" in repr(found)


def test_tests_and_baselines_are_those_of_any_table() -> None:
    found = source_order(["u v", "u v"], **TWO, metrics="kendall", baseline="b", samples=200, all_pairs=True)
    results = found.scores("kendall")
    assert results["a"].difference == 0.5 and results["b"].difference is None
    assert results["a"].p_value is not None and len(found.comparison.pairs[0]) == 1
    assert found.curves == {} and found.lags == ()  # no anticipation among the metrics


def test_people_and_models_say_what_is_needed() -> None:
    model = load_preorderer("en-ja-crf")
    found = source_order(
        ENGLISH, {"same": JAPANESE}, references={"people": JAPANESE}, model=model, samples=50,
        alignments={"people": LINKS, "same": LINKS},
    )  # fmt: skip
    assert [system.name for system in found.systems] == ["people", model.name, "same"]
    people, expected = found.needed
    assert people.standard == "people" and people.systems == ["same"]
    values = [result.score if result else None for result in people.results[0]]
    assert values[0] == values[1] and values[2:] == [0.0, 1.0, 1.0]  # the same order as its standard
    assert expected.standard == model.name and expected.systems == ["people", "same"]
    kendall = found.scores("kendall")
    assert values[0] == pytest.approx(1 - kendall["people"].score)
    best = [order.order for order in (one.permutation for one in model.reorder([e.split() for e in ENGLISH]))]
    own = metric("kendall")
    assert isinstance(own, OrderingMetric)
    assert kendall[model.name].score == pytest.approx(own.corpus_score_orders(best).score)
    assert any(model.signature in note for note in found.texts.notes)


def test_links_are_computed_where_none_are_given() -> None:
    found = source_order(ENGLISH, JAPANESE, samples=0, metrics="kendall,anticipation")
    slow = train_aligner(ENGLISH, JAPANESE).align(ENGLISH, JAPANESE)
    given = source_order(
        ENGLISH, JAPANESE, samples=0, metrics="kendall,anticipation", alignments={"translation": slow}
    )
    assert found.scores("kendall") == given.scores("kendall") and found.curves == given.curves
    words, links, warning = found.texts.notes
    assert words == "words by tokenize=13a" and "trained on 40 pairs" in links and "unreliable" in warning
    saved = source_order(ENGLISH, JAPANESE, samples=0, aligner=train_aligner(ENGLISH, JAPANESE))
    assert saved.scores("kendall") == found.scores("kendall")
    assert "saved aligner" in saved.texts.notes[1]


def test_records_of_a_file_get_the_sizes_of_the_texts() -> None:
    by_records, by_links = (
        source_order(ENGLISH, JAPANESE, alignments=given, samples=0, metrics="kendall,crossings:over=links")
        for given in (RECORDS, LINKS)
    )
    assert by_records.comparison.results == by_links.comparison.results
    with pytest.raises(WordOrderError, match=r"segment 1 of 'translation': link 1-0: source word 1 does not"):
        source_order(["one"] * 40, JAPANESE, alignments=RECORDS)
    with pytest.raises(WordOrderError, match="40 lines of 'translation', but 39 alignments"):
        source_order(ENGLISH, JAPANESE, alignments=RECORDS[1:])


def test_raw_text_is_tokenised_on_both_sides() -> None:
    chinese = ["我爱北京天安门。", "我爱北京。"]
    found = source_order(["I love Beijing.", "I love it."], {"zh": chinese}, samples=0)
    assert found.texts.notes[0] == "words of the source by tokenize=13a, of the translations by tokenize=zh"
    assert (
        found.texts.sources[0] == "I love Beijing ." and found.texts.block.systems[0][1] == "我 爱 北 京 。"
    )
    with pytest.raises(WordOrderError, match="no spaces between words, which tokenize=none needs"):
        chosen_tokenizer(chinese, "none")
    odd = ["a\u00a0b \u3000c", "\u200f", "x\u2028y"]
    assert source_order(odd, {"odd": odd}, samples=0).systems[0].segments == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"translations": {}}, "no translations"),
        ({"translations": []}, "no translations"),
        ({"translations": {"a": ["x y"]}}, "2 sources, but 1 lines of 'a'"),
        ({"translations": {"a": ["x y", None]}}, "a line of 'a' is not text"),
        ({"translations": "x y"}, "found a string"),
        ({"references": {"a": ["x y", "x y"]}}, "have the same name"),
        ({"alignments": {"a": [STRAIGHT, STRAIGHT]}}, "no alignments of 'b'"),
        ({"alignments": {**TWO["alignments"], "c": []}}, "no translation of 'c'"),
        ({"alignments": {"a": [STRAIGHT], "b": [TURNED]}}, "2 hypotheses, but 1 alignments"),
        ({"baseline": "c"}, "baseline is 'c'; the systems are a, b"),
        ({"metrics": "bleu"}, "bleu compares words with a reference"),
        ({"metrics": "kendal"}, "Did you mean 'kendall'"),
        ({"policy": "lader"}, "goes by links alone"),
        ({"aligner": object()}, "the aligner would have no effect"),
    ],
)
def test_bad_input_is_explained(change: dict[str, Any], message: str) -> None:
    with pytest.raises(WordOrderError, match=message):
        source_order(["u v", "u v"], **{**TWO, **change})


def test_no_sentences_are_refused() -> None:
    for nothing in ([], {"a": []}):
        with pytest.raises(WordOrderError, match="there are no translations"):
            source_order([], nothing)


def test_blocks_are_joined_in_order() -> None:
    def block(number: int, links: Alignment) -> TextBlock:
        return TextBlock([number], [["u v"]], [["x y"]], [SourceAlignments(hypotheses=[links])])

    joined = joined_blocks([block(3, STRAIGHT), block(7, TURNED)])
    assert joined.numbers == [3, 7] and joined.references == [["u v", "u v"]] and joined.given is not None
    assert Alignments.from_alignments(joined.given[0].hypotheses) == Alignments.from_alignments(
        [STRAIGHT, TURNED]
    )
    assert wordorder.source_order is source_order
