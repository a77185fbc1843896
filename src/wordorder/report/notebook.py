"""What notebooks show for tables, comparisons and evaluations."""

from __future__ import annotations

from collections.abc import Sequence

from wordorder.analyse.source_order import SourceOrder
from wordorder.core.displayed import Bundle, display
from wordorder.draw.notebook import page
from wordorder.draw.svg import escape, to_svg
from wordorder.engine.compare import Comparison, Result
from wordorder.evaluate.evaluation import Evaluation
from wordorder.judge.agreement import Agreement
from wordorder.judge.stress import Stress
from wordorder.report.agreement import agreement_tables
from wordorder.report.evaluation import EvaluationReport
from wordorder.report.source_order import curve_chart, further_tables, system_table
from wordorder.report.stress import stress_tables
from wordorder.report.system_table import scores_table
from wordorder.report.table import Table, stars

MOST_ROWS = 200  # of a table; more are counted


def table_html(table: Table) -> str:
    """Write a table as HTML, with its title and notes.

    >>> table_html(Table(head=["", "a"], rows=[["<x>", "1"]])).partition("<tbody>")[2][:29]
    '<tr><td style="text-align:lef'
    """

    def row(cells: Sequence[str], tag: str) -> str:
        sides = ("left" if c < table.left else "right" for c in range(len(cells)))
        texts = zip(cells, sides, strict=True)
        return "".join(f'<{tag} style="text-align:{side}">{escape(cell)}</{tag}>' for cell, side in texts)

    body = "".join(f"<tr>{row(cells, 'td')}</tr>" for cells in table.rows[:MOST_ROWS])
    head = f"<thead><tr>{row(table.head, 'th')}</tr></thead>"
    title = f"<p><b>{escape(table.title)}</b></p>" if table.title else ""  # captions are narrow
    rest = len(table.rows) - MOST_ROWS
    notes = [f"and {rest:,} more rows"] if rest > 0 else []
    below = "".join(f"<p>{escape(note)}</p>" for note in (*notes, *table.notes))
    return f"{title}<table>{head}<tbody>{body}</tbody></table>{below}"


def comparison_table(comparison: Comparison) -> Table:
    """Make a table of the results of a comparison; systems and metrics are numbered."""

    def cell(result: Result) -> str:
        around = f" [{result.interval.low:.3f}, {result.interval.high:.3f}]" if result.interval else ""
        mark = stars(result.p_value, better=(result.difference or 0) > 0)
        return f"{result.score:.3f}{around} {mark}".rstrip()

    width = max((len(results) for results in comparison.results), default=0)
    head = ["", *(f"metric {m + 1}" for m in range(width))]
    rows = [[f"system {s + 1}", *map(cell, row)] for s, row in enumerate(comparison.results)]
    return Table(head=head, rows=rows)


@display.register
def _table(value: Table) -> Bundle:
    return page(table_html(value))


@display.register
def _source_order(value: SourceOrder) -> Bundle:
    chart = [to_svg(curve_chart(value))] if value.curves else []
    return page(*map(table_html, [scores_table(system_table(value), "text"), *further_tables(value)]), *chart)


@display.register
def _comparison(value: Comparison) -> Bundle:
    return page(table_html(comparison_table(value)))


@display.register
def _evaluation(value: Evaluation) -> Bundle:
    return page(*map(table_html, EvaluationReport(value).tables()))


@display.register
def _agreement(value: Agreement) -> Bundle:
    return page(*map(table_html, agreement_tables(value)))


@display.register
def _stress(value: Stress) -> Bundle:
    return page(*map(table_html, stress_tables(value)))
