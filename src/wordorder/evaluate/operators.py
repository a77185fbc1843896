"""Operators of the reference's tree against what the system did with the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, tree
from wordorder.evaluate.gold import Ranks

BROKEN = "broken"  # the words of the reference's node are not together in the system's order


def operator_confusion(
    ranks: Sequence[Ranks | None], orders: Sequence[Permutation]
) -> dict[tuple[str, str], int]:
    """How often an operator of the reference met an operator of the system, over the same span of the source.

    Only words with a rank are looked at; words of equal rank stand as the system has them. The system's
    operator is that of the smallest node which holds the span, if the span is whole there, else it is
    broken.

    >>> operator_confusion([np.array([1, 0, 2])], [Permutation([0, 1, 2])])
    {('⟨2,1⟩', '⟨1,2⟩'): 1, ('⟨1,2⟩', '⟨1,2⟩'): 1}
    """
    found: Counter[tuple[str, str]] = Counter()
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
            found[_name(node), _met(node.begin, node.end, place, nodes)] += 1
    return dict(found)


def _met(begin: int, end: int, place: np.ndarray, nodes: Sequence[Node]) -> str:
    part = place[begin:end]
    if part.max() - part.min() != end - begin - 1:
        return BROKEN
    inside = next(node for node in nodes if node.begin <= begin and end <= node.end)
    return _name(inside)


def _name(node: Node) -> str:
    if node.kind == "prime":
        return "⟨" + ",".join(str(place + 1) for place in node.operator) + "⟩"
    return "⟨1,2⟩" if node.kind == "monotone" else "⟨2,1⟩"
