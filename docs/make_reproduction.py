"""Write docs/reproduction.md: the papers' experiments on real judgments, with our figures beside theirs.

``python docs/make_reproduction.py FOLDER`` reads the tables of judgments in FOLDER (wmt12-rr, wmt13-rr, ...),
computes everything and writes the page and its pictures. The text is docs/cards/reproduction.template.
METEOR's stages are included where WordNet and a paraphrase table are found.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from wordorder.draw.chart import Series, line_chart, scaled_chart
from wordorder.engine.threads import available_threads
from wordorder.errors import BadSetting
from wordorder.judge.agreement import Agreement, agree
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores, Scorer
from wordorder.judge.read import read_judgments
from wordorder.judge.score_cache import ScoreCache, default_folder
from wordorder.judge.task import Level, Task, Test
from wordorder.learn.settings import LearnedSettings, curve, learn_settings
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import metric, parse_metrics
from wordorder.metrics.segments import Matching

HERE = Path(__file__).parent
PAGE = HERE / "reproduction.md"
TEMPLATE = HERE / "cards" / "reproduction.template"
RANKED = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
RATED = ("wmt17-da", "wmt21-da", "wmt21-mqm")
PAIRS = ("cs-en", "es-en", "de-en", "fr-en")
SAMPLES = 1000

# Stanojević and Sima'an (2014), table 2 and table 5: sentence-level Kendall tau, WMT13 into English.
TABLE_2 = {
    "kendall": (0.196, 0.265, 0.235, 0.223),
    "spearman": (0.199, 0.265, 0.236, 0.222),
    "hamming": (0.172, 0.239, 0.215, 0.206),
    "fuzzy": (0.184, 0.263, 0.228, 0.216),
    "ulam": (0.188, 0.264, 0.232, 0.221),
    "recpef": (0.201, 0.265, 0.237, 0.228),
    "recpet": (0.200, 0.264, 0.234, 0.221),
}
TABLE_5 = {
    "recpef": (0.201, 0.265, 0.237, 0.228),
    "recpef/gamma=0.5": (0.201, 0.264, 0.235, 0.227),
    "recpet": (0.200, 0.264, 0.234, 0.221),
    "recpet/gamma=0.5": (0.202, 0.263, 0.235, 0.224),
}
# Stanojević and Sima'an (2016), table 2: system-level Spearman, WMT13 into English (same order of pairs).
SYSTEM_2 = {
    "hamming": (0.878, 0.880, 0.851, 0.984),
    "kendall": (0.887, 0.831, 0.905, 0.969),
    "spearman": (0.881, 0.826, 0.905, 0.967),
    "fuzzy": (0.931, 0.889, 0.894, 0.977),
    "ulam": (0.909, 0.860, 0.895, 0.974),
    "pet_size": (0.895, 0.818, 0.918, 0.965),
    "pet_count": (0.878, 0.883, 0.786, 0.959),
    "max_operator": (0.895, 0.819, 0.921, 0.966),
}
SYSTEM_BLEU = (0.936, 0.879, 0.902, 0.993)
# Birch and Osborne (2010), table 2: consistency, WMT09 (de-en, es-en, fr-en, cz-en).
CONSISTENCY = {
    "bleu4": (58.72, 55.48, 57.71, 57.24),
    "LR-HB1": (60.37, 60.55, 58.59, 53.70),
    "LR-HB4": (60.49, 58.88, 58.80, 57.74),
    "LR-KB1": (60.67, 58.54, 58.46, 54.20),
    "LR-KB4": (61.07, 59.86, 58.59, 58.92),
}
LRSCORES = {
    "LR-HB1": "lrscore:order=hamming,bleu=1",
    "LR-HB4": "lrscore:order=hamming,bleu=4",
    "LR-KB1": "lrscore:order=kendall,bleu=1",
    "LR-KB4": "lrscore:order=kendall,bleu=4",
}
ORDERS = ["kendall", "spearman", "hamming", "fuzzy", "ulam", "recpef", "recpet"]
ALL_ORDERS = [*ORDERS, "footrule", "pet_size", "pet_count", "max_operator", "recpef/weights=learned"]


class Data:
    """The judgments, read once, and scores, kept on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.scorer = Scorer(cache=ScoreCache(default_folder()), processes=available_threads())

    @cache  # noqa: B019 (one object lives as long as the program)
    def read(self, name: str) -> list[Judgments]:
        """One folder."""
        return read_judgments(str(self.folder / name))

    def sets(self, *names: str, pairs: Sequence[str] | None = None) -> list[Judgments]:
        """Some folders; only some language pairs, in that order, if given."""
        found = [one for name in names for one in self.read(name)]
        if pairs is None:
            return found
        return [one for pair in pairs for one in found if one.pair == pair]

    def score(self, sets: Sequence[Judgments], metrics: Sequence[Metric]) -> list[list[MetricScores]]:
        """Scores, computed or kept."""
        start = time.monotonic()
        found = self.scorer(sets, metrics)
        took = time.monotonic() - start
        if took > 1:
            print(f"  {len(sets)} sets, {len(metrics)} metrics: {took:.0f} s", file=sys.stderr)
        return found

    def judge(
        self,
        sets: Sequence[Judgments],
        specs: Sequence[str],
        *,
        matching: Matching | None = None,
        level: Level = "segment",
        measure: str | None = None,
        against: Sequence[str] = (),
        test: Test = "bootstrap",
        samples: int = SAMPLES,
    ) -> Agreement:
        """Agreement of some metrics on some sets; labels are the specs as written here."""
        usual = Matching()
        shared = {
            key: value for key, value in vars(matching or usual).items() if value != getattr(usual, key)
        }
        scored = self.score(sets, parse_metrics(specs, shared))
        named = [
            [MetricScores(**{**vars(one), "label": spec}) for one, spec in zip(row, specs, strict=True)]
            for row in scored
        ]
        task = Task(level=level, measure=measure, baselines=tuple(against), test=test, samples=samples)
        return agree(task, sets, named)


def full(order: str, **settings: object) -> str:
    """The full metric of a paper around an ordering score."""
    extra = "".join(f",{key}={value}" for key, value in settings.items())
    return f"full:order={order}{extra}"


def table(rows: Sequence[Sequence[object]]) -> str:
    """Rows as a table of Markdown; the first is the head."""
    head, *rest = [[str(cell) for cell in row] for row in rows]
    lines = [head, ["---"] + ["--:"] * (len(head) - 1), *rest]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def show(value: float | None, digits: int = 3) -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def matchers() -> dict[str, Matching]:
    """Ways of matching, with METEOR's where its data are found."""
    found = {
        "exact": Matching(),
        "exact, METEOR's ties": Matching(match="exact@first"),
        "exact+stem": Matching(match="exact+stem"),
        "RIBES's": Matching(match="ribes"),
    }
    meteor = Matching(match="exact+stem+synonym+paraphrase")
    try:
        _ = meteor.matcher.signature_part
    except BadSetting as error:
        print(f"without METEOR's stages: {error}", file=sys.stderr)
    else:
        found["METEOR's four stages"] = meteor
    return found


def means(found: Agreement) -> list[float]:
    """The mean over sets of each metric; NaN where it is not defined."""
    return [cell.value if cell.value is not None else float("nan") for cell in found.means]


def sentence_tables(data: Data) -> dict[str, str]:
    """Table 2, 3 and 5 of the 2014 paper, by several matchers."""
    sets = data.sets("wmt13-rr", pairs=PAIRS)
    rows: list[list[object]] = [["", "", *PAIRS, "mean", "mean rank"]]
    theirs = np.array(list(TABLE_2.values()))
    ranks = np.array(
        [
            [(column > value).sum() + ((column == value).sum() + 1) / 2 for value in column]
            for column in theirs.T
        ]
    )
    for k, (name, values) in enumerate(TABLE_2.items()):
        rows.append(
            [
                "published",
                name,
                *(show(v) for v in values),
                show(np.mean(values)),
                f"{ranks[:, k].mean():.2f}",
            ]
        )
    summary: list[list[object]] = [["matcher", *ORDERS, "best", "recpef against kendall"]]
    published = dict(zip(ORDERS, [float(np.mean(TABLE_2[o])) for o in ORDERS], strict=True))
    summary.append(
        [
            "published",
            *(show(v, 4) for v in published.values()),
            max(published, key=published.__getitem__),
            "",
        ]
    )
    for how, matching in matchers().items():
        specs = [full(order, lexical="bleu1") for order in ORDERS]
        found = data.judge(sets, specs, matching=matching, measure="tau:ties=dropped", against=specs[:1])
        for k, name in enumerate(ORDERS):
            if how in ("exact", "METEOR's four stages"):
                cells = [show(cell.value) for cell in found.cells[k]]
                rows.append([how, name, *cells, show(found.means[k].value), f"{found.ranks[k]:.2f}"])
        values = means(found)
        p = found.means[ORDERS.index("recpef")].p_values[0]
        summary.append([how, *(show(v, 4) for v in values), ORDERS[int(np.argmax(values))], f"p = {p:.3f}"])
    gamma: list[list[object]] = [["", *PAIRS]]
    names = list(TABLE_5)
    found = data.judge(sets, [full(n, lexical="bleu1") for n in names], measure="tau:ties=dropped", samples=0)
    for k, name in enumerate(names):
        gamma.append([f"{name}, published", *(show(v) for v in TABLE_5[name])])
        gamma.append([f"{name}, ours", *(show(cell.value) for cell in found.cells[k])])
    return {"sentence_table": table(rows), "matcher_table": table(summary), "gamma_table": table(gamma)}


def system_tables(data: Data) -> dict[str, str]:
    """Tables 2 and 3 of the 2016 paper."""
    sets = data.sets("wmt13-rr", pairs=PAIRS)
    names = list(SYSTEM_2)
    specs = [full(name) for name in names]
    baselines = [full(name) for name in ("hamming", "kendall", "spearman", "fuzzy", "ulam")]
    all_ways = matchers()
    how = "METEOR's four stages" if "METEOR's four stages" in all_ways else "exact"
    rows: list[list[object]] = [["", "", *PAIRS]]
    for name, values in SYSTEM_2.items():
        rows.append(["published", name, *(show(v) for v in values)])
    rows.append(["published", "BLEU", *(show(v) for v in SYSTEM_BLEU)])
    both = {}
    for way in dict.fromkeys(("exact", how)):
        found = data.judge(
            sets,
            [*specs, "bleu"],
            matching=all_ways[way],
            level="system",
            measure="spearman",
            against=baselines,
            test="t-test",
        )
        both[way] = found
        for k, name in enumerate([*names, "BLEU"]):
            cells = []
            for cell in found.cells[k]:
                half = ((cell.high or 0) - (cell.low or 0)) / 2
                cells.append(f"{show(cell.value)} ± {half:.3f}")
            rows.append([way, name, *cells])
    boot = data.judge(
        sets, [*specs, "bleu"], matching=all_ways[how], level="system", measure="spearman", against=baselines
    )
    tally: list[list[object]] = [["test", "", "hamming", "kendall", "spearman", "fuzzy", "ulam"]]
    published = {"pet_size": ["5/4/1", "7/2/1", "6/2/2", "5/4/1", "5/4/1"],
                 "max_operator": ["5/4/1", "5/2/3", "6/2/2", "5/5/0", "5/4/1"],
                 "pet_count": ["2/6/2", "3/7/0", "3/7/0", "2/8/0", "3/7/0"]}  # fmt: skip
    for name, cells in published.items():
        tally.append(["published, 10 pairs", name, *cells])
    for test, found in (("t-test, 4 pairs", both[how]), ("paired bootstrap, 4 pairs", boot)):
        for name in published:
            k = names.index(name)
            tally.append([test, name, *("/".join(map(str, found.tally(k, b))) for b in range(5))])
    return {"system_table": table(rows), "tally_table": table(tally), "system_matcher": how}


def consistency_table(data: Data) -> dict[str, str]:
    """Table 2 of the 2010 paper, on WMT12."""
    pairs = ("de-en", "es-en", "fr-en", "cs-en")
    rows: list[list[object]] = [["", "", *pairs]]
    for name, values in CONSISTENCY.items():
        rows.append(["published (WMT09)", name, *(show(v, 2) for v in values)])
    sets = data.sets("wmt12-rr", pairs=pairs)
    measure = "consistency:ties=wrong"
    bleu = data.judge(sets, ["lrscore:alpha=0"], measure=measure, samples=0)
    rows.append(["ours (WMT12)", "bleu4", *(show(cell.value, 2) for cell in bleu.cells[0])])
    years = data.sets("wmt12-rr", "wmt13-rr", "wmt14-rr")
    for name, spec in LRSCORES.items():
        best, crossed = [], []
        for pair in pairs:
            mine = [one for one in years if one.pair == pair]
            there = [one for one in mine if one.year == 2012]
            _, values = curve(metric(spec), "alpha", there, data.scorer, measure=measure, points=101)
            best.append(max(v for v in values if v is not None))
            if len({one.year for one in mine}) > 1:
                found = learn_settings(metric(spec), ["alpha"], mine, data.scorer, measure=measure)
                crossed.append(next(fold.value for fold in found.folds if fold.year == 2012))
            else:
                crossed.append(None)
        rows.append(["ours, alpha of the pair itself", name, *(show(v, 2) for v in best)])
        rows.append(["ours, alpha of WMT13 and 14", name, *(show(v, 2) for v in crossed)])
    return {"consistency_table": table(rows)}


CHOICE_ORDERS = ["kendall", "spearman", "hamming", "fuzzy", "ulam", "recpef", "recpet", "recpet/tree=right"]
CONTROLS = {
    "lexical part alone": {"alpha": 1},
    "ordering held at 1": {},
    "ordering held at 1, no penalty": {"brevity": "none"},
}


def plans(lexical: str) -> list[tuple[str, Matching, dict[str, object]]]:
    """Choices that the papers leave open, one at a time."""
    base: dict[str, object] = {"lexical": lexical}
    other = "f1" if lexical == "bleu1" else "bleu1"
    return [
        (f"{lexical}, penalty, exact matching", Matching(), base),
        (f"{other} as lexical part", Matching(), {"lexical": other}),
        ("no brevity penalty", Matching(), {**base, "brevity": "none"}),
        *((f"{how} matching", way, base) for how, way in list(matchers().items())[1:]),
        ("cased words", Matching(lowercase=False), base),
        ("alpha 0.3", Matching(), {**base, "alpha": 0.3}),
        ("alpha 0.7", Matching(), {**base, "alpha": 0.7}),
    ]


def choices(
    data: Data, sets: Sequence[Judgments], lexical: str, level: Level, measure: str | None
) -> dict[str, str]:
    """How far choices move the mean figures, compared with the choice of ordering score; and controls."""
    rows: list[list[object]] = [["choice", *CHOICE_ORDERS, "spread"]]
    spreads, columns = [], []
    for name, matching, settings in plans(lexical):
        specs = [full(order, **settings) for order in CHOICE_ORDERS]
        values = means(data.judge(sets, specs, matching=matching, level=level, measure=measure, samples=0))
        spreads.append(max(values) - min(values))
        columns.append(values)
        rows.append([name, *(show(v) for v in values), show(spreads[-1])])
    table_ = np.array(columns)
    across = table_.max(axis=0) - table_.min(axis=0)
    rows.append(["spread over choices", *(show(v) for v in across), ""])
    held = [full("none", lexical=lexical, **settings) for settings in CONTROLS.values()]
    controls = means(data.judge(sets, held, level=level, measure=measure, samples=0))
    for name, value in zip(CONTROLS, controls, strict=True):
        rows.append([f"control: {name}", show(value), *[""] * len(CHOICE_ORDERS)])
    without = [k for k, order in enumerate(CHOICE_ORDERS) if order != "hamming"]
    inner = [float(row[without].max() - row[without].min()) for row in table_]
    return {
        "table": table(rows),
        **{f"choice_{name}": show(value) for name, value in zip(CHOICE_ORDERS[:7], columns[0], strict=False)},
        "control_alone": show(controls[0]),
        "control_held": show(controls[1]),
        "spread_orders": f"{np.mean(spreads):.3f}",
        "spread_orders_inner": f"{np.mean(inner):.3f}",
        "spread_choices": f"{across.mean():.3f}",
    }


def choices_table(data: Data) -> dict[str, str]:
    """Choices at both levels on WMT13, and over all years into English."""
    four = data.sets("wmt13-rr", pairs=PAIRS)
    found = choices(data, four, "bleu1", "segment", "tau:ties=dropped")
    found["choices_table"] = found.pop("table")
    found["choices_systems"] = choices(data, four, "f1", "system", "spearman")["table"]
    orders = ["kendall", "ulam", "recpef"]
    names = (*RANKED, *RATED)
    english = {name: [one for one in data.sets(name) if one.pair.endswith("-en")] for name in names}
    rows: list[list[object]] = [["choice", "", *names]]
    for name, matching, settings in plans("f1"):
        specs = [full(order, **settings) for order in orders]
        columns = [means(data.judge(english[key], specs, matching=matching, samples=0)) for key in names]
        for k, order in enumerate(orders):
            rows.append([name if k == 0 else "", order, *(show(column[k]) for column in columns)])
    held = [full("none", lexical="f1", **settings) for settings in CONTROLS.values()]
    columns = [means(data.judge(english[key], held, samples=0)) for key in names]
    for k, name in enumerate(CONTROLS):
        rows.append([f"control: {name}", "", *(show(column[k]) for column in columns)])
    found["choices_years"] = table(rows)
    return found


def years_table(data: Data) -> dict[str, str]:
    """The same scores on all years, alone and in the full metric."""
    found: dict[str, str] = {}
    for key, wrap in (("alone", str), ("full", full)):
        rows: list[list[object]] = [["", *RANKED, *RATED]]
        names = [name for name in ALL_ORDERS if _exists(name)]
        specs = [name.replace("/", ":", 1) if wrap is str else wrap(name) for name in names]
        peers = ["full:order=none,alpha=1", "bleu", "chrf"] if wrap is full else []
        columns = []
        for name in (*RANKED, *RATED):
            columns.append(means(data.judge(data.sets(name), [*specs, *peers], samples=0)))
        labels = [*names, *(["F1 alone", "bleu", "chrf"] if peers else [])]
        for k, label in enumerate(labels):
            rows.append([label, *(show(column[k]) for column in columns)])
        found[f"years_{key}"] = table(rows)
    return found


def _exists(order: str) -> bool:
    try:
        metric(order.replace("/", ":", 1))
    except BadSetting:
        return False
    return True


def best_tables(data: Data) -> dict[str, str]:
    """Which ordering score is best, over all years of rankings, with significance."""
    sets = data.sets(*RANKED)
    found: dict[str, str] = {"ranked_sets": str(len(sets))}
    for key in ("alone", "full"):
        names = [name for name in ALL_ORDERS if _exists(name)]
        specs = [name.replace("/", ":", 1) if key == "alone" else full(name) for name in names]
        baselines = [specs[names.index(name)] for name in ("kendall", "ulam", "fuzzy", "recpef")]
        verdict = data.judge(sets, specs, against=baselines)
        order = sorted(range(len(names)), key=lambda k: -(verdict.means[k].value or 0))
        rows: list[list[object]] = [
            [
                "",
                "mean tau",
                "95 % interval",
                "mean rank",
                *(f"against {n}" for n in ("kendall", "ulam", "fuzzy", "recpef")),
            ]
        ]
        for k in order:
            mean = verdict.means[k]
            tests = []
            for b, chance in enumerate(mean.p_values):
                won, lost, _ = verdict.tally(k, b)
                tests.append("" if chance is None else f"p = {chance:.3f}, {won} : {lost}")
            interval = f"{show(mean.low, 4)} to {show(mean.high, 4)}"
            rows.append([names[k], show(mean.value, 4), interval, f"{verdict.ranks[k]:.2f}", *tests])
        found[f"best_{key}"] = table(rows)
        found[f"winner_{key}"] = names[order[0]]
        found[f"second_{key}"] = names[order[1]]
        fixed = [k for k in order if "learned" not in names[k]]
        found[f"published_{key}"] = ", ".join(f"`{names[k]}`" for k in fixed[:4])
        for name in ("recpef", "kendall", "ulam", "fuzzy"):
            found[f"{name}_{key}"] = show(verdict.means[names.index(name)].value, 4)
        p = verdict.means[names.index("recpef")].p_values[0]
        side = "above" if verdict.means[names.index("recpef")].better[0] else "below"
        found[f"recpef_kendall_{key}"] = f"{side} Kendall, p = {p:.3f}" if p is not None else ""
    return found


def learning_table(data: Data) -> dict[str, str]:
    """Alpha and beta, learned on other years."""
    sets = data.sets(*RANKED)
    rows: list[list[object]] = [
        ["metric", "held out", "learned", "as given", "learned elsewhere", "best there"]
    ]
    learned: list[LearnedSettings] = [
        learn_settings(metric("full:order=kendall"), ["alpha"], sets, data.scorer),
        learn_settings(metric("full:order=recpef"), ["alpha"], sets, data.scorer),
        learn_settings(metric("full:order=recpef"), ["alpha", "beta"], sets, data.scorer),
    ]
    for one in learned:
        for fold in one.folds:
            settings = ", ".join(f"{key} {value:.2f}" for key, value in fold.learned.items())
            rows.append(
                [one.spec, fold.year, settings, show(fold.usual, 4), show(fold.value, 4), show(fold.best, 4)]
            )
    return {"learning_table": table(rows)}


def pictures(data: Data) -> None:
    """Figures 7 and 8 (alpha and beta on German-English) and 10 (scaled comparison)."""
    sets = data.sets("wmt13-rr", pairs=["de-en"])
    for key, orders in (("alpha", ORDERS), ("beta", ["recpef", "recpet"])):
        lines = []
        for order in orders:
            xs, values = curve(
                metric(full(order, lexical="bleu1")), key, sets, data.scorer, measure="tau:ties=dropped"
            )
            lines.append(Series(order, xs, [v for v in values if v is not None]))
        picture = line_chart(
            lines, x_label=key, y_label="tau:ties=dropped", title=f"Effect of {key}, WMT13 de-en"
        )
        (HERE / "pictures" / f"judge-{key}.svg").write_text(picture, encoding="utf-8")
    four = data.sets("wmt13-rr", pairs=PAIRS)
    found = data.judge(
        four, [full(order, lexical="bleu1") for order in ORDERS], measure="tau:ties=dropped", samples=0
    )
    series = {
        order: [cell.value or 0.0 for cell in cells] for order, cells in zip(ORDERS, found.cells, strict=True)
    }
    picture = scaled_chart(list(PAIRS), series, title="Scaled agreement, WMT13 into English")
    (HERE / "pictures" / "judge-scaled.svg").write_text(picture, encoding="utf-8")


def main(folder: Path) -> None:
    """Write the page."""
    data = Data(folder)
    start = time.monotonic()
    values: dict[str, str] = {}
    for part in (
        sentence_tables,
        system_tables,
        consistency_table,
        choices_table,
        years_table,
        best_tables,
        learning_table,
    ):
        print(part.__name__, file=sys.stderr)
        values.update(part(data))
    pictures(data)
    values["resources"] = ", ".join(
        f"`{how}`: `{way.matcher.signature_part}`" for how, way in matchers().items()
    )
    _, mark, after = PAGE.read_text(encoding="utf-8").partition(
        "<!-- Behind this line"
    )  # make_beer_tables.py
    text = TEMPLATE.read_text(encoding="utf-8").format(**values)
    PAGE.write_text(text + mark + after, encoding="utf-8")
    print(f"wrote {PAGE} after {time.monotonic() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/make_reproduction.py FOLDER (of judgments)")
    main(Path(sys.argv[1]))
