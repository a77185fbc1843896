"""Write the tables of docs/results/grammar.md: how well the Reordering Grammar orders words.

    python -m experiments.grammar FOLDER [--only variants,decoding]

FOLDER holds parallel text with word alignments, one folder per set. Models are trained on manual links (the
dev part of kftt-gold), in one table also on automatic links, and tested on the devtest part, which was not
used for tuning. Settings were chosen by cross-validation on dev.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from experiments import table_3_2
from experiments.parallel import concatenate, predict_orders, read_parallel
from tools.pages import DOCS, markdown_table, replace_table
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.base import expected_loss
from wordorder.preorder.grammar import ReorderingGrammar

PAGE = DOCS / "results" / "grammar.md"
SEEDS = (1, 2, 3)
Table = list[list[str]]  # the header first
PLAIN = ReorderingGrammar()
BTG = ["0.8266", "", "0.6766", "", ""]  # of the program of its authors, on the same sentences


class Experiment:
    """The data, and the grammars trained on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.train = read_parallel(folder, "kftt-gold/en-ja/dev", manual=True)
        self.test = read_parallel(folder, "kftt-gold/en-ja/devtest", manual=True)
        self._fitted: dict[tuple[str, int, str], ReorderingGrammar] = {}

    def fitted(
        self, settings: ReorderingGrammar, seed: int, *, more: Sequence[str] = ()
    ) -> ReorderingGrammar:
        """Train a grammar on the manual links, and on further sets; each grammar only once."""
        key = settings.signature, seed, "+".join(more)
        if key not in self._fitted:
            corpus = concatenate([self.train, *(read_parallel(self.folder, name) for name in more)])
            self._fitted[key] = settings.fit(TrainingData(*corpus), RunOptions(seed=seed, threads=2))
        return self._fitted[key]

    def orders(self, seed: int) -> dict[str, list[Permutation]]:
        """Reorder the test sentences with all variants."""
        return {
            name: predict_orders(self.fitted(settings, seed), self.test.sources)
            for name, settings in VARIANTS.items()
        }

    def scored(self, systems: dict[str, list[Permutation]], *, samples: int = 0) -> VariantScores:
        """Score systems with the measures of top-down BTG."""
        scored = evaluate_orders(
            self.test.alignments, systems, variants=("nakagawa",), samples=samples, all_pairs=True
        )
        return scored.variants[0]

    def row(
        self,
        name: str,
        settings: ReorderingGrammar,
        *,
        more: Sequence[str] = (),
        seeds: Sequence[int] = SEEDS,
    ) -> list[str]:
        """Return the mean scores over seeds, and the largest difference between seeds."""
        scores = []
        for seed in seeds:
            orders = predict_orders(self.fitted(settings, seed, more=more), self.test.sources)
            cells = self.scored({name: orders}).cells[name]
            scores.append([cells["tau"].score, cells["frs"].score, cells["exact"].score])
        mean = np.mean(scores, axis=0)
        spread = [f"{x:.4f}" if len(seeds) > 1 else "" for x in np.ptp(scores, axis=0)]
        return [name, f"{mean[0]:.4f}", spread[0], f"{mean[1]:.4f}", spread[1], f"{mean[2]:.3f}"]


HEAD = ["system", "tau", "± seeds", "FRS", "± seeds", "exact"]


def variants(experiment: Experiment) -> Table:
    """Compare the trees that are learned from."""
    cells = experiment.scored({}).cells["identity"]
    tau, frs, exact = (cells[score].score for score in ("tau", "frs", "exact"))
    identity = ["identity", f"{tau:.4f}", "", f"{frs:.4f}", "", f"{exact:.3f}"]
    grammars = [experiment.row(name, settings) for name, settings in VARIANTS.items()]
    return [HEAD, identity, *grammars, ["top-down BTG", *BTG]]


VARIANTS = {name: replace(PLAIN, **shape) for name, shape in table_3_2.SHAPES.items()}


def thesis(experiment: Experiment) -> Table:
    """Train with the settings of the thesis and with ours, by the measure of the thesis: its table 3.2."""
    return table_3_2.table(experiment.folder)


def measures(experiment: Experiment) -> Table:
    """Score the same systems with the measures of the thesis and of LADER; means over seeds."""
    columns = {"thesis": ("kendall", "fuzzy", "exact"), "lader": ("chunk", "tau")}
    scores: dict[str, list[list[float]]] = {}
    for seed in SEEDS:
        orders = experiment.orders(seed)
        scored = evaluate_orders(experiment.test.alignments, orders, variants=tuple(columns), samples=0)
        for name in ("identity", *VARIANTS):
            cells = [
                variant.cells[name][score].score
                for variant, names in zip(scored.variants, columns.values(), strict=True)
                for score in names
            ]
            scores.setdefault(name, []).append(cells)
    head = ["system", *(f"{variant} {score}" for variant, names in columns.items() for score in names)]
    return [head, *([name, *(f"{x:.4f}" for x in np.mean(runs, axis=0))] for name, runs in scores.items())]


def tests(experiment: Experiment) -> Table:
    """Test the variants by paired bootstrap, seed 1."""
    scored = experiment.scored(experiment.orders(1), samples=1000)
    rows = [["pair", "tau", "p (tau)", "p (FRS)"]]
    for (first, second), tau in scored.pairs["tau"].items():
        p_values = (f"{test.p_value:.3f}" for test in (tau, scored.pairs["frs"][first, second]))
        rows.append([f"{second} - {first}", f"{tau.difference:+.4f}", *p_values])
    return rows


def decoding(experiment: Experiment) -> Table:
    """Compare exact consensus with sampling and the best tree: one model, seed 1."""
    sources = experiment.test.sources
    fitted = experiment.fitted(PLAIN, 1)
    tables = fitted.precedence(sources)
    decoders: dict[str, ReorderingGrammar] = {
        "exact": fitted,
        "exact, no moves": fitted.with_settings(moves=False),
        "10,000 samples": fitted.with_settings(decoding="sample"),
        "1,000 samples": fitted.with_settings(decoding="sample", samples=1000),
        "best tree": fitted.with_settings(decoding="viterbi"),
    }
    rows = [["decoding", "expected loss", "worse", "better", "tau", "FRS", "ms (CPU)"]]
    exact: list[float] = []
    for name, decoder in decoders.items():
        orders, milliseconds = timed_orders(decoder, sources)
        losses = [expected_loss(order, table) for order, table in zip(orders, tables, strict=True)]
        exact = exact or losses
        differences = np.subtract(losses, exact)
        counts = [str((differences > 1e-9).sum()), str((differences < -1e-9).sum())]
        cells = experiment.scored({name: orders}).cells[name]
        scores = [f"{cells[score].score:.4f}" for score in ("tau", "frs")]
        rows.append([name, f"{np.mean(losses):.5f}", *counts, *scores, f"{milliseconds:.2f}"])
    return rows


def timed_orders(model: ReorderingGrammar, sources: Sequence[Source]) -> tuple[list[Permutation], float]:
    """Reorder sentences; also return the milliseconds of CPU time per sentence."""
    began = time.process_time()
    orders = predict_orders(model, sources)
    return orders, 1000 * (time.process_time() - began) / len(orders)


def unknown(experiment: Experiment) -> Table:
    """Compare ways to treat rare words: by their form, or all as one unknown word."""
    bare = ReorderingGrammar(back_off=False, word_smoothing=0.0, state_smoothing=0.0)
    return [
        HEAD,
        experiment.row("by their look", PLAIN),
        experiment.row("one unknown word", ReorderingGrammar(back_off=False)),
        experiment.row("by their look, words not smoothed", ReorderingGrammar(word_smoothing=0.0)),
        experiment.row("one unknown word, nothing smoothed", bare),
    ]


def splits(experiment: Experiment) -> Table:
    """Vary the number of states of binary operators; other operators have a tenth of it."""
    sizes = [(n, max(1, n // 10)) for n in (1, 2, 4, 8, 16, 30, 60)]
    rows = [experiment.row(f"{n} / {few}", ReorderingGrammar(binary=n, nary=few)) for n, few in sizes]
    return [HEAD, *rows]


def mixtures(experiment: Experiment) -> Table:
    """Average the tables of several grammars with different starting points."""
    return [HEAD, *(experiment.row(str(n), ReorderingGrammar(grammars=n)) for n in (1, 2, 4, 8))]


def data(experiment: Experiment) -> Table:
    """Add text with automatic links; one seed, because this takes longer."""
    sets: dict[str, tuple[str, ...]] = {
        "637 manual": (),
        "+ kftt30k": ("kftt30k/en-ja/train",),
        "+ small-enja": ("small-enja/en-ja/train",),
        "+ both": ("kftt30k/en-ja/train", "small-enja/en-ja/train"),
    }
    return [HEAD, *(experiment.row(name, PLAIN, more=more, seeds=(1,)) for name, more in sets.items())]


def pieces(experiment: Experiment) -> Table:
    """Measure the loss from cutting long sentences at punctuation, on sentences of more than 30 words."""
    fitted = experiment.fitted(PLAIN, 1)
    long = [source for source in experiment.test.sources if len(source) > 30]
    tables = fitted.with_settings(piece=0).precedence(long)
    rows = [["piece", "expected loss", "ms (CPU)"]]
    for piece in (0, 60, 40, 30, 20):
        orders, milliseconds = timed_orders(fitted.with_settings(piece=piece), long)
        losses = [expected_loss(order, table) for order, table in zip(orders, tables, strict=True)]
        rows.append([str(piece or "whole"), f"{np.mean(losses):.5f}", f"{milliseconds:.1f}"])
    return rows


TABLES: dict[str, Callable[[Experiment], Table]] = {
    "thesis": thesis,
    "variants": variants,
    "measures": measures,
    "tests": tests,
    "decoding": decoding,
    "unknown": unknown,
    "splits": splits,
    "mixtures": mixtures,
    "data": data,
    "pieces": pieces,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the requested tables, print them and put them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(TABLES), help="tables to make")
    options = parser.parse_args(arguments)
    experiment = Experiment(options.folder)
    for name in options.only.split(","):
        text = markdown_table(TABLES[name](experiment))
        print(f"{name}\n{text}\n", flush=True)
        PAGE.write_text(replace_table(PAGE.read_text("utf-8"), name, text), "utf-8")


if __name__ == "__main__":
    main()
