from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations

import pytest

from experiments.tightness import page
from experiments.tightness.claims import (
    CLAIMS,
    average,
    average_fails_at,
    check_claims,
    check_semi_tight,
    check_tight,
    max_operator,
    node_count,
    nonbinary_count,
    pets_flattened,
    pets_of_chains,
)
from experiments.tightness.factorisations import WeakFactorisation, weak_factorisations
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.tree import is_primal
from wordorder.errors import BadSetting


@pytest.fixture(scope="module")
def results():
    return check_claims(6)


# name: tight, only semi-tight, failing, first against the claim
FLAT_3, PET_3 = "⟨1,2,3⟩(1 2 3)", "⟨1,2⟩(⟨1,2⟩(1 2) 3)"
RISE_6 = ("⟨1,2,3,4,5⟩(⟨1,2⟩(1 2) 3 4 5 6)", "⟨1,2,3⟩(⟨1,2,3⟩(⟨1,2⟩(1 2) 3 4) 5 6)")
FIVE = ("⟨1,2,3,4,5⟩(1 2 3 4 5)", "⟨1,2,3⟩(⟨1,2,3⟩(1 2 3) 4 5)")
TIGHT, RISE, FLAT = "C(x) > C(y)", "C(x) >= C(y)", "C(flattest) > C(PET)"
EXPECTED = {
    "|PET|": (816, 0, 0, None),
    "AVG, C_o = length": (816, 0, 0, None),
    "AVG, C_o = length squared": (816, 0, 0, None),
    "AVG, C_o = constant": (0, 0, 816, (FLAT_3, PET_3, 1, 1, TIGHT)),
    "AVG, C_o = 0 for length 2, else 1": (252, 170, 394, (*FIVE, 1, 1, TIGHT)),
    "AVG, C_o = 0 up to length 3, else 1": (304, 506, 6, (FLAT_3, PET_3, 0, 0, TIGHT)),
    "AVG, C_o = 0 for length 2, else (length + 7) / 10": (
        *(422, 0, 394),
        (*RISE_6, Fraction(3, 5), Fraction(2, 3), TIGHT),
    ),
    "AVG, C_o = length, but 0 for ⟨1,2⟩": (
        *(766, 15, 35),
        ("⟨1,2⟩(⟨1,2⟩(1 2) ⟨3,2,1⟩(5 4 3))", "⟨1,2⟩(⟨1,2⟩(1 2) ⟨2,1⟩(⟨2,1⟩(5 4) 3))", 1, 1, TIGHT),
    ),
    "MAX|Op|": (252, 564, 0, None),
    "MAX, C_o = 0 for length 2, else 1": (
        *(6, 506, 304),
        ("⟨1,3,5,2,4⟩(1 3 5 2 4)", "⟨1,2⟩(1 ⟨2,4,1,3⟩(3 5 2 4))", 1, 1, FLAT),
    ),
    "number of non-binary nodes": (6, 26, 784, (*FIVE, 1, 2, RISE)),
    "share of non-binary nodes": (252, 170, 394, (*RISE_6, Fraction(1, 2), Fraction(2, 3), RISE)),
    "#PETs of the permutation": (0, 0, 816, (FLAT_3, PET_3, 0, 0, FLAT)),
    "#PETs of the chains so far": (2, 412, 402, ("⟨1,3,2⟩(1 3 2)", "⟨1,2⟩(1 ⟨2,1⟩(3 2))", 1, 1, FLAT)),
    "#PETs, flattened average": (816, 0, 0, None),
    "AVG, C_o = length - 1, but 0 for ⟨1,2⟩": (816, 0, 0, None),
    "#PETs of the chains so far + |PET|": (816, 0, 0, None),
}


def test_every_claim_is_listed_once():
    assert [claim.name for claim in CLAIMS] == list(EXPECTED)
    assert all(claim.complexity.__doc__ for claim in CLAIMS)


def test_what_each_claim_comes_to(results):
    primal = sum(is_primal(order) for n in range(1, 7) for order in permutations(range(n)))
    assert primal == 1 + 2 + 0 + 2 + 6 + 46
    for result in results:
        tight, semi, failing, first = EXPECTED[result.claim.name]
        assert result.checked == 873 - primal == tight + semi + failing
        assert (result.tight, result.semi_tight_only, result.failing) == (tight, semi, failing)
        one = result.counterexample
        seen = one and (str(one.x), str(one.y), one.value_x, one.value_y, one.condition)
        assert seen == first, result.claim.name


def test_counterexamples_say_the_truth(results):
    for result in results:
        for one in (*result.not_tight, *result.not_semi_tight):
            assert one.y.refines(one.x) and one.permutation == one.x.permutation
            assert (
                result.claim.complexity(one.x) == one.value_x <= one.value_y == result.claim.complexity(one.y)
            )
            assert one.value_x < one.value_y or one.condition != RISE
            assert (one.x.is_flattest and one.y.is_pet) or one.condition != FLAT


def test_single_steps_decide_as_all_pairs_do():
    """The slow obvious twin: every pair of weak factorisations, up to five words."""
    for n in range(3, 6):
        for order in permutations(range(n)):
            weak = list(weak_factorisations(order))
            pairs = [(x, y) for x, y in combinations(range(len(weak)), 2) if weak[y].refines(weak[x])]
            for claim in CLAIMS:
                value = [claim.complexity(one) for one in weak]
                tight = all(value[x] > value[y] for x, y in pairs)
                semi = all(
                    value[x] > value[y] if weak[x].is_flattest and weak[y].is_pet else value[x] >= value[y]
                    for x, y in pairs
                )
                assert (check_tight(claim.complexity, order) is None) == tight
                assert (check_semi_tight(claim.complexity, order) is None) == semi


def test_a_bad_complexity_is_caught():
    for check, condition in ((check_tight, TIGHT), (check_semi_tight, RISE)):
        found = check(lambda weak: len(weak.spans), [0, 1, 2])
        assert found is not None
        assert (str(found.x), str(found.y), found.value_x, found.value_y) == (FLAT_3, PET_3, 1, 2)
        assert found.condition == condition
        assert str(found) == f"C = 1 for {FLAT_3}, C = 2 for {PET_3}: not {condition}"


def test_primal_permutations_pass_and_floats_are_refused():
    assert check_tight(lambda weak: 0, [1, 3, 0, 2]) is None
    assert check_semi_tight(lambda weak: 0, [1, 0]) is None
    with pytest.raises(BadSetting, match="float"):
        check_tight(lambda weak: 0.5, [0, 1, 2])


def test_no_words_one_word_and_two_have_no_complexity():
    for claim in CLAIMS:
        assert check_tight(claim.complexity, []) is None
        assert check_tight(claim.complexity, [0]) is None
    for complexity in (node_count, max_operator, pets_of_chains):
        assert complexity(next(weak_factorisations([1, 0]))) == 0


def test_complexities_of_pets_are_the_published_scores():
    """Figure 7 of the paper: one minus the score of the permutation, whichever of its PETs is taken."""
    for n in range(3, 6):
        monotone = Forest(range(n)).count
        for order in permutations(range(n)):
            forest = Forest(order)
            for weak in weak_factorisations(order):
                if weak.is_pet:
                    assert node_count(weak) == 1 - Fraction(forest.flat.node_count - 1, n - 2)
                    assert max_operator(weak) == Fraction(forest.flat.max_arity - 2, n - 2)
                    assert pets_of_chains(weak) == 1 - Fraction(forest.count - 1, monotone - 1)


def test_average_length_is_the_node_count():
    length = average(len)
    for order in permutations(range(6)):
        for weak in weak_factorisations(order):
            assert length(weak) == 1 + Fraction(5, len(weak.spans))


def test_criterion_for_averages_against_the_enumeration():
    """The identity decides: all shapes of trees are among its own."""
    for values in combinations_with_replacement(range(5), 5):  # all non-decreasing costs with values 0-4
        cost = dict(zip(range(2, 7), values, strict=True)).__getitem__
        failing = (n for n in range(3, 7) if check_tight(average(lambda op: cost(len(op))), range(n)))  # noqa: B023
        assert average_fails_at(cost, 6) == next(failing, None), values


@pytest.mark.parametrize("values", [(3, 2, 1, 0, 0), (1, 2, 0, 5, 9), (0, 3, 2, 1, 9), (1, 2, 3, 4, 0)])
def test_criterion_needs_no_monotone_cost(values):
    cost = dict(zip(range(2, 7), values, strict=True)).__getitem__
    failing = [n for n in range(3, 7) if check_tight(average(lambda op: cost(len(op))), range(n))]
    assert average_fails_at(cost, 6) == failing[0]


def test_convex_costs_are_tight_and_slow_ones_fail_in_the_end():
    assert average_fails_at(lambda k: k**3, 80) is None
    assert average_fails_at(lambda k: max(k - 2, 2 * k - 6), 80) is None
    assert average_fails_at(lambda k: 1 - Fraction(1, 2 ** (k - 2)), 80) == 8
    harmonic = [Fraction(0)]
    for k in range(1, 81):
        harmonic.append(harmonic[-1] + Fraction(1, k))
    assert average_fails_at(harmonic.__getitem__, 80) == 14


def test_beyond_six_words():
    nested = Permutation.parse("3 5 2 4 7 1 6")
    flattest, pet = weak_factorisations(nested)
    assert pet.is_pet and (nonbinary_count(flattest), nonbinary_count(pet)) == (1, 2)
    eleven = Permutation.identity(11)
    x = WeakFactorisation(eleven, ((0, 11), (0, 5), (1, 5), (2, 4)))
    y = WeakFactorisation(eleven, (*x.spans, (1, 4)))
    assert (pets_flattened(x), pets_flattened(y)) == (Fraction(7, 2), Fraction(25, 7))


def test_tree_counts_fail_exactly_where_there_is_a_single_pet(results):
    (chains,) = (result for result in results if result.claim.complexity is pets_of_chains)
    single = [
        Permutation(order)
        for n in range(3, 7)
        for order in permutations(range(n))
        if Forest(order).count == 1 and not is_primal(order)
    ]
    assert [one.permutation for one in chains.not_semi_tight] == single


def test_maximum_of_a_step_fails_exactly_where_a_pet_is_not_binary(results):
    failing = next(r for r in results if r.claim.name.startswith("MAX, ")).not_semi_tight
    binarisable = 6 + 22 + 90 + 394
    assert len(failing) == 816 - binarisable
    assert all(Forest(one.permutation).flat.max_arity > 2 for one in failing)


def test_primal_permutations_hold_shorter_ones():
    """The theorem of Schmerl and Trotter that section 4 leans on, up to six words."""
    for n in range(2, 7):
        for order in filter(is_primal, permutations(range(n))):
            parts = [*combinations(order, n - 1), *combinations(order, max(n - 2, 1))]
            assert any(is_primal(Permutation.standardise(part)) for part in parts)


def test_the_page_is_up_to_date(results):
    assert page.page(results) == page.PAGE.read_text("utf-8")
