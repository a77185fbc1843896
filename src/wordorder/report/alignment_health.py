"""Tables of the statistics of a file of alignments."""

from __future__ import annotations

from wordorder.align.health import Health
from wordorder.report.table import Table


def health_tables(report: Health, *, merged: bool) -> list[Table]:
    """Return the figures, and a table for each histogram; ``merged``: all of them as one table."""
    figures: list[tuple[str, float, str]] = [
        ("sentences", report.sentences, f"{report.sentences:,}"),
        ("sentences without a link", report.empty, f"{report.empty:,}"),
        ("links", report.links, f"{report.links:,}"),
        ("crossings", report.crossings, f"{report.crossings:,}"),
        ("crossings per sentence", report.crossings_per_sentence, f"{report.crossings_per_sentence:.2f}"),
        ("pairs of links in order (Kendall)", report.kendall, f"{report.kendall:.3f}"),
        ("sentences without a crossing", report.monotone, f"{100 * report.monotone:.1f} %"),
        ("links within a word of the diagonal", report.on_diagonal, f"{100 * report.on_diagonal:.1f} %"),
    ]
    for name, side in (("source", report.source), ("target", report.target)):
        figures += [
            (f"{name} words", side.words, f"{side.words:,}"),
            (f"{name} words without a link", side.unaligned, f"{100 * side.unaligned:.1f} %"),
            (f"most links of a {name} word", side.widest, f"{side.widest} (line {side.widest_sentence})"),
        ]
    records = [{"figure": name, "value": value} for name, value, _ in figures]
    tables = []
    known = "" if report.sizes_known else " (up to the last link: the texts are not given)"
    for title, unit, histogram in (
        (f"Links of a source word{known}", "links", report.source.links_per_word),
        (f"Links of a target word{known}", "links", report.target.links_per_word),
        ("Longer side of a block (minimal phrase pair)", "words", report.block_sizes),
        ("Longest operator of the tree over a sentence's blocks", "children", report.operators),
        ("Distance of a link from the diagonal", "words", report.distances),
    ):
        whole = sum(histogram.values()) or 1
        bars = [[size, f"{count:,}", f"{100 * count / whole:.1f} %"] for size, count in histogram.items()]
        records += [{"figure": f"{title}: {size}", "value": count} for size, count in histogram.items()]
        tables.append(Table(head=[unit, "count", "share"], rows=bars, title=title))
    rows = [[name, text] for name, _, text in figures]
    whole_table = Table(
        head=["figure", "value"], rows=rows, records=records, notes=report.flags if merged else ()
    )
    return [whole_table] if merged else [whole_table, *tables]
