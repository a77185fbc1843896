"""Pieces of parses the slow way: every word climbs to the root by itself."""

from __future__ import annotations

from collections import Counter
from typing import Any

from wordorder.text.parses import Parse, relation_class


def climb(parse: Parse, word: int) -> list[int]:
    """The words (from 1) from this one up to the root."""
    path = [word]
    while parse.heads[path[-1] - 1]:
        path.append(parse.heads[path[-1] - 1])
    return path


def parse_pieces(parse: Parse, kind: str) -> Counter[Any]:
    """Pieces as tuples, which cannot be mistaken for each other."""
    found: Counter[Any] = Counter()
    lower = ["", *(form.lower() for form in parse.forms)]
    for word in range(1, len(parse.forms) + 1):
        if kind.startswith("chain"):
            path = climb(parse, word)[: int(kind[-1])]
            if len(path) == int(kind[-1]):
                found[tuple(lower[at] for at in path)] += 1
            continue
        relation = parse.relations[word - 1]
        if kind == "arc" or kind == f"arc_{relation_class(relation)}":
            found[
                relation.lower(), lower[parse.heads[word - 1]], lower[word], parse.heads[word - 1] == 0
            ] += 1
    return found


def matched(one: Counter[Any], other: Counter[Any]) -> list[int]:
    """Matched pieces, pieces of the one, of the other."""
    return [(one & other).total(), one.total(), other.total()]
