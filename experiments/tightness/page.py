"""Write docs/tightness.md: every number and every verdict on the page is computed."""

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

PAGE = DOCS / "tightness.md"
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

Stanojević and Sima'an (2016), *Hierarchical Permutation Complexity for Word Order Evaluation*, say of their
tree scores that they are tight or semi-tight. This page tries those statements on every permutation of up to
{MAX_N} words. Of the {len(results)} rows below, {against} have a counterexample. The scores themselves are
defined on permutations and are not touched by this: what fails is what is said about how they behave while a
permutation is being factorised. How each metric is carried to weak factorisations is in the docstring of its
function in `experiments/tightness/claims.py`, where `check_tight` and `check_semi_tight` take any complexity.

## The words

A **weak factorisation** of a permutation is a tree whose nodes cover intervals: runs of positions whose
values are consecutive numbers. Nothing forces it to be complete. The flattest one is a single node with the
whole permutation as its operator; adding intervals that nest refines it; where no more fit, every operator is
primal and the tree is a PET. The identity of 1 to {MAX_N} words has {schroeder} of them (Schröder numbers).

A **complexity** C gives each weak factorisation a number, higher for more complex; where a score rises with
quality, C is one minus the score. For a permutation that is not primal, C is

- **tight** if it falls with every refinement: C(x) > C(y) whenever y has the nodes of x and more;
- **semi-tight** if it never rises, C(x) ≥ C(y), and falls from the flattest to each PET.

A metric is tight if it is tight for every permutation, and semi-tight if it is one of the two for every
permutation. Tight implies semi-tight. It is enough to compare pairs that differ by one node, since every
refinement is a chain of those. All values are exact fractions.
"""


def _table(results: Sequence[ClaimResult]) -> str:
    primal = sum(map(is_primal, ALL))
    text = f"""## Results

Each row checks {results[0].checked} permutations: all {len(ALL)} of 1 to {MAX_N} words but the {primal}
primal ones, which have a single weak factorisation. *Only semi* are semi-tight but not tight, *neither* are
not even semi-tight. *First against* is the first permutation without the claimed property: shortest, then
lexicographic. AVG and MAX are the mean and the maximum, over all nodes, of the cost C_o of their operators.
What holds here is proved for every n below; only the flattened average fails for longer permutations.

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

Each shows x, which factorises into y, and what was required. Where tightness is claimed and the first failure
is a tie, the first rise follows, if the claim's first permutation that is not even semi-tight has one.
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
    return f"""## Node count and average length: they hold, and are one metric

A node of length L turns L subtrees into one, so over any weak factorisation of n words the lengths minus one
add up to n - 1. With N nodes the average length is therefore 1 + (n - 1) / N: it falls exactly when a node is
added. This proves both rows for every n. It also repairs the printed proof, which counts parts of one word as
operators, and near its end speaks of the average length where it needs the total; its conclusion for lengths
is right.

## Theorem 1 as stated: it fails

The theorem promises tightness for a metric that increases in the average of a cost C_o, whichever, as long as
C_o does not fall with operator length. Its proof treats the length itself and carries the result over in the
last sentence, and that step is the gap: an average can rise although no part costs more than the whole did,
because the number of nodes changes too.

- A constant cost never falls: {constant.failing} of {constant.checked} permutations are not even semi-tight.
- Cost 1 for all operators longer than two gives the share of non-binary nodes. One node of length 5 becoming
  two of length 3 raises it where there is a binary node beside them; {step.failing} are not even semi-tight.
- Asking for a cost that strictly increases does not help: one that jumps from 0 to 1 at length 3 and grows by
  a tenth from there fails for {slow.failing}.
- Footnote 6 of the paper wants in practice a cost of zero for ⟨1,2⟩ and no other operator. The length with
  that change is not tight for {len(free.not_tight)} permutations, and not even semi-tight for {free.failing}
  of them: splitting ⟨3,2,1⟩ adds one to the total, while free nodes keep the average at one or less. The
  length minus one with the same change is tight for {repaired.tight} of {repaired.checked}.

The second half of the theorem, semi-tight for a metric that does not decrease in the average, admits a metric
that is the same everywhere, so it needs at least that the flattest and the PETs are told apart.
"""


def _criterion(results: Sequence[ClaimResult]) -> str:
    table = ""
    for result in results:
        if cost := result.claim.cost:
            foreseen = claims.average_fails_at(cost, FAR) or f"none up to {FAR}"
            seen = len(result.not_tight[0].permutation) if result.not_tight else f"none up to {MAX_N}"
            table += f"| {_cell(result.claim.name)} | {foreseen} | {seen} |\n"
    halved = claims.average(lambda operator: _halving(len(operator)))
    return f"""### What replaces it

Let C_o depend on the length only. **AVG is tight for all permutations if and only if
C_o(3) > C_o(2), and C_o(a) + C_o(b) ≤ C_o(a + b - 1) + C_o(2) for all a, b ≥ 2.**

*Proof.* Adding one node takes a node of length L = a + b - 1 and leaves two of lengths a and b. The total
changes by D = C_o(a) + C_o(b) - C_o(L) and there is one more node, so the average A falls if and only if
D < A. Suppose the condition. With a = 2 it says that C_o does not fall with length, so C_o(2) is the least
cost and anything longer costs more. The node that is split is longer, and is one of those averaged, so
A > C_o(2) ≥ D. Conversely, if C_o(3) ≤ C_o(2) the identity of three words is a counterexample; and if
D > C_o(2) for some a and b, take in the identity of enough words one node of length L and let all others be
binary: A comes as close to C_o(2) as one likes, and at last D > A. ∎

The counterexamples of the second part are not semi-tight either, so an average that is semi-tight for all
permutations is tight. It suffices that C_o is convex with C_o(3) > C_o(2), since then
C_o(a) + C_o(b) ≤ C_o(2) + C_o(a + b - 2): the length, its square, any power from 1 up. It is necessary that
C_o grows at least in proportion to length, since C_o(2j + 1) - C_o(2) ≥ j (C_o(3) - C_o(2)): bounded costs,
roots and logarithms all fail for some n. For costs that look at the whole operator the same proof gives a
sufficient condition: all operators longer than two cost more than the cheapest, c, and splitting one into σ
and ρ never gives C_o(σ) + C_o(ρ) > C_o(operator) + c, as with the length minus one above.

For a given n the sharpest case is known: one node of length L and n - L binary ones. `average_fails_at` uses
this to name the first n at which tightness fails, and agrees with the enumeration:

| average | first n by the criterion | first n by enumeration |
|---|---|---|
{table}
That nothing fails up to {MAX_N} words proves nothing alone. The cost 1 - 1 / 2^(length - 2) passes there and
fails from n = {claims.average_fails_at(_halving, FAR)}:

```text
{_compared(halved, Permutation.identity(8), [(0, 8), (0, 7)], [(0, 4)])}
```
"""


def _largest(named: dict[str, ClaimResult]) -> str:
    holds, step = named["MAX|Op|"], named["MAX, C_o = 0 for length 2, else 1"]
    return f"""## Largest operator: it holds

Splitting a node makes shorter ones and leaves the others alone, so the maximum cannot rise; and the one node
of the flattest has length n, while all operators of any other factorisation are shorter. So the claim is true
for every n; up to {MAX_N} words, {holds.tight} permutations are tight and {holds.semi_tight_only} only
semi-tight. The remark that the maximum of a cost C_o suits semi-tightness needs a C_o that strictly increases
with length, which is then enough by the same argument. With cost 1 for all operators longer than two,
{step.failing} permutations fail: those whose PETs keep an operator longer than two.
"""


def _nonbinary(named: dict[str, ClaimResult]) -> str:
    count, share = named["number of non-binary nodes"], named["share of non-binary nodes"]
    ties = sum(pair.condition == "C(flattest) > C(PET)" for pair in count.not_semi_tight)
    nested = Permutation.parse("3 5 2 4 7 1 6")
    return f"""## Non-binary nodes: it fails

Both conditions break. The count rises when a long node becomes two shorter ones that are still not binary: 5
into 3 and 3 ({count.failing - ties} permutations have a rise). And it does not fall from the flattest to a
PET that has a long operator itself ({ties} more fail for this alone). Only
{count.tight + count.semi_tight_only} of {count.checked} permutations are left. With seven words it can even
rise from the flattest to the PET:

```text
{_compared(claims.nonbinary_count, nested, [(0, 7)], [(0, 4)])}
```

The share of non-binary nodes does better, with {share.failing} failing, but it is the average of a step cost
and fails with it. What holds: if each node counts with the children it has above two, the sum is n - 1 - N,
which is the node count again, and tight.
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

The count belongs to a permutation, not to a tree, so it has to be carried over to weak factorisations.

*To the letter* it is the same for all of them, and {letter.failing} of {letter.checked} permutations fail.

*Read kindly*, the count is that of the bracketings of the binary chains that the factorisation shows so far:
a product of Catalan numbers, 1 for the flattest, the full count for a PET. Refining only lengthens chains, so
the complexity never rises ({rises} permutations with a rise). But a permutation with a single PET counts 1
from beginning to end. There are {single} that have a single PET and are not primal, ⟨1,3,2⟩ the first, and
they are the {chains.failing} that fail. So the weak inequality holds for all, and semi-tightness for
permutations with two PETs or more. A complexity that never rises becomes tight when a tight one is added: the
sum with |PET| is tight for {both.tight} of {both.checked}.

*The hint* given for the proof flattens each chain of m binary nodes into one node whose length falls with
Catalan(m), and averages. With 2 / Catalan(m) this is tight for {hint.tight} of {hint.checked}. Two things
remain. First, it is another metric than #PETs, and can order permutations the other way round:

| permutation | PETs | flattened average |
|---|---:|---:|
{next(reversed_pairs)}

Second, it does not hold for every n. Splitting a node between two chains joins them, the number of flattened
nodes drops, and a long operator elsewhere then weighs more in the average. A long enough one does this to any
fixed function of the Catalan number. With 2 / Catalan(m), eleven words will do:

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
