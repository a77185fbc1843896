"""Reference orders from manual links: the paper's own examples, groups, policies, repeated words."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from tests.evaluate.test_variants import some_alignments
from tests.oracle.evaluating import reference_permutation
from wordorder.core.alignment import Alignment
from wordorder.core.orders import is_punctuation
from wordorder.core.permutation import Permutation
from wordorder.errors import InvalidAlignment, InvalidPermutation
from wordorder.evaluate.references import Reference, reference
from wordorder.evaluate.usability import usability
from wordorder.io.talbot import Talbot
from wordorder.metrics import metric
from wordorder.preorder.corpus import read_training

# Talbot et al. (2011), Table 2: source, source words of each target word, reordering.
TABLE_2 = [
    (
        "How Can I Qualify For A Mortgage Tax Deduction ?",
        "6,6,7_8,4,3,3,3,3,3,0,0,0,0,1,1,9,9",
        "A Mortgage {{ Tax Deduction }} For I Qualify How Can ?",
    ),
    (
        "How Can I Qualify For A Mortgage Tax Deduction ?",
        "2,2,0,0,0,6,6,6,7_8,4,3,3,3,1,1,1,1,9",
        "I How A Mortgage {{ Tax Deduction }} For Qualify Can ?",
    ),
    (
        "We do not claim to cure , prevent or treat any disease .",
        "10,11,,5,6,7,,8,9,,,4,,,,2,2,2,12",
        "any disease cure , prevent or treat claim to We do not .",
    ),
    (
        "We do not claim to cure , prevent or treat any disease .",
        "0,0,,10,11,,5,6,7,8,9,,,3,4,2,2,12",
        "We any disease cure , prevent or treat claim to do not .",
    ),
]


def alignment_of(source: str, written: str) -> Alignment:
    links = Talbot().parse(written)
    assert Talbot().to_line(links) == written
    return Talbot().fit(links, len(source.split()), links.target_size)


@pytest.mark.parametrize(("source", "links", "expected"), TABLE_2)
def test_the_rows_of_the_paper(source: str, links: str, expected: str) -> None:
    made = reference(alignment_of(source, links), source.split())
    assert made.to_text() == expected
    assert Reference.parse(expected, source.split()) == made
    gold = Permutation.from_order(made.order)
    fuzzy = metric("fuzzy")
    assert fuzzy(reference_permutation(made, gold)) == 1.0
    swapped = [*made.order]
    if made.groups:  # the inner order of a group does not matter
        at = swapped.index(made.groups[0][0])
        swapped[at : at + 2] = reversed(swapped[at : at + 2])
        assert fuzzy(reference_permutation(made, Permutation.from_order(swapped))) == 1.0
    assert fuzzy(reference_permutation(made, Permutation.identity(len(made.words)))) < 0.8


def test_the_fuzzy_score_of_the_paper_by_hand() -> None:
    source, links, _ = TABLE_2[2]
    made = reference(alignment_of(source, links), source.split())
    # In the source the reference's words stand in these chunks:
    # We do not | claim to | cure , prevent or treat | any disease | .
    assert metric("fuzzy")(reference_permutation(made, Permutation.identity(13))) == pytest.approx(
        1 - (5 - 1) / (13 - 1)
    )


def test_groups_are_taken_as_the_system_has_them() -> None:
    rng = np.random.default_rng(0)
    kendall, fuzzy = metric("kendall"), metric("fuzzy")
    seen = 0
    for alignment in some_alignments(300, 3):
        words = [f"w{i}" for i in range(alignment.source_size)]
        made = reference(alignment, words)
        if not made.groups or len(words) > 6:
            continue
        seen += 1
        order = Permutation.from_order(rng.permutation(len(words)))
        chosen = reference_permutation(made, order)
        best_tau, best_fuzzy = 0.0, 0.0
        for inner in itertools.product(*(itertools.permutations(run) for run in made.runs)):
            gold = Permutation.from_order([i for run in inner for i in run])
            plain = Permutation([int(gold.ranks[i]) for i in order.order])
            best_tau, best_fuzzy = max(best_tau, kendall(plain)), max(best_fuzzy, fuzzy(plain))
        assert kendall(chosen) == pytest.approx(best_tau)
        assert fuzzy(chosen) <= best_fuzzy + 1e-12
    assert seen > 50


def test_repeated_words_go_with_the_first_not_taken() -> None:
    words = ["the", "dog", "saw", "the", "cat"]
    made = Reference(tuple(words), (3, 4, 2, 0, 1))
    identity = Permutation.identity(5)
    # By words, the first "the" of the system is the first of the reference.
    assert list(reference_permutation(made, identity)) == [0, 4, 2, 3, 1]
    assert list(reference_permutation(made, identity, match="positions")) == [3, 4, 2, 0, 1]
    assert reference_permutation(made, Permutation.from_order(made.order)).is_identity()


def test_a_system_that_reads_the_same_words_scores_the_same() -> None:
    words = tuple("abab")
    made = Reference(words, (0, 1, 2, 3))
    for order in itertools.permutations(range(4)):
        text = [words[i] for i in order]
        same = [o for o in itertools.permutations(range(4)) if [words[i] for i in o] == text]
        assert len({reference_permutation(made, Permutation.from_order(o)) for o in same}) == 1


def test_positions_are_read_as_they_are_written() -> None:
    seen = 0
    for alignment in some_alignments(300, 8):
        words = ["the", "dog", "the", "the", "dog", "a", "the"][: alignment.source_size]
        words += ["x"] * (alignment.source_size - len(words))
        made = reference(alignment, words, unaligned="drop")
        assert Reference.parse_positions(made.to_positions(), words) == made
        # text cannot say which of equal words was left out
        seen += Reference.parse(made.to_text(), words).ranks().tolist() != made.ranks().tolist()
    assert seen > 20
    for text, told in [("0 5", "'5' is not a position; expected 0 to 1"), ("1 {{ 0 1 }}", "1 occurs twice")]:
        with pytest.raises(InvalidPermutation, match=told):
            Reference.parse_positions(text, ["a", "b"])


def test_policies_for_words_without_links() -> None:
    words = ["a", "b", "c", "d", "."]
    alignment = Alignment(5, 2, [(0, 1), (2, 0)])  # b, d and the full stop have no links
    assert reference(alignment, words).to_text() == "b c a d ."
    assert reference(alignment, words, unaligned="previous").to_text() == "c d . a b"
    assert reference(alignment, words, unaligned="drop").to_text() == "c a"
    assert reference(alignment, words, unaligned="previous", punctuation="pin").to_text() == "c d a b ."
    assert reference(alignment, words, punctuation="drop").to_text() == "b c a d"
    assert reference(alignment, words, unaligned="drop", punctuation="pin").to_text() == "c a ."


def test_pinned_marks_stay_at_the_borders() -> None:
    words = ['"', "(", "a", ",", "b", "!", '"']
    turned = Alignment(7, 2, [(2, 1), (4, 0)])
    assert reference(turned, words, unaligned="previous").to_text() == '" ( b ! " a ,'
    assert reference(turned, words, unaligned="previous", punctuation="pin").to_text() == '" ( b a , ! "'
    linked = Alignment(7, 3, [(2, 1), (4, 0), (6, 2)])  # a mark that has a link goes where it says
    assert reference(linked, words, punctuation="pin").order[-1] == 6
    only = ["...", "!"]
    assert reference(Alignment(2, 0), only, punctuation="pin").order == (0, 1)


def test_marks_are_known() -> None:
    assert all(map(is_punctuation, [".", "?!", "、", "」", "-LRB-", "``", "—"]))
    assert not any(map(is_punctuation, ["a.", "5", "$", "+", "not"]))


def test_ranks_tie_within_groups() -> None:
    made = reference(Alignment(4, 3, [(0, 2), (1, 0), (2, 0)]), list("abcd"), unaligned="drop")
    assert made.ranks().tolist() == [1, 0, 0, -1]


def test_what_does_not_fit_is_told() -> None:
    with pytest.raises(InvalidAlignment, match="2 words, and links of a sentence of 3"):
        reference(Alignment(3, 3), ["a", "b"])
    with pytest.raises(InvalidPermutation, match="'c' is not in the source, or not as often"):
        Reference.parse("a c", ["a", "b"])
    assert reference(Alignment(0, 0), []).to_text() == ""


def test_usability() -> None:
    good = usability([Alignment(3, 3, [(0, 2), (1, 0), (2, 1)])] * 4)
    assert (good.coverage, good.target_coverage, good.warnings()) == (1.0, 1.0, [])
    poor = usability([Alignment(4, 5, [(0, 0), (0, 2), (1, 1)]), Alignment(3, 3), Alignment(0, 0)])
    assert (poor.sentences, poor.words, poor.linked) == (3, 7, 2)
    assert (poor.apart, poor.interrupted, poor.contradictory, poor.unlinked_sentences) == (1, 1, 1, 1)
    told = " ".join(poor.warnings())
    for said in (
        "29% of the source words",
        "with links that do not agree on an order",
        "1 sentence without links",
    ):
        assert said in told
    assert poor.as_dict()["warnings"] == poor.warnings()
    unknown = usability([Alignment(2, 9, [(0, 0), (1, 1)])], target=False)  # how long the target is
    assert unknown.target_coverage is None and unknown.warnings() == []
    assert unknown.as_dict()["target_coverage"] is unknown.as_dict()["target_words"] is None
    loose = usability([Alignment(2, 3, [(0, 0), (0, 2), (1, 0)])])
    assert (loose.apart, loose.interrupted, loose.grouped) == (1, 0, 2)


@pytest.mark.shared
def test_pud_needs_its_full_stops_pinned(shared: Path) -> None:
    folder = shared / "data" / "parallel" / "pud" / "en-ja"
    english, japanese, align = (str(folder / f"dev.{end}.gz") for end in ("en", "ja", "align"))
    sources, alignments = read_training(english, align, target=japanese)
    found = usability(alignments)
    assert 0.4 < found.coverage < 0.75 and found.warnings()
    ends = {"words": 0, "pin": 0}
    for source, alignment in zip(sources, alignments, strict=True):
        for policy in ends:
            made = reference(alignment, source.words, unaligned="previous", punctuation=policy)  # type: ignore[arg-type]
            ends[policy] += made.order[-1] == len(source) - 1
    assert ends["words"] < len(sources) / 2 and ends["pin"] > len(sources) * 0.9
