"""Made-up orders, trees and grammars, for lengths that no text has."""

from __future__ import annotations

import numpy as np

from wordorder.core.permutation import Permutations
from wordorder.preorder.grammar.operators import OPERATORS, Layout
from wordorder.preorder.grammar.tables import Tables, normalise
from wordorder.preorder.grammar.treebank import ForestShape, TokenisedSentence, Treebank, build_treebank
from wordorder.preorder.grammar.vocabulary import Vocabulary

KINDS = ("random", "local", "monotone")
WORDS = 2_000_000  # in a batch, so that a run takes tens of milliseconds
VOCABULARY = 2000


def orders_of(kind: str, n: int, words: int = WORDS) -> Permutations:
    """Return many different orders of n words, so that branch prediction cannot learn them."""
    rng = np.random.default_rng(n)
    return Permutations([_order(kind, n, rng) for _ in range(max(1, words // n))])


def _order(kind: str, n: int, rng: np.random.Generator) -> np.ndarray:
    """Return one order: uniform, words moved by a few places, or none moved."""
    if kind == "random":
        return rng.permutation(n)
    if kind == "local":
        return np.argsort(np.argsort(np.arange(n) + rng.uniform(0, 4, n)))
    return np.arange(n)


def random_grammar() -> Tables:
    """Return random probabilities of 30 binary and 3 other states; an unaligned child is a word."""
    layout = Layout.split(OPERATORS, binary=30, nary=3)
    rng = np.random.default_rng(0)
    rules = rng.gamma(0.3, size=(layout.slot_count, layout.state_count))
    at = 0
    for op, states in zip(layout.operators, layout.states, strict=True):
        if op.unaligned >= 0:
            rules[at + op.unaligned * states : at + (op.unaligned + 1) * states] = 0
        at += op.arity * states
    return normalise(layout, rules, rng.gamma(0.3, size=(VOCABULARY, layout.slot_count)))


def random_treebank(n: int, sentences: int, kind: str, rng: np.random.Generator) -> Treebank:
    """Return words that stay (the largest forest there is), or that move a little, with a fifth unaligned."""
    names = Vocabulary((" unknown", *(f"w{i}" for i in range(1, VOCABULARY))), False)
    made: list[TokenisedSentence] = []
    while len(made) < sentences:
        if kind == "monotone":
            ranks = list(range(n))
        else:
            aligned = np.sort(rng.permutation(n)[: max(2, n * 4 // 5)])
            found = np.argsort(np.argsort(np.arange(len(aligned)) + rng.uniform(0, 3, len(aligned))))
            ranks = [-1] * n
            for place, rank in zip(aligned.tolist(), found.tolist(), strict=True):
                ranks[place] = rank
        made.append(TokenisedSentence([f"w{i}" for i in rng.integers(1, VOCABULARY, size=n)], ranks))
    return build_treebank(made, names, ForestShape(longest=n), OPERATORS)
