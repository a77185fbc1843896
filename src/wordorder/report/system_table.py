"""Tables of systems and metrics: text, TSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from wordorder.engine.score_texts import Cell, ScoredBlock, SystemStats
from wordorder.io.lines import counted
from wordorder.metrics.text import TextMetric, labels
from wordorder.report.order_scores import describe
from wordorder.report.table import text_table


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that a table of systems shows."""

    systems: Sequence[SystemStats]
    metrics: Sequence[TextMetric]
    cells: Sequence[Sequence[Cell]]
    segments: int
    references: int
    samples: int
    seed: int
    paired: str | None


def system_report(model: Comparison, output: str) -> bytes:
    """Write the table in one of the forms."""
    writers = {"text": _text, "tsv": _tsv, "json": _json, "latex": _latex}
    return writers[output](model).encode("utf-8")


def marks(cell: Cell, first: Cell, metric: TextMetric) -> str:
    """Marks of significance against the first system, with their direction: ``+**`` is better."""
    if cell.p_value is None or cell.p_value >= 0.05:
        return ""
    better = (cell.score > first.score) == metric.higher_is_better
    return ("+" if better else "-") + ("**" if cell.p_value < 0.01 else "*")


def _decimals(metric: TextMetric) -> int:
    return 1 if metric.range[1] == 100 or metric.name == "ter" else 3


def _shown(cell: Cell, metric: TextMetric) -> str:
    digits = _decimals(metric)
    text = f"{cell.score:.{digits}f}"
    if cell.interval:
        text += f" [{cell.interval.low:.{digits}f}, {cell.interval.high:.{digits}f}]"
    return text


def _text(model: Comparison) -> str:
    names = zip(labels(model.metrics), model.metrics, strict=True)
    rows = [["", *(name + ("" if m.higher_is_better else " ↓") for name, m in names)]]
    for system, cells in zip(model.systems, model.cells, strict=True):
        shown = [
            f"{_shown(c, m)} {marks(c, first, m)}".rstrip()
            for c, first, m in zip(cells, model.cells[0], model.metrics, strict=True)
        ]
        rows.append([system.name, *shown])
    lines = [text_table(rows, left=len(rows[0]))]
    notes = [f"{counted(model.segments, 'segment')}, {counted(model.references, 'reference')}"]
    for system in model.systems:
        if system.empty:
            empty = counted(system.empty, "empty hypothesis", "empty hypotheses")
            notes.append(f"{system.name}: {empty}")
    if any(not m.higher_is_better for m in model.metrics):
        notes.append("↓ lower is better")
    lines.append(" · ".join(notes) + "\n")
    if model.samples > 1:
        lines.append(f"[ ] 95 % bootstrap interval, {model.samples} samples, seed {model.seed}\n")
    if model.paired and len(model.systems) > 1:
        first = model.systems[0].name
        how = f"paired {model.paired}, {model.samples} samples, seed {model.seed}"
        lines.append(f"+ better, - worse than {first}: * p < 0.05, ** p < 0.01 ({how})\n")
    lines += [f"{m.signature_for(model.references)}\n" for m in model.metrics]
    return "".join(lines)


def _tsv(model: Comparison) -> str:
    rows = [["system", "metric", "score", "low", "high", "p_value", "segments", "signature"]]
    names = labels(model.metrics)
    for system, cells in zip(model.systems, model.cells, strict=True):
        for name, m, cell in zip(names, model.metrics, cells, strict=True):
            low, high = (cell.interval.low, cell.interval.high) if cell.interval else (None, None)
            numbers = [cell.score, low, high, cell.p_value]
            shown = ["" if x is None else repr(x) for x in numbers]
            signature = m.signature_for(model.references)
            rows.append([system.name, name, *shown, str(model.segments), signature])
    return "".join("\t".join(row) + "\n" for row in rows)


def as_data(model: Comparison) -> dict[str, Any]:
    """The table as plain data."""
    names = labels(model.metrics)
    return {
        "segments": model.segments,
        "references": model.references,
        "samples": model.samples,
        "seed": model.seed,
        "paired": model.paired,
        "metrics": [
            {**describe(m, name), "signature": m.signature_for(model.references)}
            for name, m in zip(names, model.metrics, strict=True)
        ],
        "systems": [
            {
                "name": system.name,
                "empty": system.empty,
                "scores": {
                    name: {
                        "score": cell.score,
                        "low": cell.interval.low if cell.interval else None,
                        "high": cell.interval.high if cell.interval else None,
                        "p_value": cell.p_value,
                    }
                    for name, cell in zip(names, cells, strict=True)
                },
            }
            for system, cells in zip(model.systems, model.cells, strict=True)
        ],
    }


def _json(model: Comparison) -> str:
    return orjson.dumps(as_data(model), option=orjson.OPT_INDENT_2).decode() + "\n"


_LATEX = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"
}  # fmt: skip


def latex_text(text: str) -> str:
    r"""Text that LaTeX prints as it is.

    A ``[`` at the beginning would be taken for an option of the ``\\`` before it.

    >>> print(latex_text(r"[a]_^\~"))
    {[}a]\_\textasciicircum{}\textbackslash{}\textasciitilde{}
    """
    text = "".join(_LATEX.get(c, c) for c in text)
    return "{[}" + text[1:] if text.startswith("[") else text


def _latex(model: Comparison) -> str:
    names = zip(labels(model.metrics), model.metrics, strict=True)
    heads = [latex_text(name) + ("" if m.higher_is_better else r" $\downarrow$") for name, m in names]
    lines = [
        *(f"% {m.signature_for(model.references)}" for m in model.metrics),
        r"\begin{tabular}{l" + "r" * len(heads) + "}",
        r"\toprule",
        " & ".join(["", *heads]) + r" \\",
        r"\midrule",
    ]
    for system, cells in zip(model.systems, model.cells, strict=True):
        shown = [latex_text(system.name)]
        for m, cell, first in zip(model.metrics, cells, model.cells[0], strict=True):
            signs = marks(cell, first, m)
            shown.append(f"${_shown(cell, m)}{f'^{{{signs}}}' if signs else ''}$")
        lines.append(" & ".join(shown) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def segment_report(
    names: Sequence[str],
    metrics: Sequence[TextMetric],
    references: int,
    blocks: Iterable[ScoredBlock],
    output: str,
) -> Iterator[bytes]:
    """One row or record a segment and system, piece by piece."""
    columns = labels(metrics)
    if output == "json":
        heads = [
            {**describe(m, name), "signature": m.segment_signature_for(references)}
            for name, m in zip(columns, metrics, strict=True)
        ]
        yield b'{"metrics":' + orjson.dumps(heads) + b',"segments":[\n'
    elif output == "tsv":
        yield "\t".join(["system", "segment", *columns]).encode() + b"\n"
    else:
        widths = [max(len(name), 8) for name in columns]
        wide = max(len(name) for name in [*names, "system"])
        heads_text = [name.rjust(width) for name, width in zip(columns, widths, strict=True)]
        yield "  ".join(["system".ljust(wide), " segment", *heads_text]).encode() + b"\n"
    comma = b""
    for block in blocks:
        for name, scores in zip(names, block.scores, strict=True):
            for number, *values in zip(block.numbers, *(c.tolist() for c in scores), strict=True):
                if output == "json":
                    record = {"system": name, "segment": number, **dict(zip(columns, values, strict=True))}
                    yield comma + orjson.dumps(record)
                    comma = b",\n"
                elif output == "tsv":
                    yield "\t".join([name, str(number), *map(repr, values)]).encode() + b"\n"
                else:
                    cells = [f"{v:{w}.4f}" for v, w in zip(values, widths, strict=True)]
                    yield "  ".join([name.ljust(wide), f"{number:8d}", *cells]).encode() + b"\n"
    if output == "json":
        yield b"\n]}\n"
    elif output == "text":
        yield "".join(f"{m.segment_signature_for(references)}\n" for m in metrics).encode()
