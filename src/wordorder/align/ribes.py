"""The word matching of RIBES, by unique context."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from wordorder import _native
from wordorder.align.matches import Matches
from wordorder.errors import BadSetting
from wordorder.text.tokens import Tokens, Words


@dataclass(frozen=True, kw_only=True)
class RibesMatcher:
    """Match words that occur once on both sides, and other words by their shortest unique context.

    Isozaki et al. (2010). For a word that is not unique, the context grows by one word at a time, to the
    left and, if that does not help, to the right, until the n-gram occurs once in the hypothesis and once in
    the reference; a word without such a context is not matched. As in NTT's program, two words can be matched
    with the same word.

    >>> table = Words()
    >>> hypothesis, reference = table.encode(["the book was read by the boy"]), table.encode(
    ...     ["the boy read the book"])
    >>> RibesMatcher().match(hypothesis, reference, table).positions
    array([ 3,  4, -1,  2, -1,  0,  1], dtype=int32)
    """

    stages: ClassVar[tuple[str, ...]] = ("ribes",)

    @property
    def signature_part(self) -> str:
        """The matcher's name, for signatures."""
        return "ribes"

    def match(self, hypotheses: Tokens, references: Tokens, words: Words) -> Matches:
        """Align hypothesis s with reference s, for all s; both were numbered by ``words``."""
        if len(hypotheses) != len(references):
            raise BadSetting(f"{len(hypotheses)} hypotheses, but {len(references)} references")
        positions = _native.match_by_context(
            hypotheses.ids, hypotheses.offsets, references.ids, references.offsets, len(words)
        )
        stages = np.where(positions >= 0, np.int8(0), np.int8(-1))
        reference_stages = np.full(len(references.ids), -1, np.int8)
        linked = positions >= 0
        reference_stages[
            np.repeat(references.offsets[:-1], hypotheses.lengths)[linked] + positions[linked]
        ] = 0
        exact = np.ones(len(hypotheses), np.bool_)
        return Matches(positions, hypotheses.offsets, stages, references.offsets, reference_stages, exact)
