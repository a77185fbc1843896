"""Trees for sentences that come without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from wordorder.errors import WordOrderError
from wordorder.io.sentence import Sentence
from wordorder.parse.models import load_parser
from wordorder.preorder.source import Source


def with_parses(sources: Sequence[Source]) -> list[Source]:
    """Return the sentences with trees. Those without one are parsed as English by the shipped parser.

    >>> [source] = with_parses([Source(("she", "sleeps"))])
    >>> source.parse.heads
    [2, 0]
    """
    missing = [s for s, source in enumerate(sources) if source.parse is None]
    parsed = list(sources)
    if missing:
        nonempty = [s for s in missing if sources[s].words]
        trees = load_parser().parse_batch([sources[s].words for s in nonempty]) if nonempty else []
        found = dict(zip(nonempty, trees, strict=True))
        for s in missing:
            parsed[s] = replace(sources[s], parse=found.get(s, Sentence(())))
    return parsed


def trees_of(sources: Sequence[Source]) -> list[Sentence]:
    """Return the tree of each sentence; an error if it has another number of words."""
    trees = []
    for source in with_parses(sources):
        assert source.parse is not None
        words = sum(row.is_word for row in source.parse.rows)
        if words != len(source):
            raise WordOrderError(f"the sentence has {len(source)} words, but its parse has {words}")
        trees.append(source.parse)
    return trees
