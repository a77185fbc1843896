"""Translations of systems, scored by metrics of text beside the scores of their word order."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import chain

from wordorder.engine.score_texts import collect, resolve_tokenizers
from wordorder.engine.text_blocks import read_blocks
from wordorder.engine.threads import Runner
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.columns import Column, ColumnMeasure, ComparisonSettings, compare_systems
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import labels


def translation_files(pattern: str, systems: Sequence[str]) -> dict[str, str]:
    """Return the files of translations that exist, by system; ``{system}`` stands for its name."""
    files = {name: pattern.replace("{system}", name) for name in systems}
    if "{system}" not in pattern:
        raise BadSetting(f"{pattern!r} names the same file for all systems; write {{system}} for their names")
    there = {name: path for name, path in files.items() if os.path.isfile(path)}
    if not there:
        raise BadSetting(f"there are no translations: no file is called {', '.join(files.values())}")
    return there


def score_translations(
    files: Mapping[str, str],
    references: Sequence[str],
    metrics: Sequence[Metric],
    sentences: int,
    settings: ComparisonSettings,
    run: Runner = map,
) -> tuple[tuple[Column, ...], list[str]]:
    """Compare systems by metrics of their translations; return notes on how text was split, too.

    All files have one line for each sentence.
    """
    blocks = read_blocks(references, list(files.values()))
    first = next(blocks)
    resolved, notes = resolve_tokenizers(metrics, first.references)
    scored = collect(chain([first], blocks), resolved, list(files), run)
    rows = {name: scored.rows_of(k) for k, name in enumerate(files)}
    found = scored.systems[0].segments
    if found != sentences:
        what = f"has {counted(found, 'line')}; there are {counted(sentences, 'sentence')}"
        raise BadFile(what, file=references[0], line=found)
    measures = [
        ColumnMeasure(name, metric.higher_is_better, metric.signature_for(len(references)), metric.scores)
        for name, metric in zip(labels(metrics), resolved, strict=True)
    ]
    by_sentence = {
        name: [metric.segment_scores(part) for metric, part in zip(resolved, parts, strict=True)]
        for name, parts in rows.items()
    }
    return compare_systems(measures, rows, by_sentence, settings), notes
