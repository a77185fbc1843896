"""The worked examples of docs/scores: the steps of each score, and the recursion over a tree.

Everything is computed a second time here, in a slow and obvious way, and compared with the result of
the package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, isclose, prod

from tools.cards.definitions import Order, moves, operators, words_read
from tools.cards.peers import ours
from tools.pages import markdown_table
from wordorder.core.forest import Forest, catalan
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Tree, tree
from wordorder.metrics.learned import forest_weights
from wordorder.metrics.recursive import RecPef

Span = tuple[int, int]
BETA = RecPef().beta


def show(number: float) -> str:
    """Format a number with up to four decimals."""
    text = f"{number:.4f}".rstrip("0").rstrip(".")
    return text if float(text) or not number else f"{number:.2g}"


def written(p: Iterable[int]) -> str:
    """Format a permutation, numbered from 0."""
    return " ".join(map(str, p))


# ----- flat scores


def pair_steps(p: Order) -> str:
    """List every pair, and whether it keeps its order."""
    kept = [(f"{a} {b}", "yes" if a < b else "no") for a, b in combinations(p, 2)]
    return markdown_table([["pair", "in order"], *kept])


def square_steps(p: Order) -> str:
    """List every word and the square of its move."""
    return _moves(p, "d^2", [d * d for d in moves(p)])


def distance_steps(p: Order) -> str:
    """List every word and how far it moved."""
    return _moves(p, "abs d", [abs(d) for d in moves(p)])


def place_steps(p: Order) -> str:
    """List every word and whether it stands in its place."""
    return _moves(p, "in place", [int(d == 0) for d in moves(p)])


def _moves(p: Order, name: str, counted: list[int]) -> str:
    numbers = zip(range(len(p)), p, moves(p), counted, strict=True)
    rows = [tuple(map(str, row)) for row in numbers]
    return markdown_table([["place", "number", "d", name], *rows, ("", "", "sum", str(sum(counted)))])


def rising_steps(p: Order) -> str:
    """List all longest increasing subsequences."""
    for length in range(len(p), 0, -1):
        longest = [part for part in combinations(p, length) if list(part) == sorted(part)]
        if longest:
            return f"{' or '.join(f'`{written(part)}`' for part in longest)}, so L = {length}"
    return "none"


def joint_steps(p: Order) -> str:
    """List every joint, including the two at the ends of the sentence."""
    ends = {-1: "start", len(p): "end"}
    rows = []
    for a, b in pairwise((-1, *p, len(p))):
        inner = a not in ends and b not in ends
        joint, holds = f"{ends.get(a, a)} {ends.get(b, b)}", "yes" if b == a + 1 else "no"
        rows.append((joint, holds, "inner" if inner else "boundary"))
    return markdown_table([["joint", "holds", "kind"], *rows])


def wait_steps(p: Order) -> str:
    """List every written word, and how far it is behind the words that must have been read."""
    read = words_read(p)
    rows = [(t, needed, known, known - t) for t, (needed, known) in enumerate(zip(p, read, strict=True))]
    head = ["written word t", "position needed", "source words read", "lag"]
    return markdown_table([head, *(tuple(map(str, row)) for row in rows)])


def guess_steps(p: Order, k: int) -> str:
    """List every word that is written, and whether its source word has been read by then."""
    rows = [
        (str(t), str(min(t + k, len(p))), str(value), "no" if value >= t + k else "yes")
        for t, value in enumerate(p)
    ]
    return markdown_table([["written word t", "source words read", "position needed", "known"], *rows])


def crossing_steps(p: Order) -> str:
    """List the pairs of links that cross."""
    return ", ".join(f"{a} with {b}" for a, b in combinations(p, 2) if a > b) or "none"


# ----- trees


def node_steps(p: Order) -> str:
    """List the operators of the left-branching tree with their lengths."""
    nodes = tree(p).left().nodes(order="post")
    rows = [(str(node.operator), f"`{' '.join(node.words)}`", str(node.arity)) for node in nodes]
    assert sorted(int(row[2]) for row in rows) == sorted(operators(p))
    return markdown_table([["operator", "over", "length"], *rows])


def chain_steps(p: Order) -> str:
    """List the chains of the flat tree with the number of ways to bracket each."""
    nodes = [node for node in tree(p).nodes(order="post") if node.kind != "prime"]
    ways = [catalan(node.chain) for node in nodes]
    assert prod(ways) == Forest(p).count
    rows = [
        (str(node.operator), f"`{' '.join(node.words)}`", str(node.arity), str(way))
        for node, way in zip(nodes, ways, strict=True)
    ]
    rows.append(("", "", "product", str(prod(ways))))
    return markdown_table([["chain of", "over", "children", "bracketings"], *rows])


@dataclass(frozen=True)
class Step:
    """A span of a tree or forest: its operator, and for each inference the spans of the children."""

    span: Span
    operator: Permutation
    inferences: tuple[tuple[Span, ...], ...]


def tree_spans(tree_: Tree) -> list[Step]:
    """List the nodes of a tree, children first."""
    return [
        Step((node.begin, node.end), node.operator, (tuple((c.begin, c.end) for c in node.children),))
        for node in tree_.nodes(order="post")
    ]


def forest_spans(p: Order) -> list[Step]:
    """List the spans of the forest with more than one word, children first."""
    steps = []
    for entry in Forest(p).entries():
        if entry.operator is not None:
            bounds = [(entry.begin, *splits, entry.end) for splits in entry.inferences]
            parts = tuple(tuple(pairwise(cuts)) for cuts in bounds)
            steps.append(Step((entry.begin, entry.end), entry.operator, parts))
    return steps


def paper_values(steps: Sequence[Step]) -> dict[Span, tuple[float, str]]:
    """Compute the value of every span by the published formula, with the calculation as text."""
    values: dict[Span, tuple[float, str]] = {}
    for step in steps:
        op = float(step.operator.is_identity())
        inner = [[values[c][0] for c in parts if c[1] - c[0] > 1] for parts in step.inferences]
        if not any(inner):
            values[step.span] = op, "only words: value of the operator"
            continue
        means = [sum(scores) / len(scores) for scores in inner]
        value = BETA * op + (1 - BETA) * sum(means) / len(means)
        shown = show(means[0]) if len(means) == 1 else f"mean({', '.join(map(show, means))})"
        values[step.span] = value, f"{show(BETA)} · {show(op)} + {show(1 - BETA)} · {shown}"
    return values


def beer_values(steps: Sequence[Step]) -> dict[Span, float]:
    """Compute the value of every span by BEER 1.1, not rescaled: children by length, inferences by trees."""
    values: dict[Span, float] = {}
    trees: dict[Span, int] = {}
    for step in steps:
        (begin, end), total = step.span, 0.0
        for word in range(begin, end):
            values[word, word + 1], trees[word, word + 1] = 1.0, 1
        counts = [prod(trees[child] for child in parts) for parts in step.inferences]
        for parts, count in zip(step.inferences, counts, strict=True):
            total += count * sum((c[1] - c[0]) * values[c] for c in parts) / (end - begin)
        trees[step.span] = sum(counts)
        values[step.span] = BETA * step.operator.is_identity() + (1 - BETA) * total / sum(counts)
    return values


def walk(p: Order, spans: Callable[[Order], list[Step]], spec: str) -> str:
    """Show the value of each span, and of the whole by both variants; compare it with the package."""
    steps = spans(p)
    paper, beer = paper_values(steps), beer_values(steps)
    rows = []
    for step in steps:
        words = " ".join(str(value + 1) for value in p[slice(*step.span)])
        value, how = paper[step.span]
        rows.append((f"`{words}`", str(step.operator), how, show(value), show(beer[step.span])))
    whole = (0, len(p))
    raw, least = beer[whole], beer_values(spans(tuple(reversed(range(len(p))))))[whole]
    rescaled = (raw - least) / (1 - least)
    assert isclose(paper[whole][0], ours(spec, p))
    assert isclose(rescaled, ours(f"{spec}:variant=beer11", p))
    head = ["span", "operator", "published formula", "value", "BEER 1.1, raw"]
    after = (
        f"The last row is the score, **{show(paper[whole][0])}**. BEER 1.1 rescales with the raw value of "
        f"the fully inverted order of {len(p)} words, {show(least)}: "
        f"({show(raw)} - {show(least)}) / (1 - {show(least)}) = **{show(rescaled)}**."
    )
    return f"{markdown_table([head, *rows])}\n\n{after}"


def walk_tree(p: Order) -> str:
    """Show the recursion over the left-branching tree."""
    return walk(p, lambda order: tree_spans(tree(order).left()), "recpet")


def walk_forest(p: Order) -> str:
    """Show the recursion over the forest."""
    return walk(p, forest_spans, "recpef")


# ----- the learned score


def learned_weights() -> str:
    """Show the bundled weights by the letters of the formula."""
    w = forest_weights()
    named = {"c": w.inverted, "d": w.prime, "e": w.arity, "s": w.span, "r": w.length}
    return (
        "The learned weights are " + ", ".join(f"{key} = {show(value)}" for key, value in named.items()) + "."
    )


def learned_steps(p: Order) -> str:
    """Show the cost of each span by the learned weights, and the score; compare it with the package."""
    w, cost, rows = forest_weights(), dict[Span, float](), []
    for step in forest_spans(p):
        (begin, end), k = step.span, len(step.operator)
        own = 0.0 if step.operator.is_identity() else w.inverted if k == 2 else w.prime * (k - 3) ** w.arity
        sums = [sum(cost.get(part, 0.0) for part in parts) for parts in step.inferences]
        cost[step.span] = own * (end - begin) ** w.span + sum(sums) / len(sums)
        words = " ".join(str(value + 1) for value in p[begin:end])
        how = f"{show(own)} · {end - begin}^{show(w.span)} + {show(sum(sums) / len(sums))}"
        rows.append((f"`{words}`", str(step.operator), how, show(cost[step.span])))
    whole = cost[0, len(p)]
    score = exp(-whole / len(p) ** w.length)
    assert isclose(score, ours("recpef:weights=learned", p))
    after = f"exp(-{show(whole)} / {len(p)}^{show(w.length)}) = **{show(score)}**."
    return f"{markdown_table([['span', 'operator', 'own cost + parts', 'cost'], *rows])}\n\n{after}"


def learned_lengths() -> str:
    """Show the learned score of the same disorder in sentences of several lengths."""
    rows = []
    for n in (6, 12, 24, 48, 96):
        prime = (*range(1, n, 2), *range(0, n, 2))
        assert [node.arity for node in tree(prime).nodes()] == [n]
        orders = ((1, 0, *range(2, n)), tuple(range(n))[::-1], prime)
        rows.append((str(n), *(show(ours("recpef:weights=learned", order)) for order in orders)))
    head = ["words", "two neighbours swapped", "inverted", "one prime operator: `1 3 5 … 0 2 4 …`"]
    return markdown_table([head, *rows])
