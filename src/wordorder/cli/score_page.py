"""The page of ``wordorder report score``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from wordorder.align.health import Health, health
from wordorder.analyse.misordered import reference_tags
from wordorder.analyse.sentences import compared_sentences
from wordorder.analyse.source_order import SourceOrder
from wordorder.cli.vocabulary import refuse
from wordorder.core.alignment import Alignments
from wordorder.draw.labels import visible
from wordorder.engine.score_texts import CorpusStatistics, TextBlock
from wordorder.engine.text_blocks import ScoredFiles
from wordorder.io.files import open_output
from wordorder.io.lines import split_words
from wordorder.io.parse_table import read_parses
from wordorder.io.read_write import read_records
from wordorder.report.html.systems import SystemReport
from wordorder.report.system_table import SystemTable


def write_page(
    table: SystemTable,
    scored: CorpusStatistics,
    blocks: list[TextBlock],
    files: ScoredFiles,
    options: dict[str, Any],
    *,
    found: SourceOrder | None = None,
) -> None:
    """Write a report with all sentences; ``found`` is their order compared with that of the source."""
    # A file name may hold bytes that are no text.
    systems = [replace(system, name=visible(system.name)) for system in table.systems]
    table, scored = replace(table, systems=systems), replace(scored, systems=systems)
    sources = None
    if found is not None:
        lines = dict(zip(blocks[0].numbers, found.texts.sources, strict=True))
        sources = {number: split_words(line) for number, line in lines.items()}
    elif files.alignments:
        lines = dict(enumerate(read_records(files.alignments.source, "text"), start=1))
        sources = {number: split_words(line) for number, line in lines.items()}
    sentences = compared_sentences(blocks, table.metrics, scored, sources=sources)
    tags = None
    if sources is not None:
        refuse("parses", why="alignments are given, so words are those of the source")
    elif options.get("parses"):
        streams = [
            [line for block in blocks for line in block.references[r]] for r in range(table.references)
        ]
        texts = [streams[r][s] for s, r in enumerate(sentences.chosen)]
        tags = reference_tags(sentences, texts, read_parses(options["parses"].split(":")))
    report = SystemReport(
        table,
        sentences,
        files.by_kind(),
        tags,
        alignment_health(blocks, [system.name for system in table.systems]),
        found,
    )
    with open_output(options["output"]) as out:
        out.write(report.write())


def alignment_health(blocks: list[TextBlock], names: Sequence[str]) -> dict[str, Health]:
    """Compute statistics of given alignments, those of the first reference first."""
    given = [block.given for block in blocks if block.given]
    if not given:
        return {}
    texts = {"reference": [systems[0].references[0] for systems in given]}
    if given[0][0].kind == "source":
        texts = {}
    texts |= {name: [systems[k].hypotheses for systems in given] for k, name in enumerate(names)}
    found = {}
    for name, parts in texts.items():
        links = Alignments.from_alignments(chain.from_iterable(parts))
        found[name] = health(links, links.source_sizes.tolist(), links.target_sizes.tolist())
    return found
