"""Write the tables of docs/grammar.md: how well the Reordering Grammar orders words.

    python docs/make_grammar.py FOLDER [--only variants,decoding]

FOLDER holds parallel text with word alignments, a folder for each set. Training is on manual links (the dev
part of kftt-gold), with automatic ones added in one table; testing is on the devtest part, which nothing was
tuned on. Settings were chosen by cross-validation on dev.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from pages import replaced

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.io.read_write import read_records
from wordorder.preorder import Source, Training
from wordorder.preorder.base import expected_loss
from wordorder.preorder.grammar import ReorderingGrammar

PAGE = Path(__file__).with_name("grammar.md")
SEEDS = (1, 2, 3)
Corpus = tuple[list[Source], list[Alignment]]
Table = tuple[list[str], list[list[str]]]
PLAIN = ReorderingGrammar()
BTG = ["0.8266", "", "0.6766", "", ""]  # of its authors' program, on the same sentences


def read(folder: Path, name: str, *, manual: bool = False) -> Corpus:
    """A set by the name folder/pair/split, lower-cased."""
    place = folder / name
    language = name.split("/")[1].split("-")[1]
    lines = [list(read_records(f"{place}.{side}.gz", "text")) for side in ("en", language)]
    links = list(read_records(f"{place}{'' if manual else '.auto'}.align.gz", "text"))
    sources, alignments = [], []
    for one, other, line in zip(*lines, links, strict=True):
        words = tuple(one.lower().split())
        pairs = [tuple(map(int, link.replace("?", "-").split("-"))) for link in line.split()]
        sources.append(Source(words))
        alignments.append(Alignment(len(words), len(other.split()), pairs))
    return sources, alignments


class Lab:
    """The data, and what was trained on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.train = read(folder, "kftt-gold/en-ja/dev", manual=True)
        self.test = read(folder, "kftt-gold/en-ja/devtest", manual=True)
        self._fitted: dict[tuple[str, int, str], ReorderingGrammar] = {}

    def fitted(self, made: ReorderingGrammar, seed: int, *, more: Sequence[str] = ()) -> ReorderingGrammar:
        """A grammar trained on the manual links, and on further sets; each once."""
        key = made.signature, seed, "+".join(more)
        if key not in self._fitted:
            sources, alignments = list(self.train[0]), list(self.train[1])
            for name in more:
                extra = read(self.folder, name)
                sources += extra[0]
                alignments += extra[1]
            self._fitted[key] = made.fit(sources, alignments, training=Training(seed=seed, threads=2))
        return self._fitted[key]

    def scored(self, systems: dict[str, list[Permutation]], *, samples: int = 0) -> VariantScores:
        """Systems by the measures of top-down BTG."""
        found = evaluate_orders(
            self.test[1], systems, variants=("nakagawa",), samples=samples, all_pairs=True
        )
        return found.variants[0]

    def row(
        self,
        name: str,
        made: ReorderingGrammar,
        *,
        more: Sequence[str] = (),
        seeds: Sequence[int] = SEEDS,
    ) -> list[str]:
        """Mean scores over the seeds, and how far they are apart."""
        found = []
        for seed in seeds:
            cells = self.scored({"it": self.fitted(made, seed, more=more).reorder(self.test[0])}).cells["it"]
            found.append([cells["tau"].score, cells["frs"].score, cells["exact"].score])
        mean = np.mean(found, axis=0)
        spread = [f"{x:.4f}" if len(seeds) > 1 else "" for x in np.ptp(found, axis=0)]
        return [name, f"{mean[0]:.4f}", spread[0], f"{mean[1]:.4f}", spread[1], f"{mean[2]:.3f}"]


HEAD = ["system", "tau", "± seeds", "FRS", "± seeds", "exact"]


def variants(lab: Lab) -> Table:
    """Table 3.2 of the thesis: which trees are learned from."""
    cells = lab.scored({}).cells["identity"]
    rows = [
        [
            "identity",
            f"{cells['tau'].score:.4f}",
            "",
            f"{cells['frs'].score:.4f}",
            "",
            f"{cells['exact'].score:.3f}",
        ]
    ]
    for name, made in VARIANTS.items():
        rows.append(lab.row(name, made))
    rows.append(["top-down BTG", *BTG])
    return HEAD, rows


VARIANTS = {
    "RG-left": ReorderingGrammar(bracketing="left"),
    "RG-right": ReorderingGrammar(bracketing="right"),
    "RG-ITG": ReorderingGrammar(arity=2),
    "RG-PET": PLAIN,
}


def measures(lab: Lab) -> Table:
    """The same systems by the measures of the thesis and of LADER; means over the seeds."""
    wanted = {"thesis": ("kendall", "fuzzy", "exact"), "lader": ("chunk", "tau")}
    found: dict[str, list[list[float]]] = {}
    for seed in SEEDS:
        orders = {name: lab.fitted(made, seed).reorder(lab.test[0]) for name, made in VARIANTS.items()}
        scored = evaluate_orders(lab.test[1], orders, variants=tuple(wanted), samples=0).variants
        for name in ("identity", *VARIANTS):
            cells = [
                one.cells[name][score].score
                for one, scores in zip(scored, wanted.values(), strict=True)
                for score in scores
            ]
            found.setdefault(name, []).append(cells)
    head = ["system", *(f"{variant} {score}" for variant, scores in wanted.items() for score in scores)]
    return head, [[name, *(f"{x:.4f}" for x in np.mean(rows, axis=0))] for name, rows in found.items()]


def tests(lab: Lab) -> Table:
    """Paired bootstrap of the variants, seed 1."""
    orders = {name: lab.fitted(made, 1).reorder(lab.test[0]) for name, made in VARIANTS.items()}
    scored = lab.scored(orders, samples=1000)
    rows = []
    for (one, other), test in scored.pairs["tau"].items():
        rows.append(
            [
                f"{other} - {one}",
                f"{test.difference:+.4f}",
                f"{test.p_value:.3f}",
                f"{scored.pairs['frs'][one, other].p_value:.3f}",
            ]
        )
    return ["pair", "tau", "p (tau)", "p (FRS)"], rows


def decoding(lab: Lab) -> Table:
    """Exact consensus beside sampling and the best tree: one model, seed 1."""
    fitted = lab.fitted(PLAIN, 1)
    tables = fitted.precedence(lab.test[0])
    ways: dict[str, ReorderingGrammar] = {
        "exact": fitted,
        "exact, no moves": fitted.resettled(moves=False),
        "10,000 samples": fitted.resettled(decoding="sample"),
        "1,000 samples": fitted.resettled(decoding="sample", samples=1000),
        "best tree": fitted.resettled(decoding="viterbi"),
    }
    rows = []
    base: list[float] = []
    for name, way in ways.items():
        began = time.process_time()
        orders = way.reorder(lab.test[0])
        took = 1000 * (time.process_time() - began) / len(orders)
        losses = [expected_loss(order, table) for order, table in zip(orders, tables, strict=True)]
        base = base or losses
        worse = sum(mine > exact + 1e-9 for mine, exact in zip(losses, base, strict=True))
        better = sum(mine < exact - 1e-9 for mine, exact in zip(losses, base, strict=True))
        cells = lab.scored({"it": orders}).cells["it"]
        rows.append(
            [name, f"{np.mean(losses):.5f}", str(worse), str(better), f"{cells['tau'].score:.4f}",
             f"{cells['frs'].score:.4f}", f"{took:.2f}"]
        )  # fmt: skip
    return ["decoding", "expected loss", "worse", "better", "tau", "FRS", "ms (CPU)"], rows


def unknown(lab: Lab) -> Table:
    """Rare words: by their look, or all one."""
    bare = ReorderingGrammar(back_off=False, word_smoothing=0.0, state_smoothing=0.0)
    rows = [
        lab.row("by their look", PLAIN),
        lab.row("one unknown word", ReorderingGrammar(back_off=False)),
        lab.row("by their look, words not smoothed", ReorderingGrammar(word_smoothing=0.0)),
        lab.row("one unknown word, nothing smoothed", bare),
    ]
    return HEAD, rows


def splits(lab: Lab) -> Table:
    """States of binary operators; others have a tenth."""
    return HEAD, [
        lab.row(f"{n} / {max(1, n // 10)}", ReorderingGrammar(binary=n, nary=max(1, n // 10)))
        for n in (1, 2, 4, 8, 16, 30, 60)
    ]


def mixtures(lab: Lab) -> Table:
    """Several grammars with different starts, their tables averaged."""
    return HEAD, [lab.row(str(n), ReorderingGrammar(grammars=n)) for n in (1, 2, 4, 8)]


def data(lab: Lab) -> Table:
    """More text with automatic links; one seed, for these take longer."""
    sets = {
        "637 manual": (),
        "+ kftt30k": ("kftt30k/en-ja/train",),
        "+ small-enja": ("small-enja/en-ja/train",),
        "+ both": ("kftt30k/en-ja/train", "small-enja/en-ja/train"),
    }
    return HEAD, [lab.row(name, PLAIN, more=more, seeds=(1,)) for name, more in sets.items()]


def pieces(lab: Lab) -> Table:
    """Long sentences cut at punctuation: what it costs. All test sentences longer than 30 words."""
    fitted = lab.fitted(PLAIN, 1)
    long = [s for s in lab.test[0] if len(s) > 30]
    tables = fitted.resettled(piece=0).precedence(long)
    rows = []
    for piece in (0, 60, 40, 30, 20):
        began = time.process_time()
        orders = fitted.resettled(piece=piece).reorder(long)
        took = 1000 * (time.process_time() - began) / len(long)
        losses = [expected_loss(order, table) for order, table in zip(orders, tables, strict=True)]
        rows.append([str(piece or "whole"), f"{np.mean(losses):.5f}", f"{took:.1f}"])
    return ["piece", "expected loss", "ms (CPU)"], rows


PARTS: dict[str, Callable[[Lab], Table]] = {
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


def markdown(table: Table) -> str:
    """A table for a page."""
    head, rows = table
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    """Make the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PARTS))
    given = parser.parse_args()
    lab = Lab(given.folder)
    for name in given.only.split(","):
        text = markdown(PARTS[name](lab))
        print(f"{name}\n{text}\n", flush=True)
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")


if __name__ == "__main__":
    main()
