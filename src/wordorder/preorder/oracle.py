"""The preorderer that knows the translation: the order that the links to it give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from wordorder.core.alignment import Alignment
from wordorder.core.induce import induce, minimal_phrases
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.preorder.base import Preorderer, Source
from wordorder.preorder.registry import register


@register
@dataclass(frozen=True, kw_only=True)
class Oracle(Preorderer):
    """The order of the target, from word alignments: the best that a preorderer could do.

    ``policy`` is one of :mod:`wordorder.core.induce`; ``phrases`` moves minimal phrases as one. ``link``
    (of ``thesis``) is the first, last or mean target position of a word; ``attach`` (of ``thesis`` and
    ``phrases``) the side to which words without a link go.
    """

    name = "oracle"
    needs = ("alignment",)

    policy: Literal["thesis", "phrases", "talbot", "birch"] = "thesis"
    link: Literal["mean", "first", "last"] = "mean"
    attach: Literal["right", "left"] = "right"

    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The order of each sentence's links."""
        return [self.gold_order(_alignment_of(source)) for source in sources]

    def gold_order(self, alignment: Alignment) -> Permutation:
        """The order of the source words of an alignment."""
        if self.policy == "phrases":
            return minimal_phrases(alignment, attach=self.attach).words
        return induce(alignment, self.policy, link=self.link, attach=self.attach).order


def _alignment_of(source: Source) -> Alignment:
    if source.alignment is None:
        raise WordOrderError("oracle needs the links of every sentence: give an alignment")
    if source.alignment.source_size != len(source):
        raise WordOrderError(
            f"the sentence has {len(source)} words and its alignment {source.alignment.source_size}"
        )
    return source.alignment
