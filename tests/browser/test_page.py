"""The scripts that all pages share, in a real browser."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from tests.page.test_document import HOSTILE
from wordorder.core.forest import Forest
from wordorder.core.permutation import Permutation
from wordorder.core.tree import Node, tree
from wordorder.draw.anticipation import anticipation_curve
from wordorder.draw.forest import MOST_SPANS, forest_layout
from wordorder.draw.forest_panels import tree_counts
from wordorder.draw.labels import operator_label, readable_count
from wordorder.page.document import document

BODY = '<main id="main"><h1>Pictures</h1></main>'


@pytest.fixture
def opened(page, tmp_path):
    """Open a document with these scripts from disk."""

    def open_document(*scripts, **data):
        path = tmp_path / "page.html"
        path.write_text(document("t", body=BODY, scripts=scripts, data=data), encoding="utf-8")
        page.goto(path.as_uri())
        return page

    return open_document


def plain(node: Node) -> list:
    """A node of the tree as lists."""
    operator = node.operator.ranks.tolist()
    label = "" if node.is_word else operator_label(node)
    return [node.begin, node.end, node.kind, operator, label, [plain(child) for child in node.children]]


PLAIN = """
const plain = (node) => [node.begin, node.end, node.kind, node.operator,
  node.kind === "word" ? "" : wo.operatorLabel(node), node.children.map(plain)];
window.trees = wo.data("ranks").map((ranks) => plain(wo.tree(ranks)));
window.texts = wo.data("ranks").map((ranks) => wo.treeText(wo.tree(ranks), ranks));
"""


def many_orders(longest: int, count: int) -> list[list[int]]:
    """All short orders, and some long ones of many kinds."""
    chance = random.Random(7)
    ranks = [list(p) for n in range(1, longest + 1) for p in permutations(range(n))]
    for _ in range(count):
        n = chance.randint(7, 60)
        blocks = [list(range(k, min(k + chance.randint(1, 9), n))) for k in range(0, n, 3)]
        mixed = chance.sample(range(n), n) if chance.random() < 0.5 else list(range(n))
        for block in blocks:  # nearly monotone orders have deep trees, random ones flat ones
            values = [mixed[k] for k in block]
            if chance.random() < 0.4:
                for k, value in zip(block, values[::-1], strict=True):
                    mixed[k] = value
        ranks.append(mixed)
    return ranks


SIZES = pytest.mark.parametrize(("longest", "count"), [(4, 40), pytest.param(6, 150, marks=pytest.mark.slow)])


@SIZES
def test_trees_are_those_of_the_package(opened, longest, count):
    ranks = many_orders(longest, count)
    shown = opened(PLAIN, ranks=ranks)
    expected = [tree(one) for one in ranks]
    assert shown.evaluate("trees") == [plain(one.root) for one in expected]
    assert shown.evaluate("texts") == [one.to_brackets() for one in expected]
    assert shown.evaluate("wo.tree([])") is None


FORESTS = """
window.forests = wo.data("ranks").map((ranks) => {
  const tree = wo.tree(ranks);
  const groups = wo.groupCount(tree) > 600 ? [] : wo.forest(tree);
  return {
    count: String(wo.treeCount(tree)), shown: wo.readableCount(wo.treeCount(tree)), size: wo.groupCount(tree),
    groups: groups.map((one) => [one.begin, one.end, one.operator, one.splits, String(one.ways)]),
    lanes: wo.forestLanes(groups), shares: wo.anticipation(ranks),
  };
});
"""


@SIZES
def test_forests_and_anticipation_are_those_of_the_package(opened, longest, count):
    ranks = [*many_orders(longest, count), list(range(60)), list(range(20))[::-1]]
    shown = opened(FORESTS, ranks=ranks).evaluate("forests")
    for order, found in zip(ranks, shown, strict=True):
        forest = Forest(order)
        assert (found["count"], found["shown"]) == (str(forest.count), readable_count(forest.count))
        assert found["size"] == forest.size[0] - len(order)
        assert found["shares"] == pytest.approx(anticipation_curve(Permutation(order)))
        if found["size"] <= MOST_SPANS:
            counts = tree_counts(forest)
            expected = [
                [one.begin, one.end, one.operator.ranks.tolist(), [list(splits) for splits in one.inferences]]
                for one in forest.entries()
                if one.operator is not None
            ]
            assert found["groups"] == [[*one, str(counts[one[0], one[1]])] for one in expected]
            bars = forest_layout(forest).bars
            lanes = {y: lane for lane, y in enumerate(sorted({bar.y for bar in bars}, reverse=True))}
            by_span = {(bar.entry.begin, bar.entry.end): lanes[bar.y] for bar in bars}
            assert found["lanes"] == [by_span[one[0], one[1]] for one in expected]


SENTENCE = """
const {words, ranks, target} = wo.data("sentence");
const links = ranks.map((rank, k) => [k, rank, k % 2 ? "possible" : "sure"]);
const link = wo.link();
window.marks = null;
link.on((marks) => {
  window.marks = Object.fromEntries(Object.entries(marks).map(([side, words]) => [side, [...words]]));
});
const main = document.getElementById("main");
wo.pictures.tree(main, {words, ranks, target}, link);
wo.pictures.curves(main, {source: words, target, links}, link);
wo.pictures.matrix(main, {source: words, target, links}, link);
wo.pictures.forest(main, {words, ranks}, link);
wo.pictures.anticipation(main, {ranks}, link);
"""
WORDS = {
    "words": ["I", "will", "wait", "for", "you", "tomorrow"],
    "ranks": [1, 3, 4, 5, 0, 2],
    "target": ["you", "I", "tomorrow", "will", "wait", "for"],
}


@pytest.mark.slow  # test_serve points at words, too
def test_hovering_marks_a_word_in_all_pictures(opened, accessibility):
    page = opened(SENTENCE, sentence=WORDS)
    page.locator(".wo-tree-box .wo-leaf").nth(2).hover(force=True)
    assert page.evaluate("marks") == {"source": [2], "target": [4]}
    for picture in ("tree", "curves", "matrix"):
        marked = page.locator(f".wo-{picture}-box .wo-leaf.wo-marked text").all_text_contents()
        assert marked == ["wait", "wait"], picture
    forest = page.locator(".wo-forest-box")
    assert forest.locator(".wo-leaf.wo-marked text.wo-word").all_text_contents() == ["wait"]
    assert forest.locator(".wo-node").count() == 4 and forest.locator(".wo-node.wo-marked").count() == 4
    assert accessibility(page) == []


def test_the_keyboard_walks_through_the_words(opened):
    page = opened(SENTENCE, sentence=WORDS)
    page.locator(".wo-curves-box").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("marks") == {"source": [1], "target": [3]}
    page.keyboard.press("Escape")
    assert page.evaluate("marks") == {}


def test_long_sentences_stay_in_their_boxes_and_fold(opened):
    n = 200
    ranks = list(range(n))
    ranks[150:170] = ranks[150:170][::-1]
    words = [f"word{k}" for k in range(n)]
    page = opened(SENTENCE, sentence={"words": words, "ranks": ranks, "target": words})
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    folded = page.locator(".wo-tree-box .wo-folded text.wo-word")
    assert "word0 … word149" in folded.all_text_contents()
    folded.first.click(force=True)
    assert "word0 … word149" not in folded.all_text_contents()
    assert page.locator(".wo-tree-box text", has_text="word77").count() >= 1
    folded = page.locator(".wo-forest-box .wo-folded text.wo-word")
    assert folded.all_text_contents() == ["word0 … word149", "word170 … word199"]
    folded.first.click(force=True)  # 150 words have too many groups
    assert "too many to draw" in page.locator(".wo-forest-box").text_content()
    page.get_by_role("button", name="Fold again").click()
    assert folded.count() == 2


@pytest.mark.slow  # as in test_report
def test_right_to_left_words_run_from_right_to_left(opened):
    words = ["אני", "אחכה", "לך", "מחר"]
    page = opened(SENTENCE, sentence={"words": words, "ranks": [0, 1, 3, 2], "target": ["a", "b", "d", "c"]})
    for picture in ("tree", "curves", "forest"):
        texts = page.locator(f".wo-{picture}-box text.wo-word")
        places = {text.text_content(): text.bounding_box()["x"] for text in texts.all()}
        assert places[words[0]] > places[words[1]] > places[words[3]]
        assert picture == "forest" or places["a"] < places["b"] < places["d"]


@pytest.mark.slow  # as in test_serve and test_report
def test_hostile_words_are_text(opened):
    page = opened(
        SENTENCE, sentence={"words": HOSTILE, "ranks": list(range(len(HOSTILE))), "target": HOSTILE[::-1]}
    )
    assert HOSTILE[0] in page.locator(".wo-tree-box text").all_text_contents()
    assert page.locator("img, main script").count() == 0


TABLE = """
window.opened = null;
window.table = wo.table(document.getElementById("main"), {
  caption: "Sentences", count: 10000, text: (row) => `sentence ${row}`,
  open: (row) => { window.opened = row; },
  columns: [
    {label: "number", kind: "number", decimals: 0}, {label: "score", kind: "number"},
    {label: "text", kind: "text"},
  ],
  cell: (row, column) => [row, row % 100 === 0 ? null : (row * 37) % 1000 / 1000, `sentence ${row}`][column],
});
"""


def first_cells(page, column):
    return page.locator(f"tbody tr td:nth-child({column})").all_text_contents()


def test_tables_sort_search_filter_and_open(opened, accessibility):
    page = opened(TABLE)
    assert page.locator("tbody tr").count() < 60  # of 10,000
    page.get_by_role("button", name="score").click()
    assert first_cells(page, 2)[0] == "0.999"
    page.get_by_role("button", name="score").click()
    assert first_cells(page, 2)[0] == "0.001"  # rows without a value come last
    page.get_by_role("searchbox").fill("sentence 77")
    page.get_by_text("111 of 10,000 rows").wait_for()
    page.get_by_role("button", name="Add filter").click()
    page.get_by_label("Column to filter by").select_option("score")
    page.get_by_label("Value").fill("0.9")
    left = [k for k in range(10000) if str(k).startswith("77") and k % 100 and k * 37 % 1000 >= 900]
    page.get_by_text(f"{len(left)} of 10,000 rows").wait_for()
    assert sorted(page.evaluate("table.rows()")) == left
    assert accessibility(page) == []
    page.locator(".wo-scroll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.evaluate("opened") == page.evaluate("table.rows()[1]")


@pytest.mark.slow
def test_a_table_shows_what_is_scrolled_to(opened):
    page = opened(TABLE)
    page.locator(".wo-scroll").evaluate("box => { box.scrollTop = box.scrollHeight; }")
    page.wait_for_selector("td:has-text('sentence 9999')")
    assert page.locator("tbody tr").count() < 60
