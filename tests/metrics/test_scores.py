"""Every score against its definition, on all permutations up to seven words and random ones to sixty."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from tests.oracle import permutations as slow
from wordorder.core.forest import Forest, catalan
from wordorder.core.permutation import Permutations
from wordorder.core.tree import tree
from wordorder.metrics import metric

ALL = list(slow.all_permutations(7))
LONG = list(slow.random_permutations(200, 60)) + list(slow.random_permutations(20, 200, seed=9))
# Around 64 words the kernels change from bits of one machine word to other algorithms.
LONG += [tuple(np.random.default_rng(n).permutation(n).tolist()) for n in range(61, 72)]
TOLERANCE = 1e-12


def check_scores(spec: str, expected: list[float], perms: list[slow.Perm]) -> None:
    found = metric(spec).score_orders(Permutations(perms))
    worst = int(np.abs(found - np.array(expected)).argmax())
    assert abs(found[worst] - expected[worst]) < TOLERANCE, (
        spec,
        perms[worst],
        found[worst],
        expected[worst],
    )


@pytest.mark.parametrize("name", ["kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"])
def test_flat_scores(name: str) -> None:
    perms = ALL + LONG
    check_scores(name, [float(slow.flat_scores(p)[name]) for p in perms], perms)


def test_scales_and_counts() -> None:
    perms = [p for p in ALL + LONG if len(p) > 1]
    shares = [slow.flat_scores(p)["kendall"] for p in perms]
    check_scores("kendall:scale=tau", [float(2 * s - 1) for s in shares], perms)
    check_scores("kendall:scale=sqrt", [1 - float(1 - s) ** 0.5 for s in shares], perms)
    crossed = [slow.discordant_pairs(p) for p in perms]
    check_scores("crossings", [float(c) for c in crossed], perms)
    check_scores("crossings:scale=word", [c / len(p) for c, p in zip(crossed, perms, strict=True)], perms)
    check_scores("crossings:scale=share", [float(1 - s) for s in shares], perms)
    for k in (1, 2, 5):
        late = [sum(v >= t + k for t, v in enumerate(p)) / len(p) for p in perms]
        check_scores(f"anticipation:k={k}", late, perms)


def test_lags_and_chunks() -> None:
    perms = [p for p in ALL + LONG if p]
    needed, average = [], []
    for p in perms:
        lags = itertools.count(1)
        needed.append(float(next(k for k in lags if all(v < t + k for t, v in enumerate(p)))))
        total, written = 0, 0
        for t in range(len(p)):  # writes each word as soon as it has been read
            read = max(p[: t + 1]) + 1
            total, written = total + read - t, written + 1
            if read == len(p):
                break
        average.append(total / written)
    check_scores("lag", needed, perms)
    check_scores("lag:scale=average", average, perms)
    breaks = [1 + sum(b != a + 1 for a, b in itertools.pairwise(p)) for p in perms]
    check_scores("chunks", [float(count) for count in breaks], perms)
    batch = Permutations([[2, 0, 1], [], [0], [1, 0]])  # sentences do not reach into each other
    assert metric("lag").score_orders(batch).tolist() == [3, 1, 1, 2]
    assert metric("lag:scale=average").score_orders(batch).tolist() == [3, 1, 1, 2]


def test_sums_do_not_overflow() -> None:
    n = 200_000  # the inverted order: (n^3 - n) / 3 in squares, far beyond 32 bits
    inverted = Permutations([np.arange(n)[::-1].copy()])
    for name, value in (
        ("kendall", 0.0),
        ("spearman", 0.0),
        ("footrule", 0.0),
        ("ulam", 0.0),
        ("recpet", 0.0),
    ):
        assert metric(name).score_orders(inverted)[0] == pytest.approx(value, abs=1e-9), name
    assert metric("crossings").score_orders(inverted)[0] == n * (n - 1) / 2
    assert metric("anticipation:k=2147483647")([2, 1, 0]) == 0.0


def test_fuzzy_with_boundaries() -> None:
    perms = [p for p in ALL + LONG if p]

    def score(p: slow.Perm) -> float:
        framed = (-1, *p, len(p))
        return sum(b == a + 1 for a, b in itertools.pairwise(framed)) / (len(p) + 1)

    check_scores("fuzzy:joints=boundary", [score(p) for p in perms], perms)


def test_tree_scores() -> None:
    perms = [p for p in ALL + LONG if len(p) > 2]
    sizes, longest, mean, binary, many = [], [], [], [], []
    for p in perms:
        n = len(p)
        arities = []
        spans = slow.shift_reduce(p)
        for i, j in spans:
            inner = [(a, b) for a, b in spans if i <= a and b <= j and (a, b) != (i, j)]
            top = [s for s in inner if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in inner)]
            arities.append(len(top) + (j - i) - sum(b - a for a, b in top))
        sizes.append((len(spans) - 1) / (n - 2))
        longest.append(1 - (max(arities) - 2) / (n - 2))
        mean.append(1 - (sum(arities) / len(arities) - 2) / (n - 2))
        binary.append(sum(a == 2 for a in arities) / len(arities))
        many.append(float(Fraction(Forest(p).count - 1, catalan(n - 1) - 1)))
    check_scores("pet_size", sizes, perms)
    check_scores("max_operator", longest, perms)
    check_scores("mean_operator", mean, perms)
    check_scores("nonbinary", binary, perms)
    check_scores("pet_count", many, perms)


def test_tree_count_survives_many_words() -> None:
    for n in (31, 32, 33, 60, 500, 5000):
        orders = [
            list(range(n)),
            list(range(n))[::-1],
            [1, 0, *range(2, n)],
            [*range(n // 2, n), *range(n // 2)],
        ]
        for order in orders:
            exact = Fraction(Forest(order).count - 1, catalan(n - 1) - 1)
            found = metric("pet_count")(order)
            assert abs(found - float(exact)) <= 1e-16 * n * float(exact) + 1e-300, (n, order[:3])
    for n in range(3, 700):
        assert metric("pet_count")(range(n)) == 1.0


@pytest.mark.parametrize(
    ("beta", "gamma", "op"), [(0.6, 0.0, "monotone"), (0.3, 0.5, "kendall"), (1.0, 0.2, "fuzzy")]
)
def test_forest_score_is_the_published_formula(beta: float, gamma: float, op: str) -> None:
    perms = ALL
    spec = f"recpef:beta={beta},gamma={gamma},op={op}"
    check_scores(spec, [slow.recpef(p, beta, gamma, op) for p in perms], perms)


@pytest.mark.parametrize("op", ["kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"])
def test_any_flat_score_can_score_operators(op: str) -> None:
    perms = [
        p
        for p in slow.all_permutations(6, 4)
        if max(map(len, [f[0] for f in slow.paper_forest(p).values()])) > 3
    ]
    check_scores(f"recpef:op={op}", [slow.recpef(p, op=op) for p in perms], perms)


def test_forest_score_of_longer_permutations_against_the_packed_forest() -> None:
    def packed(p: slow.Perm, beta: float) -> float:
        entries = {(e.begin, e.end): e for e in Forest(p).entries()}
        score: dict[slow.Span, float] = {}
        for (i, j), e in sorted(entries.items(), key=lambda item: item[0][1] - item[0][0]):
            if e.operator is None:
                score[i, j] = 1.0
                continue
            here = slow.op_score(tuple(e.operator), 0.0, "monotone")
            if len(e.operator) == j - i:
                score[i, j] = here
                continue
            means = []
            for inference in e.inferences:
                inner = [score[s] for s in itertools.pairwise([i, *inference, j]) if s[1] - s[0] > 1]
                means.append(sum(inner) / len(inner))
            score[i, j] = beta * here + (1 - beta) * sum(means) / len(means)
        return score[0, len(p)]

    perms = LONG
    check_scores("recpef", [packed(p, 0.6) for p in perms], perms)


@pytest.mark.parametrize("form", ["left", "right", "flat"])
def test_single_tree_scores(form: str) -> None:
    perms = [p for p in ALL + LONG[:100] if p]
    spans = [[(b, e) for b, e, _, _ in getattr(tree(p), form)().table.tolist()] for p in perms]
    for beta, gamma in ((0.6, 0.0), (0.2, 0.7)):
        expected = [slow.tree_score(p, s, beta, gamma) for p, s in zip(perms, spans, strict=True)]
        check_scores(f"recpet:tree={form},beta={beta},gamma={gamma}", expected, perms)
    least = [range(len(p))[::-1] for p in perms]
    floor = [
        slow.tree_score(
            tuple(q), [(b, e) for b, e, _, _ in getattr(tree(q), form)().table.tolist()], 0.6, beer=True
        )
        for q in least
    ]
    raw = [slow.tree_score(p, s, 0.6, beer=True) for p, s in zip(perms, spans, strict=True)]
    beer = [1.0 if len(p) < 2 else (r - f) / (1 - f) for p, r, f in zip(perms, raw, floor, strict=True)]
    check_scores(f"recpet:tree={form},variant=beer11", beer, perms)


def test_best_tree_is_the_best_of_all() -> None:
    perms = list(slow.all_permutations(6, 2))
    best, mean = [], []
    for p in perms:
        scores = [slow.tree_score(p, list(t), 0.6) for t in slow.paper_trees(p)]
        best.append(max(scores))
        mean.append(sum(scores) / len(scores))
    check_scores("recpet:tree=best", best, perms)
    check_scores("recpef:mean=trees", mean, [*perms])


def test_beer11_forest_score_is_the_mean_over_trees() -> None:
    perms = list(slow.all_permutations(6))
    check_scores("recpef:variant=beer11", [slow.beer_mean_over_trees(p) for p in perms], perms)


def test_scores_unchanged_by_inversion() -> None:
    # A swap of order and rank can therefore not be seen in these scores.
    perms = Permutations(ALL)
    turned = Permutations([p.inverse() for p in perms])
    flat = ["kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"]
    counted = ["pet_size", "pet_count", "max_operator", "mean_operator", "nonbinary"]
    for name in [*flat, *counted, "recpef", "recpef:variant=beer11", "recpef:weights=learned"]:
        one, other = metric(name).score_orders(perms), metric(name).score_orders(turned)
        assert np.abs(one - other).max() < TOLERANCE, name
    left = metric("recpet")
    assert np.abs(left.score_orders(perms) - left.score_orders(turned)).max() > 0.1


def test_perfect_order_is_best_and_nothing_else_is_for_strict_scores() -> None:
    for name in ("kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy", "recpet", "recpef"):
        scores = metric(name).score_orders(Permutations(ALL))
        for p, score in zip(ALL, scores, strict=True):
            assert (score == 1.0) == (p == tuple(range(len(p)))), (name, p)
