"""How far annotators agree: on links, and on the reference orders that follow from them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from wordorder.align.error_rate import error_rate
from wordorder.core.alignment import Alignment
from wordorder.evaluate.columns import ComparisonSettings
from wordorder.evaluate.reference_agreement import reference_agreement
from wordorder.evaluate.variants import variant
from wordorder.io.links import collect_links
from wordorder.web.annotation.project import Project

ORDERS = "talbot:match=positions"
DISPUTED = 20  # sentences that are listed


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """Two annotators on the sentences that both call done.

    ``links`` is the F-score of the links of one against those of the other, sure or possible, and ``sure``
    that of sure links. ``orders`` are scores of the orders that the links give. ``disputed`` lists the
    sentences with the lowest F-scores below 1, the lowest first.
    """

    annotators: tuple[str, str]
    sentences: int
    links: float | None
    sure: float | None
    orders: dict[str, float | None]
    disputed: list[tuple[int, float]]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


def annotator_agreement(project: Project) -> list[AnnotatorAgreement]:
    """Compare all pairs of annotators."""
    return [_pair(project, one, other) for one, other in combinations(project.annotators, 2)]


def _pair(project: Project, one: str, other: str) -> AnnotatorAgreement:
    both = [
        (first, second)
        for first, second in zip(project.states(one), project.states(other), strict=True)
        if first.done and second.done
    ]
    if not both:
        return AnnotatorAgreement((one, other), 0, None, None, {}, [])
    sides = [[project.alignment(pair[k]) for pair in both] for k in (0, 1)]
    each = [
        (first.sentence, f_score([a], [b])) for (first, _), a, b in zip(both, sides[0], sides[1], strict=True)
    ]
    disputed = sorted((entry for entry in each if entry[1] < 1), key=lambda entry: entry[1])[:DISPUTED]
    known = variant(ORDERS)
    words = [project.source[first.sentence - 1] for first, _ in both]
    ranks = [(name, known.ranks(side, words)) for name, side in ((one, sides[0]), (other, sides[1]))]
    (orders,) = reference_agreement(known, ranks, known.scores, ComparisonSettings(samples=0), words=words)
    values = {name: result.score for name, result in orders.scores.items()}
    return AnnotatorAgreement(
        (one, other),
        len(both),
        f_score(*sides),
        f_score(*([Alignment(a.source_size, a.target_size, a.sure) for a in side] for side in sides)),
        {name: value if math.isfinite(value) else None for name, value in values.items()},
        disputed,
    )


def f_score(first: list[Alignment], second: list[Alignment]) -> float:
    """Return 2 |A ∩ B| / (|A| + |B|) of links, sure or possible; 1 if there are none.

    >>> f_score([Alignment(2, 2, [(0, 0), (1, 1)])], [Alignment(2, 2, [(0, 0)])])
    0.6666666666666666
    """
    every = [[Alignment(a.source_size, a.target_size, a.links) for a in side] for side in (first, second)]
    return 1 - error_rate(collect_links(every[0]), collect_links(every[1])).aer
