"""Choices that the papers leave open: how far they move the figures, compared with the ordering score."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from experiments.reproduction.judged import (
    METEOR,
    RANKED,
    RATED,
    JudgedData,
    Row,
    full,
    matchers,
    means,
    show,
    table,
)
from experiments.reproduction.published import PAIRS
from wordorder.judge.judgments import Judgments
from wordorder.judge.task import Level
from wordorder.metrics.segments import Matching

CHOICE_ORDERS = ["kendall", "spearman", "hamming", "fuzzy", "ulam", "recpef", "recpet", "recpet/tree=right"]
CONTROLS: dict[str, dict[str, object]] = {
    "lexical part alone": {"alpha": 1},
    "ordering held at 1": {},
    "ordering held at 1, no penalty": {"brevity": "none"},
}


def plans(lexical: str) -> list[tuple[str, Matching, dict[str, object]]]:
    """List choices that the papers leave open, changed one at a time."""
    base: dict[str, object] = {"lexical": lexical}
    other = "f1" if lexical == "bleu1" else "bleu1"
    return [
        (f"{lexical}, penalty, exact matching", Matching(), base),
        (f"{other} as lexical part", Matching(), {"lexical": other}),
        ("no brevity penalty", Matching(), {**base, "brevity": "none"}),
        *((f"{name} matching", matching, base) for name, matching in list(matchers().items())[1:]),
        ("cased words", Matching(lowercase=False), base),
        ("alpha 0.3", Matching(), {**base, "alpha": 0.3}),
        ("alpha 0.7", Matching(), {**base, "alpha": 0.7}),
    ]


def controls(lexical: str) -> list[str]:
    """Return the specs of the controls: metrics without an ordering score."""
    return [full("none", lexical=lexical, **settings) for settings in CONTROLS.values()]


def matched_words() -> list[str]:
    """Name the matchers with which matched words are shown as the lexical part."""
    return [name for name in ("exact+stem", METEOR) if name in matchers()]


def choices(
    data: JudgedData, sets: Sequence[Judgments], lexical: str, level: Level, measure: str
) -> dict[str, str]:
    """Show how far choices and the ordering score move the mean figures, and some controls."""

    def judge(specs: list[str], matching: Matching | None = None) -> list[float]:
        return means(data.judge(sets, specs, matching=matching, level=level, measure=measure, samples=0))

    rows: list[Row] = [["choice", *CHOICE_ORDERS, "spread"]]
    columns = []
    for name, matching, settings in plans(lexical):
        columns.append(judge([full(order, **settings) for order in CHOICE_ORDERS], matching))
        rows.append([name, *map(show, columns[-1]), show(max(columns[-1]) - min(columns[-1]))])
    values = np.array(columns)
    across = np.ptp(values, axis=0)
    rows.append(["spread over choices", *map(show, across), ""])
    held = judge(controls(lexical))
    for name, value in zip(CONTROLS, held, strict=True):
        rows.append([f"control: {name}", show(value), *[""] * len(CHOICE_ORDERS)])
    for name in matched_words():
        specs = [full(order, lexical=f"matched-{lexical}") for order in CHOICE_ORDERS]
        counted = judge(specs, matchers()[name])
        spread = show(max(counted) - min(counted))
        rows.append([f"control: {name}, matched-{lexical}", *map(show, counted), spread])
    inner = [k for k, order in enumerate(CHOICE_ORDERS) if order != "hamming"]
    return {
        "table": table(rows),
        **{f"choice_{name}": show(value) for name, value in zip(CHOICE_ORDERS[:7], columns[0], strict=False)},
        "control_alone": show(held[0]),
        "control_held": show(held[1]),
        "spread_orders": f"{np.ptp(values, axis=1).mean():.3f}",
        "spread_orders_inner": f"{np.ptp(values[:, inner], axis=1).mean():.3f}",
        "spread_choices": f"{across.mean():.3f}",
    }


def choices_table(data: JudgedData) -> dict[str, str]:
    """Show choices at both levels on WMT13, and over all years into English."""
    sets = data.sets("wmt13-rr", pairs=PAIRS)
    texts = choices(data, sets, "bleu1", "segment", "tau:ties=dropped")
    texts["choices_table"] = texts.pop("table")
    texts["choices_systems"] = choices(data, sets, "f1", "system", "spearman")["table"]
    names = (*RANKED, *RATED)
    english = [[one for one in data.sets(name) if one.pair.endswith("-en")] for name in names]
    orders = ["kendall", "ulam", "recpef"]
    rows: list[Row] = [["choice", "", *names]]
    for name, matching, settings in plans("f1"):
        specs = [full(order, **settings) for order in orders]
        columns = [means(data.judge(year, specs, matching=matching, samples=0)) for year in english]
        for k, order in enumerate(orders):
            rows.append([name if k == 0 else "", order, *(show(column[k]) for column in columns)])
    columns = [means(data.judge(year, controls("f1"), samples=0)) for year in english]
    for k, name in enumerate(CONTROLS):
        rows.append([f"control: {name}", "", *(show(column[k]) for column in columns)])
    for name in matched_words():
        specs = [full(order, lexical="matched-f1") for order in orders]
        columns = [means(data.judge(year, specs, matching=matchers()[name], samples=0)) for year in english]
        for k, order in enumerate(orders):
            label = f"control: {name}, matched-f1" if k == 0 else ""
            rows.append([label, order, *(show(column[k]) for column in columns)])
    texts["choices_years"] = table(rows)
    return texts
