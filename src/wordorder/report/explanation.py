"""Why sentences are in the order that they are in: text with the tree drawn, JSON, pictures."""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from wordorder.draw import tree_svg, tree_text
from wordorder.preorder.base import Explanation


def explanation_text(one: Explanation, *, color: bool = False) -> str:
    """For people; the tree is drawn where there is something to note at its nodes."""
    text = one.to_text()
    if one.notes:
        drawn = tree_text(one.tree.to_tree(one.words), color=color, notes=one.notes)
        text += "".join(f"  {line}\n" for line in drawn.splitlines())
    return text


def explanations_json(found: Mapping[int, Explanation]) -> bytes:
    """Sentences by their numbers."""
    data = [{"number": number, **one.as_dict()} for number, one in found.items()]
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"


def explanation_svg(one: Explanation) -> str:
    """The tree with what there is to note at its nodes; under each word stands its new place."""
    return tree_svg(one.tree.to_tree(one.words), notes=one.notes)
