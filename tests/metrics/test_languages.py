"""Metrics on languages that need more than spaces: words are found, and spellings unified."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wordorder.data import sample_judgments
from wordorder.judge.read import read_sets
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics.registry import from_signature, metric
from wordorder.text.tokens import is_installed

# language: reference, the same in another spelling, and in another order
TEXTS = {
    "zh": ("今天２０度，天气很好。", "今天20度,天气很好。", "天气很好，今天２０度。"),
    "ja": ("カメラを買った。", "ｶﾒﾗを買った。", "買ったカメラを。"),
    "ko": ("나는 학교에 갔다.", "나는 학교에 갔다.", "학교에 나는 갔다."),
    "th": ("เขาไปโรงเรียนทุกวัน", "เขา\u200bไปโรงเรียนทุกวัน", "ทุกวันเขาไปโรงเรียน"),
    "ar": ("هل قرأت الكتاب الجديد؟", "هل قـرأت الكتــاب الجديد؟", "الكتاب الجديد هل قرأت؟"),
    "hi": ("वह क़लम लाया।", "वह क\u093cलम लाया।", "क़लम वह लाया।"),
    "tr": ("Işık İzmir'de sönük.", "ışık izmir'de sönük.", "İzmir'de ışık sönük."),
}


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("name", ["kendall", "full", "lrscore", "beer"])
def test_spelling_does_not_matter_and_order_does(language: str, name: str) -> None:
    reference, respelled, reordered = TEXTS[language]
    score = metric(name) if name == "beer" else metric(name, language=language)
    best, same, other = (
        score.sentence_score(text, [reference]).score for text in (reference, respelled, reordered)
    )
    if name == "beer" and language == "tr":  # it compares letters as they are written
        assert same < best
    elif name == "lrscore" and language == "tr":  # sacrebleu's lower case
        assert other < same < best
    else:
        assert same == pytest.approx(best)
    assert other < best


def test_every_script_has_its_words() -> None:
    japanese, korean = is_installed("ja-mecab"), is_installed("ko-mecab")
    expected = {"zh": "zh", "ja": "ja-mecab" if japanese else "script", "th": "script", "ar": "intl",
                "hi": "intl", "tr": "13a", "ko": "ko-mecab" if korean else "intl"}  # fmt: skip
    for language, tokenizer in expected.items():
        reference = TEXTS[language][0]
        signature = metric("kendall").sentence_score(reference, [reference]).signature
        assert f"|tokenize:{tokenizer}|" in signature
        assert "normalize" not in signature
        theirs = metric("bleu").sentence_score(reference, [reference]).signature
        instead = {"script": "char", "intl": "13a"}.get(tokenizer, tokenizer)
        assert f"|tok:{instead}|" in theirs and "normalize" not in theirs
        assert "|tokenize:none|" in metric("ribes").sentence_score("a b", ["a b"]).signature


@pytest.mark.parametrize("spec", ["ribes", "full", "lrscore", "meteor", "bleu", "chrf", "ter", "beer"])
def test_normalisation_is_a_setting_of_every_metric_of_text(spec: str) -> None:
    changed = metric(spec, normalize="nfkc+alef")
    assert "|normalize:nfkc+alef" in changed.signature
    assert from_signature(changed.signature) == changed
    reference, hypothesis = "إلى آسيا ½ من أحمد الكبير اليوم", "الى اسيا 1⁄2 من احمد الكبير اليوم"
    before, after = (
        metric(spec, normalize=steps).sentence_score(hypothesis, [reference]).score
        for steps in ("none", "nfkc+alef")
    )
    assert after == pytest.approx(changed.sentence_score(reference, [reference]).score)
    assert before != pytest.approx(after)


def test_clitics_are_words_if_asked_for() -> None:
    plain, divided = metric("full"), metric("full:tokenize=ar-clitics")
    hypothesis, reference = "الولد قرأ كتابا والدرس", "قرأ الولد كتابا ودرس"
    assert (
        divided.corpus_score([hypothesis], [[reference]]).matched
        > plain.corpus_score([hypothesis], [[reference]]).matched
    )


def test_lower_case_depends_on_the_language() -> None:
    turkish, english = metric("full:language=tr"), metric("full")
    assert (
        turkish.sentence_score("IŞIK", ["ışık"]).score == 1.0 > english.sentence_score("IŞIK", ["ışık"]).score
    )
    assert "|language:tr|" in turkish.signature
    assert english.sentence_score("İZMİR", ["izmir"]).score == 1.0


def test_judging_knows_the_target_language() -> None:
    (sample,) = read_sets([str(sample_judgments())])
    metrics = [metric("kendall"), metric("full"), metric("ribes"), metric("chrf")]
    (row,) = suited_metrics(metrics, [replace(sample, pair="en-tr")])
    assert [getattr(suited, "language", "") for suited, _ in row] == ["tr", "tr", "tr", ""]
    (row,) = suited_metrics(metrics, [replace(sample, pair="tr-en")])
    assert [getattr(suited, "language", "") for suited, _ in row] == ["en", "en", "en", ""]
