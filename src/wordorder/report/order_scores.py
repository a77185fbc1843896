"""Write scores of permutations."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from wordorder import _native
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric, Score
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import spec_of
from wordorder.report.table import Table, write_table

if TYPE_CHECKING:
    from wordorder.engine.score_orders import ScoredOrders


def corpus_report(metrics: Sequence[OrderingMetric], scores: Sequence[Score], form: str) -> bytes:
    """Write one line or record per metric."""
    first = scores[0]
    counts = {"sentences": first.segments, "words": first.words, "empty": first.empty, "single": first.single}
    notes = [_counts(first)]
    if any(not m.higher_is_better for m in metrics):
        notes.append("↓ lower is better")
    both = list(zip(metrics, scores, strict=True))
    records: list[dict[str, Any]] = [
        {"metric": spec_of(m), "score": s.score, **counts, "signature": s.signature} for m, s in both
    ]
    if form == "json":
        records = [{**describe(m, signature=s.signature), "score": s.score} for m, s in both]
    table = Table(
        head=["metric", "score", "", "signature"],
        rows=[
            [spec_of(m), f"{s.score:.4f}", "" if m.higher_is_better else "↓", s.signature] for m, s in both
        ],
        records=records,
        facts=counts,
        notes=[" · ".join(notes)],
        name="metrics",
        left=4,
    )
    return write_table(table, form)


def sentence_report(
    metrics: Sequence[OrderingMetric], blocks: Iterable[ScoredOrders], form: str
) -> Iterator[bytes]:
    """Write one row or record per sentence, piece by piece."""
    names = ["sentence", "words", *(spec_of(m) for m in metrics)]
    shortest = -1  # decimals: as many as are needed to write the number exactly
    if form == "json":
        import orjson

        about = [describe(m, signature=m.order_signature) for m in metrics]
        yield b'{"metrics":' + orjson.dumps(about) + b',"sentences":['
        keys = [f"{orjson.dumps(name).decode()}:" for name in names]
        fields = [(("," if c else "\n{") + key, 0, shortest) for c, key in enumerate(keys)]
        comma = b""
        for block in blocks:
            yield comma + _rows(block, fields, "},")[:-1]
            comma = b","
        yield b"\n]}\n"
    elif form == "tsv":
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


def _rows(block: ScoredOrders, fields: Sequence[tuple[str, int, int]], after: str) -> bytes:
    columns = [block.lengths.astype(np.float64), *block.columns]
    return _native.format_rows(columns, block.first, fields, after)


def describe(metric: Metric, spec: str | None = None, signature: str | None = None) -> dict[str, Any]:
    """Return what a reader of the numbers must know, as plain data."""
    low, high = metric.range
    return {
        "name": metric.name,
        "spec": spec or spec_of(metric),
        "settings": metric.settings,
        "range": [low, high if math.isfinite(high) else None],
        "higher_is_better": metric.higher_is_better,
        "signature": signature or metric.signature,
    }


def _counts(score: Score) -> str:
    text = f"{counted(score.segments, 'sentence')}, {counted(score.words, 'word')}"
    short = [
        f"{count:,} {what}"
        for count, what in ((score.empty, "empty"), (score.single, "of one word"))
        if count
    ]
    return text + (f" ({', '.join(short)}: nothing to order)" if short else "")
