"""Alignments."""

from __future__ import annotations

import pytest

from wordorder.core.alignment import Alignment
from wordorder.errors import InvalidAlignment


def test_links_are_sorted_sets() -> None:
    a = Alignment(3, 3, [(2, 0), (0, 1), (0, 1)], possible=[(1, 2)])
    assert a.links == ((0, 1), (1, 2), (2, 0)) and a.sure == ((0, 1), (2, 0))
    assert a.inverse().inverse() == a and a.inverse().links == ((0, 2), (1, 0), (2, 1))
    assert a.targets() == [[1], [2], [0]] and str(a) == "0-1 1p2 2-0"
    assert len({a, Alignment(3, 3, [(0, 1), (2, 0)], possible=[(1, 2)])}) == 1


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([(5, 0)], r"link 5-0: source word 5 does not exist \(3 words, 0-2\)"),
        ([(0, 2)], r"link 0-2: target word 2 does not exist \(2 words, 0-1\). Do your links start at 1"),
        ([(-1, 0)], "source word -1"),
        ([(0,)], "not a link"),
        ([("a", 0)], "not a link"),
        ([(0.5, 0)], "not a link"),
    ],
)
def test_bad_links_say_what_is_wrong(links: object, message: str) -> None:
    with pytest.raises(InvalidAlignment, match=message):
        Alignment(3, 2, links)  # type: ignore[arg-type]


def test_marks_and_sizes_are_checked() -> None:
    with pytest.raises(InvalidAlignment, match="both sure and possible"):
        Alignment(1, 1, [(0, 0)], possible=[(0, 0)])
    with pytest.raises(InvalidAlignment, match="-1 words"):
        Alignment(-1, 0)
    with pytest.raises(InvalidAlignment, match="none"):
        Alignment(0, 0, [(0, 0)])
