"""Tight and semi-tight complexities, as a check one can run.

A complexity gives a number to every weak factorisation, larger for more complex. It is
*tight* for a permutation that is not primal if it falls whenever a factorisation is factorised
further. It is *semi-tight* if it never rises then, and falls from the flattest factorisation,
a single node, to every PET. A metric is tight if it is so for every permutation, and semi-tight
if it is one or the other for every permutation (Stanojević and Sima'an 2016, section 4).

:data:`CLAIMS` holds what that paper says of its metrics, and :func:`check_claims` tries each
on every permutation up to a length. Values are integers or fractions: floats could hide a tie.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import Literal

from experiments.tightness.factorisations import WeakFactorisation, refinement_steps, weak_factorisations
from wordorder.core.forest import Forest, catalan
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting

Number = int | Fraction
Complexity = Callable[[WeakFactorisation], Number]
Cost = Callable[[Permutation], Number]  # C_o of the paper: the complexity of one operator
LengthCost = Callable[[int], Number]  # the same where only the operator's length counts
Property = Literal["tight", "semi-tight"]
Condition = Literal["C(x) > C(y)", "C(x) >= C(y)", "C(flattest) > C(PET)"]


@dataclass(frozen=True)
class Counterexample:
    """Two factorisations, x factorising into y, whose values break a condition."""

    permutation: Permutation
    x: WeakFactorisation
    y: WeakFactorisation
    value_x: Number
    value_y: Number
    condition: Condition

    def __str__(self) -> str:
        return f"C = {self.value_x} for {self.x}, C = {self.value_y} for {self.y}: not {self.condition}"


def check_tight(complexity: Complexity, permutation: Permutation | Sequence[int]) -> Counterexample | None:
    """The first pair in which further factorising does not lower the complexity, or None.

    >>> print(check_tight(nonbinary_count, [0, 1, 2, 3]))
    C = 1 for ⟨1,2,3,4⟩(1 2 3 4), C = 1 for ⟨1,2,3⟩(⟨1,2⟩(1 2) 3 4): not C(x) > C(y)
    """
    pairs = _Pairs(permutation)
    return pairs.not_tight(pairs.values(complexity))


def check_semi_tight(
    complexity: Complexity, permutation: Permutation | Sequence[int]
) -> Counterexample | None:
    """The first pair that breaks one of the two conditions of semi-tightness, or None.

    >>> check_semi_tight(nonbinary_count, [0, 1, 2, 3]) is None
    True
    """
    pairs = _Pairs(permutation)
    return pairs.not_semi_tight(pairs.values(complexity))


class _Pairs:
    """The weak factorisations of a permutation, and the pairs to compare.

    An order of values that holds for all single steps holds for all refinements.
    """

    def __init__(self, permutation: Permutation | Sequence[int]) -> None:
        self.weak = list(weak_factorisations(permutation))  # the flattest comes first
        self.steps = refinement_steps(self.weak)
        self.pets = [k for k, weak in enumerate(self.weak) if k and weak.is_pet]

    def values(self, complexity: Complexity) -> list[Number]:
        values = [complexity(weak) for weak in self.weak]
        if any(isinstance(value, float) for value in values):
            raise BadSetting("the complexity is a float, which can hide a tie; return an int or a Fraction")
        return values

    def not_tight(self, values: Sequence[Number]) -> Counterexample | None:
        for x, y in self.steps:
            if not values[x] > values[y]:
                return self._pair(x, y, values, "C(x) > C(y)")
        return None

    def not_semi_tight(self, values: Sequence[Number]) -> Counterexample | None:
        for x, y in self.steps:
            if not values[x] >= values[y]:
                return self._pair(x, y, values, "C(x) >= C(y)")
        for y in self.pets:
            if not values[0] > values[y]:
                return self._pair(0, y, values, "C(flattest) > C(PET)")
        return None

    def _pair(self, x: int, y: int, values: Sequence[Number], condition: Condition) -> Counterexample:
        one, two = self.weak[x], self.weak[y]
        return Counterexample(one.permutation, one, two, values[x], values[y], condition)


# ----- complexities; each docstring says how the metric is carried from PETs to weak factorisations


def node_count(weak: WeakFactorisation) -> Number:
    """|PET|: 1 - (nodes - 1) / (n - 2), with the nodes of the weak factorisation."""
    n = len(weak.permutation)
    return 1 - Fraction(len(weak.spans) - 1, n - 2) if n > 2 else 0


def max_operator(weak: WeakFactorisation) -> Number:
    """MAX|Op|: (longest operator - 2) / (n - 2), with the operators of the weak factorisation."""
    n = len(weak.permutation)
    return Fraction(max(weak.lengths) - 2, n - 2) if n > 2 else 0


def nonbinary_count(weak: WeakFactorisation) -> Number:
    """How many nodes of the weak factorisation have three children or more."""
    return sum(length > 2 for length in weak.lengths)


def pets_of_permutation(weak: WeakFactorisation) -> Number:
    """#PETs to the letter: a number of the permutation, the same for all its weak factorisations."""
    return _count_complexity(Forest(weak.permutation).count, len(weak.permutation))


def pets_of_chains(weak: WeakFactorisation) -> Number:
    """#PETs, counting the bracketings of the binary chains that the weak factorisation has so far.

    A chain of m binary nodes with one operator has Catalan(m) bracketings, a longer operator one:
    the flattest (n > 2) counts 1 and a PET counts as many as the whole forest.
    """
    return _count_complexity(prod(map(catalan, weak.chain_sizes)), len(weak.permutation))


def pets_flattened(weak: WeakFactorisation) -> Number:
    """The proof hint for #PETs: average length once flattened, a chain of m having 2 / Catalan(m).

    Of the functions that fall in the Catalan number, this one gives a lone binary node its length.
    """
    values: list[Number] = [Fraction(2, catalan(m)) for m in weak.chain_sizes]
    values += [length for length in weak.lengths if length > 2]
    return Fraction(sum(values), len(values)) if values else 0


def pets_and_nodes(weak: WeakFactorisation) -> Number:
    """The sum of :func:`pets_of_chains` and :func:`node_count`."""
    return pets_of_chains(weak) + node_count(weak)


def _count_complexity(count: int, n: int) -> Number:
    return 1 - Fraction(count - 1, catalan(n - 1) - 1) if n > 2 else 0


def average(cost: Cost) -> Complexity:
    """AVG of the paper: the mean of ``cost`` over the operators of a weak factorisation."""

    def complexity(weak: WeakFactorisation) -> Number:
        """The mean of C_o over all operators of the weak factorisation, primal or not."""
        return Fraction(sum(map(cost, weak.operators)), len(weak.spans)) if weak.spans else 0

    return complexity


def maximum(cost: Cost) -> Complexity:
    """MAX of the paper: the largest ``cost`` of an operator of a weak factorisation."""

    def complexity(weak: WeakFactorisation) -> Number:
        """The largest C_o among all operators of the weak factorisation, primal or not."""
        return max(map(cost, weak.operators), default=0)

    return complexity


def average_fails_at(cost: LengthCost, max_n: int) -> int | None:
    """The least n, up to ``max_n``, at which the average of ``cost`` is not tight, without enumerating.

    A node of length L splits into lengths a and b with a + b = L + 1. Of N nodes, the average
    falls iff N (cost(a) + cost(b) - cost(L)) < sum of costs; the other nodes weigh least if they
    are binary, and then N = n - L + 1. It is tight for every n iff cost(3) > cost(2) and always
    cost(a) + cost(b) <= cost(a + b - 1) + cost(2).

    >>> average_fails_at(lambda k: k, 50) is None, average_fails_at(lambda k: int(k > 2), 50)
    (True, 5)
    """
    above = {k: cost(k) - cost(2) for k in range(2, max_n + 1)}
    for n in range(3, max_n + 1):
        for length in range(3, n + 1):
            for a in range(2, length):
                rise = above[a] + above[length + 1 - a] - above[length]
                if (n - length + 1) * rise >= above[length]:
                    return n
    return None


# ----- claims


@dataclass(frozen=True)
class Claim:
    """What is said of a metric, where, and the complexity (see its docstring) that tries it."""

    name: str
    claimed: Property
    source: str
    complexity: Complexity
    cost: LengthCost | None = None  # of an average over a cost of lengths


@dataclass(frozen=True)
class ClaimResult:
    """What a claim came to: against each property the first pair of every permutation without it."""

    claim: Claim
    checked: int
    not_tight: tuple[Counterexample, ...]
    not_semi_tight: tuple[Counterexample, ...]

    @property
    def tight(self) -> int:
        """How many permutations the complexity is tight for."""
        return self.checked - len(self.not_tight)

    @property
    def semi_tight_only(self) -> int:
        """How many it is semi-tight but not tight for; what is not semi-tight is not tight either."""
        return len(self.not_tight) - len(self.not_semi_tight)

    @property
    def failing(self) -> int:
        """How many it is neither for."""
        return len(self.not_semi_tight)

    @property
    def counterexample(self) -> Counterexample | None:
        """The first against the claim: of the shortest permutation, lexicographically first."""
        against = self.not_tight if self.claim.claimed == "tight" else self.not_semi_tight
        return against[0] if against else None


def _average(meaning: str, cost: LengthCost) -> Claim:
    complexity = average(lambda operator: cost(len(operator)))
    return Claim(f"AVG, C_o = {meaning}", "tight", "Theorem 1", complexity, cost)


def _monotone_free(meaning: str, source: str, cost: LengthCost) -> Claim:
    complexity = average(lambda operator: 0 if list(operator) == [0, 1] else cost(len(operator)))
    return Claim(f"AVG, C_o = {meaning}, but 0 for ⟨1,2⟩", "tight", source, complexity)


_SHARE = _average("0 for length 2, else 1", lambda k: int(k > 2))
_MAX_STEP = maximum(lambda operator: int(len(operator) > 2))

CLAIMS: tuple[Claim, ...] = (
    Claim("|PET|", "tight", "sections 4 and 6", node_count),
    _average("length", lambda k: k),
    _average("length squared", lambda k: k * k),
    _average("constant", lambda k: 1),
    _SHARE,
    _average("0 up to length 3, else 1", lambda k: int(k > 3)),
    _average("0 for length 2, else (length + 7) / 10", lambda k: Fraction(k + 7, 10) if k > 2 else 0),
    _monotone_free("length", "Theorem 1 and footnote 6", lambda k: k),
    Claim("MAX|Op|", "semi-tight", "sections 4 and 6", max_operator),
    Claim("MAX, C_o = 0 for length 2, else 1", "semi-tight", "section 4", _MAX_STEP),
    Claim("number of non-binary nodes", "semi-tight", "section 4", nonbinary_count),
    Claim("share of non-binary nodes", "semi-tight", "section 4, as a share", _SHARE.complexity),
    Claim("#PETs of the permutation", "semi-tight", "section 6, to the letter", pets_of_permutation),
    Claim("#PETs of the chains so far", "semi-tight", "section 6, read kindly", pets_of_chains),
    Claim("#PETs, flattened average", "semi-tight", "section 6, the hint", pets_flattened),
    _monotone_free("length - 1", "ours", lambda k: k - 1),
    Claim("#PETs of the chains so far + |PET|", "tight", "ours", pets_and_nodes),
)


def check_claims(max_n: int = 6, claims: Sequence[Claim] = CLAIMS) -> list[ClaimResult]:
    """Try each claim on every permutation up to a length; primal ones have no pair to compare.

    >>> [(result.checked, result.tight) for result in check_claims(4, CLAIMS[:1])]
    [(28, 28)]
    """
    every = [_Pairs(order) for n in range(max_n + 1) for order in permutations(range(n))]
    every = [pairs for pairs in every if pairs.steps]
    results = []
    for claim in claims:
        valued = [(pairs, pairs.values(claim.complexity)) for pairs in every]
        not_tight = [pairs.not_tight(values) for pairs, values in valued]
        not_semi_tight = [pairs.not_semi_tight(values) for pairs, values in valued]
        found = [tuple(one for one in some if one) for some in (not_tight, not_semi_tight)]
        results.append(ClaimResult(claim, len(every), *found))
    return results
