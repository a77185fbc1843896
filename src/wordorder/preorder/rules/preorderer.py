"""Reordering by rules over dependency trees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder.base import Preorderer
from wordorder.preorder.parses import trees_of
from wordorder.preorder.registry import register
from wordorder.preorder.rules.explain import RuleExplanation, explain
from wordorder.preorder.rules.language import RuleSet
from wordorder.preorder.rules.matching import RuleMatcher
from wordorder.preorder.rules.sets import rule_set
from wordorder.preorder.source import Source


@register
@dataclass(frozen=True, kw_only=True)
class Rules(Preorderer):
    """Orders each head and its children in the dependency tree by rules.

    ``set`` is a shipped rule set (none, reverse, head-final, en-ja, ...) or the path of a TOML file.
    ``without`` removes one rule of the set (``-``: none), to measure its effect.
    """

    name = "rules"

    set: str = "head-final"
    without: str = "-"

    def __post_init__(self) -> None:
        """Read the rules."""
        super().__post_init__()
        self.matcher  # noqa: B018 (errors in the rules are reported now)

    @property
    def needs(self) -> tuple[str, ...]:
        """The dependency tree of each sentence."""
        return ("parse",)

    @cached_property
    def matcher(self) -> RuleMatcher:
        """The rules, ready to be applied."""
        rules = rule_set(self.set)
        if self.without == "-":
            return RuleMatcher(rules)
        if self.without not in [rule.name for rule in rules]:
            known = ", ".join(rule.name for rule in rules) or "none"
            raise BadSetting(f"rules: {self.set} has no rule {self.without!r}; it has: {known}")
        return RuleMatcher(rules.without(self.without))

    @property
    def rules(self) -> RuleSet:
        """The rules."""
        return self.matcher.set

    @property
    def written(self) -> str:
        """The name of this preorderer on the command line: ``rules:set=en-ja``."""
        return f"rules:set={self.set}" + ("" if self.without == "-" else f",without={self.without}")

    @property
    def signature(self) -> str:
        """All settings, and a checksum of the rules, because a file may change under its name."""
        checksum = hashlib.sha256(repr(self.rules).encode("utf-8")).hexdigest()[:8]
        head, _, version = super().signature.rpartition("|v:")
        return f"{head}|rules:{checksum}|v:{version}"

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the order that the rules give to the tree of each sentence."""
        return self.matcher.reorder(trees_of(sources))

    def explain_batch(self, sources: Sequence[Source]) -> list[RuleExplanation]:
        """List the rules that fired for each sentence."""
        return explain(self.matcher, trees_of(sources))
