"""Word alignments as GIZA++ and MGIZA write them (``A3.final``)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from wordorder.core.alignment import Alignment, Link
from wordorder.errors import BadFile
from wordorder.io.base import AlignmentFormat, Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import counted, read_lines, shown, split_words, write_lines
from wordorder.io.links import read_score
from wordorder.io.parallel import batches
from wordorder.io.registry import register

_HEAD = re.compile(
    r"# Sentence pair \(([0-9]{1,9})\) source length ([0-9]{1,9}) target length ([0-9]{1,9})"
    r" alignment score : (\S+)\s*"
)
_NUMBER = re.compile(r"[0-9]{1,9}")
NULL = "NULL"


@dataclass(frozen=True, slots=True)
class GizaPair:
    """A sentence pair: its words, its links (source first, from 0), and the score of the model."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[Link, ...]
    score: float = 0.0

    @property
    def source_size(self) -> int:
        """The number of source words."""
        return len(self.source)

    @property
    def target_size(self) -> int:
        """The number of target words."""
        return len(self.target)

    @property
    def sure(self) -> tuple[Link, ...]:
        """All links, which are sure."""
        return self.links

    @property
    def possible(self) -> tuple[Link, ...]:
        """No links: the format has sure links only."""
        return ()

    @property
    def scores(self) -> Mapping[Link, float]:
        """No scores of links."""
        return {}

    def inverse(self) -> GizaPair:
        """Return the pair in the other direction."""
        links = tuple(sorted((j, i) for i, j in self.links))
        return GizaPair(self.target, self.source, links, self.score)


@register
@dataclass(frozen=True, kw_only=True)
class Giza(AlignmentFormat[GizaPair]):
    """The alignments of GIZA++, three lines per sentence pair; records are :class:`GizaPair`.

    The first line has the lengths and a score, the second the target words. The third has the source words,
    with ``NULL`` before them, and after each word the positions of its target words, from 1. A target word
    has one source word or none. With ``reverse``, what GIZA++ calls the source is the target of the records.
    """

    name = "giza"
    about = "word alignments of GIZA++ (A3.final): # Sentence pair (1) ..., NULL ({ 2 }) house ({ 1 3 })"
    extensions = (".final", ".a3")
    unit = "sentence pair"

    reverse: bool = False

    def scan(self, handle: IO[bytes], file: str) -> Iterator[GizaPair | BadLine]:
        """Read three lines at a time; a bad line spoils its sentence pair."""
        for number, lines in enumerate(batches(read_lines(handle, file), 3), start=1):
            at = 3 * number - 2
            bad = next((line for line in lines if isinstance(line, BadLine)), None)
            if bad is not None:
                yield bad
                continue
            texts = [line for line in lines if isinstance(line, str)]
            try:
                if len(texts) < 3:
                    raise Problem(
                        "the file ends inside a sentence pair; is it truncated?", reason="truncated"
                    )
                pair = _parsed(number, *texts)
                yield pair.inverse() if self.reverse else pair
            except Problem as problem:
                yield problem.at(file, at)

    def write(self, records: Iterable[GizaPair], out: IO[bytes], *, file: str = "output") -> None:
        """Write sentence pairs; each is read again, so that nothing is written that would be read changed."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[GizaPair], file: str) -> Iterator[str]:
        for number, record in enumerate(records, start=1):
            pair = record.inverse() if self.reverse else record
            lines = _written(number, pair)
            try:
                if _parsed(number, *lines) != pair:
                    raise Problem(
                        "a word is empty or has a blank, or links are not sorted", reason="bad word"
                    )
            except Problem as problem:
                raise BadFile(f"{self.unit} {number} cannot be written: {problem}", file=file) from None
            yield from lines

    def fit(self, record: GizaPair, source_size: int, target_size: int) -> Alignment:
        """Check the numbers of words of both sentences."""
        sizes = record.source_size, record.target_size
        if sizes != (source_size, target_size):
            other = f"giza:reverse={'false' if self.reverse else 'true'}"
            raise Problem(
                f"{counted(sizes[0], 'source word')} and {counted(sizes[1], 'target word')}, but the"
                f" sentences have {source_size} and {target_size}.",
                reason="other sizes",
                suggest={"align_format": other} if sizes == (target_size, source_size) else None,
            )
        return Alignment(source_size, target_size, record.links)

    def line_of(self, record: GizaPair, number: int) -> int:
        """Return the first of the three lines of a sentence pair."""
        return 3 * number - 2

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require the first line of a sentence pair."""
        return 0.99 if _HEAD.fullmatch(lines[0]) else 0.0

    def examples(self) -> list[GizaPair]:
        """Return words without links, several links of a word, words that look like marks."""
        return [
            self._example(GizaPair(("das", "Haus"), ("the", "house", "here"), ((0, 0), (1, 1)), 2.08562e-23)),
            self._example(GizaPair(("({", "})"), ("NULL", "#", "x"), ((1, 0), (1, 2)), 0.5)),
        ]

    def _example(self, pair: GizaPair) -> GizaPair:
        return pair.inverse() if self.reverse else pair

    def broken(self) -> list[tuple[bytes, int]]:
        """Return wrong heads, lengths, positions and brackets, a sentence out of order, a truncated file."""
        head = b"# Sentence pair (1) source length 1 target length 2 alignment score : 0.5\n"
        good = head + b"a b\nNULL ({ 1 }) x ({ 2 })\n"
        return [
            (good + good, 4),
            (good + b"a b\nNULL ({ 1 }) x ({ 2 })\n", 4),
            (good + head, 4),
            (head.replace(b"length 2", b"length 3") + b"a b\nNULL ({ 1 }) x ({ 2 })\n", 1),
            (head + b"a b\nNULL ({ 1 }) x ({ 2 }) y ({ })\n", 1),
            (head + b"a b\nNULL ({ }) x ({ 2 })\n", 1),
            (head + b"a b\nNULL ({ 1 2 }) x ({ 2 })\n", 1),
            (head + b"a b\nNULL ({ 1 }) x ({ 2\n", 1),
            (head + b"a b\nnull ({ 1 }) x ({ 2 })\n", 1),
            (head.replace(b"0.5", b"nan") + b"a b\nNULL ({ 1 }) x ({ 2 })\n", 1),
        ]


def _parsed(number: int, head: str, target_line: str, source_line: str) -> GizaPair:
    match = _HEAD.fullmatch(head)
    if match is None:
        raise Problem(f"{shown(head)}; expected # Sentence pair ({number}) ...", reason="bad sentence pair")
    if int(match[1]) != number:
        raise Problem(
            f"sentence pair {int(match[1])} is number {number} of the file; sort the pairs by number",
            reason="bad sentence pair",
        )
    score = read_score(match[4])
    if score is None:
        raise Problem(f"alignment score {shown(match[4])} is not a number", reason="bad score")
    target = tuple(split_words(target_line))
    entries = _entries(split_words(source_line))
    if not entries or entries[0][0] != NULL:
        raise Problem(f"the third line begins with {shown(source_line)}; expected NULL", reason="bad link")
    source = tuple(word for word, _ in entries[1:])
    sizes = int(match[2]), int(match[3])
    if sizes != (len(source), len(target)):
        raise Problem(
            f"lengths {sizes[0]} and {sizes[1]}, but there are {len(source)} source and {len(target)} target"
            " words",
            reason="other sizes",
        )
    positions = [position for _, own in entries for position in own]
    if sorted(positions) != list(range(len(target))):
        raise Problem(
            f"the source words and NULL do not have each of the {counted(len(target), 'target word')} once",
            reason="bad link",
        )
    links = sorted((i, j) for i, (_, own) in enumerate(entries[1:]) for j in own)
    return GizaPair(source, target, tuple(links), score)


def _entries(tokens: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Split the third line into words, each with its target positions, from 0."""
    entries = []
    at = 0
    while at < len(tokens):
        word = tokens[at]
        end = next((k for k in range(at + 2, len(tokens)) if tokens[k] == "})"), None)
        if end is None or tokens[at + 1] != "({":
            raise Problem(f"word {shown(word)} has no positions ({{ ... }})", reason="bad link")
        inside = tokens[at + 2 : end]
        if not all(_NUMBER.fullmatch(text) and int(text) for text in inside):
            raise Problem(f"positions of {shown(word)} are {shown(' '.join(inside))}", reason="bad link")
        entries.append((word, [int(text) - 1 for text in inside]))
        at = end + 1
    return entries


def _written(number: int, record: GizaPair) -> list[str]:
    linked = {j for _, j in record.links}
    positions: list[list[int]] = [[j for j in range(len(record.target)) if j not in linked]]
    positions += [[j for i, j in record.links if i == word] for word in range(len(record.source))]
    marked = (
        " ".join([word, "({", *(str(j + 1) for j in own), "})"])
        for word, own in zip((NULL, *record.source), positions, strict=True)
    )
    sizes = f"source length {len(record.source)} target length {len(record.target)}"
    head = f"# Sentence pair ({number}) {sizes} alignment score : {float(record.score)!r}"
    return [head, " ".join(record.target), " ".join(marked)]
