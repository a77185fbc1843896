"""Preordering: putting source sentences into the order of the target language.

>>> from wordorder.preorder import as_sources, preorderer
>>> preorderer("identity").reorder(as_sources([["a", "b"]]))
[Permutation([0, 1])]
"""

from wordorder.preorder.base import Candidate, Preorderer, Source, Training, as_sources
from wordorder.preorder.checks import check_preorderer
from wordorder.preorder.models import load_model, save_model
from wordorder.preorder.models import load_model as load_preorderer
from wordorder.preorder.registry import preorderer, preorderer_names, register
from wordorder.preorder.trees import SourceTree

__all__ = [
    "Candidate",
    "Preorderer",
    "Source",
    "SourceTree",
    "Training",
    "as_sources",
    "check_preorderer",
    "load_model",
    "load_preorderer",
    "preorderer",
    "preorderer_names",
    "register",
    "save_model",
]
