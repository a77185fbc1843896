"""Reports of calibration: tables, and the reliability diagram."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from wordorder.draw import Scene, Series, line_chart
from wordorder.evaluate.calibration import LEAST, Calibration, Reliability
from wordorder.io.lines import counted
from wordorder.report.table import Table, write_json, write_table, write_tables

TITLES = {"pairs": "order of pairs of words", "orders": "whole orders"}


def calibration_report(calibrations: Sequence[Calibration], form: str) -> bytes:
    """Write calibrations in one of the formats of :mod:`wordorder.report.table`."""
    if form == "json":
        return write_json([calibration.as_dict() for calibration in calibrations])
    if form == "tsv":
        return write_table(Table(records=list(_records(calibrations))), form)
    return write_tables([_summary(calibrations), *_bins(calibrations)], form)


def _parts(calibrations: Sequence[Calibration]) -> Iterator[tuple[str, str, Reliability]]:
    """Yield the name of each model, and its reliability for pairs and orders."""
    for calibration in calibrations:
        yield calibration.name, "pairs", calibration.pairs
        if calibration.orders:
            yield calibration.name, "orders", calibration.orders


def _summary(calibrations: Sequence[Calibration]) -> Table:
    rows = []
    for name, kind, part in _parts(calibrations):
        values = (part.right / max(part.count, 1), part.mean, part.error, part.brier, part.log_loss)
        rows.append([name, kind, f"{part.count:,}", *(f"{value:.4f}" for value in values)])
    first = calibrations[0]
    notes = [f"{counted(first.sentences, 'sentence')}, {first.consistent:,} of them with consistent links"]
    closed = ", ".join(each.name for each in calibrations if each.orders and not each.is_open)
    if closed:
        notes.append(f"{closed}: probabilities of orders include words that the links do not order")
    notes.append(
        f"[ ] 95 % Wilson interval, as if pairs were independent; log loss clips probabilities to {LEAST:g}"
    )
    head = ["", "", "n", "right", "mean probability", "calibration error", "Brier", "log loss"]
    return Table(head=head, rows=rows, notes=notes, left=2)


def _bins(calibrations: Sequence[Calibration]) -> Iterator[Table]:
    for name, kind, part in _parts(calibrations):
        rows = [
            [
                f"{row.low:.3g} to {row.high:.3g}",
                f"{row.count:,}",
                f"{row.mean:.3f}",
                f"{row.share:.3f}",
                f"[{row.interval.low:.3f}, {row.interval.high:.3f}]",
            ]
            for row in part.bins
        ]
        head = ["probability", "n", "mean", "right", "interval"]
        yield Table(title=f"{name}, {TITLES[kind]}", head=head, rows=rows)


def _records(calibrations: Sequence[Calibration]) -> Iterator[dict[str, object]]:
    for name, kind, part in _parts(calibrations):
        for row in part.bins:
            record = asdict(row)
            around = record.pop("interval")
            ends = {"share_low": around["low"], "share_high": around["high"]}
            yield {"model": name, "what": kind, **record, **ends}


def calibration_chart(calibrations: Sequence[Calibration]) -> Scene:
    """Draw the reliability diagram: the share that is right by probability, with 95 % intervals."""
    series = [Series("perfect", [0.0, 1.0], [0.0, 1.0])]
    for name, kind, part in _parts(calibrations):
        series.append(
            Series(
                f"{name}, {kind}",
                [row.mean for row in part.bins],
                [row.share for row in part.bins],
                [min(row.interval.low, row.share) for row in part.bins],
                [max(row.interval.high, row.share) for row in part.bins],
            )
        )
    return line_chart(
        series,
        x_label="probability",
        y_label="share that is right",
        x_range=(0, 1),
        y_range=(0, 1),
        bars=True,
    )
