"""The parser that comes with the package, and its files."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.models import describe
from wordorder import _native
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.model_store import find_model, installed_models
from wordorder.io.sentence import Row, Sentence
from wordorder.parse import network
from wordorder.parse.examples import ParserLabels, TypeTable, tree_examples, varied
from wordorder.parse.models import load_parser, plain_card, save_parser
from wordorder.parse.network import TrainedParser
from wordorder.parse.shape import LOWER, NO_LETTERS, TITLE, UPPER

found = find_model("parse", "en")
assert found is not None
SHIPPED = found.folder
SENTENCE = "The old man didn't like the well-known films , he said ."


@pytest.fixture(scope="module")
def parser() -> TrainedParser:
    return load_parser()


def is_tree(heads: list[int]) -> bool:
    chosen = np.arange(len(heads) + 1) == np.array(heads)[:, None]
    return len(_native.spanning_trees(np.where(chosen, 0.0, -np.inf), 1)[0]) == 1


def test_a_sentence(parser: TrainedParser) -> None:
    tree = parser.parse("She gave the boy a book .")
    assert [row.upos for row in tree.words] == ["PRON", "VERB", "DET", "NOUN", "DET", "NOUN", "PUNCT"]
    assert [row.xpos for row in tree.words] == ["PRP", "VBD", "DT", "NN", "DT", "NN", "."]
    assert tree.heads == [2, 0, 4, 2, 6, 2, 2]
    assert [row.deprel for row in tree.words] == ["nsubj", "root", "det", "iobj", "det", "obj", "punct"]
    assert parser.parse("She gave the boy a book .".lower()).heads == tree.heads
    assert parser.parse(["She", "sleeps"]).forms == ["She", "sleeps"]


def test_trees_are_over_the_tokens_as_given(parser: TrainedParser) -> None:
    tree = parser.parse(SENTENCE)
    assert tree.forms == SENTENCE.split() and is_tree(tree.heads)
    forms = {row.form: row for row in tree.words}
    assert (forms["well-known"].head, forms["well-known"].deprel) == ("8", "amod")
    assert forms["didn't"].upos == "AUX"
    whole = replace(parser, split=False).parse(SENTENCE)
    assert whole.forms == tree.forms and is_tree(whole.heads)


@pytest.mark.parametrize(
    "words",
    [["."], ["a"] * 60, ["日本語", "🙂", "\u0301", "-"], ["'"], ["(", ")"], ["\ud800", "x"],
     ["n't", "'t"], ["A" * 5000]],
)  # fmt: skip
def test_any_words_get_a_tree(parser: TrainedParser, words: list[str]) -> None:
    tree = parser.parse(words)
    assert tree.forms == words and is_tree(tree.heads)
    assert [row.deprel for row in tree.words if row.head == "0"] == ["root"]
    assert all(row.deprel != "root" for row in tree.words if row.head != "0")


def test_a_batch_is_parsed_like_each_sentence_alone(parser: TrainedParser) -> None:
    sentences = [
        line.split() for line in (SENTENCE, "Go !", "a", "he left and I stayed at home", "Go !")
    ] * 27
    assert parser.parse_batch(sentences) == [parser.parse(words) for words in sentences[:5]] * 27
    assert parser.parse_batch([]) == []


def test_nbest_trees_are_different_and_sorted(parser: TrainedParser) -> None:
    words = ["I", "saw", "the", "man", "with", "the", "telescope"]
    trees = replace(parser, split=False, probabilities=True).nbest(words, 12)
    heads = [tuple(tree.heads) for tree in trees]
    assert len(set(heads)) == 12 and all(is_tree(list(each)) for each in heads)
    assert trees[0].heads == parser.parse(words).heads

    (scores,) = replace(parser, split=False)._scores([words])
    logs = np.log(np.maximum(scores.heads.astype(np.float64), network.FLOOR))
    probs = [logs[np.arange(len(words)), tree.heads].sum() for tree in trees]
    assert probs == sorted(probs, reverse=True)
    lists = replace(parser, trees=3).trees_batch([words, ["Go"]])
    assert [tuple(tree.heads) for tree in lists[0]] == heads[:3]
    assert [tree.heads for tree in lists[1]] == [[0]]
    # Trees that differ only within tokens are one tree over tokens.
    tokens = ["a", "well-known", "man", "slept"]
    found = [tuple(tree.heads) for tree in parser.nbest(tokens, 40)]
    assert 1 < len(found) == len(set(found)) < 40
    with pytest.raises(BadSetting, match="k is 0; expected 1 or more"):
        parser.nbest("a b", 0)


def test_probabilities_are_those_of_the_network(parser: TrainedParser) -> None:
    tree = replace(parser, probabilities=True).parse("the cat sleeps .")
    for row in tree.words:
        values = dict(part.split("=") for part in row.misc.split("|"))
        assert list(values) == ["UPosProb", "HeadProb", "DeprelProb"]
        assert all(0.5 < float(value) <= 1 for value in values.values())
    assert all(row.misc == "_" for row in parser.parse("the cat sleeps .").words)


def test_long_sentences_are_parsed_in_pieces(parser: TrainedParser) -> None:
    words = [*(["he", "said", "that", "it", "was", "good", ","] * 60)[:-1], "."]
    pieces = list(network._pieces(words))
    assert [word for piece in pieces for word in piece] == words
    assert all(len(piece) <= network.LONGEST for piece in pieces) and len(pieces) == 3
    assert all(piece[-1] == "," for piece in pieces[:-1])
    assert [len(piece) for piece in network._pieces(["a"] * 450)] == [200, 200, 50]
    assert list(network._pieces(["a"] * 200)) == [["a"] * 200]
    tree = parser.parse(words)
    assert tree.forms == words and is_tree(tree.heads)
    first = parser.parse(pieces[0])
    assert tree.heads[: len(pieces[0])] == first.heads
    later = [row for row in tree.words[len(pieces[0]) :] if row.deprel == "parataxis"]
    assert {int(row.head) for row in later} >= {first.heads.index(0) + 1}
    assert len(parser.nbest(words, 5)) == 1


def test_models_are_found_saved_and_loaded(parser: TrainedParser, tmp_path: Path) -> None:
    assert "en" in installed_models("parse") and load_parser() is load_parser("en")
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 8 << 20
    folder = tmp_path / "mine"
    save_parser(parser, folder, trained={"seed": 1}, card=plain_card(str(folder), {"seed": 1}))
    again = load_parser(str(folder))
    assert again.labels == parser.labels and again.vocabulary == parser.vocabulary
    assert again.parse(SENTENCE) == parser.parse(SENTENCE) == parser.rounded().parse(SENTENCE)
    assert "| seed | 1 |" in (folder / "README.md").read_text()
    with pytest.raises(UnknownName, match=r"unknown parser 'nl'.*en"):
        load_parser("nl")
    with pytest.raises(BadFile, match="nothing/here: is no wordorder-parser"):
        load_parser("nothing/here")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes").touch()
    with pytest.raises(BadFile, match="exists and is no wordorder-parser"):
        save_parser(parser, tmp_path / "other", trained={}, card="")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"upos": ["NOUN"]}, "words or labels do not fit its sizes"),
        ({"shape": {"units": 0}}, "size units is 0"),
        ({"shape": {"units": 255}}, "is of shape"),
        ({"shape": {"layers": 10**9}}, "size layers is 1000000000; expected 1 to 100"),
        ({"shape": {"magic": 1}}, "is damaged"),
        ({"xpos": None}, "is damaged"),
    ],
)
def test_damaged_descriptions(change: dict[str, object], said: str, tmp_path: Path) -> None:
    folder = tmp_path / "p"
    shutil.copytree(SHIPPED, folder)
    about = json.loads((folder / "model.json").read_text())
    for key, value in change.items():
        about["network"][key] = about["network"][key] | value if isinstance(value, dict) else value
    describe(folder, about)
    with pytest.raises(BadFile, match=said) as caught:
        load_parser(str(folder))
    assert len(str(caught.value).splitlines()) == 1


def test_examples_for_training(parser: TrainedParser) -> None:
    rows = [Row("1", "The", upos="DET", xpos="DT", head="2", deprel="det"),
            Row("2", "XYZZY", upos="NOUN", xpos="??", head="0", deprel="root"),
            Row("3", "!", upos="PUNCT", xpos=".", head="2", deprel="punct")]  # fmt: skip
    types = TypeTable(parser.vocabulary)
    (example,) = tree_examples([Sentence(rows)], types, parser.labels)
    assert example.words == 3 and example.heads.tolist() == [2, 0, 2]
    assert example.cases.tolist() == [NO_LETTERS, TITLE, UPPER, NO_LETTERS, NO_LETTERS]
    assert parser.labels.xpos[example.xpos[0]] == "DT" and example.xpos[1] == -1  # not learned
    assert types.numbers[example.types[1]] == parser.vocabulary.number("the")
    assert ParserLabels.of([Sentence(rows)]) == ParserLabels(
        ("DET", "NOUN", "PUNCT"), (".", "??", "DT"), ("det", "punct", "root")
    )
    rng = np.random.default_rng(0)
    seen = {tuple(varied(example, rng, lower=0.4, upper=0.3).cases.tolist()) for _ in range(40)}
    assert seen == {
        tuple(example.cases.tolist()),
        (NO_LETTERS, LOWER, LOWER, NO_LETTERS, NO_LETTERS),
        (NO_LETTERS, UPPER, UPPER, NO_LETTERS, NO_LETTERS),
    }
