"""LRscore (Birch and Osborne 2010): a permutation distance and BLEU, balanced by one parameter."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.metrics.base import mean_of
from wordorder.metrics.lexical_ordering import brevity_penalty, check_interpolation, ordering_named
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import register
from wordorder.metrics.sacrebleu_rows import bleu_of_rows, make_bleu, statistics
from wordorder.metrics.segments import Matched, Segments


@register
@dataclass(frozen=True, kw_only=True)
class LRScore(MatchedMetric):
    """LRscore: alpha * R + (1 - alpha) * BLEU, where R is the ordering score times a brevity penalty.

    ``order`` is ``kendall`` or ``hamming`` in the paper, and may be any ordering score. R is averaged over
    segments and combined with the BLEU of the whole corpus, of order ``bleu`` (1 or 4). A segment
    alone takes its own BLEU, smoothed by adding one (Lin and Och 2004). Permutations are those of matched
    words, or, as in the paper, of the source: ``match=alignments(birch)``, where alignments are given.
    """

    name = "lrscore"
    late = ("alpha",)
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"alpha": (0, 1)}
    order: str = "kendall"
    alpha: float = 0.5
    bleu: Literal[1, 4] = 4

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        check_interpolation(self.name, self.ordering)

    @cached_property
    def ordering(self) -> OrderingMetric:
        """The permutation distance, turned so that higher is better."""
        return ordering_named(self.order)

    @cached_property
    def corpus_bleu(self) -> Any:
        """Sacrebleu's BLEU of a corpus."""
        return self._bleu(smooth_method="exp")

    @cached_property
    def segment_bleu(self) -> Any:
        """Sacrebleu's BLEU of one segment."""
        return self._bleu(smooth_method="add-k", smooth_value=1)

    def _bleu(self, **settings: Any) -> Any:
        tokenize = self.standard_tokenizer if self.tokenize == "auto" else self.tokenize
        return make_bleu(tokenize, lowercase=self.lowercase, max_ngram_order=self.bleu, **settings)

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute R of each segment, and 1: their sums give the mean."""
        penalty = brevity_penalty(matched.hypothesis_lengths, matched.reference_lengths)
        ordering = np.where(matched.matched == 0, 0.0, self.ordering.score_orders(matched.permutations))
        ordering = np.where(matched.both_empty, 1.0, penalty * ordering)
        return np.column_stack([ordering, np.ones(len(ordering))]), ordering

    def statistics(self, segments: Segments) -> Doubles:
        """Compute R and 1, then BLEU's counts.

        With several references the penalty takes the closest length, as in the paper.
        """
        bleu = self.tokenized_for(segments).corpus_bleu
        streams = self.matched(segments)
        lengths = np.stack([matched.reference_lengths for matched in streams])
        away = np.abs(lengths - streams[0].hypothesis_lengths)
        closest = lengths[away.argmin(axis=0), np.arange(lengths.shape[1])]
        ordered = self.combined([replace(matched, reference_lengths=closest) for matched in streams])
        texts = segments.normalised(self.normalize)
        return np.hstack([ordered, statistics(bleu, texts.hypotheses, texts.references.prepared(bleu))])

    def segment_scores(self, rows: Doubles) -> Doubles:
        """Combine each segment's R with its own smoothed BLEU."""
        return self._combined(rows, self.segment_bleu)

    def scores(self, sums: Doubles) -> Doubles:
        """Combine the mean of R with the BLEU of the corpus."""
        return self._combined(sums, self.corpus_bleu)

    @property
    def equation(self) -> str:
        """The weighted mean of both parts."""
        numbers = f"{self.alpha:g} · {{ordering}} + {1 - self.alpha:g} · {{lexical}}"
        return f"alpha · R + (1 − alpha) · BLEU = {numbers}"

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return R and the smoothed BLEU of each segment."""
        return {"ordering": mean_of(rows), "lexical": self._lexical(rows, self.segment_bleu)}

    def _lexical(self, rows: Doubles, bleu: Any) -> Doubles:
        nothing = (rows[:, 2] == 0) & (rows[:, 3] == 0)  # to translate, and nothing was
        return np.where(nothing, 1.0, bleu_of_rows(rows[:, 2:], bleu) / 100)

    def _combined(self, rows: Doubles, bleu: Any) -> Doubles:
        return self.alpha * mean_of(rows) + (1 - self.alpha) * self._lexical(rows, bleu)
