"""The numbers of the API are those of Python and of the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("pydantic")

import wordorder as wo
from tests.cli.calls import run_here
from tests.metrics.equations import value_of
from wordorder.data import sample
from wordorder.errors import WordOrderError
from wordorder.web import limits
from wordorder.web.operations import OPERATIONS, align, choose, draw, metrics, models, reorder, score, tree
from wordorder.web.schemas import (
    AlignAnswer,
    AlignRequest,
    ChooseAnswer,
    ChooseRequest,
    DrawAnswer,
    DrawRequest,
    MetricsAnswer,
    ModelsAnswer,
    ReorderAnswer,
    ReorderRequest,
    ScoreAnswer,
    ScoreRequest,
    TreeAnswer,
    TreeRequest,
)


def lines(name: str) -> list[str]:
    return sample(name).read_text(encoding="utf-8").splitlines()


def test_scores_of_text_are_those_of_the_command_line() -> None:
    names = ["kendall", "recpef", "full", "chrf", "ter", "beer"]
    request = ScoreRequest(
        metrics=names, hypotheses=lines("system-a.txt"), references=[lines("reference.txt")],
        bootstrap=100, segments=True,
    )  # fmt: skip
    answer = ScoreAnswer.model_validate(score(request))
    files = ["-r", str(sample("reference.txt")), str(sample("system-a.txt"))]
    done = run_here("score", *files, "-m", ",".join(names), "--samples", "100", "-f", "json")
    report = json.loads(done.stdout)
    for found, about in zip(answer.scores, report["metrics"], strict=True):
        expected = report["systems"][0]["scores"][about["spec"]]
        assert found.score == expected["score"]
        assert (found.low, found.high) == pytest.approx((expected["low"], expected["high"]), rel=1e-12)
        assert found.metric == about["spec"] and found.signature == about["signature"]
        assert found.segments is not None and len(found.segments) == 20


def test_a_single_segment_has_the_numbers_of_its_equations() -> None:
    names = ["kendall", "fuzzy", "beer"]
    request = ScoreRequest(metrics=names, hypotheses=["b a c d"], references=[["a b c d e"]])
    for found in ScoreAnswer.model_validate(score(request)).scores:
        assert found.equation and found.terms
        terms = {name: [value] for name, value in found.terms.items()}
        assert value_of(found.equation, terms, 0) == pytest.approx(found.score, abs=1e-4)


def test_scores_of_permutations_are_those_of_python() -> None:
    names = [m["name"] for m in metrics()["metrics"] if m["permutations"]]
    answer = score(ScoreRequest(metrics=names, permutations=["2 4 5 6 1 3"]))
    for found in answer["scores"]:
        m = wo.metric(found["metric"])
        assert found["score"] == m([1, 3, 4, 5, 0, 2])
        assert found["signature"] == m.order_signature
    ScoreAnswer.model_validate(answer)


def test_permutations_are_read_with_either_base_and_as_orders() -> None:
    places = [1, 3, 0, 2]
    for written in (places, [p + 1 for p in places], "1 3 0 2", "⟨2,4,1,3⟩"):
        assert tree(TreeRequest(permutation=written))["ranks"] == places
    assert tree(TreeRequest(permutation=[1, 2, 0], order=True))["ranks"] == [2, 0, 1]
    assert tree(TreeRequest(permutation=""))["ranks"] == []


def test_trees_of_the_forest_come_by_number() -> None:
    forest = wo.Forest([1, 3, 4, 5, 0, 2])
    for number in range(forest.count):
        answer = tree(TreeRequest(permutation="2 4 5 6 1 3", number=str(number)))
        assert answer["brackets"] == str(forest.tree_at(number)) and answer["count"] == "2"
    with pytest.raises(WordOrderError, match="expected 0 to 1"):
        tree(TreeRequest(permutation="2 4 5 6 1 3", number="2"))


def test_the_number_of_trees_may_be_larger_than_any_number_of_json() -> None:
    answer = tree(TreeRequest(permutation=list(range(300))))
    assert int(answer["count"]) == wo.Forest(range(300)).count > 2**64
    last = str(int(answer["count"]) - 1)
    assert tree(TreeRequest(permutation=list(range(300)), number=last))["number"] == last


def test_links_become_an_order_and_say_how_far_it_can_be_relied_on() -> None:
    links = {"source": "can tax deduction {{", "target": "a b", "text": "0-1 1-0 2p0"}
    answer = TreeAnswer.model_validate(tree(TreeRequest.model_validate({"links": links})))
    assert answer.ranks == [2, 0, 1, 3] and answer.possible == [[2, 0]]
    assert answer.reference is not None
    assert answer.reference.coverage == 0.75 and answer.reference.unlinked == [3]
    assert answer.reference.groups == [[1, 2], [0], [3]]
    with pytest.raises(WordOrderError, match=r"past the last source word.*start at 1\? Try base=1"):
        tree(TreeRequest.model_validate({"links": {"source": "a b", "target": "c d", "text": "1-1 2-2"}}))


@pytest.mark.parametrize("picture", ["tree", "forest", "curves", "matrix", "anticipation"])
def test_pictures_are_those_of_the_command_line(picture: str) -> None:
    words = "I will wait for <you>"
    asked = {"permutation": "2 4 5 1 3", "words": words.split(), "picture": picture}
    for form in ("svg", "tikz", "latex"):
        answer = DrawAnswer.model_validate(draw(DrawRequest.model_validate(asked | {"format": form})))
        done = run_here("draw", "2 4 5 1 3", "--words", words, "--as", picture, "-f", form)
        assert answer.content == done.stdout


def test_links_are_drawn_between_their_own_words() -> None:
    links = {"source": "the house", "target": "das haus", "text": "0-0 1-1"}
    for picture in ("curves", "matrix"):
        drawn = draw(DrawRequest.model_validate({"links": links, "picture": picture}))
        assert ">haus<" in drawn["content"]


def test_orders_of_models_are_those_of_python() -> None:
    sentence = "my father is reading a newspaper in the garden ."
    model = wo.load_preorderer("en-ja-crf")
    asked = ReorderRequest(
        model="en-ja-crf", sentences=[sentence, ""], nbest=3, precedence=True, explain=True
    )
    answer = ReorderAnswer.model_validate(reorder(asked))
    found, empty = answer.sentences
    expected = model.nbest(sentence, 3)
    assert [c.order for c in found.candidates] == [c.order for c in expected]
    assert found.candidates[0].text == str(model.reorder(sentence))
    assert found.precedence is not None and found.explanation is not None
    assert found.precedence[0][1] == pytest.approx(model.precedence(sentence)[0, 1], abs=1e-4)
    assert found.explanation["order"] == expected[0].order
    assert empty.ranks == [] and empty.tree == ""
    words = sentence.split()
    assert found.tree == model.trees(sentence).to_penn(words)
    (bare,) = reorder(ReorderRequest(model="en-ja-crf", sentences=[sentence], tree=False))["sentences"]
    assert bare["tree"] == "" and bare["ranks"] == found.ranks


@pytest.mark.slow
@pytest.mark.parametrize("name", ["en-multi-crf", "en-multi-average"])
def test_a_model_of_several_languages_needs_one(name: str) -> None:
    entry = next(m for m in ModelsAnswer.model_validate(models()).models if m.name == name)
    assert "ja" in entry.languages
    asked = ReorderRequest(model=name, sentences=["i saw it"], language="ja", precedence=True, explain=True)
    (found,) = ReorderAnswer.model_validate(reorder(asked)).sentences
    assert sorted(found.ranks) == [0, 1, 2] and found.explanation is not None
    for language in (None, "xx"):
        with pytest.raises(WordOrderError, match="several target languages"):
            reorder(ReorderRequest(model=name, sentences=["i saw it"], language=language))


def test_matching_is_that_of_the_metrics() -> None:
    asked = AlignRequest(method="match", source=["The cat saw the dog."], target=["the dog saw the cat ."])
    answer = align(asked)
    (pair,) = AlignAnswer.model_validate(answer).pairs
    assert pair.source == ["the", "cat", "saw", "the", "dog", "."]
    assert pair.ranks == [3, 4, 2, 0, 1, 5]
    kendall = wo.metric("kendall").sentence_score("The cat saw the dog.", ["the dog saw the cat ."])
    assert wo.metric("kendall")(pair.ranks) == kendall.score


def test_an_aligner_trained_on_few_pairs_says_so(tmp_path: Path) -> None:
    source, target = ["the house", "the book", "a book"], ["das haus", "das buch", "ein buch"]
    answer = AlignAnswer.model_validate(align(AlignRequest(source=source, target=target)))
    model = wo.train_aligner(source, target)
    assert [p.links for p in answer.pairs] == [list(map(list, a.links)) for a in model.align(source, target)]
    assert "3 pairs alone" in answer.notes[0]
    from wordorder.align.aligner_files import save_model

    save_model(model, str(tmp_path / "aligner"))
    again = align(AlignRequest(source=["a house"], target=["ein haus"]), str(tmp_path / "aligner"))
    assert again["pairs"][0]["links"] == [[0, 0], [1, 1]] and again["notes"] == []


def test_choices_are_those_of_minimum_bayes_risk() -> None:
    from wordorder.core.candidate_translation import CandidateTranslation
    from wordorder.tune.choice import choose_by_risk

    texts = ["a b c", "a c b", "c b a", "a b c d"]
    answer = ChooseAnswer.model_validate(choose(ChooseRequest(candidates=[texts], metric="recpef", top=4)))
    lists = [(0, [CandidateTranslation(0, text) for text in texts])]
    (expected,) = choose_by_risk(lists, wo.metric("recpef"))
    assert [(c.text, c.value) for c in answer.choices[0]] == [
        (c.text, v) for c, v in zip(expected.ranked, expected.values, strict=True)
    ]


def test_the_list_of_metrics_is_whole() -> None:
    assert [m.name for m in MetricsAnswer.model_validate(metrics()).metrics] == wo.metric_names()


@pytest.mark.parametrize(
    "spec",
    ["beer:model=x", "beer:parses=x", "meteor:function_words=x", "kendall:wordnet=x", "full:paraphrases=x"],
)
def test_settings_that_name_files_are_refused(spec: str) -> None:
    with pytest.raises(WordOrderError, match="names a file"):
        score(ScoreRequest(metrics=[spec], hypotheses=["a"], references=[["a"]]))


def test_every_setting_that_is_text_is_refused_or_no_path() -> None:
    """A setting of a metric that opens a file must be among its places; paths need a slash in any case."""
    for spec in ("kendall:language=../x", "kendall:language=a/b", "full:order=/etc", "kendall:match=a\\b"):
        with pytest.raises(ValueError):
            score(ScoreRequest(metrics=[spec], hypotheses=["a"], references=[["a"]]))


@pytest.mark.parametrize("name", ["/etc", "../en-ja", ".", "rules:en-ja", "identity"])
def test_models_are_those_of_the_package_only(name: str) -> None:
    with pytest.raises(ValueError):
        reorder(ReorderRequest(model=name, sentences=["a"]))


def test_sentences_of_too_many_words_are_refused() -> None:
    long = " ".join(["a"] * (limits.WORDS + 1))
    for operation, request in (
        (score, ScoreRequest(hypotheses=[long], references=[["a"]])),
        (reorder, ReorderRequest(model="en-ja-crf", sentences=[long])),
        (align, AlignRequest(source=[long], target=["a"])),
        (choose, ChooseRequest(candidates=[[long]])),
        (tree, TreeRequest.model_validate({"links": {"source": long, "target": "a"}})),
    ):
        with pytest.raises(WordOrderError, match="1001 words"):
            operation(request)  # type: ignore[operator]


def test_every_operation_has_an_address() -> None:
    assert set(OPERATIONS) == {"score", "tree", "draw", "reorder", "align", "choose"}
