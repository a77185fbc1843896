"""Text for networks of many languages: from English into others, or from others into English.

Automatic links are those of the package's own aligner. Sets with manual links are divided into parts: the
parallel treebank by English documents, the same for all its languages, and other sets by blocks of sentences.
Sentences with a tested English side are excluded from all further text, in either direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from experiments.crf.own_links import own_links
from experiments.crf.sets import PARTS, TREEBANK_LANGUAGES, treebank_parts
from experiments.parallel import Corpus, concatenate, read_lines, read_parallel, target_language
from wordorder.preorder import Source

_TEXT = ("de", "hi", "ja", "ko", "tr", "zh")  # languages with automatic links
AUTOMATIC = (
    "kftt30k/en-ja/train",
    *(f"tatoeba/en-{x}/train" for x in _TEXT),
    *(f"ntrex/en-{x}/all" for x in _TEXT),
    "atis-ud/en-tr/train",
)
TREEBANK = tuple(f"pud/en-{x}/dev" for x in TREEBANK_LANGUAGES)
DIVIDED = (*TREEBANK, "czenali/en-cs/dev", "liu-ensv/en-sv/dev")  # learned from, except for one part
MANUAL = ("kftt-gold/en-ja/dev", *DIVIDED)
# Never learned from.
TESTS = (
    "kftt-gold/en-ja/devtest",
    "hansards/en-fr/test",
    "bible-entr/en-tr/dev",
    "wpt05-enhi/en-hi/dev",
    "tsinghua-enzh/en-zh/dev",
    "bicici-ende/en-de/dev",
)
REHEARSED = 500  # sentences of a set with automatic links that are learned beside manual links


@dataclass(frozen=True)
class DirectionData:
    """Text of one direction. With a limit, only the first sentences of every file."""

    folder: Path
    into_english: bool = False
    most: int = 15_000  # sentences with automatic links of one set
    limit: int | None = None
    longest: int = 30  # words of a sentence with automatic links

    @cache  # noqa: B019 (there is one of these, as long as the program runs)
    def manual(self, name: str) -> Corpus:
        """Read a set with manual links, marked with the language that is not English."""
        corpus = read_parallel(self.folder, name, manual=True, limit=self.limit)
        if self.into_english:
            lines = read_lines(self.folder, name, target_language(name), self.limit)
            sources = [Source(tuple(line.lower().split())) for line in lines]
            corpus = Corpus(sources, [alignment.inverse() for alignment in corpus.alignments])
        return corpus.for_target(target_language(name))

    @cached_property
    def _treebank(self) -> dict[str, list[int]]:
        """The part of each sentence of the treebank, by language."""
        return treebank_parts(self.folder, self.limit)

    def part_of(self, name: str) -> list[int]:
        """Return the part of each sentence of a divided set."""
        if name in TREEBANK:
            return self._treebank[target_language(name)]
        size = len(self.manual(name).sources)
        return [s * PARTS // size for s in range(size)]

    def tested(self, name: str, part: int) -> Corpus:
        """Return the tested sentences of a set: a part, or all of a set that is never learned from."""
        corpus = self.manual(name)
        if name not in DIVIDED:
            return corpus
        return corpus.select([s for s, own in enumerate(self.part_of(name)) if own == part])

    def training(self, part: int) -> Corpus:
        """Return all sentences with manual links but those of a part; -1: all."""
        corpora = []
        for name in MANUAL:
            corpus = self.manual(name)
            parts = self.part_of(name) if name in DIVIDED else [-2] * len(corpus.sources)
            corpora.append(corpus.select([s for s, own in enumerate(parts) if own != part]))
        return concatenate(corpora)

    def rehearsed(self, *, threads: int = 1) -> Corpus:
        """Return some sentences with automatic links of the languages that have no manual ones.

        A network that learns from manual links of other languages forgets these languages otherwise.
        """
        manual = {target_language(name) for name in MANUAL}
        names = [name for name in AUTOMATIC if target_language(name) not in manual]
        return self.automatic(names, most=REHEARSED, threads=threads)

    def automatic(
        self, names: Sequence[str] = AUTOMATIC, *, most: int | None = None, threads: int = 1
    ) -> Corpus:
        """Align the text of languages; returns sentences that are neither long nor tested."""
        excluded = {
            line.lower()
            for name in (*TESTS, *DIVIDED, "atis-ud/en-tr/dev")
            for line in read_lines(self.folder, name, "en", self.limit)
        }
        aligned = own_links(
            self.folder, names, into_english=self.into_english, limit=self.limit, threads=threads
        )
        corpora = []
        for name, corpus in aligned.items():
            english = read_lines(self.folder, name, "en", self.limit)
            kept = [
                s
                for s, (source, line) in enumerate(zip(corpus.sources, english, strict=True))
                if 2 <= len(source) <= self.longest and line.lower() not in excluded
            ]
            corpora.append(corpus.select(kept[: most or self.most]).for_target(target_language(name)))
        return concatenate(corpora)


def registered(languages: Corpus, automatic: Corpus) -> Corpus:
    """Return one sentence of each language that has no automatic links, so that a network knows it."""
    known = {source.target for source in automatic.sources}
    first: dict[str, int] = {}
    for s, source in enumerate(languages.sources):
        if source.target not in known and len(source) > 1 and languages.alignments[s].links:
            first.setdefault(source.target, s)
    return languages.select(list(first.values()))
