"""Write the tables of docs/results/rules.md: rule sets, learned rules and grammars on treebanks.

    python -m experiments.rules FOLDER [--only en-ja,en-tr]

FOLDER holds parallel text with trees and word alignments, one folder per set. On the parallel treebank,
models are trained and tested on different documents (five folds of documents); on ATIS, they are trained on
the training part and tested on the development part.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.parallel import predict_orders
from tools.pages import DOCS, markdown_table, replace_table
from wordorder.core.permutation import Permutation
from wordorder.evaluate.corpus import EvaluationCorpus, ReferenceFile, read_corpus
from wordorder.evaluate.evaluation import VariantScores, evaluate_orders
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.rules import rule_set
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.report.table import stars

PAGE = DOCS / "results" / "rules.md"
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
    ending = "align.gz" if links == "manual" else "auto.align.gz"
    trees = str(folder / place / f"{split}.en.conllu.gz")
    align = str(folder / place / f"{split}.{ending}")
    return read_corpus(None, [ReferenceFile(align)], [("gold", trees)])


def learned_rules(train: Sequence[Source], test: Sequence[Source]) -> list[Permutation]:
    """Reorder with rules learned from training sentences."""
    trees = [source.parse for source in train if source.parse]
    rules = learn_rules(trees, [linked_ranks(source.alignment) for source in train if source.alignment]).rules
    return RuleMatcher(rules).reorder([source.parse for source in test if source.parse])


def grammar(train: Sequence[Source], test: Sequence[Source]) -> list[Permutation]:
    """Reorder with a grammar learned from training sentences; it does not use the trees."""
    plain = [Source(source.words) for source in train]
    links = [source.alignment for source in train if source.alignment]
    fitted = ReorderingGrammar(lowercase=True).fit(TrainingData(plain, links), RunOptions(seed=1))
    return predict_orders(fitted, [Source(source.words) for source in test])


def cross_validate(corpus: EvaluationCorpus, learn: Learn) -> list[Permutation]:
    """Reorder all sentences, each with a model learned from other documents."""
    documents = [str(source.parse.sent_id)[:6] if source.parse else "" for source in corpus.sources]
    fold = {name: k % FOLDS for k, name in enumerate(sorted(set(documents)))}
    orders: dict[int, Permutation] = {}
    for k in range(FOLDS):
        held_out = [s for s, name in enumerate(documents) if fold[name] == k]
        train = [source for source, name in zip(corpus.sources, documents, strict=True) if fold[name] != k]
        predicted = learn(train, [corpus.sources[s] for s in held_out])
        orders |= dict(zip(held_out, predicted, strict=True))
    return [orders[s] for s in range(len(corpus.sources))]


def evaluate(folder: Path, pair: str) -> VariantScores:
    """Evaluate all systems on one language pair; words without links are not scored."""
    corpus = read(folder, pair, "dev")
    trees = [source.parse for source in corpus.sources if source.parse]
    systems = {title: RuleMatcher(rule_set(name)).reorder(trees) for title, name in SETS.items()}
    name = pair.split()[0]
    if name != "en-zh":
        systems["hand-written (R5)"] = RuleMatcher(rule_set(name)).reorder(trees)
    methods: dict[str, Learn] = {"learned rules": learned_rules, "Reordering Grammar": grammar}
    for title, learn in methods.items():
        if "ATIS" in pair:
            systems[title] = learn(read(folder, pair, "train").sources, corpus.sources)
        else:
            systems[title] = cross_validate(corpus, learn)
    metrics = parse_ordering_metrics(["fuzzy,kendall"])
    return evaluate_orders(
        corpus.alignments,
        systems,
        words=corpus.words,
        variants=["talbot:unaligned=drop"],
        metrics=metrics,
        all_pairs=True,
    ).variants[0]


def table(pair: str, scores: VariantScores) -> str:
    """Make a table of scores with intervals; marks show whether a row differs from the one above."""
    title = f"**{pair}** ({PAIRS[pair][1]} links, {scores.used} sentences, {scores.words:,} words)"
    rows = [["", "fuzzy", "", "Kendall", ""]]
    above = ""
    for name in list(scores.cells)[1:]:  # the first rule set does not reorder either
        cells = []
        for metric, result in scores.cells[name].items():
            around = result.interval
            assert around is not None
            cells.append(f"{result.score:.3f} [{around.low:.3f}, {around.high:.3f}]")
            test = scores.pairs[metric].get((above, name))
            cells.append(stars(test.p_value, better=test.difference > 0) if test else "")
        rows.append([name, *cells])
        above = name
    return f"{title}\n\n{markdown_table(rows)}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the requested tables, print them and put them into the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PAIRS), help="language pairs to run")
    options = parser.parse_args(arguments)
    for pair in options.only.split(","):
        text = table(pair, evaluate(options.folder, pair))
        print(text, flush=True)
        PAGE.write_text(replace_table(PAGE.read_text("utf-8"), pair, text), "utf-8")


if __name__ == "__main__":
    main()
