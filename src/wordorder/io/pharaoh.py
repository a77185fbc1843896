"""Word alignments in the notation of Pharaoh and Moses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from wordorder.core.alignment import Alignment, Alignments, Link
from wordorder.errors import InvalidAlignment
from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.links import LinkRecord, LinksFormat, read_score, write_score
from wordorder.io.registry import register

_LINK = re.compile(r"([0-9]{1,9})([-?p])([0-9]{1,9})(?:[:/](.+))?")
_PLAIN = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?: [0-9]{1,9}-[0-9]{1,9})*")


@register
@dataclass(frozen=True, kw_only=True)
class Pharaoh(LinksFormat, LineFormat[LinkRecord]):
    """Links ``i-j`` of source word i and target word j, one sentence pair per line.

    ``ipj`` and ``i?j`` are possible links. A score may follow a link after ``:`` or ``/``. An empty line
    is a pair without links. ``base`` is the smallest number; with ``reverse`` the target comes first in the
    file; ``mark`` is the mark that is written for possible links.

    >>> Pharaoh(base=1).parse("1-1 2p3 3-2:0.5")
    LinkRecord(sure=((0, 0), (2, 1)), possible=((1, 2),), scores={(2, 1): 0.5})
    """

    name = "pharaoh"
    about = "word alignments: 0-0 1-2, possible links 1p2 or 1?2, scores 1-2:0.83"
    extensions = (".align", ".pharaoh", ".aln", ".talp")

    base: Literal[0, 1] = 0
    reverse: bool = False
    mark: Literal["p", "?"] = "p"

    def numbering(self) -> tuple[int, bool]:
        """Return the smallest number, and whether the target comes first."""
        return self.base, self.reverse

    def parse(self, line: str) -> LinkRecord:
        """Read the links of a line."""
        if _PLAIN.fullmatch(line):  # as most lines do
            numbers = [int(number) - self.base for number in line.replace("-", " ").split(" ")]
            if min(numbers) >= 0:
                source, target = numbers[self.reverse :: 2], numbers[not self.reverse :: 2]
                return LinkRecord._trusted(set(zip(source, target, strict=True)))
        return self._parse_marked(line)

    def _parse_marked(self, line: str) -> LinkRecord:
        marked: dict[bool, list[Link]] = {True: [], False: []}
        scores: dict[Link, float] = {}
        for number, word in enumerate(split_words(line), start=1):
            match = _LINK.fullmatch(word)
            if not match:
                raise Problem(
                    f"link {number} is {shown(word)}; expected two numbers like 3-4 (possible: 3p4, 3?4;"
                    " with a score: 3-4:0.5)",
                    reason="bad link",
                )
            i, j = int(match[1]) - self.base, int(match[3]) - self.base
            if i < 0 or j < 0:
                raise Problem(
                    f"link {word} is before the first word (1). Do your links start at 0?",
                    reason="link out of range",
                    suggest={"base": 0},
                )
            link = (j, i) if self.reverse else (i, j)
            marked[match[2] == "-"].append(link)
            if match[4]:
                score = read_score(match[4])
                if score is None:
                    raise Problem(f"{shown(word)} has a score that is not a number", reason="bad score")
                if scores.setdefault(link, score) != score:
                    raise Problem(f"link {word} occurs twice with different scores", reason="bad link")
        try:
            return LinkRecord(marked[True], possible=marked[False], scores=scores)
        except InvalidAlignment as error:
            raise Problem(str(error), reason="bad link") from None

    def to_line(self, record: LinkRecord | Alignment) -> str:
        """Write the links of a pair in ascending order."""
        pieces = []
        sure = set(record.sure)
        for link in record.links:
            i, j = reversed(link) if self.reverse else link
            score = write_score(record, link, before=":")
            pieces.append(f"{i + self.base}{'-' if link in sure else self.mark}{j + self.base}{score}")
        return " ".join(pieces)

    def to_text(self, alignments: Alignments, *, scores: bool = False) -> str:
        """Write the links of many pairs at once, one line each, in the order in which they are stored.

        >>> Pharaoh().to_text(Alignments.from_links([[(0, 1), (2, 0)], []]))
        '0-1 2-0\\n\\n'
        """
        pairs = (alignments.pairs[:, ::-1] if self.reverse else alignments.pairs) + self.base
        possible = alignments.possible
        marks = ["-"] * len(pairs) if possible is None else np.where(possible, self.mark, "-").tolist()
        links = [f"{i}{mark}{j}" for (i, j), mark in zip(pairs.tolist(), marks, strict=True)]
        if scores and alignments.scores is not None:
            links = [f"{w}:{s:.4f}" for w, s in zip(links, alignments.scores.tolist(), strict=True)]
        ends = alignments.offsets.tolist()
        return "".join(" ".join(links[begin:end]) + "\n" for begin, end in pairwise(ends))

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require links only, and at least one."""
        links = [word for line in lines for word in split_words(line)]
        return 0.95 if links and all(map(_LINK.fullmatch, links)) else 0.0

    def examples(self) -> list[LinkRecord]:
        """Return no links, possible links, scores."""
        scores = {(0, 0): 0.25, (3, 1): -1.5e-07}
        return [
            LinkRecord([(0, 0), (1, 2), (1, 3)]),
            LinkRecord(),
            LinkRecord([(2, 0)], possible=[(0, 4), (11, 10)]),
            LinkRecord([(0, 0)], possible=[(3, 1)], scores=scores),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return bad links, numbers, marks and scores."""
        return [
            (b"1-1\n1-1 2\n", 2),
            (b"-1-1\n", 1),
            (b"1-1\n\n1-1000000000000\n", 3),
            (b"1-1 1p1\n", 1),
            (b"1-1:0.5 1-1:0.25\n", 1),
            (b"1-1:1e999\n", 1),
            (b"1-1:0.5.5\n", 1),
            ("1-\u0662\n".encode(), 1),
        ]
