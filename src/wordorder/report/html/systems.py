"""The report on scored systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.analyse.buckets import Bucket, Property, TestSettings, compare_buckets, properties
from wordorder.analyse.misordered import compare_tags, misordered_words
from wordorder.analyse.ngrams import KeptNgram, kept_ngrams
from wordorder.analyse.sentences import ComparedSentences
from wordorder.arrays import Doubles
from wordorder.draw.dots import Dot, dot_chart
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.page.document import escape
from wordorder.report.html.page import ReportPage, charts
from wordorder.report.system_table import SystemTable, decimals_of, pairs_table, scores_table
from wordorder.report.table import STARS, Table, stars

BLOCK = 250  # sentences that are parsed together when one of them is shown
IN_ORDER = "words in order"  # the score of parts of speech


@dataclass(frozen=True)
class SystemReport:
    """What the report on scored systems shows."""

    table: SystemTable
    sentences: ComparedSentences
    files: Mapping[str, str]  # by what they hold
    tags: Sequence[Sequence[str]] | None = None  # parts of speech of the words of the references
    alignment_tables: Mapping[str, Sequence[Table]] | None = None  # health of given alignments, by system

    def write(self) -> bytes:
        """Write the report as an HTML page."""
        systems = [system.name for system in self.table.systems]
        count = counted(len(self.sentences), "segment")
        title = "Word order of " + (", ".join(systems) if len(systems) < 5 else f"{len(systems)} systems")
        page = ReportPage(title, f"{count} · {', '.join(self.table.metrics)}")
        self._summary(page)
        page.add("distributions", "Distributions", '<div id="distribution-view"></div>')
        if len(systems) > 1:
            page.add("scatter", "Two systems, sentence by sentence", '<div id="scatter-view"></div>')
        self._buckets(page)
        page.add("ngrams", "Words and n-grams", '<div id="ngram-view"></div>', about=_NGRAMS)
        page.add("misordered", "Misordered words", '<div id="misordered-view"></div>', about=_MISORDERED)
        page.add("sentences", "Sentences", '<div id="sentence-view"></div>', about=_SENTENCES)
        for name, tables in (self.alignment_tables or {}).items():
            parts = [page.table(table, file="alignments") for table in tables]
            page.add(f"alignments-{len(page.sections)}", f"Alignments of {name}", *parts)
        self._signatures(page)
        return page.write(["charts.js", "sentences.js", "systems.js"], data=dict(self._data()))

    # ----- static parts

    def _summary(self, page: ReportPage) -> None:
        table = self.table
        parts = [page.table(scores_table(table, "text"), file="scores", json=scores_table(table, "json"))]
        if len(table.systems) > 1:
            parts.append(charts(self._score_charts()))
        if table.comparison.pairs:
            parts.append(page.table(pairs_table(table), file="pairs"))
        page.add("summary", "Summary", *parts)

    def _score_charts(self) -> Iterator[str]:
        for number, (label, metric) in enumerate(self.table.metrics.items()):
            dots = []
            for system, results in zip(self.table.systems, self.table.comparison.results, strict=True):
                around = results[number].interval
                low, high = (around.low, around.high) if around else (None, None)
                dots.append(Dot(system.name, results[number].score, low, high))
            yield dot_chart(dots, x_label=label + ("" if metric.higher_is_better else ", lower is better"))

    def _buckets(self, page: ReportPage) -> None:
        table, sentences = self.table, self.sentences
        settings = TestSettings(table.samples, table.seed, table.paired, table.baseline)
        rows = [system.rows for system in sentences.systems]
        scorers = [metric.scores for metric in table.metrics.values()]
        parts, names = [], []
        digits = decimals_of(table)
        for kind in properties(sentences):
            buckets = compare_buckets(rows, scorers, kind.members, settings)
            names.append(kind.name)
            for number, (label, metric) in enumerate(table.metrics.items()):
                shown = self._bucket_table(buckets, number, label, metric, digits[number], kind)
                parts.append(self._choice(page, kind.name, label, shown, buckets, number))
        if self.tags is not None:
            kind_name, about = "part of speech", "part of speech of the words of the reference"
            buckets = compare_tags(sentences, self.tags, settings)
            names.append(kind_name)
            kind = Property(kind_name, np.zeros(0), (), about)
            shown = self._bucket_table(buckets, 0, IN_ORDER, None, 3, kind)
            parts.append(self._choice(page, kind_name, IN_ORDER, shown, buckets, 0))
        page.data["buckets"] = {"properties": names, "metrics": list(table.metrics), "tagged": IN_ORDER}
        page.add("buckets", "Buckets", '<div id="bucket-view"></div>', *parts, about=_BUCKETS)

    def _choice(
        self, page: ReportPage, kind: str, label: str, table: Table, buckets: Sequence[Bucket], number: int
    ) -> str:
        """Return a table and a chart that are shown if their property and metric are chosen."""
        dots = []
        for bucket in buckets:
            for system, results in zip(self.table.systems, bucket.results, strict=True):
                around = results[number].interval
                low, high = (around.low, around.high) if around else (None, None)
                group = f"{bucket.label} ({bucket.segments:,})"
                dots.append(Dot(system.name, results[number].score, low, high, group=group))
        return (
            f'<div class="bucket" hidden data-property="{escape(kind)}" data-metric="{escape(label)}">'
            f"{page.table(table, file='buckets')}{charts([dot_chart(dots, x_label=label)])}</div>"
        )

    def _bucket_table(
        self, buckets: Sequence[Bucket], number: int, label: str, metric: Metric | None, digits: int, kind: Property
    ) -> Table:
        systems = [system.name for system in self.table.systems]
        higher = metric is None or metric.higher_is_better
        rows, records = [], []
        for bucket in buckets:
            cells = []
            for k, name in enumerate(systems):
                result, corrected = bucket.results[k][number], bucket.corrected[k][number]
                better = ((result.difference or 0.0) > 0) == higher
                p = f" p={corrected:.3f}" if corrected is not None else ""
                around = result.interval
                interval = f" [{around.low:.{digits}f}, {around.high:.{digits}f}]" if around else ""
                cells.append(f"{result.score:.{digits}f}{interval}{p} {stars(corrected, better=better)}".rstrip())
                records.append(
                    {
                        kind.name: bucket.label,
                        "segments": bucket.segments,
                        "system": name,
                        "metric": label,
                        **result.as_dict(),
                        "p_corrected": corrected,
                    }
                )
            rows.append([bucket.label, f"{bucket.segments:,}", *cells])
        notes = [f"buckets by {kind.about}"]
        if len(systems) > 1 and self.table.paired:
            notes.append(
                f"+ better, - worse than {systems[self.table.baseline]}: {STARS}, corrected by Holm's method "
                f"for the number of buckets (paired {self.table.paired}, {self.table.samples} samples, "
                f"seed {self.table.seed})"
            )
        head = [kind.name, "segments", *systems]
        title = f"{label} by {kind.name}"
        return Table(title=title, head=head, rows=rows, records=records, notes=notes, name="buckets")

    def _signatures(self, page: ReportPage) -> None:
        references = self.table.references
        lines = [
            f"<dt>{escape(label)}</dt><dd><code>{escape(metric.signature_for(references))}</code></dd>"
            for label, metric in self.table.metrics.items()
        ]
        files = [f"<dt>{escape(what)}</dt><dd><code>{escape(path)}</code></dd>" for what, path in self.files.items()]
        page.add(
            "signatures", "Signatures and files",
            f"<dl class='report-list'>{''.join(lines)}</dl><dl class='report-list'>{''.join(files)}</dl>",
            about="A signature names everything that can change a score. Quote it with the score.",
        )  # fmt: skip

    # ----- data of the interactive parts

    def _data(self) -> Iterator[tuple[str, Any]]:
        sentences, table = self.sentences, self.table
        yield "report", {
            "systems": [system.name for system in table.systems],
            "baseline": table.baseline,
            "count": len(sentences),
            "block": BLOCK,
            "spaced": sentences.matching is None or sentences.matching.tokenize not in ("zh", "ja-mecab", "char"),
            "references": table.references,
            "given": sentences.matching is None,
            "metrics": [
                {
                    "label": label,
                    "higher": metric.higher_is_better,
                    "best": metric.best if np.isfinite(metric.best) else None,
                    "range": [None if not np.isfinite(value) else value for value in metric.range],
                    "decimals": digits,
                    "about": (type(metric).__doc__ or "").strip().split("\n")[0],
                    "equation": metric.equation,
                    "signature": metric.signature_for(table.references, segment=True),
                }
                for (label, metric), digits in zip(table.metrics.items(), decimals_of(table), strict=True)
            ],
        }
        yield "numbers", {
            "number": sentences.numbers,
            "length": sentences.reference_lengths,
            "matched": [_rounded(sentences.matched_shares(k), 4) for k in range(len(sentences.systems))],
            "scores": [[_rounded(own, 5) for own in system.scores] for system in sentences.systems],
        }
        yield "terms", [
            [
                {name: _rounded(values, 4) for name, values in sentences.terms(k, label).items()}
                for label in sentences.metrics
            ]
            for k in range(len(sentences.systems))
        ]
        yield "ngrams", [_plain(one) for one in kept_ngrams(sentences)]
        yield "misordered", [
            [[g.name, g.count, round(g.wrong, 4), round(g.jumps, 4), round(g.share, 4)] for g in groups]
            for groups in map(misordered_words, sentences.systems)
        ]
        for block, begin in enumerate(range(0, len(sentences), BLOCK)):
            yield f"sentences-{block}", [
                self._sentence(s) for s in range(begin, min(begin + BLOCK, len(sentences)))
            ]

    def _sentence(self, s: int) -> list[Any]:
        """Return the words of a segment: of the reference and of each system, with partners."""
        sentences = self.sentences
        row: list[Any] = [
            " ".join(sentences.reference[s]),
            [[" ".join(system.words[s]), system.partners[s]] for system in sentences.systems],
            sentences.chosen[s],
        ]
        if sentences.source is not None and sentences.aligned is not None:
            texts = [sentences.aligned, *(one.aligned for one in sentences.systems if one.aligned)]
            row += [" ".join(sentences.source[s]), [[" ".join(t.words[s]), t.links[s]] for t in texts]]
        return row


_BUCKETS = (
    "Scores on segments of one kind. A difference that holds on the whole corpus may come from some kinds of "
    "segments only."
)
_NGRAMS = (
    "N-grams of the reference that systems keep: all their words are matched, next to each other and in order. "
    "An n-gram of one word is kept if the word is matched."
)
_MISORDERED = (
    "Matched words by their form. Wrong: mean share of the other matched words that stand on the wrong side of "
    "the word. Jumps: share of occurrences that do not follow the word that they follow in the reference. "
    "Share: part of all errors."
)
_SENTENCES = "Sort by any column, search for words, add filters. A row opens with pictures and formulas."


def _plain(ngram: KeptNgram) -> list[Any]:
    return [" ".join(ngram.words), len(ngram.words), ngram.count, *ngram.kept, list(ngram.examples)]


def _rounded(values: Doubles, digits: int) -> list[float | int | None]:
    """Round numbers for the page; whole ones are written without a point."""
    return [
        None if value != value else int(value) if value == int(value) else value
        for value in np.round(values, digits).tolist()
    ]
