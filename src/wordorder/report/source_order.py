"""Tables and the chart of the order of translations compared with that of their source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from wordorder.analyse.needed_order import COLUMNS, NeededOrder
from wordorder.analyse.source_order import SourceOrder, anticipation_curve
from wordorder.draw import Scene, Series, line_chart
from wordorder.draw.anticipation import bars
from wordorder.engine.compare import Result
from wordorder.metrics.matched import labels
from wordorder.report.system_table import SystemTable, pairs_table, scores_table
from wordorder.report.table import Table, write_table, write_tables

NEEDED_NOTES = (
    "found, needed: share of the pairs of source words that are inverted; excess: found - needed",
    "precision: share of the inversions found that are needed; recall: share of those needed that are found",
)


def system_table(found: SourceOrder, *, p_values: bool = False) -> SystemTable:
    """Return the scores of all translations as the table that all scored systems have."""
    return SystemTable(
        systems=found.systems,
        metrics=found.metrics,
        comparison=found.comparison,
        references=0,
        against="source",
        samples=found.settings.samples,
        seed=found.settings.seed,
        paired=found.settings.paired,
        baseline=found.settings.baseline,
        p_values=p_values,
        notes=found.texts.notes,
    )


def source_order_report(found: SourceOrder, table: SystemTable, form: str) -> bytes:
    """Write all tables in one of the formats; JSON is one object."""
    scores, others = scores_table(table, form), list(further_tables(found))
    if form == "json":
        facts = {each.name: each.records for each in others}
        joined = Table(name=scores.name, records=scores.records, facts={**scores.facts, **facts})
        return write_table(joined, form)
    if table.comparison.pairs:
        others.insert(0, pairs_table(table))
    if form == "tsv":
        return write_table(Table(records=[*scores.records, *_flat(found, others)]), form)
    return write_tables([scores, *others], form)


def further_tables(found: SourceOrder) -> Iterator[Table]:
    """Yield the tables of the anticipation curve and of what is needed, as far as there are any."""
    if found.curves:
        yield curve_table(found)
    if found.needed:
        yield needed_table(found.needed)


def curve_table(found: SourceOrder) -> Table:
    """Return the share of words to be guessed, by system and lag."""
    rows, records = [], []
    curve = anticipation_curve(list(found.metrics.values()))
    names, signatures = labels(curve), [metric.signature_for(0) for metric in curve]
    for name, points in found.curves.items():
        rows.append([name, *(f"{point.score:.3f}" for point in points)])
        if points[0].interval:
            rows.append(["", *(_interval(point) for point in points)])
        for lag, label, point, signature in zip(found.lags, names, points, signatures, strict=True):
            records.append(
                {
                    "system": name,
                    "metric": label,
                    "k": lag,
                    **point.as_dict(),
                    "segments": found.systems[0].segments,
                    "signature": signature,
                }
            )
    return Table(
        title="anticipation: share of words that must be guessed k words behind the speaker",
        head=["k", *map(str, found.lags)],
        rows=rows,
        records=records,
        name="anticipation",
    )


def needed_table(needs: Sequence[NeededOrder]) -> Table:
    """Return how the order of translations compares with what the language pair needs."""
    rows, records = [], []
    for need in needs:
        for name, results, sentences in zip(need.systems, need.results, need.sentences, strict=True):
            rows.append([name, need.standard, f"{sentences:,}", *map(_cell, results)])
            values: dict[str, Any] = {}
            for column, result in zip(COLUMNS, results, strict=True):
                around = result.interval if result else None
                values[column] = result.score if result else None
                values[f"{column}_low"] = around.low if around else None
                values[f"{column}_high"] = around.high if around else None
            records.append({"system": name, "standard": need.standard, "sentences": sentences, **values})
    return Table(
        title="needed: reordering of the source, against translations by people and models",
        head=["", "standard", "sentences", *COLUMNS],
        rows=rows,
        records=records,
        notes=NEEDED_NOTES,
        name="needed",
        left=2,
    )


def curve_chart(found: SourceOrder) -> Scene:
    """Draw the share of words to be guessed by lag, one line per system, with 95 % intervals as bands."""
    series = []
    for name, points in found.curves.items():
        scores = [point.score for point in points]
        around = [point.interval for point in points]
        known = [one for one in around if one]
        bands = len(known) == len(points)
        low = [min(one.low, score) for one, score in zip(known, scores, strict=True)] if bands else None
        high = [max(one.high, score) for one, score in zip(known, scores, strict=True)] if bands else None
        series.append(Series(name, found.lags, scores, low, high))
    return line_chart(
        series,
        x_label="lag k (words behind the speaker)",
        y_label="share of words that must be guessed",
    )


def curve_text(found: SourceOrder) -> str:
    """Write the shares of each system by lag, with bars."""
    return "\n\n".join(
        f"{name}\n{bars([point.score for point in points])}" for name, points in found.curves.items()
    )


def _flat(found: SourceOrder, tables: Sequence[Table]) -> Iterator[dict[str, Any]]:
    """Yield the records of further tables for a single list: those of scores have the same columns."""
    shown = set(found.metrics)
    for table in tables:
        for record in table.records:
            if table.name != "needed":
                if table.name != "anticipation" or record["metric"] not in shown:
                    yield {key: value for key, value in record.items() if key != "k"}
                continue
            for column in COLUMNS:
                yield {
                    "system": record["system"],
                    "against": record["standard"],
                    "metric": column,
                    "score": record[column],
                    "low": record[f"{column}_low"],
                    "high": record[f"{column}_high"],
                    "segments": record["sentences"],
                }


def _interval(point: Result) -> str:
    return f"[{point.interval.low:.3f}, {point.interval.high:.3f}]" if point.interval else ""


def _cell(result: Result | None) -> str:
    if result is None:
        return "-"
    return f"{result.score:.3f} {_interval(result)}".rstrip()
