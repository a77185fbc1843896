"""Preordering: putting source sentences into the word order of the target language.

>>> from wordorder.preorder import load_preorderer
>>> load_preorderer("identity").reorder("the cat sat").words
['the', 'cat', 'sat']
"""

from wordorder.preorder.base import Preorderer
from wordorder.preorder.checks import check_preorderer
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.registry import preorderer, preorderer_names, register
from wordorder.preorder.source import Candidate, Reordering, Source, as_sources
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree

__all__ = [
    "Candidate",
    "Preorderer",
    "Reordering",
    "RunOptions",
    "Source",
    "SourceTree",
    "TrainingData",
    "as_sources",
    "check_preorderer",
    "load_preorderer",
    "preorderer",
    "preorderer_names",
    "register",
]
