"""Word order in translation: measure it, explain it, predict it.

>>> import wordorder as wo
>>> permutation = wo.Permutation([1, 3, 4, 5, 0, 2])
>>> print(wo.tree(permutation))
⟨2,4,1,3⟩(2 ⟨1,2⟩(4 5 6) 1 3)
>>> wo.metric("recpef")(permutation)
0.4

``docs/api.md`` shows every public name with an example.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from wordorder._version import __version__
from wordorder.core import displayed

displayed.drawers[:] = ["wordorder.draw.notebook", "wordorder.report.notebook"]

if TYPE_CHECKING:
    from wordorder.align.bilingual import train_aligner
    from wordorder.analyse.source_order import source_order
    from wordorder.core.alignment import Alignment, Alignments
    from wordorder.core.forest import Forest
    from wordorder.core.orders import orders_from_links
    from wordorder.core.permutation import Permutation, Permutations
    from wordorder.core.tree import Tree, tree
    from wordorder.errors import WordOrderError
    from wordorder.evaluate import evaluate_orders
    from wordorder.integrations.frames import to_frame
    from wordorder.integrations.score_frame import score
    from wordorder.io.checks import check_format
    from wordorder.io.read_write import read_records, write_records
    from wordorder.judge.read import read_judgments
    from wordorder.metrics import Score, check_metric, from_signature, metric, metric_names
    from wordorder.metrics.given_alignments import GivenAlignments
    from wordorder.parse.models import load_parser
    from wordorder.preorder import (
        Reordering,
        RunOptions,
        Source,
        TrainingData,
        check_preorderer,
        load_preorderer,
        preorderer,
        preorderer_names,
    )

# Names are imported on first use, so that `import wordorder` and `wordorder --help` are instant.
_HOMES = {
    "Alignment": "wordorder.core.alignment",
    "Alignments": "wordorder.core.alignment",
    "Forest": "wordorder.core.forest",
    "GivenAlignments": "wordorder.metrics.given_alignments",
    "Permutation": "wordorder.core.permutation",
    "Permutations": "wordorder.core.permutation",
    "Reordering": "wordorder.preorder",
    "RunOptions": "wordorder.preorder",
    "Score": "wordorder.metrics",
    "Source": "wordorder.preorder",
    "TrainingData": "wordorder.preorder",
    "Tree": "wordorder.core.tree",
    "WordOrderError": "wordorder.errors",
    "check_format": "wordorder.io.checks",
    "check_metric": "wordorder.metrics",
    "check_preorderer": "wordorder.preorder",
    "evaluate_orders": "wordorder.evaluate",
    "from_signature": "wordorder.metrics",
    "load_parser": "wordorder.parse.models",
    "load_preorderer": "wordorder.preorder",
    "metric": "wordorder.metrics",
    "metric_names": "wordorder.metrics",
    "orders_from_links": "wordorder.core.orders",
    "preorderer": "wordorder.preorder",
    "preorderer_names": "wordorder.preorder",
    "read_judgments": "wordorder.judge.read",
    "read_records": "wordorder.io.read_write",
    "score": "wordorder.integrations.score_frame",
    "source_order": "wordorder.analyse.source_order",
    "to_frame": "wordorder.integrations.frames",
    "train_aligner": "wordorder.align.bilingual",
    "tree": "wordorder.core.tree",
    "write_records": "wordorder.io.read_write",
}

__all__ = [
    "Alignment",
    "Alignments",
    "Forest",
    "GivenAlignments",
    "Permutation",
    "Permutations",
    "Reordering",
    "RunOptions",
    "Score",
    "Source",
    "TrainingData",
    "Tree",
    "WordOrderError",
    "__version__",
    "check_format",
    "check_metric",
    "check_preorderer",
    "evaluate_orders",
    "from_signature",
    "load_parser",
    "load_preorderer",
    "metric",
    "metric_names",
    "orders_from_links",
    "preorderer",
    "preorderer_names",
    "read_judgments",
    "read_records",
    "score",
    "source_order",
    "to_frame",
    "train_aligner",
    "tree",
    "write_records",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'wordorder' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
