"""Word order in translation: measure it, explain it, predict it.

>>> import wordorder as wo
>>> perm = wo.Permutation([1, 3, 4, 5, 0, 2])
>>> print(wo.tree(perm))
⟨2,4,1,3⟩(2 ⟨1,2⟩(4 5 6) 1 3)
>>> wo.Forest(perm).count
2
>>> wo.metric("recpef:beta=0.6")(perm)
0.4
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wordorder._version import __version__

if TYPE_CHECKING:
    from wordorder.core.alignment import Alignment
    from wordorder.core.forest import Forest
    from wordorder.core.permutation import Permutation, Permutations
    from wordorder.core.tree import Node, Tree, is_primal, tree
    from wordorder.errors import WordOrderError
    from wordorder.metrics import Score, check_metric, from_signature, metric, metric_names
    from wordorder.metrics.given_alignments import Given
    from wordorder.preorder import check_preorderer, load_preorderer, preorderer, preorderer_names

# Names are fetched on first use: `import wordorder` and `wordorder --help` stay instant.
_HOMES = {
    "Alignment": "wordorder.core.alignment",
    "Forest": "wordorder.core.forest",
    "Given": "wordorder.metrics.given_alignments",
    "Node": "wordorder.core.tree",
    "Permutation": "wordorder.core.permutation",
    "Permutations": "wordorder.core.permutation",
    "Score": "wordorder.metrics",
    "Tree": "wordorder.core.tree",
    "WordOrderError": "wordorder.errors",
    "check_metric": "wordorder.metrics",
    "check_preorderer": "wordorder.preorder",
    "from_signature": "wordorder.metrics",
    "is_primal": "wordorder.core.tree",
    "load_preorderer": "wordorder.preorder",
    "metric": "wordorder.metrics",
    "metric_names": "wordorder.metrics",
    "preorderer": "wordorder.preorder",
    "preorderer_names": "wordorder.preorder",
    "tree": "wordorder.core.tree",
}

__all__ = [
    "Alignment",
    "Forest",
    "Given",
    "Node",
    "Permutation",
    "Permutations",
    "Score",
    "Tree",
    "WordOrderError",
    "__version__",
    "check_metric",
    "check_preorderer",
    "from_signature",
    "is_primal",
    "load_preorderer",
    "metric",
    "metric_names",
    "preorderer",
    "preorderer_names",
    "tree",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'wordorder' has no attribute {name!r}")
    if name in ("Forest", "Tree", "tree"):
        import_module("wordorder.draw.notebook")  # trees draw themselves in a notebook
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
