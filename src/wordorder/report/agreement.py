"""Reports of the agreement of metrics with people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from wordorder.engine.compare import THRESHOLDS
from wordorder.io.lines import counted
from wordorder.judge.agreement import Agreement, AgreementCell
from wordorder.judge.level_set import SetSummary
from wordorder.report.table import STARS, Table, stars, write_table, write_tables

UNDEFINED = "–"
TESTS = {
    "bootstrap": "paired bootstrap",
    "randomisation": "approximate randomisation",
    "williams": "Williams' test",
    "t-test": "t-test of bootstrap samples",
}


def agreement_report(results: Sequence[Agreement], form: str, *, p_values: bool = False) -> bytes:
    """Write the results of some tasks in one of the formats of tables."""
    if form == "text":
        tables = [table for result in results for table in agreement_tables(result, p_values=p_values)]
        return write_tables([*tables, Table(notes=signature_lines(results))], form)
    if form == "tsv":
        return write_table(Table(records=[r for result in results for r in set_records(result)]), form)
    return write_tables([wide_table(result, p_values=p_values) for result in results], form)


def marks(cell: AgreementCell, *, p_values: bool = False) -> str:
    """Mark the significant differences from the baselines.

    Of several baselines each has a mark: ``.`` if the difference is not significant, ``=`` if there is none.

    >>> marks(AgreementCell(0.3, p_values=(0.03, 0.2, None), better=(True, False, None)))
    '+* . ='
    >>> marks(AgreementCell(0.3, p_values=(0.2,), better=(True,)), p_values=True)
    '(p=0.200)'
    """
    signs = []
    for p_value, better in zip(cell.p_values, cell.better, strict=True):
        if p_value is None:
            signs += ["="] if len(cell.p_values) > 1 else []
            continue
        sign = stars(p_value, better=better is True) if better is not None else ""
        sign = sign or ("." if len(cell.p_values) > 1 else "")
        signs.append(f"{sign} (p={p_value:.3f})".strip() if p_values else sign)
    return " ".join(signs)


def _shown(cell: AgreementCell, *, p_values: bool = False) -> str:
    value = UNDEFINED if cell.value is None else f"{cell.value:.3f}"
    return f"{value} {marks(cell, p_values=p_values)}".rstrip()


def _number(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.2f}"


def agreement_tables(result: Agreement, *, p_values: bool = False) -> Iterator[Table]:
    """Yield a table for each collection and measure, then the means, then the tallies."""
    head = f"{result.task}\n\n"
    for first, last in _blocks(result):
        sets = result.sets[first:last]
        yield Table(
            title=f"{head}{result.task.level} level, {_title(result, sets)}",
            head=["", *(summary.pair + _testset(summary.testset, sets) for summary in sets)],
            rows=[
                [label, *(_shown(cell, p_values=p_values) for cell in cells[first:last])]
                for label, cells in zip(result.labels, result.cells, strict=True)
            ],
            left=last - first + 1,
        )
        head = ""
    rows = []
    for k in sorted(range(len(result.labels)), key=lambda k: -(result.means[k].value or float("-inf"))):
        mean = result.means[k]
        around = "" if mean.low is None else f"[{mean.low:.3f}, {mean.high:.3f}]"
        rows.append([result.labels[k], _shown(mean, p_values=p_values), around, _number(result.ranks[k])])
    over = f"over {len(result.sets)} sets" if len(result.sets) > 1 else ""
    has_tallies = bool(result.task.baselines) and len(result.sets) > 1
    yield Table(
        head=[over, "mean", "", "mean rank"],
        rows=rows,
        notes=[*_keys(result), *([] if has_tallies else result.notes)],
        left=3,
    )
    if has_tallies:
        yield _tallies(result)


def _tallies(result: Agreement) -> Table:
    """Count the sets won, lost and drawn against each baseline (Stanojević and Sima'an 2016, table 3)."""
    rows = []
    for k, label in enumerate(result.labels):
        counts = [
            "" if name == label else "/".join(map(str, result.tally(k, b)))
            for b, name in enumerate(result.task.baselines)
        ]
        rows.append([label, *counts])
    head = ["sets better/worse/neither than", *result.task.baselines]
    return Table(head=head, rows=rows, notes=result.notes, left=len(head))


def _keys(result: Agreement) -> list[str]:
    """Explain intervals and stars."""
    task = result.task
    keys = []
    if task.samples > 1 and not task.hybrids:
        keys.append(f"[ ] 95 % interval, bootstrap over segments, {task.samples} samples, seed {task.seed}")
    if task.baselines:
        test = TESTS["williams" if task.hybrids else task.paired]
        keys.append(f"+ better, - worse than {', '.join(task.baselines)}; {STARS} ({test})")
        if len(task.baselines) > 1:
            keys.append(". neither, = no difference; one mark per baseline, in this order")
    return keys


def signature_lines(results: Sequence[Agreement]) -> list[str]:
    """Return the signatures of all metrics, without repetitions."""
    lines = dict.fromkeys(
        f"{label}: {signature}"
        for result in results
        for label, signatures in zip(result.labels, result.signatures, strict=True)
        for signature in signatures
    )
    return list(lines)


def _blocks(result: Agreement) -> list[tuple[int, int]]:
    """Return the runs of sets of one collection and measure, which one table shows."""
    keys = [(summary.collection, summary.measure, summary.human) for summary in result.sets]
    starts = [k for k, key in enumerate(keys) if k == 0 or key != keys[k - 1]]
    return list(zip(starts, [*starts[1:], len(keys)], strict=True))


def _title(result: Agreement, sets: Sequence[SetSummary]) -> str:
    count = counted(sum(summary.judgments for summary in sets), "judgment")
    human = sets[0].human
    people = {"published": "the published scores", "mean": "the mean rating"}
    kind = "" if result.task.level == "segment" else f" with {people.get(human, human)} of systems"
    if human.endswith("hybrids"):
        kind = f" over {human}"
    return f"{sets[0].measure}{kind}: {sets[0].collection}, {count}"


def _testset(testset: str, sets: Sequence[SetSummary]) -> str:
    """Return the name of the test set if a table has several."""
    return f" {testset}" if len({summary.testset for summary in sets}) > 1 else ""


def wide_table(result: Agreement, *, p_values: bool) -> Table:
    """Return one table of all sets with means and mean ranks, and all results as data."""
    rows = [
        [
            label,
            *(_shown(cell, p_values=p_values) for cell in [*result.cells[k], result.means[k]]),
            _number(result.ranks[k]),
        ]
        for k, label in enumerate(result.labels)
    ]
    measures = ", ".join(dict.fromkeys(summary.measure for summary in result.sets))
    return Table(
        title=f"{result.task.level} level, {measures}",
        head=["", *(summary.pair for summary in result.sets), "mean", "rank"],
        rows=rows,
        records=[_metric_data(result, k) for k in range(len(result.labels))],
        facts={
            **result.task.as_dict(),
            "thresholds": THRESHOLDS,
            "sets": [asdict(summary) for summary in result.sets],
            "notes": result.notes,
        },
        notes=[
            str(result.task),
            f"columns: {'; '.join(summary.name for summary in result.sets)}",
            *_keys(result),
            *result.notes,
            *signature_lines([result]),
        ],
        name="metrics",
    )


def _values(cell: AgreementCell) -> dict[str, float | None]:
    return {"value": cell.value, "low": cell.low, "high": cell.high}


def _metric_data(result: Agreement, k: int) -> dict[str, Any]:
    """Return all results of a metric as plain data."""
    baselines = result.task.baselines

    def data(cell: AgreementCell) -> dict[str, Any]:
        return {**_values(cell), "p_values": dict(zip(baselines, cell.p_values, strict=True))}

    return {
        "name": result.labels[k],
        "signatures": list(dict.fromkeys(result.signatures[k])),
        "mean": data(result.means[k]),
        "mean_rank": result.ranks[k],
        "sets": [data(cell) for cell in result.cells[k]],
        "better_worse_neither": {
            name: result.tally(k, b) for b, name in enumerate(baselines) if name != result.labels[k]
        },
    }


def set_records(result: Agreement) -> Iterator[dict[str, Any]]:
    """Yield a record for each metric and set, then one for the mean of each metric."""
    sets = [asdict(summary) for summary in result.sets]
    mean = {"collection": "mean", "judgments": sum(summary.judgments for summary in result.sets)}
    rows: list[tuple[str, AgreementCell, dict[str, Any], str]] = []
    for label, cells, signatures in zip(result.labels, result.cells, result.signatures, strict=True):
        rows += [(label, *row) for row in zip(cells, sets, signatures, strict=True)]
    rows += [(label, cell, mean, "") for label, cell in zip(result.labels, result.means, strict=True)]
    for label, cell, about, signature in rows:
        yield {
            "level": result.task.level,
            **{key: about.get(key) for key in ("collection", "pair", "testset", "measure", "human")},
            "metric": label,
            **_values(cell),
            **{key: about.get(key) for key in ("judgments", "systems")},
            **{f"p_{name}": p for name, p in zip(result.task.baselines, cell.p_values, strict=True)},
            "signature": signature,
        }
