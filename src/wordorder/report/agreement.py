"""Tables of agreement with people: text, TSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import orjson

from wordorder.io.lines import counted
from wordorder.judge.agreement import Agreement, Verdict
from wordorder.report.table import latex_text, text_table

UNDEFINED = "–"


def agreement_report(tables: Sequence[Agreement], output: str) -> bytes:
    """Write tables, one a level, in one of the forms."""
    writers = {"text": _text, "tsv": _tsv, "json": _json, "latex": _latex}
    return writers[output](tables).encode("utf-8")


def marks(cell: Verdict, *, p: float = 0.05) -> str:
    """One sign for each baseline: + significantly better, - worse, . neither.

    >>> marks(Verdict(0.3, p_values=(0.01, 0.2, None), better=(True, False, None)))
    '+. '
    """
    signs = []
    for chance, better in zip(cell.p_values, cell.better, strict=True):
        if chance is None:
            signs.append(" ")
        else:
            signs.append("." if chance >= p or better is None else "+" if better else "-")
    return "".join(signs)


def _shown(cell: Verdict, digits: int = 3) -> str:
    return UNDEFINED if cell.value is None else f"{cell.value:.{digits}f}"


def _interval(cell: Verdict) -> str:
    return "" if cell.low is None or cell.high is None else f"[{cell.low:.3f}, {cell.high:.3f}]"


def _text(tables: Sequence[Agreement]) -> str:
    signed = dict.fromkeys(
        f"{label}: {signature}\n"
        for table in tables
        for label, signatures in zip(table.labels, table.signatures, strict=True)
        for signature in signatures
    )
    return "\n".join([*(_one_text(table) for table in tables), "".join(signed)])


def _one_text(table: Agreement) -> str:
    lines = []
    for first, last in _blocks(table):
        columns = table.columns[first:last]
        lines.append(f"{table.level} level, {_what(table, first, last)}\n")
        rows = [["", *(column.pair + _more(column.testset, columns) for column in columns)]]
        for label, cells in zip(table.labels, table.cells, strict=True):
            rows.append([label, *(f"{_shown(c)} {marks(c)}".rstrip() for c in cells[first:last])])
        lines.append(text_table(rows, left=len(rows[0])))
        lines.append("\n")
    lines.append(_summary(table))
    if table.samples > 1:
        lines.append(
            f"[ ] 95 % interval, bootstrap over segments, {table.samples} samples, seed {table.seed}\n"
        )
    if table.baselines:
        lines.append(f"{_key(table)}\n")
        lines.append(_tallies(table))
    lines += [f"{note}\n" for note in table.notes]
    return "".join(lines)


def _key(table: Agreement) -> str:
    """What the signs mean."""
    return f"+ better, - worse, . neither than {', '.join(table.baselines)}, p < 0.05 ({_test(table)})"


def _test(table: Agreement) -> str:
    names = {
        "bootstrap": "paired bootstrap",
        "permutation": "paired permutation",
        "williams": "Williams' test",
    }
    return names.get(table.test, "t-test of bootstrap samples")


def _blocks(table: Agreement) -> list[tuple[int, int]]:
    """Runs of columns of one collection and measure, which one table shows."""
    keys = [(column.collection, column.measure, column.human) for column in table.columns]
    starts = [k for k, key in enumerate(keys) if k == 0 or key != keys[k - 1]]
    return list(zip(starts, [*starts[1:], len(keys)], strict=True))


def _what(table: Agreement, first: int, last: int) -> str:
    columns = table.columns[first:last]
    said = sum(column.judgments for column in columns)
    people = {"published": "the published scores", "mean": "the mean rating"}
    human = columns[0].human
    kind = "" if table.level == "segment" else f" with {people.get(human, human)} of systems"
    if human.endswith("hybrids"):
        kind = f" over {human}"
    return f"{columns[0].measure}{kind}: {columns[0].collection}, {counted(said, 'judgment')}"


def _more(testset: str, columns: Sequence[Any]) -> str:
    """The test set, where a table has several."""
    return f" {testset}" if len({column.testset for column in columns}) > 1 else ""


def _summary(table: Agreement) -> str:
    rows = [[f"over {len(table.columns)} sets" if len(table.columns) > 1 else "", "mean", "", "mean rank"]]
    order = sorted(range(len(table.labels)), key=lambda k: -(table.means[k].value or float("-inf")))
    for k in order:
        mean, rank = table.means[k], table.ranks[k]
        shown = f"{_shown(mean)} {marks(mean)}".rstrip()
        rows.append([table.labels[k], shown, _interval(mean), UNDEFINED if rank is None else f"{rank:.2f}"])
    return text_table(rows, left=3)


def _tallies(table: Agreement) -> str:
    """Sets won, lost and drawn against each baseline (table 3 of Stanojević and Sima'an 2016)."""
    if len(table.columns) < 2:
        return ""
    rows = [["sets better/worse/neither than", *table.baselines]]
    for k, label in enumerate(table.labels):
        counts = [
            "" if name == label else "/".join(map(str, table.tally(k, b)))
            for b, name in enumerate(table.baselines)
        ]
        rows.append([label, *counts])
    return "\n" + text_table(rows, left=len(rows[0])) + "\n"


def _tsv(tables: Sequence[Agreement]) -> str:
    baselines = list(dict.fromkeys(name for table in tables for name in table.baselines))
    head = ["level", "collection", "pair", "testset", "measure", "human", "metric", "value", "low", "high"]
    lines = [[*head, "judgments", "systems", *(f"p_{name}" for name in baselines), "signature"]]
    for table in tables:
        for k, label in enumerate(table.labels):
            for c, column in enumerate(table.columns):
                cell = table.cells[k][c]
                place = [
                    table.level,
                    column.collection,
                    column.pair,
                    column.testset,
                    column.measure,
                    column.human,
                ]
                numbers = [cell.value, cell.low, cell.high]
                p_values = dict(zip(table.baselines, cell.p_values, strict=True))
                lines.append(
                    [
                        *place,
                        label,
                        *("" if x is None else repr(x) for x in numbers),
                        str(column.judgments),
                        str(column.systems),
                        *("" if p_values.get(b) is None else repr(p_values[b]) for b in baselines),
                        table.signatures[k][c],
                    ]
                )
        for k, label in enumerate(table.labels):
            mean = table.means[k]
            p_values = dict(zip(table.baselines, mean.p_values, strict=True))
            lines.append(
                [
                    table.level, "mean", "", "", "", "", label,
                    *("" if x is None else repr(x) for x in (mean.value, mean.low, mean.high)),
                    str(sum(column.judgments for column in table.columns)), "",
                    *("" if p_values.get(b) is None else repr(p_values[b]) for b in baselines), "",
                ]
            )  # fmt: skip
    return "".join("\t".join(line) + "\n" for line in lines)


def as_data(table: Agreement) -> dict[str, Any]:
    """A table as plain data."""

    def cell(verdict: Verdict) -> dict[str, Any]:
        return {
            "value": verdict.value,
            "low": verdict.low,
            "high": verdict.high,
            "p_values": dict(zip(table.baselines, verdict.p_values, strict=True)),
        }

    return {
        "level": table.level,
        "samples": table.samples,
        "seed": table.seed,
        "test": table.test if table.baselines else None,
        "sets": [asdict(column) for column in table.columns],
        "metrics": [
            {
                "name": label,
                "signatures": list(dict.fromkeys(table.signatures[k])),
                "mean": cell(table.means[k]),
                "mean_rank": table.ranks[k],
                "sets": [cell(verdict) for verdict in table.cells[k]],
                "better_worse_neither": {
                    name: table.tally(k, b) for b, name in enumerate(table.baselines) if name != label
                },
            }
            for k, label in enumerate(table.labels)
        ],
        "notes": table.notes,
    }


def _json(tables: Sequence[Agreement]) -> str:
    return orjson.dumps([as_data(t) for t in tables], option=orjson.OPT_INDENT_2).decode() + "\n"


def _latex(tables: Sequence[Agreement]) -> str:
    return "\n".join(_one_latex(table) for table in tables)


def _one_latex(table: Agreement) -> str:
    heads = [latex_text(column.pair) for column in table.columns]
    lines = [
        f"% {table.level} level; {', '.join(dict.fromkeys(c.measure for c in table.columns))}",
        f"% columns: {'; '.join(column.name for column in table.columns)}",
        *([f"% {_key(table)}, {table.samples} samples, seed {table.seed}"] if table.baselines else []),
        *(f"% {note}" for note in table.notes),
        *(
            f"% {label}: {s}"
            for label, some in zip(table.labels, table.signatures, strict=True)
            for s in set(some)
        ),
        r"\begin{tabular}{l" + "r" * (len(heads) + 2) + "}",
        r"\toprule",
        " & ".join(["", *heads, "mean", "rank"]) + r" \\",
        r"\midrule",
    ]
    for k, label in enumerate(table.labels):
        cells = [*table.cells[k], table.means[k]]
        shown = [f"${_shown(c)}$" if c.value is not None else "--" for c in cells]
        signs = [f"$^{{{marks(c).strip()}}}$" if marks(c).strip() else "" for c in cells]
        rank = table.ranks[k]
        row = [a + b for a, b in zip(shown, signs, strict=True)]
        lines.append(" & ".join([latex_text(label), *row, "--" if rank is None else f"{rank:.2f}"]) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"
