"""Tables of errors in reordered sentences, and of parsers that lead to different orders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from wordorder.evaluate.errors import ErrorAnalysis
from wordorder.evaluate.operators import BROKEN
from wordorder.evaluate.parsers import ParserComparison
from wordorder.io.lines import counted
from wordorder.report.table import Table

WORST = "worst"  # the name of the table of the worst sentences
MOST = 15  # rows of a table; JSON has all
USUAL = ("⟨1,2⟩", "⟨2,1⟩", "⟨2,4,1,3⟩", "⟨3,1,4,2⟩")  # operators with a row and a column of their own


def error_tables(analysis: ErrorAnalysis) -> Iterator[Table]:
    """Yield the tables of one system."""
    title = f"errors of {analysis.system}"
    for name, groups in analysis.groups.items():
        rows = [
            [group.name, f"{group.count:,}", f"{group.wrong:.3f}", f"{group.jumps:.3f}", f"{group.share:.3f}"]
            for group in groups[:MOST]
        ]
        if rows:
            head = [name, "count", "wrong", "jumps", "share"]
            yield Table(title=f"{title}, by {name}", head=head, rows=rows, notes=_more(groups))
    if analysis.rules:
        yield _rules(analysis)
    yield _operators(analysis)
    yield _worst(analysis)


def _more(rows: Sequence[object]) -> list[str]:
    """Say that a table goes on, if it does."""
    return [f"({MOST} of {len(rows):,}; JSON has all)"] if len(rows) > MOST else []


def _rules(analysis: ErrorAnalysis) -> Table:
    rows = []
    for effect in analysis.rules or ():
        rows.append(
            [
                effect.name,
                ", ".join(f"{label} {count}" for label, count in effect.relations[:4]),
                f"{effect.fired:,}",
                f"{effect.moved:,}",
                f"{effect.gain:+.4f}",
                str(effect.better),
                str(effect.worse),
                f"{effect.gained:.2f}",
                f"{effect.harmed:.2f}",
                "" if effect.p_value is None else f"{effect.p_value:.4f}",
            ]
        )
    gain = f"gain in {analysis.metric}"
    return Table(
        title=f"errors of {analysis.system}, by rule",
        head=["rule", "moves", "fired", "moved", gain, "better", "worse", "gained", "harmed", "p"],
        rows=rows,
        left=2,
    )


def _operators(analysis: ErrorAnalysis) -> Table:
    """Make the table of operators of the reference (rows) and of the system (columns)."""
    present = {name for row in analysis.operators for name in (row.reference, row.system)}
    usual = [name for name in USUAL if name in present]
    columns = [*usual, "longer", BROKEN]

    def column(name: str) -> str:
        return name if name in columns else "longer"

    counts: Counter[tuple[str, str]] = Counter()
    for row in analysis.operators:
        counts[column(row.reference), column(row.system)] += row.count
    return Table(
        title=f"errors of {analysis.system}, by operator",
        head=["operator of reference / system", *columns],
        rows=[[name, *(f"{counts[name, other]:,}" for other in columns)] for name in [*usual, "longer"]],
    )


def _worst(analysis: ErrorAnalysis) -> Table:
    rows = []
    for sentence in analysis.worst:
        rows += [
            [str(sentence.number), f"{sentence.score:.4f}", "source", sentence.source],
            ["", "", "reference", sentence.reference],
            ["", "", "system", sentence.system],
            *(["", "", "moved by", text] for text in sentence.rules),
        ]
    return Table(
        title=f"errors of {analysis.system}: worst sentences by {analysis.metric}",
        head=["number", "score", "", ""],
        rows=rows,
        name=WORST,
        left=4,
    )


def parser_tables(comparison: ParserComparison) -> Iterator[Table]:
    """Yield the tables of two parsers: arcs that matter, and the sentences with the largest changes."""
    first, second = comparison.parsers
    change = "mean change" + ("" if comparison.higher_is_better else " ↓")
    yield Table(
        title=f"parsers {first} and {second}: {comparison.unlabelled:.1%} of the heads agree,"
        f" {comparison.labelled:.1%} with their relation; {second} orders"
        f" {counted(comparison.better, 'sentence')} better, {comparison.worse:,} worse",
        head=[f"relation by {first}", f"by {second}", "sentences", change],
        rows=[[*kind.relations, str(kind.count), f"{kind.change:+.4f}"] for kind in comparison.arcs[:MOST]],
        notes=_more(comparison.arcs),
        left=2,
    )
    rows = []
    for sentence in comparison.disagreements[:MOST]:
        arcs = "; ".join(map(str, sentence.arcs[:6])) + (" ..." if len(sentence.arcs) > 6 else "")
        rows.append([str(sentence.number), *(f"{score:.4f}" for score in sentence.scores), arcs])
    if rows:
        yield Table(
            title=f"sentences that {first} and {second} order differently",
            head=["number", first, second, "arcs"],
            rows=rows,
            notes=_more(comparison.disagreements),
            left=4,
        )
