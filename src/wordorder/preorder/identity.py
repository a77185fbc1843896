"""The preorderer that does not reorder: the baseline of every comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.permutation import Permutation
from wordorder.preorder.base import Preorderer
from wordorder.preorder.registry import register
from wordorder.preorder.source import Source


@register
@dataclass(frozen=True, kw_only=True)
class Identity(Preorderer):
    """Leaves every sentence in its source order."""

    name = "identity"

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the source order of each sentence."""
        return [Permutation.identity(len(source)) for source in sources]
