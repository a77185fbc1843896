"""What a preorderer writes is what readers read, and says what the preorderer said."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import orjson
import pytest

from tests.preorder.toy import Toy
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.lenient import Lenient
from wordorder.io.openfst import OpenFst
from wordorder.io.order import Order
from wordorder.io.plf import Plf
from wordorder.io.precedence import PrecedenceTables
from wordorder.io.quasiperm import QuasiPerms
from wordorder.preorder.corpus import read_sources, read_training
from wordorder.preorder.outputs import KINDS, DecodedBlock, OutputFormat
from wordorder.preorder.source import Candidate, Source, as_sources, realigned
from wordorder.preorder.training import TrainingData
from wordorder.preorder.trees import SourceTree

LINES = ["a b c d", "", "b", "c a ' b \\"]
SOURCES = as_sources([line.split() for line in LINES])


@pytest.fixture
def toy() -> Toy:
    """Moves a past the two words after it."""
    return Toy().fit(TrainingData([Source(("a", "b", "c"))], [Alignment(3, 3, [(0, 2), (1, 0), (2, 1)])]))


def lines(toy: Toy, **wanted: object) -> list[str]:
    return OutputFormat(**wanted).lines(DecodedBlock(toy, SOURCES), 0)  # type: ignore[arg-type]


def test_orders_and_text(toy: Toy) -> None:
    assert lines(toy) == ["1 2 0 3", "", "0", "0 2 3 1 4"]
    orders = [Order(empty=True).parse(line) for line in lines(toy)]
    assert orders == toy.reorder_batch(SOURCES)
    for text, order, source in zip(lines(toy, kind="text"), orders, SOURCES, strict=True):
        assert text == " ".join(order.apply(source.words))
    factors = lines(toy, kind="factor")
    for line, order in zip(factors, orders, strict=True):
        pairs = [item.rsplit("|", 1) for item in line.split()]
        assert [int(place) for _, place in pairs] == order.ranks.tolist()


def test_trees_and_their_order(toy: Toy) -> None:
    for line, order in zip(lines(toy, kind="tree"), toy.reorder_batch(SOURCES), strict=True):
        assert line == "" if not len(order) else SourceTree.parse(line)[0].order() == order


def test_nbest_and_quasiperms(toy: Toy) -> None:
    found = toy.nbest_batch(SOURCES, 3)
    rows = [line.split(" ||| ") for line in lines(toy, kind="nbest", k=3)]
    flat = [(number, one) for number, some in enumerate(found) for one in some]
    assert [int(row[0]) for row in rows] == [number for number, _ in flat]
    assert [row[1] for row in rows] == [" ".join(map(str, one.order.order)) for _, one in flat]
    assert [float(row[4]) for row in rows] == [one.log_prob for _, one in flat]
    assert [float(row[3]) for row in rows] == pytest.approx([one.loss for _, one in flat], abs=1e-5)
    records = [QuasiPerms().parse(line) for line in lines(toy, kind="quasiperm", k=3)]
    assert [(r.sentence, r.order) for r in records] == [(number, one.order) for number, one in flat]
    assert [r.expectation for r in records] == pytest.approx([1 - one.loss for _, one in flat])
    assert [r.rank for r in records if r.sentence == 0] == [0, 1, 2]


def test_the_forms_of_the_original_program(toy: Toy) -> None:
    class Marking(Toy):
        def nbest_batch(self, sources: list[Source], k: int) -> list[list[Candidate]]:  # type: ignore[override]
            return [[one._replace(unaligned=(0,)) for one in some] if some[0].order else some
                    for some in super().nbest_batch(sources, k)]  # fmt: skip

    made = Marking().fitted(toy.state, toy.trained)
    record = QuasiPerms().parse(lines(made, kind="quasiperm", k=1)[0])
    assert record.unaligned == (0,)
    text = lines(made, kind="text", form="original")[0]
    head, _, words = text.partition(" ||| ")
    assert head.startswith("sent 0 rank 0 expectation 1.0 weight 0.0 expWeight 1.0")
    assert sorted(words.split()) == ["UNALIGNED_a_UNALIGNED", "b", "c", "d"]
    tree = lines(made, kind="tree", form="original")[0]
    assert SourceTree.parse(tree.partition(" ||| ")[2])[0].order() == toy.reorder_batch(SOURCES)[0]
    plain = [PrecedenceTables().parse(line) for line in lines(toy, kind="precedence")]
    divided = lines(toy, kind="precedence", form="original")
    assert [PrecedenceTables(divided=True).parse(line) for line in divided] == plain
    assert sum(float(entry.split(":")[2]) for entry in divided[0].split()) == pytest.approx(1)
    for source, table, one in zip(SOURCES, toy.precedence_batch(SOURCES), plain, strict=True):
        np.testing.assert_array_equal(one.table(len(source)), table)


def test_lattices_hold_the_orders_and_their_probabilities(toy: Toy) -> None:
    found = toy.nbest_batch(SOURCES, 4)
    for line, source, some in zip(lines(toy, kind="lattice", k=4), SOURCES, found, strict=True):
        states = Plf().parse(line)
        paths: dict[tuple[str, ...], float] = {}
        stack: list[tuple[int, tuple[str, ...], float]] = [(0, (), 1.0)]
        while stack:
            state, words, weight = stack.pop()
            if state == len(states):
                paths[words] = weight
                continue
            for arc in states[state]:
                stack.append((state + arc.step, (*words, arc.word), weight * arc.features[0][1]))
        assert paths.keys() == {tuple(one.order.apply(source.words)) for one in some}
        chances = [math.exp(one.log_prob or 0.0) for one in some]
        for one, chance in zip(some, chances, strict=True):
            assert paths[tuple(one.order.apply(source.words))] == pytest.approx(chance / sum(chances))
    text = "".join(line + "\n" for line in lines(toy, kind="lattice", k=4, form="openfst"))
    automata = list(OpenFst().read(io.BytesIO(text.encode()), "x"))
    assert len(automata) == len(SOURCES) and automata[1].arcs == ()
    for one, some in zip(automata, found, strict=True):
        arcs = {(arc.source, int(arc.reads) - 1): arc for arc in one.arcs}
        for candidate in some:
            state, cost = 0, 0.0
            for position in candidate.order.order:
                arc = arcs[state, position]
                state, cost = arc.target, cost + arc.weight
            assert (state, 0.0) in one.finals and candidate.log_prob == pytest.approx(-cost, abs=1e-6)
    for line, source, some in zip(lines(toy, kind="lattice", k=4, form="json"), SOURCES, found, strict=True):
        data = orjson.loads(line)
        assert data["words"] == list(source.words) and data["states"] == data["final"] + 1
        steps = {(begin, position): (end, *numbers) for begin, end, position, *numbers in data["arcs"]}
        for candidate in some:
            state, log_prob, loss = 0, 0.0, 0.0
            for position in candidate.order.order.tolist():
                state, arc_log_prob, arc_loss = steps[state, position]
                log_prob, loss = log_prob + arc_log_prob, loss + arc_loss
            assert state == data["final"]
            assert (log_prob, loss) == pytest.approx((candidate.log_prob, candidate.loss), abs=1e-6)
    named = Plf().parse(lines(toy, kind="lattice", k=4, form="plf-named")[0])
    assert [name for name, _ in named[0][0].features] == ["index", "KTau", "src_state", "tgt_state", "LogP"]


def test_special_words_are_refused_or_escaped(toy: Toy) -> None:
    bad = as_sources([["a"], ["x|y", "b"]])
    with pytest.raises(WordOrderError, match=r"sentence 8: the word 'x\|y' contains \|"):
        OutputFormat(kind="factor").lines(DecodedBlock(toy, bad), 6)
    assert (
        OutputFormat(kind="factor", escape="moses")
        .lines(DecodedBlock(toy, bad), 6)[1]
        .startswith("x&#124;y|")
    )


def test_what_cannot_be_wanted() -> None:
    for settings, said in [
        ({"kind": "orders"}, "unknown output 'orders'"),
        ({"kind": "order", "form": "plf"}, "order has no format 'plf'. It has only one format"),
        ({"kind": "lattice", "form": "pdf"}, "Formats: plf, plf-named, openfst, json"),
        ({"k": 0}, "0 orders per sentence"),
        ({"kind": "text", "escape": "html"}, "unknown escapes 'html'; expected one of none, moses"),
        ({"kind": "order", "escape": "moses"}, "order has no escaped words"),
    ]:
        with pytest.raises(BadSetting, match=said):
            OutputFormat(**settings)  # type: ignore[arg-type]
    assert len(KINDS) == 10


def test_links_follow_their_words() -> None:
    alignment = Alignment(3, 2, [(0, 1)], possible=[(2, 0)])
    moved = realigned(alignment, Permutation.from_order([2, 0, 1]))
    assert (moved.sure, moved.possible) == (((1, 1),), ((0, 0),))


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "s").write_text("a b\n\nc\n")
    (tmp_path / "t").write_text("x y z\n\nw\n")
    (tmp_path / "a").write_text("0-1 1-0\n\n0-0\n")
    tree = "1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t1\t_\t_\t_\n\n"
    (tmp_path / "c").write_text(tree + "1\tc\t_\t_\t_\t_\t0\t_\t_\t_\n\n")
    return tmp_path


def test_sentences_with_all_that_is_known(files: Path) -> None:
    rows = list(read_sources(str(files / "s"), align=str(files / "a"), target=str(files / "t")))
    assert [row.source.words for row in rows] == [("a", "b"), (), ("c",)]
    assert rows[0].source.alignment == Alignment(2, 3, [(0, 1), (1, 0)])
    trees = list(read_sources(None, parse=str(files / "c")))
    assert [row.source.words for row in trees] == [("a", "b"), ("c",)]
    (files / "s2").write_text("a b\nc\n")
    both = list(read_sources(str(files / "s2"), parse=str(files / "c")))
    assert both[0].source.parse is not None and both[0].source.parse.heads == [0, 1]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a", "0-1 1-0\n\n1-0\n", r"a:3: link 1-0 is past the last source word \(1 word, 0\)"),
        ("a", "0-1 1-7\n\n0-0\n", r"a:1: link 1-7 is past the last target word"),
        ("a", "0-1 one\n\n0-0\n", r"a:1: link 2 is 'one'"),
        ("a", "0-1 1-0\n\n", r"a:2: is where this file ends, but .*s has 3 lines"),
        ("t", "x y z\n\nw\nv\n", r"s:3: is where this file ends"),
        ("s", "", r"s: is empty"),
    ],
)
def test_what_does_not_go_together_is_told(files: Path, name: str, content: str, said: str) -> None:
    (files / name).write_text(content)
    with pytest.raises(BadFile, match=said):
        list(read_sources(str(files / "s"), align=str(files / "a"), target=str(files / "t")))


def test_parses_must_have_the_words_of_the_text(files: Path) -> None:
    (files / "s").write_text("a x\nc\n")
    with pytest.raises(BadFile, match=r"c:1: word 2 is 'b' here and 'x' in the text"):
        list(read_sources(str(files / "s"), parse=str(files / "c")))
    (files / "s").write_text("a b\nc d\n")
    with pytest.raises(BadFile, match=r"c:4: the sentence has 1 words here and 2 in the text"):
        list(read_sources(str(files / "s"), parse=str(files / "c")))


def test_there_must_be_something_to_learn_from(files: Path) -> None:
    sources, alignments = read_training(str(files / "s"), str(files / "a"))
    assert len(sources) == len(alignments) == 3 and alignments[0].target_size == 2
    for content, said in (("\n\n\n", "has no words"), ("", "is empty")):
        (files / "s").write_text(content)
        (files / "a").write_text(content)
        with pytest.raises(BadFile, match=said):
            read_training(str(files / "s"), str(files / "a"))
    (files / "s").write_text("a\nb\n")
    (files / "a").write_text("5-5\nx\n")
    with pytest.raises(BadFile, match="nothing is left: 2 skipped"):
        read_training(str(files / "s"), str(files / "a"), lenient=Lenient())
