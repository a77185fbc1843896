"""Corpora in many files: which files belong together, and columns of tables as texts."""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from wordorder.errors import BadFile, BadSetting
from wordorder.io import parquet as parquet_format
from wordorder.io.aligned import read_pairs
from wordorder.io.lenient import Lenient
from wordorder.io.lines import LONGEST_LINE
from wordorder.io.parallel import read_parallel
from wordorder.io.shards import Shard, find_shards, is_sharded


def make(folder: Path, *names: str) -> str:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("a\n")
    return str(folder)


@pytest.mark.parametrize(
    "first, second, expected",
    [
        (["a.en", "b.en"], ["a.ja", "b.ja"], ["a a", "b b"]),
        (["part-01.en.gz", "part-10.en.gz"], ["01.txt", "10.txt"], ["part-01 01", "part-10 10"]),
        (["x-109", "x-119"], ["y-109-z", "y-119-z"], ["x-109 y-109-z", "x-119 y-119-z"]),
        (["only.txt"], ["other.txt"], ["only other"]),
        (["1.txt", "2.txt", "12.txt"], ["1", "2", "12"], ["1 1", "12 12", "2 2"]),
        (["c.en.00", "c.en.01"], ["c.ja.00", "c.ja.01"], ["c.en.00 c", "c.en.01 c"]),
        (["2024.01.txt", "2024.02.txt.gz"], ["01", "02"], ["2024.01 01", "2024.02 02"]),
        (["p-0-a.txt", "p-1-b.txt", "_SUCCESS"], ["p-0-a.txt", "p-1-b.txt"], ["p-0-a p-0-a", "p-1-b p-1-b"]),
    ],
)
def test_files_belong_together_by_the_part_that_differs(
    tmp_path: Path, first: list[str], second: list[str], expected: list[str]
) -> None:
    a, b = make(tmp_path / "a", *first), make(tmp_path / "b", *second)
    found = find_shards({"one": a, "two": b})
    assert [f"{s.name} {Path(s.files['two']).name.partition('.')[0]}" for s in found] == expected


def test_patterns_choose_among_files_and_manifests_are_none(tmp_path: Path) -> None:
    folder = make(tmp_path / "x", "a.en", "b.en", "a.ja", "b.ja", "manifest.json", ".hidden")
    found = find_shards({"source": f"{folder}/*.en", "target": f"{folder}/?.ja"})
    assert found[1] == Shard("b", {"source": f"{folder}/b.en", "target": f"{folder}/b.ja"})
    (tmp_path / "x" / "a.en.gz").write_bytes(b"")
    with pytest.raises(BadFile, match=r"a\.en\.gz: differs from .*a\.en only in how it is packed"):
        find_shards({"source": f"{folder}/*.en*"})
    make(tmp_path / "y", "text.en"), make(tmp_path / "z", "text.en")
    folders = find_shards({"source": f"{tmp_path}/[yz]/text.en"})
    assert [shard.name for shard in folders] == ["y-text", "z-text"]


def test_what_does_not_fit_is_reported(tmp_path: Path) -> None:
    a, b = make(tmp_path / "a", "1", "2", "3"), make(tmp_path / "b", "1", "2")
    with pytest.raises(
        BadFile, match=r"a/3: has no partner in .*b: no name there has '3' where names differ"
    ):
        find_shards({"one": a, "two": b})
    with pytest.raises(
        BadFile, match=r"a/3: has no partner in .*b: no name there has '3' where names differ"
    ):
        find_shards({"one": b, "two": a})
    with pytest.raises(BadFile, match=r"no file is there"):
        find_shards({"one": f"{a}/*.txt"})
    with pytest.raises(BadFile, match=r"a/1: is a single file, but .*b means many"):
        find_shards({"one": f"{a}/1", "two": b})


def test_names_that_no_manifest_can_hold_are_refused(tmp_path: Path) -> None:
    folder = make(tmp_path / "a", "1")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff")).write_text("x")
    with pytest.raises(BadFile, match="cannot be written in a manifest"):
        find_shards({"one": folder})


@pytest.mark.parametrize("path", ["no-such-folder", "a/1"])
def test_paths_that_mean_no_files_are_named(tmp_path: Path, path: str) -> None:
    make(tmp_path / "a", "1")
    with pytest.raises(BadFile, match=rf"{path}: is neither a folder nor a pattern"):
        find_shards({"one": f"{tmp_path}/{path}"})
    with pytest.raises(BadFile, match="is neither a folder nor a pattern"):
        find_shards({})


def test_a_file_with_a_star_in_its_name_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "a*").write_text("x\n")
    assert (
        not is_sharded(str(tmp_path / "a*"))
        and is_sharded(str(tmp_path / "b*"))
        and is_sharded(str(tmp_path))
    )


# Columns


def texts(*sources: object) -> list[tuple[object, ...]]:
    return [row.records for row in read_parallel(sources)]  # type: ignore[arg-type]


def test_a_column_of_json_lines_is_a_text(tmp_path: Path) -> None:
    table = tmp_path / "pairs.jsonl"
    table.write_text('{"s": "the cat", "links": "0-0 1-1"}\n{"s": "", "links": ""}\n')
    assert texts(f"{table}#s") == [("the cat",), ("",)]
    (first, _), _ = texts((f"{table}#links", "pharaoh"), f"{table}#s")
    assert first.links == ((0, 0), (1, 1))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "line, message",
    [
        ('{"t": "x"}', "no column 's'; the row has 't'"),
        ('{"s": null}', "'s' is null; expected text"),
        ('{"s": 5}', "'s' is '5'; expected text"),
        ('{"s": "two\\nlines"}', "contains a line break"),
        ("[1]", "is not an object"),
    ],
)
def test_cells_that_are_no_line_are_errors_or_skipped(tmp_path: Path, line: str, message: str) -> None:
    table = tmp_path / "pairs.jsonl"
    table.write_text(f'{{"s": "fine"}}\n{line}\n')
    with pytest.raises(BadFile, match=message) as caught:
        texts(f"{table}#s")
    assert caught.value.line == 2
    lenient = Lenient()
    assert [row.records for row in read_parallel([f"{table}#s"], lenient=lenient)] == [("fine",)]
    assert lenient.total == 1


def test_a_file_name_may_hold_the_mark(tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl#s"
    odd.write_text("plain\n")
    assert texts(str(odd)) == [("plain",)]
    table = tmp_path / "t.jsonl"
    table.write_text('{"s": "x"}\n')
    with pytest.raises(BadSetting, match="cannot hold wpt"):
        texts((f"{table}#s", "wpt"))


def test_parquet_is_read_like_json_lines(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [{"source": f"the cat {k}", "target": f"die katze {k}"} for k in range(3000)]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=700)
    expected = [(row["source"],) for row in rows]
    assert texts(f"{tmp_path}/t.parquet#source") == expected
    pairs = list(read_pairs(str(tmp_path / "t.parquet")))
    assert [(pair.source, pair.target) for pair in pairs] == [tuple(row.values()) for row in rows]
    assert texts(f"{tmp_path}/t.parquet#target")[0] == ("die katze 0",)
    with pytest.raises(BadFile, match=r"\.parquet: no column 'x'; the file has 'source', 'target'"):
        texts(f"{tmp_path}/t.parquet#x")
    with pytest.raises(BadFile, match="name one of its columns"):
        texts(f"{tmp_path}/t.parquet")
    odd = arrow.table({
        "tr": [{"en": "yes", "de": "ja"}], "a#b": ["c"], "when": arrow.array([1], arrow.timestamp("ns")),
        "bytes": arrow.array([b"\xff"]).view(arrow.string()),
    })  # fmt: skip
    parquet.write_table(odd, tmp_path / "odd.parquet")
    assert texts(f"{tmp_path}/odd.parquet#tr.en", f"{tmp_path}/odd.parquet#a#b") == [("yes", "c")]
    with pytest.raises(BadFile, match=r"odd\.parquet:1: byte 0xff") as caught:
        texts(f"{tmp_path}/odd.parquet#bytes")
    assert caught.value.line == 1
    (tmp_path / "folder").mkdir()
    (tmp_path / "t.parquet").rename(tmp_path / "folder" / "t.parquet")
    (shard,) = find_shards({"source": f"{tmp_path}/folder#source"})
    assert texts(shard.files["source"]) == expected
    data = (tmp_path / "folder" / "t.parquet").read_bytes()
    for damaged in (data[:100], data[:-100], b"PAR1" + b"x" * 50, b""):
        (tmp_path / "bad.parquet").write_bytes(damaged)
        with pytest.raises(BadFile, match=r"bad\.parquet: is not Parquet, or damaged"):
            texts(f"{tmp_path}/bad.parquet#source")


def test_parquet_that_claims_more_than_memory_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table({"source": ["a"]}), tmp_path / "t.parquet")

    def claimed(*_: object, **__: object) -> None:
        raise arrow.lib.ArrowMemoryError("malloc of size 1975993920 failed")

    monkeypatch.setattr(parquet.ParquetFile, "iter_batches", claimed)
    with pytest.raises(BadFile, match=r"t\.parquet: is damaged, or needs more memory than there is"):
        texts(f"{tmp_path}/t.parquet#source")


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a column of texts, where lines of more than a megabyte are refused."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setenv(LONGEST_LINE, str(1 << 20))

    def write(values: Any, **settings: Any) -> str:
        column = arrow.array(values) if isinstance(values, list) else values
        path = tmp_path / "t.parquet"
        parquet.write_table(arrow.table({"t": column}), path, compression="zstd", **settings)
        assert path.stat().st_size < 100_000
        return f"{path}#t"

    return write


LONG, MANY = "a b " * 300_000, "a b " * 200_000  # longer than a megabyte, almost a megabyte


@pytest.mark.parametrize("dictionary", [False, True])
@pytest.mark.parametrize(
    "values, settings, row, message",
    [
        ([LONG], {}, 1, "the row is longer than 1,048,576 bytes"),
        (["x", "y", LONG, "z"], {"row_group_size": 1}, 3, "the row is longer"),
        (["x"] * 2000 + [LONG, "z"], {}, 2001, r"the row is longer than .*--longest-line BYTES"),
        ([LONG] * 9, {}, 1, "one of the rows up to 9 is longer"),
    ],
)
def test_parquet_rows_are_as_long_as_lines_may_be(
    packed: Callable[..., str],
    values: list[str],
    settings: dict[str, int],
    row: int,
    message: str,
    dictionary: bool,
) -> None:
    if dictionary and len(set(values)) < len(values):
        settings = {**settings, "dictionary_pagesize_limit": 1 << 30}
    path = packed(values, use_dictionary=dictionary, **settings)
    if dictionary and len(values) == 9:  # held once, so that the rows seem to be short
        row, message = 1, "the row is longer"
    with pytest.raises(BadFile, match=message) as caught:
        texts(path)
    assert caught.value.line == row


def test_a_long_parquet_row_is_refused_before_it_is_unpacked(
    packed: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyarrow.parquet.ParquetFile.iter_batches", None)
    with pytest.raises(BadFile, match="the row is longer"):
        texts(packed([LONG]))


def test_a_text_of_many_parquet_rows_is_unpacked_row_by_row(
    packed: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arrow = pytest.importorskip("pyarrow")
    sizes: list[int] = []
    rows = parquet_format._rows

    def counted(batch: Any, *where: Any) -> Iterator[Any]:
        sizes.append(sum(len(row["t"]) if row["t"] else 0 for row in batch.to_pylist()))
        return rows(batch, *where)

    monkeypatch.setattr(parquet_format, "_rows", counted)
    column = arrow.DictionaryArray.from_arrays(arrow.array([0, 1] * 50, arrow.int32()), [MANY, "x"])
    for typed in (column, column.dictionary_decode()):
        path = packed(typed, dictionary_pagesize_limit=1 << 30)
        assert texts(path) == [(MANY,), ("x",)] * 50
    assert len(sizes) > 100 and max(sizes) <= 1 << 20


# Found by fuzzing: sizes of texts in the description of a column of numbers, which ends pyarrow.
DAMAGED = (
    "c-p;{%}X0W7{+I2H)AZRMA;d3A%w;1l0(#dXlhChnb=sh(I(PT6$+*?#9FF${pzVy5b2=@52bhvLcxPb"
    "50;9j(o;`8l;WueulCe`K<MmjHbE1qy>t#U?>^c2z0X5t*en|l6PauyvIR55Pe2<0fsZ|B`kONdI*<zh"
    "kk=pUp>QPH+ZVgpAID*<#uYu>dmWVBflu$Jw_3gUH85X=lJb_c0o#Y(-XMVJBogFQFTn)+Vj$qMHpNx3"
    "gj!ocrI~jf0K^~sP<DAE_gA-%eztH|Ekw@{RP)pn2SDPl74#X-ZX+G%*b<jjYpQXZhaE2T0}kA)i}_B("
    "ti}-$Bh|Ey9*K*XP1mG!GM-ffNRc<z+snSdUiuU@h>7h@Dz>5jKj>FTW-~;o5oaDjaN@*?)&-2l-7-#o"
    "hFJDZCl7S!WKu3<idHg38~k~SlZn??%cNW>lLDc_fm)&usCcO`TYQ!$G8Z}#e_U8G3&l>5@mWnhmb9EV"
    "OU31iM6+5#3mU*jJX#;XUd`D;Jk(EjB)W%;Luj}golPysQviYhpS*lY&@$ApW&l42pF`R$1@a}`fyQrS"
    "9H5J->Ty$58ZFDzZ@B3<30&^>NTMH*vFS37rN(EhzQe&44S&JLCjKYGhnC@EiGIJ_u|j_!x`~W^x3SyQ"
    "_ypCrcp+LSml{@V!@ru1{pP<LPE={!C{?%*y2}mwR1X^;zxVK#eVWu0*kg?tvqp~D<1S-sELCEIjFs3x"
    "Noc7QW206vz}T=5YAdr#yAt!*9EbMvB0ZQEqJX4Xbxc}fXmVm?erkfZ9To5ASSn}n?=V(iw=1yfrrZPJ"
    "Z|I!W3VLX4b!K8@ZYt+&sr?RAeKBu7Unwqk6&4q}@}{}4rmq&wr6&vXdL-5z>JDo`eqpRT^OWDxEdMP0"
    "0p-LT;s"
)


def test_damage_that_ends_pyarrow_is_one_line(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "t.parquet").write_bytes(zlib.decompress(base64.b85decode(DAMAGED)))
    with pytest.raises(BadFile, match=r"t\.parquet: is not Parquet, or damaged"):
        texts(f"{tmp_path}/t.parquet#source")
