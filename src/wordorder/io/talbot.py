"""Word alignments as the source words of each target word, as Talbot et al. (2011) print them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wordorder.core.alignment import Alignment, Link
from wordorder.io.base import AlignmentFormat, LineFormat, Problem
from wordorder.io.lines import counted, shown
from wordorder.io.registry import register

_SOURCES = re.compile(r"(?:[0-9]{1,9}(?:_[0-9]{1,9})*)?")


@dataclass(frozen=True, slots=True)
class TargetLinks:
    """The source positions, from 0, that each target word is linked to."""

    sources: tuple[tuple[int, ...], ...]

    @property
    def target_size(self) -> int:
        """The number of target words."""
        return len(self.sources)

    @property
    def sure(self) -> tuple[Link, ...]:
        """All links, which are sure."""
        return tuple(sorted((i, j) for j, positions in enumerate(self.sources) for i in positions))

    @property
    def links(self) -> tuple[Link, ...]:
        """All links."""
        return self.sure

    @property
    def possible(self) -> tuple[Link, ...]:
        """No links: the format has sure links only."""
        return ()

    @property
    def scores(self) -> Mapping[Link, float]:
        """No scores."""
        return {}


@register
@dataclass(frozen=True, kw_only=True)
class Talbot(AlignmentFormat[TargetLinks], LineFormat[TargetLinks]):
    """For each target word its source words, ``6,7_8,,9``, from 0; records are :class:`TargetLinks`.

    Target words are separated by commas, the source words of one target word by ``_``. Nothing between
    commas is a target word without links. An empty line has no target words.

    >>> Talbot().parse("1,0_2,").sources
    ((1,), (0, 2), ())
    """

    name = "talbot"
    about = "the source words of each target word: 6,7_8,,9 (Talbot et al. 2011, Table 2)"
    extensions = (".talbot",)

    def parse(self, line: str) -> TargetLinks:
        """Read the source words of each target word."""
        if not line:
            return TargetLinks(())
        words = []
        for number, text in enumerate(line.split(","), start=1):
            if not _SOURCES.fullmatch(text):
                raise Problem(
                    f"target word {number} has {shown(text)}; expected source positions like 7_8, or nothing",
                    reason="bad link",
                )
            positions = [int(part) for part in text.split("_")] if text else []
            if len(set(positions)) < len(positions):
                raise Problem(f"target word {number} has a source word twice: {text}", reason="bad link")
            words.append(tuple(sorted(positions)))
        return TargetLinks(tuple(words))

    def to_line(self, record: TargetLinks) -> str:
        """Write the source words of each target word."""
        line = ",".join("_".join(map(str, positions)) for positions in record.sources)
        if self.parse(line) != record:
            raise Problem(
                "a single target word without links looks like no target words, and positions are sorted",
                reason="bad link",
            )
        return line

    def record(self, alignment: Alignment) -> TargetLinks:
        """Return the source words of each target word; the format has no possible links."""
        if alignment.possible:
            i, j = alignment.possible[0]
            raise Problem(
                f"link {i}-{j} is only possible; this format has sure links only", reason="possible"
            )
        return TargetLinks(tuple(map(tuple, alignment.inverse().targets())))

    def fit(self, record: TargetLinks, source_size: int, target_size: int) -> Alignment:
        """Check the number of target words, and that all source words exist."""
        if record.target_size != target_size:
            raise Problem(
                f"{counted(record.target_size, 'target word')}, but the sentence has {target_size}",
                reason="other sizes",
            )
        last = max((i for i, _ in record.links), default=-1)
        if last >= source_size:
            raise Problem(
                f"source word {last} does not exist; the sentence has {counted(source_size, 'word')}, from 0",
                reason="link out of range",
            )
        return Alignment(source_size, target_size, record.links)

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require numbers and commas in all lines, and both in some line."""
        both = any("," in line and any(map(str.isdigit, line)) for line in lines)
        return 0.9 if both and cls.parses(lines) else 0.0

    def examples(self) -> list[TargetLinks]:
        """Return one-to-one links, groups, words without links, no words."""
        return [
            TargetLinks(((6,), (7, 8), (), (9,))),
            TargetLinks(()),
            TargetLinks(((), ())),
            TargetLinks(((0,),)),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return bad numbers, a repeated one, spaces, other separators."""
        return [(b"0,1\n0,x\n", 2), (b"1_1,0\n", 1), (b"0, 1\n", 1), (b"0,1-2\n", 1), (b"0,_1\n", 1)]
