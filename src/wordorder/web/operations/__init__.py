"""The work behind the API: each function turns a request into an answer, as plain data for JSON.

They call what the command line calls, so that numbers are the same everywhere. They run in worker processes
(:mod:`wordorder.web.pool`), which can be stopped at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import BaseModel

from wordorder.web.operations.choosing import choose
from wordorder.web.operations.linking import align
from wordorder.web.operations.reordering import models, reorder
from wordorder.web.operations.requests import Answer
from wordorder.web.operations.scores import metrics, score
from wordorder.web.operations.trees import draw, tree
from wordorder.web.schemas import (
    AlignRequest,
    ChooseRequest,
    DrawRequest,
    ReorderRequest,
    ScoreRequest,
    TreeRequest,
)

__all__ = ["OPERATIONS", "align", "choose", "draw", "metrics", "models", "reorder", "score", "tree"]

OPERATIONS: Mapping[str, tuple[type[BaseModel], Callable[..., Answer]]] = {
    "score": (ScoreRequest, score),
    "tree": (TreeRequest, tree),
    "draw": (DrawRequest, draw),
    "reorder": (ReorderRequest, reorder),
    "align": (AlignRequest, align),
    "choose": (ChooseRequest, choose),
}
