"""Order compared with the source on real data: links by hand and by aligners, and systems beside people.

``links`` asks how well automatic links reproduce the figures of manual ones. The aligner is trained on the
sentences of the set alone, or on these and further text of the same languages. ``systems`` compares the
systems of WMT with the reference, by links of an aligner that is trained on all of them together. ``apart``
does the same with an aligner for each translation alone, which cannot learn from other translations.

    python -m experiments.source_order links FOLDER      # of parallel text: SET/PAIR/SPLIT.LANGUAGE.gz
    python -m experiments.source_order systems FOLDER    # of judgments
    python -m experiments.source_order apart FOLDER      # of judgments
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from experiments.parallel import read_lines, read_parallel, target_language
from wordorder.align.bilingual import train_aligner
from wordorder.analyse.needed_order import COLUMNS
from wordorder.analyse.source_order import SourceOrder, source_order
from wordorder.core.alignment import Alignments
from wordorder.core.correlation import moments, pearson_of_moments
from wordorder.engine.threads import available_threads
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_judgments
from wordorder.report.table import Table, write_table

ALIGNED = (
    "kftt-gold/en-ja/dev", "pud/en-ja/dev", "pud/en-ko/dev", "wpt05-enhi/en-hi/dev", "pud/en-zh/dev",
    "tsinghua-enzh/en-zh/dev", "pud/en-ar/dev", "pud/en-fr/dev", "hansards/en-fr/test", "pud/en-ru/dev",
    "czenali/en-cs/dev", "liu-ensv/en-sv/dev", "wpt-roen/en-ro/all",
)  # fmt: skip
MORE = {
    "ja": ("kftt30k/en-ja/train", "ntrex/en-ja/all", "tatoeba/en-ja/train"),
    **{x: (f"ntrex/en-{x}/all", f"tatoeba/en-{x}/train") for x in ("hi", "ko", "zh")},
}
FIGURES = (
    "kendall", "anticipation:k=3", "anticipation:k=3,over=links", "crossings:scale=share,over=links"
)  # fmt: skip
COLLECTIONS = ("wmt15-rr", "wmt17-da", "wmt21-da", "wmt21-mqm")
LEAST, MOST = 100, 500  # segments of a set: with fewer it is left out, and only the first ones are taken
ALPHA = 0.05


class LinkFigures(NamedTuple):
    """The figures of one set by one kind of links: of the corpus, and of each sentence."""

    links: str
    linked: float
    corpus: list[float]
    sentences: list[list[float]]


def figures(name: str, sides: Sequence[list[str]], links: Alignments) -> LinkFigures:
    """Compute the figures of a set by some links."""
    source, target = sides
    found = source_order(
        source, target, alignments={"translation": links}, metrics=",".join(FIGURES), samples=0, threads=1
    )
    rows = found.statistics.rows_of(0)
    return LinkFigures(
        name,
        found.systems[0].matched or 0.0,
        [result.score for result in found.comparison.results[0]],
        [
            metric.segment_scores(own).tolist()
            for metric, own in zip(found.metrics.values(), rows, strict=True)
        ],
    )


def compare_links(folder: Path, name: str) -> Iterator[LinkFigures]:
    """Yield the figures of a set by manual links, and by aligners with less and more text."""
    manual = Alignments.from_alignments(read_parallel(folder, name, manual=True).alignments)
    language = target_language(name)
    own = [read_lines(folder, name, ending) for ending in ("en", language)]
    yield figures("manual", own, manual)
    threads = available_threads()
    texts: dict[str, list[list[str]]] = {"this text": own}
    further = [part for part in MORE.get(language, ()) if (folder / f"{part}.en.gz").exists()]
    if further:
        more = [[line for part in further for line in read_lines(folder, part, e)] for e in ("en", language)]
        texts["more text"] = [a + b for a, b in zip(own, more, strict=True)]
    for kind, (source, target) in texts.items():
        aligner = train_aligner(source, target, threads=threads)
        found = aligner.align(own[0], own[1], threads=threads)
        yield figures(f"{kind}, {len(source):,} pairs", own, found)


def links_table(folder: Path, names: Sequence[str] = ALIGNED) -> Table:
    """Compare manual with automatic links on all sets."""
    rows = []
    gaps: dict[str, list[tuple[list[float], list[float]]]] = {}
    for name in names:
        manual, *others = compare_links(folder, name)
        count = len(manual.sentences[0])
        rows.append([name, f"{count:,}", *_cells(manual), "", ""])
        for one in others:
            both = [_agreement(a, b, 2) for a, b in zip(manual.sentences, one.sentences, strict=True)]
            rows.append(["", "", *_cells(one), *both[:2]])
            gaps.setdefault(one.links.partition(",")[0], []).append((manual.corpus, one.corpus))
    head = ["set", "sentences", "links", "linked", *FIGURES, "r kendall", "r anticipation"]
    return Table(head=head, rows=rows, notes=list(_over_sets(gaps)), left=3)


def _cells(one: LinkFigures) -> list[str]:
    return [one.links, f"{100 * one.linked:.0f} %", *(f"{value:.3f}" for value in one.corpus)]


def _over_sets(gaps: dict[str, list[tuple[list[float], list[float]]]]) -> Iterator[str]:
    """Say how the figures of sets by automatic links agree with those by manual links."""
    for kind, pairs in gaps.items():
        parts = []
        for k, label in enumerate(FIGURES):
            by_hand, automatic = ([side[k] for side in sides] for sides in zip(*pairs, strict=True))
            gap = np.mean(np.abs(np.subtract(by_hand, automatic)))
            parts.append(f"{label} r {_agreement(by_hand, automatic, 3)}, mean gap {gap:.3f}")
        yield f"over {len(pairs)} sets, manual links and {kind}: {'; '.join(parts)}"


def _agreement(first: Sequence[float], second: Sequence[float], digits: int) -> str:
    """Return Pearson's correlation, or nothing if one side does not vary."""
    sums = moments(np.array(first), np.array(second)).sum(axis=0, keepdims=True)
    value = pearson_of_moments(sums)[0]
    return "" if np.isnan(value) else f"{value:.{digits}f}"


def complete_texts(judgments: Judgments) -> tuple[list[str], list[str], dict[str, list[str]]] | None:
    """Return sources, references and outputs of the first segments that all systems translated.

    Systems that translated fewer than nine tenths of the segments are left out.
    """
    systems = [name for name in judgments.systems if name not in judgments.human]
    outputs: dict[str, dict[int, str]] = {name: {} for name in systems}
    items = zip(
        judgments.item_segment.tolist(), judgments.item_system.tolist(), judgments.outputs, strict=True
    )
    for segment, system, text in items:
        if text and judgments.systems[system] in outputs:
            outputs[judgments.systems[system]][segment] = text
    most = max(map(len, outputs.values()), default=0)
    kept = {name: own for name, own in outputs.items() if len(own) > 0.9 * most}
    common = sorted(set.intersection(*(set(own) for own in kept.values()))) if kept else []
    if len(common) < LEAST or judgments.sources is None or not judgments.references:
        return None
    common = common[:MOST]
    sources = [judgments.sources[s] for s in common]
    references = [judgments.references[0][s] for s in common]
    return sources, references, {name: [own[s] for s in common] for name, own in sorted(kept.items())}


def compare_systems(judgments: Judgments) -> SourceOrder | None:
    """Compare the systems of a set and its reference with the source."""
    texts = complete_texts(judgments)
    if texts is None:
        return None
    sources, references, systems = texts
    return source_order(
        sources, systems, references={"reference": references},
        metrics="kendall,anticipation:k=3", paired="bootstrap",
    )  # fmt: skip


def systems_table(folder: Path, collections: Sequence[str] = COLLECTIONS) -> Table:
    """Compare the systems of all sets with the references."""
    rows = []
    counts = np.zeros(3, dtype=np.int64)  # systems, those that are more monotone than people, and less
    for collection in collections:
        for judgments in read_judgments(str(folder / collection)):
            found = compare_systems(judgments)
            if found is not None:
                rows.append([judgments.name, *_system_cells(found)])
                counts += [len(found.systems) - 1, *significant(found)]
    head = ["set", "segments", "systems", "linked", "kendall: people", "systems", "range", "+ / -"]
    head += ["anticipation:k=3: people", "systems", "excess", "precision", "recall"]
    total, more, less = counts.tolist()
    note = f"{more} of {total} systems are more monotone than people (p < {ALPHA}), and {less} less"
    return Table(head=head, rows=rows, notes=[note])


def apart_table(folder: Path, collections: Sequence[str] = COLLECTIONS[2:]) -> Table:
    """Compare the ``kendall`` of people and systems if each translation has an aligner of its own."""
    rows = []
    for collection in collections:
        for judgments in read_judgments(str(folder / collection)):
            texts = complete_texts(judgments)
            if texts is None:
                continue
            sources, references, systems = texts
            people, *others = (
                source_order(sources, lines, metrics="kendall", samples=0)
                .scores("kendall")["translation"]
                .score
                for lines in (references, *systems.values())
            )
            above = sum(score > people for score in others)
            cells = [f"{people:.3f}", f"{np.mean(others):.3f}", f"{above} of {len(others)}"]
            rows.append([judgments.name, *cells])
    return Table(head=["set", "people", "systems", "more monotone than people"], rows=rows)


def significant(found: SourceOrder) -> tuple[int, int]:
    """Count the systems that are significantly more monotone than the reference, and less."""
    results = list(found.scores("kendall").values())[1:]
    tested = [result for result in results if result.p_value is not None and result.p_value < ALPHA]
    more = sum((result.difference or 0) > 0 for result in tested)
    return more, len(tested) - more


def _system_cells(found: SourceOrder) -> list[str]:
    cells = [f"{found.systems[0].segments:,}", str(len(found.systems) - 1)]
    cells.append(f"{100 * np.mean([system.matched for system in found.systems]):.0f} %")
    kendall, guessed = (list(found.scores(label).values()) for label in found.metrics)
    values = [result.score for result in kendall[1:]]
    cells += [f"{kendall[0].score:.3f}", f"{np.mean(values):.3f}", f"{min(values):.3f} - {max(values):.3f}"]
    cells.append(" / ".join(map(str, significant(found))))
    cells += [f"{guessed[0].score:.3f}", f"{np.mean([result.score for result in guessed[1:]]):.3f}"]
    for column in ("excess", "precision", "recall"):
        number = COLUMNS.index(column)
        results = [row[number] for row in found.needed[0].results]
        cells.append(f"{np.mean([result.score for result in results if result]):.3f}")
    return cells


TABLES: dict[str, Callable[..., Table]] = {
    "links": links_table,
    "systems": systems_table,
    "apart": apart_table,
}


def main() -> None:
    """Print one of the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=list(TABLES))
    parser.add_argument("folder", type=Path, help="folder of parallel text, or of judgments")
    parser.add_argument("--only", nargs="*", help="sets or collections, if not all")
    options = parser.parse_args()
    table = TABLES[options.what]
    made = table(options.folder, options.only) if options.only else table(options.folder)
    print(write_table(made, "markdown").decode(), end="")


if __name__ == "__main__":
    main()
