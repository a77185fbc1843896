"""Orders and links in CoNLL-U and JSON, for other programs."""

from __future__ import annotations

import io
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.calls import call
from tests.io.strategies import sentences
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.data import sample
from wordorder.errors import WordOrderError
from wordorder.io.conllu import Conllu
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.annotated import annotated, as_record, conllu_lines
from wordorder.preorder.source import Source


def misc(sentence: Sentence, key: str) -> list[str | None]:
    columns = [[item.partition("=") for item in row.misc.split("|")] for row in sentence.words]
    return [next((value for name, _, value in items if name == key), None) for items in columns]


@given(sentences(), st.randoms())
def test_what_is_written_is_read_back_with_the_rest_as_it_was(parse: Sentence, random: object) -> None:
    size = len(parse.forms)
    ranks = list(range(size))
    random.shuffle(ranks)  # type: ignore[attr-defined]
    order = Permutation(ranks)
    made = annotated(Source(tuple(parse.forms), parse=parse), order, 1)
    text = "\n".join(conllu_lines(made)) + "\n"
    [again] = Conllu().read(io.BytesIO(text.encode()), "text")
    assert again == made and again.heads == parse.heads
    assert misc(again, "Place") == [str(rank + 1) for rank in ranks]
    for row, old in zip(again.rows, parse.rows, strict=True):
        assert row._replace(misc="_") == old._replace(misc="_")
        kept = [item for item in old.misc.split("|") if item != "_"]
        assert row.misc.split("|")[: len(kept)] == kept if row.is_word else row.misc == old.misc


def test_links_and_an_earlier_annotation() -> None:
    earlier = Row("1", "a", head="2", deprel="dep", misc="SpaceAfter=No|Place=9|Links=4")
    parse = Sentence([earlier, Row("2", "b", head="0", deprel="root")])
    source = Source(("a", "b"), parse=parse, alignment=Alignment(2, 3, [(0, 2)], possible=[(0, 0)]))
    made = annotated(source, Permutation([1, 0]), 7)
    assert [row.misc for row in made.rows] == ["SpaceAfter=No|Place=2|Links=1,3", "Place=1"]
    assert made.comments == ("# sent_id = 7", "# text = a b", "# reordered = b a")
    record = as_record(source, Permutation([1, 0]), 7, target=["x", "y", "z"])
    assert record["links"] == [[0, 2]] and record["possible"] == [[0, 0]]
    assert record["target"] == ["x", "y", "z"]
    with pytest.raises(WordOrderError, match="sentence 3 is empty"):
        annotated(Source(()), Permutation([]), 3)


def test_commands_write_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ["-s", str(sample("text.en")), "--align", str(sample("text.align"))]
    plain = call(capsys, monkeypatch, "orders", *files, "-q").stdout.splitlines()
    records = call(capsys, monkeypatch, "orders", *files, "-t", str(sample("text.ja")), "--as", "json", "-q")
    found = [orjson.loads(line) for line in records.stdout.splitlines()]
    assert [" ".join(map(str, one["order"])) for one in found] == plain
    assert [" ".join(one["target"]) for one in found] == sample("text.ja").read_text("utf-8").splitlines()
    written = call(capsys, monkeypatch, "orders", *files, "--as", "conllu", "-q").stdout.encode()
    parses = list(Conllu(trees=False).read(io.BytesIO(written), "orders"))
    places = [[int(place or 0) - 1 for place in misc(parse, "Place")] for parse in parses]
    assert [Permutation(own).order.tolist() for own in places] == [one["order"] for one in found]
    applied = ["preorder", "apply", "--model", "rules:en-ja", "--parse", str(sample("text.conllu"))]
    orders = call(capsys, monkeypatch, *applied, "--as", "order", "-q").stdout.splitlines()
    trees = call(capsys, monkeypatch, *applied, "--as", "conllu", "-q").stdout.encode()
    for parse, line in zip(Conllu().read(io.BytesIO(trees), "trees"), orders, strict=True):
        assert Permutation([int(place or 0) - 1 for place in misc(parse, "Place")]).order.tolist() == [
            int(word) for word in line.split()
        ]
    objects = call(capsys, monkeypatch, *applied, "--as", "json", "-q").stdout.splitlines()
    assert [" ".join(map(str, orjson.loads(line)["order"])) for line in objects] == orders


def test_skipped_sentences_are_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "en").write_text("a b\nc\nd e\n")
    (tmp_path / "links").write_text("0-1 1-0\nx\n0-0\n")
    options = ["-s", str(tmp_path / "en"), "--align", str(tmp_path / "links"), "--lenient", "-q"]
    for kind in ("json", "conllu"):
        done = call(capsys, monkeypatch, "orders", *options, "--as", kind)
        assert "skipped sentences are left out of the output" in done.stderr and "\n\n\n" not in done.stdout
    assert "have an empty line" in call(capsys, monkeypatch, "orders", *options).stderr
    numbers = call(capsys, monkeypatch, "orders", *options, "--as", "json").stdout.splitlines()
    assert [orjson.loads(line)["sentence"] for line in numbers] == [1, 3]
