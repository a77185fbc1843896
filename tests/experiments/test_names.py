"""Names of Japanese people and other headings that the shipped network learns."""

from __future__ import annotations

import pytest

from experiments.parallel import Corpus
from experiments.shipped_models import names
from wordorder.core.alignment import Alignment
from wordorder.preorder import Source

Links = list[tuple[int, int]]


@pytest.mark.parametrize(
    ("given", "family", "known"),
    [
        ("Yoshimasa", "ASHIKAGA", True),
        ("Shin'ichi", "ODA", False),  # only Latin letters
        ("Kenshin", "UESUGI", True),
        ("Shunpei", "II", False),  # a number
        ("ODA", "Nobunaga", False),  # the family name is first in English, too
        ("Pablo", "PICASSO", False),
        ("Ikoma", "TV", False),
        ("Sakata", "Tojuro", False),  # no capitals
    ],
)
def test_names_have_a_family_name_in_capitals(given: str, family: str, known: bool) -> None:
    assert names.is_name(given, family) is known


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 2), (2, 1)]),
        ([(1, 0), (2, 1), (2, 2)], [(1, 2), (2, 0), (2, 1)]),  # each keeps its number of words
        ([(1, 0), (1, 1), (2, 1), (2, 2)], [(1, 1), (1, 2), (2, 0)]),  # a shared word: halves
        ([(1, 0), (1, 1)], [(1, 1), (2, 0)]),
        ([(1, 1), (2, 0)], [(1, 1), (2, 0)]),
        ([(1, 0), (2, 0)], None),  # one word for both
        ([(1, 0), (2, 2)], None),  # apart
        ([(0, 1), (1, 0), (2, 1)], None),  # with another word
        ([], None),
    ],
)
def test_links_with_the_family_name_first(before: Links, after: Links | None) -> None:
    found = names.family_first(Alignment(3, 3, before), 1)
    assert (found and sorted(found.links)) == after


def text(lines: list[str], links: list[Links]) -> Corpus:
    sources = [Source(tuple(line.lower().split()), target="ja") for line in lines]
    sizes = [len(source.words) for source in sources]
    return Corpus(sources, [Alignment(n, n, own) for n, own in zip(sizes, links, strict=True)])


def test_sentences_with_names_whose_order_is_known() -> None:
    lines = [
        "He met Soji OKITA .",  # linked in parallel
        "Isami KONDO and Soji OKITA",  # one of them is linked as it should be, the other cannot be
        "Heian period",
        "Soji OKITA",
        "Isami KONDO",
    ]
    parallel = [[(i, i) for i in range(len(line.split()))] for line in lines]
    parallel[1] = [(0, 1), (1, 0), (3, 3), (4, 3)]
    parallel[3] = [(0, 1), (1, 0)]
    found = names.named(lines, text(lines, parallel))
    assert [" ".join(source.words) for source in found.sources] == [
        "he met soji okita .",
        "soji okita",
        "isami kondo",
    ]
    assert [sorted(one.links) for one in found.alignments] == [
        [(0, 0), (1, 1), (2, 3), (3, 2), (4, 4)],
        [(0, 1), (1, 0)],
        [(0, 1), (1, 0)],
    ]


def test_phrases_are_the_words_around_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "AROUND", 1)
    lines = ["Soji OKITA met Isami KONDO in old Edo"]
    links = [(0, 5), (1, 4), (2, 6), (3, 3), (4, 2), (5, 0), (6, 7), (7, 7)]
    found = names.phrases(lines, text(lines, [links]))
    assert [" ".join(source.words) for source in found.sources] == ["soji okita met", "met isami kondo in"]
    assert [sorted(one.links) for one in found.alignments] == [
        [(0, 1), (1, 0), (2, 2)],
        [(0, 3), (1, 2), (2, 1), (3, 0)],
    ]
    assert [one.target_size for one in found.alignments] == [3, 4]


def test_headings_are_names_and_a_share_of_other_short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "OTHERS", 2)
    lines = ["Soji OKITA", "He knew Isami KONDO , and Soji OKITA knew him .", "Heian period"]
    short = ["a temple", "on foot", "he left kyoto that year", "it is cold"]
    automatic = text([*lines, *short], [[(0, 0)] for _ in (*lines, *short)])
    known = names.names_in([*lines, "Toshizo HIJIKATA came"], automatic)  # that sentence was excluded
    found = names.headings(known, automatic, "ja")
    words = [" ".join(source.words) for source in found.sources]
    assert words == ["isami kondo", "soji okita", "heian period", "on foot"]
    assert [sorted(one.links) for one in found.alignments] == [[(0, 1), (1, 0)]] * 2 + [[(0, 0)]] * 2
    assert {source.target for source in found.sources} == {"ja"}


def test_tested_lines_have_links_of_new_names_alone() -> None:
    lines = ["Soji OKITA met Isami KONDO and Toshizo HIJIKATA .", "Heian period", "Isami KONDO", "Soji OKITA"]
    found = names.tested(lines, {"isami kondo"}, {("soji", "okita")}, "ja")
    assert [source.words for source in found.sources] == [tuple(lines[0].lower().split())]
    assert [sorted(one.links) for one in found.alignments] == [[(3, 1), (4, 0), (6, 3), (7, 2)]]
