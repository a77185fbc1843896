"""Explain an order by occlusion: hide each word in turn, and measure how the order changes.

A hidden word keeps its position, but the model knows nothing about it. Three effects are reported: how far
the log probability of the order falls, how far its expected loss rises, and, for every node of the tree
that changes the order of its parts, how far the probability of this change falls.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles
from wordorder.core.displayed import Displayed
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.preorder.base import expected_loss
from wordorder.preorder.long_sentences import divided
from wordorder.preorder.probabilistic import HIDDEN, Belief, NodeProbability, Probabilistic
from wordorder.preorder.source import Source
from wordorder.preorder.trees import SourceTree

BATCH = 16  # sentences that are scored together: all their charts are in memory
BAR = 24  # width of bars in characters
UNCERTAIN_PAIRS = 5  # pairs that are reported; in text only those below CERTAIN
CERTAIN = 0.95
REASONS = 3  # words that are reported for a node
LONGEST = 500  # words of a sentence, each of which is hidden
LEAST = 0.005  # a smaller fall in probability is not a reason


@dataclass(frozen=True, slots=True)
class NodeReasons:
    """A node that changes the order of its parts.

    ``precedence`` is the mean probability of the order of the word pairs that the node inverts, ``falls``
    by how much it falls without each word of the sentence, and ``operator`` the probability of the node,
    if it is known.
    """

    begin: int
    end: int
    parts: tuple[tuple[int, int], ...]  # as they are read
    precedence: float
    falls: tuple[float, ...]
    operator: NodeProbability | None

    @property
    def reasons(self) -> list[int]:
        """The words that matter to the node, the most important first."""
        some = [i for i, fall in enumerate(self.falls) if fall >= LEAST]
        return sorted(some, key=lambda i: -self.falls[i])


@dataclass(frozen=True, slots=True)
class Occlusion(Displayed):
    """A sentence, its order and tree, and the effect of hiding each word.

    ``falls`` are the falls in log probability of the order (None where it is not known), ``rises`` the
    rises in expected loss. ``certainty`` is the probability of the operator of each node if it is known,
    else the mean probability of the order of its word pairs.
    """

    words: tuple[str, ...]
    order: Permutation
    tree: SourceTree
    log_prob: float | None
    loss: float
    falls: tuple[float | None, ...]
    rises: tuple[float, ...]
    moved: tuple[NodeReasons, ...]
    certainty: dict[tuple[int, int], float]
    uncertain: tuple[tuple[int, int, float], ...]  # the least certain pairs, with their probabilities

    @property
    def notes(self) -> dict[tuple[int, int], str]:
        """The certainty of each node, for drawings."""
        return {span: f"{share:.2f}" for span, share in self.certainty.items()}

    def to_text(self) -> str:
        """Return a readable explanation: words with bars, what changed places and why, uncertain pairs."""
        words = self._names()
        lines = [" ".join(self.words), " ".join(self.order.apply(self.words))]
        sure = "" if self.log_prob is None else f"probability {math.exp(self.log_prob):.3g}, "
        lines.append(f"  {sure}expected loss {self.loss:.4f}")
        if not self.moved:
            lines.append("  nothing changed places")
        for node in self.moved:
            parts = " ".join(f"[{' '.join(self.words[begin:end])}]" for begin, end in node.parts)
            why = ", ".join(f"{node.falls[i]:.2f} without {words[i]}" for i in node.reasons[:REASONS])
            lines.append(f"  {parts} {node.precedence:.2f}" + (f", falls by {why}" if why else ""))
        if len(words) > 1:
            lines += self._bars()
        for before, after, share in self.uncertain:
            if share >= CERTAIN:
                break  # the pairs are sorted by certainty
            lines.append(f"  uncertain: {words[before]} before {words[after]}, {share:.2f}")
        return "\n".join(lines) + "\n"

    def _names(self) -> list[str]:
        """Return the words, with their positions where they are repeated."""
        seen = Counter(self.words)
        return [word if seen[word] == 1 else f"{word}/{i}" for i, word in enumerate(self.words, start=1)]

    def _bars(self) -> Iterator[str]:
        known = [fall for fall in self.falls if fall is not None and math.isfinite(fall)]
        whole = len(known) == len(self.words)
        values = known if whole else list(self.rises)
        yield f"  without the word, {'log probability falls' if whole else 'expected loss rises'} by"
        most = max(map(abs, values))
        names = self._names()
        width = max(map(len, names))
        for word, value in zip(names, values, strict=True):
            bar = ("█" if value > 0 else "░") * (round(BAR * abs(value) / most) if most > 0 else 0)
            yield f"    {word.ljust(width)} {value:8.3f} {bar}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; what is infinite or not known is null."""
        return {
            "words": list(self.words),
            "order": self.order.order.tolist(),
            "tree": self.tree.to_penn(self.words) if self.words else "",
            "log_probability": _finite(self.log_prob),
            "expected_loss": self.loss,
            "without": [
                {"word": word, "log_probability_falls": _finite(fall), "expected_loss_rises": rise}
                for word, fall, rise in zip(self.words, self.falls, self.rises, strict=True)
            ],
            "nodes": [{"begin": b, "end": e, "probability": p} for (b, e), p in self.certainty.items()],
            "moved": [
                {
                    "begin": node.begin,
                    "end": node.end,
                    "parts": [list(part) for part in node.parts],
                    "precedence": node.precedence,
                    "operator": node.operator.operator if node.operator else None,
                    "span": node.operator.span if node.operator else None,
                    "falls": list(node.falls),
                }
                for node in self.moved
            ],
            "uncertain": [{"before": a, "after": b, "probability": p} for a, b, p in self.uncertain],
        }


def occlude(model: Probabilistic, source: Source) -> Occlusion:
    """Reorder a sentence, and hide its words in turn."""
    if len(source) > LONGEST:
        raise WordOrderError(
            f"a sentence of {len(source):,} words cannot be explained, only one of up to {LONGEST}; divide it"
        )
    model = model.in_pieces()
    (tree,) = model.trees_batch([source])
    order = tree.order()
    n = len(source)
    (belief,) = model.beliefs([source], [order])
    loss = expected_loss(order, belief.precedence)
    nodes = _nodes(tree)
    (operators,) = model.operators([source], [tree])
    falls: list[float | None] = []
    rises: list[float] = []
    turned_pairs = [np.array(pairs).T for *_, turned, pairs in nodes if turned]
    means: list[list[float]] = []  # of the pairs of each node that changes places, without each word
    at = 0
    for own, hidden in _hidden(model, source, order):
        # Pieces are reordered separately: hiding a word changes only the table of its piece.
        size = len(hidden[0].precedence) if hidden else 0
        for without in hidden:
            table = belief.precedence.copy()
            table[at : at + size, at : at + size] = without.precedence
            means.append([_mean(table, pairs) for pairs in turned_pairs])
            rises.append(expected_loss(order, table) - loss)
            known = without.log_prob
            falls.append(None if own is None or known is None or not math.isfinite(own) else own - known)
        at += size
    moved: list[NodeReasons] = []
    for begin, end, parts, turned, pairs in nodes:
        if turned:
            sure = _mean(belief.precedence, np.array(pairs).T)
            lost = tuple(sure - without[len(moved)] for without in means)
            moved.append(NodeReasons(begin, end, parts, sure, lost, operators.get((begin, end))))
    read = belief.precedence[np.ix_(order.order, order.order)]
    first, second = np.triu_indices(n, 1)
    least = np.argsort(read[first, second], kind="stable")[:UNCERTAIN_PAIRS]
    positions = order.order.tolist()
    uncertain = tuple(
        (positions[first[p]], positions[second[p]], float(read[first[p], second[p]])) for p in least
    )
    return Occlusion(
        source.words, order, tree, belief.log_prob, loss, tuple(falls), tuple(rises), tuple(moved),
        _certainty(tree, belief.precedence, operators), uncertain,
    )  # fmt: skip


def node_certainty(model: Probabilistic, source: Source, tree: SourceTree) -> dict[tuple[int, int], float]:
    """Return how certain the nodes of a tree are, like :attr:`Occlusion.certainty`, without hiding words."""
    (belief,) = model.beliefs([source], [tree.order()])
    (operators,) = model.operators([source], [tree])
    return _certainty(tree, belief.precedence, operators)


def _certainty(
    tree: SourceTree, precedence: Doubles, operators: Mapping[tuple[int, int], NodeProbability]
) -> dict[tuple[int, int], float]:
    certainty = {}
    for begin, end, _, _, pairs in _nodes(tree):
        operator = operators.get((begin, end))
        certainty[begin, end] = operator.operator if operator else _mean(precedence, np.array(pairs).T)
    return certainty


def _hidden(
    model: Probabilistic, source: Source, order: Permutation
) -> Iterator[tuple[float | None, list[Belief]]]:
    """Yield, for each piece, the log probability of its order, and the belief without each of its words."""
    pieces = model.pieces(source)
    parts = divided(order, [len(piece) for piece in pieces])
    assert parts is not None  # pieces are reordered separately
    for piece, part in zip(pieces, parts, strict=True):
        words = piece.words
        hidden = [replace(piece, words=(*words[:i], HIDDEN, *words[i + 1 :])) for i in range(len(words))]
        every = [piece, *hidden]
        beliefs: list[Belief] = []
        for first in range(0, len(every), BATCH):
            some = every[first : first + BATCH]
            beliefs += model.beliefs(some, [part] * len(some))
        yield beliefs[0].log_prob, beliefs[1:]


TreeNode = tuple[int, int, tuple[tuple[int, int], ...], bool, list[tuple[int, int]]]


def _nodes(tree: SourceTree) -> list[TreeNode]:
    """List begin, end, parts in their new order, whether they changed places, and the word pairs that did.

    For a node that leaves its parts in place, the pairs are all those of words of different parts.
    """
    spans = {id(node): (begin, end) for begin, end, node in tree.spans()}
    nodes: list[TreeNode] = []
    for node in tree.nodes():
        begin, end = spans[id(node)]
        parts = [(c, c + 1) if isinstance(c, int) else spans[id(c)] for c in node.children]
        if len(parts) < 2:
            continue
        read = [part for _, part in sorted(zip(node.operator, parts, strict=True))]
        pairs = [(left, right) for k, left in enumerate(read) for right in read[k + 1 :]]
        turned = [pair for pair in pairs if pair[0] > pair[1]]
        words = [
            (before, after)
            for left, right in turned or pairs
            for before in range(*left)
            for after in range(*right)
        ]
        nodes.append((begin, end, tuple(read), bool(turned), words))
    return nodes


def _mean(table: Doubles, pairs: NDArray[np.int64]) -> float:
    before, after = pairs
    return float(table[before, after].mean())


def _finite(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None
