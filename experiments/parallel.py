"""Parallel text with word alignments, as the experiments read it: FOLDER/SET/PAIR/SPLIT.LANGUAGE.gz."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.io.read_write import read_records
from wordorder.preorder import Preorderer, Source


class Corpus(NamedTuple):
    """Sentences with their links to a translation."""

    sources: list[Source]
    alignments: list[Alignment]

    def select(self, indices: Sequence[int]) -> Corpus:
        """Select sentences by index."""
        return Corpus([self.sources[s] for s in indices], [self.alignments[s] for s in indices])

    def for_target(self, language: str) -> Corpus:
        """Mark all sentences with their target language."""
        return self._replace(sources=[replace(source, target=language) for source in self.sources])


def concatenate(corpora: Iterable[Corpus]) -> Corpus:
    """Join several corpora into one."""
    joined = Corpus([], [])
    for corpus in corpora:
        joined.sources.extend(corpus.sources)
        joined.alignments.extend(corpus.alignments)
    return joined


def target_language(name: str) -> str:
    """Return the target language of a set named set/pair/split.

    >>> target_language("kftt-gold/en-ja/dev")
    'ja'
    """
    return name.split("/")[1].split("-")[1]


def read_lines(folder: Path, name: str, ending: str, limit: int | None = None) -> list[str]:
    """Read the lines of a file, or only the first ones."""
    return list(islice(read_records(str(folder / f"{name}.{ending}.gz"), "text"), limit))


def read_parallel(
    folder: Path, name: str, *, manual: bool = False, parsed: bool = False, limit: int | None = None
) -> Corpus:
    """Read a set named set/pair/split, lower-cased, with manual or automatic links, and parses if wanted."""
    endings = ("en", target_language(name), "align" if manual else "auto.align")
    corpus = Corpus([], [])
    for english, translation, links in zip(
        *(read_lines(folder, name, ending, limit) for ending in endings), strict=True
    ):
        words = tuple(english.lower().split())
        ends = [link.replace("?", "-").split("-") for link in links.split()]
        corpus.sources.append(Source(words))
        corpus.alignments.append(
            Alignment(len(words), len(translation.split()), [(int(i), int(j)) for i, j in ends])
        )
    if parsed:
        trees = read_records(str(folder / f"{name}.en.conllu.gz"), "conllu")
        sources = [replace(source, parse=tree) for source, tree in zip(corpus.sources, trees, strict=False)]
        corpus = corpus._replace(sources=sources)
    return corpus


def predict_orders(model: Preorderer, sources: Sequence[Source]) -> list[Permutation]:
    """Reorder sentences; returns the permutations alone."""
    return [reordering.permutation for reordering in model.reorder(sources)]
