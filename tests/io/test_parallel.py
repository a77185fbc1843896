"""Files in step: lengths, skips, several formats, memory."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_output
from wordorder.io.lenient import Lenient
from wordorder.io.links import LinkRecord
from wordorder.io.parallel import batches, read_parallel
from wordorder.io.read_write import read_records, write_records


def files(folder: Path, **contents: bytes) -> list[str]:
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return [str(folder / name) for name in contents]


def test_rows_of_several_formats(tmp_path: Path) -> None:
    a, b, c, d = files(tmp_path, a=b"x y\nz\n", b=b"\nq", c=b"1 0\n0\n", d=b"0-0\n\n")
    rows = list(read_parallel([a, b, (c, "order"), (d, None)]))
    assert [row.number for row in rows] == [1, 2]
    assert rows[0].records[:2] == ("x y", "") and list(rows[0].records[2]) == [1, 0]
    assert rows[1].records[3] == LinkRecord()
    assert list(read_parallel([])) == []
    assert list(read_parallel(files(tmp_path, e=b"", f=b""))) == []


@pytest.mark.parametrize(
    ("contents", "short", "message"),
    [
        (
            (b"1\n2\n3\n", b"1\n2\n"),
            "b:2",
            "is where this file ends, but {a} has 3 lines; parallel files must",
        ),
        ((b"1\n", b"1\n2\n"), "a:1", "is where this file ends, but {b} has 2 lines"),
        ((b"", b"1\n"), "a", "is empty, but {b} has 1 line;"),
        ((b"1\n" * 5, b"1\n" * 1007, b"1\n" * 9), "a:5", "is where this file ends, but {b} has 1,007 lines"),
        ((b"1\n\n", b"1\n"), "b:1", "is where this file ends, but {a} has 2 lines"),
    ],
)
def test_files_of_different_length(
    tmp_path: Path, contents: tuple[bytes, ...], short: str, message: str
) -> None:
    names = dict(zip("abc", contents, strict=False))
    paths = files(tmp_path, **names)
    with pytest.raises(BadFile) as caught:
        list(read_parallel(paths))
    assert str(caught.value).startswith(
        f"{tmp_path}/{short}: {message.format(a=tmp_path / 'a', b=tmp_path / 'b')}"
    )
    lenient = Lenient()
    shortest = min(content.count(b"\n") for content in contents)
    assert len(list(read_parallel(paths, lenient=lenient))) == shortest
    assert lenient.total == max(content.count(b"\n") for content in contents) - shortest
    assert "no partner for" in lenient.report()


def test_a_bad_line_takes_its_row_with_it(tmp_path: Path) -> None:
    a, b = files(tmp_path, a=b"1\n\xff\n3\n4\n5\n", b=b"0-0\n1-1\nx\n2-2\n3-3\n")
    lenient = Lenient()
    rows = list(read_parallel([a, (b, "pharaoh")], lenient=lenient))
    assert [(row.number, *row.records) for row in rows] == [
        (1, "1", LinkRecord([(0, 0)])),
        (4, "4", LinkRecord([(2, 2)])),
        (5, "5", LinkRecord([(3, 3)])),
    ]
    assert lenient.counts == {(a, "not UTF-8"): 1, (b, "bad link"): 1}
    with pytest.raises(BadFile, match=f"{a}:2: byte 0xff"):
        list(read_parallel([a, (b, "pharaoh")]))


def test_sparse_files_end_early_but_not_late(tmp_path: Path) -> None:
    a, b = files(tmp_path, a=b"1\n2\n3\n", b=b"2 1 1 S\n")
    rows = list(read_parallel([a, (b, "wpt")]))
    assert [row.records[1] for row in rows] == [LinkRecord(), LinkRecord([(0, 0)]), LinkRecord()]
    a, b = files(tmp_path, a=b"1\n2\n", b=b"4 1 1 S\n")
    with pytest.raises(BadFile, match=f"{a}:2: is where this file ends, but {b} has 4 sentences"):
        list(read_parallel([a, (b, "wpt")]))
    (a,) = files(tmp_path, a=b"\n\n")
    assert [row.records[1] for row in read_parallel([a, (files(tmp_path, e=b"")[0], "wpt")])] == [
        LinkRecord()
    ] * 2


@pytest.mark.parametrize(
    ("links", "said"),
    [
        ("1 1 1 S\n2 1 1\n", "the format wpt. Try align_format=wpt."),
        ("0 1\n1 0\n", "the format order."),  # which holds no links
        ("0-0 1-1\n0-0 1=1\n", "with a score: 3-4:0.5)"),  # one bad link does not make it another format
    ],
)
def test_an_error_names_the_format_that_links_seem_to_have(tmp_path: Path, links: str, said: str) -> None:
    (tmp_path / "text").write_text("a b\nc d\n")
    (tmp_path / "links").write_text(links)
    with pytest.raises(BadFile) as caught:
        list(read_parallel([str(tmp_path / "text"), (str(tmp_path / "links"), "pharaoh")]))
    assert str(caught.value).endswith(said)


def test_standard_input_only_once() -> None:
    with pytest.raises(BadSetting, match="only once"):
        list(read_parallel(["-", "-"]))


def test_batches() -> None:
    assert [len(batch) for batch in batches(range(10_000))] == [4096, 4096, 1808]
    assert list(batches([])) == []


def test_one_file_by_path(tmp_path: Path) -> None:
    path = str(tmp_path / "x.align.zst")
    records = [LinkRecord([(0, 1)]), LinkRecord(), LinkRecord(possible=[(3, 2)])]
    write_records(path, records, "pharaoh:base=1")
    assert list(read_records(path, "pharaoh:base=1")) == records
    assert list(read_records(path)) == [
        LinkRecord([(1, 2)]),
        LinkRecord(),
        LinkRecord(possible=[(4, 3)]),
    ]  # guessed
    (bad,) = files(tmp_path, bad=b"0-0\n1+1\n")
    with pytest.raises(BadFile, match=f"{bad}:2: link 1"):
        list(read_records(bad, "pharaoh"))
    lenient = Lenient()
    assert (
        list(read_records(bad, "pharaoh", lenient=lenient)) == [LinkRecord([(0, 0)])] and lenient.total == 1
    )
    (bad,) = files(tmp_path, bad=b"fine\n\xff\n")
    with pytest.raises(BadFile, match=f"{bad}:2: byte 0xff"):
        list(read_records(bad))
    with pytest.raises(BadFile, match="line break"):
        write_records(bad, ["a\nb"], "text")
    assert Path(bad).read_bytes() == b"fine\n\xff\n"


@pytest.mark.slow
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    lines = [f"sentence {k} of {k * 7919 % 1000003} in a corpus\n".encode() for k in range(300_000)]
    paths = [str(tmp_path / "a.gz"), str(tmp_path / "b.zst")]
    for path in paths:
        with open_output(path) as out:
            out.writelines(lines)
    size = sum(map(len, lines))
    del lines
    tracemalloc.start()
    try:
        same = sum(row.records[0] == row.records[1] for row in read_parallel(paths))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert same == 300_000 and size > 10e6
    assert peak < 5e6, peak


def test_the_end_of_a_file_has_a_line(tmp_path: Path) -> None:
    row = "1\tgo\t_\tVERB\t_\t_\t0\troot\t_\t_\n"
    text, trees, nothing = (str(tmp_path / name) for name in ("text", "trees.conllu", "nothing"))
    Path(text).write_text("go\ngo\ngo\n")
    Path(trees).write_text(f"# a\n{row}\n# b\n# c\n{row}\n")
    Path(nothing).write_text("")
    with pytest.raises(BadFile, match=r"trees\.conllu:6: is where this file ends, but .*text has 3 lines"):
        list(read_parallel([text, (trees, "conllu")]))
    with pytest.raises(BadFile, match=r"nothing: is empty"):
        list(read_parallel([text, nothing]))
    lenient = Lenient()
    assert not list(read_parallel([text, nothing], lenient=lenient))
    assert ":0" not in lenient.report()
