"""The report on scored systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wordorder.align.health import Health
from wordorder.analyse.buckets import Bucket, Property, TestSettings, compare_buckets, properties
from wordorder.analyse.misordered import compare_tags, misordered_words
from wordorder.analyse.ngrams import KeptNgram, kept_ngrams
from wordorder.analyse.sentences import ComparedSentences
from wordorder.analyse.source_order import SourceOrder
from wordorder.draw import Dot, Scene, dot_chart
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.page.document import escape
from wordorder.report.alignment_health import health_tables
from wordorder.report.html.alignments import flag_list
from wordorder.report.html.page import ReportPage, charts
from wordorder.report.html.sentence_view import PLACE, SCRIPT, SentenceView, metric_facts
from wordorder.report.source_order import curve_chart, further_tables
from wordorder.report.system_table import SystemTable, decimals_of, pairs_table, scores_table
from wordorder.report.table import STARS, Table, stars

UNSPACED = ("zh", "ja-mecab", "char")  # tokenizers of text without spaces between words
IN_ORDER = "words in order"  # the score of parts of speech


@dataclass(frozen=True)
class SystemReport:
    """What the report on scored systems shows."""

    table: SystemTable
    sentences: ComparedSentences
    files: Mapping[str, str]  # by what they hold
    tags: Sequence[Sequence[str]] | None = None  # parts of speech of the words of the references
    health: Mapping[str, Health] = field(default_factory=dict)  # of given alignments, by text
    found: SourceOrder | None = None  # where the order is compared with that of the source

    def write(self) -> bytes:
        """Write the report as an HTML page."""
        systems = [system.name for system in self.table.systems]
        count = counted(len(self.sentences), "segment")
        title = "Word order of " + (", ".join(systems) if len(systems) < 5 else f"{len(systems)} systems")
        page = ReportPage(title, f"{count} · {', '.join(self.table.metrics)}")
        self._summary(page)
        if self.found is not None:
            self._source_order(page, self.found)
        page.add("distributions", "Distributions", '<div id="distribution-view"></div>')
        if len(systems) > 1:
            page.add("scatter", "Two systems", '<div id="scatter-view"></div>')
        self._buckets(page)
        page.add("ngrams", "Words and n-grams", '<div id="ngram-view"></div>', about=_NGRAMS)
        page.add("misordered", "Misordered words", '<div id="misordered-view"></div>', about=_MISORDERED)
        page.add("sentences", "Sentences", PLACE, about=_SENTENCES)
        if self.health:
            page.add("alignments", "Alignments", *self._alignments(page))
        self._signatures(page)
        return page.write(["charts.js", SCRIPT, "systems.js"], data=dict(self._data()))

    # ----- static parts

    def _summary(self, page: ReportPage) -> None:
        table = self.table
        scores = scores_table(table, "text")
        signatures = {metric.signature_for(table.references) for metric in table.metrics.values()}
        notes = [note for note in scores.notes if note not in signatures]  # they have their own section
        parts = [page.table(scores, file="scores", json=scores_table(table, "json"), notes=notes)]
        if len(table.systems) > 1:
            parts.append(charts(self._score_charts()))
        if table.comparison.pairs:
            parts.append(page.table(pairs_table(table), file="pairs"))
        page.add("summary", "Summary", *parts)

    def _source_order(self, page: ReportPage, found: SourceOrder) -> None:
        for table in further_tables(found):
            drawn = [charts([curve_chart(found)])] if table.name == "anticipation" else []
            title = {"anticipation": "Anticipation", "needed": "Needed reordering"}[table.name]
            page.add(table.name, title, page.table(table, file=table.name), *drawn)

    def _score_charts(self) -> Iterator[Scene]:
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
        self,
        buckets: Sequence[Bucket],
        number: int,
        label: str,
        metric: Metric | None,
        digits: int,
        kind: Property,
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
                cells.append(
                    f"{result.score:.{digits}f}{interval}{p} {stars(corrected, better=better)}".rstrip()
                )
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

    def _alignments(self, page: ReportPage) -> Iterator[str]:
        for name, health in self.health.items():
            yield f"<h3>{escape(name)}</h3>{flag_list(health)}"
        tables = [health_tables(health, merged=False)[0] for health in self.health.values()]
        figures = [record["figure"] for record in tables[0].records[: len(tables[0].rows)]]
        values = [
            dict(zip(self.health, column, strict=True)) for column in zip(*_values(tables), strict=True)
        ]
        whole = Table(
            head=["figure", *self.health],
            rows=[
                [row[0][0], *(cell for _, cell in row)] for row in zip(*(t.rows for t in tables), strict=True)
            ],
            records=[{"figure": name, **own} for name, own in zip(figures, values, strict=True)],
            name="figures",
        )
        yield page.table(whole, file="alignments")

    def _signatures(self, page: ReportPage) -> None:
        references = self.table.references
        lines = [
            f"<dt>{escape(label)}</dt><dd><code>{_breakable(metric.signature_for(references))}</code></dd>"
            for label, metric in self.table.metrics.items()
        ]
        files = [
            f"<dt>{escape(what)}</dt><dd><code>{escape(path)}</code></dd>"
            for what, path in self.files.items()
        ]
        page.add(
            "signatures", "Signatures and files",
            f"<dl class='report-list'>{''.join(lines)}</dl><dl class='report-list'>{''.join(files)}</dl>",
            about="A signature names everything that can change a score. Quote it with the score.",
        )  # fmt: skip

    # ----- data of the interactive parts

    def _data(self) -> Iterator[tuple[str, Any]]:
        sentences, table = self.sentences, self.table
        systems, features = range(len(sentences.systems)), sentences.systems[0].features
        view = SentenceView(
            systems=[system.name for system in table.systems],
            metrics=[
                metric_facts(label, metric, digits, table.references, features.get(label))
                for (label, metric), digits in zip(table.metrics.items(), decimals_of(table), strict=True)
            ],
            numbers=sentences.numbers,
            lengths=sentences.reference_lengths.tolist(),
            scores=[system.scores for system in sentences.systems],
            sentence=self._sentence,
            terms=[[sentences.terms(k, label) for label in sentences.metrics] for k in systems],
            nodes=[[sentences.node_scores(k, label) for label in sentences.metrics] for k in systems],
            features=[[one.features.get(label) for label in sentences.metrics] for one in sentences.systems],
            matched=[sentences.matched_shares(k) for k in systems],
            baseline=table.baseline,
            references=table.references,
            spaced=sentences.matching is None or sentences.matching.tokenize not in UNSPACED,
            given=sentences.matching is None,
            about=self._about_reference(),
        )
        yield from view.data()
        yield "ngrams", [_plain(one) for one in kept_ngrams(sentences)]
        yield (
            "misordered",
            [
                [[g.name, g.count, round(g.wrong, 4), round(g.jumps, 4), round(g.share, 4)] for g in groups]
                for groups in map(misordered_words, sentences.systems)
            ],
        )

    def _about_reference(self) -> str:
        if self.found is not None:
            return "Source"
        return "Reference" if self.sentences.matching else "Source words in the order of the reference"

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
            row.append((sentences.source_positions or [[]])[s])
        return row


_BUCKETS = (
    "Scores on segments of one kind. A difference that holds on the whole corpus may come from some kinds of "
    "segments only."
)
_NGRAMS = (
    "N-grams of the reference that systems keep: all their words are matched, next to each other and in "
    "order. An n-gram of one word is kept if the word is matched."
)
_MISORDERED = (
    "Matched words by their form. Wrong: mean share of the other matched words that stand on the wrong side "
    "of the word. Jumps: share of occurrences that do not follow the word that they follow in the reference. "
    "Share: part of all errors."
)
_SENTENCES = "Sort by any column, search for words, add filters. A row opens with pictures and formulas."


def _breakable(signature: str) -> str:
    """Return a signature as markup that may be broken after each of its parts."""
    return escape(signature).replace("|", "|<wbr>")


def _values(tables: Sequence[Table]) -> list[list[float]]:
    """Return the figures of tables, in full precision."""
    return [[record["value"] for record in table.records[: len(table.rows)]] for table in tables]


def _plain(ngram: KeptNgram) -> list[Any]:
    return [" ".join(ngram.words), len(ngram.words), ngram.count, *ngram.kept, list(ngram.examples)]
