"""Data of the view of sentences: a table of all of them, and each with its pictures and formulas.

Words are embedded in blocks, each of which a browser parses when one of its sentences is shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles
from wordorder.metrics.base import Metric
from wordorder.metrics.recursive import RecursiveMetric
from wordorder.metrics.weighted_features import WeightedFeatures

BLOCK = 250  # sentences
LARGEST = 3  # features of a linear model that are listed
SCRIPT = "sentences.js"
PLACE = '<div id="sentence-view"></div>'


@dataclass(frozen=True, kw_only=True)
class SentenceView:
    """What is shown of sentences, by system and metric.

    ``sentence(s)`` returns the words of the reference, the words of each system with the positions of their
    partners in the reference (or -1), and the number of the reference.
    """

    systems: Sequence[str]
    metrics: Sequence[Mapping[str, Any]]
    numbers: Sequence[int]
    lengths: Sequence[int]
    scores: Sequence[Sequence[Doubles]]
    sentence: Callable[[int], list[Any]]
    terms: Sequence[Sequence[Mapping[str, Doubles]]] | None = None
    nodes: Sequence[Sequence[Sequence[Sequence[float]]]] = ()  # scores of nodes, where a metric has them
    features: Sequence[Sequence[WeightedFeatures | None]] = ()  # where a metric is a linear model
    matched: Sequence[Doubles] | None = None
    baseline: int = 0
    references: int = 1
    spaced: bool = True  # are words separated by spaces?
    given: bool = False  # are alignments given, so that all words have partners?
    about: str = "Reference"

    def data(self) -> Iterator[tuple[str, Any]]:
        """Yield the values to embed, by name."""
        count = len(self.numbers)
        yield (
            "report",
            {
                "systems": list(self.systems),
                "metrics": list(self.metrics),
                "baseline": self.baseline,
                "count": count,
                "block": BLOCK,
                "spaced": self.spaced,
                "references": self.references,
                "given": self.given,
                "about": self.about,
            },
        )
        yield (
            "numbers",
            {
                "number": list(self.numbers),
                "length": list(self.lengths),
                "matched": [rounded(values, 4) for values in self.matched or ()],
                "scores": [[rounded(values, 5) for values in system] for system in self.scores],
            },
        )
        yield (
            "terms",
            [
                [
                    {name: rounded(values, 4) for name, values in terms.items() if _is_shown(name, metric)}
                    for metric, terms in zip(self.metrics, system, strict=True)
                ]
                for system in self.terms or [[{} for _ in self.metrics] for _ in self.systems]
            ],
        )
        yield "features", [[None if own is None else largest(own) for own in by] for by in self.features]
        yield "nodes", [[[rounded(np.array(own), 4) for own in each] for each in by] for by in self.nodes]
        for block, begin in enumerate(range(0, count, BLOCK)):
            yield f"sentences-{block}", [self.sentence(s) for s in range(begin, min(begin + BLOCK, count))]


def _is_shown(term: str, metric: Mapping[str, Any]) -> bool:
    """Return whether a term is needed: it is in the equation, or says that there is nothing to divide by."""
    return term == "denominator" or f"{{{term}}}" in metric["equation"]


def largest(features: WeightedFeatures) -> list[list[float | int]]:
    """Return the largest features of each segment: numbers of features, each followed by its value."""
    values = np.round(features.values, 3).tolist()
    chosen = features.largest(LARGEST)
    return [[part for k in own for part in (k, row[k])] for own, row in zip(chosen, values, strict=True)]


def metric_facts(
    label: str, metric: Metric, digits: int, references: int, features: WeightedFeatures | None = None
) -> dict[str, Any]:
    """Return what the view must know about a metric."""
    low, high = (value if np.isfinite(value) else None for value in metric.range)
    return {
        "label": label,
        "higher": metric.higher_is_better,
        "range": [low, high],
        "decimals": digits,
        "about": (type(metric).__doc__ or "").strip().split("\n")[0].replace("``", ""),
        "equation": metric.equation,
        "node": node_facts(metric),
        "features": features and {"names": list(features.names), "weights": features.weights.round(4)},
        "signature": metric.signature_for(references, segment=True),
    }


def node_facts(metric: object) -> dict[str, Any] | None:
    """Return how the score of a node is made of its operator and its parts, if it is."""
    if not isinstance(metric, RecursiveMetric) or not metric.has_node_scores:
        return None
    longer = 0 if metric.op == "monotone" else None
    operators = {"monotone": 1, "inverted": metric.gamma, "prime": longer}
    return {"beta": metric.beta, "operators": operators, "flat": metric.which_trees == "flat"}


def rounded(values: Doubles, digits: int) -> list[float | int | None]:
    """Round numbers for the page; whole ones are written without a point.

    >>> rounded(np.array([1.0, 0.123456, np.nan]), 4)
    [1, 0.1235, None]
    """
    return [
        None if value != value else int(value) if value == int(value) else value
        for value in np.round(values, digits).tolist()
    ]
