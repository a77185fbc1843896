"""Recursive scores over permutation trees and forests (Stanojević and Sima'an 2014, figure 6).

The score of a node is ``beta`` times that of its operator plus ``1 - beta`` times the mean of its
children of more than one word; a node of words only has the score of its operator. ⟨1,2⟩ scores 1,
⟨2,1⟩ scores ``gamma``, a longer operator 0 (``op=monotone``) or a flat score of it.

The released BEER 1.1 program computes another function (``variant=beer11``): children are
weighted by their length, words count 1, and the result is rescaled so that the fully
inverted order is 0. Double precision throughout; absolute error below 1e-12.

``weights=learned`` is another score: a product instead of means, with costs of operators learned
from human rankings (``learned.py``).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.ordering import VariantMetric
from wordorder.metrics.registry import register

OpScore = Literal["monotone", "kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"]

# The kernel's numbers for its choices (native/order/recursive.h).
_FAMILIES = {"paper": 0, "beer11": 1}
_TREES = {"left": 0, "right": 1, "flat": 2, "best": 3, "inferences": 4, "trees": 5}
_OPS = {"monotone": 0, "kendall": 1, "spearman": 2, "footrule": 3, "hamming": 4, "ulam": 5, "fuzzy": 6}

# How a chain of three or more parts is scored.
_CHAINS = {
    "left": "chains branch to the left",
    "right": "chains branch to the right",
    "flat": "a chain is one node",
    "best": "chains are divided in the best way",
    "inferences": "the mean over all points at which a chain can be divided",
    "trees": "the mean over all trees of a chain",
}

LEARNED_LACKS = ("mean", "beta", "gamma", "op", "variant")


@dataclass(frozen=True, kw_only=True)
class RecursiveMetric(VariantMetric):
    """Base of the single-tree and the forest score."""

    has_micro = False
    beer11_lacks = ("gamma", "op")
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"beta": (0, 1), "gamma": (0, 1)}
    beta: float = 0.6
    gamma: float = 0.0
    op: OpScore = "monotone"

    def __post_init__(self) -> None:
        """Check the weights."""
        super().__post_init__()
        if self.variant == "beer11" and self.beta == 0:
            raise BadSetting(f"{self.name}: with beta=0 variant=beer11 would divide by zero")

    @property
    def equation(self) -> str:
        """The score of a node; the numbers are those of all nodes (:meth:`node_scores`)."""
        if self.variant == "beer11":
            return ""  # weights by length and a scale of its own
        longer = "= 0" if self.op == "monotone" else f"by {self.op}"
        return (
            f"each node: {self.beta:g} · operator + {1 - self.beta:g} · mean of its parts of several words "
            f"(operator alone if it has none); ⟨1,2⟩ = 1, ⟨2,1⟩ = {self.gamma:g}, longer operators {longer}; "
            f"{_CHAINS[self.which_trees]}"
        )

    @property
    def has_node_scores(self) -> bool:
        """Whether the score of a sentence is made of scores of nodes; BEER 1.1 rescales whole sentences."""
        return self.variant == "paper"

    def node_scores(self, permutations: Permutations) -> list[Doubles]:
        """Return the scores of the nodes of each flat tree, in postorder.

        A node has the score that its words would have alone, because nothing outside them enters it. That of
        the root is the score of the sentence.

        >>> RecPet().node_scores(Permutations([[3, 2, 0, 1]]))[0].tolist()
        [1.0, 0.2]
        """
        from wordorder.core.tree import flat_tables

        tables, ends = flat_tables(permutations)
        first = np.repeat(permutations.offsets[:-1], np.diff(ends)) + tables[:, 0]
        sizes = (tables[:, 1] - tables[:, 0]).astype(np.int64)
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        inside = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        values = permutations.values[np.repeat(first, sizes) + inside]
        spans = Permutations._trusted(*_native.renumber(values, offsets))
        return np.split(self.score_orders(spans), ends[1:-1])

    @property
    @abstractmethod
    def which_trees(self) -> str:
        """The kernel's name for the trees that are scored."""

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the score itself, over 1; the kernel computes both variants."""
        settings = _FAMILIES[self.variant], _TREES[self.which_trees], _OPS[self.op], self.beta, self.gamma
        try:
            scores = _native.recursive(permutations.values, permutations.offsets, *settings)
        except ValueError as error:  # a sentence of thousands of words
            raise WordOrderError(f"{self.name}: {error}") from None
        return scores, np.ones(len(permutations))


@register
@dataclass(frozen=True, kw_only=True)
class RecPet(RecursiveMetric):
    """RECPET: the recursive score of one tree.

    ``tree`` is the canonical ``left``-branching tree of the papers, its mirror image ``right``,
    the ``flat`` tree with chains as single nodes, or the ``best`` of all trees.

    >>> RecPet()([0, 1, 3, 2]), RecPet(tree="right")([0, 1, 3, 2])
    (0.8, 0.84)
    """

    name = "recpet"
    tree: Literal["left", "right", "flat", "best"] = "left"

    @property
    def which_trees(self) -> str:
        """One tree."""
        return self.tree

    @property
    def range(self) -> tuple[float, float]:
        """0 to 1; the flat tree of BEER 1.1 can fall below 0."""
        if self.variant == "beer11" and self.tree == "flat":
            return -(1 - self.beta) / self.beta, 1.0
        return 0.0, 1.0


@register
@dataclass(frozen=True, kw_only=True)
class RecPef(RecursiveMetric):
    """RECPEF: the recursive score averaged over the forest of all trees.

    ``mean=inferences`` averages the split points of each span, as published; ``mean=trees``
    averages over trees. ``auto`` follows the variant: BEER 1.1 averages over trees.
    ``weights=learned`` replaces all that by ``exp(-cost / n^length)``, where the cost of a
    span is that of its operator and of its parts, averaged over its split points.

    >>> RecPef()([1, 3, 4, 5, 0, 2])
    0.4
    >>> RecPef(variant="beer11")([0, 2, 1])
    0.7894736842105263
    """

    name = "recpef"
    mean: Literal["auto", "inferences", "trees"] = "auto"
    weights: Literal["none", "learned"] = "none"

    def __post_init__(self) -> None:
        """Replace ``auto``, so that the signature says what is computed."""
        super().__post_init__()
        if self.weights == "learned":
            self._check_learned()
        if self.mean == "auto":
            self.settle(mean="inferences" if self.variant == "paper" else "trees")

    def _check_learned(self) -> None:
        defaults = {field.name: field.default for field in fields(self)}
        for key in LEARNED_LACKS:
            if getattr(self, key) != defaults[key] and (key, self.mean) != ("mean", "inferences"):
                raise BadSetting(f"{self.name}: weights=learned has no {key}: its settings are learned")

    @property
    def equation(self) -> str:
        """The score of a node, or the learned score as a whole."""
        return super().equation if self.weights == "none" else "exp(−cost / n^length)"

    @property
    def has_node_scores(self) -> bool:
        """Whether the score of a sentence is made of scores of nodes; the learned one is made of costs."""
        return super().has_node_scores and self.weights == "none"

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in use: the learned score has none of the others."""
        absent = LEARNED_LACKS if self.weights == "learned" else ("weights",)
        return {key: value for key, value in super().settings.items() if key not in absent}

    @property
    def constants(self) -> dict[str, Any]:
        """The checksum of the learned weights, where they are used."""
        if self.weights == "none":
            return super().constants
        from wordorder.metrics.learned import forest_weights

        return {**super().constants, "learned": forest_weights().tag}

    @property
    def which_trees(self) -> str:
        """All trees, averaged one way or the other."""
        return self.mean

    def counts(self, permutations: Permutations) -> tuple[Doubles, Doubles]:
        """Return the score itself, over 1."""
        if self.weights == "none":
            return super().counts(permutations)
        from wordorder.metrics.learned import forest_weights  # which are read from a file

        return forest_weights().scores(permutations), np.ones(len(permutations))
