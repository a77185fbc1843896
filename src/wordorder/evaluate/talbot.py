"""Scores against reference orders as Talbot et al. (2011) make and use them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.evaluate.references import Reference, reference
from wordorder.evaluate.variants import Variant
from wordorder.metrics.flat import Fuzzy, Kendall
from wordorder.metrics.ordering import as_batch


@dataclass(frozen=True, kw_only=True, slots=True)
class Talbot(Variant):
    """The fuzzy reordering score of the paper, Kendall and exact match; means over sentences.

    ``unaligned`` and ``punctuation`` are policies of :func:`~wordorder.evaluate.references.reference`;
    ``match`` says whether a repeated word goes with the first of its form that is not taken (the paper) or
    with itself.
    """

    name = "talbot"
    about = "reference orders with groups, means over sentences"
    scores = ("fuzzy", "kendall", "exact")

    unaligned: Literal["next", "previous", "drop"] = "next"
    punctuation: Literal["words", "pin", "drop"] = "words"
    match: Literal["words", "positions"] = "words"

    def prepare(self, alignment: Alignment, words: Sequence[str] | None) -> Reference | None:
        """The reference order; where the words are not known, all are different and none is punctuation.

        Without links there is none, nor where no word counts.
        """
        if not alignment.links:
            return None
        known = words if words is not None else [f"w{i}" for i in range(alignment.source_size)]
        made = reference(alignment, known, unaligned=self.unaligned, punctuation=self.punctuation)
        return made if made.order else None

    def rows(
        self, prepared: Sequence[Reference], orders: Sequence[Permutation]
    ) -> list[tuple[Doubles, Doubles]]:
        """Score the places of the reference in the order of the system."""
        read = [one.permutation(order, match=self.match) for one, order in zip(prepared, orders, strict=True)]
        batch, ones = as_batch(read), np.ones(len(read))
        exact = np.array([float(one.is_identity()) for one in read])
        return [(Fuzzy().score_orders(batch), ones), (Kendall().score_orders(batch), ones), (exact, ones)]

    def signature_for(self, *, links: str = "all", words: bool = True) -> str:
        """All that can move the numbers; without source words, repeated ones are not seen."""
        match = self.match if words else "positions"
        facts = f"unaligned:{self.unaligned}|punctuation:{self.punctuation}|match:{match}"
        return f"preordering|variant:talbot|links:{links}|{facts}|agg:macro|short:1.0|v:{__version__}"
