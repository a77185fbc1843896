"""RIBES's matching by context."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.matching import ribes_positions
from wordorder.align.ribes import RibesMatcher
from wordorder.text.tokens import Words

words = st.lists(st.sampled_from("abcd"), max_size=12)


def positions(hypothesis: list[str], reference: list[str]) -> list[int]:
    table = Words()
    hyp, ref = table.encode([" ".join(hypothesis)]), table.encode([" ".join(reference)])
    found: list[int] = RibesMatcher().match(hyp, ref, table).positions.tolist()
    return found


@settings(max_examples=300, deadline=None)
@given(words, words)
def test_contexts_grow_as_in_the_twin(hyp: list[str], ref: list[str]) -> None:
    assert positions(hyp, ref) == ribes_positions(hyp, ref)


def test_examples_of_the_paper() -> None:
    # Isozaki et al. (2010), section 3. The second "he" has two contexts of two words that are unique,
    # "because he" and "he was"; the paper takes the right one (place 0), NTT's program the left one.
    ref = "he was interested in world history because he read the book"
    hyp = "he read the book because he was interested in world history"
    assert positions(hyp.split(), ref.split()) == [7, 8, 9, 10, 6, 7, 1, 2, 3, 4, 5]
    hyp, ref = "the book was read by the boy", "the boy read the book"
    assert [j for j in positions(hyp.split(), ref.split()) if j >= 0] == [3, 4, 2, 0, 1]


def test_two_words_may_share_a_place() -> None:
    assert positions(list("awwb"), list("awb")) == [0, 1, 1, 2]


def test_long_lines() -> None:
    # Only the whole line is unique: it is the context of its first and its last word.
    assert positions(["a"] * 3000, ["a"] * 3000) == [0, *[-1] * 2998, 2999]
    assert positions([], ["a"]) == [] and positions(["a"], []) == [-1]


@pytest.mark.shared
def test_equal_to_nltk_but_for_the_side_that_is_tried_first(shared: Path) -> None:
    alignment = pytest.importorskip("nltk.translate.ribes_score").word_rank_alignment
    folder = shared / "data" / "judgments" / "wmt13-rr"
    with gzip.open(folder / "segments.tsv.gz", "rt", encoding="utf-8") as rows:
        cells = [row.rstrip("\n").split("\t") for row in rows]
    refs = {(c[0], c[2]): c[-1].lower().split() for c in cells[1:]}
    same = total = 0
    with gzip.open(folder / "outputs.tsv.gz", "rt", encoding="utf-8") as rows:
        for number, row in enumerate(rows):
            cell = row.rstrip("\n").split("\t")
            if number % 60 or (cell[0], cell[2]) not in refs:
                continue
            hyp, ref = cell[-1].lower().split(), refs[cell[0], cell[2]]
            total += 1
            same += [j for j in positions(hyp, ref) if j >= 0] == alignment(ref, hyp)
    assert total > 500 and same / total > 0.95
