"""Sentences with their predicted orders and links, for other programs: as CoNLL-U and as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.io.conllu import Conllu
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.source import Source

PLACE, LINKS = "Place", "Links"  # keys in the column MISC


def annotated(source: Source, order: Permutation, number: int) -> Sentence:
    """Return a sentence with the place of each word in its new order, and its links, in the column MISC.

    ``Place=3`` and ``Links=1,2`` count words from 1, as ids do; a word without links has no ``Links``. What
    MISC holds otherwise is kept. A sentence without a parse has no heads. ``number`` counts sentences from 1.

    >>> source = Source(("a", "b"), alignment=Alignment(2, 2, [(0, 1)]))
    >>> [row.misc for row in annotated(source, Permutation([1, 0]), 1).rows]
    ['Place=2|Links=2', 'Place=1']
    """
    if not len(source):
        raise WordOrderError(f"sentence {number} is empty; CoNLL-U has no sentences without words")
    parse = source.parse or Sentence([Row(str(k), word) for k, word in enumerate(source.words, start=1)])
    comments = [*parse.comments]
    comments += [] if parse.sent_id else [f"# sent_id = {number}"]
    comments += [] if parse.text else [f"# text = {' '.join(source.words)}"]
    comments.append(f"# reordered = {' '.join(order.apply(source.words))}")
    places = (order.ranks + 1).tolist()
    links = _targets(source.alignment, len(source))
    rows = [
        row._replace(misc=_misc(row.misc, places[int(row.id) - 1], links[int(row.id) - 1]))
        if row.is_word
        else row
        for row in parse.rows
    ]
    return Sentence(rows, comments)


def conllu_lines(sentence: Sentence) -> list[str]:
    """Return the lines of a sentence in a CoNLL-U file."""
    return [*Conllu().to_lines(sentence), ""]


def as_record(
    source: Source, order: Permutation, number: int, *, target: Sequence[str] | None = None
) -> dict[str, Any]:
    """Return a sentence with its order and links as plain data; positions are from 0.

    >>> as_record(Source(("a", "b")), Permutation([1, 0]), 1)
    {'sentence': 1, 'source': ['a', 'b'], 'order': [1, 0], 'reordered': ['b', 'a']}
    """
    record = {
        "sentence": number,
        "source": list(source.words),
        "order": order.order.tolist(),
        "reordered": order.apply(source.words),
    }
    if target is not None:
        record["target"] = list(target)
    if source.alignment is not None:
        record["links"] = [list(link) for link in source.alignment.sure]
        record["possible"] = [list(link) for link in source.alignment.possible]
    return record


def _targets(alignment: Alignment | None, size: int) -> list[list[int]]:
    """Return the target words of each source word, from 1, sure and possible."""
    targets: list[list[int]] = [[] for _ in range(size)]
    for i, j in alignment.links if alignment is not None else ():
        targets[i].append(j + 1)
    return targets


def _misc(misc: str, place: int, links: Sequence[int]) -> str:
    kept = [item for item in misc.split("|") if item.partition("=")[0] not in (PLACE, LINKS, "_")]
    linked = [f"{LINKS}={','.join(map(str, links))}"] if links else []
    return "|".join([*kept, f"{PLACE}={place}", *linked])
