"""Cross-validation over years: whatever is learned is reported on a year that it was not learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments

T = TypeVar("T")
K = TypeVar("K", int, str)


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


def folds_of(sets: Sequence[Judgments]) -> list[str]:
    """Return what each set is held out with: its year, or its language pair if all are of one year."""
    years = [str(judgments.year or "unknown") for judgments in sets]
    return years if len(set(years)) > 1 else [judgments.pair for judgments in sets]


def held_out(
    folds: Sequence[K], items: Sequence[T], fold_of: Sequence[K]
) -> Iterator[tuple[K, list[T], list[T]]]:
    """Yield each fold, such as a year, with the items of the other folds and the items of that fold."""
    placed = list(zip(items, fold_of, strict=True))
    for fold in folds:
        others = [item for item, own in placed if own != fold]
        yield fold, others, [item for item, own in placed if own == fold]
