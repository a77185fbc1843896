"""Parsing text with an installed parser: UDPipe or spaCy. Neither is needed otherwise."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any, Protocol

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.conllu import Conllu
from wordorder.io.sentence import Row, Sentence


class Parser(Protocol):
    """A parser of tokenised sentences."""

    def parse(self, words: Sequence[str]) -> Sentence:
        """Return the tree of a sentence, with the same words."""
        ...


@dataclass(frozen=True)
class UDPipe:
    """A UDPipe 1 model file, used through the package ufal.udpipe."""

    path: str

    def __post_init__(self) -> None:
        """Load the model."""
        self._loaded  # noqa: B018 (errors are reported now)

    @cached_property
    def _loaded(self) -> tuple[Any, Any, Any]:
        """The module, the model, which the pipeline does not keep alive, and the pipeline."""
        udpipe = _need("ufal.udpipe", "ufal.udpipe")
        model = udpipe.Model.load(self.path)
        if not model:
            raise BadFile("is not a model that UDPipe can load", file=self.path)
        default = udpipe.Pipeline.DEFAULT
        return udpipe, model, udpipe.Pipeline(model, "horizontal", default, default, "conllu")

    def parse(self, words: Sequence[str]) -> Sentence:
        """Tag and parse one sentence."""
        udpipe, _, pipeline = self._loaded
        error = udpipe.ProcessingError()
        text = pipeline.process(" ".join(words), error)
        if error.occurred():
            raise WordOrderError(f"UDPipe: {error.message}")
        sentences = list(Conllu().read(BytesIO(text.encode("utf-8")), "output of UDPipe"))
        return _checked(sentences, words, "UDPipe")


@dataclass(frozen=True)
class Spacy:
    """A spaCy pipeline by name or folder. Its relations are those of its training data, not always UD."""

    name: str

    def __post_init__(self) -> None:
        """Load the pipeline."""
        self._pipeline  # noqa: B018 (errors are reported now)

    @cached_property
    def _pipeline(self) -> Any:
        spacy = _need("spacy", "spacy")
        try:
            pipeline = spacy.load(self.name)
        except OSError as error:
            raise BadSetting(f"spaCy has no pipeline {self.name!r}: {str(error).splitlines()[0]}") from None
        if "parser" not in pipeline.pipe_names:
            raise BadSetting(
                f"the spaCy pipeline {self.name!r} has no parser; it has: {', '.join(pipeline.pipe_names)}"
            )
        return pipeline

    def parse(self, words: Sequence[str]) -> Sentence:
        """Tag and parse one sentence, without splitting it."""
        nlp = self._pipeline
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
    """Yield the trees of sentences, with their number and text as comments."""
    for number, words in enumerate(lines, start=1):
        if not words:
            raise WordOrderError(f"sentence {number} is empty: a tree needs words")
        tree = parser.parse(words)
        yield Sentence(tree.rows, [f"# sent_id = {number}", f"# text = {' '.join(words)}"])


def _checked(sentences: Sequence[Sentence], words: Sequence[str], parser: str) -> Sentence:
    if len(sentences) != 1 or sentences[0].forms != list(words):
        raise WordOrderError(f"{parser} split {' '.join(words)[:60]!r} into other words or sentences")
    return sentences[0]


def _need(module: str, package: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise BadSetting(f"this needs the package {package}: pip install {package}") from None
