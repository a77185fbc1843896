"""Evaluation of orders of source words: reference orders from alignments, scores, intervals and tests."""

from wordorder.evaluate.evaluation import Evaluation, evaluate_orders
from wordorder.evaluate.variants import VARIANTS, Variant, variant

__all__ = ["VARIANTS", "Evaluation", "Variant", "evaluate_orders", "variant"]
