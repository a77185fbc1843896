"""Choosing: minimum Bayes risk against the double loop, readers, and weights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cli.calls import call
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadFile, BadSetting
from wordorder.metrics.registry import metric
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.choice import choose_by_model, choose_by_risk
from wordorder.tune.reading import read_candidates
from wordorder.tune.weights import Weights, read_weights

LISTS = [
    ["the cat sat on the mat", "a cat sat on the mat", "the mat sat on a cat", "the cat sat on the mat"],
    ["hello world", "", "world hello there"],
    ["one"],
]


def groups() -> list[tuple[int, list[CandidateTranslation]]]:
    return [
        (s, [CandidateTranslation(s, text, (), float(-k)) for k, text in enumerate(texts)])
        for s, texts in enumerate(LISTS)
    ]


@pytest.mark.parametrize(
    "spec", ["chrf", "bleu", "ribes", "recpef", "kendall", "full", "lrscore", "meteor", "ter", "beer"]
)
@pytest.mark.parametrize("temperature", [None, 0.5])
def test_expected_scores_are_those_of_the_double_loop(spec: str, temperature: float | None) -> None:
    utility = metric(spec)
    for choice, texts in zip(choose_by_risk(groups(), utility, temperature=temperature), LISTS, strict=True):
        chances = np.ones(len(texts)) if temperature is None else np.exp(-np.arange(len(texts)) / temperature)
        chances /= chances.sum()
        slow = [
            sum(p * utility.sentence_score(h, [r]).score for p, r in zip(chances, texts, strict=True))
            for h in texts
        ]
        assert len(choice.ranked) == len(set(texts))
        for candidate, value in zip(choice.ranked, choice.values, strict=True):
            assert value == pytest.approx(slow[texts.index(candidate.text)], abs=1e-9)
        best = max(slow) if utility.higher_is_better else min(slow)
        assert choice.values[0] == pytest.approx(best, abs=1e-9)


def test_choice_by_model() -> None:
    assert [c.ranked[0].text for c in choose_by_model(groups())] == [texts[0] for texts in LISTS]
    featured = [
        (0, [CandidateTranslation(0, "a", (("f", (1.0,)),)), CandidateTranslation(0, "b", (("f", (2.0,)),))])
    ]
    (choice,) = choose_by_model(featured, Weights((("f", (0.5,)),)))
    assert choice.ranked[0].text == "b" and choice.values == [1.0, 0.5]
    with pytest.raises(BadSetting, match="no feature of a candidate of sentence 0"):
        list(choose_by_model(featured, Weights((("g", (0.5,)),))))
    with pytest.raises(BadSetting, match="no model score"):
        list(choose_by_model(featured))


def test_candidates_are_read_from_all_kinds_of_files(tmp_path: Path) -> None:
    nbest = tmp_path / "list"
    nbest.write_text(
        "0 ||| a b ||| LM= 1 TM= 2 3 ||| -4\n0 ||| b ||| LM= 2 TM= 0 0 ||| -5\n"
        "1 ||| c ||| LM= 0 TM= 0 0 ||| 0\n"
    )
    jsonl = tmp_path / "list.jsonl"
    jsonl.write_text(
        '{"sentence": 0, "candidates": ["x", {"text": "y", "score": 1}]}\n'
        '{"sentence": 1, "text": "z", "features": {"LM": [2]}}\n'
    )
    plain = tmp_path / "plain.txt"
    plain.write_text("p\nq\nr\ns\n")
    both = dict(read_candidates([str(nbest), str(jsonl)]))
    assert [c.text for c in both[0]] == ["a b", "b", "x", "y"] and [c.text for c in both[1]] == ["c", "z"]
    assert both[0][0].features == (("LM", (1.0,)), ("TM", (2.0, 3.0))) and both[0][3].score == 1.0
    fixed = dict(read_candidates([str(plain)], per_sentence=2))
    assert [[c.text for c in fixed[s]] for s in (0, 1)] == [["p", "q"], ["r", "s"]]
    with pytest.raises(BadFile, match="not a multiple of 3"):
        list(read_candidates([str(plain)], per_sentence=3))
    jsonl.write_text('{"words": "x"}\n')
    with pytest.raises(BadFile, match="found the keys words"):
        list(read_candidates([str(jsonl)]))
    for text, message in (
        ('{"candidates": "abc"}', "candidates is not a list"),
        ('{"candidates": ["a b\\n"]}', "has a line break"),
        ('{"sentence": 0, "text": "a"}\n{"text": "b"}', ":2: not a candidate: some lines have a sentence"),
        ('{"text": "a", "features": {"a b": 1}}', "a name without spaces"),
        ('{"text": "a", "features": {"a": true}}', "True is not a finite number"),
    ):
        jsonl.write_text(text + "\n")
        with pytest.raises(BadFile, match=message):
            list(read_candidates([str(jsonl)]))
    jsonl.write_text('[{"text": "a"}]\n')
    with pytest.raises(BadSetting, match="is of the format JSON array; expected one of nbest, jsonl, text"):
        list(read_candidates([str(jsonl)]))
    nbest.write_text("1 ||| a ||| f= 1 ||| 1\n0 ||| a ||| f= 1 ||| 1\n")
    with pytest.raises(BadSetting, match="sorted"):
        list(read_candidates([str(nbest)]))


def test_choosing_refuses_what_tuning_refuses() -> None:
    def one(*features: tuple[str, tuple[float, ...]], score: float | None = None) -> Any:
        return [(0, [CandidateTranslation(0, text, features, score) for text in ("a", "b")])]

    weights = Weights((("LM0", (0.5,)), ("TM0", (1.0, 2.0))))
    for lists, by, message in (
        (one(("TM0", (1.0,))), weights, "TM0 has 2 weights, but 1 value in sentence 0"),
        (one(("LM0", (1.0,)), ("LM0", (1.0,))), weights, "LM0 of sentence 0 occurs twice"),
        (one(("LM0", (1e308,))), weights, "expected numbers from"),
        (one(("LM0", (1.0,))), Weights((("LM0", (0.0,)),)), "all weights are zero"),
        (one(score=1e308), None, "is above"),
        (one(), None, "no model score, and no features"),
    ):
        with pytest.raises(BadSetting, match=message):
            list(choose_by_model(lists, by))


def test_extreme_temperatures_lose_no_sentence() -> None:
    lists = [
        (s, [CandidateTranslation(s, t, (), v) for t, v in (("a b", 1e90), ("a c", -1e90))]) for s in (0, 1)
    ]
    for temperature in (5e-324, 1e-300, 1.0, 1e300):
        found = list(choose_by_risk(lists, metric("chrf"), temperature=temperature))
        assert [choice.sentence for choice in found] == [0, 1] and found[0].ranked[0].text == "a b"


def test_weights_are_read_as_they_are_written() -> None:
    weights = Weights((("LM0", (0.5,)), ("TM0", (0.25, -0.125))))
    assert read_weights(str(weights).splitlines()) == weights
    assert read_weights(["TM0= 1", "TM0= 2"]).as_dict() == {"TM0": [1.0, 2.0]}
    assert read_weights(['{"weights": {"LM0": [0.5]}}']).as_dict() == {"LM0": [0.5]}
    assert read_weights(["# cdec", "LM 0.5", "a=b -1"]).as_dict() == {"LM": [0.5], "a=b": [-1.0]}
    for lines in (
        ["LM0 0.5 1"],
        ["LM0"],
        ["LM0= x"],
        ["= 1"],
        ["LM0=0.5 TM0=0.1"],
        ['{"LM0": true}'],
        ['{"LM0": "0.5"}'],
        ["LM0= 1e308"],
        [],
        ["[weight]"],
        ['{"weights": 3}'],
    ):
        with pytest.raises(BadFile):
            read_weights(lines)
    with pytest.raises(BadFile, match=r"weights:2: \[weight-l\] is a section of an old moses.ini"):
        read_weights(["# old", "[weight-l]", "0.5", "[weight-t]", "0.2"])


def test_bad_lines_are_reported_and_not_taken_for_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list"
    cases = [
        ("0 ||| a ||| LM= 1 ||| 1\n0 ||| b ||| LM= nan ||| 1\n", "list:2"),
        ('{"text": "a"}\nnot json\n', "list:2"),
        ('{"text": "a", "score": "inf"}\n', "list:1"),
        ('{"text": "a", "sentence": 1.5}\n', "list:1"),
        ('{"text": "a\\nb"}\n', "list:1"),
    ]
    for content, place in cases:
        file.write_text(content)
        told = call(capsys, monkeypatch, "choose", str(file), "--risk", "chrf")
        assert told.returncode == 3 and place in told.stderr, content
    file.write_text("a\nb\n")
    other = tmp_path / "other"
    other.write_text("a\n")
    told = call(capsys, monkeypatch, "choose", str(file), str(other), "--risk", "chrf")
    assert told.returncode != 0 and "differ in the number of sentences" in told.stderr


def test_features_keep_their_names_and_their_number_of_values() -> None:
    hashed = [
        CandidateTranslation(0, str(k), (("dw_#_x", (1.0,)), ("TM", (1.0, float(k))))) for k in range(2)
    ]
    lists = CandidateLists.of(hashed)
    carried = lists.weights(np.array([1.0, 2.0, 3.0]), Weights((("LM", (9.0,)), ("TM", (0.0, 0.0)))))
    assert carried.as_dict() == {"dw_#_x": [1.0], "TM": [2.0, 3.0], "LM": [9.0]}
    with pytest.raises(BadSetting, match="TM has 1 value in sentence 0, and 2 before"):
        CandidateLists.of([*hashed, CandidateTranslation(0, "z", (("TM", (1.0,)),))])
    with pytest.raises(BadSetting, match="TM has 1 weight, but another number"):
        lists.vector(Weights((("TM", (1.0,)),)))
    with pytest.raises(BadFile):
        read_weights(["LM= nan"])
