"""Preorderers side by side, and what goes wrong in them: text, TSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from wordorder.evaluate.errors import ErrorAnalysis
from wordorder.evaluate.parsers import ParserComparison
from wordorder.evaluate.rating_correlation import Correlation
from wordorder.evaluate.systems import Standings
from wordorder.evaluate.usability import Usability
from wordorder.io.lines import counted
from wordorder.report.errors import errors_text, parsers_text
from wordorder.report.table import latex_text, text_table

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that ``wordorder evaluate`` shows."""

    standings: Standings
    usability: Usability | None = None
    correlations: Sequence[Correlation] = ()
    errors: Sequence[ErrorAnalysis] = ()
    parsers: Sequence[ParserComparison] = ()
    sentences: bool = False

    def write(self, output: str) -> bytes:
        """Write it in one of the forms."""
        writers = {"text": _text, "tsv": _tsv, "json": _json, "latex": _latex}
        return writers[output](self).encode("utf-8")

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            **self.standings.as_dict(sentences=self.sentences),
            "usability": self.usability.as_dict() if self.usability else None,
            "correlations": [one.as_dict() for one in self.correlations],
            "errors": [one.as_dict() for one in self.errors],
            "parsers": [one.as_dict() for one in self.parsers],
        }


def _text(report: EvaluationReport) -> str:
    found = report.standings
    rows = [["", *(metric.name for metric in found.metrics)]]
    for system in found.systems:
        rows.append(
            [system.name, *(_cell(*pair) for pair in zip(system.scores, system.intervals, strict=True))]
        )
    pieces = [text_table(rows, left=len(rows[0]))]
    if found.samples > 1 and len(found.systems) > 1:
        pieces += [_triangle(found, m) for m in range(len(found.metrics))]
    pieces += [_sentences(found)] if report.sentences else []
    pieces += [_correlations(report.correlations)] if report.correlations else []
    pieces += [errors_text(one) for one in report.errors]
    pieces += [parsers_text(one) for one in report.parsers]
    return "\n".join([*pieces, _notes(report)])


def _notes(report: EvaluationReport) -> str:
    found = report.standings
    left = found.sentences - len(found.used)
    lines = [
        f"{counted(len(found.used), 'sentence')}, {counted(found.words, 'word')} compared"
        + (f"; {left:,} without a reference order left out" if left else "")
    ]
    if report.usability:
        lines += [f"reference: {text}" for text in report.usability.warnings()]
    if found.samples > 1:
        lines.append(
            f"[ ] 95 % bootstrap interval; ** p < 0.05, * p < 0.10, 0 neither, - worse"
            f" (paired bootstrap, {found.samples} samples, seed {found.seed})"
        )
    lines += [found.signature(m) for m in range(len(found.metrics))]
    return "\n".join(lines) + "\n"


def _cell(score: float, around: Any) -> str:
    return f"{score:.4f}" + (f" [{around.low:.4f}, {around.high:.4f}]" if around else "")


def _triangle(found: Standings, m: int) -> str:
    """Which later system differs from which earlier one, as tables 3 to 5 of the paper."""
    names = found.names
    rows = [[found.metrics[m].name, *names[1:]]]
    for a, name in enumerate(names[:-1]):
        rows.append([name, *(found.mark(m, a, b) if b > a else "" for b in range(1, len(names)))])
    return text_table(rows, left=len(rows[0]))


def _sentences(found: Standings) -> str:
    rows = [["sentence", *(f"{s.name} {m.name}" for s in found.systems for m in found.metrics)]]
    for k, number in enumerate(found.used):
        rows.append(
            [str(number + 1), *(f"{scores[k]:.4f}" for s in found.systems for scores in s.sentence_scores)]
        )
    return text_table(rows)


def _correlations(some: Sequence[Correlation]) -> str:
    rows = [["agreement with people", "level", "items", "Pearson r", "Spearman rho"]]
    for one in some:
        r = UNDEFINED if one.pearson is None else _cell(one.pearson, one.pearson_interval)
        rho = UNDEFINED if one.spearman is None else _cell(one.spearman, one.spearman_interval)
        rows.append([one.metric, one.level, str(one.items), r, rho])
    return text_table(rows, left=len(rows[0]))


def _tsv(report: EvaluationReport) -> str:
    found = report.standings
    if report.sentences:
        lines = [["system", "sentence", *(metric.name for metric in found.metrics)]]
        for system in found.systems:
            for k, number in enumerate(found.used):
                scores = [repr(float(column[k])) for column in system.sentence_scores]
                lines.append([system.name, str(number + 1), *scores])
        return "".join("\t".join(line) + "\n" for line in lines)
    names = found.names
    lines = [
        [
            "system",
            "metric",
            "score",
            "low",
            "high",
            "sentences",
            *(f"p_{name}" for name in names),
            "signature",
        ]
    ]
    for b, system in enumerate(found.systems):
        for m, metric in enumerate(found.metrics):
            around = system.intervals[m]
            numbers = [system.scores[m], around.low if around else None, around.high if around else None]
            chances = [found.p_values[m].get((min(a, b), max(a, b))) for a in range(len(names))]
            lines.append(
                [
                    system.name,
                    metric.name,
                    *("" if x is None else repr(x) for x in numbers),
                    str(len(found.used)),
                    *("" if x is None else repr(x) for x in chances),
                    found.signature(m),
                ]
            )
    return "".join("\t".join(line) + "\n" for line in lines)


def _json(report: EvaluationReport) -> str:
    return orjson.dumps(report.as_dict(), option=orjson.OPT_INDENT_2).decode() + "\n"


def _latex(report: EvaluationReport) -> str:
    found = report.standings
    heads = [latex_text(metric.name) for metric in found.metrics]
    rows = [
        [
            latex_text(system.name),
            *(f"${_cell(*pair)}$" for pair in zip(system.scores, system.intervals, strict=True)),
        ]
        for system in found.systems
    ]
    lines = [f"% {found.signature(m)}" for m in range(len(found.metrics))]
    lines += _tabular([["", *heads], *rows], "l" + "r" * len(heads))
    if found.samples > 1 and len(found.systems) > 1:
        names = [latex_text(name) for name in found.names]
        for m, metric in enumerate(found.metrics):
            table = [[latex_text(metric.name), *names[1:]]]
            for a, name in enumerate(names[:-1]):
                marks = [found.mark(m, a, b) if b > a else "" for b in range(1, len(names))]
                table.append([name, *(f"${mark}$" if mark else "" for mark in marks)])
            lines += ["", *_tabular(table, "l" + "c" * (len(names) - 1))]
    return "\n".join(lines) + "\n"


def _tabular(rows: Sequence[Sequence[str]], columns: str) -> list[str]:
    body = [" & ".join(row) + r" \\" for row in rows]
    return [
        rf"\begin{{tabular}}{{{columns}}}", r"\toprule", body[0], r"\midrule", *body[1:],
        r"\bottomrule", r"\end{tabular}",
    ]  # fmt: skip
