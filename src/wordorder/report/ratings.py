"""Tables of agreement: of raters, scores with ratings, references, and parsers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from wordorder.core.resample import Interval
from wordorder.engine.compare import Result
from wordorder.evaluate.parsers import ParserAgreement
from wordorder.evaluate.rating_correlation import RatingCorrelation
from wordorder.evaluate.ratings import RaterAgreement
from wordorder.evaluate.reference_agreement import ReferenceAgreement
from wordorder.io.lines import counted
from wordorder.report.table import Table

UNDEFINED = "–"


def number(value: float | None, around: Interval | None = None) -> str:
    """Show a value with its interval.

    >>> number(0.5), number(None), number(0.5, Interval(0.4, 0.61, 0.95))
    ('0.5000', '–', '0.5000 [0.4000, 0.6100]')
    """
    if value is None or math.isnan(value):
        return UNDEFINED
    return f"{value:.4f}" + (f" [{around.low:.4f}, {around.high:.4f}]" if around else "")


def _result(result: Result) -> str:
    return number(result.score, result.interval)


def rater_table(agreement: RaterAgreement) -> Table:
    """Return the pairs of raters; the title has Krippendorff's alpha of all raters."""
    means = ", ".join(
        f"{rater.name} {rater.mean:.2f} ({counted(rater.ratings, 'rating')})" for rater in agreement.raters
    )
    return Table(
        title=f"agreement of raters: Krippendorff's alpha {_result(agreement.alpha)},"
        f" {counted(agreement.items, 'item')} with two ratings or more",
        head=["raters", "items", "equal", "Pearson r"],
        rows=[
            [" / ".join(pair.raters), f"{pair.items:,}", _result(pair.exact), _result(pair.pearson)]
            for pair in agreement.pairs
        ],
        notes=[f"mean ratings: {means}"],
        left=4,
    )


def correlation_table(correlations: Sequence[RatingCorrelation]) -> Table:
    """Return the correlations of scores with ratings; references are shown if there are several."""
    several = any(row.reference for row in correlations)
    head = [*(["reference"] if several else []), "variant", "metric", "level", "items"]
    return Table(
        title="correlation with ratings",
        head=[*head, "Pearson r", "Spearman rho"],
        rows=[
            [
                *([row.reference] if several else []),
                row.variant or "translations",
                row.metric,
                row.level,
                f"{row.items:,}",
                number(row.pearson, row.pearson_interval),
                number(row.spearman, row.spearman_interval),
            ]
            for row in correlations
        ],
        left=len(head) + 2,
    )


def reference_tables(agreements: Sequence[ReferenceAgreement]) -> Iterator[Table]:
    """Yield a table of all pairs of references for each variant."""
    for variant in dict.fromkeys(pair.variant for pair in agreements):
        pairs = [pair for pair in agreements if pair.variant == variant]
        yield Table(
            title=f"{variant}: agreement of references, each scored against the other",
            head=["references", "sentences", "words", *pairs[0].scores],
            rows=[
                [
                    " / ".join(pair.references),
                    f"{pair.sentences:,}",
                    f"{pair.words:,}",
                    *map(_result, pair.scores.values()),
                ]
                for pair in pairs
            ],
            left=3 + len(pairs[0].scores),
        )


def parser_table(agreements: Sequence[ParserAgreement]) -> Table:
    """Return the agreement of parsers with the first one."""
    return Table(
        title=f"parsers against {agreements[0].other}: shares of {counted(agreements[0].words, 'word')}",
        head=["parser", "head", "head and relation", "part of speech"],
        rows=[[row.parser, *map(_result, (row.heads, row.labelled, row.tags))] for row in agreements],
        left=4,
    )


def agreement_records(
    raters: RaterAgreement | None,
    correlations: Sequence[RatingCorrelation],
    references: Sequence[ReferenceAgreement],
    parsers: Sequence[ParserAgreement],
) -> Iterator[dict[str, Any]]:
    """Yield the records of TSV; ``system`` and ``other`` are what is compared."""

    def record(kind: str, pair: Sequence[str], metric: str, result: Result, **more: Any) -> dict[str, Any]:
        named = dict(zip(("system", "other"), pair, strict=False))
        score = None if math.isnan(result.score) else result.score
        return {"kind": kind, **more, **named, "metric": metric, **result.as_dict(), "score": score}

    for agreed in references:
        for name, result in agreed.scores.items():
            more = {"variant": agreed.variant, "used": agreed.sentences}
            yield record("references", agreed.references, name, result, **more)
    if raters:
        yield record("raters", (), "alpha", raters.alpha, items=raters.items)
        for pair in raters.pairs:
            yield record("raters", pair.raters, "equal", pair.exact, items=pair.items)
            yield record("raters", pair.raters, "pearson", pair.pearson, items=pair.items)
    for row in correlations:
        about = {name: getattr(row, name) for name in ("reference", "variant", "metric", "level", "items")}
        for kind, value, around in (
            ("pearson", row.pearson, row.pearson_interval),
            ("spearman", row.spearman, row.spearman_interval),
        ):
            low, high = (around.low, around.high) if around else (None, None)
            yield {"kind": kind, **about, "score": value, "low": low, "high": high}
    for parser in parsers:
        for name in ("heads", "labelled", "tags"):
            yield record("parsers", (parser.parser, parser.other), name, getattr(parser, name))
