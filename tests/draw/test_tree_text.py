import re

from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.tree import tree
from wordorder.draw import tree_text
from wordorder.draw.labels import columns

ORDER = [1, 3, 4, 5, 0, 2]
WORDS = ["I", "will", "wait", "for", "you", "tomorrow"]
ANSI = re.compile(r"\x1b\[[0-9;]*m")

WITH_WORDS = """\
⟨2,4,1,3⟩
├─ I         2
├─ ⟨1,2⟩×2
│  ├─ will   4
│  ├─ wait   5
│  └─ for    6
├─ you       1
└─ tomorrow  3"""

WITHOUT_WORDS = """\
⟨2,4,1,3⟩
├─ 2
├─ ⟨1,2⟩×2
│  ├─ 4
│  ├─ 5
│  └─ 6
├─ 1
└─ 3"""

RIGHT = """\
⟨1,2⟩
├─ 1
└─ ⟨1,2⟩
   ├─ 2
   └─ 3"""


def test_golden_drawings() -> None:
    assert tree_text(tree(ORDER, WORDS)) == WITH_WORDS
    assert tree_text(tree(ORDER)) == WITHOUT_WORDS
    assert tree_text(tree([0, 1, 2]).right()) == RIGHT


def test_no_words_and_one_word() -> None:
    assert tree_text(tree([])) == "empty"
    assert tree_text(tree([0])) == "1"
    assert tree_text(tree([0], ["word"])) == "word  1"


def test_color_changes_nothing_but_color() -> None:
    for drawn in (tree(ORDER, WORDS), tree(ORDER), tree([0], ["word"])):
        assert ANSI.sub("", tree_text(drawn, color=True)) == tree_text(drawn)


def test_each_kind_has_its_color() -> None:
    paints = {
        tree_text(tree(order), color=True).partition("⟨")[0] for order in ([0, 1], [1, 0], [1, 3, 0, 2])
    }
    assert len(paints) == 3


def test_words_cannot_write_to_the_terminal() -> None:
    drawn = tree([1, 0], ["\x1b[2J\n", "\x9b31m\u202e"])
    assert tree_text(drawn) == "⟨2,1⟩\n├─ \ufffd[2J\ufffd  2\n└─ \ufffd31m\ufffd  1"


def test_numbers_stand_in_one_column_after_wide_words() -> None:
    lines = tree_text(tree(range(10), ["東京", "e\u0301", *"abcdefgh"])).splitlines()[1:]
    assert {columns(line) for line in lines} == {3 + 4 + 2 + 2}
    assert lines[0] == "├─ 東京   1"
    assert lines[-1] == "└─ h     10"


def test_number_stays_right_of_a_right_to_left_word() -> None:
    first, second = tree_text(tree([1, 0], ["שלום", "word"])).splitlines()[1:]
    assert first == "├─ שלום\u200e  2"
    assert second == "└─ word  1"


@given(st.integers(1, 12).flatmap(lambda n: st.permutations(range(n))), st.data())
def test_one_line_for_each_node_and_word(order: list[int], data: st.DataObject) -> None:
    words = data.draw(st.lists(st.text(), min_size=len(order), max_size=len(order)))
    drawn = tree(order, words)
    lines = tree_text(drawn).split("\n")
    assert len(lines) == len(drawn.table) + len(drawn)
    both = zip(drawn.nodes(leaves=True), lines, strict=True)
    assert [int(line.split()[-1]) - 1 for node, line in both if node.is_word] == order


def test_deep_and_large_trees_do_not_recurse() -> None:
    assert tree_text(tree(range(2000)).right()).count("\n") == 2 * 2000 - 2
    assert tree_text(tree(range(100_000))).count("\n") == 100_000
