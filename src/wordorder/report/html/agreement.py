"""The report on the agreement of metrics with people."""

from __future__ import annotations

from collections.abc import Sequence

from wordorder.io.lines import counted
from wordorder.judge.agreement import Agreement
from wordorder.page.document import escape
from wordorder.report.agreement import agreement_tables, signature_lines, wide_table
from wordorder.report.agreement_charts import intervals_chart, scaled_agreement
from wordorder.report.html.page import ReportPage, charts


def agreement_page(results: Sequence[Agreement]) -> bytes:
    """Write the results of some tasks as an HTML page."""
    sets = results[0].sets
    judgments = counted(sum(one.judgments for one in sets), "judgment")
    data = ", ".join(results[0].task.names)
    subtitle = f"{counted(len(results[0].labels), 'metric')} · {counted(len(sets), 'set')} · {judgments}"
    page = ReportPage(f"Agreement with people: {data}", subtitle)
    for result in results:
        level = result.task.level
        whole = wide_table(result, p_values=True)
        tables = list(agreement_tables(result, p_values=True))
        pictures = [intervals_chart(result)]
        if len(result.sets) > 1:
            pictures.append(scaled_agreement(result))
        page.add(
            level,
            f"{level.capitalize()} level",
            f"<p><code>{escape(str(result.task))}</code></p>",
            *(
                page.table(table, file=f"{level}-agreement", json=whole if number == 0 else None)
                for number, table in enumerate(tables)
            ),
            charts(pictures),
        )
    lines = "".join(f"<li><code>{escape(line)}</code></li>" for line in signature_lines(results))
    page.add("signatures", "Signatures", f'<ul class="report-notes">{lines}</ul>')
    return page.write()
