"""All years of judgments: every ordering score, which is best, and what learning its settings gains."""

from __future__ import annotations

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
from experiments.reproduction.ordering import ORDERS
from wordorder.learn.settings import learn_settings
from wordorder.metrics.registry import metric

ALL_ORDERS = [*ORDERS, "footrule", "pet_size", "pet_count", "max_operator", "recpef/weights=learned"]


def specs_of(use: str) -> list[str]:
    """Return the specs of all ordering scores, alone or in the full metric."""
    return [full(name) if use == "full" else name.replace("/", ":", 1) for name in ALL_ORDERS]


def years_table(data: JudgedData) -> dict[str, str]:
    """Show the same scores on all years, alone and in the full metric."""
    texts = {}
    others = {"F1 alone": "full:order=none,alpha=1", "bleu": "bleu", "chrf": "chrf", "meteor": "meteor"}
    if METEOR in matchers():
        others[f"meteor, {METEOR}"] = f"meteor:match={matchers()[METEOR].match}"
    for use in ("alone", "full"):
        more = others if use == "full" else {}
        specs = [*specs_of(use), *more.values()]
        columns = [means(data.judge(data.sets(name), specs, samples=0)) for name in (*RANKED, *RATED)]
        rows: list[Row] = [["", *RANKED, *RATED]]
        for k, label in enumerate([*ALL_ORDERS, *more]):
            rows.append([label, *(show(column[k]) for column in columns)])
        texts[f"years_{use}"] = table(rows)
    return texts


def best_tables(data: JudgedData) -> dict[str, str]:
    """Show which ordering score is best over all years of rankings, with tests."""
    sets = data.sets(*RANKED)
    baselines = ("kendall", "ulam", "fuzzy", "recpef")
    texts = {"ranked_sets": str(len(sets))}
    for use in ("alone", "full"):
        specs = specs_of(use)
        against = [specs[ALL_ORDERS.index(name)] for name in baselines]
        judged = data.judge(sets, specs, against=against)
        best_first = sorted(range(len(specs)), key=lambda k: -(judged.means[k].value or 0))
        rows: list[Row] = [
            ["", "mean tau", "95 % interval", "mean rank", *(f"against {name}" for name in baselines)]
        ]
        for k in best_first:
            mean = judged.means[k]
            tests = []
            for b, p in enumerate(mean.p_values):
                won, lost, _ = judged.tally(k, b)
                tests.append("" if p is None else f"p = {p:.3f}, {won} : {lost}")
            interval = f"{show(mean.low, 4)} to {show(mean.high, 4)}"
            rows.append([ALL_ORDERS[k], show(mean.value, 4), interval, f"{judged.ranks[k]:.2f}", *tests])
        ranked = [ALL_ORDERS[k] for k in best_first]
        fixed = [name for name in ranked if "learned" not in name]
        recpef = judged.means[ALL_ORDERS.index("recpef")]
        side, p = "above" if recpef.better[0] else "below", recpef.p_values[0]
        texts |= {
            f"best_{use}": table(rows),
            f"winner_{use}": ranked[0],
            f"second_{use}": ranked[1],
            f"published_{use}": ", ".join(f"`{name}`" for name in fixed[:4]),
            f"recpef_kendall_{use}": f"{side} Kendall, p = {p:.3f}" if p is not None else "",
        }
        for name in baselines:
            texts[f"{name}_{use}"] = show(judged.means[ALL_ORDERS.index(name)].value, 4)
    return texts


def learning_table(data: JudgedData) -> dict[str, str]:
    """Show alpha and beta, learned on other years."""
    sets = data.sets(*RANKED)
    rows: list[Row] = [["metric", "held out", "learned", "as given", "learned elsewhere", "best there"]]
    for order, keys in (("kendall", ["alpha"]), ("recpef", ["alpha"]), ("recpef", ["alpha", "beta"])):
        learned = learn_settings(metric(full(order)), keys, sets, data.scorer)
        for fold in learned.folds:
            settings = ", ".join(f"{key} {value:.2f}" for key, value in fold.learned.items())
            taus = (show(fold.usual, 4), show(fold.value, 4), show(fold.best, 4))
            rows.append([learned.spec, fold.held_out, settings, *taus])
    return {"learning_table": table(rows)}
