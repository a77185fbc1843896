"""Reports of why sentences are in their order: text with a tree, and JSON."""

from __future__ import annotations

from collections.abc import Mapping

from wordorder.draw import Scene, tree_picture, tree_text
from wordorder.preorder.base import OrderExplanation
from wordorder.report.table import write_json


def explanation_text(explanation: OrderExplanation, *, color: bool = False) -> str:
    """Write an explanation as text; the tree is drawn if there are notes at its nodes."""
    text = explanation.to_text()
    if explanation.notes:
        tree = tree_text(explanation.tree.to_tree(explanation.words), color=color, notes=explanation.notes)
        text += "".join(f"  {line}\n" for line in tree.splitlines())
    return text


def explanations_json(explanations: Mapping[int, OrderExplanation]) -> bytes:
    """Write explanations as JSON, with the numbers of their sentences."""
    data = [{"number": number, **explanation.as_dict()} for number, explanation in explanations.items()]
    return write_json(data)


def explanation_picture(explanation: OrderExplanation) -> Scene:
    """Draw the tree with the notes at its nodes; below each word is its new place."""
    return tree_picture(explanation.tree.to_tree(explanation.words), notes=explanation.notes)
