from __future__ import annotations

import io
import random
import time
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import aligning
from wordorder.align.error_rate import error_rate
from wordorder.align.symmetrise import HEURISTICS, symmetrise
from wordorder.core.alignment import Alignments
from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.io.links import collect_links
from wordorder.io.pharaoh import Pharaoh

sets = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=14)

batch = Alignments.from_links


def parse_links(lines: list[str], file: str, *, base: Literal[0, 1] = 0) -> Alignments:
    text = "".join(f"{line}\n" for line in lines).encode()
    return collect_links(Pharaoh(base=base).read(io.BytesIO(text), file))


@given(st.lists(st.tuples(sets, sets), max_size=5))
def test_every_way_equals_its_slow_twin(pairs: list[tuple[set, set]]) -> None:
    forward, reverse = batch(a for a, _ in pairs), batch(b for _, b in pairs)
    for how in HEURISTICS:
        expected = [sorted(aligning.symmetrise(a, b, how)) for a, b in pairs]
        assert [list(one.links) for one in symmetrise(forward, reverse, how)] == expected, how


def test_chains_and_dense_links_equal_the_slow_twin() -> None:
    rng = random.Random(5)
    pairs = []
    for _ in range(300):
        width, height = rng.randint(2, 14), rng.randint(2, 14)
        cells = [(i, j) for i in range(width) for j in range(height)]
        union = rng.sample(cells, rng.randint(1, len(cells)))
        forward = {link for link in union if rng.random() < 0.6}
        pairs.append((forward, set(union) - {link for link in forward if rng.random() < 0.9}))
    forward, reverse = batch(a for a, _ in pairs), batch(b for _, b in pairs)
    for how in HEURISTICS:
        expected = [sorted(aligning.symmetrise(a, b, how)) for a, b in pairs]
        assert [list(one.links) for one in symmetrise(forward, reverse, how)] == expected, how


@pytest.mark.speed
@pytest.mark.parametrize("how", ["grow-diag", "grow-diag-final", "grow-diag-final-and"])
@pytest.mark.parametrize("end", [0, -1])
def test_long_chains_take_linear_time(how: str, end: int) -> None:
    diagonal = [(k, k) for k in range(8000)]
    begin = time.process_time()
    grown = symmetrise(batch([diagonal]), batch([[diagonal[end]]]), how)
    assert time.process_time() - begin < 0.5  # 13 seconds with a pass for every link
    assert grown.links(0) == diagonal


def test_by_hand() -> None:
    # Intersection 0-0 and 2-2; 1-1 touches them diagonally; 4-3 stands alone; 0-4 needs a free word.
    forward = batch([[(0, 0), (2, 2), (1, 1), (0, 4)]])
    reverse = batch([[(0, 0), (2, 2), (4, 3)]])
    got = {how: symmetrise(forward, reverse, how).links(0) for how in HEURISTICS}
    assert got["intersection"] == [(0, 0), (2, 2)]
    assert got["union"] == [(0, 0), (0, 4), (1, 1), (2, 2), (4, 3)]
    assert got["grow-diag"] == [(0, 0), (1, 1), (2, 2)]
    assert got["grow-diag-final"] == got["union"]
    assert got["grow-diag-final-and"] == [(0, 0), (1, 1), (2, 2), (4, 3)]


def test_direction_is_kept() -> None:
    # Not its own inverse, so that a swap of source and target cannot hide.
    forward, reverse = (
        batch([[(1, 0), (2, 1), (0, 2)]]),
        batch([[(1, 0), (2, 1), (3, 3)]]),
    )
    assert symmetrise(forward, reverse, "intersection").links(0) == [(1, 0), (2, 1)]
    turned = symmetrise(forward.inverse(), reverse.inverse(), "grow-diag-final-and")
    assert (
        set(turned.links(0))
        == {(0, 1), (1, 2), (2, 0), (3, 3)}
        == {(j, i) for i, j in symmetrise(forward, reverse).links(0)}
    )


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(UnknownName, match="grow-diag"):
        symmetrise(batch([]), batch([]), "grow-dia")
    with pytest.raises(WordOrderError, match="1 and 2 sentences"):
        symmetrise(batch([[]]), batch([[], []]))


def test_error_rate_by_hand() -> None:
    gold = parse_links(["0-0 1-1 2?2", "0?0"], "gold")
    found = parse_links(["0-0 2-2 3-3", ""], "found")
    rate = error_rate(found, gold)
    assert (rate.links, rate.sure, rate.found_sure, rate.found) == (3, 2, 1, 2)
    assert rate.aer == pytest.approx(1 - 3 / 5)
    assert rate.precision == pytest.approx(2 / 3) and rate.recall == 0.5
    nothing = error_rate(batch([[]]), batch([[]]))
    assert (nothing.aer, nothing.precision, nothing.recall) == (0.0, 1.0, 1.0)
    assert error_rate(gold, gold).aer == 0
    assert error_rate(batch([[(0, 0), (0, 0)]]), batch([[(0, 0)]])).links == 1


@given(st.lists(sets, max_size=6))
def test_links_written_are_links_read(sentences: list[set]) -> None:
    links = batch(sorted(s) for s in sentences)
    again = parse_links(Pharaoh().to_text(links).split("\n")[:-1], "x")
    assert list(again) == list(links)


def test_bad_links_are_named_with_their_line() -> None:
    with pytest.raises(BadFile, match=r"^x\.align:2: link 1 is '1:2'"):
        parse_links(["0-0", "1:2"], "x.align")
    with pytest.raises(BadFile, match="before the first word"):
        parse_links(["0-1"], "x", base=1)
    with pytest.raises(BadFile, match="score that is not a number"):
        parse_links(["0-1:1e"], "x")
    assert parse_links(["1-2:0.5"], "x", base=1).pairs.tolist() == [[0, 1]]
