"""The forest CRF: word order learned from word-aligned text with freely scored trees."""

from wordorder.preorder.crf.preorderer import ForestCRF

__all__ = ["ForestCRF"]
