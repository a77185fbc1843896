"""The sets of docs/make_crf.py: what each system may learn from, and what it is tested on."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from wordorder.core.alignment import Alignment
from wordorder.io.read_write import read_records
from wordorder.preorder import Source

PARTS = 5  # of cross-validation
AUTOMATIC = {"features": 9000, "neural": 30_000}  # pairs with automatic links at most, of 2 to 40 words
TREEBANK = ("ja", "ko", "zh")  # of the parallel treebank, those with manual links that are tested here
# Text for a network that knows several target languages: the languages of sets with automatic links, and sets
# with manual ones. KFTT links words in another way than the treebank does: it is a language of its own.
SEVERAL = {
    "kftt30k/en-ja/train": "ja-kftt",
    **{f"tatoeba/en-{x}/train": x for x in ("hi", "ja", "ko", "tr", "zh")},
    **{f"ntrex/en-{x}/all": x for x in ("hi", "ja", "ko", "tr", "zh")},
    "atis-ud/en-tr/train": "tr",
}
SEVERAL_MANUAL = {"kftt": "ja-kftt", **{f"pud-{x}": x for x in TREEBANK}}


class Corpus(NamedTuple):
    """Sentences with links."""

    sources: list[Source]
    alignments: list[Alignment]

    def chosen(self, places: Sequence[int]) -> Corpus:
        """Some of them."""
        return Corpus([self.sources[s] for s in places], [self.alignments[s] for s in places])

    def for_target(self, language: str) -> Corpus:
        """The same, told apart from sentences of other languages."""
        return self._replace(sources=[replace(one, target=language) for one in self.sources])


def joined(some: Iterable[Corpus]) -> Corpus:
    """Several as one."""
    every = list(some)
    return Corpus(
        [source for one in every for source in one.sources],
        [links for one in every for links in one.alignments],
    )


@dataclass(frozen=True)
class Set:
    """Where text lies. Without a part to train on there is cross-validation on the tested one."""

    title: str
    test: str  # folder/pair/split
    train: str = ""
    manual: bool = True  # the links
    automatic: tuple[str, ...] = ()  # text with automatic links, small ones first
    raw: tuple[str, ...] = ()  # text whose English side is read
    rules: str = ""  # the hand-written set of rules
    parsed: bool = False
    still: bool = False  # the target has the order of the source, nearly

    @property
    def language(self) -> str:
        """The target's."""
        return self.test.split("/")[1].split("-")[1]

    @property
    def parts(self) -> int:
        """How many times there is something to train."""
        return 1 if self.train else PARTS


def _treebank(language: str) -> Set:
    more = [f"ntrex/en-{language}/all", f"tatoeba/en-{language}/train"]
    kyoto = "kftt30k/en-ja/train"
    return Set(
        title=f"PUD {language}",
        test=f"pud/en-{language}/dev",
        automatic=(*more, kyoto) if language == "ja" else tuple(more),
        raw=(*more, kyoto),
        rules="" if language == "zh" else f"en-{language}",
        parsed=True,
    )


_ENGLISH = ("kftt30k/en-ja/train", "ntrex/en-ja/all")
SETS = {
    "kftt": Set(
        title="KFTT ja",
        test="kftt-gold/en-ja/devtest",
        train="kftt-gold/en-ja/dev",
        automatic=("kftt30k/en-ja/train",),
        raw=("kftt30k/en-ja/train",),
    ),
    **{f"pud-{language}": _treebank(language) for language in TREEBANK},
    "atis": Set(
        title="ATIS tr",
        test="atis-ud/en-tr/dev",
        train="atis-ud/en-tr/train",
        manual=False,
        automatic=("ntrex/en-tr/all", "tatoeba/en-tr/train"),
        raw=("ntrex/en-tr/all", "tatoeba/en-tr/train", "kftt30k/en-ja/train"),
        rules="en-tr",
        parsed=True,
    ),
    "hansards": Set(title="Hansards fr", test="hansards/en-fr/test", raw=_ENGLISH, still=True),
    "czenali": Set(title="CzEnAli cs", test="czenali/en-cs/dev", raw=_ENGLISH, still=True),
    "liu": Set(title="LIU sv", test="liu-ensv/en-sv/dev", raw=_ENGLISH, still=True),
}


class Data:
    """Text from a folder; with a limit, the first sentences of everything, to try things out."""

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        self.folder, self.limit = folder, limit

    def lines(self, name: str, end: str) -> list[str]:
        """The lines of a file."""
        return list(read_records(str(self.folder / f"{name}.{end}.gz"), "text"))[: self.limit]

    @cache  # noqa: B019 (there is one of these, as long as the program runs)
    def read(self, name: str, *, manual: bool, parsed: bool = False) -> Corpus:
        """A corpus by the name folder/pair/split, lower-cased."""
        language = name.split("/")[1].split("-")[1]
        rows = zip(
            self.lines(name, "en"),
            self.lines(name, language),
            self.lines(name, "align" if manual else "auto.align"),
            strict=True,
        )
        made = Corpus([], [])
        for one, other, links in rows:
            words = tuple(one.lower().split())
            ends = [link.replace("?", "-").split("-") for link in links.split()]
            made.sources.append(Source(words))
            made.alignments.append(
                Alignment(len(words), len(other.split()), [(int(i), int(j)) for i, j in ends])
            )
        if parsed:
            trees = read_records(str(self.folder / f"{name}.en.conllu.gz"), "conllu")
            sources = [replace(one, parse=tree) for one, tree in zip(made.sources, trees, strict=False)]
            made = made._replace(sources=sources)
        return made

    @cached_property
    def documents(self) -> dict[str, int]:
        """The part of cross-validation of each document of the treebank, the same for all languages."""
        names = {
            self._document(one)
            for language in TREEBANK
            for one in self.read(SETS[f"pud-{language}"].test, manual=True, parsed=True).sources
        }
        return {name: number % PARTS for number, name in enumerate(sorted(names))}

    @staticmethod
    def _document(source: Source) -> str:
        assert source.parse is not None
        return str(source.parse.sent_id)[:6]

    def tested(self, name: str) -> Corpus:
        """All sentences of a set that are tested on."""
        one = SETS[name]
        return self.read(one.test, manual=one.manual, parsed=one.parsed)

    def places(self, name: str, part: int) -> list[int]:
        """Which of these are tested on in a part: whole documents, or as many of them in a row."""
        sources = self.tested(name).sources
        if SETS[name].train:
            return list(range(len(sources)))
        if name.startswith("pud"):
            return [s for s, one in enumerate(sources) if self.documents[self._document(one)] == part]
        return [s for s in range(len(sources)) if s * PARTS // len(sources) == part]

    def learned_from(self, name: str, part: int) -> Corpus:
        """The sentences to train on when a part is tested."""
        one = SETS[name]
        if one.train:
            return self.read(one.train, manual=one.manual, parsed=one.parsed)
        inside = set(self.places(name, part))
        every = self.tested(name)
        return every.chosen([s for s in range(len(every.sources)) if s not in inside])

    def raw(self, name: str) -> list[tuple[str, ...]]:
        """English text without links, without sentences that are tested on."""
        tested = {one.words for one in self.tested(name).sources}
        lines = (line for more in SETS[name].raw for line in self.lines(more, "en"))
        return [words for line in lines if (words := tuple(line.lower().split())) not in tested]

    def automatic(self, name: str, kind: str) -> Corpus:
        """Text with automatic links, the same share of each, without sentences that are tested on."""
        names = SETS[name].automatic
        left, made = AUTOMATIC[kind], []
        for number, more in enumerate(names):
            made.append(self.short(more, [name], left // (len(names) - number)))
            left -= len(made[-1].sources)
        return joined(made)

    def short(self, more: str, tested: Sequence[str], most: int | None = None) -> Corpus:
        """Sentences with automatic links that are not too long, without those that are tested on."""
        found = self.read(more, manual=False)
        known = {one.words for name in tested for one in self.tested(name).sources}
        short = [s for s, one in enumerate(found.sources) if 2 <= len(one) <= 40 and one.words not in known]
        return found.chosen(short[:most])

    def several(self, part: int) -> tuple[Corpus, Corpus]:
        """Manual and automatic links of several languages; a part of the treebank is tested (-1: none)."""
        tested = ("kftt", "atis", *(f"pud-{language}" for language in TREEBANK))
        return (
            joined(self.learned_from(name, part).for_target(x) for name, x in SEVERAL_MANUAL.items()),
            joined(self.short(name, tested).for_target(x) for name, x in SEVERAL.items()),
        )

    def fingerprint(self, name: str, part: int) -> int:
        """A number that tells whether stored orders are of these sentences."""
        every = self.tested(name).sources
        text = "\n".join(" ".join(every[s].words) for s in self.places(name, part))
        return zlib.crc32(text.encode())
