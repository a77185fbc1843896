"""Word alignments with the score of the pair, as fast_align writes them (``-s``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import AlignmentFormat, LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.links import LinkRecord, LinksFormat, read_score
from wordorder.io.pharaoh import Pharaoh
from wordorder.io.registry import register

_LINKS = Pharaoh()


@dataclass(frozen=True, slots=True, init=False)
class ScoredPair(LinkRecord):
    """The links of a sentence pair, and its score: the log probability of the target given the source."""

    score: float

    def __init__(self, links: LinkRecord, score: float) -> None:
        LinkRecord.__init__(self, links.sure, possible=links.possible, scores=links.scores, line=links.line)
        object.__setattr__(self, "score", score)


@register
@dataclass(frozen=True, kw_only=True)
class FastAlign(LinksFormat, LineFormat[LinkRecord]):
    """Links as in ``pharaoh``, then ``|||`` and the score of the pair; the record is a ``ScoredPair``.

    Also with ``-r``, fast_align writes the source word first. Without ``-s``, its format is ``pharaoh``.

    >>> FastAlign().parse("0-0 1-2 ||| -12.5").score
    -12.5
    """

    name = "fast_align"
    about = "word alignments with the score of the pair: 0-0 1-2 ||| -12.5 (fast_align -s)"
    extensions = (".fast_align",)
    record = AlignmentFormat.record  # links alone have no score

    def parse(self, line: str) -> ScoredPair:
        """Read links and score."""
        links, bar, text = line.rpartition("|||")
        score = read_score(text.strip(" \t"))
        if not bar or score is None:
            raise Problem(f"{shown(line)}; expected links and a score: 0-0 1-2 ||| -12.5", reason="no score")
        return ScoredPair(_LINKS.parse(links), score)

    def to_line(self, record: LinkRecord) -> str:
        """Write links and score."""
        if not isinstance(record, ScoredPair) or not math.isfinite(record.score):
            raise Problem("the pair has no score; links alone are written as pharaoh", reason="no score")
        return f"{_LINKS.to_line(record)} ||| {float(record.score)!r}"

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require a score in every line."""
        return 0.97 * cls.parses(lines)

    def examples(self) -> list[LinkRecord]:
        """Return pairs with links and without."""
        return [
            ScoredPair(LinkRecord([(0, 0), (1, 2)]), -12.5),
            ScoredPair(LinkRecord(), -1.5e-07),
            ScoredPair(LinkRecord([(11, 10)]), 0.0),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return lines without a score, with a bad score, with a bad link."""
        return [
            (b"0-0 ||| -1.5\n0-0\n", 2),
            (b"0-0 ||| x\n", 1),
            (b"0-0 |||\n", 1),
            (b"0-0 ||| nan\n", 1),
            (b"0 ||| -1\n", 1),
            (b"0-0 ||| -1\n\n", 2),
        ]
