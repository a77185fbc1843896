from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import aligning
from wordorder import _native
from wordorder.align.health import health, sample
from wordorder.core.alignment import Alignments

sets = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=12)

batch = Alignments.from_links


@given(st.lists(sets, min_size=1, max_size=6))
def test_counts_equal_slow_ones(sentences: list[set[tuple[int, int]]]) -> None:
    size = len(sentences)
    told = health(batch(sentences), [6] * size, [7] * size)
    crossing, shares = 0, []
    for links in sentences:
        pairs = [(a, b) for a, b in itertools.combinations(links, 2) if a[0] != b[0] and a[1] != b[1]]
        crossed = sum((a[0] < b[0]) != (a[1] < b[1]) for a, b in pairs)
        crossing += crossed
        if pairs:
            shares.append(1 - crossed / len(pairs))
    assert told.crossings == crossing
    assert told.kendall == pytest.approx(np.mean(shares) if shares else 1.0)
    unaligned = sum(6 - len({i for i, _ in links}) for links in sentences)
    assert told.source.unaligned == pytest.approx(unaligned / (6 * size))
    assert told.source.links_per_word["0"] == unaligned
    assert told.target.words == 7 * size
    assert told.empty == sum(not links for links in sentences)
    ordered = batch(sorted(links) for links in sentences)
    spans, offsets = _native.blocks(ordered.pairs, ordered.offsets)
    got = [sorted(map(tuple, spans[a:b].tolist())) for a, b in itertools.pairwise(offsets.tolist())]
    assert got == [aligning.blocks(links) for links in sentences]


def test_blocks_and_operators_by_hand() -> None:
    # 0-1 and 2-1 hold word 1 of the source inside their block; then ⟨2,4,1,3⟩ over four words.
    told = health(batch([[(0, 1), (1, 0), (2, 1)], [(0, 1), (1, 3), (2, 0), (3, 2)]]))
    assert told.blocks == 5 and told.block_sizes == {"1": 4, "2": 0, "3": 1, "4-5": 0, "6-10": 0, "11+": 0}
    assert told.operators["0"] == 1 and told.operators["3-4"] == 1
    assert not told.sizes_known and told.source.widest == 1 and told.target.widest == 2


def good(sentences: int, seed: int = 2) -> tuple[list[list[tuple[int, int]]], list[int], list[int]]:
    rng = np.random.default_rng(seed)
    links, n, m = [], [], []
    for _ in range(sentences):
        size = int(rng.integers(4, 12))
        links.append([(k, k + (k > 1)) for k in range(size)])
        n.append(size)
        m.append(size + 1)
    return links, n, m


def test_a_good_file_has_no_flag() -> None:
    links, n, m = good(50)
    assert health(batch(links), n, m).flags == () == health(batch(links)).flags


def test_files_that_start_at_one_are_flagged() -> None:
    links, n, m = good(50)
    moved = batch([[(i + 1, j + 1) for i, j in sentence] for sentence in links])
    for told in (health(moved, n, m), health(moved)):
        assert "start at 1" in told.flags[0] and "base 1" in told.flags[0]
    assert "one past the last word" in health(moved, n, m).flags[0]
    # A small file is flagged as well: for certain with the text, as a question without.
    few = batch([[(1, 1), (2, 2)], [(1, 1)]])
    assert "start at 1" in health(few, [2, 1], [2, 1]).flags[0]
    assert "do they start at 1?" in health(few).flags[0]
    assert health(batch([[(1, 1)]]), [3], [3]).flags == (
        "67 % of the source words have no link.",
        "67 % of the target words have no link.",
    )


def test_reversed_files_are_flagged() -> None:
    links, n, m = good(50)
    told = health(batch(links).inverse(), n, m)
    assert "probably swapped" in told.flags[0] and told.out_of_range > 0
    # In range both ways, but far from the diagonal.
    short = batch([[(0, 0), (2, 1), (4, 2)]] * 20)
    assert (
        any("may be swapped" in flag for flag in health(short.inverse(), [6] * 20, [3] * 20).flags) is False
    )
    inside = batch([[(0, 0), (1, 4), (2, 8)]] * 20).inverse()
    assert any("swapped" in flag for flag in health(inside, [9] * 20, [9 + 1] * 20).flags) is False
    assert any("swapped" in flag for flag in health(inside, [3] * 20, [9] * 20).flags)


def test_other_flags() -> None:
    told = health(batch([[(0, 0), (0, 0)], [], [(5, 0)]]), [2, 2, 2], [2, 2, 2])
    text = " ".join(told.flags)
    for part in ("1 link is repeated", "33 % of the sentences", "out of range, the first in line 3"):
        assert part in text
    assert told.links == 1 and told.repeated == 1 and told.out_of_range == 1
    wide = health(batch([[(0, j) for j in range(12)]]), [1], [12])
    assert "one source word has 12 links, in line 1." in wide.flags
    assert any("every link is i-i" in flag for flag in health(batch([[(0, 0), (1, 1)]] * 20)).flags)


def test_no_sentences_and_no_links() -> None:
    for links in (batch([]), batch([[], []])):
        told = health(links)
        assert told.links == 0 and told.kendall == 1 and told.source.widest == 0
    assert sample(batch([[]]), 3, seed=1) == []


def test_sample_is_seeded() -> None:
    links = batch([[(0, 0)]] * 100)
    assert sample(links, 5, seed=4) == sample(links, 5, seed=4) != sample(links, 5, seed=5)
