"""Reports of evaluations: systems side by side by several variants, and what goes wrong in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from wordorder.engine.compare import PairTest, Result
from wordorder.evaluate.columns import Column
from wordorder.evaluate.errors import ErrorAnalysis
from wordorder.evaluate.evaluation import Evaluation, VariantScores
from wordorder.evaluate.parsers import ParserAgreement, ParserComparison
from wordorder.evaluate.rating_correlation import RatingCorrelation
from wordorder.evaluate.ratings import RaterAgreement
from wordorder.evaluate.reference_agreement import ReferenceAgreement
from wordorder.evaluate.usability import Usability
from wordorder.io.lines import counted
from wordorder.report.errors import error_tables, parser_tables
from wordorder.report.ratings import (
    UNDEFINED,
    agreement_records,
    correlation_table,
    number,
    parser_table,
    rater_table,
    reference_tables,
)
from wordorder.report.table import STARS, Table, stars, write_json, write_table, write_tables


@dataclass(frozen=True, slots=True)
class EvaluationReport:
    """Everything that ``wordorder evaluate`` shows."""

    evaluation: Evaluation
    usability: Mapping[str, Usability] = field(default_factory=dict)  # by name of the reference
    references: Sequence[ReferenceAgreement] = ()
    raters: RaterAgreement | None = None
    correlations: Sequence[RatingCorrelation] = ()
    parsers: Sequence[ParserAgreement] = ()
    errors: Sequence[ErrorAnalysis] = ()
    parser_errors: Sequence[ParserComparison] = ()
    sentences: bool = False  # whether to show the score of every sentence
    p_values: bool = False  # whether text shows p-values

    def write(self, form: str) -> bytes:
        """Write the report in one of the formats of :mod:`wordorder.report.table`."""
        if form == "json":
            return write_json(self.as_dict())
        if form == "tsv":
            return write_table(Table(records=list(self.records())), form)
        return write_tables(list(self.tables()), form)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the scores of systems, or of sentences, and the agreement: the rows of a TSV file."""
        return _sentence_records(self) if self.sentences else _records(self)

    def as_dict(self) -> dict[str, Any]:
        """Return data for JSON; parts may be dataclasses, which orjson writes as objects."""
        return {
            **self.evaluation.as_dict(sentences=self.sentences),
            "usability": {name: usable.as_dict() for name, usable in self.usability.items()},
            "reference_agreement": list(self.references),
            "rater_agreement": self.raters,
            "correlations": list(self.correlations),
            "parsers": list(self.parsers),
            "errors": list(self.errors),
            "parser_errors": list(self.parser_errors),
        }

    def tables(self) -> Iterator[Table]:
        """Yield the tables, the scores of each variant first."""
        scores, agreement, errors = self.parts()
        yield from (*scores, *agreement)
        for _, tables in errors:
            yield from tables

    def parts(self) -> tuple[list[Table], list[Table], list[tuple[str, list[Table]]]]:
        """Return the tables of scores, those of agreement, and those of errors with their titles."""
        variants, beside = self.evaluation.variants, self.evaluation.beside
        scores = [_scores(self, one, _notes(self) if one is variants[-1] else []) for one in variants]
        scores += [_pairs(scored, beside) for scored in variants if scored.pairs]
        if self.sentences:
            scores += [_sentences(scored, beside) for scored in variants]
        agreement = list(reference_tables(self.references))
        agreement += [rater_table(self.raters)] if self.raters else []
        agreement += [correlation_table(self.correlations)] if self.correlations else []
        agreement += [parser_table(self.parsers)] if self.parsers else []
        errors = [(f"Errors of {one.system}", list(error_tables(one))) for one in self.errors]
        errors += [
            (f"Parsers {' and '.join(one.parsers)}", list(parser_tables(one))) for one in self.parser_errors
        ]
        return scores, agreement, errors


def _headed(scored: VariantScores, beside: Sequence[Column]) -> list[tuple[str, Column]]:
    """Return all columns of the table of a variant, with their names; those of translations may clash."""
    own = [column.name for column in scored.columns]
    others = [(f"{one.name} of text" if one.name in own else one.name, one) for one in beside]
    return [*zip(own, scored.columns, strict=True), *others]


def _scores(report: EvaluationReport, scored: VariantScores, notes: Sequence[str]) -> Table:
    left_out = f", {scored.left_out:,} left out" if scored.left_out else ""
    columns = _headed(scored, report.evaluation.beside)
    return Table(
        title=f"{scored.title}: {scored.variant.about} ({counted(scored.used, 'sentence')}{left_out},"
        f" {counted(scored.words, 'word')})",
        head=["", *(name + ("" if column.measure.higher_is_better else " ↓") for name, column in columns)],
        rows=[
            [name, *(_cell(column, name, p_value=report.p_values) for _, column in columns)]
            for name in report.evaluation.systems
        ],
        notes=[
            scored.variant.use,
            *dict.fromkeys(column.measure.signature for _, column in columns),
            *notes,
        ],
        left=1 + len(columns),
    )


def _cell(column: Column, system: str, *, p_value: bool) -> str:
    result: Result | None = column.cells.get(system)
    if result is None:
        return UNDEFINED
    marks = stars(result.p_value, better=_is_better(result.difference, column))
    shown = f" p={result.p_value:.4f}" if p_value and result.p_value is not None else ""
    return f"{number(result.score, result.interval)}{shown} {marks}".rstrip()


def _is_better(difference: float | None, column: Column) -> bool:
    return ((difference or 0.0) > 0) == column.measure.higher_is_better


def _notes(report: EvaluationReport) -> list[str]:
    evaluation, settings = report.evaluation, report.evaluation.settings
    notes = [f"{counted(evaluation.sentences, 'sentence')}, {counted(evaluation.words, 'word')} in all"]
    several = any(scored.reference for scored in evaluation.variants)
    for name, usable in report.usability.items():
        notes += [f"reference{f' {name}' if several else ''}: {warning}" for warning in usable.warnings()]
    if evaluation.ratings:
        rated = np.array([np.isfinite(values) for values in evaluation.ratings.sentence_scores.values()])
        notes.append(
            f"ratings of {counted(int(rated.any(axis=0).sum()), 'sentence')},"
            f" {counted(int(rated.sum()), 'translation')}"
        )
    if settings.samples > 1:
        how = f"{settings.samples} samples, seed {settings.seed}"
        notes.append(f"[ ] 95 % bootstrap interval, {how}")
        baseline = "no reordering" if settings.baseline == "identity" else settings.baseline
        notes.append(f"+ better, - worse than {baseline}: {STARS} (paired {settings.paired}, {how})")
        untested = [one.name for one in evaluation.beside if settings.baseline not in one.cells]
        if untested:
            notes.append(f"{', '.join(untested)}: not tested, because {baseline} has no score")
    return notes


def _pairs(scored: VariantScores, beside: Sequence[Column]) -> Table:
    columns = _headed(scored, beside)

    def cell(column: Column, pair: tuple[str, str]) -> str:
        test: PairTest | None = column.pairs.get(pair)
        if test is None or np.isnan(test.difference):
            return UNDEFINED
        marks = stars(test.corrected, better=_is_better(test.difference, column))
        return f"{test.difference:+.4f} p={test.corrected:.4f} {marks}".rstrip()

    return Table(
        title=f"{scored.title}: all pairs, the second system minus the first",
        head=["", *(name for name, _ in columns)],
        rows=[
            [" / ".join(pair), *(cell(column, pair) for _, column in columns)]
            for pair in scored.columns[0].pairs
        ],
        notes=[f"p-values with Holm's correction; + the second system is better: {STARS}"],
        left=1 + len(columns),
    )


def _sentences(scored: VariantScores, beside: Sequence[Column]) -> Table:
    headed = _headed(scored, beside)
    columns = {
        f"{system} {name}": column.sentence_scores[system]
        for system in scored.cells
        for name, column in headed
        if system in column.sentence_scores
    }
    return Table(
        title=f"{scored.title}: scores of sentences",
        head=["sentence", *columns],
        rows=[[str(s + 1), *(number(values[s]) for values in columns.values())] for s in scored.sentences],
    )


def _groups(evaluation: Evaluation) -> Iterator[tuple[str, dict[str, Any], Sequence[Column]]]:
    """Yield the columns of each variant, then the others, with reference and numbers of sentences."""
    for scored in evaluation.variants:
        about = {"reference": scored.reference, "used": scored.used, "left_out": scored.left_out}
        yield scored.variant.spec, about, scored.columns
    yield "", {"reference": ""}, evaluation.beside


def _records(report: EvaluationReport) -> Iterator[dict[str, Any]]:
    for variant, about, columns in _groups(report.evaluation):
        for system in report.evaluation.systems:
            for column in columns:
                if system in column.cells:
                    yield {
                        "kind": "score",
                        "variant": variant,
                        "system": system,
                        "metric": column.name,
                        **column.cells[system].as_dict(),
                        **about,
                        "signature": column.measure.signature,
                    }
    for variant, about, columns in _groups(report.evaluation):
        for column in columns:
            for (first, second), test in column.pairs.items():
                tested = {name: getattr(test, name) for name in ("difference", "p_value", "corrected")}
                pair = {"system": first, "other": second, "metric": column.name}
                yield {"kind": "pair", "variant": variant, **pair, **tested, **about}
    yield from agreement_records(report.raters, report.correlations, report.references, report.parsers)


def _sentence_records(report: EvaluationReport) -> Iterator[dict[str, Any]]:
    for variant, about, columns in _groups(report.evaluation):
        for system in report.evaluation.systems:
            for column in columns:
                for s, value in enumerate(column.sentence_scores.get(system, []), start=1):
                    if np.isfinite(value):
                        yield {
                            "variant": variant,
                            "system": system,
                            "metric": column.name,
                            "sentence": s,
                            "score": float(value),
                            "reference": about["reference"],
                        }
