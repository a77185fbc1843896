"""The smallest automaton of a set of orders, by what can follow: one state for each set of endings."""

from __future__ import annotations

from collections.abc import Iterable


def right_languages(orders: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], frozenset[tuple[int, ...]]]:
    """For every prefix, all endings that make it an order."""
    orders = list(orders)
    prefixes = {order[:k] for order in orders for k in range(len(order) + 1)}
    return {p: frozenset(order[len(p) :] for order in orders if order[: len(p)] == p) for p in prefixes}


def minimal_size(orders: Iterable[tuple[int, ...]]) -> tuple[int, int]:
    """States and arcs of the smallest automaton (Myhill and Nerode)."""
    languages = right_languages(orders)
    states = set(languages.values())
    arcs = {(language, ending[0]) for language in states for ending in language if ending}
    return len(states), len(arcs)
