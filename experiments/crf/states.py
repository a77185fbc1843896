"""Hidden states and the large margin: other ways to learn the feature CRF, on a part of KFTT.

    python -m experiments.crf.states FOLDER [--whole]

Only sentences of up to 25 words are used, so that the whole comparison takes a few minutes. Settings are
chosen by cross-validation on dev, in five blocks; devtest is used once for each number of states and for the
margin, with three seeds. The tables are written into docs/results/crf.md. ``--whole`` instead prints the
scores of two states with sentences of all lengths, which takes longer.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from experiments.crf.sets import PARTS, Data
from experiments.parallel import Corpus, predict_orders
from tools.pages import DOCS, markdown_table, replace_table
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.preorder import RunOptions, TrainingData
from wordorder.preorder.crf import FeatureCRF

PAGE = DOCS / "results" / "crf.md"
LONGEST = 25  # words
SEEDS = (1, 2, 3)
SCORES = ("tau", "frs")
PLAIN = FeatureCRF(tune_min_gain=False, possible=False)  # as the other tables of the page
# What is chosen among on dev, by the row of the table of devtest; LADER takes the best tree.
CHOICES = {
    "1 state": [PLAIN],
    "2 states": [replace(PLAIN, states=2, state_noise=noise) for noise in (0.5, 2.0)],
    "4 states": [replace(PLAIN, states=4, state_noise=noise) for noise in (0.5, 2.0)],
    "large margin": [
        replace(PLAIN, objective="margin", strength=strength, decoding="viterbi", adjacency=0)
        for strength in (0.1, 0.5, 2.0, 8.0)
    ],
}


@dataclass(frozen=True)
class Run:
    """The orders of one model, and the seconds of CPU time that its training took."""

    orders: list[Permutation]
    seconds: float

    @classmethod
    def of(cls, settings: FeatureCRF, train: Corpus, test: Corpus, seed: int = 1) -> Run:
        """Train a model, and reorder other sentences."""
        began = time.process_time()
        model = settings.fit(TrainingData(*train), RunOptions(seed=seed))
        seconds = time.process_time() - began
        return cls(predict_orders(model, test.sources), seconds)


def short(corpus: Corpus) -> Corpus:
    """Select the sentences that are used."""
    return corpus.select([s for s, source in enumerate(corpus.sources) if len(source) <= LONGEST])


def scored(test: Corpus, systems: dict[str, list[Permutation]], *, samples: int = 0) -> VariantScores:
    """Score orders as top-down BTG does."""
    return evaluate_orders(test.alignments, systems, variants=("nakagawa",), samples=samples).variants[0]


def cross_validated(settings: FeatureCRF, dev: Corpus) -> list[float]:
    """Return the scores of orders of dev, each by a model that has not seen the sentence."""
    count = len(dev.sources)
    orders: list[Permutation] = []
    for part in range(PARTS):
        held_out = [s for s in range(count) if s * PARTS // count == part]
        kept = [s for s in range(count) if s * PARTS // count != part]
        orders += Run.of(settings, dev.select(kept), dev.select(held_out)).orders
    cells = scored(dev, {"crf": orders}).cells["crf"]
    return [cells[score].score for score in SCORES]


def choose(dev: Corpus) -> tuple[list[list[str]], dict[str, FeatureCRF]]:
    """Return the table of dev, and the best settings of each row: by the mean of the two scores."""
    rows = [["dev", "state_noise", "strength", "tau", "fuzzy"]]
    best = {}
    for name, choices in CHOICES.items():
        results = [cross_validated(settings, dev) for settings in choices]
        for settings, result in zip(choices, results, strict=True):
            noise = f"{settings.state_noise:g}" if settings.states > 1 else ""
            rows.append([name, noise, f"{settings.strength:g}", *(f"{score:.4f}" for score in result)])
            print(rows[-1], flush=True)
        best[name] = choices[int(np.argmax(np.mean(results, axis=1)))]
    return rows, best


def test_rows(chosen: dict[str, FeatureCRF], dev: Corpus, devtest: Corpus) -> list[list[str]]:
    """Return the table of devtest: means over seeds, the largest difference between seeds, and tests."""
    rows = [["devtest", "tau", "± seeds", "fuzzy", "± seeds", "p (tau)", "p (fuzzy)", "seconds"]]
    first: dict[str, list[Permutation]] = {}
    for name, settings in chosen.items():
        runs = [Run.of(settings, dev, devtest, seed) for seed in SEEDS]
        first[name] = runs[0].orders
        cells = scored(devtest, {str(seed): run.orders for seed, run in zip(SEEDS, runs, strict=True)}).cells
        row = [name]
        for score in SCORES:
            values = [cells[str(seed)][score].score for seed in SEEDS]
            row += [f"{np.mean(values):.4f}", f"{np.ptp(values):.4f}"]
        p_values = ["", ""]
        if len(first) > 1:
            base, *_ = first
            pair = {base: first[base], name: first[name]}
            tests = evaluate_orders(
                devtest.alignments, pair, variants=("nakagawa",), all_pairs=True
            ).variants[0]
            p_values = [f"{tests.pairs[score][base, name].p_value:.3f}" for score in SCORES]
        rows.append([*row, *p_values, f"{np.mean([run.seconds for run in runs]):.1f}"])
        print(rows[-1], flush=True)
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the tables, print them and put them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--whole", action="store_true", help="two states, sentences of all lengths")
    options = parser.parse_args(arguments)
    data = Data(options.folder)
    if options.whole:
        chosen = {"2 states": CHOICES["2 states"][0]}
        print(markdown_table(test_rows(chosen, data.training("kftt", 0), data.tested("kftt"))))
        return
    dev, devtest = short(data.training("kftt", 0)), short(data.tested("kftt"))
    print(f"{len(dev.sources)} sentences of dev, {len(devtest.sources)} of devtest", flush=True)
    choices, chosen = choose(dev)
    for name, rows in (("states-dev", choices), ("states", test_rows(chosen, dev, devtest))):
        text = markdown_table(rows)
        print(f"{text}\n", flush=True)
        PAGE.write_text(replace_table(PAGE.read_text("utf-8"), name, text), "utf-8")


if __name__ == "__main__":
    main()
