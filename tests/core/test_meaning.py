"""The meaning of a permutation on words, wherever one is read, written, drawn or evaluated.

Most scores are the same for a permutation and its inverse, so these tests use words, and permutations
that are not their own inverse: 1 2 0 and 1 3 0 2.
"""

from __future__ import annotations

import io

import numpy as np
import pytest

from tests.draw.scenes import words as shown_words
from tests.oracle.evaluating import reference_permutation
from wordorder.core.alignment import Alignment
from wordorder.core.lattice import lattice
from wordorder.core.orders import orders_from_links
from wordorder.core.permutation import Permutation
from wordorder.core.tree import tree
from wordorder.draw import order_curves_picture, tree_picture, tree_text
from wordorder.evaluate import evaluate_orders
from wordorder.evaluate.references import reference
from wordorder.evaluate.relative import relative_orders
from wordorder.io.order import Order
from wordorder.io.permutations import read_permutations
from wordorder.io.plf import Plf
from wordorder.io.precedence import PrecedenceTables
from wordorder.io.quasiperm import QuasiPerm, QuasiPerms
from wordorder.metrics import metric
from wordorder.preorder import Source
from wordorder.preorder.base import precedence_of
from wordorder.preorder.oracle import Oracle
from wordorder.preorder.outputs import DecodedBlock, OutputFormat
from wordorder.preorder.trees import SourceTree

# Source words, the order in which the target reads them, and the place of each word.
CASES = [("abc", [1, 2, 0], [2, 0, 1]), ("abcd", [1, 3, 0, 2], [2, 0, 3, 1])]
cases = pytest.mark.parametrize(("words", "order", "places"), CASES)


def links(places: list[int]) -> Alignment:
    """The links of a translation in which word i stands at its place."""
    return Alignment(len(places), len(places), list(enumerate(places)))


@cases
def test_constructors_agree_on_words(words: str, order: list[int], places: list[int]) -> None:
    read = [words[i] for i in order]
    for made in (Permutation(places), Permutation.from_ranks(places), Permutation.from_order(order)):
        assert made.apply(words) == read
        assert made.ranks.tolist() == places and made.order.tolist() == order
        assert [read[place] for place in made] == list(words)
    assert Permutation.parse(" ".join(str(p + 1) for p in places)).apply(words) == read


@cases
def test_trees_and_drawings_put_each_word_at_its_place(
    words: str, order: list[int], places: list[int]
) -> None:
    made = tree(Permutation.from_order(order), list(words))
    assert made.permutation.apply(words) == [words[i] for i in order]
    assert tree(Permutation.from_order(order)).to_brackets() == tree(places).to_brackets()
    drawn = [line.split() for line in tree_text(made).splitlines()]
    shown = {row[-2]: int(row[-1]) - 1 for row in drawn if row[-2:][0] in words}
    assert shown == dict(zip(words, places, strict=True))
    curves = order_curves_picture(Permutation.from_order(order), list(words))
    assert shown_words(curves) == [*words, *(words[i] for i in order)]
    assert shown_words(tree_picture(made))[len(words) :] == [words[i] for i in order]
    source = SourceTree.of_order(Permutation.from_order(order))
    assert source.order().apply(words) == [words[i] for i in order]
    assert source.to_tree(list(words)).permutation == Permutation(places)


@cases
def test_files_of_orders(words: str, order: list[int], places: list[int], tmp_path: object) -> None:
    line = " ".join(map(str, order))
    for base in (0, 1):
        written = " ".join(str(i + base) for i in order)
        read = Order(base=base).parse(written)  # type: ignore[arg-type]
        assert read.apply(words) == [words[i] for i in order]
        assert Order(base=base).to_line(read) == written  # type: ignore[arg-type]
    scanned = list(Order().read(io.BytesIO(f"{line}\n{line}\n".encode()), "x"))
    assert [one.apply(words) for one in scanned] == [[words[i] for i in order]] * 2
    path = f"{tmp_path}/numbers"
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(line + "\n")
    assert read_permutations(path)[0] == Permutation(order)  # places, unless it is said to be an order
    assert read_permutations(path, order=True)[0] == Permutation(places)
    record = QuasiPerm(0, 0, 1.0, 0.0, Permutation.from_order(order), (order[0],))
    text = QuasiPerms().to_line(record)
    assert text.partition("||| ")[2].split()[1:] == line.split()[1:]
    assert QuasiPerms().parse(text) == record


@cases
def test_what_preorderers_write(words: str, order: list[int], places: list[int]) -> None:
    source = Source(tuple(words), alignment=links(places))
    read = [words[i] for i in order]

    def lines(kind: str) -> str:
        return "\n".join(OutputFormat(kind=kind).lines(DecodedBlock(Oracle(), [source]), 0))

    assert Oracle().reorder([source])[0].words == read
    assert lines("order") == " ".join(map(str, order))
    assert lines("text") == " ".join(read)
    assert lines("factor") == " ".join(f"{w}|{p}" for w, p in zip(words, places, strict=True))
    assert lines("nbest").split(" ||| ")[1:3] == [" ".join(map(str, order)), " ".join(read)]
    assert lines("quasiperm").partition("||| ")[2] == " ".join(map(str, order))
    assert [arcs[0].word for arcs in Plf().parse(lines("lattice"))] == read
    assert SourceTree.parse(lines("tree"))[0].order().apply(words) == read
    table = PrecedenceTables().parse(lines("precedence")).table(len(words))
    assert all((table[i, j] == 1) == (places[i] < places[j]) for i in range(len(words)) for j in range(i))


@cases
def test_orders_of_links(words: str, order: list[int], places: list[int]) -> None:
    for policy in ("birch", "talbot", "thesis", "phrases", "nakagawa", "lader", "middle"):
        orders = orders_from_links([links(places)], policy)
        assert orders.permutations[0].apply(words) == [words[i] for i in order]
        assert orders.ranks[0].tolist() == places
    assert reference(links(places), list(words)).to_text() == " ".join(words[i] for i in order)


@cases
def test_evaluation_of_an_order(words: str, order: list[int], places: list[int]) -> None:
    right, wrong = Permutation.from_order(order), Permutation.from_order(places)
    found = evaluate_orders([links(places)], {"right": [right], "wrong": [wrong]}, samples=0)
    for scored in found.variants:
        for score in scored.cells["right"]:
            assert scored.cells["right"][score].score == 1.0 > scored.cells["wrong"][score].score
    assert relative_orders([np.array(places)], [right])[0].is_identity()
    # The system reads the words as they stand: word i takes place i of the hypothesis.
    assert relative_orders([np.array(places)], [Permutation.identity(len(words))])[0] == Permutation(places)
    made = reference(links(places), list(words))
    assert (
        reference_permutation(made, right).is_identity()
        and not reference_permutation(made, wrong).is_identity()
    )
    assert metric("kendall")(reference_permutation(made, right)) == 1.0


@cases
def test_lattices_and_tables(words: str, order: list[int], places: list[int]) -> None:
    made = Permutation.from_order(order)
    table = precedence_of(made)
    assert table[order[0], order[1]] == 1.0 and table[order[1], order[0]] == 0.0
    ((read, loss, _),) = lattice([made], table).orders()
    assert read.apply(words) == [words[i] for i in order] and loss == 0.0
