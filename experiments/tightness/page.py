"""Write docs/results/tightness.md: every number and every verdict on the page is computed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

from experiments.tightness import claims
from experiments.tightness.claims import ClaimResult, Complexity, Counterexample
from experiments.tightness.factorisations import Span, WeakFactorisation, weak_factorisations
from tools.pages import DOCS, generator_main
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.tree import is_primal

PAGE = DOCS / "results" / "tightness.md"
MAX_N = 6
FAR = 60  # number of words up to which the criterion for averages is checked; it needs no enumeration
ALL = [Permutation(order) for n in range(1, MAX_N + 1) for order in permutations(range(n))]


def page(results: Sequence[ClaimResult]) -> str:
    """Build the page from the results of ``check_claims(MAX_N)``."""
    named = {result.claim.name: result for result in results}
    first = [_introduction(results), _table(results), _counterexamples(results)]
    rest = [_averages(named), _criterion(results), _largest(named), _nonbinary(named), _tree_counts(named)]
    return "\n".join([*first, *rest])


def _introduction(results: Sequence[ClaimResult]) -> str:
    schroeder = ", ".join(str(sum(1 for _ in weak_factorisations(range(n)))) for n in range(1, MAX_N + 1))
    against = sum(result.counterexample is not None for result in results)
    return f"""# Tight and semi-tight: which claims hold

<!-- Written by experiments/tightness/page.py: edit that file, not this one. -->

Stanojević and Sima'an (2016), *Hierarchical Permutation Complexity for Word Order Evaluation*, claim
that their tree scores are tight or semi-tight. This page tests these claims on every permutation of up
to {MAX_N} words. Of the {len(results)} rows below, {against} have a counterexample. The scores themselves
are defined on permutations and are not affected; only the claims about their behaviour during
factorisation fail. The docstrings in `experiments/tightness/claims.py` explain how each metric is
extended to weak factorisations. The functions `check_tight` and `check_semi_tight` in that module accept
any complexity.

## Definitions

A **weak factorisation** of a permutation is a tree whose nodes cover intervals: runs of positions whose
values are consecutive numbers. It need not be complete. The flattest factorisation is a single node with
the whole permutation as its operator. Adding nested intervals refines a factorisation. When no more can
be added, every operator is primal and the tree is a permutation tree (PET). The identity of 1 to {MAX_N}
words has {schroeder} weak factorisations (Schröder numbers).

A **complexity** C assigns a number to each weak factorisation, higher for more complex ones. For a score
that rises with quality, C is one minus the score. For a permutation that is not primal, C is

- **tight** if it decreases with every refinement: C(x) > C(y) whenever y contains all nodes of x and
  more;
- **semi-tight** if it never increases, C(x) ≥ C(y), and decreases from the flattest factorisation to
  each PET.

A metric is tight if it is tight for every permutation, and semi-tight if it is tight or semi-tight for
every permutation. Tightness implies semi-tightness. It suffices to compare pairs that differ by one
node, because every refinement is a sequence of such steps. All values are exact fractions.
"""


def _table(results: Sequence[ClaimResult]) -> str:
    primal = sum(map(is_primal, ALL))
    text = f"""## Results

Each row checks {results[0].checked} permutations: all {len(ALL)} permutations of 1 to {MAX_N} words
except the {primal} primal ones, which have only one weak factorisation. *Only semi* counts permutations
for which the metric is semi-tight but not tight, and *neither* those for which it is not even
semi-tight. *First against* is the first permutation without the claimed property: the shortest, and the
first of these in lexicographic order. AVG and MAX are the mean and the maximum of the operator cost C_o
over all nodes. The claims that hold here are proved for every n below, except for the flattened average,
which fails for longer permutations.

| metric | source | claimed | tight | only semi | neither | n ≤ {MAX_N} | first against |
|---|---|---|---:|---:|---:|---|---|
"""
    for result in results:
        claim, against = result.claim, result.counterexample
        counts = f"{result.tight} | {result.semi_tight_only} | {result.failing}"
        verdict = f"**fails** | {against.permutation}" if against else "holds | none"
        text += f"| {_cell(claim.name)} | {claim.source} | {claim.claimed} | {counts} | {verdict} |\n"
    return text


def _counterexamples(results: Sequence[ClaimResult]) -> str:
    text = """## The counterexamples

Each counterexample shows x, its refinement y, and the required condition. If tightness is claimed and
the first failure is a tie, an increase is shown too, if the first permutation that is not even
semi-tight has one.
"""
    for result in results:
        shown = [pair for pair in (result.counterexample, *result.not_semi_tight[:1]) if pair]
        if len(shown) > 1 and (shown[0].value_x < shown[0].value_y or shown[1].value_x == shown[1].value_y):
            del shown[1]
        pairs = [f"{_pair(pair)}\nrequired: {pair.condition}" for pair in shown]
        if pairs:
            text += "\n".join(["", f"**{_cell(result.claim.name)}**", "", "```text", *pairs, "```", ""])
    return text


def _averages(named: dict[str, ClaimResult]) -> str:
    constant, step = named["AVG, C_o = constant"], named["AVG, C_o = 0 for length 2, else 1"]
    slow = named["AVG, C_o = 0 for length 2, else (length + 7) / 10"]
    free = named["AVG, C_o = length, but 0 for ⟨1,2⟩"]
    repaired = named["AVG, C_o = length - 1, but 0 for ⟨1,2⟩"]
    return f"""## Node count and average length: the claims hold, and the two are equivalent

A node of length L joins L subtrees into one. In any weak factorisation of n words, the lengths minus one
therefore add up to n - 1. With N nodes the average length is 1 + (n - 1) / N, which decreases exactly
when a node is added. This proves both rows for every n. It also repairs the published proof, which
counts single words as operators and, near its end, uses the average length where it needs the total; its
conclusion for lengths is correct.

## Theorem 1 as stated: it fails

The theorem claims tightness for every metric that increases with the average of a cost C_o, as long as
C_o does not decrease with operator length. Its proof covers the length itself and generalises the result
in the last sentence. This step is the gap: an average can increase although no part costs more than the
whole, because the number of nodes changes too.

- A constant cost never decreases: {constant.failing} of {constant.checked} permutations are not even
  semi-tight.
- A cost of 1 for all operators longer than two gives the share of non-binary nodes. Replacing one node
  of length 5 by two nodes of length 3 increases it if there is also a binary node; {step.failing}
  permutations are not even semi-tight.
- A strictly increasing cost is not sufficient either: a cost that jumps from 0 to 1 at length 3 and then
  grows by a tenth fails for {slow.failing} permutations.
- Footnote 6 of the paper says that, in practice, the cost should be zero for ⟨1,2⟩ and for no other
  operator. The length with this change is not tight for {len(free.not_tight)} permutations, and not even
  semi-tight for {free.failing} of them: splitting ⟨3,2,1⟩ adds one to the total, while nodes of cost
  zero keep the average at one or less. The length minus one with the same change is tight for
  {repaired.tight} of {repaired.checked} permutations.

The second half of the theorem claims semi-tightness for metrics that do not decrease with the average.
This includes constant metrics, so at least one more condition is needed: the flattest factorisation and
the PETs must get different values.
"""


def _criterion(results: Sequence[ClaimResult]) -> str:
    table = ""
    for result in results:
        if cost := result.claim.cost:
            foreseen = claims.average_fails_at(cost, FAR) or f"none up to {FAR}"
            seen = len(result.not_tight[0].permutation) if result.not_tight else f"none up to {MAX_N}"
            table += f"| {_cell(result.claim.name)} | {foreseen} | {seen} |\n"
    halved = claims.average(lambda operator: _halving(len(operator)))
    return f"""### A corrected criterion

Let C_o depend on the length only. **AVG is tight for all permutations if and only if
C_o(3) > C_o(2), and C_o(a) + C_o(b) ≤ C_o(a + b - 1) + C_o(2) for all a, b ≥ 2.**

*Proof.* Adding one node replaces a node of length L = a + b - 1 by two nodes of lengths a and b. The
total changes by D = C_o(a) + C_o(b) - C_o(L), and there is one more node, so the average A decreases if
and only if D < A. Assume the condition. With a = 2 it says that C_o does not decrease with length, so
C_o(2) is the smallest cost and all longer operators cost more. The node that is split is longer than two
and contributes to the average, so A > C_o(2) ≥ D. Conversely, if C_o(3) ≤ C_o(2), the identity of three
words is a counterexample. If D > C_o(2) for some a and b, take a factorisation of a long identity with
one node of length L in which all other nodes are binary: with more words, A approaches C_o(2), and
finally D > A. ∎

The counterexamples of the second part are not semi-tight either, so an average that is semi-tight for
all permutations is tight. A sufficient condition is that C_o is convex with C_o(3) > C_o(2), because
then C_o(a) + C_o(b) ≤ C_o(2) + C_o(a + b - 2). Examples are the length, its square, and any power with
an exponent of at least 1. A necessary condition is that C_o grows at least linearly, because C_o(2j + 1)
- C_o(2) ≥ j (C_o(3) - C_o(2)): bounded costs, roots and logarithms all fail for some n. For costs that
depend on the whole operator, the same proof gives a sufficient condition: all operators longer than two
cost more than the cheapest cost c, and splitting an operator into σ and ρ never gives C_o(σ) + C_o(ρ) >
C_o(operator) + c. The length minus one, above, is an example.

For a given n, the worst case is known: one node of length L and n - L binary nodes. `average_fails_at`
uses it to compute the first n at which tightness fails, and agrees with the enumeration:

| average | first n by the criterion | first n by enumeration |
|---|---|---|
{table}
The absence of counterexamples up to {MAX_N} words is not a proof. The cost 1 - 1 / 2^(length - 2) has
none there, but fails from n = {claims.average_fails_at(_halving, FAR)}:

```text
{_compared(halved, Permutation.identity(8), [(0, 8), (0, 7)], [(0, 4)])}
```
"""


def _largest(named: dict[str, ClaimResult]) -> str:
    holds, step = named["MAX|Op|"], named["MAX, C_o = 0 for length 2, else 1"]
    return f"""## Largest operator: the claim holds

Splitting a node creates shorter nodes and leaves the others unchanged, so the maximum cannot increase.
The only node of the flattest factorisation has length n, and all operators of any other factorisation
are shorter. The claim is therefore true for every n; up to {MAX_N} words, {holds.tight} permutations are
tight and {holds.semi_tight_only} only semi-tight. The paper also remarks that the maximum of a cost C_o
is semi-tight. This requires that C_o strictly increases with length, which is sufficient by the same
argument. With a cost of 1 for all operators longer than two, {step.failing} permutations fail: those
whose PETs contain an operator longer than two.
"""


def _nonbinary(named: dict[str, ClaimResult]) -> str:
    count, share = named["number of non-binary nodes"], named["share of non-binary nodes"]
    ties = sum(pair.condition == "C(flattest) > C(PET)" for pair in count.not_semi_tight)
    nested = Permutation.parse("3 5 2 4 7 1 6")
    return f"""## Non-binary nodes: the claim fails

Both conditions are violated. The count increases when a long node is split into two shorter nodes that
are still not binary, such as 5 into 3 and 3 ({count.failing - ties} permutations have an increase). And
it does not decrease from the flattest factorisation to a PET that contains a long operator ({ties} more
permutations fail for this reason alone). The claim holds for only {count.tight + count.semi_tight_only}
of {count.checked} permutations. With seven words the count can even increase from the flattest
factorisation to the PET:

```text
{_compared(claims.nonbinary_count, nested, [(0, 7)], [(0, 4)])}
```

The share of non-binary nodes fails for fewer permutations ({share.failing}), but it is the average of a
step cost and fails for the same reason. If each node counts as its number of children minus two, the sum
is n - 1 - N. This is equivalent to the node count, and tight.
"""


def _tree_counts(named: dict[str, ClaimResult]) -> str:
    letter, chains = named["#PETs of the permutation"], named["#PETs of the chains so far"]
    hint, both = named["#PETs, flattened average"], named["#PETs of the chains so far + |PET|"]
    single = sum(Forest(order).count == 1 and not is_primal(order) for order in ALL)
    rises = sum(pair.condition == "C(x) >= C(y)" for pair in chains.not_semi_tight)
    flattened = claims.pets_flattened
    rows = [(order, Forest(order).count, flattened(list(weak_factorisations(order))[-1])) for order in ALL]
    reversed_pairs = (
        f"| {one} | {count} | {value} |\n| {two} | {fewer} | {less} |"
        for one, count, value in rows
        for two, fewer, less in rows
        if len(one) == len(two) and count > fewer and value > less
    )
    spans = [(0, 11), (0, 5), (1, 5), (2, 4)]
    return f"""## Number of PETs: no reading is both #PETs and semi-tight

The count is defined for a permutation, not for a tree, so it has to be extended to weak factorisations.

*To the letter*, it is the same for all factorisations of a permutation, and {letter.failing} of
{letter.checked} permutations fail.

*Read kindly*, it is the number of bracketings of the binary chains that the factorisation contains so
far: a product of Catalan numbers, which is 1 for the flattest factorisation and the full count for a
PET. Refinement can only lengthen chains, so the complexity never increases ({rises} permutations with an
increase). But for a permutation with a single PET, the count is 1 for all factorisations. There are
{single} permutations that have a single PET and are not primal, the first of which is ⟨1,3,2⟩, and they
are the {chains.failing} permutations that fail. The weak inequality therefore holds for all
permutations, and semi-tightness for those with two PETs or more. A complexity that never increases
becomes tight when a tight one is added to it: the sum with |PET| is tight for {both.tight} of
{both.checked}.

*The hint* that the paper gives for the proof is to flatten each chain of m binary nodes into one node
whose length decreases with Catalan(m), and to average. With 2 / Catalan(m) this is tight for
{hint.tight} of {hint.checked}. Two problems remain. First, this is a different metric from #PETs, and it
can rank permutations in the opposite order:

| permutation | PETs | flattened average |
|---|---:|---:|
{next(reversed_pairs)}

Second, it does not hold for every n. Splitting a node between two chains joins them. The number of
flattened nodes then decreases, and a long operator elsewhere gets more weight in the average. For any
fixed function of the Catalan number, there is an operator long enough to cause a failure. With 2 /
Catalan(m), eleven words are sufficient:

```text
{_compared(flattened, Permutation.identity(11), spans, [(1, 4)])}
```
"""


def _halving(length: int) -> Fraction:
    return 1 - Fraction(1, 2 ** (length - 2))


def _compared(complexity: Complexity, order: Permutation, spans: list[Span], more: list[Span]) -> str:
    x, y = WeakFactorisation(order, tuple(spans)), WeakFactorisation(order, (*spans, *more))
    assert complexity(x) <= complexity(y), "the page says that this pair is a counterexample"
    return _pair(Counterexample(order, x, y, complexity(x), complexity(y), "C(x) > C(y)"))


def _pair(pair: Counterexample) -> str:
    return f"x  C = {pair.value_x!s:<5} {pair.x}\ny  C = {pair.value_y!s:<5} {pair.y}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    sys.exit(generator_main(None, __doc__, lambda: {PAGE: page(claims.check_claims(MAX_N))}))
