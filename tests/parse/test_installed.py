"""Adapters of parsers, with parsers that are made up: the real ones are not needed."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from typing import Any

import pytest

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.sentence import Row
from wordorder.parse.base import numbered_trees
from wordorder.parse.installed import Spacy, UDPipe


def chain(words: Sequence[str]) -> str:
    rows = [Row(str(i + 1), w, upos="X", head=str(i), deprel="dep") for i, w in enumerate(words)]
    return "".join("\t".join(row) + "\n" for row in rows) + "\n"


@pytest.fixture
def udpipe(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    made: Any = types.ModuleType("ufal.udpipe")

    class Model:
        @staticmethod
        def load(path: str) -> object | None:
            return object() if path == "good.udpipe" else None

    class ProcessingError:
        message = ""

        def occurred(self) -> bool:
            return bool(self.message)

    class Pipeline:
        DEFAULT = ""

        def __init__(self, *args: object) -> None:
            assert args[1] == "horizontal" and args[4] == "conllu"

        def process(self, text: str, error: ProcessingError) -> str:
            if "boom" in text:
                error.message = "it went wrong"
            return chain(text.replace("cut", "c ut").split())

    made.Model, made.Pipeline, made.ProcessingError = Model, Pipeline, ProcessingError
    monkeypatch.setitem(sys.modules, "ufal", types.ModuleType("ufal"))
    monkeypatch.setitem(sys.modules, "ufal.udpipe", made)
    return made  # type: ignore[no-any-return]


def test_udpipe(udpipe: types.ModuleType) -> None:
    parser = UDPipe("good.udpipe")
    found = list(numbered_trees(parser, [(1, ["a", "b"]), (2, ["c"])]))
    assert [one.forms for one in found] == [["a", "b"], ["c"]]
    assert found[0].heads == [0, 1] and found[0].sent_id == "1" and found[0].text == "a b"
    with pytest.raises(WordOrderError, match="UDPipe: it went wrong"):
        parser.trees_batch([["boom"]])
    with pytest.raises(WordOrderError, match="into other words"):
        parser.trees_batch([["cut"]])
    with pytest.raises(BadFile, match=r"bad\.udpipe: is not a model"):
        UDPipe("bad.udpipe")
    with pytest.raises(WordOrderError, match="sentence 2 is empty"):
        list(numbered_trees(parser, [(1, ["a"]), (2, [])]))


@pytest.fixture
def spacy(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = types.ModuleType("spacy")
    tokens: Any = types.ModuleType("spacy.tokens")

    class Token:
        def __init__(self, i: int, text: str) -> None:
            self.i, self.text, self.head, self.is_space = i, text, self, False
            self.lemma_, self.pos_, self.tag_, self.dep_, self.morph = text, "NOUN", "NN", "ROOT", ""

    class Doc(list):  # type: ignore[type-arg]
        def __init__(self, vocab: object, words: list[str], sent_starts: list[bool]) -> None:
            super().__init__(Token(i, word) for i, word in enumerate(words))
            assert sent_starts == [True] + [False] * (len(words) - 1)

    class Nlp:
        vocab = None

        def __init__(self, names: list[str]) -> None:
            self.pipe_names = names

        def __call__(self, doc: Doc) -> Doc:
            for token in doc[1:2]:
                token.head, token.dep_ = doc[0], "DOBJ"
            return doc

    def load(name: str) -> Nlp:
        if name == "missing":
            raise OSError("[E050] Can't find model 'missing'.\nmore")
        return Nlp(["tagger"] if name == "tagger" else ["tagger", "parser"])

    made.load, tokens.Doc = load, Doc
    monkeypatch.setitem(sys.modules, "spacy", made)
    monkeypatch.setitem(sys.modules, "spacy.tokens", tokens)


@pytest.mark.usefixtures("spacy")
def test_spacy() -> None:
    [[found]] = Spacy("en").trees_batch([["see", "dogs", "run"]])
    assert found.heads == [0, 1, 1]  # a second root hangs on the first
    assert [row.deprel for row in found.words] == ["root", "dobj", "parataxis"]
    with pytest.raises(BadSetting, match="has no pipeline 'missing': "):
        Spacy("missing")
    with pytest.raises(BadSetting, match="has no parser; it has: tagger"):
        Spacy("tagger")


@pytest.mark.parametrize(("module", "make"), [("ufal.udpipe", UDPipe), ("spacy", Spacy)])
def test_a_parser_that_is_not_there_is_a_hint(
    module: str, make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BadSetting, match=f"pip install {module}"):
        make("x")
