"""Targeted self-training of the parser (Katz-Brown et al. 2011), and what it gains.

    python -m experiments.self_training PARALLEL TREEBANKS [--k 20] [--sentences 3000] [--epochs 2]

PARALLEL holds word-aligned text, one folder per set; TREEBANKS holds ``en-ewt`` and ``en-gum``. Needs torch.

The shipped parser writes several trees of each training sentence: the dev part of KFTT, and half of the
documents of Parallel UD. Of each sentence, the tree is chosen that leads the rules to the best order, and the
parser is trained further on these trees and on part of its treebanks. As a control, it is trained in the same
way on its own first trees. The table shows the scores of rules on other sentences (the devtest part of KFTT,
the other documents of Parallel UD), and the accuracy of the parser on the dev part of EWT. Learned rules are
learned from the first trees of the training sentences, anew for every parser.
"""

from __future__ import annotations

import argparse
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments.parallel import Corpus, concatenate, read_parallel
from tools.pages import DOCS, markdown_table, replace_table
from wordorder.core.permutation import Permutation
from wordorder.evaluate.columns import ComparisonSettings
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.evaluate.parse_selection import choose_parses
from wordorder.evaluate.parsers import accuracy
from wordorder.evaluate.variants import OrderScore, variant
from wordorder.io.read_write import read_records
from wordorder.io.sentence import Sentence
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.parse.models import load_parser
from wordorder.parse.network import TrainedParser
from wordorder.parse.recipe import ParserRecipe
from wordorder.preorder import Source
from wordorder.preorder.rules import Rules, RuleSet, rule_set
from wordorder.preorder.rules.counting import linked_ranks
from wordorder.preorder.rules.learning import learn_rules
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.preorder.rules.writing import to_toml
from wordorder.report.table import stars

PAGE, TITLE = DOCS / "parsing.md", "Self-training"
VARIANT = "talbot:unaligned=drop"
BEFORE = "shipped parser"
Trees = list[Sentence]


def halves(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """Divide a parallel treebank by documents."""
    side = [zlib.crc32(str(each.parse and each.parse.sent_id)[:6].encode()) % 2 for each in corpus.sources]
    first, second = ([s for s, own in enumerate(side) if own == part] for part in (0, 1))
    return corpus.select(first), corpus.select(second)


def plain(corpus: Corpus) -> Corpus:
    """Leave out gold trees, and sentences without words or links."""
    kept = [s for s, links in enumerate(corpus.alignments) if links.links and corpus.sources[s].words]
    chosen = corpus.select(kept)
    return Corpus([Source(source.words) for source in chosen.sources], chosen.alignments)


def learned(parser: TrainedParser, text: Corpus) -> RuleSet:
    """Learn rules from the trees of a parser."""
    trees = parser.parse_batch([source.words for source in text.sources])
    return learn_rules(trees, [linked_ranks(links) for links in text.alignments]).rules


def chosen_trees(nbest: Sequence[Sequence[Sentence]], text: Corpus, rules: RuleSet, folder: Path) -> Trees:
    """Choose the tree of each sentence that leads to the best order."""
    path = folder / f"{rules.name}.toml"
    path.write_text(to_toml(rules), encoding="utf-8")
    kind = variant(VARIANT)
    words = [source.words for source in text.sources]
    selection = choose_parses(
        Rules(set=str(path)),
        nbest,
        kind.ranks(text.alignments, words),
        OrderScore("fuzzy", parse_ordering_metrics(["fuzzy"])[0]),
    )
    print(
        f"{rules.name}: not the first tree for {selection.changed} of {len(selection.scored)} sentences;"
        f" fuzzy {selection.first:.4f} -> {selection.best:.4f}",
        file=sys.stderr,
    )
    return [own[choice.chosen] for own, choice in zip(nbest, selection.choices, strict=True) if choice]


def trained_on(
    start: TrainedParser, trees: Trees, treebank: Trees, options: argparse.Namespace
) -> TrainedParser:
    """Train a parser further."""
    from wordorder.neural.device import training_device
    from wordorder.parse.training import ParserTrainer

    recipe = ParserRecipe(
        dropout=0.2, word_dropout=0.05, silver_epochs=options.epochs, epochs=1, learning_rate=options.rate
    )

    def log(record: dict[str, Any]) -> None:
        print(record, file=sys.stderr, flush=True)

    device = training_device(options.device)
    trainer = ParserTrainer(recipe, treebank, silver=trees, start=start, device=device, log=log)
    return trainer.trained(trainer.train(options.seed)).rounded()


def table(
    parsers: dict[str, TrainedParser], training: Corpus, tests: dict[str, Corpus], dev: Trees
) -> list[list[str]]:
    """Score rules with each parser; marks show differences from the parser before."""
    head = ["", "rules", *(f"{name}: {score}" for name in tests for score in ("fuzzy", "Kendall")), "EWT LAS"]
    gold = accuracies(parsers, dev)
    orders: dict[str, dict[tuple[str, str], list[Permutation]]] = {name: {} for name in tests}
    for name, parser in parsers.items():
        for title, rules in (("en-ja", rule_set("en-ja")), ("learned", learned(parser, training))):
            for test, corpus in tests.items():
                trees = parser.parse_batch([source.words for source in corpus.sources])
                orders[test][name, title] = RuleMatcher(rules).reorder(trees)
    cells: dict[tuple[str, str], list[str]] = {}
    for test, corpus in tests.items():
        for title in ("en-ja", "learned"):
            scores = evaluate_orders(
                corpus.alignments,
                {name: orders[test][name, title] for name in parsers},
                words=[source.words for source in corpus.sources],
                variants=[VARIANT],
                metrics=parse_ordering_metrics(["fuzzy,kendall"]),
                baseline=BEFORE,
            ).variants[0]
            for name in parsers:
                for result in scores.cells[name].values():
                    mark = stars(result.p_value, better=(result.difference or 0) > 0)
                    cells.setdefault((name, title), []).append(f"{result.score:.4f}{mark}")
    return [head, *([name, title, *own, gold[name]] for (name, title), own in cells.items())]


def accuracies(parsers: dict[str, TrainedParser], dev: Trees) -> dict[str, str]:
    """Return the labelled accuracy of each parser, in percent."""
    found = {}
    for name, parser in parsers.items():
        trees = replace(parser, split=False).parse_batch([tree.forms for tree in dev])
        found[name] = f"{100 * accuracy(dev, trees, ComparisonSettings(samples=0)).labelled.score:.2f}"
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the experiment, print the table and put it into the page."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("parallel", type=Path)
    options.add_argument("treebanks", type=Path)
    options.add_argument("--k", type=int, default=20, help="trees of each sentence")
    options.add_argument("--sentences", type=int, default=3000, help="of the treebanks, to train on")
    options.add_argument("--epochs", type=int, default=2, help="on chosen trees and treebanks together")
    options.add_argument("--rate", type=float, default=0.0004, help="learning rate")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--device", default="auto")
    options.add_argument("--work", type=Path, default=Path("."), help="folder for the rules")
    chosen = options.parse_args(arguments)
    run(chosen)


def run(options: argparse.Namespace) -> None:
    """Train the parsers and compare them."""
    pud, other = halves(read_parallel(options.parallel, "pud/en-ja/dev", manual=True, parsed=True))
    kftt = [
        read_parallel(options.parallel, f"kftt-gold/en-ja/{part}", manual=True) for part in ("dev", "devtest")
    ]
    training = concatenate([plain(kftt[0]), plain(pud)])
    tests = {"KFTT devtest": plain(kftt[1]), "PUD, other documents": plain(other)}
    treebank = [
        tree
        for name in ("en-ewt", "en-gum")
        for tree in read_records(str(options.treebanks / name / "train.conllu.gz"), "conllu")
    ]
    dev = list(read_records(str(options.treebanks / "en-ewt" / "dev.conllu.gz"), "conllu"))
    sample = np.random.default_rng(options.seed).permutation(len(treebank))[: options.sentences]
    part = [treebank[t] for t in sample]
    parser = load_parser()
    nbest = parser.nbest_batch([source.words for source in training.sources], options.k)
    hand, own = rule_set("en-ja"), replace(learned(parser, training), name="learned")
    parsers = {BEFORE: parser}
    for title, trees in {
        "first trees": [trees[0] for trees in nbest],
        "chosen by en-ja": chosen_trees(nbest, training, hand, options.work),
        "chosen by learned rules": chosen_trees(nbest, training, own, options.work),
    }.items():
        parsers[title] = trained_on(parser, trees, part, options)
    text = (
        f"**{TITLE}** ({len(training.sources):,} sentences, {options.k} trees of each)\n\n"
        + markdown_table(table(parsers, training, tests, dev))
    )
    print(text, flush=True)
    if PAGE.is_file():
        PAGE.write_text(replace_table(PAGE.read_text("utf-8"), TITLE, text), "utf-8")


if __name__ == "__main__":
    main()
