"""The preorderer that sees the translation: it takes the order from the links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wordorder.core.alignment import Alignment
from wordorder.core.orders import Policy, orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.preorder.base import Preorderer
from wordorder.preorder.registry import register
from wordorder.preorder.source import Source


@register
@dataclass(frozen=True, kw_only=True)
class Oracle(Preorderer):
    """Takes the target order from word alignments: the best that a preorderer could do.

    ``policy`` is a policy of :mod:`wordorder.core.orders`; ``phrases`` moves minimal phrases as units.
    With ``thesis``, ``link`` chooses the first, last or mean target position of a word, or that of its most
    probable link (for links with scores). With ``thesis``
    and ``phrases``, ``attach`` is the side to which words without a link are attached.
    """

    name = "oracle"
    policy: Literal["thesis", "phrases", "talbot", "birch"] = "thesis"
    link: Literal["mean", "first", "last", "probable"] = "mean"
    attach: Literal["right", "left"] = "right"

    @property
    def needs(self) -> tuple[str, ...]:
        """The links of each sentence."""
        return ("alignment",)

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the order that the links of each sentence give."""
        return [self.gold_order(_alignment_of(source)) for source in sources]

    def gold_order(self, alignment: Alignment) -> Permutation:
        """Return the order of the source words of an alignment."""
        policy = Policy(name=self.policy, link=self.link, attach=self.attach)
        return orders_from_links([alignment], policy).permutations[0]


def _alignment_of(source: Source) -> Alignment:
    if source.alignment is None:
        raise WordOrderError("oracle needs the word alignment of every sentence")
    if source.alignment.source_size != len(source):
        raise WordOrderError(
            f"the sentence has {len(source)} words, but its alignment has {source.alignment.source_size}"
        )
    return source.alignment
