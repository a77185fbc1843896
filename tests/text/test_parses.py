"""Pieces of dependency parses: by hand, against a slow twin, and counted by the kernel."""

from __future__ import annotations

import random

import pytest

from tests.oracle.parses import matched, parse_pieces
from wordorder.errors import UnknownName, WordOrderError
from wordorder.metrics.beer.features import overlaps
from wordorder.metrics.beer.templates import Pieces
from wordorder.text.pairs import Pairs
from wordorder.text.parses import CLASSES, KINDS, Parse, ParseTable, escaped, pieces, pieces_lines

# "The old cat often eats fresh fish ." and the same with another object.
CAT = Parse(
    ("The", "old", "cat", "often", "eats", "fresh", "fish", "."),
    (3, 3, 5, 5, 0, 7, 5, 5),
    ("det", "amod", "nsubj", "advmod", "root", "amod", "obj", "punct"),
)
DOG = Parse(
    ("The", "cat", "eats", "a", "dog", "."),
    (2, 3, 0, 5, 3, 3),
    ("det", "nsubj", "root", "det", "obj", "punct"),
)


WORDS = [
    "a",
    "A",
    "b",
    "a>b",
    "(",
    ")",
    ",",
    "a,b",
    "%",
    "%2c;",
    "10 000",
    "\u00a0",
    "\x1c",
    "root",
    "ß",
    "İ",
]
RELATIONS = ["nsubj", "nsubj:pass", "OBJ", "root", "punct", "det", "_", "dep", "obl", "conj", "flat", "nmod"]


def random_parses(rng: random.Random, most: int = 14) -> tuple[Parse, Parse]:
    """Two trees of a few words, some of which look like the signs in pieces."""
    words, relations = rng.sample(WORDS, 2), rng.sample(RELATIONS, 2)  # few, so that pieces match

    def one() -> Parse:
        size = rng.randrange(most)
        order = rng.sample(range(1, size + 1), size)
        heads = {word: rng.choice(order[:at]) if at else 0 for at, word in enumerate(order)}
        return Parse(
            tuple(rng.choices(words, k=size)),
            tuple(heads[word] for word in range(1, size + 1)),
            tuple(rng.choices(relations, k=size)),
        )

    return one(), one()


def test_chains_by_hand() -> None:
    assert pieces(CAT, "chain2") == [
        "the>cat", "old>cat", "cat>eats", "often>eats", "fresh>fish", "fish>eats", ".>eats"
    ]  # fmt: skip
    assert pieces(CAT, "chain3") == ["the>cat>eats", "old>cat>eats", "fresh>fish>eats"]
    assert pieces(CAT, "chain4") == []


def test_arcs_by_hand() -> None:
    assert pieces(DOG, "arc") == [
        "det(cat,the)", "nsubj(eats,cat)", "root(,eats)", "det(dog,a)", "obj(eats,dog)", "punct(eats,.)"
    ]  # fmt: skip
    assert pieces(CAT, "arc_modifier") == ["amod(cat,old)", "amod(fish,fresh)"]
    assert pieces(CAT, "arc_oblique") == ["advmod(eats,often)"]
    assert [len(pieces(CAT, f"arc_{group}")) for group in CLASSES] == [1, 1, 1, 1, 2, 1, 0, 0, 1, 0]


def test_matches_by_hand() -> None:
    table = ParseTable()
    table.add(CAT, text="The old cat often eats fresh fish.")
    table.add(DOG)
    sentences = ["The old cat often eats fresh fish."], ["The cat eats a dog ."]
    counts = {}
    for kind in ("chain2", "chain3", "arc", "arc_object", "arc_subject"):
        hypotheses, references = (pieces_lines(table, side, kind) for side in sentences)
        counts[kind] = overlaps(Pairs.of(hypotheses, references), [Pieces("ngram", 1)])[0, 0].tolist()
    assert counts == {
        "chain2": [3, 7, 5],  # the>cat cat>eats .>eats
        "chain3": [1, 3, 2],  # the>cat>eats
        "arc": [4, 8, 6],
        "arc_object": [0, 1, 1],
        "arc_subject": [1, 1, 1],
    }


def test_the_kernel_counts_what_the_slow_twin_counts() -> None:
    rng = random.Random(3)
    pairs = [random_parses(rng) for _ in range(400)]
    table = ParseTable()
    for k, (one, other) in enumerate(pairs):
        table.add(one, text=f"h {k}")
        table.add(other, text=f"r {k}")
    # Words alone may be the same with another tree, and a tree may have no words: texts are always found.
    sides = [[f"{side} {k}" for k in range(len(pairs))] for side in "hr"]
    for kind in KINDS:
        hypotheses, references = (pieces_lines(table, side, kind) for side in sides)
        counts = overlaps(Pairs.of(hypotheses, references), [Pieces("ngram", 1)], lowercase=kind == "arc")
        slow = [matched(parse_pieces(one, kind), parse_pieces(other, kind)) for one, other in pairs]
        assert counts[:, 0].tolist() == slow
        assert kind == "arc_root" or sum(found for found, _, _ in slow) > 20


def test_pieces_of_different_words_differ() -> None:
    words = ["a", "b", ">", "a>b", "(", ",", "a,", ")", "%", "%3e;", "% 3e;", " ", "\n", "\u2028"]
    for kind in ("chain2", "arc"):
        made = {
            pieces(Parse((one, other), (2, 0), (relation, "root")), kind)[0]: (one, other, relation)
            for one in words
            for other in words
            for relation in ("x", "x(a", "x,")
        }
        assert len(made) == len(words) ** 2 * (3 if kind == "arc" else 1)
        assert all(len(piece.split()) == 1 for piece in made)
    assert escaped("Straße") == "straße"


def test_arcs_of_the_classes_are_all_arcs() -> None:
    rng = random.Random(4)
    for _ in range(100):
        parse, _ = random_parses(rng)
        classes = [piece for group in CLASSES for piece in pieces(parse, f"arc_{group}")]
        assert sorted(classes) == sorted(pieces(parse, "arc"))


def test_a_text_without_parse_is_told() -> None:
    table = ParseTable()
    table.add(DOG, text="The cat eats a dog.")
    table.sources.append("trees.conllu")
    assert pieces_lines(table, ["", "  ", " The cat  eats a dog."], "arc_root") == ["", "", "root(,eats)"]
    assert "The cat eats a dog ." in table and "The cat" not in table and len(table) == 2
    with pytest.raises(WordOrderError, match=r"there is no parse in trees.conllu of 'the cat'.*# text"):
        pieces_lines(table, ["The cat eats a dog .", "the cat"], "chain2")


def test_the_first_parse_of_a_text_stays() -> None:
    table = ParseTable()
    table.add(DOG, text="same")
    table.add(CAT, text="same")
    assert table.find("same") == DOG


@pytest.mark.parametrize("kind", ["chain1", "chain5", "arcs", "arc_", "arc_verb", ""])
def test_unknown_kinds_are_told(kind: str) -> None:
    with pytest.raises(UnknownName, match="arc_subject"):
        pieces(CAT, kind)
