"""Links of sentence pairs as alignment files contain them: without the sizes of the sentences."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import numpy as np

from wordorder.core.alignment import Alignment, Alignments, Link
from wordorder.errors import InvalidAlignment
from wordorder.io.base import AlignmentFormat, Problem


@dataclass(frozen=True, slots=True)
class LinkRecord:
    """Links between word positions, 0-based, source first.

    ``scores`` holds the scores that some aligners give their links. ``line`` is where the record begins
    in its file, or 0 if every record is one line; it is not part of the value.

    >>> LinkRecord([(2, 1), (0, 0)], possible=[(1, 1)])
    LinkRecord(sure=((0, 0), (2, 1)), possible=((1, 1),), scores={})
    """

    sure: tuple[Link, ...]
    possible: tuple[Link, ...]
    scores: Mapping[Link, float] = field(hash=False)
    line: int = field(compare=False, repr=False)

    def __init__(
        self,
        sure: Iterable[Link] = (),
        *,
        possible: Iterable[Link] = (),
        scores: Mapping[Link, float] | None = None,
        line: int = 0,
    ) -> None:
        surely, perhaps = set(sure), set(possible)
        both = surely & perhaps
        if both:
            i, j = min(both)
            raise InvalidAlignment(f"link {i}-{j} is marked both sure and possible; give it once")
        either = surely | perhaps
        if any(i < 0 or j < 0 for i, j in either):
            raise InvalidAlignment(f"link {min(either)}: positions begin at 0")
        for link in scores or ():
            if link not in either:
                raise InvalidAlignment(f"{link[0]}-{link[1]} has a score but is not a link")
        object.__setattr__(self, "sure", tuple(sorted(surely)))
        object.__setattr__(self, "possible", tuple(sorted(perhaps)))
        object.__setattr__(self, "scores", dict(sorted((scores or {}).items())))
        object.__setattr__(self, "line", line)

    @classmethod
    def _trusted(cls, sure: set[Link]) -> LinkRecord:
        """Make a record of sure links that are known to be valid, in a third of the time."""
        new = cls.__new__(cls)
        object.__setattr__(new, "sure", tuple(sorted(sure)))
        object.__setattr__(new, "possible", ())
        object.__setattr__(new, "scores", {})
        object.__setattr__(new, "line", 0)
        return new

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, sure and possible."""
        return tuple(sorted(self.sure + self.possible)) if self.possible else self.sure


@runtime_checkable
class KnowsSizes(Protocol):
    """A record that knows how many words its sentences have."""

    @property
    def source_size(self) -> int:
        """The number of source words."""

    @property
    def target_size(self) -> int:
        """The number of target words."""


def collect_links(records: Iterable[LinkRecord | Alignment]) -> Alignments:
    """Collect the records of an alignment file; sentences of unknown size end at their last link.

    >>> collect_links([LinkRecord([(0, 0)], possible=[(1, 2)]), LinkRecord()]).target_sizes.tolist()
    [3, 0]
    """
    links: list[tuple[Link, ...]] = []
    sizes: list[tuple[int, int]] = []
    possible: list[bool] = []
    scores: list[float] = []
    for record in records:
        own, perhaps = record.links, set(record.possible)
        links.append(own)
        possible.extend(link in perhaps for link in own)
        if isinstance(record, KnowsSizes):
            sizes.append((record.source_size, record.target_size))
        else:
            last = [max(side) for side in zip(*own, strict=True)] or [-1, -1]
            sizes.append((last[0] + 1, last[1] + 1))
        scores.extend(record.scores.get(link, 1.0) for link in own)
    batch = Alignments.from_links(links, [n for n, _ in sizes], [m for _, m in sizes])
    return replace(
        batch,
        possible=np.array(possible, dtype=np.bool_) if any(possible) else None,
        scores=np.array(scores, dtype=np.float32) if any(score != 1.0 for score in scores) else None,
    )


class LinksFormat(AlignmentFormat[LinkRecord]):
    """A format whose records are :class:`LinkRecord`."""

    def numbering(self) -> tuple[int, bool]:
        """Return the smallest number, and whether the target comes first."""
        return 0, False

    def record(self, alignment: Alignment) -> LinkRecord:
        """Return the links without the sizes of the sentences."""
        return LinkRecord(alignment.sure, possible=alignment.possible, scores=alignment.scores)

    def line_of(self, record: LinkRecord, number: int) -> int:
        """Return the line that the record remembers, or its number."""
        return record.line or number

    def fit(self, record: LinkRecord, source_size: int, target_size: int) -> Alignment:
        """Check that links are in range; the error suggests the setting with which all of them would be."""
        for i, j in record.links:
            if i < source_size and j < target_size:
                continue
            base, reverse = self.numbering()
            side, size = ("source", source_size) if i >= source_size else ("target", target_size)
            question, suggest = _hint(record, source_size, target_size, base, self.name)
            raise Problem(
                f"link {_written((i, j), base, reverse)} is past the last {side} word"
                f" ({_range(size, base)}).{question}",
                reason="link out of range",
                suggest=suggest,
            )
        return Alignment._trusted(source_size, target_size, record.sure, record.possible, record.scores)


def read_score(text: str) -> float | None:
    """Read a finite number; return None for other text.

    >>> read_score("0.83"), read_score("-1e-07"), read_score("nan"), read_score("1_0")
    (0.83, -1e-07, None, None)
    """
    if not re.fullmatch(r"-?[0-9.]+(?:[eE][-+]?[0-9]+)?", text):
        return None
    try:
        score = float(text)
    except ValueError:  # more than one point
        return None
    return score if math.isfinite(score) else None


def write_score(record: LinkRecord | Alignment, link: Link, *, before: str) -> str:
    """Write the score of a link in full, or nothing if it has none."""
    score = record.scores.get(link) if isinstance(record, LinkRecord) else None
    if score is None:
        return ""
    if not math.isfinite(score):
        raise Problem(f"link {link[0]}-{link[1]} has the score {score}", reason="bad score")
    return f"{before}{float(score)!r}"


def _written(link: Link, base: int, reverse: bool) -> str:
    i, j = reversed(link) if reverse else link
    return f"{i + base}-{j + base}"


def _range(size: int, base: int) -> str:
    if size < 2:
        return f"1 word, {base}" if size else "no words"
    return f"{size} words, {base}-{base + size - 1}"


def _hint(
    record: LinkRecord, source_size: int, target_size: int, base: int, name: str
) -> tuple[str, dict[str, object]]:
    """Return a question, and the setting that would help if the answer is yes."""
    last_source = max(i for i, _ in record.links)
    last_target = max(j for _, j in record.links)
    if base == 0 and last_source <= source_size and last_target <= target_size:
        if all(i and j for i, j in record.links):
            return " Do your links start at 1?", {"base": 1}
    elif last_source < target_size and last_target < source_size:
        return " Does the target come first in your links?", {"align_format": f"{name}:reverse=true"}
    return "", {}
