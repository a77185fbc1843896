"""The corpora of the experiment: what each system may learn from, and what it is tested on."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import islice
from pathlib import Path

from experiments.parallel import Corpus, concatenate, read_lines, read_parallel, target_language
from wordorder.io.read_write import read_records

PARTS = 5  # parts of cross-validation
AUTOMATIC = {"features": 9000, "neural": 30_000}  # pairs with automatic links, at most
TREEBANK = ("ja", "ko", "zh")  # languages of the parallel treebank that are tested
TREEBANK_LANGUAGES = ("ar", "fr", "ja", "ko", "ru", "zh")  # that have manual links
# Text for a network that knows several target languages: the target languages of sets with automatic links,
# and of sets with manual links. KFTT links words in another way than the treebank, so it has its own tag.
MULTILINGUAL = {
    "kftt30k/en-ja/train": "ja-kftt",
    **{f"tatoeba/en-{x}/train": x for x in ("hi", "ja", "ko", "tr", "zh")},
    **{f"ntrex/en-{x}/all": x for x in ("hi", "ja", "ko", "tr", "zh")},
    "atis-ud/en-tr/train": "tr",
}
MULTILINGUAL_MANUAL = {"kftt": "ja-kftt", **{f"pud-{x}": x for x in TREEBANK}}


@dataclass(frozen=True)
class EvaluationSet:
    """The files of a test set. Without a training part, the tested part is cross-validated."""

    title: str
    test: str  # set/pair/split
    train: str = ""
    manual: bool = True  # whether the links are manual
    automatic: tuple[str, ...] = ()  # sets with automatic links, small ones first
    raw: tuple[str, ...] = ()  # sets whose English side is raw text
    rules: str = ""  # the hand-written rule set
    parsed: bool = False
    monotone: bool = False  # the target has nearly the order of the source

    @property
    def language(self) -> str:
        """The target language."""
        return target_language(self.test)

    @property
    def parts(self) -> int:
        """The number of trainings that it takes."""
        return 1 if self.train else PARTS


def _treebank(language: str) -> EvaluationSet:
    more = [f"ntrex/en-{language}/all", f"tatoeba/en-{language}/train"]
    kyoto = "kftt30k/en-ja/train"
    return EvaluationSet(
        title=f"PUD {language}",
        test=f"pud/en-{language}/dev",
        automatic=(*more, kyoto) if language == "ja" else tuple(more),
        raw=(*more, kyoto),
        rules="" if language == "zh" else f"en-{language}",
        parsed=True,
    )


_ENGLISH = ("kftt30k/en-ja/train", "ntrex/en-ja/all")
SETS = {
    "kftt": EvaluationSet(
        title="KFTT ja",
        test="kftt-gold/en-ja/devtest",
        train="kftt-gold/en-ja/dev",
        automatic=("kftt30k/en-ja/train",),
        raw=("kftt30k/en-ja/train",),
        rules="en-ja",
    ),
    **{f"pud-{language}": _treebank(language) for language in TREEBANK},
    "atis": EvaluationSet(
        title="ATIS tr",
        test="atis-ud/en-tr/dev",
        train="atis-ud/en-tr/train",
        manual=False,
        automatic=("ntrex/en-tr/all", "tatoeba/en-tr/train"),
        raw=("ntrex/en-tr/all", "tatoeba/en-tr/train", "kftt30k/en-ja/train"),
        rules="en-tr",
        parsed=True,
    ),
    "hansards": EvaluationSet(title="Hansards fr", test="hansards/en-fr/test", raw=_ENGLISH, monotone=True),
    "czenali": EvaluationSet(title="CzEnAli cs", test="czenali/en-cs/dev", raw=_ENGLISH, monotone=True),
    "liu": EvaluationSet(title="LIU sv", test="liu-ensv/en-sv/dev", raw=_ENGLISH, monotone=True),
}


def treebank_parts(folder: Path, limit: int | None = None) -> dict[str, list[int]]:
    """Return the part of each sentence of the parallel treebank, by language.

    Parts consist of whole English documents, the same for all languages.
    """
    documents = {}
    for language in TREEBANK_LANGUAGES:
        trees = read_records(str(folder / f"pud/en-{language}/dev.en.conllu.gz"), "conllu")
        documents[language] = [str(tree.sent_id)[:6] for tree in islice(trees, limit)]
    names = sorted({name for own in documents.values() for name in own})
    parts = {name: number % PARTS for number, name in enumerate(names)}
    return {language: [parts[name] for name in own] for language, own in documents.items()}


class Data:
    """Text from a folder; with a limit, only the first sentences of every file."""

    def __init__(self, folder: Path, limit: int | None = None) -> None:
        self.folder, self.limit = folder, limit

    @cache  # noqa: B019 (there is one of these, as long as the program runs)
    def read(self, name: str, *, manual: bool, parsed: bool = False) -> Corpus:
        """Read a set named set/pair/split."""
        return read_parallel(self.folder, name, manual=manual, parsed=parsed, limit=self.limit)

    @cached_property
    def documents(self) -> dict[str, list[int]]:
        """The part of cross-validation of each sentence of the treebank, by language."""
        return treebank_parts(self.folder, self.limit)

    def tested(self, name: str) -> Corpus:
        """Read all tested sentences of a set."""
        test_set = SETS[name]
        return self.read(test_set.test, manual=test_set.manual, parsed=test_set.parsed)

    def indices(self, name: str, part: int) -> list[int]:
        """Return the tested sentences of a part: whole documents, or consecutive sentences."""
        sources = self.tested(name).sources
        if SETS[name].train:
            return list(range(len(sources)))
        if name.startswith("pud"):
            return [s for s, own in enumerate(self.documents[SETS[name].language]) if own == part]
        return [s for s in range(len(sources)) if s * PARTS // len(sources) == part]

    def tested_part(self, name: str, part: int) -> Corpus:
        """Read the tested sentences of a part."""
        return self.tested(name).select(self.indices(name, part))

    def training(self, name: str, part: int) -> Corpus:
        """Read the sentences to train on when a part is tested."""
        test_set = SETS[name]
        if test_set.train:
            return self.read(test_set.train, manual=test_set.manual, parsed=test_set.parsed)
        held_out = set(self.indices(name, part))
        corpus = self.tested(name)
        return corpus.select([s for s in range(len(corpus.sources)) if s not in held_out])

    def raw(self, name: str) -> list[tuple[str, ...]]:
        """Read English text without links, excluding tested sentences."""
        tested = {source.words for source in self.tested(name).sources}
        lines = (line for more in SETS[name].raw for line in read_lines(self.folder, more, "en", self.limit))
        return [words for line in lines if (words := tuple(line.lower().split())) not in tested]

    def automatic(self, name: str, kind: str) -> Corpus:
        """Read text with automatic links, the same share of each set, excluding tested sentences."""
        names = SETS[name].automatic
        left, corpora = AUTOMATIC[kind], []
        for number, more in enumerate(names):
            corpora.append(self.short(more, [name], left // (len(names) - number)))
            left -= len(corpora[-1].sources)
        return concatenate(corpora)

    def short(self, more: str, tested: Sequence[str], limit: int | None = None) -> Corpus:
        """Read sentences of 2 to 40 words with automatic links, excluding those of tested sets."""
        corpus = self.read(more, manual=False)
        excluded = {source.words for name in tested for source in self.tested(name).sources}
        kept = [
            s
            for s, source in enumerate(corpus.sources)
            if 2 <= len(source) <= 40 and source.words not in excluded
        ]
        return corpus.select(kept[:limit])

    def multilingual(self, part: int) -> tuple[Corpus, Corpus]:
        """Read manual and automatic links of all languages, without a part of the treebank (-1: with all)."""
        tested = ("kftt", "atis", *(f"pud-{language}" for language in TREEBANK))
        return (
            concatenate(self.training(name, part).for_target(x) for name, x in MULTILINGUAL_MANUAL.items()),
            concatenate(self.short(name, tested).for_target(x) for name, x in MULTILINGUAL.items()),
        )

    def checksum(self, name: str, part: int) -> int:
        """Return a check sum of the tested sentences, to recognise results of other sentences."""
        sources = self.tested_part(name, part).sources
        return zlib.crc32("\n".join(" ".join(source.words) for source in sources).encode())
