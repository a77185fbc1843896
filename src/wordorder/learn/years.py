"""Cross-validation over years: whatever is learned is reported on a year that it was not learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments

T = TypeVar("T")


def years_of(sets: Sequence[Judgments], *, kind: str = "judgments") -> list[int]:
    """Return the years of some sets in order; fewer than two are an error, since one must be held out."""
    years = sorted({judgments.year for judgments in sets})
    if len(years) < 2:
        named = ", ".join(str(year) if year else "unknown" for year in years) or "none"
        raise BadSetting(
            f"learning needs {kind} of two years or more, one of them to report on; years are read from "
            f"names such as wmt14 or newstest2014, and here are: {named}"
        )
    return years


def held_out(
    years: Sequence[int], items: Sequence[T], year_of: Sequence[int]
) -> Iterator[tuple[int, list[T], list[T]]]:
    """Yield each year with the items of the other years and the items of that year."""
    dated = list(zip(items, year_of, strict=True))
    for year in years:
        others = [item for item, own in dated if own != year]
        yield year, others, [item for item, own in dated if own == year]
