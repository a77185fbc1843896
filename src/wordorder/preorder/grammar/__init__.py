"""The Reordering Grammar: word order learned from word-aligned text, without a parser."""

from wordorder.preorder.grammar.preorderer import ReorderingGrammar

__all__ = ["ReorderingGrammar"]
