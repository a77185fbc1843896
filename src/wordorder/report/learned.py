"""What was learned from judgments: text, TSV, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import orjson

from wordorder.judge.learn import Learned
from wordorder.report.table import latex_text, text_table


def learned_report(found: Sequence[Learned], output: str) -> bytes:
    """Write what was learned in one of the forms."""
    writers = {"text": _text, "tsv": _tsv, "json": _json, "latex": _latex}
    return writers[output](found).encode("utf-8")


def _rows(found: Sequence[Learned]) -> list[list[str]]:
    keys = list(found[0].settings)
    rows = [["metric", "held out", *keys, "as given", "learned", "best there"]]
    for one in found:
        for fold in one.folds:
            settings = [f"{fold.learned[key]:.3f}" for key in keys]
            values = [f"{value:.4f}" for value in (fold.usual, fold.value, fold.best)]
            rows.append([one.spec, str(fold.year), *settings, *values])
        n = len(one.folds)
        means = [sum(getattr(fold, name) for fold in one.folds) / n for name in ("usual", "value", "best")]
        rows.append([one.spec, "mean", *("" for _ in keys), *(f"{value:.4f}" for value in means)])
    return rows


def _text(found: Sequence[Learned]) -> str:
    first = found[0]
    lines = [text_table(_rows(found), left=2)]
    lines.append(
        f"{first.measure}, mean over the sets of a year; learned on the other years by hill climbing "
        f"({first.restarts} restarts, seed {first.seed})\n"
        "best there: the highest that these settings reach on that very year, no result\n"
    )
    for one in found:
        settings = ",".join(f"{key}={value:g}" for key, value in one.settings.items())
        lines.append(f"{one.spec}, learned on all years: {settings}\n")
    return "".join(lines)


def _tsv(found: Sequence[Learned]) -> str:
    return "".join("\t".join(row) + "\n" for row in _rows(found))


def _json(found: Sequence[Learned]) -> str:
    return orjson.dumps([asdict(one) for one in found], option=orjson.OPT_INDENT_2).decode() + "\n"


def _latex(found: Sequence[Learned]) -> str:
    head, *rows = _rows(found)
    lines = [r"\begin{tabular}{ll" + "r" * (len(head) - 2) + "}", r"\toprule"]
    lines += [" & ".join(map(latex_text, head)) + r" \\", r"\midrule"]
    lines += [" & ".join(map(latex_text, row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"
