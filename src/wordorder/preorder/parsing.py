"""Parses of raw text by a parser that the user has: UDPipe or spaCy. Neither is needed otherwise."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Protocol

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.conllu import Conllu
from wordorder.io.sentence import Row, Sentence


class Parser(Protocol):
    """Anything that parses sentences which are cut into words."""

    def parse(self, words: Sequence[str]) -> Sentence:
        """The tree of a sentence; its words are those given."""
        ...


@dataclass(frozen=True)
class UDPipe:
    """A UDPipe 1 model file, through the package ufal.udpipe."""

    path: str

    def __post_init__(self) -> None:
        udpipe = _need("ufal.udpipe", "ufal.udpipe")
        model = udpipe.Model.load(self.path)
        if not model:
            raise BadFile("is no model that UDPipe can load", file=self.path)
        made = udpipe.Pipeline(
            model, "horizontal", udpipe.Pipeline.DEFAULT, udpipe.Pipeline.DEFAULT, "conllu"
        )
        object.__setattr__(self, "_module", udpipe)
        object.__setattr__(self, "_pipeline", (model, made))  # the pipeline does not keep its model alive

    def parse(self, words: Sequence[str]) -> Sentence:
        """Tag and parse one sentence."""
        error = self._module.ProcessingError()  # type: ignore[attr-defined]
        text = self._pipeline[1].process(" ".join(words), error)  # type: ignore[attr-defined]
        if error.occurred():
            raise WordOrderError(f"UDPipe: {error.message}")
        found = list(Conllu().read(BytesIO(text.encode("utf-8")), "output of UDPipe"))
        return _checked(found, words, "UDPipe")


@dataclass(frozen=True)
class Spacy:
    """A spaCy pipeline by name or folder. Its relations are those of its training data, not always UD's."""

    name: str

    def __post_init__(self) -> None:
        spacy = _need("spacy", "spacy")
        try:
            made = spacy.load(self.name)
        except OSError as error:
            raise BadSetting(f"spaCy has no pipeline {self.name!r}: {str(error).splitlines()[0]}") from None
        if "parser" not in made.pipe_names:
            raise BadSetting(
                f"the spaCy pipeline {self.name!r} has no parser; it has: {', '.join(made.pipe_names)}"
            )
        object.__setattr__(self, "_pipeline", made)

    def parse(self, words: Sequence[str]) -> Sentence:
        """Tag and parse one sentence, as one sentence."""
        nlp: Any = self._pipeline  # type: ignore[attr-defined]
        doc_class = importlib.import_module("spacy.tokens").Doc
        starts = [True] + [False] * (len(words) - 1)
        doc = nlp(doc_class(nlp.vocab, words=list(words), sent_starts=starts))
        tokens = list(doc)
        root = next((t.i for t in tokens if t.head.i == t.i), 0)
        rows = []
        for token in tokens:
            alone = token.head.i == token.i
            head = 0 if token.i == root else (root if alone else token.head.i) + 1
            relation = "root" if head == 0 else "parataxis" if alone else token.dep_.lower() or "dep"
            feats = str(token.morph) or "_"
            columns = [token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_", feats, str(head), relation]
            rows.append(Row(str(token.i + 1), token.text, *columns))
        return _checked([Sentence(rows)], words, "spaCy")


def parse_all(parser: Parser, lines: Iterable[Sequence[str]]) -> Iterator[Sentence]:
    """Trees of sentences, with their number and text as comments."""
    for number, words in enumerate(lines, start=1):
        if not words:
            raise WordOrderError(f"sentence {number} is empty: a tree needs words")
        tree = parser.parse(words)
        yield Sentence(tree.rows, [f"# sent_id = {number}", f"# text = {' '.join(words)}"])


def _checked(found: Sequence[Sentence], words: Sequence[str], who: str) -> Sentence:
    if len(found) != 1 or found[0].forms != list(words):
        raise WordOrderError(f"{who} cut {' '.join(words)[:60]!r} into other words or sentences")
    return found[0]


def _need(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise BadSetting(f"this needs the package {package}: pip install {package}") from None
