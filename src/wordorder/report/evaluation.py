"""Reports of evaluations: systems side by side by several variants, and what goes wrong in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.core.resample import Interval
from wordorder.engine.compare import PairTest, Result
from wordorder.evaluate.errors import ErrorAnalysis
from wordorder.evaluate.evaluation import Evaluation, VariantScores
from wordorder.evaluate.parsers import ParserComparison
from wordorder.evaluate.rating_correlation import RatingCorrelation
from wordorder.evaluate.usability import Usability
from wordorder.evaluate.variants import OrderScore
from wordorder.io.lines import counted
from wordorder.report.errors import error_tables, parser_tables
from wordorder.report.table import STARS, Table, stars, write_json, write_table, write_tables

UNDEFINED = "–"


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that ``wordorder evaluate`` shows."""

    evaluation: Evaluation
    usability: Usability | None = None
    correlations: Sequence[RatingCorrelation] = ()
    errors: Sequence[ErrorAnalysis] = ()
    parsers: Sequence[ParserComparison] = ()
    sentences: bool = False  # whether to show the score of every sentence
    p_values: bool = False  # whether text shows p-values

    def write(self, form: str) -> bytes:
        """Write the report in one of the formats of :mod:`wordorder.report.table`."""
        if form == "json":
            return write_json(self.as_dict())
        if form == "tsv":
            records = _sentence_records(self) if self.sentences else _records(self.evaluation)
            return write_table(Table(records=list(records)), form)
        return write_tables(list(self.tables()), form)

    def as_dict(self) -> dict[str, Any]:
        """Return data for JSON; parts may be dataclasses, which orjson writes as objects."""
        return {
            **self.evaluation.as_dict(sentences=self.sentences),
            "usability": self.usability.as_dict() if self.usability else None,
            "correlations": list(self.correlations),
            "errors": list(self.errors),
            "parsers": list(self.parsers),
        }

    def tables(self) -> Iterator[Table]:
        """Yield the tables, the scores of each variant first."""
        for scored in self.evaluation.variants:
            last = scored is self.evaluation.variants[-1]
            yield _scores(self, scored, _notes(self) if last else [])
        yield from (_pairs(scored) for scored in self.evaluation.variants if scored.pairs)
        if self.sentences:
            yield from map(_sentences, self.evaluation.variants)
        if self.correlations:
            yield _correlations(self.correlations)
        for analysis in self.errors:
            yield from error_tables(analysis)
        for comparison in self.parsers:
            yield from parser_tables(comparison)


def _scores(report: EvaluationReport, scored: VariantScores, notes: Sequence[str]) -> Table:
    left_out = f", {scored.left_out:,} left out" if scored.left_out else ""
    first = next(iter(scored.cells.values()))
    return Table(
        title=f"{scored.variant.name}: {scored.variant.about} ({counted(scored.used, 'sentence')}{left_out},"
        f" {counted(scored.words, 'word')})",
        head=["", *(score.name + ("" if score.higher_is_better else " ↓") for score in scored.scores)],
        rows=[
            [name, *(_cell(cells[score.name], score, p_value=report.p_values) for score in scored.scores)]
            for name, cells in scored.cells.items()
        ],
        notes=[f"Use it {scored.variant.use}.", *dict.fromkeys(scored.signatures.values()), *notes],
        left=1 + len(first),
    )


def _cell(result: Result, score: OrderScore, *, p_value: bool) -> str:
    marks = stars(result.p_value, better=_is_better(result.difference, score))
    shown = f" p={result.p_value:.4f}" if p_value and result.p_value is not None else ""
    return f"{_number(result.score, result.interval)}{shown} {marks}".rstrip()


def _number(value: float, around: Interval | None) -> str:
    return f"{value:.4f}" + (f" [{around.low:.4f}, {around.high:.4f}]" if around else "")


def _is_better(difference: float | None, score: OrderScore) -> bool:
    return ((difference or 0.0) > 0) == score.higher_is_better


def _notes(report: EvaluationReport) -> list[str]:
    evaluation, settings = report.evaluation, report.evaluation.settings
    notes = [f"{counted(evaluation.sentences, 'sentence')}, {counted(evaluation.words, 'word')} in all"]
    if report.usability:
        notes += [f"reference: {warning}" for warning in report.usability.warnings()]
    if settings.samples > 1:
        how = f"{settings.samples} samples, seed {settings.seed}"
        notes.append(f"[ ] 95 % bootstrap interval, {how}")
        baseline = "no reordering" if settings.baseline == "identity" else settings.baseline
        notes.append(f"+ better, - worse than {baseline}: {STARS} (paired {settings.paired}, {how})")
    return notes


def _pairs(scored: VariantScores) -> Table:
    def cell(test: PairTest, score: OrderScore) -> str:
        marks = stars(test.corrected, better=_is_better(test.difference, score))
        return f"{test.difference:+.4f} p={test.corrected:.4f} {marks}".rstrip()

    columns = [scored.pairs[score.name] for score in scored.scores]
    return Table(
        title=f"{scored.variant.name}: all pairs, the second system minus the first",
        head=["", *(score.name for score in scored.scores)],
        rows=[
            [
                f"{first} / {second}",
                *(cell(tests[first, second], s) for tests, s in zip(columns, scored.scores, strict=True)),
            ]
            for first, second in columns[0]
        ],
        notes=[f"p-values with Holm's correction; + the second system is better: {STARS}"],
        left=1 + len(columns),
    )


def _sentences(scored: VariantScores) -> Table:
    columns = {
        f"{system} {score}": values
        for system, scores in scored.sentence_scores.items()
        for score, values in scores.items()
    }
    return Table(
        title=f"{scored.variant.name}: scores of sentences",
        head=["sentence", *columns],
        rows=[
            [str(s + 1), *(f"{values[k]:.4f}" for values in columns.values())]
            for k, s in enumerate(scored.sentences)
        ],
    )


def _correlations(correlations: Sequence[RatingCorrelation]) -> Table:
    def shown(value: float | None, around: Interval | None) -> str:
        return UNDEFINED if value is None else _number(value, around)

    head = ["variant", "metric", "level", "items", "Pearson r", "Spearman rho"]
    return Table(
        title="correlation with ratings",
        head=head,
        rows=[
            [
                row.variant,
                row.metric,
                row.level,
                str(row.items),
                shown(row.pearson, row.pearson_interval),
                shown(row.spearman, row.spearman_interval),
            ]
            for row in correlations
        ],
        left=len(head),
    )


def _records(evaluation: Evaluation) -> Iterator[dict[str, Any]]:
    for scored in evaluation.variants:
        for system, cells in scored.cells.items():
            for score, result in cells.items():
                yield {
                    "variant": scored.variant.name,
                    "system": system,
                    "metric": score,
                    **result.as_dict(),
                    "used": scored.used,
                    "left_out": scored.left_out,
                    "signature": scored.signatures[score],
                }


def _sentence_records(report: EvaluationReport) -> Iterator[dict[str, Any]]:
    for scored in report.evaluation.variants:
        for system, columns in scored.sentence_scores.items():
            for score, values in columns.items():
                for s, value in zip(scored.sentences, values.tolist(), strict=True):
                    yield {
                        "variant": scored.variant.name,
                        "system": system,
                        "metric": score,
                        "sentence": s + 1,
                        "score": value,
                    }
