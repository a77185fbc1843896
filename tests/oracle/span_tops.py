"""The tops of spans in a dependency tree, by the definition."""

from __future__ import annotations

from collections.abc import Sequence


def top(heads: Sequence[int], begin: int, end: int) -> tuple[int, str]:
    """Return the first word of a span whose head is outside it, and the kind of the span."""
    n = len(heads)
    inside = set(range(begin, end))
    tops = [w for w in inside if heads[w] not in inside]
    above = {heads[w] if 0 <= heads[w] < n else -1 for w in tops}
    below = {w for w in range(n) if heads[w] in inside and w not in inside}
    if len(tops) == 1:
        return tops[0], "incomplete" if below else "subtree"
    return (min(tops), "siblings") if tops and len(above) == 1 else (n, "mixed")


def relation(heads: Sequence[int], a: int, b: int) -> str:
    """Return how two tops are related."""
    n = len(heads)
    if n in (a, b):
        return "unknown"
    if heads[b] == a:
        return "first governs"
    if heads[a] == b:
        return "second governs"
    return "siblings" if heads[a] == heads[b] else "other"
