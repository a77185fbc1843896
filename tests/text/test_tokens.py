"""Words are those of Python and of sacrebleu."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wordorder.errors import BadSetting, WordOrderError
from wordorder.text.tokens import Words

nasty = st.text("ab1 2.,-&<>\"'/()[]{}|~_^`\\:;@#é漢\u2028\u3000\x85\xa0\x1c!?$%*+=&", max_size=30)


def words_of(table: Words, line: str) -> list[str]:
    tokens = list(table.encode([line]))
    assert len(tokens) == 1
    return [table.words[i] for i in tokens[0]]


@given(st.text().filter(lambda s: "\n" not in s and s.isprintable()) | nasty)
@example("\u2028a\u2029b\u200ac\u202fd\u205fe\u1680f")
def test_blanks_are_those_of_python(line: str) -> None:
    assert words_of(Words("none"), line) == line.split()


@given(nasty | st.from_regex(r"([0-9.,\-a& ]|&quot;|&amp;|&lt;|&gt;|<skipped>){0,12}", fullmatch=True))
@example('a.,b 1.5 1,000. 3-4 -5 x.y &amp;quot; e.g., "q"')
def test_13a_is_that_of_sacrebleu(line: str) -> None:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    line = line.replace("\n", " ")
    assert words_of(Words("13a"), line) == Tokenizer13a()(line).split()


def test_whitespace_is_all_of_pythons() -> None:
    for code in range(sys.maxunicode + 1):
        c = chr(code)
        if c.isspace() and c != "\n":
            assert words_of(Words(), f"a{c}b") == ["a", "b"], hex(code)


@pytest.mark.shared
def test_13a_on_real_text(shared: Path) -> None:
    import gzip

    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    reference = Tokenizer13a()
    path = shared / "data" / "judgments" / "wmt13-rr" / "segments.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as rows:
        lines = [cell for row in rows.read().split("\n") for cell in row.split("\t")]
    table = Words("13a")
    found = list(table.encode(lines))
    words = table.words
    assert len(lines) > 10_000
    for line, ids in zip(lines, found, strict=True):
        assert [words[i] for i in ids] == reference(line).split()


def test_numbers_go_on_over_calls_and_lines_stay_apart() -> None:
    table = Words()
    assert list(table.encode(["b a b", "", "c"])) == [[0, 1, 0], [], [2]]
    assert list(table.encode(["c b"])) == [[2, 0]] and len(table) == 3
    assert list(table.encode([])) == [] and list(table.encode([""])) == [[]]
    assert table.encode(["a b", ""]).lengths.tolist() == [2, 0]


def test_other_tokenisers_are_sacrebleus() -> None:
    assert words_of(Words("zh"), "我爱 北京x") == ["我", "爱", "北", "京", "x"]
    assert words_of(Words("char"), "ab c") == ["a", "b", "c"]
    assert words_of(Words("intl", lowercase=True), "L’Été!") == ["l", "’", "été", "!"]


def test_misuse_is_explained() -> None:
    with pytest.raises(BadSetting, match="expected one of none, 13a"):
        Words("moses")
    with pytest.raises(WordOrderError, match="line break"):
        Words().encode(["a\nb"])
    with pytest.raises(WordOrderError, match="not valid Unicode"):
        Words().encode(["\ud800"])
