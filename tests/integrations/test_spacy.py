"""Documents of spaCy as sources, and the pipeline component; the parses are made by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wordorder as wo
from wordorder.errors import BadSetting, UnknownName

spacy = pytest.importorskip("spacy")
tokens = pytest.importorskip("spacy.tokens")
pytest.importorskip("wordorder.integrations.spacy_component")  # where the entry point is not installed

from wordorder.parse.spacy_docs import is_doc, tree_of  # noqa: E402

WORDS = ["He", "bought", "a", "red", "car", "."]
PARSE = {
    "heads": [1, 1, 4, 4, 1, 1],
    "deps": ["nsubj", "ROOT", "det", "amod", "obj", "punct"],
    "pos": ["PRON", "VERB", "DET", "ADJ", "NOUN", "PUNCT"],
    "tags": ["PRP", "VBD", "DT", "JJ", "NN", "."],
}


@pytest.fixture
def nlp() -> Any:
    return spacy.blank("en")


def document(nlp: Any, words: list[str] = WORDS, **parse: Any) -> Any:
    return tokens.Doc(nlp.vocab, words=words, **parse)


def test_a_parse_becomes_a_tree(nlp: Any) -> None:
    tree = tree_of(document(nlp, **PARSE))
    assert tree.forms == WORDS and tree.heads == [2, 0, 5, 5, 2, 2]
    assert [row.deprel for row in tree.words] == ["nsubj", "root", "det", "amod", "obj", "punct"]
    assert [row.upos for row in tree.words] == PARSE["pos"] and [row.xpos for row in tree.words] == PARSE[
        "tags"
    ]


def test_white_space_and_second_roots(nlp: Any) -> None:
    doc = document(
        nlp, ["see", " ", "dogs", "run"], heads=[0, 0, 1, 3], deps=["ROOT", "dep", "obj", "ROOT"]
    )  # "dogs" depends on white space, "run" on nothing
    tree = tree_of(doc)
    assert tree.forms == ["see", "dogs", "run"] and tree.heads == [0, 1, 1]
    assert [row.deprel for row in tree.words] == ["root", "obj", "parataxis"]
    part = tree_of(doc[2:3])  # the head is outside the span
    assert part.forms == ["dogs"] and part.heads == [0]


def test_the_parse_is_used_and_not_made_again(nlp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("parsed again")

    rules = wo.load_preorderer("rules:head-final")
    by_conllu = rules.reorder(wo.Source(tuple(WORDS), parse=tree_of(document(nlp, **PARSE))))
    wrong = {**PARSE, "heads": [1, 2, 3, 4, 5, 5], "deps": ["dep"] * 5 + ["ROOT"]}  # a chain
    chain = wo.Source(tuple(WORDS), parse=tree_of(document(nlp, **wrong)))
    monkeypatch.setattr("wordorder.preorder.parses.load_parser", refuse)
    assert rules.reorder(document(nlp, **PARSE)).order == by_conllu.order
    assert rules.reorder(document(nlp, **wrong)).order == rules.reorder(chain).order
    assert is_doc(document(nlp)) and is_doc(document(nlp)[:2])
    several = rules.reorder([document(nlp, **PARSE), document(nlp, **PARSE)])
    assert [one.order for one in several] == [by_conllu.order] * 2
    with pytest.raises(AssertionError, match="parsed again"):
        rules.reorder(document(nlp))


def test_a_document_of_several_sentences_is_not_one(nlp: Any) -> None:
    doc = document(nlp, ["He", "sleeps", "She", "reads"], sent_starts=[True, False, True, False])
    model = wo.load_preorderer("identity")
    with pytest.raises(BadSetting, match=r"has 2 sentences, not one; pass list\(doc\.sents\)"):
        model.reorder(doc)
    assert [str(one) for one in model.reorder(list(doc.sents))] == ["He sleeps", "She reads"]


def test_the_component_sets_order_and_text(nlp: Any, tmp_path: Path) -> None:
    nlp.add_pipe("sentencizer")
    nlp.add_pipe("wordorder", config={"model": "en-multi-crf", "language": "ja"})
    model = wo.load_preorderer("en-multi-crf", language="ja")
    doc = nlp("He bought a red car.  She reads\na book.")
    parts = [model.reorder("He bought a red car ."), model.reorder("She reads a book .")]
    assert doc._.reordered == " ".join(map(str, parts))
    assert [doc[i].text for i in doc._.order] == doc._.reordered.split()
    assert sorted(doc._.order) == [token.i for token in doc if not token.is_space]
    texts = ["I like it.", "", "  ", "You and me."]
    assert [one._.reordered for one in nlp.pipe(texts, batch_size=3)] == [
        nlp(text)._.reordered for text in texts
    ]
    nlp.to_disk(tmp_path / "pipeline")
    assert spacy.load(tmp_path / "pipeline")("He bought a red car.")._.order == parts[0].order


def test_the_component_uses_the_parse_of_the_pipeline(nlp: Any) -> None:
    component = nlp.add_pipe("wordorder", config={"model": "rules:reverse"})
    doc = component(document(nlp, **PARSE))
    source = wo.Source(tuple(WORDS), parse=tree_of(document(nlp, **PARSE)))
    assert doc._.order == wo.load_preorderer("rules:reverse").reorder(source).order != list(range(6))


def test_settings_and_errors(nlp: Any) -> None:
    component = nlp.add_pipe("wordorder", config={"model": "en-ja-crf", "settings": {"min_gain": 0.5}})
    assert component.preorderer == wo.load_preorderer("en-ja-crf", min_gain=0.5)
    with pytest.raises(UnknownName, match="unknown model 'nonsense'"):
        nlp.add_pipe("wordorder", name="other", config={"model": "nonsense"})
    merged = document(nlp, ["New York", "sleeps"])
    with pytest.raises(BadSetting, match="'New York' is not a word"):
        component(merged)


def test_the_entry_point_is_declared() -> None:
    import tomllib

    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["entry-points"]["spacy_factories"]["wordorder"].partition(":")
    assert callable(getattr(__import__(module, fromlist=[name]), name))
