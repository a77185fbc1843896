"""Lines of text and of links, as far as aligning needs them.

``i-j`` is a link, ``i?j`` or ``ipj`` a possible one, ``i-j:0.9`` one with a score.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from wordorder.align.links import Links
from wordorder.errors import BadFile

_LINK = re.compile(r"(\d{1,9})([-?p])(\d{1,9})(?::([0-9.eE+-]+))?")


def decode_lines(data: bytes, file: str) -> list[str]:
    """The lines of a file, cut at line feeds only; gzip is unpacked; bad bytes are named."""
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise BadFile(f"is not a whole gzip file: {error}", file=file) from None
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    try:
        return [line.removesuffix("\r") for line in data.decode("utf-8").split("\n")[: len(lines)]]
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        byte = data[error.start]
        raise BadFile(f"byte 0x{byte:02x} is not UTF-8", file=file, line=number) from None


def parse_links(lines: Iterable[str], file: str, *, base: int = 0) -> Links:
    """Read links, one sentence a line.

    >>> parse_links(["0-0 1?2", ""], "x").pairs.tolist()
    [[0, 0], [1, 2]]
    """
    pairs: list[tuple[int, int]] = []
    possible: list[bool] = []
    scores: list[float] = []
    offsets = [0]
    for number, line in enumerate(lines, start=1):
        for word in line.split():
            found = _LINK.fullmatch(word)
            if not found:
                raise BadFile(f"{word!r} is not a link; expected i-j", file=file, line=number)
            i, mark, j, score = found.groups()
            link = int(i) - base, int(j) - base
            if min(link) < 0:
                raise BadFile(f"link {word} counts from 0, not from {base}", file=file, line=number)
            pairs.append(link)
            possible.append(mark != "-")
            try:
                scores.append(float(score) if score else 1.0)
            except ValueError:
                raise BadFile(f"{score!r} is not a score", file=file, line=number) from None
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
