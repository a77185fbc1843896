"""The metrics that everybody knows, through sacrebleu: same values, same signatures.

Statistics come from sacrebleu too, so that intervals and tests treat all metrics alike.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.metrics.registry import register
from wordorder.metrics.sacrebleu_rows import bleu_of_rows, chrf_of_rows, statistics, ter_of_rows
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric

Doubles = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class SacrebleuMetric(TextMetric):
    """A metric of sacrebleu, 0 to 100."""

    @abstractmethod
    def make(self) -> Any:
        """Sacrebleu's own object."""

    @cached_property
    def peer(self) -> Any:
        """Sacrebleu's own object, made once."""
        return self.make()

    @property
    def range(self) -> tuple[float, float]:
        """0 to 100, as sacrebleu reports."""
        return 0.0, 100.0

    def signature_for(self, references: int) -> str:
        """Sacrebleu's signature behind the name."""
        self.peer.num_refs = references
        return f"{self.name}|{self.peer.get_signature().format()}"

    def segment_stats(self, segments: Segments) -> Doubles:
        """Sacrebleu's statistics, a row a segment."""
        return statistics(self.peer, segments.hypotheses, segments.prepared(self.peer))

    def stats_and_scores(self, segments: Segments) -> tuple[Doubles, Doubles]:
        """Segments are scored from the statistics."""
        rows = self.segment_stats(segments)
        return rows, self.rows_alone(rows)

    def segment_scores(self, segments: Segments) -> Doubles:
        """The score of each segment alone."""
        return self.rows_alone(self.segment_stats(segments))

    def rows_alone(self, rows: Doubles) -> Doubles:
        """The scores of segments by their statistics."""
        return self.scores_from_sums(rows)

    def score_from_stats(self, total: Doubles) -> float:
        """Sacrebleu's score of summed statistics."""
        return float(self.peer._aggregate_and_compute([total.tolist()]).score)


@register
@dataclass(frozen=True, kw_only=True)
class Bleu(SacrebleuMetric):
    """BLEU (Papineni et al. 2002) as sacrebleu computes it, 0 to 100."""

    name = "bleu"
    tokenize: str = "13a"
    lowercase: bool = False
    order: int = 4
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    effective: bool = False

    def make(self) -> Any:
        """sacrebleu.BLEU with these settings."""
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.order,
            smooth_method=self.smooth,
            effective_order=self.effective,
            force=True,  # its advice on tokenised text would come with every block
        )

    @cached_property
    def alone(self) -> Any:
        """The same for one segment: with effective order, as sacrebleu advises."""
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.order,
            smooth_method=self.smooth,
            effective_order=True,
            force=True,
        )

    def segment_signature_for(self, references: int) -> str:
        """Sacrebleu's signature with effective order."""
        self.alone.num_refs = references
        return f"{self.name}|{self.alone.get_signature().format()}"

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """BLEU of many sums."""
        return bleu_of_rows(totals, self.peer)

    def rows_alone(self, rows: Doubles) -> Doubles:
        """Sentence BLEU."""
        return bleu_of_rows(rows, self.alone)


@register
@dataclass(frozen=True, kw_only=True)
class Chrf(SacrebleuMetric):
    """chrF (Popović 2015) as sacrebleu computes it, 0 to 100; ``words=2`` is chrF++."""

    name = "chrf"
    chars: int = 6
    words: int = 0
    beta: int = 2
    lowercase: bool = False

    def make(self) -> Any:
        """sacrebleu.CHRF with these settings."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(char_order=self.chars, word_order=self.words, beta=self.beta, lowercase=self.lowercase)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """ChrF of many sums."""
        return chrf_of_rows(totals, self.peer)


@register
@dataclass(frozen=True, kw_only=True)
class Ter(SacrebleuMetric):
    """TER (Snover et al. 2006) as sacrebleu computes it; lower is better."""

    name = "ter"
    higher_is_better = False
    normalized: bool = False
    punctuation: bool = True
    cased: bool = False

    @property
    def range(self) -> tuple[float, float]:
        """0 up; more edits than words are possible."""
        return 0.0, float("inf")

    def make(self) -> Any:
        """sacrebleu.TER with these settings."""
        from sacrebleu.metrics.ter import TER

        return TER(normalized=self.normalized, no_punct=not self.punctuation, case_sensitive=self.cased)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """TER of many sums."""
        return ter_of_rows(totals)
