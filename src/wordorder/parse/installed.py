"""Installed parsers: UDPipe and spaCy. Neither is needed otherwise."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from io import BytesIO

from wordorder.core.optional import need
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.conllu import Conllu
from wordorder.io.sentence import Sentence
from wordorder.parse.spacy_docs import tree_of


class UDPipe:
    """A UDPipe 1 model file, used through the package ufal.udpipe."""

    def __init__(self, path: str) -> None:
        self._udpipe = need("ufal.udpipe")
        self._model = self._udpipe.Model.load(path)  # the pipeline does not keep it alive
        if not self._model:
            raise BadFile("is not a model that UDPipe can load", file=path)
        default = self._udpipe.Pipeline.DEFAULT
        self._pipeline = self._udpipe.Pipeline(self._model, "horizontal", default, default, "conllu")

    def trees_batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Sentence]]:
        """Tag and parse sentences, without splitting them."""
        return [[self._parse(words)] for words in sentences]

    def _parse(self, words: Sequence[str]) -> Sentence:
        error = self._udpipe.ProcessingError()
        text = self._pipeline.process(" ".join(words), error)
        if error.occurred():
            raise WordOrderError(f"UDPipe: {error.message}")
        sentences = list(Conllu().read(BytesIO(text.encode("utf-8")), "output of UDPipe"))
        return _checked(sentences, words, "UDPipe")


class Spacy:
    """A spaCy pipeline by name or folder. Its relations are those of its training data, not always UD."""

    def __init__(self, name: str) -> None:
        try:
            self.pipeline = need("spacy").load(name)
        except OSError as error:
            raise BadSetting(f"spaCy has no pipeline {name!r}: {str(error).splitlines()[0]}") from None
        names = self.pipeline.pipe_names
        if "parser" not in names:
            raise BadSetting(f"the spaCy pipeline {name!r} has no parser; it has: {', '.join(names)}")

    def trees_batch(self, sentences: Sequence[Sequence[str]]) -> list[list[Sentence]]:
        """Tag and parse sentences, without splitting them."""
        return [[self._parse(words)] for words in sentences]

    def _parse(self, words: Sequence[str]) -> Sentence:
        nlp = self.pipeline
        doc_class = importlib.import_module("spacy.tokens").Doc
        starts = [True] + [False] * (len(words) - 1)
        doc = nlp(doc_class(nlp.vocab, words=list(words), sent_starts=starts))
        return _checked([tree_of(doc)], words, "spaCy")


def _checked(sentences: Sequence[Sentence], words: Sequence[str], parser: str) -> Sentence:
    if len(sentences) != 1 or sentences[0].forms != list(words):
        raise WordOrderError(f"{parser} split {' '.join(words)[:60]!r} into other words or sentences")
    return sentences[0]
