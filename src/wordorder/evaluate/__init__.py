"""How good orders of source words are: reference orders from alignments, scores, intervals and tests."""

from wordorder.evaluate.preordering import Evaluation, evaluate_orders
from wordorder.evaluate.variants import VARIANTS, Variant

__all__ = ["VARIANTS", "Evaluation", "Variant", "evaluate_orders"]
