"""Write tables of systems and metrics, and scores of segments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wordorder.core.rounding import decimals
from wordorder.engine.compare import THRESHOLDS, Comparison, PairTest, Result, compare_table
from wordorder.engine.score_texts import CorpusStatistics, ScoredBlock, SystemCounts
from wordorder.engine.threads import Runner
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import MatchedMetric
from wordorder.report.order_scores import describe
from wordorder.report.table import STARS, Table, stars, write_table, write_tables

SHARES = {"references": "matched", "source": "linked"}  # heads of columns; records always say "matched"
MATCHED = {
    "references": "matched: share of the words of hypothesis and reference that are matched",
    "source": "linked: share of the source words that have a link",
}
BETTER = {"references": "+ better, - worse", "source": "+ more monotone, - less monotone"}
LOW = 0.5  # share of words matched below which scores of word order say little


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemTable:
    """Everything that a table of systems shows."""

    systems: Sequence[SystemCounts]
    metrics: Mapping[str, Metric]  # by label
    comparison: Comparison
    references: int
    samples: int
    seed: int
    against: Literal["references", "source"] = "references"  # what the order is compared with
    paired: str | None = None
    baseline: int = 0
    p_values: bool = False
    notes: Sequence[str] = ()


def compared_systems(
    scored: CorpusStatistics,
    metrics: Mapping[str, Metric],
    references: int,
    *,
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
    baseline: int = 0,
    all_pairs: bool = False,
    p_values: bool = False,
    notes: Sequence[str] = (),
    run: Runner = map,
) -> SystemTable:
    """Compare systems by their statistics (:func:`wordorder.engine.compare.compare_table`)."""
    comparison = compare_table(
        scored.rows,
        scored.widths,
        [metric.scores for metric in metrics.values()],
        samples=samples,
        seed=seed,
        paired=paired,
        baseline=baseline,
        all_pairs=all_pairs,
        run=run,
    )
    return SystemTable(
        systems=scored.systems,
        metrics=metrics,
        comparison=comparison,
        references=references,
        against="references" if references else "source",
        samples=samples,
        seed=seed,
        paired=paired,
        baseline=baseline,
        p_values=p_values,
        notes=notes,
    )


def system_report(table: SystemTable, form: str) -> bytes:
    """Write the table in one of the formats; all pairs of systems follow in a second one."""
    scores = scores_table(table, form)
    if form == "json" or not table.comparison.pairs:
        return write_table(scores, form)
    if form == "tsv":
        return write_table(Table(records=[*scores.records, *_pair_records(table)]), form)
    return write_tables([scores, pairs_table(table)], form)


def warnings(table: SystemTable) -> list[str]:
    """Say which systems share so few words with the reference that scores of their order mean little."""
    low = [s for s in table.systems if s.matched is not None and s.matched < LOW]
    if table.against == "source":
        return [
            f"{s.name}: only {100 * (s.matched or 0):.0f} % of the source words have a link, and the others "
            "are placed beside them; check the links"
            for s in low
        ]
    return [
        f"{s.name}: only {100 * (s.matched or 0):.0f} % of the words are matched, and word order is scored "
        "on matched words alone; compare full, beer or bleu"
        for s in low
    ]


def table_notes(table: SystemTable) -> list[str]:
    """Return the notes that a table of numbers cannot hold."""
    return [*case_notes(table.metrics), *table.notes, *warnings(table)]


def case_notes(metrics: Mapping[str, Metric]) -> list[str]:
    """Say which metrics ignore case, where they differ in that."""
    ignoring = [label for label, m in metrics.items() if getattr(m, "lowercase", None) is True]
    minding = [label for label, m in metrics.items() if getattr(m, "lowercase", None) is False]
    if not ignoring or not minding:
        return []
    return [f"case is ignored by {', '.join(ignoring)}, not by {', '.join(minding)}"]


def decimals_of(table: SystemTable) -> list[int]:
    """Choose the number of decimals of each metric."""
    columns = zip(*table.comparison.results, strict=True)
    return [
        1 if metric.percent else decimals([result.score for result in column], 3, best=metric.best)
        for metric, column in zip(table.metrics.values(), columns, strict=True)
    ]


def _cell(table: SystemTable, result: Result, metric: Metric, digits: int) -> str:
    parts = [f"{result.score:.{digits}f}"]
    if result.interval:
        parts.append(f"[{result.interval.low:.{digits}f}, {result.interval.high:.{digits}f}]")
    if result.p_value is not None and table.p_values:
        parts.append(f"p={result.p_value:.3f}")
    better = ((result.difference or 0.0) > 0) == metric.higher_is_better
    return " ".join([*parts, stars(result.p_value, better=better)]).rstrip()


def _share(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def scores_table(table: SystemTable, form: str) -> Table:
    """Return the scores of all systems; JSON has other records than TSV."""
    matches = any(system.matched is not None for system in table.systems)
    head = [name + ("" if m.higher_is_better else " ↓") for name, m in table.metrics.items()]
    digits = decimals_of(table)
    rows = [
        [
            system.name,
            *([_share(system.matched)] if matches else []),
            *(_cell(table, *cell) for cell in zip(results, table.metrics.values(), digits, strict=True)),
        ]
        for system, results in zip(table.systems, table.comparison.results, strict=True)
    ]
    head = ["", *([SHARES[table.against]] if matches else []), *head]
    return Table(
        head=head,
        rows=rows,
        records=_json_records(table) if form == "json" else _records(table),
        facts=_facts(table),
        notes=_notes(table),
        name="systems",
        left=len(head),
    )


def _segments(table: SystemTable) -> int:
    return table.systems[0].segments


def _notes(table: SystemTable) -> list[str]:
    compared = "compared with the source"
    if table.against == "references":
        compared = counted(table.references, "reference")
    notes = [f"{counted(_segments(table), 'segment')}, {compared}"]
    for system in table.systems:
        if system.empty:
            notes.append(f"{system.name}: {counted(system.empty, 'empty hypothesis', 'empty hypotheses')}")
    if any(not m.higher_is_better for m in table.metrics.values()):
        notes.append("↓ lower is better")
    lines = [" · ".join(notes)]
    if any(system.matched is not None for system in table.systems):
        lines.append(MATCHED[table.against])
    if table.samples > 1:
        lines.append(f"[ ] 95 % bootstrap interval, {table.samples} samples, seed {table.seed}")
    if table.paired and len(table.systems) > 1:
        how = f"paired {table.paired}, {table.samples} samples, seed {table.seed}"
        lines.append(f"{BETTER[table.against]} than {table.systems[table.baseline].name}: {STARS} ({how})")
    signatures = [m.signature_for(table.references) for m in table.metrics.values()]
    return [*lines, *table_notes(table), *signatures]


def _facts(table: SystemTable) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "segments": _segments(table),
        "references": table.references,
        "samples": table.samples,
        "seed": table.seed,
        "paired": table.paired,
        "thresholds": THRESHOLDS if table.paired else None,
        "baseline": table.systems[table.baseline].name if table.paired else None,
        "notes": table_notes(table),
        "metrics": [
            describe(m, name, m.signature_for(table.references)) for name, m in table.metrics.items()
        ],
    }
    if table.comparison.pairs:
        facts |= {"correction": "holm", "pairs": _pair_records(table)}
    return facts


def _records(table: SystemTable) -> list[dict[str, Any]]:
    return [
        {
            "system": system.name,
            "metric": name,
            **result.as_dict(),
            "matched": system.matched_by(k),
            "segments": _segments(table),
            "signature": metric.signature_for(table.references),
        }
        for system, results in zip(table.systems, table.comparison.results, strict=True)
        for k, ((name, metric), result) in enumerate(zip(table.metrics.items(), results, strict=True))
    ]


def _json_records(table: SystemTable) -> list[dict[str, Any]]:
    return [
        {
            "name": system.name,
            "empty": system.empty,
            "matched": system.matched,
            "scores": {name: r.as_dict() for name, r in zip(table.metrics, results, strict=True)},
        }
        for system, results in zip(table.systems, table.comparison.results, strict=True)
    ]


def _tests(table: SystemTable) -> Iterator[tuple[str, Metric, PairTest]]:
    for (name, metric), tests in zip(table.metrics.items(), table.comparison.pairs, strict=True):
        yield from ((name, metric, test) for test in tests)


def _pair_records(table: SystemTable) -> list[dict[str, Any]]:
    names = [system.name for system in table.systems]
    return [
        {
            "system": names[test.second],
            "against": names[test.first],
            "metric": name,
            "difference": test.difference,
            "p_value": test.p_value,
            "p_corrected": test.corrected,
        }
        for name, _, test in _tests(table)
    ]


def pairs_table(table: SystemTable) -> Table:
    """Return the tests of all pairs of systems."""
    names = [system.name for system in table.systems]
    digits = dict(zip(table.metrics, decimals_of(table), strict=True))
    rows = []
    for name, metric, test in _tests(table):
        better = (test.difference > 0) == metric.higher_is_better
        rows.append(
            [
                names[test.second],
                names[test.first],
                name,
                f"{test.difference:+.{digits[name]}f}",
                f"{test.p_value:.3f}",
                f"{test.corrected:.3f} {stars(test.corrected, better=better)}".rstrip(),
            ]
        )
    how = f"paired {table.paired}, {table.samples} samples, seed {table.seed}"
    notes = [
        f"{BETTER[table.against]}: {STARS}, corrected by Holm's method for all pairs of a metric ({how})"
    ]
    head = ["system", "against", "metric", "difference", "p", "corrected p"]
    records = _pair_records(table)
    return Table(head=head, rows=rows, records=records, notes=notes, name="pairs", left=len(head))


def matches_words(metrics: Iterable[Metric]) -> bool:
    """Whether any metric matches words, so that there are shares of matched words."""
    return any(isinstance(metric, MatchedMetric) for metric in metrics)


def segment_report(
    names: Sequence[str],
    metrics: Mapping[str, Metric],
    references: int,
    blocks: Iterable[ScoredBlock],
    form: str,
) -> Iterator[bytes]:
    """Write one row or record per segment and system, piece by piece."""
    matching = matches_words(metrics.values())
    columns = [*metrics, "matched"] if matching else [*metrics]
    signatures = [m.signature_for(references, segment=True) for m in metrics.values()]
    if form == "json":
        import orjson

        heads = [describe(m, name, text) for (name, m), text in zip(metrics.items(), signatures, strict=True)]
        yield b'{"metrics":' + orjson.dumps(heads) + b',"segments":[\n'
    elif form == "tsv":
        yield "\t".join(["system", "segment", *columns]).encode() + b"\n"
    else:
        widths = [max(len(name), 8) for name in columns]
        bests = [*(m.best for m in metrics.values()), 1.0][: len(columns)]
        wide = max(len(name) for name in [*names, "system"])
        titles = [*metrics, SHARES["references" if references else "source"]][: len(columns)]
        heads_text = [name.rjust(width) for name, width in zip(titles, widths, strict=True)]
        yield "  ".join(["system".ljust(wide), " segment", *heads_text]).encode() + b"\n"
    comma = b""
    for block in blocks:
        for k, name in enumerate(names):
            scores = [
                m.segment_scores(rows).tolist()
                for m, rows in zip(metrics.values(), block.rows[k], strict=True)
            ]
            shares = [block.shares(k)] if matching else []
            for number, *values in zip(block.numbers, *scores, *shares, strict=True):
                if form == "json":
                    record = {"system": name, "segment": number, **dict(zip(columns, values, strict=True))}
                    yield comma + orjson.dumps(record)
                    comma = b",\n"
                elif form == "tsv":
                    shown = ["" if v is None else repr(v) for v in values]
                    yield "\t".join([name, str(number), *shown]).encode() + b"\n"
                else:
                    cells = [
                        " " * w if v is None else f"{v:{w}.{decimals([v], 4, best=best)}f}"
                        for v, w, best in zip(values, widths, bests, strict=True)
                    ]
                    yield "  ".join([name.ljust(wide), f"{number:8d}", *cells]).rstrip().encode() + b"\n"
    if form == "json":
        yield b"\n]}\n"
    elif form == "text":
        yield "".join(f"{text}\n" for text in signatures).encode()
