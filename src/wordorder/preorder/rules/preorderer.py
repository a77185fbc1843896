"""Reordering by rules over dependency trees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.sentence import Sentence
from wordorder.preorder.base import Preorderer, Source
from wordorder.preorder.registry import register
from wordorder.preorder.rules.explain import Explanation, explain
from wordorder.preorder.rules.language import RuleSet
from wordorder.preorder.rules.matching import Matcher
from wordorder.preorder.rules.sets import rule_set


@register
@dataclass(frozen=True, kw_only=True)
class Rules(Preorderer):
    """Orders each head and its children in the dependency tree by rules.

    ``set`` is a rule set that comes with the package (none, reverse, head-final, en-ja, ...) or the path of a
    TOML file; ``without`` leaves out one of its rules (``-``: none), to see what that one does.
    """

    name = "rules"
    needs = ("parse",)

    set: str = "head-final"
    without: str = "-"

    def __post_init__(self) -> None:
        super().__post_init__()
        made = rule_set(self.set)
        if self.without != "-":
            if self.without not in [rule.name for rule in made]:
                known = ", ".join(rule.name for rule in made) or "none"
                raise BadSetting(f"rules: {self.set} has no rule {self.without!r}; it has: {known}")
            made = made.without(self.without)
        object.__setattr__(self, "_matcher", Matcher(made))

    @property
    def matcher(self) -> Matcher:
        """The rules, ready to be applied."""
        made: Matcher = self._matcher  # type: ignore[attr-defined]
        return made

    @property
    def rules(self) -> RuleSet:
        """The rules."""
        return self.matcher.set

    @property
    def written(self) -> str:
        """How the command line names it: ``rules:set=en-ja``."""
        return f"rules:set={self.set}" + ("" if self.without == "-" else f",without={self.without}")

    @property
    def signature(self) -> str:
        """All settings, and a sum over what the rules say: a file may change under its name."""
        sums = hashlib.sha256(repr(self.rules).encode("utf-8")).hexdigest()[:8]
        head, _, version = super().signature.rpartition("|v:")
        return f"{head}|rules:{sums}|v:{version}"

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The order that the rules give to the tree of each sentence."""
        return self.matcher.reorder([parse_of(source) for source in sources])

    def explain(self, sources: Sequence[Source]) -> list[Explanation]:
        """The rules that fired for each sentence."""
        return explain(self.matcher, [parse_of(source) for source in sources])


def parse_of(source: Source) -> Sentence:
    """The tree of a sentence; a sentence without words needs none."""
    if source.parse is None:
        if not source.words:
            return Sentence(())
        raise WordOrderError("rules need the dependency tree of every sentence: give parses (CoNLL-U)")
    words = sum(row.is_word for row in source.parse.rows)
    if words != len(source):
        raise WordOrderError(f"the sentence has {len(source)} words and its parse {words}")
    return source.parse
