"""Calibration of preorderers: text, TSV, JSON, and the reliability diagram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import orjson

from wordorder.draw import Series, line_chart
from wordorder.evaluate.calibration import LEAST, Calibration, Reliability
from wordorder.io.lines import counted
from wordorder.report.table import text_table


def calibration_report(found: Sequence[Calibration], output: str) -> bytes:
    """Write in one of the forms."""
    if output == "json":
        return orjson.dumps([one.as_dict() for one in found], option=orjson.OPT_INDENT_2) + b"\n"
    return (_tsv(found) if output == "tsv" else _text(found)).encode("utf-8")


def _kinds(one: Calibration) -> Iterator[tuple[str, Reliability]]:
    yield "pairs", one.pairs
    if one.orders:
        yield "orders", one.orders


def _text(found: Sequence[Calibration]) -> str:
    rows = [["", "", "n", "right", "mean probability", "calibration error", "Brier", "log loss"]]
    tables = []
    for one in found:
        for kind, part in _kinds(one):
            share = part.right / max(part.count, 1)
            scores = (share, part.mean, part.error, part.brier, part.log_loss)
            rows.append([one.name, kind, f"{part.count:,}", *(f"{x:.4f}" for x in scores)])
            tables.append(f"\n{one.name}, {_TITLES[kind]}\n{_table(part)}")
    sentences = counted(found[0].sentences, "sentence")
    notes = [f"{sentences}, {found[0].consistent:,} of them with links that contradict no order"]
    if any(one.orders and not one.is_open for one in found):
        closed = ", ".join(one.name for one in found if one.orders and not one.is_open)
        notes.append(
            f"{closed}: probabilities of orders are those of all words, also where links say nothing"
        )
    notes.append(
        "[ ] 95 % interval of Wilson, as if pairs were independent;"
        f" log loss: probabilities of at least {LEAST:g}"
    )
    return text_table(rows, left=2) + "".join(tables) + "\n" + "".join(f"{note}\n" for note in notes)


_TITLES = {"pairs": "order of pairs of words", "orders": "whole orders"}


def _table(part: Reliability) -> str:
    rows = [["probability", "n", "mean", "right", "interval"]]
    for one in part.bins:
        around = f"[{one.interval.low:.3f}, {one.interval.high:.3f}]"
        edges = f"{one.low:.3g} to {one.high:.3g}"
        rows.append([edges, f"{one.count:,}", f"{one.mean:.3f}", f"{one.share:.3f}", around])
    return text_table(rows)


def _tsv(found: Sequence[Calibration]) -> str:
    lines = [["model", "what", "low", "high", "count", "mean", "share", "share_low", "share_high"]]
    for one in found:
        for kind, part in _kinds(one):
            for b in part.bins:
                numbers = [b.low, b.high, b.count, b.mean, b.share, b.interval.low, b.interval.high]
                lines.append([one.name, kind, *map(repr, numbers)])
    return "".join("\t".join(line) + "\n" for line in lines)


def calibration_svg(found: Sequence[Calibration]) -> str:
    """The reliability diagram: the share that is right by probability, with 95 % bands."""
    series = [Series("perfect", [0.0, 1.0], [0.0, 1.0])]
    for one in found:
        for kind, part in _kinds(one):
            bins = part.bins
            series.append(
                Series(
                    f"{one.name}, {kind}",
                    [b.mean for b in bins],
                    [b.share for b in bins],
                    [min(b.interval.low, b.share) for b in bins],
                    [max(b.interval.high, b.share) for b in bins],
                )
            )
    return line_chart(
        series, x_label="probability", y_label="share that is right", x_range=(0, 1), y_range=(0, 1)
    )
