"""What tuning towards BEER settles on: plain, self-trained and symmetric models of the same pieces."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from experiments.reproduction.beer import BIASED
from experiments.reproduction.judged import Row, table
from experiments.tuning.candidates import PLACE, TunedSystem
from experiments.tuning.scored_outputs import METRICS, score_outputs
from experiments.tuning.tuned_weights import tuned_weights
from wordorder.judge.read import read_sets
from wordorder.learn.beer import BeerTraining
from wordorder.learn.beer_recipes import BeerRecipe
from wordorder.learn.features import ExampleStore
from wordorder.learn.self_training import UnlabelledPairs, read_nbest
from wordorder.metrics.beer.trained_model import save_model
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments
from wordorder.tune.habits import habits_of

SEEDS = {"mira": 5, "mert": 3}
LEARNED_FROM = ("wmt12-rr", "wmt13-rr", "wmt13-da")  # the last one scales the scores
UNLABELLED = 20_000
PLAIN = BIASED
# The smaller and the larger of precision and recall (thesis 6.3.2).
SYMMETRIC = BIASED.with_settings(templates=BIASED.templates.replace(".p", ".a").replace(".r", ".b"))
START = "start weights"


def gaming_tables(systems: Mapping[str, TunedSystem]) -> dict[str, str]:
    """Tune each system towards BLEU and BEER by MIRA and MERT, and describe the outputs."""
    texts = {}
    with tempfile.TemporaryDirectory() as temporary:
        base = systems["base"]
        models = trained_models(base, base.kept.folder or Path(temporary))
        specs = {"BLEU": METRICS["BLEU"], **models, "`beer` as shipped": METRICS["BEER"]}
        texts["gaming_preferred"] = preferred_table(systems, specs)
        for name, system in systems.items():
            outputs = {START: [system.chosen(system.start)]}
            for label, spec in specs.items():
                for method, seeds in SEEDS.items():
                    known = spec if label not in models else label
                    runs = tuned_weights(system, spec, method, seeds, name=known)
                    outputs[f"{label}, {method.upper()}"] = [system.chosen(run.weights) for run in runs]
            scored = score_outputs(outputs, system.references, system.sources)
            texts[f"gaming_{name}"] = table(scored.table_rows(START))
    return texts


def trained_models(system: TunedSystem, home: Path) -> dict[str, str]:
    """Train the models; returns the spec of each of them as a metric, by its name in the tables."""
    nbest = system.folder / PLACE
    recipes: dict[str, tuple[BeerRecipe, bool]] = {
        "plain BEER": (PLAIN, False),
        "self-trained BEER": (PLAIN, True),
        "symmetric BEER": (SYMMETRIC, False),
    }
    specs = {}
    for name, (recipe, self_trained) in recipes.items():
        place = home / name.replace(" ", "-")
        if not place.is_dir():
            paths = [str(system.folder / "judgments" / each) for each in LEARNED_FROM]
            sets = [one for one in read_sets(paths) if one.target == "en"]
            drawn = drawn_pairs(nbest) if self_trained else None
            store = ExampleStore(folder=home / "features")
            save_model(BeerTraining(recipe=recipe, store=store, unlabelled=drawn).run(sets).model, place)
        specs[name] = f"beer:model={place}"
    return specs


def drawn_pairs(folder: Path) -> UnlabelledPairs:
    """Draw pairs of candidates from the lists of the first round."""
    paths = [folder / name for name in ("tune.base.round1.nbest", "tune.ja")]
    lists, references = (str(path if path.exists() else f"{path}.gz") for path in paths)
    return read_nbest(lists, references, language="ja", pairs=UNLABELLED, seed=PLAIN.seed)


def preferred_table(systems: Mapping[str, TunedSystem], specs: Mapping[str, str]) -> str:
    """Show the length of the candidates that a metric ranks first, and of the shortest and longest ones."""
    rows: list[Row] = [["", *systems]]
    ways = {"shortest candidate": "", "longest candidate": "", **specs}
    for name, spec in ways.items():
        ratios = []
        for system in systems.values():
            lists = [[candidate.text for candidate in candidates] for _, candidates in system.test]
            texts = [text for candidates in lists for text in candidates]
            sizes = [len(candidates) for candidates in lists]
            if spec:
                references = np.repeat(np.array(system.references, dtype=object), sizes).tolist()
                segments = Segments(texts, [references])
                measure = metric(spec).for_segments(segments)
                values = measure.segment_scores(measure.statistics(segments))
            else:
                lengths = np.array([len(text.split()) for text in texts], dtype=np.float64)
                values = lengths if name.startswith("longest") else -lengths
            parts = np.split(values, np.cumsum(sizes)[:-1])
            chosen = [some[int(part.argmax())] for some, part in zip(lists, parts, strict=True)]
            ratios.append(f"{habits_of(chosen, system.references).length_ratio:.3f}")
        rows.append([name, *ratios])
    return table(rows)
