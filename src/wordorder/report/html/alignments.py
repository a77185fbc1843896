"""The report on a file of word alignments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.align.health import Health
from wordorder.core.alignment import Alignment
from wordorder.io.lines import counted
from wordorder.page.document import escape
from wordorder.report.alignment_health import health_tables
from wordorder.report.html.page import ReportPage, flow


@dataclass(frozen=True)
class DrawnPair:
    """A sentence pair of the sample: its line, its words where the texts are given, and its links."""

    line: int
    source: Sequence[str] | None
    target: Sequence[str] | None
    alignment: Alignment

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for the page; words that are not given are named by their numbers."""
        source, target = (
            [str(k + 1) for k in range(size)] if words is None else list(words)
            for words, size in (
                (self.source, self.alignment.source_size),
                (self.target, self.alignment.target_size),
            )
        )
        sure = set(self.alignment.sure)
        links = [[i, j, "sure" if (i, j) in sure else "possible"] for i, j in self.alignment.links]
        return {"line": self.line, "source": source, "target": target, "links": links}


def alignments_page(file: str, report: Health, sample: Sequence[DrawnPair], *, seed: int) -> bytes:
    """Write the statistics, flags and a drawn sample of a file of alignments as an HTML page."""
    page = ReportPage(
        f"Alignments of {file}", f"{counted(report.sentences, 'sentence')} · {counted(report.links, 'link')}"
    )
    figures, *histograms = health_tables(report, merged=False)
    page.add("health", "Health", flag_list(report), page.table(figures, file="figures"))
    page.add("histograms", "Histograms", flow(page.histogram(table) for table in histograms))
    drawn = f"{counted(len(sample), 'sentence')}, drawn at random with seed {seed}."
    about = f"{drawn} Point at a word to follow its links."
    page.add("sample", "Sample", '<div id="sample-view"></div>', about=about)
    return page.write(["sample.js"], data={"sample": [pair.as_dict() for pair in sample]})


def flag_list(report: Health) -> str:
    """Return what looks wrong as markup."""
    if not report.flags:
        return "<p>Nothing looks wrong.</p>"
    lines = "".join(f'<li class="report-flag">{escape(flag)}</li>' for flag in report.flags)
    return f'<ul class="report-flags">{lines}</ul>'
