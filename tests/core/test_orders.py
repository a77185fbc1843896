"""Orders from links: by the papers' worked examples, and as the slow twin makes them one by one."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle import orders as slow
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import count_links, orders_from_links, policy_of
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.errors import BadSetting, InvalidAlignment, InvalidPermutation, UnknownName


@st.composite
def alignments(draw: st.DrawFn, n: int) -> Alignment:
    m = draw(st.integers(0, 6))
    links = st.tuples(st.integers(0, n - 1), st.integers(0, m - 1)) if n and m else st.nothing()
    sure = draw(st.sets(links, max_size=8)) if n and m else set()
    return Alignment(n, m, sure, possible=(draw(st.sets(links, max_size=3)) if n and m else set()) - sure)


MANY = st.lists(st.integers(0, 7).flatmap(alignments), max_size=6)
PAIRS = st.lists(st.integers(0, 6).flatmap(lambda n: st.tuples(alignments(n), alignments(n))), max_size=6)
SETTINGS = [("talbot", {}), ("birch", {})]
SETTINGS += [
    ("thesis", {"link": k, "attach": s}) for k in ("first", "last", "mean") for s in ("left", "right")
]
SETTINGS += [("phrases", {"attach": side}) for side in ("left", "right")]


def spec(name: str, settings: dict[str, str]) -> str:
    return f"{name}:{','.join(f'{k}={v}' for k, v in settings.items())}" if settings else name


def read(alignment: Alignment, policy: str, words: str) -> list[str]:
    return orders_from_links([alignment], policy).permutations[0].apply(words)


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
    orders = orders_from_links([alignment])
    ranks = orders.ranks[0].tolist()
    runs: dict[int, list[str]] = {}
    for i in orders.permutations[0].order.tolist():
        runs.setdefault(ranks[i], []).append(words[i])
    assert list(runs) == sorted(runs)
    shown = [run[0] if len(run) == 1 else "{{ " + " ".join(run) + " }}" for run in runs.values()]
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
        assert orders_from_links([alignment], "birch").permutations[0] == rank
        assert count_links([alignment]).plain == 1


def test_birch_unaligned_words_follow_and_ties_are_monotone() -> None:
    # word 0 unaligned at the start, 2 and 3 share a target, 4 unaligned, 1 has two targets
    alignment = Alignment(5, 4, [(1, 3), (1, 1), (2, 0), (3, 0)])
    assert read(alignment, "birch", "abcde") == ["a", "c", "d", "e", "b"]
    assert count_links([alignment]) == (1, 0, 2, 1, 1)


def test_thesis_links_and_sides() -> None:
    alignment = Alignment(4, 5, [(0, 0), (0, 4), (1, 1), (3, 3)])
    assert read(alignment, "thesis:link=first", "abcd") == list("abcd")
    assert read(alignment, "thesis:link=last", "abcd") == list("bcda")
    assert read(alignment, "thesis:link=mean", "abcd") == list("bacd") == read(alignment, "thesis", "abcd")
    turned = Alignment(3, 2, [(0, 1), (2, 0)])
    assert read(turned, "thesis:attach=left", "abc") == list("cab")
    assert read(turned, "thesis:attach=right", "abc") == list("bca")


def test_an_attached_word_stays_with_its_neighbour_when_positions_tie() -> None:
    alignment = Alignment(4, 1, [(0, 0), (3, 0)])  # b and c are unaligned, a and d share a target
    for policy in ("birch", "talbot", "thesis"):
        assert read(alignment, policy, "abcd") == list("abcd")


def test_figure_of_the_thesis_a_phrase_permutation() -> None:
    # "day after tomorrow" becomes one word: three source words that move together.
    alignment = Alignment(5, 3, [(0, 2), (1, 0), (2, 0), (3, 0), (4, 1)])
    spans, order = slow.minimal_phrases(alignment)
    assert spans == [(0, 1), (1, 4), (4, 5)] and order == [1, 2, 0]
    assert str(tree(Permutation.from_order(order))) == "⟨2,1⟩(3 ⟨1,2⟩(1 2))"
    assert read(alignment, "phrases", "abcde") == list("bcdea")


@given(MANY, st.sampled_from(SETTINGS))
def test_orders_are_those_of_the_slow_twin(many: list[Alignment], how: tuple[str, dict[str, str]]) -> None:
    name, settings = how
    orders = orders_from_links(many, spec(name, settings))
    for one, made in zip(many, orders.permutations, strict=True):
        assert made.order.tolist() == slow.order(one, name, **settings)
    if name in ("thesis", "phrases"):  # no groups
        assert orders.ranks.values.tolist() == orders.permutations.values.tolist()


@settings(max_examples=300)
@given(
    many=MANY,
    data=st.data(),
    unaligned=st.sampled_from(["next", "previous", "drop"]),
    punctuation=st.sampled_from(["words", "pin", "drop"]),
    inside=st.sampled_from(["free", "fixed"]),
)
def test_groups_are_those_of_the_slow_twin(
    many: list[Alignment], data: st.DataObject, unaligned: str, punctuation: str, inside: str
) -> None:
    words = [
        data.draw(st.lists(st.sampled_from(["a", ",", "("]), min_size=k, max_size=k))
        for k in (one.source_size for one in many)
    ]
    policy = f"talbot:unaligned={unaligned},inside={inside},punctuation={punctuation}"
    orders = orders_from_links(many, policy, words=words)
    for one, line, ranks in zip(many, words, orders.ranks, strict=True):
        assert ranks.tolist() == slow.ranks(slow.groups(one, line, unaligned, punctuation, inside), len(line))


def test_an_unaligned_word_inside_a_group_is_free_or_fixed() -> None:
    alignment = Alignment(4, 2, [(0, 0), (2, 0), (3, 0)])  # b is unaligned; a, c and d share a target word
    free, fixed = (orders_from_links([alignment], f"talbot:inside={how}") for how in ("free", "fixed"))
    assert free.ranks[0].tolist() == [0, 0, 0, 0] and fixed.ranks[0].tolist() == [0, 1, 2, 2]
    assert list(free.permutations) == list(fixed.permutations)


def test_the_most_probable_link() -> None:
    scores = {(0, 0): 0.2, (0, 3): 0.7, (1, 1): 0.9, (2, 2): 0.5, (2, 0): 0.5}
    alignment = Alignment(3, 4, list(scores), scores=scores)
    assert read(alignment, "thesis:link=probable", "abc") == list("cba")  # of equal scores, the first link
    assert read(alignment, "thesis:link=first", "abc") == list("acb")
    batch = Alignments.from_alignments([alignment])
    assert batch.scores is not None and batch[0].scores == pytest.approx(scores)
    assert orders_from_links(batch, "thesis:link=probable").permutations[0].order.tolist() == [2, 1, 0]
    plain = Alignment(2, 2, [(0, 1), (1, 0)])  # nothing to choose: no scores are needed
    assert read(plain, "thesis:link=probable", "ab") == ["b", "a"]
    with pytest.raises(InvalidAlignment, match="link=probable chooses among links by their scores"):
        orders_from_links([Alignment(1, 2, [(0, 0), (0, 1)])], "thesis:link=probable")


@given(MANY)
def test_nakagawa_and_middle(many: list[Alignment]) -> None:
    nakagawa, middle = orders_from_links(many, "nakagawa"), orders_from_links(many, "middle")
    for s, one in enumerate(many):
        expected = slow.nakagawa(one)
        assert (expected is not None) == nakagawa.counts[s]
        assert expected is None or nakagawa.ranks[s].tolist() == expected
        assert middle.ranks[s].tolist() == slow.middle(one)


@given(MANY)
def test_aligned_words_come_in_target_order_and_nothing_is_lost(many: list[Alignment]) -> None:
    for policy in ("birch", "talbot", "thesis:link=first"):
        for one, made in zip(many, orders_from_links(many, policy).permutations, strict=True):
            targets = one.targets()
            firsts = [targets[i][0] for i in made.order.tolist() if targets[i]]
            assert firsts == sorted(firsts) and sorted(made) == list(range(one.source_size))
            assert one.links or made.is_identity()


@given(MANY)
def test_minimal_phrases_partition_and_are_consistent(many: list[Alignment]) -> None:
    for alignment in many:
        spans, _ = slow.minimal_phrases(alignment)
        assert [i for span in spans for i in range(*span)] == list(range(alignment.source_size))
        targets, sources = alignment.targets(), alignment.inverse().targets()
        for begin, end in spans:
            reached = [j for i in range(begin, end) for j in targets[i]]
            if reached:
                inside = {i for j in range(min(reached), max(reached) + 1) for i in sources[j]}
                assert inside <= set(range(begin, end))
                assert targets[begin] and targets[end - 1]  # the borders are aligned
        found = {span for span in spans if any(targets[i] for i in range(*span))}
        assert found == slow_phrases(alignment)


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


@given(PAIRS, st.sampled_from(["birch", "talbot", "thesis"]))
def test_one_side_in_terms_of_the_other(pairs: list[tuple[Alignment, Alignment]], policy: str) -> None:
    ones, others = [one for one, _ in pairs], [other for _, other in pairs]
    system, reference = orders_from_links(ones, policy), orders_from_links(others, policy)
    expected = map(slow.relative, reference.permutations, system.permutations)
    assert list(system.relative_to(reference)) == list(expected)
    both = [{i for i, _ in one.links} & {i for i, _ in other.links} for one, other in pairs]
    assert system.linked_in_both(reference).tolist() == [len(words) for words in both]


def test_relative_order_on_words() -> None:
    # Not their own inverses: the reference reads c a b, the system a c b.
    reference = orders_from_links([Alignment(3, 3, [(0, 1), (1, 2), (2, 0)])])
    system = orders_from_links([Alignment(3, 3, [(0, 0), (1, 2), (2, 1)])])
    (places,) = system.relative_to(reference)
    read = [made.permutations[0].apply("abc") for made in (reference, system)]
    assert read == [list("cab"), list("acb")] and [read[0][k] for k in places] == read[1]
    assert reference.relative_to(reference)[0].is_identity()


def test_sources_of_different_length_are_refused() -> None:
    one, two = (orders_from_links([Alignment(n, 1)], "birch") for n in (1, 2))
    with pytest.raises(InvalidPermutation):
        one.relative_to(two)


def test_policies_are_written_as_they_are_read() -> None:
    for written in ("birch", "nakagawa", "thesis:link=last,attach=left", "lader:attach=left"):
        assert str(policy_of(written)) == written
    assert str(policy_of("talbot")) == "talbot:unaligned=next,inside=free,punctuation=words"
    with pytest.raises(UnknownName, match="unknown policy 'first'"):
        policy_of("first")
    for bad in ("thesis:link=best", "thesis:attach=up", "birch:link=first", "talbot:attach=left"):
        with pytest.raises(BadSetting, match=r"expected|has no setting"):
            policy_of(bad)
    with pytest.raises(InvalidAlignment, match="needs the source words"):
        orders_from_links([Alignment(1, 1)], "talbot:punctuation=pin")
    with pytest.raises(InvalidAlignment, match="2 words, and links of a sentence of 3"):
        orders_from_links([Alignment(3, 3)], words=[["a", "b"]])


@pytest.mark.speed
def test_many_at_once_take_a_fraction_of_the_time() -> None:
    many = [Alignment(20, 20, [(i, (7 * i + k) % 20) for i in range(20)]) for k in range(20)] * 50
    batch = Alignments.from_alignments(many)

    def seconds(work: Callable[[], object]) -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    together = min(seconds(lambda: orders_from_links(batch, "birch")) for _ in range(3))
    assert together < seconds(lambda: [slow.order(one, "birch") for one in many]) / 3


def test_no_sentences() -> None:
    for policy in ("talbot", "birch", "thesis", "phrases", "nakagawa", "lader", "middle"):
        orders = orders_from_links([], policy)
        assert len(orders.permutations) == len(orders.ranks) == 0 and orders.counts.dtype == np.bool_
