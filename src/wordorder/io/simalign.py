"""Word alignments as the script ``align_files.py`` of SimAlign writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from wordorder.core.alignment import Link
from wordorder.errors import BadFile
from wordorder.io.base import Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines, shown, split_words, write_lines
from wordorder.io.links import LinkRecord, LinksFormat
from wordorder.io.registry import register

_LINE = re.compile(r"([0-9]{1,12})\t(.*)")
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?:-(\.[0-9]{1,3})-(\.[0-9]{1,3}))?")


@register
@dataclass(frozen=True, kw_only=True)
class Simalign(LinksFormat):
    """The number of the sentence from 0, a tab and links ``i-j``, one line per sentence.

    With ``--add-probs``, a link is ``i-j-.953-.961``: the mean and the largest similarity of its pieces,
    without the digit before the point. The mean is read as the score. ``.0`` stands for 1, since linked words
    are never entirely dissimilar.

    >>> Simalign().parse_line("0\\t0-0-.953-.961", 0)
    LinkRecord(sure=((0, 0),), possible=(), scores={(0, 0): 0.953})
    """

    name = "simalign"
    about = "word alignments of SimAlign: the number of the sentence, a tab, 0-0 1-2 or 0-0-.953-.961"
    extensions = (".inter", ".itermax", ".mwmf", ".fwd", ".rev")

    def parse_line(self, line: str, number: int) -> LinkRecord:
        """Read the links of sentence ``number``, counted from 0."""
        match = _LINE.fullmatch(line)
        if not match:
            raise Problem(f"{shown(line)}; expected a number, a tab and links: 0-0 1-2", reason="no number")
        if int(match[1]) != number:
            raise Problem(f"sentence {match[1]} where {number} was expected", reason="another sentence")
        links: dict[Link, str | None] = {}
        for word in split_words(match[2]):
            link = _LINK.fullmatch(word)
            if not link:
                raise Problem(f"{shown(word)} is not a link like 3-4 or 3-4-.953-.961", reason="bad link")
            pair = int(link[1]), int(link[2])
            if links.setdefault(pair, link[3]) != link[3]:
                raise Problem(f"link {link[1]}-{link[2]} has two different scores", reason="bad link")
        scores = {pair: _score(text) for pair, text in links.items() if text}
        return LinkRecord(links, scores=scores)

    def scan(self, handle: IO[bytes], file: str) -> Iterator[LinkRecord | BadLine]:
        """Read line by line; sentences must be numbered without gaps."""
        for number, line in enumerate(read_lines(handle, file)):
            if isinstance(line, BadLine):
                yield line
                continue
            try:
                yield self.parse_line(line, number)
            except Problem as problem:
                yield problem.at(file, number + 1)

    def write(self, records: Iterable[LinkRecord], out: IO[bytes], *, file: str = "output") -> None:
        """Write line by line; there are no possible links, and scores have three decimals."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[LinkRecord], file: str) -> Iterator[str]:
        for number, record in enumerate(records):
            if record.possible:
                raise BadFile("SimAlign has no possible links", file=file, line=number + 1)
            if any(score != round(score, 3) or not 0 < score <= 1 for score in record.scores.values()):
                raise BadFile("SimAlign has only scores 0.001, 0.002, ..., 1", file=file, line=number + 1)
            yield f"{number}\t{' '.join(_written(record, link) for link in record.links)}"

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require links and the right number in every line."""
        try:
            for number, line in enumerate(lines):
                cls().parse_line(line, number)
        except Problem:
            return 0.0
        return 0.97

    def examples(self) -> list[LinkRecord]:
        """Return links with and without scores, and no links."""
        return [
            LinkRecord([(0, 0), (1, 2), (1, 3)]),
            LinkRecord(),
            LinkRecord([(0, 0), (11, 10)], scores={(0, 0): 1.0, (11, 10): 0.953}),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without a number, with another number, with bad links and scores."""
        return [
            (b"0-0\n", 1),
            (b"0\t0-0\n2\t0-0\n", 2),
            (b"0\t0-0\n\n", 2),
            (b"0\t0p0\n", 1),
            (b"0\t0-0-.5\n", 1),
            (b"0\t0-0-.5-.5 0-0-.6-.6\n", 1),
        ]


def _score(text: str) -> float:
    return float(f"0{text}") or 1.0


def _written(record: LinkRecord, link: Link) -> str:
    score = record.scores.get(link)
    text = "" if score is None else f"-{str(float(score))[1:]}" * 2
    return f"{link[0]}-{link[1]}{text}"
