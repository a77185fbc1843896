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


Arcs = list[tuple[int, int, int]]  # from, to, label


def largest_jump(arcs: Arcs) -> int:
    """The largest number of states that an arc advances."""
    return max(to - start for start, to, _ in arcs)


def smallest_jump(arcs: Arcs) -> int:
    """The largest jump of the best numbering in which arcs lead to larger numbers, by trying them all."""
    states = max(to for _, to, _ in arcs) + 1
    before = [{start for start, to, _ in arcs if to == state} for state in range(states)]

    def possible(placed: dict[int, int], limit: int) -> bool:
        here = len(placed)
        ready = [s for s in range(states) if s not in placed and before[s] <= placed.keys()]
        near = [s for s in ready if all(here - placed[start] <= limit for start in before[s])]
        return here == states or any(possible({**placed, state: here}, limit) for state in near)

    return next(limit for limit in range(1, states) if possible({}, limit))


def breadth_first(arcs: Arcs) -> Arcs:
    """The arcs with states numbered breadth first, in the order of labels."""
    queue = [0]
    for state in queue:
        queue += [
            to for start, to, _ in sorted(arcs, key=lambda arc: arc[2]) if start == state and to not in queue
        ]
    return sorted((queue.index(start), queue.index(to), label) for start, to, label in arcs)


def shorter_jumps(arcs: Arcs, rounds: int = 10) -> Arcs:
    """The search for a numbering, from the breadth-first one and from the one against the arcs."""
    states = max(to for _, to, _ in arcs) + 1
    before = [[start for start, to, _ in arcs if to == state] for state in range(states)]
    after = [[to for start, to, _ in arcs if start == state] for state in range(states)]

    def numbered(sequence: list[int]) -> Arcs:
        return [(sequence.index(start), sequence.index(to), label) for start, to, label in arcs]

    def centred(sequence: list[int]) -> list[int]:
        def middle(state: int) -> tuple[int, int]:
            first = min(sequence.index(s) for s in [state, *before[state]])
            return first + max(sequence.index(s) for s in [state, *after[state]]), state

        found: list[int] = []
        while len(found) < states:
            ready = [s for s in range(states) if s not in found and set(before[s]) <= set(found)]
            found.append(min(ready, key=middle))
        return found

    backward = [states - 1]
    for state in backward:
        backward += [s for s in reversed(before[state]) if s not in backward]
    tried = []
    for sequence in (list(range(states)), backward[::-1]):
        tried.append(sequence)
        for _ in range(rounds):
            sequence = centred(sequence)
            tried.append(sequence)
    return sorted(min((numbered(sequence) for sequence in tried), key=largest_jump))
