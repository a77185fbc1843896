"""Names of people that the shipped network learns."""

from __future__ import annotations

import pytest

from experiments.parallel import Corpus
from experiments.shipped_models import names
from wordorder.core.alignment import Alignment
from wordorder.io.sentence import Row, Sentence
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
def test_japanese_names_have_a_family_name_in_capitals(given: str, family: str, known: bool) -> None:
    assert names.is_japanese(given, family) is known


def parsed(*rows: tuple[str, str, int, str]) -> Source:
    """Return a sentence from the form, tag, head and relation of its words."""
    tree = [
        Row(str(at), form, upos=tag, head=str(head), deprel=relation)
        for at, (form, tag, head, relation) in enumerate(rows, start=1)
    ]
    return Source(tuple(row[0] for row in rows), parse=Sentence(tree), target="ja")


MONET = parsed(("claude", "PROPN", 3, "nsubj"), ("monet", "PROPN", 1, "flat"), ("slept", "VERB", 0, "root"))


@pytest.mark.parametrize(
    ("second", "places"),
    [
        (("monet", "PROPN", 1, "flat"), [0]),
        (("monet", "PROPN", 3, "flat"), []),  # part of another name
        (("monet", "PROPN", 1, "appos"), []),
        (("monet", "NOUN", 1, "flat"), []),
        (("3rd", "PROPN", 1, "flat"), []),
    ],
)
def test_other_names_are_found_in_trees(second: tuple[str, str, int, str], places: list[int]) -> None:
    rest = (("slept", "VERB", 0, "root"),)
    assert names.others(parsed(("claude", "PROPN", 3, "nsubj"), second, *rest)) == places
    # These words could be Japanese.
    assert names.others(parsed(("mario", "PROPN", 3, "nsubj"), ("kato", *second[1:]), *rest)) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 2), (2, 1)]),
        ([(1, 0), (2, 1), (2, 2)], [(1, 2), (2, 0), (2, 1)]),  # each keeps its number of links
        ([(1, 0), (1, 1), (2, 1), (2, 2)], [(1, 1), (1, 2), (2, 0)]),  # a shared word: halves
        ([(1, 0), (1, 1)], [(1, 1), (2, 0)]),  # no links of one word: halves
        ([(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 0)]),  # first already
        ([(1, 0), (2, 0)], None),  # one word for both
        ([(1, 0), (2, 2)], None),  # apart
        ([(0, 1), (1, 0), (2, 1)], None),  # with another word
        ([], None),
    ],
)
def test_links_with_the_family_name_first(before: Links, after: Links | None) -> None:
    found = names.family_first(Alignment(3, 3, before), 1)
    assert (found and sorted(found.links)) == after


@pytest.mark.parametrize(
    ("links", "right"),
    [([(1, 0), (2, 1)], True), ([(1, 1), (2, 0)], False), ([(1, 0), (2, 0)], False), ([(1, 0)], False)],
)
def test_links_in_order(links: Links, right: bool) -> None:
    alignment = Alignment(3, 3, links)
    assert names.in_order(alignment, 1) == (alignment if right else None)


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
    links = [[(i, i) for i in range(len(line.split()))] for line in lines]
    links[1] = [(0, 1), (1, 0), (3, 3), (4, 3)]
    links[3] = [(0, 1), (1, 0)]
    found = names.named(text(lines, links), names.japanese(lines), names.family_first)
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
    twice = Corpus([MONET, MONET], [Alignment(3, 3, [(0, 0), (1, 1)]), Alignment(3, 3, [(0, 1), (1, 0)])])
    assert names.named(twice, names.others, names.in_order).alignments == twice.alignments[:1]


def test_phrases_are_the_words_around_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "AROUND", 1)
    lines = ["Soji OKITA met Isami KONDO in old Edo"]
    links = [(0, 5), (1, 4), (2, 6), (3, 3), (4, 2), (5, 0), (6, 7), (7, 7)]
    found = names.phrases(text(lines, [links]), names.japanese(lines))
    assert [" ".join(source.words) for source in found.sources] == ["soji okita met", "met isami kondo in"]
    assert [sorted(one.links) for one in found.alignments] == [
        [(0, 1), (1, 0), (2, 2)],
        [(0, 3), (1, 2), (2, 1), (3, 0)],
    ]
    assert [one.target_size for one in found.alignments] == [3, 4]


def test_headings_are_names_alone_and_a_share_of_other_short_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "MOST_SHORT", 2)
    lines = ["Soji OKITA", "He knew Isami KONDO , and Soji OKITA knew him .", "Heian period"]
    lines += ["a temple", "on foot", "he left kyoto that year", "it is cold"]
    corpus = text(lines, [[(0, 0)] for _ in lines])
    known = names.names_in(corpus.sources, names.japanese(lines))
    assert known == {("isami", "kondo"), ("soji", "okita")}
    for inverted, links in ((True, ((0, 1), (1, 0))), (False, ((0, 0), (1, 1)))):
        alone = names.alone(known, "ja", inverted=inverted)
        assert [source.words for source in alone.sources] == sorted(known)
        assert {one.links for one in alone.alignments} == {links}
        assert {source.target for source in alone.sources} == {"ja"}
    short = names.short_lines(corpus, known)
    assert [" ".join(source.words) for source in short.sources] == ["heian period", "on foot"]
    assert short.alignments == corpus.alignments[2:5:2]


def test_tested_sentences_have_links_of_new_names_alone() -> None:
    lines = ["Soji OKITA met Isami KONDO and Toshizo HIJIKATA .", "Heian period", "Soji OKITA"]
    sources = [Source(tuple(line.split())) for line in lines]
    known = {("soji", "okita")}
    found = names.new_names(sources, names.japanese(lines), known, "ja", inverted=True)
    assert [source.words for source in found.sources] == [tuple(lines[0].lower().split())]
    assert [sorted(one.links) for one in found.alignments] == [[(3, 1), (4, 0), (6, 3), (7, 2)]]
    found = names.new_names([MONET], names.others, known, "ja")
    assert [sorted(one.links) for one in found.alignments] == [[(0, 0), (1, 1)]]
