"""Write the part of docs/reproduction.md on BEER: thesis, tables 5.3, 6.1, 6.2 and 6.4, on our data.

``python docs/make_beer_tables.py FOLDER`` reads the tables of judgments in FOLDER, trains every model it
tells of, and replaces what stands behind the mark in the page. The text is docs/cards/beer-tables.template.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from make_reproduction import Data, show, table

from wordorder.judge.agreement import Agreement
from wordorder.judge.judgments import Judgments
from wordorder.learn.beer import BeerTraining, margin_agreement
from wordorder.learn.beer_recipes import RECIPES, BeerRecipe
from wordorder.learn.features import Examples, ExampleStore
from wordorder.learn.fitting import fit_linear
from wordorder.learn.objectives import sentences_of
from wordorder.learn.self_training import UnlabelledPairs
from wordorder.metrics.base import Metric
from wordorder.metrics.beer.trained_model import Model, save_model
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments

HERE = Path(__file__).parent
PAGE, TEMPLATE = HERE / "reproduction.md", HERE / "cards" / "beer-tables.template"
MARK = "<!-- Behind this line: make_beer_tables.py -->\n"
# Thesis, table 5.3: mean tau over eight pairs of WMT12.
TABLE_5_3 = {
    "full": 0.239,
    "without Kendall": 0.239,
    "without word order": 0.237,
    "without function words": 0.235,
    "without trees": 0.233,
    "without F-scores": 0.219,
    "without words": 0.213,
    "without characters": 0.146,
}
TREES = ("pet_count.", "monotone.", "inverted.", "four.", "larger.")
DROPPED = {
    "full": (),
    "without Kendall": ("kendall.",),
    "without word order": ("kendall.", *TREES),
    "without function words": ("function.", "content."),
    "without trees": TREES,
    "without F-scores": (".f1",),
    "without words": ("ngram", "skip", "linked.", "exact.", "stem.", "function.", "content."),
    "without characters": (":char",),
}
PENALTY = 1e-4
BIASED = BeerRecipe(
    templates="solid:char1-6.p solid:char1-6.r begin:ngram1-4.p begin:ngram1-4.r begin:skip.p begin:skip.r",
    penalties=(PENALTY,),
)


def ablation(data: Data) -> dict[str, str]:
    """Table 5.3: features of BEER 1.1 left out, learned on WMT13 to 15, tested on WMT12."""
    recipe = RECIPES["1.1"]
    sets = data.sets("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr")
    examples = ExampleStore().prepared(sets, recipe)
    held = [one for one in examples if one.judgments.year == 2012]
    known = [one for one in examples if one.judgments.year != 2012]
    loss = sentences_of([one.judgments for one in known], recipe.select, hinge=False)
    features = np.concatenate([one.features for one in known])
    rows: list[list[object]] = [["", *(one.judgments.pair for one in held), "mean", "thesis"]]
    means = {}
    for name, dropped in DROPPED.items():
        kept = [k for k, feature in enumerate(recipe.features) if not any(d in feature for d in dropped)]
        mine = np.ascontiguousarray(features[:, kept])
        fitted = fit_linear(mine, loss, loss.spread(mine), penalty=PENALTY)
        taus = margin_agreement(
            [Examples(o.judgments, o.features[:, kept]) for o in held], fitted, "tau:ties=counted"
        )
        means[name] = float(np.mean(taus))
        rows.append([name, *(show(tau, 3) for tau in taus), show(means[name], 3), show(TABLE_5_3[name], 3)])
    most = min(means, key=lambda name: means[name])
    return {"ablation": table(rows), "ablation_most": most.removeprefix("without ")}


def trained(data: Data, folder: Path, name: str, recipe: BeerRecipe, names: Sequence[str]) -> str:
    """A model learned from WMT12 to 14, as the spec of a metric."""
    sets = data.sets(*names)
    save_model(BeerTraining(recipe=recipe).run(sets).model, folder / name)
    return f"beer:model={folder / name}"


def mean(found: Agreement, row: int) -> str:
    """The mean over pairs, with its interval."""
    cell = found.means[row]
    return f"{show(cell.value, 3)} ({show(cell.low, 3)}, {show(cell.high, 3)})"


def objectives(data: Data) -> dict[str, str]:
    """Tables 6.1 and 6.2: objectives and learners, learned on WMT12 to 14, tested on WMT15 and WMT17."""
    base, best = RECIPES["3.0"].with_settings(penalties=(PENALTY,)), RECIPES["best"]
    recipes = {
        "BEER 3.0, sentence": base.with_settings(objective="sentence"),
        "BEER 3.0, corpus": base.with_settings(objective="corpus"),
        "BEER 3.0, joint": base,
        "ours, sentence, logistic": best,
        "ours, sentence, SVM": best.with_settings(learner="svm"),
        "ours, sentence, hidden layer": best.with_settings(learner="hidden", signed=False),
        "ours, joint": best.with_settings(objective="joint"),
    }
    ranked = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt13-da")
    with tempfile.TemporaryDirectory() as kept:
        specs = [trained(data, Path(kept), f"m{k}", one, ranked) for k, one in enumerate(recipes.values())]
        regression = best.with_settings(objective="ratings", output="linear", penalties=(1e-3,), signed=False)
        specs.append(trained(data, Path(kept), "ratings", regression, ("wmt13-da", "wmt15-da")))
        names = [*recipes, "ours, regression on ratings*", "chrF"]
        specs.append("chrf")
        columns = []
        for folder in ("wmt15-rr", "wmt17-da"):
            for level in ("segment", "system"):
                found = data.judge(data.sets(folder), specs, level=level)  # type: ignore[arg-type]
                columns.append([mean(found, row) for row in range(len(specs))])
    head = ["", "WMT15 tau", "WMT15 systems", "WMT17 segments", "WMT17 systems"]
    rows = [[name, *(column[k] for column in columns)] for k, name in enumerate(names)]
    return {"objectives": table([head, *rows])}


def perturbed(one: Judgments, segments: int, seed: int) -> tuple[list[list[str]], list[str]]:
    """Lists of candidates: outputs, and outputs with words left out or taken over from other outputs."""
    rng = np.random.default_rng(seed)
    lists: dict[int, list[str]] = {}
    for item, segment in enumerate(one.item_segment.tolist()):
        if one.usable[item] and segment < segments:
            lists.setdefault(segment, []).append(one.outputs[item] or "")
    found = []
    for texts in lists.values():
        pool = [word for text in texts for word in text.split()] or ["the"]
        more = []
        for text in texts:
            words = text.split()
            for share in (0.1, 0.2):
                few = max(1, round(share * len(words)))
                keep = np.sort(rng.choice(len(words), size=max(len(words) - few, 0), replace=False))
                more.append(" ".join(words[k] for k in keep.tolist()))
                longer = list(words)
                for _ in range(few):
                    longer.insert(int(rng.integers(len(longer) + 1)), pool[int(rng.integers(len(pool)))])
                more.append(" ".join(longer))
        found.append([*texts, *more])
    return found, [one.references[0][segment] for segment in lists]


def length_ratio(made: Metric | Model, lists: list[list[str]], references: list[str]) -> float:
    """Words of the candidates that a metric likes best, as a share of those of the references."""
    texts = [text for candidates in lists for text in candidates]
    beside = [ref for candidates, ref in zip(lists, references, strict=True) for _ in candidates]
    if isinstance(made, Model):
        scores = made.margins(texts, beside)
    else:
        scores = made.segment_scores(made.statistics(Segments(texts, [beside])))
    chosen, begin = 0, 0
    for candidates in lists:
        part = scores[begin : begin + len(candidates)]
        chosen += len(candidates[int(np.argmax(part))].split())
        begin += len(candidates)
    return chosen / sum(len(ref.split()) for ref in references)


def length_bias(data: Data) -> dict[str, str]:
    """Table 6.4: which length a metric prefers among perturbed outputs."""
    into = [one for one in data.sets("wmt12-rr", "wmt13-rr") if one.pair.endswith("-en")]
    drawn = UnlabelledPairs(*_pairs([perturbed(one, 300, 7) for one in into if one.year == 2012]))
    models = {
        "biased: precision and recall apart": BeerTraining(recipe=BIASED),
        "self-trained: the same with unlabelled pairs": BeerTraining(recipe=BIASED, unlabelled=drawn),
        "symmetric: ours": BeerTraining(recipe=RECIPES["best"]),
    }
    tests = [perturbed(one, 200, 8) for one in data.sets("wmt14-rr") if one.pair.endswith("-en")]
    lists = [candidates for one, _ in tests for candidates in one]
    references = [ref for _, refs in tests for ref in refs]
    rows: list[list[object]] = [["", "length of what it prefers, % of the reference", "thesis"]]
    thesis = {
        "biased: precision and recall apart": "115.7",
        "self-trained: the same with unlabelled pairs": "99.7",
    }
    for name, training in models.items():
        model = training.run(into).model
        rows.append([name, f"{100 * length_ratio(model, lists, references):.1f}", thesis.get(name, "")])
    for name in ("chrf", "bleu"):
        made = metric(name)
        assert isinstance(made, Metric)
        told = "103.0" if name == "bleu" else ""
        rows.append([f"`{name}`", f"{100 * length_ratio(made, lists, references):.1f}", told])
    return {"length_bias": table(rows), "lists": f"{len(lists):,}"}


def _pairs(made: list[tuple[list[list[str]], list[str]]]) -> tuple[list[str], list[str], list[str]]:
    rng = np.random.default_rng(9)
    first, second, beside = [], [], []
    for lists, references in made:
        for candidates, ref in zip(lists, references, strict=True):
            for _ in range(10):
                a, b = rng.choice(len(candidates), size=2, replace=False).tolist()
                first.append(candidates[a])
                second.append(candidates[b])
                beside.append(ref)
    return first, second, beside


def main(folder: Path) -> None:
    """Replace the part of the page."""
    data = Data(folder)
    start = time.monotonic()
    values: dict[str, str] = {}
    for part in (ablation, objectives, length_bias):
        values.update(part(data))
        print(f"{part.__name__}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    before, _, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    text = TEMPLATE.read_text(encoding="utf-8").format(**values)
    PAGE.write_text(f"{before}{MARK}{text}", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: python docs/make_beer_tables.py FOLDER (of judgments)")
    main(Path(sys.argv[1]))
