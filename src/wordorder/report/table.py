"""Tables: one model, written as text, TSV, JSON, Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from wordorder.core.displayed import Displayed
from wordorder.draw.labels import visible
from wordorder.draw.latex import escape_latex
from wordorder.engine.compare import THRESHOLDS

Form = Literal["text", "tsv", "json", "markdown", "latex"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table(Displayed):
    """A table for people, and the records behind it for programs.

    ``head`` and ``rows`` are what text, Markdown and LaTeX show. ``records`` hold the same results in
    full precision, one mapping per row of a TSV file and per entry of the JSON list ``name``.
    ``facts`` describe the table as a whole (test, threshold, baseline, seed); ``notes`` say the same
    in words, below the table. The first ``left`` columns are aligned to the left. Without a head, there
    are only notes.
    """

    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    records: Sequence[Mapping[str, Any]] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: Sequence[str] = ()
    title: str = ""
    name: str = "rows"
    left: int = 1


def write_table(table: Table, form: Form | str) -> bytes:
    r"""Write one table in one of the formats.

    >>> table = Table(head=["", "kendall"], rows=[["a", "0.50"]], records=[{"system": "a", "kendall": 0.5}])
    >>> write_table(table, "tsv")
    b'system\tkendall\na\t0.5\n'
    """
    return write_tables([table], form)


def write_tables(tables: Sequence[Table], form: Form | str) -> bytes:
    """Write several tables one after the other; JSON is one object for one table, else a list."""
    if form == "json":
        data = [{**table.facts, table.name: list(table.records)} for table in tables]
        return write_json(data[0] if len(data) == 1 else data)
    writers = {"text": _text, "tsv": _tsv, "markdown": _markdown, "latex": _latex}
    return "\n".join(writers[form](table) for table in tables).encode("utf-8")


def write_json(data: Any) -> bytes:
    """Write plain data, arrays and dataclasses as indented JSON."""
    import orjson

    return orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY) + b"\n"


def text_table(rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Align columns; the first ``left`` to the left, the others to the right. Each row is one line.

    >>> print(text_table([["metric", "score"], ["kendall", "0.5"]]), end="")
    metric   score
    kendall    0.5
    """
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if c < left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)


def stars(p_value: float | None, *, better: bool) -> str:
    """Mark a significant difference from the baseline: ``+**`` is better with p < 0.01.

    >>> stars(0.03, better=True), stars(0.001, better=False), stars(0.2, better=True)
    ('+*', '-**', '')
    """
    reached = [mark for mark, limit in THRESHOLDS.items() if p_value is not None and p_value < limit]
    return ("+" if better else "-") + reached[-1] if reached else ""


STARS = ", ".join(f"{mark} p < {limit}" for mark, limit in THRESHOLDS.items())


def _text(table: Table) -> str:
    title = [f"{table.title}\n"] if table.title else []
    body = text_table([table.head, *table.rows], left=table.left) if table.head else ""
    return "".join([*title, body, *(f"{note}\n" for note in table.notes)])


def _tsv(table: Table) -> str:
    keys = list(dict.fromkeys(key for record in table.records for key in record))
    lines = [keys, *([_plain(record.get(key)) for key in keys] for record in table.records)]
    return "".join("\t".join(line) + "\n" for line in lines)


def _plain(value: Any) -> str:
    """Write a value for TSV: nothing for None, numbers in full, JSON for tables within tables."""
    if value is None:
        return ""
    if isinstance(value, list | tuple) and all(isinstance(item, str | int) for item in value):
        value = " ".join(map(str, value))
    elif isinstance(value, list | tuple | dict):
        import orjson

        value = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    text = repr(float(value)) if isinstance(value, float) else str(value)
    return re.sub(r"[\t\r\n]", " ", text)


def _markdown(table: Table) -> str:
    def line(cells: Sequence[str]) -> str:
        texts = (visible(cell).replace("|", "\\|").replace("*", "\\*") for cell in cells)
        return "| " + " | ".join(texts) + " |\n"

    rule = "|" + "|".join("---" if c < table.left else "---:" for c in range(len(table.head))) + "|\n"
    title = [f"**{table.title}**\n\n"] if table.title else []
    body = [line(table.head), rule, *(line(row) for row in table.rows)] if table.head else []
    notes = [
        f"{'' if n else chr(10)}{note.replace('*', chr(92) + '*')}  \n" for n, note in enumerate(table.notes)
    ]
    return "".join([*title, *body, *notes])


def _latex(table: Table) -> str:
    columns = "".join("l" if c < table.left else "r" for c in range(len(table.head)))
    lines = [
        *(f"% {line}" for note in [table.title, *table.notes] for line in note.splitlines()),
    ]
    if not table.head:
        return "\n".join(lines) + "\n"
    lines += [
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(latex_text(cell) for cell in table.head) + r" \\",
        r"\midrule",
        *(" & ".join(latex_text(cell) for cell in row) + r" \\" for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    r"""Escape text so that LaTeX prints it as it is; stars of significance become superscripts.

    A ``[`` at the beginning would be taken for an option of the ``\\`` before it.

    >>> print(latex_text(r"[a]_^\~"), latex_text("0.51 +**"))
    {[}a]\_\textasciicircum{}\textbackslash{}\textasciitilde{} 0.51$^{+**}$
    """
    marked = re.fullmatch(r"(.*?) ?([+-]\*{1,2})", text)
    text, marks = marked.groups() if marked else (text, "")
    text = escape_latex(text)
    text = "{[}" + text[1:] if text.startswith("[") else text
    return text + (f"$^{{{marks}}}$" if marks else "")
