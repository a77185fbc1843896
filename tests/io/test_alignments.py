"""Word alignments: notations, directions, bases, and links checked against the sentences."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting, InvalidAlignment
from wordorder.io.aligned import read_pairs
from wordorder.io.base import Problem
from wordorder.io.giza import GizaPair
from wordorder.io.lenient import Lenient
from wordorder.io.links import LinkRecord, collect_links
from wordorder.io.pharaoh import Pharaoh
from wordorder.io.read_write import read_records, write_records
from wordorder.io.registry import file_format
from wordorder.io.sniff import sniff_file
from wordorder.io.talbot import Talbot, TargetLinks
from wordorder.io.wpt import Wpt
from wordorder.preorder.corpus import read_sources


def read(form: str, data: bytes, *, lenient: Lenient | None = None) -> list[Any]:
    return list(file_format(form).read(io.BytesIO(data), "a.align", lenient=lenient))


@pytest.mark.parametrize(
    ("form", "line", "expected"),
    [
        ("pharaoh", "", LinkRecord()),
        ("pharaoh", "  ", LinkRecord()),
        ("pharaoh", "0-1 2-0", LinkRecord([(0, 1), (2, 0)])),
        ("pharaoh", " 2-0\t0-1  ", LinkRecord([(0, 1), (2, 0)])),
        ("pharaoh", "0-1 0-1", LinkRecord([(0, 1)])),
        ("pharaoh", "0-1 3?4 3p5", LinkRecord([(0, 1)], possible=[(3, 4), (3, 5)])),
        ("pharaoh", "0-1:0.83 2-0/0.5", LinkRecord([(0, 1), (2, 0)], scores={(0, 1): 0.83, (2, 0): 0.5})),
        ("pharaoh", "0-1:1 0-2", LinkRecord([(0, 1), (0, 2)], scores={(0, 1): 1.0})),
        ("pharaoh", "1p1:-2e-3", LinkRecord(possible=[(1, 1)], scores={(1, 1): -0.002})),
        ("pharaoh:base=1", "1-2 3-1", LinkRecord([(0, 1), (2, 0)])),
        ("pharaoh:base=1", "1-2 3p1", LinkRecord([(0, 1)], possible=[(2, 0)])),
        ("pharaoh:reverse=true", "1-0 0-2", LinkRecord([(0, 1), (2, 0)])),
        (
            "pharaoh:reverse=true",
            "1-0:0.5 0?2",
            LinkRecord([(0, 1)], possible=[(2, 0)], scores={(0, 1): 0.5}),
        ),
        ("pharaoh:base=1,reverse=true", "2-1 1-3", LinkRecord([(0, 1), (2, 0)])),
    ],
)
def test_pharaoh(form: str, line: str, expected: LinkRecord) -> None:
    assert read(form, line.encode() + b"\n") == [expected]


def test_direction_is_right_where_an_alignment_is_not_its_own_inverse() -> None:
    out = io.BytesIO()
    records = [LinkRecord([(0, 1), (1, 2), (2, 0)], possible=[(3, 0)])]
    Pharaoh(base=1, reverse=True, mark="?").write(records, out)
    assert out.getvalue() == b"2-1 3-2 1-3 1?4\n"
    out = io.BytesIO()
    Wpt(reverse=True).write(records, out)
    assert out.getvalue() == b"1 2 1 S\n1 3 2 S\n1 1 3 S\n1 1 4 P\n"
    assert hash(records[0]) == hash(LinkRecord([(2, 0), (1, 2), (0, 1)], possible=[(3, 0)]))


@pytest.mark.parametrize(
    ("form", "data", "message"),
    [
        ("pharaoh", b"0-0\n0-0 1_1\n", "a.align:2: link 2 is '1_1'; expected two numbers like 3-4"),
        ("pharaoh", b"0-0\n\n-1-0\n", "a.align:3: link 1 is '-1-0'"),
        ("pharaoh", b"0-0 0p0\n", "a.align:1: link 0-0 is marked both sure and possible"),
        ("pharaoh", b"0-0:x\n", "a.align:1: '0-0:x' has a score that is not a number"),
        ("pharaoh", b"0-0:0.5 0-0:0.6\n", "a.align:1: link 0-0:0.6 occurs twice with different scores"),
        ("pharaoh:base=1", b"1-1 2-0\n", "a.align:1: link 2-0 is before the first word.*Try base=0"),
        ("wpt", b"1 1 1 S\n1 2\n", "a.align:2: '1 2'; expected: sentence i j"),
        ("wpt", b"1 1 1 Q\n", "a.align:1: 'Q' is neither S, P nor a score"),
        ("wpt", b"3 1 1\n2 1 1\n", "a.align:2: sentence 2 comes after sentence 3; sort"),
        ("wpt", b"1 1 1\n1000002 1 1\n", "a.align:2: sentence 1000002 after sentence 1: 1,000,000 sentences"),
        ("wpt", b"0000 1 1\n", "a.align:1: sentence 0; sentences are counted from 1"),
        ("lader", b"2-2 ||| 0-0\n0-0 1-1\n", "a.align:2: '0-0 1-1'; expected sizes and links"),
        ("lader", b"2-2 ||| 0-2\n", "a.align:1: link 0-2: target word 2 does not exist .2 words, 0-1"),
        ("lader", b"2-2 ||| 0-0 x\n", "a.align:1: link 2 is 'x'"),
    ],
)
def test_bad_links_have_their_place(form: str, data: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=f"^{message}"):
        read(form, data)


def test_wpt_fields() -> None:
    data = b"0002 1 2 S\n0002\t2 1 P\n2 0 3 S\n2 3 0 P\n2 4 4\n0005 1 1 P 0.5\n5 2 2 0.25\n5 3 3 S 1\n"
    expected = [
        LinkRecord(),
        LinkRecord([(0, 1), (3, 3)], possible=[(1, 0)]),
        LinkRecord(),
        LinkRecord(),
        LinkRecord([(1, 1), (2, 2)], possible=[(0, 0)], scores={(0, 0): 0.5, (1, 1): 0.25, (2, 2): 1.0}),
    ]
    assert read("wpt", data) == expected
    assert [links.line for links in read("wpt", data)] == [0, 1, 0, 0, 6]


def test_wpt_lists_sure_links_as_possible_ones_too() -> None:
    assert read("wpt", b"1 1 1 P\n1 1 1 S\n1 2 2 S\n1 2 2 P\n1 3 3 P\n") == [
        LinkRecord([(0, 0), (1, 1)], possible=[(2, 2)])
    ]


def test_a_bad_line_spoils_every_wpt_sentence_it_may_belong_to() -> None:
    def found(data: bytes) -> list[int]:
        scanned = Wpt().scan(io.BytesIO(data), "a")
        return [number for number, one in enumerate(scanned, start=1) if isinstance(one, LinkRecord)]

    assert found(b"1 1 1\n2 1 1\nbad\n2 2 2\n3 1 1\n") == [1, 3]
    assert found(b"1 1 1\n2 1 1\nbad\n3 1 1\n4 1 1\n") == [1, 4]
    assert found(b"1 1 1\n\xff\n4 1 1\n5 1 1\n") == [5]
    assert found(b"bad\n2 1 1\n3 1 1\n") == [3]
    assert found(b"1 1 1\n2 1 1\nbad\n") == [1]
    assert found(b"bad\n") == []


def test_links_are_checked() -> None:
    with pytest.raises(InvalidAlignment, match="both sure and possible"):
        LinkRecord([(0, 0)], possible=[(0, 0)])
    with pytest.raises(InvalidAlignment, match="begin at 0"):
        LinkRecord([(0, -1)])
    with pytest.raises(InvalidAlignment, match="1-1 has a score but is not a link"):
        LinkRecord([(0, 0)], scores={(1, 1): 0.5})
    with pytest.raises(BadFile, match=r"out:1: link 0-0 has the score nan"):
        Pharaoh().write([LinkRecord([(0, 0)], scores={(0, 0): float("nan")})], io.BytesIO(), file="out")
    with pytest.raises(BadFile, match=r"out: sentence 1: link 0-0 has the score inf"):
        Wpt().write([LinkRecord([(0, 0)], scores={(0, 0): float("inf")})], io.BytesIO(), file="out")
    with pytest.raises(BadFile, match="out:1: link 0-0 is only possible"):
        file_format("lader").write([Alignment(1, 1, possible=[(0, 0)])], io.BytesIO(), file="out")


@pytest.fixture
def texts(tmp_path: Path) -> tuple[str, str]:
    source, target = tmp_path / "en.txt", tmp_path / "ja.txt"
    source.write_text("a b c\n\nd e f g h i\n", encoding="utf-8")
    target.write_text("x y\nz\n1 2 3 4 5 6 7 8\n", encoding="utf-8")
    return str(source), str(target)


def aligned(texts: tuple[str, str], links: bytes, form: str = "pharaoh", **options: Any) -> list[Any]:
    path = Path(texts[0]).with_name("en-ja.align")
    path.write_bytes(links)
    return list(read_sources(texts[0], align=str(path), target=texts[1], form=form, **options))


def test_alignments_beside_their_texts(texts: tuple[str, str]) -> None:
    expected = [Alignment(3, 2, [(0, 1), (2, 0)]), Alignment(0, 1), Alignment(6, 8, [(5, 7)])]
    for form, data in (
        ("pharaoh", b"0-1 2-0\n\n5-7\n"),
        ("pharaoh:base=1", b"1-2 3-1\n\n6-8\n"),
        ("pharaoh:reverse=true", b"1-0 0-2\n\n7-5\n"),
        ("lader", b"3-2 ||| 0-1 2-0\n0-1 |||\n6-8 ||| 5-7\n"),
        ("wpt", b"1 1 2 S\n1 3 1 S\n3 6 8 S\n"),
    ):
        found = aligned(texts, data, form)
        assert [row.source.alignment for row in found] == expected
        assert (
            found[0].number == 1 and found[0].source.words == ("a", "b", "c") and found[1].source.words == ()
        )
    assert [row.source.alignment.links for row in aligned(texts, b"1 1 1 P\n", "wpt")] == [((0, 0),), (), ()]


@pytest.mark.parametrize(
    ("form", "links", "message"),
    [
        ("pharaoh", "\n\n5-9", "3: link 5-9 is past the last target word (8 words, 0-7)."),
        ("pharaoh", "\n\n5-8",
         "3: link 5-8 is past the last target word (8 words, 0-7). Do your links start at 1? Try base=1."),
        ("pharaoh", "\n\n0-0 5-8", "3: link 5-8 is past the last target word (8 words, 0-7)."),
        ("pharaoh", "\n\n6-5 1-1",
         "3: link 6-5 is past the last source word (6 words, 0-5). Do your links start at 1? Try base=1."),
        ("pharaoh", "\n\n7-5",
         "3: link 7-5 is past the last source word (6 words, 0-5). Does the target come first in your links?"
         " Try align_format=pharaoh:reverse=true."),
        ("pharaoh:base=1", "\n\n7-1",
         "3: link 7-1 is past the last source word (6 words, 1-6). Does the target come first in your links?"
         " Try align_format=pharaoh:reverse=true."),
        ("pharaoh:base=1,reverse=true", "\n\n9-1",
         "3: link 9-1 is past the last target word (8 words, 1-8)."),
        ("pharaoh", "\n0-0\n", "2: link 0-0 is past the last source word (no words)."),
        ("pharaoh", "\n\n", "2: is where this file ends, but "),
        ("lader", "3-2 |||\n0-1 |||\n6-7 |||", "3: sizes 6-7, but the sentences have 6 and 8 words"),
        ("wpt", "1 1 1\n3 1 1\n3 7 1 P", "2: link 7-1 is past the last source word (6 words, 1-6). Does the"
         " target come first in your links? Try align_format=wpt:reverse=true."),
    ],
)  # fmt: skip
def test_links_out_of_range(texts: tuple[str, str], form: str, links: str, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        aligned(texts, links.encode(), form)
    assert str(caught.value).startswith(f"{Path(texts[0]).with_name('en-ja.align')}:{message}")


def test_lenient_counts_and_skips_links_out_of_range(texts: tuple[str, str]) -> None:
    lenient = Lenient()
    found = aligned(texts, b"0-9\n\n1-1\n", lenient=lenient)
    assert [pair.number for pair in found] == [2, 3] and lenient.total == 1
    assert "skipped 1 (link out of range); the first: " in lenient.report()


def test_talbot_names_the_source_words_of_each_target_word(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b c\nd\n", encoding="utf-8")
    (tmp_path / "t").write_text("x y z\nw\n", encoding="utf-8")

    def read(links: str, target: bool = True) -> list[Alignment | None]:
        (tmp_path / "l").write_text(links, encoding="utf-8")
        beside = str(tmp_path / "t") if target else None
        rows = read_sources(str(tmp_path / "s"), align=str(tmp_path / "l"), target=beside, form="talbot")
        return [row.source.alignment for row in rows]

    assert read("2,0_1,\n0\n") == [Alignment(3, 3, [(0, 1), (1, 1), (2, 0)]), Alignment(1, 1, [(0, 0)])]
    assert read("2,0_1,,\n0,0\n", target=False)[0] == Alignment(3, 4, [(0, 1), (1, 1), (2, 0)])
    for links, told in (
        ("2,0_1\n0\n", "l:1: 2 target words, but the sentence has 3"),
        ("2,0_3,\n0\n", "l:1: source word 3 does not exist; the sentence has 3 words, from 0"),
        ("2,,\nx\n", "l:2: target word 1 has 'x'; expected source positions like 7_8, or nothing"),
    ):
        with pytest.raises(BadFile, match=told):
            read(links)
    with pytest.raises(Problem, match="looks like no target words"):
        Talbot().to_line(TargetLinks(((),)))


GIZA = """# Sentence pair (1) source length 3 target length 4 alignment score : 2.08562e-23
w x y z
NULL ({ 3 }) a ({ 2 }) b ({ }) c ({ 4 1 })
# Sentence pair (2) source length 1 target length 1 alignment score : 0.5
v
NULL ({ }) d ({ 1 })
"""


def test_alignments_of_giza(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b c\nd\n", encoding="utf-8")
    (tmp_path / "t").write_text("w x y z\nv\n", encoding="utf-8")

    def read(source: str, target: str | None, text: str = GIZA, form: str = "giza") -> list[Alignment | None]:
        (tmp_path / "st.A3.final").write_text(text, encoding="utf-8")
        beside = str(tmp_path / target) if target else None
        rows = read_sources(
            str(tmp_path / source), align=str(tmp_path / "st.A3.final"), target=beside, form=form
        )
        return [row.source.alignment for row in rows]

    found = [Alignment(3, 4, [(0, 1), (2, 0), (2, 3)]), Alignment(1, 1, [(0, 0)])]
    assert read("s", "t") == read("s", None) == found
    turned = [alignment.inverse() for alignment in found]
    assert read("t", "s", form="giza:reverse=true") == read("t", None, form="giza:reverse=true") == turned
    assert sniff_file(str(tmp_path / "st.A3.final")).guesses[0].name == "giza"
    assert collect_links(read_records(str(tmp_path / "st.A3.final"))).target_sizes.tolist() == [4, 1]
    with pytest.raises(BadFile, match=r"A3.final:1: 3 source words and 4 target words, .*giza:reverse=true"):
        read("t", "s")
    with pytest.raises(BadFile, match=r"A3.final:4: sentence pair 3 is number 2 of the file; sort"):
        read("s", "t", GIZA.replace("(2)", "(3)"))
    with pytest.raises(BadFile, match="sentence pair 1 cannot be written: the source words and NULL do not"):
        write_records(str(tmp_path / "x"), [GizaPair(("a", "b"), ("c",), ((0, 0), (1, 0)))], "giza")


def test_formats_without_links_are_refused(texts: tuple[str, str]) -> None:
    with pytest.raises(
        BadSetting,
        match=r"tsv does not hold word alignments. Those that do: fast_align, giza, lader, pharaoh",
    ):
        aligned(texts, b"", "tsv")


def test_pairs_from_two_files_or_one(tmp_path: Path, texts: tuple[str, str]) -> None:
    expected = [(1, "a b c", "x y"), (2, "", "z"), (3, "d e f g h i", "1 2 3 4 5 6 7 8")]
    assert list(read_pairs(*texts)) == expected
    path = tmp_path / "both"
    for name, data in (
        ("joint", "".join(f"{a} ||| {b}\n" for _, a, b in expected)),
        ("tsv", "".join(f"{a}\t{b}\n" for _, a, b in expected)),
        ("jsonl", "".join(f'{{"source": "{a}", "target": "{b}", "id": {n}}}\n' for n, a, b in expected)),
    ):
        path.write_text(data, encoding="utf-8")
        assert list(read_pairs(str(path))) == list(read_pairs(str(path), form=name)) == expected
    path.write_text("a\tb\tc\n", encoding="utf-8")
    lenient = Lenient()
    assert list(read_pairs(str(path), form="tsv", lenient=lenient)) == [] and lenient.total == 1
    with pytest.raises(BadFile, match=f"{path}:1: no . ... . between two texts"):
        list(read_pairs(str(path)))
