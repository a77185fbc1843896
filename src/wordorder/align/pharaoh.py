"""Links of many sentences to and from Pharaoh lines: ``i-j``, ``i?j`` possible, ``i-j:0.9`` with a score."""

from __future__ import annotations

import io
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from wordorder.align.links import Links
from wordorder.core.alignment import Alignment
from wordorder.io.links import Links as Record
from wordorder.io.registry import file_format


def parse_links(lines: Iterable[str], file: str, *, base: int = 0) -> Links:
    """Read links, one sentence a line.

    >>> parse_links(["0-0 1?2", ""], "x").pairs.tolist()
    [[0, 0], [1, 2]]
    """
    text = "".join(f"{line}\n" for line in lines)
    return from_records(file_format(f"pharaoh:base={base}").read(io.BytesIO(text.encode()), file))


def from_records(records: Iterable[Record | Alignment]) -> Links:
    """Collect the records of an alignment file; those of some formats are alignments, without scores."""
    pairs: list[tuple[int, int]] = []
    possible: list[bool] = []
    scores: list[float] = []
    offsets = [0]
    for record in records:
        perhaps = set(record.possible)
        pairs.extend(record.links)
        possible.extend(link in perhaps for link in record.links)
        scored = {} if isinstance(record, Alignment) else record.scores
        scores.extend(scored.get(link, 1.0) for link in record.links)
        offsets.append(len(pairs))
    return Links(
        np.array(pairs, dtype=np.int32).reshape(-1, 2),
        np.array(offsets, dtype=np.int64),
        np.array(scores, dtype=np.float32) if any(s != 1.0 for s in scores) else None,
        np.array(possible, dtype=np.bool_) if any(possible) else None,
    )


def format_links(links: Links, *, scores: bool = False) -> str:
    """Write links, one sentence a line.

    >>> format_links(Links.of([[(0, 1), (2, 0)], []]))
    '0-1 2-0\\n\\n'
    """
    marks = (
        ["-"] * len(links.pairs) if links.possible is None else np.where(links.possible, "?", "-").tolist()
    )
    words = [f"{i}{mark}{j}" for (i, j), mark in zip(links.pairs.tolist(), marks, strict=True)]
    if scores and links.scores is not None:
        words = [f"{w}:{s:.4f}" for w, s in zip(words, links.scores.tolist(), strict=True)]
    ends = links.offsets.tolist()
    return "".join(" ".join(words[a:b]) + "\n" for a, b in pairwise(ends))
