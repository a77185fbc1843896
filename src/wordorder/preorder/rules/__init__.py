"""Rules over dependency trees: a small language in TOML, shipped rule sets, and learned rules."""

from wordorder.preorder.rules.explain import RuleExplanation, explain
from wordorder.preorder.rules.language import Rule, RuleSet
from wordorder.preorder.rules.preorderer import Rules
from wordorder.preorder.rules.reading import parse_rules
from wordorder.preorder.rules.sets import rule_set, shipped_sets

__all__ = [
    "Rule",
    "RuleExplanation",
    "RuleSet",
    "Rules",
    "explain",
    "parse_rules",
    "rule_set",
    "shipped_sets",
]
