"""Word alignments of the shared tasks (WPT 2003 and 2005, also called NAACL format)."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from wordorder.core.alignment import Link
from wordorder.errors import BadFile
from wordorder.io.base import Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines, shown, split_words, write_lines
from wordorder.io.links import LinkRecord, LinksFormat, read_score, write_score
from wordorder.io.registry import register

GAP = 1_000_000  # sentences; more than any file leaves out, and a damaged number would never end
_NUMBER = re.compile(r"[0-9]{1,9}")


@register
@dataclass(frozen=True, kw_only=True)
class Wpt(LinksFormat):
    """Links, one per line: ``sentence i j [S|P] [score]``, counted from 1, sentences in ascending order.

    A record is a sentence. Sentences without lines have no links; at the end of the file, only the texts show
    how many there are. Position 0 is the empty word, and such a line is not a link. Links are sure unless
    they are marked ``P`` only. With ``reverse``, the target comes first.
    """

    name = "wpt"
    about = "word alignments, one link per line: sentence i j S|P, from 1 (WPT, NAACL shared tasks)"
    extensions = (".wpt", ".naacl", ".wa", ".nonullalign")
    unit = "sentence"
    sparse = True

    reverse: bool = False

    def numbering(self) -> tuple[int, bool]:
        """Return the smallest number, which is 1, and whether the target comes first."""
        return 1, self.reverse

    def blank(self) -> LinkRecord:
        """Return a sentence pair without links."""
        return LinkRecord()

    def scan(self, handle: IO[bytes], file: str) -> Iterator[LinkRecord | BadLine]:
        """Collect the lines of each sentence; missing sentences are empty.

        A line that cannot be read spoils every sentence to which it may belong.
        """
        blank = self.blank()
        now: _Sentence | None = None
        loose: BadLine | None = None
        for number, text in enumerate(read_lines(handle, file), start=1):
            line = text if isinstance(text, BadLine) else _parse(text, file, number)
            if isinstance(line, BadLine):
                loose = loose or line
                continue
            last = now.number if now else 0
            if line.sentence < last:  # skipping lines would not help
                message = f"sentence {line.sentence} comes after sentence {last}; sort the lines by sentence"
                raise BadFile(message, file=file, line=number)
            if line.sentence - last > GAP:
                message = (
                    f"sentence {line.sentence} after sentence {last}: {GAP:,} sentences cannot be missing"
                )
                raise BadFile(message, file=file, line=number)
            if now is None or line.sentence > last:
                if now:
                    yield now.result(loose)
                yield from itertools.repeat(loose or blank, line.sentence - last - 1)
                now = _Sentence(line.sentence, number)
            now.problem = now.problem or loose or self._add(now, line, file, number)
            loose = None
        if now:
            yield now.result(loose)
        elif loose:
            yield loose

    def _add(self, sentence: _Sentence, line: _LinkLine, file: str, number: int) -> BadLine | None:
        if line.i and line.j:
            link = (line.j - 1, line.i - 1) if self.reverse else (line.i - 1, line.j - 1)
            (sentence.possible if line.possible else sentence.sure).append(link)
            if line.score is not None and sentence.scores.setdefault(link, line.score) != line.score:
                message = f"link {line.i} {line.j} occurs twice with different scores"
                return BadLine(message, file=file, line=number, reason="bad link")
        return None

    def write(self, records: Iterable[LinkRecord], out: IO[bytes], *, file: str = "output") -> None:
        """Write a line for each link; sentences without links are left out."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[LinkRecord], file: str) -> Iterator[str]:
        for number, record in enumerate(records, start=1):
            sure = set(record.sure)
            for link in record.links:
                i, j = reversed(link) if self.reverse else link
                try:
                    score = write_score(record, link, before=" ")
                except Problem as problem:
                    raise BadFile(f"sentence {number}: {problem}", file=file) from None
                yield f"{number} {i + 1} {j + 1} {'S' if link in sure else 'P'}{score}"

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require valid fields and sentences in order; with marks it is certain."""
        parsed = [_parse(line, "", 1) for line in lines]
        sentences = [line.sentence for line in parsed if isinstance(line, _LinkLine)]
        if len(sentences) < len(lines) or sentences != sorted(sentences):
            return 0.0
        return 0.98 if any("S" in line or "P" in line for line in lines) else 0.8

    def examples(self) -> list[LinkRecord]:
        """Return sentences without links at the beginning and inside, possible links, scores."""
        scored = LinkRecord([(1, 1)], possible=[(0, 4)], scores={(0, 4): 0.5})
        return [LinkRecord(), LinkRecord([(0, 0), (2, 1)]), LinkRecord(), scored]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return bad fields, marks, numbers and scores, sentences out of order."""
        return [
            (b"1 1 1\n1 2\n", 2),
            (b"1 1 1 S 0.5 7\n", 1),
            (b"1 1 1 X\n", 1),
            (b"2 1 1\n1 1 1\n", 2),
            (b"0 1 1 S\n", 1),
            (b"1 -1 1\n", 1),
            (b"1 1 1 S\n\n", 2),
            (b"1 1 1 S 0.5\n1 1 1 S 0.25\n", 2),
        ]


class _LinkLine(NamedTuple):
    sentence: int
    i: int
    j: int
    possible: bool
    score: float | None


def _parse(text: str, file: str, number: int) -> _LinkLine | BadLine:
    def bad(message: str) -> BadLine:
        return BadLine(message, file=file, line=number, reason="bad link")

    words = split_words(text)
    expected = "expected: sentence i j [S|P] [score]"
    if not 3 <= len(words) <= 5 or not all(map(_NUMBER.fullmatch, words[:3])):
        return bad(f"{shown(text)}; {expected}")
    sentence, i, j = map(int, words[:3])
    if not sentence:
        return bad("sentence 0; sentences are counted from 1")
    rest = words[3:]
    possible = rest[:1] == ["P"]
    if rest[:1] in (["S"], ["P"]):
        rest = rest[1:]
    score = read_score(rest[0]) if rest else None
    if len(rest) > 1 or (rest and score is None):
        return bad(f"{shown(rest[0])} is neither S, P nor a score; {expected}")
    return _LinkLine(sentence, i, j, possible, score)


@dataclass(slots=True)
class _Sentence:
    """The links of a sentence read so far."""

    number: int
    line: int
    sure: list[Link] = field(default_factory=list)
    possible: list[Link] = field(default_factory=list)
    scores: dict[Link, float] = field(default_factory=dict)
    problem: BadLine | None = None

    def result(self, loose: BadLine | None) -> LinkRecord | BadLine:
        problem = self.problem or loose
        if problem:
            return problem
        sure = set(self.sure)  # sure links are possible as well: a file may list them twice
        possible = [link for link in self.possible if link not in sure]
        return LinkRecord(sure, possible=possible, scores=self.scores, line=self.line)
