"""Write the table of n-best lists in docs/results/grammar.md: what lists and lattices of grammars contain.

    python -m experiments.lists FOLDER

FOLDER holds parallel text with word alignments. Grammars are trained on the manual links of the dev part of
kftt-gold; lists are made for the devtest part. Sentences that a grammar does not derive have no probabilities
and are left out of the share and the sum.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.parallel import read_parallel
from tools.pages import DOCS, markdown_table, replace_table
from wordorder.arrays import Doubles
from wordorder.core.lattice import lattice
from wordorder.evaluate.variants import VARIANTS
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.source import Candidate

PAGE = DOCS / "results" / "grammar.md"
THESIS = ReorderingGrammar(
    back_off=False, iterations=10, state_smoothing=0.0, word_smoothing=0.0, class_smoothing=0.0
)
MODELS = {
    "thesis settings": THESIS,
    "default settings": ReorderingGrammar(),
}
K = 100  # orders per sentence, as in the thesis
WAYS: dict[str, dict[str, Any]] = {
    "all orders": {"possible": False},
    "possible orders": {},
    "most probable": {"decoding": "probable"},
}
HEADER = ["grammar", "list", "probability 0", "sum of p", "tau, first", "tau, best", "arcs", "ms (CPU)"]


def row(model: ReorderingGrammar, sources: Sequence[Source], ranks: Sequence[Doubles | None]) -> list[str]:
    """Make the lists of all sentences, of K orders each, and measure them."""
    start = time.process_time()
    lists = model.nbest_batch(sources, K)
    seconds = time.process_time() - start
    derived = [found for found in lists if found[0].log_prob is not None]
    log_probs = np.array([one.log_prob for found in derived for one in found])
    covered = [sum(np.exp(one.log_prob or 0.0) for one in found) for found in derived]
    first, best = tau(lists, ranks)
    tables = model.precedence_batch(sources)
    arcs = sum(packed(found, table) for found, table in zip(lists, tables, strict=True))
    return [
        f"{np.isneginf(log_probs).mean():.1%}",
        f"{np.mean(covered):.3f}",
        f"{first:.4f}",
        f"{best:.4f}",
        f"{arcs / len(sources):.0f}",
        f"{1000 * seconds / len(sources):.1f}",
    ]


def tau(lists: Sequence[Sequence[Candidate]], ranks: Sequence[Doubles | None]) -> tuple[float, float]:
    """Return the mean tau of the first order of each list, and of the order with the highest tau."""
    variant = VARIANTS["nakagawa"]
    every = [(rank, one.order) for found, rank in zip(lists, ranks, strict=True) for one in found]
    (rows,) = variant.rows([rank for rank, _ in every], [order for _, order in every], variant.scores[:1])  # type: ignore[misc]
    scores = variant.scores[0].scores(rows)
    ends = np.cumsum([len(found) for found in lists])[:-1]
    parts = [part for part, rank in zip(np.split(scores, ends), ranks, strict=True) if rank is not None]
    return float(np.mean([part[0] for part in parts])), float(np.mean([part.max() for part in parts]))


def packed(found: Sequence[Candidate], table: Doubles) -> int:
    """Return the number of arcs of the weighted lattice of a list."""
    known = [one for one in found if one.log_prob is not None and np.isfinite(one.log_prob)] or list(found)
    return len(lattice([one.order for one in known], table, [one.log_prob or 0.0 for one in known]).arcs)


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the table, print it and put it into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    train = read_parallel(options.folder, "kftt-gold/en-ja/dev", manual=True)
    test = read_parallel(options.folder, "kftt-gold/en-ja/devtest", manual=True)
    ranks = VARIANTS["nakagawa"].ranks(test.alignments)
    table = [HEADER]
    for name, settings in MODELS.items():
        model = settings.fit(TrainingData(*train), RunOptions(seed=1, threads=2))
        for way, changes in WAYS.items():
            changed = model.with_settings(**changes)
            table.append([name, way, *row(changed, test.sources, ranks)])  # type: ignore[arg-type]
            print(table[-1], flush=True)
    PAGE.write_text(replace_table(PAGE.read_text("utf-8"), "lists", markdown_table(table)), "utf-8")


if __name__ == "__main__":
    main()
