"""The frame of all reports: heading, sections with a table of contents, tables that can be saved, charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from wordorder._version import __version__
from wordorder.page.document import asset, document, escape
from wordorder.report.table import Table, write_table

SAVED = {"tsv": "TSV", "json": "JSON", "latex": "LaTeX"}
_ASSETS = "wordorder.report.html"
_LOWER_PARTS = re.compile(r"(\[[^\]]*\]|p=[0-9.]+)")  # intervals and p-values


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

    def table(self, table: Table, *, file: str = "table", json: Table | None = None) -> str:
        """Return the markup of a table with its notes, and buttons that save it; JSON may have its own records."""
        key = f"{file}-{len(self.saved) + 1}"
        whole = with_records(table)
        self.saved[key] = {
            form: write_table((json or whole) if form == "json" else whole, form).decode("utf-8") for form in SAVED
        }
        caption = f"<figcaption>{escape(table.title)}</figcaption>" if table.title else ""
        return (
            f'<figure class="report-table">{caption}<div class="report-scroll" tabindex="0" role="region" '
            f'aria-label="{escape(table.title or key)}"><table><thead>{_row(table.head, "th", table)}</thead>'
            f"<tbody>{''.join(_row(row, 'td', table) for row in table.rows)}</tbody></table></div>"
            f"{_save_buttons(key)}{notes(table.notes)}</figure>"
        )

    def write(self, scripts: Iterable[str] = (), *, data: Mapping[str, Any] | None = None) -> bytes:
        """Write the document; ``scripts`` are names of assets of reports, beyond those of all of them."""
        links = "".join(f'<li><a href="#{s.anchor}">{escape(s.title)}</a></li>' for s in self.sections)
        body = [
            '<a class="report-skip" href="#main">Skip to the content</a>',
            f'<header class="report-head"><h1>{escape(self.title)}</h1><p>{escape(self.subtitle)}</p></header>',
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


def notes(lines: Sequence[str]) -> str:
    """Return the notes of a table as markup."""
    if not lines:
        return ""
    return f'<ul class="report-notes">{"".join(f"<li>{escape(line)}</li>" for line in lines)}</ul>'


def chart(picture: str) -> str:
    """Return a drawing as part of the page; it scrolls where it does not fit."""
    return f'<div class="report-chart" tabindex="0" role="region" aria-label="Chart">{picture}</div>'


def charts(pictures: Iterable[str]) -> str:
    """Return several drawings, side by side where there is room."""
    return f'<div class="report-charts">{"".join(map(chart, pictures))}</div>'


def _section(section: Section) -> str:
    about = f'<p class="wo-quiet">{escape(section.about)}</p>' if section.about else ""
    return (
        f'<section id="{section.anchor}" aria-labelledby="{section.anchor}-title">'
        f'<h2 id="{section.anchor}-title">{escape(section.title)}</h2>{about}{section.body}</section>'
    )


def _row(cells: Sequence[str], tag: str, table: Table) -> str:
    made = []
    for column, cell in enumerate(cells):
        # A cell such as "0.91 [0.90, 0.92] +**" is a number, wherever its text is aligned elsewhere.
        number = column >= table.left or bool(re.match(r"[-+−]?\d", cell)) or (tag == "th" and column > 0)
        scope = ' scope="col"' if tag == "th" and cell else ""
        kind = ("td" if tag == "th" and not cell else tag)
        text = _LOWER_PARTS.sub(r'<span class="report-quiet">\1</span>', escape(cell))
        made.append(f'<{kind}{scope} class="{"wo-number" if number else "wo-text"}">{text}</{kind}>')
    return f"<tr>{''.join(made)}</tr>"


def _save_buttons(key: str) -> str:
    buttons = "".join(
        f'<button type="button" data-save="{escape(key)}" data-form="{form}">{name}</button>'
        for form, name in SAVED.items()
    )
    return f'<p class="report-save">Save as {buttons}</p>'
