"""Write the tables of docs/rules.md: rule sets, learned rules and the Reordering Grammar on treebanks.

    python docs/make_rules.py FOLDER [--only en-ja,en-tr]

FOLDER holds parallel text with trees and word alignments, a folder for each set. On the parallel
treebank what is learned is learned on other documents than it is tested on (five folds of documents);
on ATIS it is learned on the training part and tested on the development part.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.evaluate.corpus import EvaluationCorpus, read_corpus
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.preorder import Source, Training
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.rules import rule_set
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.report.table import stars

PAGE = Path(__file__).with_name("rules.md")
FOLDS = 5
PAIRS = {
    "en-ja": ("pud/en-ja", "manual"),
    "en-ko": ("pud/en-ko", "manual"),
    "en-zh": ("pud/en-zh", "manual"),
    "en-tr": ("pud/en-tr", "automatic"),
    "en-hi": ("pud/en-hi", "automatic"),
    "en-tr ATIS": ("atis-ud/en-tr", "automatic"),
}
SETS = {
    "none (R1)": "none",
    "reverse (R2)": "reverse",
    "head-final": "head-final",
    "head-final-reverse-before (R3)": "head-final-reverse-before",
    "head-final-reverse-after (R4)": "head-final-reverse-after",
    "head-finalization": "head-finalization",
}
Learn = Callable[[Sequence[Source], Sequence[Source]], list[Permutation]]


def read(folder: Path, pair: str, split: str) -> EvaluationCorpus:
    """Read a set with its links and trees."""
    place, links = PAIRS[pair]
    end = "align.gz" if links == "manual" else "auto.align.gz"
    home = folder / place
    tree = str(home / f"{split}.en.conllu.gz")
    return read_corpus(None, [("gold", tree)], align=str(home / f"{split}.{end}"))


def learned(train: Sequence[Source], test: Sequence[Source]) -> list[Permutation]:
    """Orders by rules that were learned on other text."""
    trees = [one.parse for one in train if one.parse]
    made = learn_rules(trees, [linked_ranks(one.alignment) for one in train if one.alignment])
    return RuleMatcher(made.rules).reorder([one.parse for one in test if one.parse])


def grammar(train: Sequence[Source], test: Sequence[Source]) -> list[Permutation]:
    """Orders by a grammar that was learned on other text; it sees no trees."""
    plain = [Source(one.words) for one in train]
    links: list[Alignment] = [one.alignment for one in train if one.alignment]
    made = ReorderingGrammar(lowercase=True).fit(plain, links, training=Training(seed=1, threads=1))
    return made.reorder([Source(one.words) for one in test])


def across(corpus: EvaluationCorpus, learn: Learn) -> list[Permutation]:
    """Orders of all sentences, each by what was learned on other documents."""
    documents = [str(one.parse.sent_id)[:6] if one.parse else "" for one in corpus.sources]
    fold = {name: k % FOLDS for k, name in enumerate(sorted(set(documents)))}
    orders: dict[int, Permutation] = {}
    for k in range(FOLDS):
        inside = [s for s, name in enumerate(documents) if fold[name] == k]
        train = [one for one, name in zip(corpus.sources, documents, strict=True) if fold[name] != k]
        found = learn(train, [corpus.sources[s] for s in inside])
        orders |= dict(zip(inside, found, strict=True))
    return [orders[s] for s in range(len(corpus.sources))]


def evaluated(folder: Path, pair: str) -> VariantScores:
    """Score all systems on one pair of languages; words without links do not count."""
    corpus = read(folder, pair, "dev")
    trees = [one.parse for one in corpus.sources if one.parse]
    systems = {title: RuleMatcher(rule_set(name)).reorder(trees) for title, name in SETS.items()}
    name = pair.split()[0]
    if name != "en-zh":
        systems["hand-written (R5)"] = RuleMatcher(rule_set(name)).reorder(trees)
    methods: dict[str, Learn] = {"learned rules": learned, "Reordering Grammar": grammar}
    for title, learn in methods.items():
        if "ATIS" in pair:
            systems[title] = learn(read(folder, pair, "train").sources, corpus.sources)
        else:
            systems[title] = across(corpus, learn)
    metrics = parse_ordering_metrics(["fuzzy,kendall"])
    return evaluate_orders(
        corpus.alignments,
        systems,
        words=corpus.words,
        variants=["talbot:unaligned=drop"],
        metrics=metrics,
        all_pairs=True,
    ).variants[0]


def markdown(pair: str, found: VariantScores) -> str:
    """A table: score, interval, and whether a row differs from the one above it."""
    lines = [
        f"**{pair}** ({PAIRS[pair][1]} links, {found.used} sentences, {found.words:,} words)\n",
        "| | fuzzy | | Kendall | |",
        "|---|---|---|---|---|",
    ]
    above = ""
    for name in list(found.cells)[1:]:  # the first rule set does not reorder either
        cells = []
        for score, result in found.cells[name].items():
            around = result.interval
            assert around is not None
            cells.append(f"{result.score:.3f} [{around.low:.3f}, {around.high:.3f}]")
            test = found.pairs[score].get((above, name))
            cells.append(stars(test.p_value, better=test.difference > 0) if test else "")
        lines.append(f"| {name} | {' | '.join(cells)} |")
        above = name
    return "\n".join(lines)


def main() -> None:
    """Make the tables that are asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PAIRS))
    given = parser.parse_args()
    for pair in given.only.split(","):
        text = markdown(pair, evaluated(given.folder, pair))
        print(text, flush=True)
        first, last = f"<!-- {pair} -->\n", f"\n<!-- end {pair} -->"
        before, found, rest = PAGE.read_text(encoding="utf-8").partition(first)
        if not found:
            raise SystemExit(f"{PAGE.name} has no place for {pair}")
        PAGE.write_text(before + first + text + last + rest.partition(last)[2], encoding="utf-8")


if __name__ == "__main__":
    main()
