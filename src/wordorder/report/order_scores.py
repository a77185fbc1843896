"""Scores of permutations as text, TSV and JSON."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import orjson

from wordorder import _native
from wordorder.engine.score_orders import Scored
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric, OrderingMetric, Score
from wordorder.metrics.registry import spec_of
from wordorder.report.table import text_table


def corpus_report(metrics: Sequence[OrderingMetric], scores: Sequence[Score], output: str) -> bytes:
    """One line or record a metric."""
    if output == "json":
        head = scores[0].as_dict()
        counts = {key: head[key] for key in ("sentences", "words", "empty", "single")}
        records = [{**describe(m), "score": s.score} for m, s in zip(metrics, scores, strict=True)]
        return orjson.dumps({**counts, "metrics": records}, option=orjson.OPT_INDENT_2) + b"\n"
    if output == "tsv":
        rows = [["metric", "score", "sentences", "words", "empty", "single", "signature"]]
        for m, s in zip(metrics, scores, strict=True):
            counted = [s.sentences, s.words, s.empty, s.single]
            rows.append([spec_of(m), repr(s.score), *map(str, counted), s.signature])
        return "".join("\t".join(row) + "\n" for row in rows).encode()
    rows = [["metric", "score", "", "signature"]]
    for m, s in zip(metrics, scores, strict=True):
        rows.append([spec_of(m), f"{s.score:.4f}", "" if m.higher_is_better else "↓", s.signature])
    notes = [_counted(scores[0])]
    if any(not m.higher_is_better for m in metrics):
        notes.append("↓ lower is better")
    return (_columns(rows) + " · ".join(notes) + "\n").encode()


def sentence_report(
    metrics: Sequence[OrderingMetric], blocks: Iterable[Scored], output: str
) -> Iterator[bytes]:
    """One row or record a sentence, piece by piece."""
    names = ["sentence", "words", *(spec_of(m) for m in metrics)]
    shortest = -1  # decimals: as many as tell the number exactly
    if output == "json":
        yield b'{"metrics":' + orjson.dumps([describe(m) for m in metrics]) + b',"sentences":['
        keys = [f"{orjson.dumps(name).decode()}:" for name in names]
        fields = [(("," if c else "\n{") + key, 0, shortest) for c, key in enumerate(keys)]
        comma = b""
        for block in blocks:
            yield comma + _rows(block, fields, "},")[:-1]
            comma = b","
        yield b"\n]}\n"
    elif output == "tsv":
        yield "\t".join(names).encode() + b"\n"
        fields = [("" if name == "sentence" else "\t", 0, shortest) for name in names]
        for block in blocks:
            yield _rows(block, fields, "\n")
    else:
        widths = [max(len(name), 6) for name in names]
        yield "  ".join(n.rjust(w) for n, w in zip(names, widths, strict=True)).encode() + b"\n"
        fields = [("  " if c else "", width, 4 if c > 1 else 0) for c, width in enumerate(widths)]
        for block in blocks:
            yield _rows(block, fields, "\n")


def _rows(block: Scored, fields: Sequence[tuple[str, int, int]], after: str) -> bytes:
    columns = [block.lengths.astype(np.float64), *block.columns]
    return _native.format_rows(columns, block.first, fields, after)


def describe(metric: Metric, spec: str | None = None) -> dict[str, Any]:
    """What a reader of the numbers must know, as plain data."""
    low, high = metric.range
    return {
        "name": metric.name,
        "spec": spec or spec_of(metric),
        "settings": metric.settings,
        "range": [low, high if math.isfinite(high) else None],
        "higher_is_better": metric.higher_is_better,
        "signature": metric.signature,
    }


def _counted(score: Score) -> str:
    text = f"{counted(score.sentences, 'sentence')}, {counted(score.words, 'word')}"
    extra = [
        f"{count:,} {what}"
        for count, what in ((score.empty, "empty"), (score.single, "of one word"))
        if count
    ]
    return text + (f" ({', '.join(extra)}: nothing to order)" if extra else "")


def _columns(rows: list[list[str]]) -> str:
    """A table whose numbers stand right and whose signatures stand left."""
    table = text_table([row[:3] for row in rows]).splitlines()
    width = max(map(len, table))
    return "".join(f"{line.ljust(width)}  {row[3]}\n" for line, row in zip(table, rows, strict=True))
