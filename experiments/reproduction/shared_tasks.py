"""Appendix A and table 5.2 of the thesis: BEER as it took part in WMT, and pairs that WMT13 lacks here."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.reproduction.beer import trained
from experiments.reproduction.judged import JudgedData, Row, full, means, show, table
from experiments.reproduction.published import (
    OUTWARD,
    OUTWARD_SPEARMAN,
    OUTWARD_TAU,
    PARAPHRASES,
    WMT12_PAIRS,
    WMT14_PAIRS,
    WMT14_TAU,
    WMT15_PAIRS,
    WMT15_SYSTEMS,
    WMT15_TAU,
)
from wordorder.errors import BadSetting
from wordorder.judge.task import Level
from wordorder.learn.beer_recipes import RECIPES
from wordorder.metrics.beer.trained_model import read_model
from wordorder.metrics.registry import metric_names
from wordorder.metrics.segments import Matching

BEFORE_2015 = ("wmt12-rr", "wmt13-rr", "wmt14-rr")


def rows_of(names: Sequence[str], columns: Sequence[Sequence[float | None]]) -> list[Row]:
    """Make one row per name: its values, and the mean of those that are defined."""
    rows: list[Row] = []
    for name, values in zip(names, columns, strict=True):
        known = [value for value in values if value is not None]
        rows.append([name, *map(show, values), show(float(np.mean(known)) if known else None)])
    return rows


def judged_rows(
    data: JudgedData, name: str, pairs: Sequence[str], specs: dict[str, str], level: Level = "segment"
) -> list[Row]:
    """Judge metrics on some pairs of a year."""
    sets = data.sets(name, pairs=pairs)
    judged = data.judge(sets, list(specs.values()), level=level, samples=0)
    return rows_of(list(specs), [[cell.value for cell in cells] for cells in judged.cells])


def others() -> dict[str, str]:
    """List metrics to compare with: METEOR where it is among the metrics, and chrF."""
    return {**({"METEOR": "meteor"} if "meteor" in metric_names() else {}), "chrF": "chrf", "BLEU": "bleu"}


def published(figures: dict[str, tuple[float | None, ...]]) -> list[Row]:
    """Make the rows of published figures."""
    return rows_of([f"{name}, published" for name in figures], list(figures.values()))


def wmt14_table(data: JudgedData) -> dict[str, str]:
    """Make table A.2: BEER 0.1, which learns from WMT13 alone."""
    with tempfile.TemporaryDirectory() as folder:
        specs = {"BEER 0.1": trained(data, Path(folder) / "0.1", RECIPES["0.1"], ["wmt13-rr"])[0], **others()}
        rows = judged_rows(data, "wmt14-rr", WMT14_PAIRS, specs)
    return {"wmt14": table([["", *WMT14_PAIRS, "mean"], *published({**WMT14_TAU}), *rows])}


def paraphrase_table(data: JudgedData) -> dict[str, str]:
    """Make table 5.2: BEER 0.1 with and without paraphrases on WMT12, learned from WMT13."""
    recipe, inward = RECIPES["0.1"], [pair for pair in WMT12_PAIRS if pair.endswith("-en")]
    learned, match = ["wmt13-rr"], "exact+stem+paraphrase"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        plain, _ = trained(data, home / "plain", recipe, learned)
        specs = {"BEER 0.1 without paraphrases": plain}
        try:
            _ = Matching(match=match).matcher.signature_part
        except BadSetting as error:
            print(f"without paraphrases: {error}", file=sys.stderr)
        else:
            more = " paraphrase.p paraphrase.r paraphrase.f1"
            with_table = recipe.with_settings(templates=recipe.templates + more, match=match)
            specs["BEER 0.1 with paraphrases"], _ = trained(data, home / "table", with_table, learned)
        rows = judged_rows(data, "wmt12-rr", WMT12_PAIRS, {"BEER 0.1 without paraphrases": plain, **others()})
        into = judged_rows(data, "wmt12-rr", inward, specs)
    for row in into[1:]:  # there is a table for English alone
        rows.insert(0, [*row[:-1], *["–"] * (len(WMT12_PAIRS) - len(inward)), row[-1]])
    return {
        "paraphrases": table([["", *WMT12_PAIRS, "mean"], *published({**PARAPHRASES}), *rows]),
        "plain_inward": str(into[0][-1]),
        "paraphrases_inward": str(into[-1][-1]),
    }


def wmt15_tables(data: JudgedData) -> dict[str, str]:
    """Make tables A.3 to A.6: BEER 1.1 and its neighbours, learned from WMT12 to WMT14."""
    texts = {}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        first, _ = trained(data, home / "0.1", RECIPES["0.1"], BEFORE_2015)
        second, _ = trained(data, home / "1.1", RECIPES["1.1"], BEFORE_2015)
        scaled = RECIPES["1.1"].with_settings(scaled=True)
        fitted, _ = trained(data, home / "scaled", scaled, (*BEFORE_2015, "wmt13-da"))
        scale = read_model(str(home / "scaled")).output.a
        written, _ = trained(data, home / "none", RECIPES["1.1"].with_settings(tokenize="none"), BEFORE_2015)
        sentence = {
            "BEER 0.1": first,
            "BEER 1.1": second,
            "BEER 1.1, not tokenised": written,
            **others(),
        }
        systems = {
            "BEER 0.1: mean of scores": first,
            "BEER 1.0: score of mean features": f"{first},corpus=features",
            "BEER 1.1: mean of scores": second,
            "BEER 1.1, not tokenised: mean of scores": written,
            "BEER 1.1: score of mean features": f"{second},corpus=features",
            f"BEER 1.1: mean of scores, a = {scale:g}": fitted,
            **others(),
        }
        inward, outward = WMT15_PAIRS[:5], WMT15_PAIRS[5:]
        levels: tuple[Level, ...] = ("segment", "system")
        for level, specs, figures in zip(
            levels, (sentence, systems), (WMT15_TAU, WMT15_SYSTEMS), strict=True
        ):
            for key, pairs, part in (("in", inward, slice(0, 5)), ("out", outward, slice(5, 10))):
                known = {
                    name: values[part] for name, values in figures.items() if values[part][0] is not None
                }
                rows = judged_rows(data, "wmt15-rr", pairs, specs, level)
                texts[f"wmt15_{level}_{key}"] = table([["", *pairs, "mean"], *published(known), *rows])
        german = {str(row[0]): str(row[1 + outward.index("en-de")]) for row in rows}
        texts["tokenised_german"] = german["BEER 1.1: mean of scores"]
        texts["written_german"] = german["BEER 1.1, not tokenised: mean of scores"]
    return texts


def treepel_table(data: JudgedData) -> dict[str, str]:
    """Compare Treepel with BEER 1.1, both learned from WMT12 to 14 into English, by their cards."""
    with tempfile.TemporaryDirectory() as folder:
        pairs = sorted({each.pair for each in data.sets(*BEFORE_2015) if each.pair.endswith("-en")})
        spec, _ = trained(data, Path(folder) / "1.1", RECIPES["1.1"], BEFORE_2015, pairs)
        rows = judged_rows(data, "wmt15-rr", WMT15_PAIRS[:5], {"BEER 1.1, into English": spec})
    card = read_model(version="treepel").card
    return {"inward_11": str(rows[0][-1]), "treepel": show(card["held_out"]["2015"])}


def outward_tables(data: JudgedData) -> dict[str, str]:
    """Show ordering scores out of English, on WMT12 and WMT15 in place of WMT13."""
    sets = [each for each in data.sets("wmt12-rr", "wmt15-rr") if each.pair.startswith("en-")]
    texts = {}
    for key, figures, lexical, level, measure in (
        ("tau", OUTWARD_TAU, "bleu1", "segment", "tau:ties=dropped"),
        ("systems", OUTWARD_SPEARMAN, "f1", "system", "spearman"),
    ):
        specs = [full(name, lexical=lexical) for name in figures]
        judged = data.judge(sets, specs, level=level, measure=measure, samples=0)  # type: ignore[arg-type]
        head = [f"{pair}, published" for pair in OUTWARD] + [f"{each.pair} {each.year}" for each in sets]
        rows: list[Row] = [["", *head, "mean of ours"]]
        for name, cells, mean in zip(figures, judged.cells, means(judged), strict=True):
            rows.append([name, *map(show, figures[name]), *(show(cell.value) for cell in cells), show(mean)])
        texts[f"outward_{key}"] = table(rows)
    return texts
