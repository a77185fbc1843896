"""Full metrics: lexical and ordering quality together.

``alpha * lexical + (1 - alpha) * BP * ordering``, Stanojević and Sima'an (2014, equation 2; thesis,
equation 4.1). The brevity penalty compares the length of the *permutation* with that of the
reference, so that few matched words in perfect order do not look like a good translation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import metric, register
from wordorder.metrics.segments import Matched


def brevity_penalty(length: Longs, reference: Longs) -> Doubles:
    """Return exp(1 - reference / length) where the text is not longer than the reference; 0 if it is empty.

    >>> brevity_penalty(np.array([0, 5, 10, 20]), np.array([10, 10, 10, 10])).round(4).tolist()
    [0.0, 0.3679, 1.0, 1.0]
    """
    with np.errstate(divide="ignore"):
        short = np.exp(1 - reference / np.maximum(length, 1))
    return np.where(length == 0, 0.0, np.where(length > reference, 1.0, short))


def unigram_f1(matched: Matched, count: Longs | None = None) -> Doubles:
    """Return the F1 of both sides as bags of words, or of another ``count``; 1 where both are empty."""
    count = matched.common if count is None else count
    total = matched.hypothesis_lengths + matched.reference_lengths
    return np.where(total == 0, 1.0, 2 * count / np.maximum(total, 1))


def unigram_bleu(matched: Matched, count: Longs | None = None) -> Doubles:
    """Return BLEU of single words, or the same of another ``count`` of words; 1 where both are empty."""
    count = matched.common if count is None else count
    precision = count / np.maximum(matched.hypothesis_lengths, 1)
    penalty = brevity_penalty(matched.hypothesis_lengths, matched.reference_lengths)
    return np.where(matched.both_empty, 1.0, precision * penalty)


def ordering_named(spec: str) -> OrderingMetric:
    """Make the ordering score written inside another metric, ``recpef/beta=0.5/gamma=0.2``.

    >>> ordering_named("kendall/scale=tau").name
    'kendall'
    """
    name, *rest = spec.split("/")
    ordering = metric(name + (":" + ",".join(rest) if rest else ""))
    if not isinstance(ordering, OrderingMetric):
        raise BadSetting(f"{name} is not an ordering score; expected one such as kendall or recpef")
    return ordering


def check_interpolation(name: str, ordering: OrderingMetric | None) -> None:
    """Check that a weighted mean with this ordering score is meaningful."""
    if ordering and (ordering.range != (0.0, 1.0) or not ordering.higher_is_better):
        raise BadSetting(f"{name}: {ordering.name} does not rise from 0 to 1 and cannot be interpolated")


@register
@dataclass(frozen=True, kw_only=True)
class Full(MatchedMetric):
    """Lexical and ordering quality: alpha * lexical + (1 - alpha) * BP * ordering.

    ``order`` is any ordering score, with its settings after slashes: ``recpef/beta=0.5``.
    ``lexical=f1`` is the F1 of bags of words (2016 paper), ``lexical=bleu1`` unigram BLEU (2014 paper).
    Both compare words as they are written, so that stems, synonyms and paraphrases only reach the
    ordering; ``matched-f1`` and ``matched-bleu1`` count the matched words instead. With exact matching
    they are the same. A corpus is the mean weighted by reference length. For comparison, ``order=none``
    holds the ordering at 1, and ``brevity=none`` leaves its penalty out.

    >>> pair = "the cats walked home", ["the cat walks home"]
    >>> Full(alpha=1, lexical="bleu1", match="exact+stem").sentence_score(*pair).score
    0.5
    >>> Full(alpha=1, lexical="matched-bleu1", match="exact+stem").sentence_score(*pair).score
    1.0
    """

    name = "full"
    needs_words = True
    late = ("alpha",)
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"alpha": (0, 1)}
    order: str = "recpef"
    alpha: float = 0.5
    lexical: Literal["f1", "bleu1", "matched-f1", "matched-bleu1"] = "f1"
    brevity: Literal["permutation", "none"] = "permutation"
    agg: Literal["length", "macro"] = "length"

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        check_interpolation(self.name, self.ordering)

    @cached_property
    def ordering(self) -> OrderingMetric | None:
        """The ordering score; None where it is held at 1."""
        return None if self.order == "none" else ordering_named(self.order)

    def reference_statistics(self, matched: Matched) -> tuple[Doubles, Doubles]:
        """Compute the lexical and the ordering part, weighted, and the weight."""
        count = matched.matched if self.lexical.startswith("matched-") else matched.common
        formula = unigram_f1 if self.lexical.endswith("f1") else unigram_bleu
        lexical = formula(matched, count)
        ordering = np.ones(len(lexical))
        if self.ordering:
            ordering = np.where(matched.matched == 0, 0.0, self.ordering.score_orders(matched.permutations))
        if self.brevity == "permutation":
            ordering = ordering * brevity_penalty(matched.matched, matched.reference_lengths)
        ordering = np.where(matched.both_empty, 1.0, ordering)
        scores = self.alpha * lexical + (1 - self.alpha) * ordering
        weight = np.ones(len(scores))
        if self.agg == "length":
            # A segment with an empty reference still counts: its hypothesis should be empty too.
            weight = np.maximum(matched.reference_lengths, 1).astype(np.float64)
        return np.column_stack([lexical * weight, ordering * weight, weight]), scores

    @property
    def equation(self) -> str:
        """The weighted mean of both parts."""
        penalty = "brevity penalty · " if self.brevity == "permutation" else ""
        return (
            f"alpha · {self.lexical} + (1 − alpha) · {penalty}{self.order} = "
            f"{self.alpha:g} · {{lexical}} + {1 - self.alpha:g} · {{ordering}}"
        )

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the lexical and the ordering part of each segment."""
        return {"lexical": rows[:, 0] / rows[:, 2], "ordering": rows[:, 1] / rows[:, 2]}

    def scores(self, sums: Doubles) -> Doubles:
        """Compute the weighted means."""
        lexical, ordering, weight = sums.T
        scores = self.alpha * lexical + (1 - self.alpha) * ordering
        return np.asarray(np.divide(scores, weight, out=np.ones(len(sums)), where=weight != 0))
