"""Permutations from alignments, by the papers' rules and worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.alignment import Alignment
from wordorder.core.induce import induce, minimal_phrases, relative, through_source
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.errors import BadSetting, InvalidPermutation

alignments = st.tuples(st.integers(1, 7), st.integers(1, 7)).flatmap(
    lambda mn: st.builds(
        lambda links: Alignment(mn[0], mn[1], links),
        st.lists(st.tuples(st.integers(0, mn[0] - 1), st.integers(0, mn[1] - 1)), max_size=12),
    )
)


def talbot_table(source: str, per_target: str) -> tuple[list[str], Alignment]:
    """Table 2 of Talbot et al. gives, for each target token, the source tokens it is aligned to."""
    words = source.split()
    cells = per_target.split(",")
    links = [(int(i), j) for j, cell in enumerate(cells) for i in cell.split("_") if i]
    return words, Alignment(len(words), len(cells), links)


MORTGAGE = "How Can I Qualify For A Mortgage Tax Deduction ?"
CLAIM = "We do not claim to cure , prevent or treat any disease ."


@pytest.mark.parametrize(
    ("source", "per_target", "reordered"),
    [
        (MORTGAGE, "6,6,7_8,4,3,3,3,3,3,0,0,0,0,1,1,9,9",
         "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?"),
        (MORTGAGE, "2,2,0,0,0,6,6,6,7_8,4,3,3,3,1,1,1,1,9",
         "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?"),
        (CLAIM, "10,11,,5,6,7,,8,9,,,4,,,,2,2,2,12",
         "any disease cure , prevent or treat claim to We do not ."),
        (CLAIM, "0,0,,10,11,,5,6,7,8,9,,,3,4,2,2,12",
         "We any disease cure , prevent or treat claim to do not ."),
    ],
)  # fmt: skip
def test_table_2_of_talbot(source: str, per_target: str, reordered: str) -> None:
    words, alignment = talbot_table(source, per_target)
    found = induce(alignment, "talbot")
    shown = found.order.apply(words)
    for group in found.groups:
        first, last = (found.order.order.tolist().index(group[k]) for k in (0, -1))
        shown[first] = "{{ " + shown[first]
        shown[last] += " }}"
    assert " ".join(shown) == reordered


def test_table_1_of_birch_and_osborne() -> None:
    # A translation whose source order is that of the list; permutations as printed, from 1.
    for printed in (
        "1 2 3 4 5 6 7 8 9 10",
        "1 2 3 4 6 5 7 8 9 10",
        "6 7 8 9 10 1 2 3 4 5",
        "2 3 4 5 6 7 8 9 10 1",
    ):
        rank = Permutation.parse(printed)  # the target position of each source word
        alignment = Alignment(10, 10, [(i, j) for i, j in enumerate(rank)])
        found = induce(alignment, "birch")
        assert found.order == rank and found.is_plain


def test_birch_unaligned_words_follow_and_ties_are_monotone() -> None:
    # word 0 unaligned at the start, 2 and 3 share a target, 4 unaligned, 1 has two targets
    alignment = Alignment(5, 4, [(1, 3), (1, 1), (2, 0), (3, 0)])
    found = induce(alignment, "birch")
    assert found.order.apply("abcde") == ["a", "c", "d", "e", "b"]
    assert found.unaligned == (0, 4) and found.one_to_many == 1 and found.many_to_one == 1


def test_thesis_links_and_sides() -> None:
    alignment = Alignment(4, 5, [(0, 0), (0, 4), (1, 1), (3, 3)])
    assert induce(alignment, "thesis", link="first").order.apply("abcd") == list("abcd")
    assert induce(alignment, "thesis", link="last").order.apply("abcd") == list("bcda")
    assert induce(alignment, "thesis", link="mean").order.apply("abcd") == list("bacd")
    turned = Alignment(3, 2, [(0, 1), (2, 0)])
    assert induce(turned, "thesis", attach="left").order.apply("abc") == list("cab")
    assert induce(turned, "thesis", attach="right").order.apply("abc") == list("bca")


def test_an_attached_word_stays_with_its_neighbour_when_positions_tie() -> None:
    alignment = Alignment(4, 1, [(0, 0), (3, 0)])  # b and c are unaligned, a and d share a target
    for policy in ("birch", "talbot", "thesis"):
        assert induce(alignment, policy).order.apply("abcd") == list("abcd")


@given(alignments, st.sampled_from(["birch", "talbot", "thesis"]))
def test_aligned_words_come_in_target_order_and_nothing_is_lost(alignment: Alignment, policy: str) -> None:
    found = induce(alignment, policy)  # type: ignore[arg-type]
    targets = alignment.targets()
    firsts = [targets[i][0] for i in found.order.order.tolist() if targets[i]]
    assert firsts == sorted(firsts)
    assert sorted(found.order) == list(range(alignment.source_size))
    if not alignment.links:
        assert found.order.is_identity()
    for group in found.groups:
        assert len({targets[i][0] for i in group}) == 1 and len(group) > 1


@given(alignments)
def test_minimal_phrases_partition_and_are_consistent(alignment: Alignment) -> None:
    found = minimal_phrases(alignment)
    assert [i for span in found.spans for i in range(*span)] == list(range(alignment.source_size))
    targets, sources = alignment.targets(), alignment.inverse().targets()
    for begin, end in found.spans:
        reached = [j for i in range(begin, end) for j in targets[i]]
        if reached:
            inside = {i for j in range(min(reached), max(reached) + 1) for i in sources[j]}
            assert inside <= set(range(begin, end))
            assert targets[begin] and targets[end - 1]  # the borders are aligned
    assert sorted(found.words) == list(range(alignment.source_size))


def slow_phrases(alignment: Alignment) -> set[tuple[int, int]]:
    """For each aligned word the shortest consistent span around it; the widest of those."""
    targets, sources = alignment.targets(), alignment.inverse().targets()
    n = alignment.source_size

    def consistent(begin: int, end: int) -> bool:
        reached = [j for i in range(begin, end) for j in targets[i]]
        inside = {i for j in range(min(reached), max(reached) + 1) for i in sources[j]} if reached else set()
        return bool(reached) and inside <= set(range(begin, end))

    shortest = set()
    for i in range(n):
        if targets[i]:
            spans = [(b, e) for b in range(i + 1) for e in range(i + 1, n + 1) if consistent(b, e)]
            shortest.add(min(spans, key=lambda s: s[1] - s[0]))
    return {s for s in shortest if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in shortest)}


@given(alignments)
def test_minimal_phrases_are_the_widest_of_the_shortest(alignment: Alignment) -> None:
    targets = alignment.targets()
    found = {s for s in minimal_phrases(alignment).spans if any(targets[i] for i in range(*s))}
    assert found == slow_phrases(alignment)


def test_figure_of_the_thesis_a_phrase_permutation() -> None:
    # "day after tomorrow" becomes one word: three source words that move together.
    found = minimal_phrases(Alignment(5, 3, [(0, 2), (1, 0), (2, 0), (3, 0), (4, 1)]))
    assert found.spans == ((0, 1), (1, 4), (4, 5)) and found.order.order.tolist() == [1, 2, 0]
    assert str(tree(found.order)) == "⟨2,1⟩(3 ⟨1,2⟩(1 2))"


def test_relative_order_on_words() -> None:
    # Not their own inverses: the reference reads c a b, the system a c b.
    reference, system = Permutation.from_order([2, 0, 1]), Permutation.from_order([0, 2, 1])
    places = relative(reference, system)
    assert [reference.apply("abc")[k] for k in places] == system.apply("abc")
    assert relative(reference, reference).is_identity()
    with pytest.raises(InvalidPermutation, match="3 source words and the system 2"):
        relative(reference, Permutation([0, 1]))


def test_through_source_matches_words_by_their_source() -> None:
    reference = Alignment(3, 4, [(0, 0), (1, 2), (1, 3), (2, 1)])
    system = Alignment(3, 4, [(2, 0), (1, 1), (1, 2), (0, 3)])
    permutation, matched = through_source(reference, system)
    assert list(permutation) == [1, 2, 3, 0] and matched == 4
    assert through_source(Alignment(1, 1), Alignment(1, 1, [(0, 0)])) == (Permutation([]), 0)
    with pytest.raises(InvalidPermutation, match="1 words in one alignment and 2"):
        through_source(Alignment(1, 1), Alignment(2, 1))


def test_unknown_choices_are_refused() -> None:
    alignment = Alignment(2, 1, [(0, 0)])
    for kwargs in (
        {"policy": "first"},
        {"policy": "thesis", "link": "best"},
        {"policy": "thesis", "attach": "up"},
    ):
        with pytest.raises(BadSetting, match="expected"):
            induce(alignment, **kwargs)  # type: ignore[arg-type]
