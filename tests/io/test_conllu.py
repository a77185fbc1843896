"""CoNLL-U: what is kept, what is refused, and where."""

from __future__ import annotations

import io
from typing import Any

import pytest

from wordorder.errors import BadFile
from wordorder.io.conllu import Conllu, Row, Sentence
from wordorder.io.lenient import Lenient

SAMPLE = """\
# newdoc id = d1
# sent_id = d1-1
# text = Vámonos al mar.
1-2\tVámonos\t_\t_\t_\t_\t_\t_\t_\t_
1\tVamos\tir\tVERB\t_\tMood=Imp\t0\troot\t_\t_
2\tnos\tnosotros\tPRON\t_\t_\t1\tobj\t_\t_
3-4\tal\t_\t_\t_\t_\t_\t_\t_\t_
3\ta\ta\tADP\t_\t_\t5\tcase\t_\t_
4\tel\tel\tDET\t_\t_\t5\tdet\t_\t_
4.1\tgran\tgrande\tADJ\t_\t_\t_\t_\t5:amod\t_
5\tmar\tmar\tNOUN\t_\t_\t1\tobl\t_\tSpaceAfter=No|Gloss=sea
6\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

# sent_id = d1-2
1\t10 000\t10 000\tNUM\t_\t_\t0\troot\t_\tSpaceAfter=No

"""


def read(text: str, **options: Any) -> list[Sentence]:
    return list(Conllu(**options).read(io.BytesIO(text.encode()), "x.conllu"))


def row(number: str, head: str = "_") -> str:
    return "\t".join(Row(number, "x", head=head)) + "\n"


def rows(*heads: str) -> str:
    return (
        "".join("\t".join(Row(str(k), "w", head=head)) + "\n" for k, head in enumerate(heads, start=1)) + "\n"
    )


def test_everything_is_kept() -> None:
    first, second = read(SAMPLE)
    assert first.forms == ["Vamos", "nos", "a", "el", "mar", "."]
    assert first.heads == [0, 1, 5, 5, 1, 1] and first.ranges == [(1, 2), (3, 4)]
    assert first.surface == first.text == "Vámonos al mar."
    assert (first.sent_id, first.comment("newdoc id"), first.comment("none")) == ("d1-1", "d1", None)
    assert [row.id for row in first.rows] == ["1-2", "1", "2", "3-4", "3", "4", "4.1", "5", "6"]
    assert first.rows[6] == Row("4.1", "gran", "grande", "ADJ", deps="5:amod")
    assert first.words[4].misc == "SpaceAfter=No|Gloss=sea"
    assert second.surface == "10 000" and second.text is None
    assert (first.line, second.line) == (1, 14)
    out = io.BytesIO()
    Conllu().write([first, second], out)
    assert out.getvalue().decode() == SAMPLE


def test_the_last_sentence_needs_no_empty_line() -> None:
    assert read(SAMPLE[:-1]) == read(SAMPLE[:-2]) == read(SAMPLE)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1\tx\n\n", 1, "2 columns; expected 10 columns separated by tabs"),
        (rows("0") + "1 x _ _ _ _ 0 _ _ _\n\n", 3, "1 columns; expected 10"),
        (rows("0").replace("w", ""), 1, "column 2 is empty (write _)"),
        (rows("0", "1").replace("2\tw", "3\tw"), 2, "id 3 where 2 was expected"),
        (row("one") + rows("0"), 1, "id 'one'; expected a number, a range 1-2 or an empty node 1.1"),
        (row("01") + rows("0"), 1, "id '01'; expected a number"),
        (rows("0", "1")[:-1] + "# late\n\n", 3, "a comment after the first word; expected 10 columns"),
        ("# only\n# comments\n\n" + rows("0"), 1, "a sentence without words"),
        (rows("0") + "\n" + rows("0"), 3, "a sentence without words; one empty line ends a sentence"),
        (row("1-3") + rows("0", "1"), 1, "range 1-3 ends after the last word (2)"),
        (row("1-1") + rows("0"), 1, "range 1-1 must come before its first word"),
        (row("2-3") + rows("0", "1", "1"), 1, "range 2-3 must come before"),
        (row("1-2") + row("1-2") + rows("0", "1"), 2, "range 1-2 must"),
        (row("1-2", "0") + rows("0", "1"), 1, "1-2 has a head; only words have"),
        (row("0.2") + rows("0"), 1, "empty node 0.2 where 0.1 was expected"),
        (rows("0")[:-1] + row("2.1") + "\n", 2, "empty node 2.1 where 1.1 was expected"),
        (rows("0", "0"), 2, "a second root; word 1 is one already"),
        (rows("0", "3"), 2, "head 3 is past the last word (2)"),
        (rows("0", "2"), 2, "word 2 is its own head"),
        (rows("0", "_"), 2, "head is '_'; expected a number (text without trees: conllu:trees=false)"),
        (rows("2", "1"), 1, "no root: the heads of word 1 form a cycle"),
        (rows("0", "1", "4", "5", "3", "3"), 3, "the heads of word 3 form a cycle"),
        (rows("0", "6", "1", "5", "4", "5"), 4, "the heads of word 4 form a cycle"),
    ],
)  # fmt: skip
def test_bad_sentences_have_their_place(text: str, line: int, message: str) -> None:
    with pytest.raises(BadFile) as caught:
        read(text)
    assert caught.value.line == line and str(caught.value).startswith(f"x.conllu:{line}: {message}")


def test_places_count_comments_and_sentences_before() -> None:
    with pytest.raises(BadFile, match=r"^x.conllu:20: head 9 is past"):
        read(SAMPLE + "# sent_id = 3\n# more\n" + rows("0", "9"))


def test_text_without_trees() -> None:
    assert [s.forms for s in read(rows("_", "_"), trees=False)] == [["w", "w"]]
    with pytest.raises(BadFile, match="id 3 where 2"):
        read(rows("_", "_").replace("2\tw", "3\tw"), trees=False)


def test_lenient_leaves_out_whole_sentences() -> None:
    data = (rows("0") + rows("0", "0")).encode() + b"1\t\xff\n1\tx\n\n" + rows("0", "1").encode()
    lenient = Lenient()
    found = list(Conllu().read(io.BytesIO(data), "x", lenient=lenient))
    assert [s.heads for s in found] == [[0], [0, 1]] and found[1].line == 9
    assert lenient.counts == {("x", "bad sentence"): 1, ("x", "not UTF-8"): 1}


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (Sentence([Row("1", "x")]), "sentence 1 cannot be written: .*head is '_'"),
        (Sentence([Row("1", "x\ty", head="0")]), "11 columns"),
        (Sentence([Row("1", "", head="0")]), "column 2 is empty"),
        (Sentence([Row("1", "x", head="0")], ["no hash"]), "1 columns"),
        (Sentence([Row("1", "x\ny", head="0")]), "line break"),
        (Sentence([]), "without words"),
    ],
)
def test_bad_sentences_are_not_written(sentence: Sentence, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        Conllu().write([sentence], io.BytesIO(), file="out")
