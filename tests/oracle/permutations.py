"""Slow, obvious twins of the fast algorithms, straight from the definitions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from math import exp

Perm = tuple[int, ...]
Span = tuple[int, int]


def all_permutations(longest: int, shortest: int = 0) -> Iterator[Perm]:
    for n in range(shortest, longest + 1):
        yield from itertools.permutations(range(n))


def random_permutations(count: int, longest: int, seed: int = 7) -> Iterator[Perm]:
    """Of several kinds: uniform, local, block-structured, and a few swaps away from order."""
    rng = random.Random(seed)
    for k in range(count):
        n = rng.randint(1, longest)
        items = list(range(n))
        if k % 4 == 0:
            rng.shuffle(items)
        elif k % 4 == 1:
            items.sort(key=lambda i: i + rng.uniform(0, 4))
        elif k % 4 == 2:
            items = _blocks(items, rng)
        else:
            for _ in range(3):
                i, j = rng.randrange(n), rng.randrange(n)
                items[i], items[j] = items[j], items[i]
        yield tuple(items)


def _blocks(items: list[int], rng: random.Random) -> list[int]:
    if len(items) < 2:
        return items
    if len(items) >= 4 and rng.random() < 0.2:
        cuts = [0, *sorted(rng.sample(range(1, len(items)), 3)), len(items)]
        parts = [_blocks(items[a:b], rng) for a, b in itertools.pairwise(cuts)]
        return [x for k in (1, 3, 0, 2) for x in parts[k]]
    cut = rng.randrange(1, len(items))
    left, right = _blocks(items[:cut], rng), _blocks(items[cut:], rng)
    return left + right if rng.random() < 0.6 else right + left


def standardise(values: Perm) -> Perm:
    return tuple(sorted(values).index(v) for v in values)


# ----- flat scores


def discordant_pairs(p: Perm) -> int:
    return sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p)))


def longest_rising(p: Perm) -> int:
    best = [1] * len(p)
    for j in range(len(p)):
        for i in range(j):
            if p[i] < p[j]:
                best[j] = max(best[j], best[i] + 1)
    return max(best, default=0)


def chunks(p: Perm) -> int:
    """Runs of positions whose values rise by one."""
    return sum(1 for k in range(len(p)) if k == 0 or p[k] != p[k - 1] + 1)


def flat_scores(p: Perm) -> dict[str, Fraction]:
    n = len(p)
    if n < 2:
        return dict.fromkeys(["kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"], Fraction(1))
    return {
        "kendall": 1 - Fraction(discordant_pairs(p), n * (n - 1) // 2),
        "spearman": 1 - Fraction(3 * sum((v - i) ** 2 for i, v in enumerate(p)), n * (n * n - 1)),
        "footrule": 1 - Fraction(sum(abs(v - i) for i, v in enumerate(p)), n * n // 2),
        "hamming": Fraction(sum(v == i for i, v in enumerate(p)), n),
        "ulam": Fraction(longest_rising(p) - 1, n - 1),
        "fuzzy": 1 - Fraction(chunks(p) - 1, n - 1),
    }


# ----- trees


def is_interval(p: Perm, begin: int, end: int) -> bool:
    part = p[begin:end]
    return max(part) - min(part) == end - begin - 1


def intervals(p: Perm) -> list[Span]:
    """All spans of two positions or more whose values are a range."""
    n = len(p)
    return [(i, j) for i in range(n) for j in range(i + 2, n + 1) if is_interval(p, i, j)]


def strong_intervals(p: Perm) -> list[Span]:
    """Intervals that overlap no other one: the spans of the flat tree, in postorder."""
    spans = intervals(p)

    def overlap(x: Span, y: Span) -> bool:
        return x[0] < y[0] < x[1] < y[1] or y[0] < x[0] < y[1] < x[1]

    strong = [x for x in spans if not any(overlap(x, y) for y in spans)]
    return sorted(strong, key=lambda span: (span[1], -span[0]))


def arity(p: Perm) -> int:
    """The least number of adjacent sub-permutations that the permutation is made of."""
    n = len(p)
    if n == 1:
        return 1
    return min(len(cuts) + 1 for cuts in _cuts(p))


def _cuts(p: Perm) -> Iterator[tuple[int, ...]]:
    """Ways to cut into two or more proper sub-permutations."""
    n = len(p)
    for size in range(1, n):
        for cuts in itertools.combinations(range(1, n), size):
            bounds = [0, *cuts, n]
            if all(is_interval(p, a, b) for a, b in itertools.pairwise(bounds)):
                yield cuts


def shift_reduce(p: Perm) -> list[Span]:
    """The canonical left-branching tree by the quadratic stack algorithm (thesis, 2.5.3)."""
    stack: list[Span] = []
    spans: list[Span] = []
    for k in range(len(p)):
        stack.append((k, k + 1))
        reduced = True
        while reduced:
            reduced = False
            for size in range(2, len(stack) + 1):
                begin = stack[-size][0]
                if is_interval(p, begin, k + 1):
                    stack[-size:] = [(begin, k + 1)]
                    spans.append((begin, k + 1))
                    reduced = True
                    break
    return sorted(spans, key=lambda span: (span[1], -span[0]))


Forest = dict[Span, tuple[Perm, list[tuple[int, ...]]]]


def paper_forest(p: Perm) -> Forest:
    """The packed forest by the pseudo-code of Stanojević and Sima'an (2014), figure 5."""
    found: Forest = {}

    def visit(i: int, j: int) -> None:
        if (i, j) in found or j - i == 1:
            return
        part = p[i:j]
        inferences: list[tuple[int, ...]] = []
        a = arity(part)
        operator: Perm = ()
        for cuts in _cuts(part):
            if len(cuts) + 1 != a:
                continue
            bounds = [i, *(i + c for c in cuts), j]
            operator = standardise(tuple(p[b] for b in bounds[:-1]))
            inferences.append(tuple(bounds[1:-1]))
            found[i, j] = (operator, inferences)
            for x, y in itertools.pairwise(bounds):
                visit(x, y)

    if p:
        visit(0, len(p))
    return found


def paper_trees(p: Perm) -> list[frozenset[Span]]:
    """Every tree as the set of its spans, by unpacking the forest."""
    forest = paper_forest(p)

    @cache
    def unpack(i: int, j: int) -> tuple[frozenset[Span], ...]:
        if j - i == 1:
            return (frozenset(),)
        result = []
        for inference in forest[i, j][1]:
            bounds = [i, *inference, j]
            for parts in itertools.product(*(unpack(x, y) for x, y in itertools.pairwise(bounds))):
                result.append(frozenset([(i, j)]).union(*parts))
        return tuple(result)

    return list(unpack(0, len(p))) if p else []


# ----- recursive scores, from the published formula and from BEER 1.1's


def op_score(operator: Perm, gamma: float, op: str) -> float:
    if operator == (0, 1):
        return 1.0
    if operator == (1, 0):
        return gamma
    return 0.0 if op == "monotone" else float(flat_scores(operator)[op])


def recpef(p: Perm, beta: float = 0.6, gamma: float = 0.0, op: str = "monotone") -> float:
    """Figure 6 of the 2014 paper, literally."""
    forest = paper_forest(p)

    @cache
    def node(i: int, j: int) -> float:
        if j - i <= 1:
            return 1.0
        operator, inferences = forest[i, j]
        score = op_score(operator, gamma, op)
        if len(operator) == j - i:
            return score
        total = 0.0
        for inference in inferences:
            parts = [(x, y) for x, y in itertools.pairwise([i, *inference, j]) if y - x > 1]
            total += sum(node(x, y) for x, y in parts) / len(parts)
        return beta * score + (1 - beta) * total / len(inferences)

    return node(0, len(p))


def tree_score(p: Perm, spans: list[Span], beta: float, gamma: float = 0.0, *, beer: bool = False) -> float:
    """One tree: the published single-tree score, or BEER 1.1's before rescaling."""
    inside = sorted(spans, key=lambda span: span[1] - span[0])
    score: dict[Span, float] = {}
    for i, j in inside:
        children: list[Span] = []
        at = i
        while at < j:
            wider = [s for s in score if s[0] == at and i <= s[0] and s[1] <= j]
            child = max(wider, key=lambda s: s[1], default=(at, at + 1))
            children.append(child)
            at = child[1]
        operator = standardise(tuple(min(p[a:b]) for a, b in children))
        if len(operator) > 2 and operator in (tuple(range(len(operator))), tuple(range(len(operator)))[::-1]):
            operator = (0, 1) if operator[0] == 0 else (1, 0)
        here = op_score(operator, gamma, "monotone")
        if beer:
            weighted = sum((b - a) / (j - i) * score.get((a, b), 1.0) for a, b in children)
            score[i, j] = beta * here + (1 - beta) * weighted
        else:
            inner = [score[c] for c in children if c[1] - c[0] > 1]
            score[i, j] = beta * here + (1 - beta) * sum(inner) / len(inner) if inner else here
    return score.get((0, len(p)), 1.0)


def beer_mean_over_trees(p: Perm, beta: float = 0.6) -> float:
    """BEER 1.1's forest score: the mean over all trees, rescaled by the inverted order's."""

    def raw(q: Perm) -> float:
        trees = paper_trees(q)
        return sum(tree_score(q, list(t), beta, beer=True) for t in trees) / len(trees)

    if len(p) < 2:
        return float(len(p))
    least = raw(tuple(range(len(p)))[::-1])
    return (raw(p) - least) / (1 - least)


def learned_score(p: Perm, inverted: float, prime: float, arity: float, span: float, length: float) -> float:
    """The learned forest score as a product: a span is worth the factor of its operator times its parts."""
    forest = paper_forest(p)
    scale = len(p) ** length

    @cache
    def worth(i: int, j: int) -> float:
        if j - i <= 1:
            return 1.0
        operator, inferences = forest[i, j]
        cost = {(0, 1): 0.0, (1, 0): inverted}.get(operator, prime * (len(operator) - 3.0) ** arity)
        value = exp(-cost * (j - i) ** span / scale)
        for inference in inferences:  # the geometric mean over the ways to split
            for x, y in itertools.pairwise([i, *inference, j]):
                value *= worth(x, y) ** (1 / len(inferences))
        return value

    return worth(0, len(p))
