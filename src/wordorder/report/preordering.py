"""Scores of preorderers: text, TSV, JSON."""

from __future__ import annotations

import orjson

from wordorder.evaluate.preordering import IDENTITY, Cell, Evaluation, Scored
from wordorder.io.lines import counted
from wordorder.report.table import text_table


def evaluation_report(found: Evaluation, output: str) -> bytes:
    """Write the scores in one of the forms."""
    if output == "json":
        return orjson.dumps(found.as_dict(), option=orjson.OPT_INDENT_2) + b"\n"
    return (_tsv(found) if output == "tsv" else _text(found)).encode("utf-8")


def _text(found: Evaluation) -> str:
    pieces = []
    for scored in found.variants:
        rows = [["", *scored.variant.scores]]
        still = scored.cells[IDENTITY]
        for name, cells in scored.cells.items():
            rows.append([name, *(_shown(cell, still[score]) for score, cell in cells.items())])
        left = f", {scored.left_out:,} left out" if scored.left_out else ""
        head = f"{scored.variant.name}: {scored.variant.about} ({counted(scored.used, 'sentence')}{left})\n"
        pieces.append(head + text_table(rows, left=len(rows[0])) + _pairs(scored) + f"{scored.signature}\n")
    notes = f"{counted(found.sentences, 'sentence')}, {counted(found.words, 'word')}\n"
    if found.samples > 1:
        notes += (
            f"[ ] 95 % bootstrap interval; + better, - worse than no reordering: * p < 0.05, ** p < 0.01"
            f" (paired bootstrap, {found.samples} samples, seed {found.seed})\n"
        )
    return "\n".join([*pieces, notes])


def _shown(cell: Cell, still: Cell) -> str:
    text = f"{cell.score:.4f}"
    if cell.interval:
        text += f" [{cell.interval.low:.4f}, {cell.interval.high:.4f}]"
    if cell.p_identity is not None and cell.p_identity < 0.05:
        text += (" +" if cell.score > still.score else " -") + ("**" if cell.p_identity < 0.01 else "*")
    return text


def _pairs(scored: Scored) -> str:
    """The p-values between systems, where there are several."""
    names = [name for name in scored.cells if name != IDENTITY]
    if len(names) < 2 or not scored.p_values[scored.variant.scores[0]]:
        return ""
    rows = [["p-values", *scored.variant.scores]]
    for b, other in enumerate(names):
        for one in names[:b]:
            values = [f"{scored.p_values[score][one, other]:.4f}" for score in scored.variant.scores]
            rows.append([f"{one} / {other}", *values])
    return text_table(rows, left=1)


def _tsv(found: Evaluation) -> str:
    lines = [
        ["variant", "system", "score", "value", "low", "high", "p_identity", "used", "left_out", "signature"]
    ]
    for scored in found.variants:
        for name, cells in scored.cells.items():
            for score, cell in cells.items():
                low, high = (cell.interval.low, cell.interval.high) if cell.interval else (None, None)
                numbers = ["" if x is None else repr(x) for x in (cell.score, low, high, cell.p_identity)]
                facts = [str(scored.used), str(scored.left_out), scored.signature]
                lines.append([scored.variant.name, name, score, *numbers, *facts])
    return "".join("\t".join(line) + "\n" for line in lines)
