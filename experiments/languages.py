"""Write docs/results/languages.md: agreement with people by target language, and what normalisation changes.

    python -m experiments.languages JUDGMENTS [--segments N]

JUDGMENTS holds the folders of human judgments, such as wmt15-rr. N judged segments are drawn from each set
(0: all of them). Scores are kept in the user's cache.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np

from experiments.reproduction.judged import JudgedData, Row, show, table
from tools.pages import DOCS, write_pages
from wordorder.judge.agreement import Agreement
from wordorder.judge.judgments import Judgments, Preferences, Ratings
from wordorder.text.normalisation import normalised
from wordorder.text.word_lists import language_of

PAGE = DOCS / "results" / "languages.md"
TEMPLATE = Path(__file__).with_name("languages.template")
METRICS = {
    "full:order=kendall": "full, Kendall",
    "full": "full, RECPEF",
    "ribes": "RIBES",
    "bleu": "BLEU",
    "chrf": "chrF",
    "beer": "BEER",
}
NORMALISATIONS = ("none", "standard", "nfkc")
COMPARED = ("full", "bleu", "chrf", "beer")
SEGMENTS, SEED = 0, 12345
TOKENIZERS = ("zh", "script", "char", "letters", "13a")
SPLITTING = ("kendall", "full", "ribes", "bleu")


@dataclass(frozen=True)
class Group:
    """The sets of one target language with one kind of judgments."""

    language: str
    rated: bool
    sets: list[Judgments]

    @property
    def label(self) -> list[str]:
        """The first cells of the rows of the group."""
        pairs = len({judgments.pair for judgments in self.sets})
        measure = "Pearson" if self.rated else "tau"
        return [f"`{self.language}`", measure, str(len(self.sets)), str(pairs)]


def drawn(judgments: Judgments, segments: int) -> Judgments:
    """Keep the judged items of some segments, drawn at random; 0 keeps all segments that were judged."""
    pairs, ratings = judgments.preferences, judgments.ratings
    judged = np.zeros(len(judgments), dtype=np.bool_)
    if pairs is not None:
        judged[pairs.first] = judged[pairs.second] = True
    elif ratings is not None:
        judged[ratings.item] = True
    names = np.unique(judgments.item_segment[judged])
    if 0 < segments < len(names):
        names = np.random.default_rng(SEED).choice(names, size=segments, replace=False)
    kept = judged & np.isin(judgments.item_segment, names)
    number = np.cumsum(kept) - 1
    if pairs is not None:
        some = pairs.take(kept[pairs.first] & kept[pairs.second])
        counts = (some.wins, some.losses, some.ties)
        pairs = Preferences(number[some.first], number[some.second], *counts)
    if ratings is not None:
        there = kept[ratings.item]
        ratings = Ratings(number[ratings.item[there]], ratings.score[there])
    return replace(
        judgments, item_segment=judgments.item_segment[kept], item_system=judgments.item_system[kept],
        outputs=[text for text, keep in zip(judgments.outputs, kept, strict=True) if keep],
        preferences=pairs, ratings=ratings, rankings=(),
    )  # fmt: skip


def groups(data: JudgedData, segments: int) -> list[Group]:
    """Return all judgments by target language and kind."""
    folders = sorted(path.name for path in data.folder.iterdir() if path.is_dir())
    sets = [drawn(one, segments) for name in folders for one in data.read(name) if one.references]

    def key(judgments: Judgments) -> tuple[str, bool]:
        return judgments.target, judgments.preferences is None

    return [Group(*k, list(own)) for k, own in groupby(sorted(sets, key=key), key)]


def judged(data: JudgedData, group: Group, specs: Sequence[str]) -> Agreement:
    """Compute agreement at segment level, without intervals."""
    return data.judge(group.sets, specs, samples=0)


def agreement_table(data: JudgedData, found: Sequence[Group]) -> str:
    """Show the mean agreement over the sets of each language."""
    rows: list[Row] = [["target", "measure", "sets", "pairs", *METRICS.values()]]
    for group in found:
        result = judged(data, group, list(METRICS))
        rows.append([*group.label, *(show(mean.value) for mean in result.means)])
    return table(rows)


def normalisation_table(data: JudgedData, found: Sequence[Group]) -> str:
    """Show how many texts a normalisation changes, and by how much agreement changes."""
    ways = NORMALISATIONS[1:]
    head = [f"{name}, {way}" for name in COMPARED for way in ways]
    rows: list[Row] = [["target", "measure", "texts", *(f"changed by {way}" for way in ways), *head]]
    for group in found:
        texts = [text for judgments in group.sets for text in judgments.outputs if text is not None]
        texts += [text for judgments in group.sets for stream in judgments.references for text in stream]
        counts = [sum(a != b for a, b in zip(texts, normalised(texts, way), strict=True)) for way in ways]
        specs = [f"{name}:normalize={way}" for name in COMPARED for way in NORMALISATIONS]
        means = [mean.value or 0.0 for mean in judged(data, group, specs).means]
        wide = len(NORMALISATIONS)
        changes = [
            f"{means[first + k] - means[first]:+.4f}"
            for first in range(0, len(means), wide)
            for k in range(1, wide)
        ]
        rows.append([*group.label[:2], f"{len(texts):,}", *(f"{count:,}" for count in counts), *changes])
    return table(rows)


def tokenizer_table(data: JudgedData, found: Sequence[Group]) -> str:
    """Show the agreement on Chinese by tokenizer."""
    rows: list[Row] = [["tokenizer", *(f"`{name}`" for name in SPLITTING)]]
    for group in (group for group in found if group.language == "zh"):
        specs = [f"{name}:tokenize={way}" for way in TOKENIZERS for name in SPLITTING]
        means = iter(judged(data, group, specs).means)
        rows += [[f"`{way}`", *(show(next(means).value) for _ in SPLITTING)] for way in TOKENIZERS]
    return table(rows)


def lists_table(found: Sequence[Group]) -> str:
    """Show how often the list of words is found that belongs to the language of a reference."""
    rows: list[Row] = [["target", "references", "its own list, %", "no list, %", "another list, %"]]
    for language, own in groupby(found, key=lambda group: group.language):
        texts = {text for group in own for one in group.sets for text in one.references[0]}
        lists = Counter(language_of(text) for text in sorted(texts))
        counts = lists.pop(language, 0), lists.pop(None, 0), lists.total()
        rows.append([f"`{language}`", f"{len(texts):,}", *(f"{100 * n / len(texts):.1f}" for n in counts)])
    return table(rows)


def page_text(folder: Path, segments: int = SEGMENTS) -> str:
    """Compute all tables and fill in the template."""
    data = JudgedData(folder)
    found = groups(data, segments)
    return TEMPLATE.read_text("utf-8").format(
        segments=f"up to {segments:,} judged segments of each test set, drawn at random"
        if segments
        else "all judged segments",
        agreement=agreement_table(data, found),
        normalisation=normalisation_table(data, found),
        tokenizers=tokenizer_table(data, found),
        lists=lists_table(found),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--segments", type=int, default=SEGMENTS, metavar="N")
    options = parser.parse_args(arguments)
    write_pages({PAGE: page_text(options.folder, options.segments)})


if __name__ == "__main__":
    main()
