"""``wordorder preorder``."""

from __future__ import annotations

import click

from wordorder.cli.lazy import LazyGroup

VERBS = {
    "apply": "Reorder sentences: text, orders, trees, n-best lists, lattices.",
    "average": "Write a model that averages the probabilities of others.",
    "calibration": "Compare a model's probabilities with how often they are right.",
    "choose-parses": "Choose the parses that lead to the best orders (self-training).",
    "convert": "Convert grammars from and to the text format of the original program.",
    "evaluate-parser": "Report the accuracy of a parser on gold trees.",
    "explain": "Explain the order of sentences: rules that fired, words that mattered.",
    "learn-rules": "Learn rules over dependency trees from aligned trees.",
    "list": "List the methods and the installed models.",
    "parse": "Tag and parse text with the shipped parser, your own, UDPipe or spaCy.",
    "train": "Train a preorderer on word-aligned text.",
    "train-parser": "Train a tagger and parser on trees.",
    "treebank": "Write the best trees of aligned sentences under a grammar.",
}

HELP = """\
\b
  wordorder preorder apply --model en-ja-crf <<< "the boy bought a book in tokyo"
  wordorder preorder train --source train.en --align train.align --save-model en-xx
  wordorder preorder apply --model en-xx --source test.en -o test.reordered
  wordorder evaluate --align test.align --source test.en en-xx

Put source sentences into the word order of the target language (docs/preordering.md).
"""


@click.group("preorder", cls=LazyGroup, verbs=VERBS, modules="wordorder.cli.preorder_", help=HELP)
def command() -> None:
    """Group the verbs of preordering."""
