"""Word alignments with the sizes of the sentences, as LADER and top-down BTG read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.alignment import Alignment
from wordorder.errors import InvalidAlignment
from wordorder.io.base import AlignmentFormat, LineFormat, Problem
from wordorder.io.lines import shown, split_words
from wordorder.io.registry import register

_PAIR = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@register
@dataclass(frozen=True, kw_only=True)
class Lader(AlignmentFormat[Alignment], LineFormat[Alignment]):
    """Sizes and links, ``m-n ||| i-j i-j``, 0-based, one sentence pair per line; records are Alignments.

    >>> print(Lader().parse("3-2 ||| 0-1 2-0"))
    0-1 2-0
    """

    name = "lader"
    about = "word alignments with sizes: 3-2 ||| 0-1 2-0 (LADER, BTG)"
    extensions = (".lader",)

    def parse(self, line: str) -> Alignment:
        """Read sizes and links, and check the links against the sizes."""
        head, *links = split_words(line) or [""]
        sizes = _PAIR.fullmatch(head)
        if not sizes or not links or links.pop(0) != "|||":
            raise Problem(f"{shown(line)}; expected sizes and links like 3-2 ||| 0-1 2-0", reason="no sizes")
        pairs = []
        for number, word in enumerate(links, start=1):
            link = _PAIR.fullmatch(word)
            if not link:
                raise Problem(
                    f"link {number} is {shown(word)}; expected two numbers like 3-4", reason="bad link"
                )
            pairs.append((int(link[1]), int(link[2])))
        try:
            return Alignment(int(sizes[1]), int(sizes[2]), pairs)
        except InvalidAlignment as error:
            raise Problem(str(error), reason="link out of range") from None

    def to_line(self, record: Alignment) -> str:
        """Write sizes and links; the format has no possible links."""
        if record.possible:
            i, j = record.possible[0]
            raise Problem(
                f"link {i}-{j} is only possible; this format has sure links only", reason="possible"
            )
        links = "".join(f" {i}-{j}" for i, j in record.sure)
        return f"{record.source_size}-{record.target_size} |||{links}"

    def record(self, alignment: Alignment) -> Alignment:
        """Return the alignment itself."""
        return alignment

    def fit(self, record: Alignment, source_size: int, target_size: int) -> Alignment:
        """Compare the sizes of the line with those of the sentences."""
        if (record.source_size, record.target_size) != (source_size, target_size):
            raise Problem(
                f"sizes {record.source_size}-{record.target_size}, but the sentences have {source_size} and"
                f" {target_size} words",
                reason="other sizes",
            )
        return record

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require sizes and links in every line."""
        return float(cls.parses(lines))

    def examples(self) -> list[Alignment]:
        """Return alignments with links, without links, without words."""
        links = Alignment(3, 2, [(0, 1), (2, 0)])
        return [links, Alignment(0, 0), Alignment(12, 1), Alignment(1, 11, [(0, 10)])]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without sizes or bar, with a link out of range, with a mark."""
        return [
            (b"1-1 ||| 0-0\n0-0\n", 2),
            (b"1-1 0-0\n", 1),
            (b"1-1 |||\n3-2 ||| 0-2\n", 2),
            (b"1-1 ||| 0p0\n", 1),
            (b"1-1 |||\n\n", 2),
        ]
