"""``wordorder preorder``."""

from __future__ import annotations

import click

from wordorder.cli.lazy import LazyGroup

VERBS = {
    "apply": "Reorder sentences with a model: orders, text, trees, n-best, lattices.",
    "calibration": "Compare a model's probabilities with how often they are right.",
    "choose-parses": "Of several parses choose those that reorder best (self-training).",
    "convert": "Grammars from and to the text form of the original program.",
    "explain": "Tell why sentences are in their order: rules that fired, words that mattered.",
    "learn-rules": "Learn rules over dependency trees from aligned trees.",
    "list": "List the methods, and the models that come with the package.",
    "monotonize": "Put training data into target order by its links.",
    "parse": "Parse text with a parser that you have (UDPipe, spaCy).",
    "references": "Reference orders from manual links, and how usable these are.",
    "train": "Learn to reorder from word-aligned text.",
    "treebank": "The best trees of aligned sentences under a grammar.",
}

HELP = """\
\b
  wordorder preorder train --source train.en --align train.align --model en-xx
  wordorder preorder apply --model en-xx --source test.en --output text
  wordorder preorder apply --model en-xx --source test.en --output order > test.order
  wordorder evaluate --align test.align -s test.en test.order

Put source sentences into the word order of the target language (docs/preordering.md).
"""


@click.group("preorder", cls=LazyGroup, verbs=VERBS, modules="wordorder.cli.preorder_", help=HELP)
def command() -> None:
    """Hold the verbs together."""
