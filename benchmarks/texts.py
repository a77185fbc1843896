"""The texts that are measured: real ones under a folder, or the bundled sample.

The folder has parallel text (``parallel/SET/en-ja/SPLIT.en.gz``), judgments
(``judgments/SET/outputs.tsv.gz``) and n-best lists (``nbest/SET``). Sentences are taken as they come, with
their long ones. The sample is small, so it is repeated where a benchmark needs more.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import numpy as np

from benchmarks.measurement import Skip
from experiments.parallel import Corpus, concatenate, read_lines, read_parallel
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutations
from wordorder.data import sample, sample_judgments
from wordorder.preorder import Source
from wordorder.tune.reading import read_candidates

DEV, DEVTEST = "kftt-gold/en-ja/dev", "kftt-gold/en-ja/devtest"
TRAIN = "kftt30k/en-ja/train"
PARSED = "pud/en-ja/dev"
JUDGED = "wmt14-rr"
LISTS = "kftt-en-ja"


@dataclass(frozen=True)
class Text:
    """The name of a text in the table, and what it consists of."""

    name: str
    description: str


MADE_UP = Text("made up", "Random permutations, or lines of random words, of the length that the row names")


class Texts:
    """Texts under a folder, or the sample if there is none."""

    def __init__(self, data: Path | None) -> None:
        self.data = data

    def folder(self, name: str) -> Path:
        """Return a folder of the data, which must exist."""
        assert self.data is not None
        if not (self.data / name).is_dir():
            raise Skip(f"the data has no folder {name}")
        return self.data / name

    def pairs(self, count: int) -> tuple[list[str], list[str], Text]:
        """Translations into English with their references."""
        if self.data is None:
            hypotheses, references = _repeated(
                zip(_sample("system-a.txt"), _sample("reference.txt"), strict=True), count
            )
            return hypotheses, references, _described("sample", references, "pairs, repeated")
        rows = list(islice(judged_pairs(self.folder("judgments")), count))
        if len(rows) < count:
            raise Skip(f"the judgments have only {len(rows):,} translations into English")
        hypotheses, references = map(list, zip(*rows, strict=True))
        return hypotheses, references, _described(f"WMT, {count:,} pairs", references, "pairs")

    def sentences(self, *, training: bool = False) -> tuple[Corpus, Text]:
        """English sentences with manual links to Japanese; those for training, or others."""
        if self.data is None:
            words = [Source(tuple(line.lower().split())) for line in _sample("text.en")]
            corpus = Corpus(words, _sample_links())
            return corpus, _described("sample", [" ".join(s.words) for s in words], "sentences")
        name = DEV if training else DEVTEST
        corpus = read_parallel(self.folder("parallel"), name, manual=True)
        text = [" ".join(source.words) for source in corpus.sources]
        return corpus, _described("KFTT dev" if training else "KFTT devtest", text, "sentences")

    def bitext(self, count: int) -> tuple[list[str], list[str], Text]:
        """English and Japanese sentences, lower-cased: those with long sentences first."""
        if self.data is None:
            source, target = _repeated(zip(_sample("text.en"), _sample("text.ja"), strict=True), count)
            return source, target, _described("sample", source, "pairs, repeated")
        folder, sides = self.folder("parallel"), []
        for ending in ("en", "ja"):
            lines = [
                line for name in (DEV, DEVTEST, TRAIN) for line in read_lines(folder, name, ending, count)
            ]
            sides.append([line.lower() for line in lines[:count]])
        source, target = sides
        return source, target, _described(f"KFTT, {count:,} pairs", source, "pairs")

    def linked(self, count: int) -> tuple[Corpus, Text]:
        """English sentences with links to Japanese, manual ones first, then automatic ones."""
        if self.data is None:
            corpus, _ = self.sentences()
            sources, alignments = _repeated(zip(*corpus, strict=True), count)
            text = [" ".join(source.words) for source in sources]
            return Corpus(sources, alignments), _described("sample", text, "sentences, repeated")
        folder = self.folder("parallel")
        corpus = concatenate(
            read_parallel(folder, name, manual=name != TRAIN, limit=count) for name in (DEV, DEVTEST, TRAIN)
        )
        corpus = corpus.select(range(count))
        text = [" ".join(source.words) for source in corpus.sources]
        return corpus, _described(f"KFTT, {count:,} sentences", text, "sentences")

    def orders(self, count: int) -> tuple[Permutations, Text]:
        """Orders of English words in Japanese, by word alignments."""
        corpus, text = self.linked(count)
        return orders_from_links(Alignments.from_alignments(corpus.alignments), "thesis").permutations, text

    def parsed(self) -> tuple[Path, Path, Text]:
        """Files of links to Japanese and of English dependency trees."""
        if self.data is None:
            text = _described("sample", _sample("text.en"), "sentences")
            return sample("text.align"), sample("text.conllu"), text
        folder = self.folder("parallel")
        text = _described("PUD English", read_lines(folder, PARSED, "en"), "sentences with parses")
        place = folder / PARSED
        return place.with_name(f"{place.name}.align.gz"), place.with_name(f"{place.name}.en.conllu.gz"), text

    def lists(self, count: int, size: int) -> tuple[list[list[CandidateTranslation]], Text]:
        """Candidate translations: the first ``size`` of each sentence."""
        files = [sample("candidates.nbest")] if self.data is None else sorted(
            (self.folder("nbest") / LISTS).glob("test*.nbest.gz")
        )  # fmt: skip
        lists = [candidates[:size] for path in files for _, candidates in read_candidates([str(path)])][
            :count
        ]
        lengths = [len(candidates) for candidates in lists]
        source = "sample" if self.data is None else "KFTT n-best"
        words = [len(c.text.split()) for candidates in lists for c in candidates]
        told = f"{len(lists):,} lists of {np.mean(lengths):.0f} candidates, {np.mean(words):.1f} words each"
        return lists, Text(f"{source}, {len(lists):,} lists of up to {size}", told)

    def tuning(self) -> tuple[Path, Path, Text]:
        """Files of an n-best list with features and of its reference."""
        if self.data is None:
            return (
                sample("candidates.nbest"),
                sample("reference.txt"),
                Text("sample lists", "240 candidates for 20 sentences"),
            )
        folder = self.folder("nbest") / LISTS
        lists = folder / "tune.base.round1.nbest.gz"
        with gzip.open(lists) as lines:
            told = f"{sum(1 for _ in lines):,} candidates of the first round of tuning"
        return lists, folder / "tune.ja.gz", Text("KFTT tuning lists", told)

    def judgments(self) -> tuple[Path, Text]:
        """A folder of human judgments."""
        if self.data is None:
            return sample_judgments(), Text("sample judgments", "The bundled sample of judgments")
        return self.folder("judgments") / JUDGED, Text(
            "WMT14 rankings", "Human rankings of systems, all language pairs"
        )


def _sample(name: str) -> list[str]:
    return sample(name).read_text(encoding="utf-8").splitlines()


def _sample_links() -> list[Alignment]:
    lines = zip(_sample("text.en"), _sample("text.ja"), _sample("text.align"), strict=True)
    alignments = []
    for english, japanese, links in lines:
        ends = [link.split("-") for link in links.split()]
        sizes = len(english.split()), len(japanese.split())
        alignments.append(Alignment(*sizes, [(int(i), int(j)) for i, j in ends]))
    return alignments


def _repeated(rows: Iterable[tuple], count: int) -> tuple[list, list]:  # type: ignore[type-arg]
    first, second = zip(*islice(cycle(list(rows)), count), strict=True)
    return list(first), list(second)


def _described(name: str, lines: Sequence[str], what: str) -> Text:
    """Describe a text by the lengths of its sentences."""
    lengths = [len(line.split()) for line in lines]
    repeated = f", repeated to {len(lines):,}" if what.endswith("repeated") else ""
    return Text(
        name + repeated,
        f"{len(lengths):,} {what}, {np.mean(lengths):.1f} words on average, {max(lengths)} at most",
    )


def judged_pairs(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield hypotheses into English with their references, from tables of judgments."""
    keys = ("lp", "testset", "segment")
    for outputs in sorted(folder.glob("*/outputs.tsv.gz")):
        known = {
            tuple(row[k] for k in keys): row["reference"]
            for row in _rows(outputs.with_name("segments.tsv.gz"))
            if row.get("reference")
        }
        for row in _rows(outputs):
            reference = known.get(tuple(row[k] for k in keys))
            if row["lp"].endswith("-en") and reference:
                yield row["output"], reference


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        head = lines.readline().rstrip("\n").split("\t")
        for line in lines:
            yield dict(zip(head, line.rstrip("\n").split("\t"), strict=True))
