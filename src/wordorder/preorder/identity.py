"""The preorderer that leaves everything where it is: what every other one is compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Preorderer, Source, as_sources
from wordorder.preorder.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Identity(Preorderer):
    """Leaves every sentence as it is."""

    name = "identity"

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The order in which the words stand."""
        return [Permutation.identity(len(source)) for source in as_sources(sources)]
