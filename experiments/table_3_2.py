"""Table 3.2 of Stanojević (2017): how well orders are predicted, with the settings of the thesis and ours.

The patents of the thesis are not free. Three sets of English and Japanese stand in for them; as in the
thesis, the score is the Kendall score of variant ``thesis``. Each grammar is trained with three seeds, and
with the first seed also with less and with more noise in the initial grammar. The row of LADER is the feature
CRF with LADER's objective, trained on about as many sentences as LADER in the thesis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from experiments.crf.sets import PARTS, SETS, Data
from experiments.parallel import Corpus, concatenate, predict_orders, read_parallel
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.preorder import RunOptions, TrainingData
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.rules import rule_set
from wordorder.preorder.rules.matching import RuleMatcher

NOISE = 0.5
RUNS = [(1, NOISE), (2, NOISE), (3, NOISE), (1, 0.05), (1, 1.0)]  # seed and noise; the first three: seeds
SEEDS = 3
TESTED = 500  # sentences with automatic links, of 1,159
FEW = 600  # sentences that LADER was trained on

# What the thesis says of its training; what it leaves open is as in its program.
THESIS = ReorderingGrammar(
    iterations=10, longest=50, back_off=False, state_smoothing=0, word_smoothing=0, class_smoothing=0,
    moves=False, piece=0,
)  # fmt: skip
OURS = ReorderingGrammar()
MARGIN = FeatureCRF(objective="margin", decoding="viterbi", adjacency=0, tune_min_gain=False)
PUBLISHED = {
    "no reordering": "0.7655",
    "rules": "0.7567",
    "LADER": "0.8176",
    "RG-left": "0.8201",
    "RG-right": "0.8246",
    "RG-ITG": "0.823",
    "RG-PET": "0.8255",
}


class Part(NamedTuple):
    """Sentences to learn from, and sentences to test on."""

    train: Corpus
    test: Corpus


class Grammars(NamedTuple):
    """The orders of grammars with the same settings: one list per run."""

    runs: list[list[Permutation]]
    glued: int  # sentences without a derivation, in the first run


def read_sets(folder: Path) -> dict[str, list[Part]]:
    """Read the three sets; the treebank is cross-validated in parts of whole documents."""
    data = Data(folder)
    automatic = read_parallel(folder, "kftt30k/en-ja/dev")
    return {
        "KFTT, manual links": [Part(data.training("kftt", 0), data.tested("kftt"))],
        "KFTT, automatic links": [
            Part(read_parallel(folder, "kftt30k/en-ja/train"), automatic.select(range(TESTED)))
        ],
        "PUD, manual links": [
            Part(data.training("pud-ja", part), data.tested_part("pud-ja", part)) for part in range(PARTS)
        ],
    }


def train_grammars(settings: ReorderingGrammar, parts: Sequence[Part]) -> Grammars:
    """Train one grammar for each run and part, and reorder the tested sentences."""
    every: list[list[Permutation]] = []
    glued = 0
    for seed, noise in RUNS:
        orders: list[Permutation] = []
        for part in parts:
            untrained = replace(settings, noise=noise)
            grammar = untrained.fit(TrainingData(*part.train), RunOptions(seed=seed))
            orders += predict_orders(grammar, part.test.sources)
            glued += len(grammar.glued) if not every else 0
        every.append(orders)
    return Grammars(every, glued)


def table(folder: Path) -> list[list[str]]:
    """Return the table, the header first."""
    return [HEAD, *(row for title, parts in read_sets(folder).items() for row in rows_of_set(title, parts))]


HEAD = [
    "set", "system", "thesis", "its settings", "± seeds", "± noise", "no derivation",
    "our settings", "± seeds", "± noise", "p",
]  # fmt: skip


def rows_of_set(title: str, parts: Sequence[Part]) -> Iterator[list[str]]:
    """Yield the rows of one set."""
    tested = concatenate(part.test for part in parts)
    identity = kendall(tested, {}).cells["identity"]["kendall"].score
    yield [title, "no reordering", PUBLISHED["no reordering"], f"{identity:.4f}", *[""] * 7]
    trees = [source.parse for source in tested.sources if source.parse]
    if trees:
        orders = RuleMatcher(rule_set(SETS["pud-ja"].rules)).reorder(trees)
        score = kendall(tested, {"rules": orders}).cells["rules"]["kendall"].score
        yield ["", "rules, gold trees", PUBLISHED["rules"], f"{score:.4f}", *[""] * 7]
    if len(parts) == 1:  # not for every part of a cross-validation, which would take too long
        yield ["", "large-margin CRF", PUBLISHED["LADER"], *[""] * 4, *margin_cells(parts[0]), "", ""]
    for name, shape in SHAPES.items():
        thesis, ours = (train_grammars(replace(settings, **shape), parts) for settings in (THESIS, OURS))
        pair = {"thesis": thesis.runs[0], "ours": ours.runs[0]}
        test = kendall(tested, pair, samples=1000).pairs["kendall"]["thesis", "ours"]
        cells = [*spread(tested, thesis), str(thesis.glued), *spread(tested, ours), f"{test.p_value:.3f}"]
        yield ["", name, PUBLISHED[name], *cells]


def margin_cells(part: Part) -> list[str]:
    """Return the mean over seeds of the feature CRF with LADER's objective, and its largest difference."""
    train = TrainingData(*part.train.select(range(min(FEW, len(part.train.sources)))))
    systems = {
        str(seed): predict_orders(MARGIN.fit(train, RunOptions(seed=seed)), part.test.sources)
        for seed in range(1, SEEDS + 1)
    }
    cells = kendall(part.test, systems).cells
    scores = [cells[seed]["kendall"].score for seed in systems]
    return [f"{np.mean(scores):.4f}", f"{np.ptp(scores):.4f}"]


SHAPES: dict[str, dict[str, Any]] = {
    "RG-left": {"bracketing": "left"},
    "RG-right": {"bracketing": "right"},
    "RG-ITG": {"arity": 2},
    "RG-PET": {},
}


def kendall(tested: Corpus, systems: dict[str, list[Permutation]], *, samples: int = 0) -> VariantScores:
    """Score orders as the thesis does."""
    scored = evaluate_orders(
        tested.alignments, systems, variants=("thesis",), samples=samples, all_pairs=True
    )
    return scored.variants[0]


def spread(tested: Corpus, grammars: Grammars) -> list[str]:
    """Return the mean over seeds, and the largest differences between seeds and between amounts of noise."""
    systems = {str(run): orders for run, orders in enumerate(grammars.runs)}
    cells = kendall(tested, systems).cells
    scores = np.array([cells[run]["kendall"].score for run in systems])
    seeds, noises = scores[:SEEDS], scores[[0, 3, 4]]
    return [f"{seeds.mean():.4f}", f"{np.ptp(seeds):.4f}", f"{np.ptp(noises):.4f}"]
