"""Trees and pictures of permutations and links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.core.forest import Forest
from wordorder.core.orders import Orders, orders_from_links
from wordorder.core.tree import Tree
from wordorder.draw.pictures import PictureSettings, link_pictures, order_pictures
from wordorder.draw.svg import to_svg
from wordorder.draw.tikz import to_latex, to_tikz
from wordorder.evaluate.references import Reference
from wordorder.evaluate.usability import Usability, usability
from wordorder.io.base import Problem
from wordorder.io.lines import counted, split_words
from wordorder.web.operations.requests import Answer, alignment, permutation
from wordorder.web.schemas import (
    DrawRequest,
    TreeRequest,
)

ENOUGH = 0.8  # share of linked words below which an order is doubtful


def tree(request: TreeRequest) -> Answer:
    """Return a tree of a permutation, or of the order that links give."""
    chosen, links, orders = _chosen_tree(request)
    answer = {
        "ranks": chosen.permutation.ranks.tolist(),
        "words": None if chosen.words is None else list(chosen.words),
        "count": str(Forest(chosen.permutation).count),
        "number": request.number,
        "nodes": _nodes(chosen),
        "brackets": Tree(chosen.permutation, chosen.table).to_brackets(),  # with numbers for words
    }
    if links is not None and orders is not None:
        answer |= {"sure": list(links.sure), "possible": list(links.possible)}
        answer["reference"] = _reference(links, chosen.words or (), orders.ranks[0], bool(orders.counts[0]))
    return answer


def draw(request: DrawRequest) -> Answer:
    """Draw a permutation or links."""
    chosen, links, _ = _chosen_tree(request)
    pictures = order_pictures(chosen)
    if links is not None and request.links is not None:
        sides = split_words(request.links.source), split_words(request.links.target)
        pictures |= link_pictures(links, *sides)
    scene = pictures[request.picture].scene(PictureSettings(request.title, request.width))
    write = {"svg": to_svg, "tikz": to_tikz, "latex": to_latex}[request.format]
    kind = "image/svg+xml" if request.format == "svg" else "text/x-tex"
    return {"content": write(scene), "media_type": kind}


def _chosen_tree(request: TreeRequest) -> tuple[Tree, Alignment | None, Orders | None]:
    """Return the tree that is asked for; of links also these, and the orders that they give."""
    words, links, orders = request.words, None, None
    if request.links is not None:
        links, words = alignment(request.links), split_words(request.links.source)
        orders = orders_from_links([links], request.policy, words=[words])
        order = orders.permutations[0]
    else:
        assert request.permutation is not None
        order = permutation(request.permutation, order=request.order)
    forest = Forest(order, words)
    return (
        forest.flat if request.number is None else forest.tree_at(int(request.number)),
        links,
        orders,
    )


def _nodes(chosen: Tree) -> list[Answer]:
    return [
        {
            "begin": node.begin,
            "end": node.end,
            "kind": node.kind,
            "operator": [place + 1 for place in node.operator],
            "children": [[child.begin, child.end] for child in node.children],
        }
        for node in chosen.nodes()
    ]


def _reference(links: Alignment, words: Sequence[str], ranks: Any, counts: bool) -> Answer:
    reference = Reference.from_ranks(words, ranks) if counts else Reference((), ())
    usable = usability([links])
    try:
        text = reference.to_text()
    except Problem:  # a word is itself a bracket
        text = reference.to_positions()
    linked = {i for i, _ in links.links}
    return {
        "text": text,
        "groups": [list(run) for run in reference.runs],
        "unlinked": [i for i in range(len(words)) if i not in linked],
        "coverage": usable.coverage,
        "target_coverage": usable.target_coverage,
        "warnings": _doubts(usable) if links.links else [],
    }


def _doubts(usable: Usability) -> list[str]:
    """Return reasons to doubt the order of one sentence."""
    target = usable.target_coverage
    checks = [
        (usable.coverage < ENOUGH, f"only {usable.coverage:.0%} of the source words are linked"),
        (target is not None and target < ENOUGH, f"only {target or 0:.0%} of the target words are linked"),
        (
            usable.interrupted > 0,
            f"{counted(usable.interrupted, 'source word')} with target words of other words in between",
        ),
        (usable.contradictory > 0, "the first and the last links of words give different orders"),
    ]
    return [text for holds, text in checks if holds]
