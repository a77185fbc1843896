"""The frame of all reports: heading, sections with a table of contents, tables that can be saved, charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wordorder._version import __version__
from wordorder.draw import Scene, to_svg
from wordorder.page.document import asset, document, escape
from wordorder.report.table import Table, write_table

SAVED = {"tsv": "TSV", "json": "JSON", "latex": "LaTeX"}
_ASSETS = "wordorder.report.html"
_NUMBER = re.compile(r"[-+−]?\d|[-+−]?\.\d|\[|–$")
_RESULT = re.compile(  # such as "0.91 [0.90, 0.92] p=0.003 +**" or "0.91 +** (p=0.003)"
    r"(?P<value>[-+−]?[\d.,]+)(?: (?P<interval>\[[^\]]*\]))?"
    r"(?: (?P<mark>[-+]\*{1,2})(?= \())?(?: \(?(?P<p>p=[\d.]+)\)?)?(?: (?P<last>[-+]\*{1,2}))?"
)


@dataclass(frozen=True)
class Section:
    """A part of a report; ``body`` is markup."""

    anchor: str
    title: str
    body: str
    about: str = ""


@dataclass
class ReportPage:
    """A report that is put together section by section.

    Tables register what their buttons save; scripts read it as ``wo.data("saved")``.
    """

    title: str
    subtitle: str = ""
    sections: list[Section] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    saved: dict[str, dict[str, str]] = field(default_factory=dict)

    def add(self, anchor: str, title: str, *parts: str, about: str = "") -> None:
        """Add a section made of some markup."""
        self.sections.append(Section(anchor, title, "\n".join(parts), about))

    def table(
        self,
        table: Table,
        *,
        file: str = "table",
        json: Table | None = None,
        notes: Sequence[str] | None = None,
    ) -> str:
        """Return the markup of a table with buttons that save it.

        JSON may have records of its own, and the page may show other notes than the files that are saved.
        """
        shown = table.notes if notes is None else notes
        box = f'class="report-scroll" tabindex="0" role="group" aria-label="{escape(table.title or file)}"'
        return (
            f'<figure class="report-table">{_caption(table)}<div {box}>'
            f"<table>{_markup(table)}</table></div>"
            f"{self.save_buttons(table, file=file, json=json)}{note_list(shown)}</figure>"
        )

    def histogram(self, table: Table, *, file: str = "histogram") -> str:
        """Return a table of sizes, counts and shares as bars."""
        counts = [int(count.replace(",", "")) for _, count, _ in table.rows]
        most = max([*counts, 1])
        bars = "".join(
            f'<tr><th scope="row">{escape(size)}</th><td class="report-bar">'
            f'<span style="width:{100 * count / most:.1f}%"></span></td>'
            f'<td class="wo-number">{escape(text)}</td><td class="wo-number">{escape(share)}</td></tr>'
            for (size, text, share), count in zip(table.rows, counts, strict=True)
        )
        head = f'<tr><th scope="col">{escape(table.head[0])}</th><td></td>' + "".join(
            f'<th scope="col" class="wo-number">{escape(name)}</th>' for name in table.head[1:]
        )
        return (
            f'<figure class="report-table report-bars">{_caption(table)}<table><thead>{head}</tr></thead>'
            f"<tbody>{bars}</tbody></table>{self.save_buttons(table, file=file)}</figure>"
        )

    def save_buttons(self, table: Table, *, file: str, json: Table | None = None) -> str:
        """Return buttons that save a table."""
        key = f"{file}-{len(self.saved) + 1}"
        whole = with_records(table)
        chosen = {form: (json or whole) if form == "json" else whole for form in SAVED}
        self.saved[key] = {form: write_table(one, form).decode("utf-8") for form, one in chosen.items()}
        buttons = "".join(
            f'<button type="button" data-save="{escape(key)}" data-form="{form}">{name}</button>'
            for form, name in SAVED.items()
        )
        return f'<p class="report-save">Save as {buttons}</p>'

    def write(self, scripts: Iterable[str] = (), *, data: Mapping[str, Any] | None = None) -> bytes:
        """Write the document; ``scripts`` are names of assets of reports, beyond those of all of them."""
        links = "".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in self.sections)
        body = [
            '<a class="report-skip" href="#main">Skip to the content</a>',
            f'<header class="report-head"><h1>{escape(self.title)}</h1>',
            f"<p>{escape(self.subtitle)}</p></header>",
            f'<nav class="report-nav" aria-label="Sections"><ul>{links}</ul></nav>',
            '<main id="main" class="report-main">',
            *map(_section, self.sections),
            "</main>",
            f'<footer class="report-foot"><p>Made by wordorder {escape(__version__)}.</p></footer>',
        ]
        page = document(
            self.title,
            body="\n".join(body),
            data={"saved": self.saved, **self.data, **(data or {})},
            scripts=[asset(name, _ASSETS) for name in ("report.js", *scripts)],
            styles=[asset("report.css", _ASSETS)],
        )
        return page.encode("utf-8")


def with_records(table: Table) -> Table:
    """Return the table with records, made from its rows where it has none."""
    if table.records:
        return table
    head = [name or f"column {k + 1}" for k, name in enumerate(table.head)]
    return replace(table, records=[dict(zip(head, row, strict=True)) for row in table.rows])


def note_list(lines: Sequence[str]) -> str:
    """Return the notes of a table as markup."""
    if not lines:
        return ""
    return f'<ul class="report-notes">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>'


def flow(tables: Iterable[str]) -> str:
    """Return several small tables, side by side where there is room."""
    return f'<div class="report-flow">{"".join(tables)}</div>'


def chart(picture: Scene) -> str:
    """Return a drawing as part of the page; it scrolls where it does not fit."""
    return f'<div class="report-chart" tabindex="0" role="group" aria-label="Chart">{to_svg(picture)}</div>'


def charts(pictures: Iterable[Scene]) -> str:
    """Return several drawings, side by side where there is room."""
    return f'<div class="report-charts">{"".join(map(chart, pictures))}</div>'


def _section(section: Section) -> str:
    about = f'<p class="wo-quiet">{escape(section.about)}</p>' if section.about else ""
    return (
        f'<section id="{section.anchor}" aria-labelledby="{section.anchor}-title">'
        f'<h2 id="{section.anchor}-title">{escape(section.title)}</h2>{about}{section.body}</section>'
    )


def _markup(table: Table) -> str:
    """Return head and rows; columns of numbers are aligned to the right, whatever text output does."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.head)
    numbers = [
        all(_NUMBER.match(cell) for cell in column if cell) and any(column) and k > 0
        for k, column in enumerate(columns)
    ]
    head = _row(table.head, numbers, "th")
    return f"<thead>{head}</thead><tbody>{''.join(_row(row, numbers, 'td') for row in table.rows)}</tbody>"


def _row(cells: Sequence[str], numbers: Sequence[bool], tag: str) -> str:
    made = []
    for cell, number in zip(cells, numbers, strict=True):
        kind = tag if cell or tag == "td" else "td"  # a head without a name is no head
        scope = ' scope="col"' if kind == "th" else ""
        made.append(f'<{kind}{scope} class="{"wo-number" if number else "wo-text"}">{_cell(cell)}</{kind}>')
    return f"<tr>{''.join(made)}</tr>"


def _cell(text: str) -> str:
    """Put the interval and the p-value of a number below it."""
    found = _RESULT.fullmatch(text)
    if not found or not (found["interval"] or found["p"]):
        return escape(text)
    below = " ".join(part for part in (found["interval"], found["p"]) if part)
    mark = found["mark"] or found["last"]
    mark = f' <span class="report-mark">{escape(mark)}</span>' if mark else ""
    return f'{escape(found["value"])}{mark}<span class="report-quiet">{escape(below)}</span>'


def _caption(table: Table) -> str:
    title = table.title.rpartition("\n\n")[2]  # text output has the task above the title
    return f"<figcaption>{escape(title)}</figcaption>" if title else ""
