"""The tables of the papers: sentence level, system level, and consistency."""

from __future__ import annotations

import numpy as np

from experiments.reproduction.judged import METEOR, JudgedData, Row, full, matchers, means, show, table
from experiments.reproduction.published import (
    CONSISTENCY,
    PAIRS,
    SENTENCE_TAU,
    SENTENCE_TAU_GAMMA,
    SYSTEM_SPEARMAN,
    SYSTEM_SPEARMAN_BLEU,
    SYSTEM_TESTS,
)
from wordorder.judge.agreement import Agreement
from wordorder.judge.task import Test
from wordorder.learn.settings import curve, learn_settings
from wordorder.metrics.registry import metric

LRSCORES = {
    "LR-HB1": "lrscore:order=hamming,bleu=1",
    "LR-HB4": "lrscore:order=hamming,bleu=4",
    "LR-KB1": "lrscore:order=kendall,bleu=1",
    "LR-KB4": "lrscore:order=kendall,bleu=4",
}
ORDERS = list(SENTENCE_TAU)
MEASURE = "tau:ties=dropped"  # of the 2014 paper
FLAT = ("hamming", "kendall", "spearman", "fuzzy", "ulam")


def sentence_tables(data: JudgedData) -> dict[str, str]:
    """Make tables 2, 3 and 5 of the 2014 paper, with several matchers."""
    sets = data.sets("wmt13-rr", pairs=PAIRS)
    rows: list[Row] = [["", "", *PAIRS, "mean", "mean rank"], *_published_rows()]
    published = [float(np.mean(SENTENCE_TAU[order])) for order in ORDERS]
    summary: list[Row] = [["matcher", *ORDERS, "best", "recpef against kendall"]]
    summary.append(["published", *(show(tau, 4) for tau in published), ORDERS[int(np.argmax(published))], ""])
    specs = [full(order, lexical="bleu1") for order in ORDERS]
    for matcher, matching in matchers().items():
        judged = data.judge(sets, specs, matching=matching, measure=MEASURE, against=specs[:1])
        if matcher in ("exact", METEOR):
            for k, name in enumerate(ORDERS):
                cells = [show(cell.value) for cell in judged.cells[k]]
                rows.append([matcher, name, *cells, show(judged.means[k].value), f"{judged.ranks[k]:.2f}"])
        values = means(judged)
        p = judged.means[ORDERS.index("recpef")].p_values[0]
        best = ORDERS[int(np.argmax(values))]
        summary.append([matcher, *(show(value, 4) for value in values), best, f"p = {p:.3f}"])
    gamma: list[Row] = [["", *PAIRS]]
    specs = [full(name, lexical="bleu1") for name in SENTENCE_TAU_GAMMA]
    judged = data.judge(sets, specs, measure=MEASURE, samples=0)
    for (name, taus), cells_ in zip(SENTENCE_TAU_GAMMA.items(), judged.cells, strict=True):
        gamma.append([f"{name}, published", *map(show, taus)])
        gamma.append([f"{name}, ours", *(show(cell.value) for cell in cells_)])
    return {
        "sentence_table": table(rows),
        "matcher_table": table(summary),
        "gamma_table": table(gamma),
    }


def _published_rows() -> list[Row]:
    """Return the published taus with their mean ranks; equal taus share a rank."""
    columns = np.array(list(SENTENCE_TAU.values())).T
    ranks = [[(c > tau).sum() + ((c == tau).sum() + 1) / 2 for tau in c] for c in columns]
    rows: list[Row] = []
    for (name, taus), rank in zip(SENTENCE_TAU.items(), np.mean(ranks, axis=0), strict=True):
        rows.append(["published", name, *map(show, taus), show(float(np.mean(taus))), f"{rank:.2f}"])
    return rows


def system_tables(data: JudgedData) -> dict[str, str]:
    """Make tables 2 and 3 of the 2016 paper."""
    sets = data.sets("wmt13-rr", pairs=PAIRS)
    names = list(SYSTEM_SPEARMAN)
    specs = [*(full(name) for name in names), "bleu"]
    baselines = [full(name) for name in FLAT]
    best_matcher = METEOR if METEOR in matchers() else "exact"

    def judge(matcher: str, test: Test) -> Agreement:
        matching = matchers()[matcher]
        return data.judge(
            sets, specs, matching=matching, level="system", measure="spearman", against=baselines, test=test
        )

    rows: list[Row] = [["", "", *PAIRS]]
    rows += [["published", name, *map(show, values)] for name, values in SYSTEM_SPEARMAN.items()]
    rows.append(["published", "BLEU", *map(show, SYSTEM_SPEARMAN_BLEU)])
    judged = {matcher: judge(matcher, "t-test") for matcher in dict.fromkeys(("exact", best_matcher))}
    for matcher, result in judged.items():
        for name, cells in zip([*names, "BLEU"], result.cells, strict=True):
            halves = [((cell.high or 0) - (cell.low or 0)) / 2 for cell in cells]
            intervals = zip(cells, halves, strict=True)
            rows.append([matcher, name, *(f"{show(cell.value)} ± {half:.3f}" for cell, half in intervals)])
    tally: list[Row] = [["test", "", *FLAT]]
    tally += [["published, 10 pairs", name, *counts] for name, counts in SYSTEM_TESTS.items()]
    tests = {
        "t-test, 4 pairs": judged[best_matcher],
        "paired bootstrap, 4 pairs": judge(best_matcher, "bootstrap"),
    }
    significant = []
    for title, result in tests.items():
        counts = {
            name: [result.tally(names.index(name), b) for b in range(len(FLAT))] for name in SYSTEM_TESTS
        }
        tally += [[title, name, *("/".join(map(str, c)) for c in row)] for name, row in counts.items()]
        significant.append(sum(won + lost for row in counts.values() for won, lost, _ in row))
    return {
        "system_table": table(rows),
        "tally_table": table(tally),
        "system_matcher": best_matcher,
        "tests": str(len(SYSTEM_TESTS) * len(FLAT) * len(PAIRS)),
        "tests_t": str(significant[0]),
        "tests_bootstrap": str(significant[1]),
    }


def consistency_table(data: JudgedData) -> dict[str, str]:
    """Make table 2 of the 2010 paper, on WMT12."""
    pairs = ("de-en", "es-en", "fr-en", "cs-en")
    rows: list[Row] = [["", "", *pairs]]
    for name, published in CONSISTENCY.items():
        rows.append(["published (WMT09)", name, *(show(value, 2) for value in published)])
    measure = "consistency:ties=wrong"
    bleu = data.judge(data.sets("wmt12-rr", pairs=pairs), ["lrscore:alpha=0"], measure=measure, samples=0)
    rows.append(["ours (WMT12)", "bleu4", *(show(cell.value, 2) for cell in bleu.cells[0])])
    years = data.sets("wmt12-rr", "wmt13-rr", "wmt14-rr")
    for name, spec in LRSCORES.items():
        own: list[float] = []
        other_years: list[float | None] = []
        for pair in pairs:
            sets = [judgments for judgments in years if judgments.pair == pair]
            first = [judgments for judgments in sets if judgments.year == 2012]
            _, values = curve(metric(spec), "alpha", first, data.scorer, measure=measure, points=101)
            own.append(max(value for value in values if value is not None))
            if len({judgments.year for judgments in sets}) > 1:
                learned = learn_settings(metric(spec), ["alpha"], sets, data.scorer, measure=measure)
                other_years.append(next(fold.value for fold in learned.folds if fold.held_out == "2012"))
            else:
                other_years.append(None)
        rows.append(["ours, alpha of the pair itself", name, *(show(value, 2) for value in own)])
        rows.append(["ours, alpha of WMT13 and 14", name, *(show(value, 2) for value in other_years)])
    return {"consistency_table": table(rows)}
