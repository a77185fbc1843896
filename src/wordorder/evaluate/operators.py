"""Operators of the reference tree, compared with what the system did with the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Ints
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, tree

BROKEN = "broken"  # the words of a reference node are not contiguous in the order of the system


@dataclass(frozen=True, slots=True)
class OperatorCount:
    """How often an operator of the reference corresponds to an operator of the system."""

    reference: str
    system: str
    count: int


def operator_confusion(ranks: Sequence[Ints | None], orders: Sequence[Permutation]) -> list[OperatorCount]:
    """Count pairs of operators over the same span of the source, the most frequent first.

    Only words with a rank are considered; words of equal
    rank take the order of the system. The operator of the system is that of its smallest node that contains
    the span if the words of the span are contiguous there; otherwise the span is broken.

    >>> operator_confusion([np.array([1, 0])], [Permutation.identity(2)])
    [OperatorCount(reference='⟨2,1⟩', system='⟨1,2⟩', count=1)]
    """
    confusion: Counter[tuple[str, str]] = Counter()
    for rank, order in zip(ranks, orders, strict=True):
        if rank is None:
            continue
        kept = np.flatnonzero(rank >= 0)
        if len(kept) < 2:
            continue
        settled = np.empty(len(kept), dtype=np.int64)  # a rank for each word
        settled[np.lexsort((order.ranks[kept], rank[kept]))] = np.arange(len(kept))
        reference = Permutation(settled.tolist())
        system = Permutation.standardise(order.ranks[kept].tolist())
        place = np.asarray(system.ranks)
        nodes = list(tree(system).nodes(order="post"))
        for node in tree(reference).nodes(order="post"):
            confusion[_name(node), _system_operator(node.begin, node.end, place, nodes)] += 1
    return [OperatorCount(*pair, count) for pair, count in confusion.most_common()]


def _system_operator(begin: int, end: int, place: np.ndarray, nodes: Sequence[Node]) -> str:
    part = place[begin:end]
    if part.max() - part.min() != end - begin - 1:
        return BROKEN
    inside = next(node for node in nodes if node.begin <= begin and end <= node.end)
    return _name(inside)


def _name(node: Node) -> str:
    if node.kind == "prime":
        return "⟨" + ",".join(str(place + 1) for place in node.operator) + "⟩"
    return "⟨1,2⟩" if node.kind == "monotone" else "⟨2,1⟩"
