"""The local page in a browser: paste, hover, drag, step, reorder, odd text, shortcuts, accessibility."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlencode

import pytest

import wordorder as wo

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from tests.web.running import Running

SENTENCE = "my father is reading a newspaper in the garden ."
INJECTION = "<img src=x onerror=alert(1)> \"><script>alert(2)</script> javascript:alert(3) '||alert(4)//"


@pytest.fixture
def site(server: Running) -> Running:
    return server


def explore(page, site, **values):
    page.goto("about:blank")
    page.goto(f"{site.root}#explore?{urlencode(values)}")
    page.wait_for_selector(".results:not([hidden]) table.scores")


def expect_score(page, metric, value):
    row = page.locator("table.scores tbody tr").filter(has=page.locator(f"code:text-is('{metric}')"))
    expect(row.locator(".value")).to_have_text(re.compile(rf"^{value:.4f}"))


def row_words(page):
    return page.locator(".words .word").all_inner_texts()


def test_a_pasted_permutation_is_drawn_and_scored(page, site):
    explore(page, site, mode="permutation", p="1 2")
    page.fill("#p", "2 4 5 6 1 3")
    page.fill("#w", "I will wait for you tomorrow")
    page.wait_for_selector(".words .word:text-is('tomorrow')")
    page.wait_for_selector(".wo-tree-box .wo-prime")
    assert row_words(page) == ["you", "I", "tomorrow", "will", "wait", "for"]
    expect(page.locator("td.value", has_text="0.4000").first).to_be_visible()
    ranks = [1, 3, 4, 5, 0, 2]
    for name in ("kendall", "recpef", "fuzzy", "hamming"):
        expect_score(page, name, wo.metric(name)(ranks))
    page.locator("summary", has_text="kendall").click()
    assert (
        "pairs in order / pairs = 8 / 15 = 0.533333"
        in page.locator("tr", has_text="kendall").first.inner_text()
    )
    assert "p=2+4+5+6+1+3" in page.url
    page.fill("#w", "one two three")
    expect(page.locator("[role=alert]")).to_have_text("3 words for a permutation of 6.")
    assert page.locator(".results").is_hidden()


def test_pictures_are_linked_by_hover(page, site):
    explore(page, site, mode="permutation", p="3 1 2", w="a b c")
    page.locator(".wo-tree-box .wo-leaf", has_text="a").first.hover()
    for box in (".wo-tree-box", ".wo-curves-box", ".wo-matrix-box", ".words"):
        assert page.locator(f"{box} .wo-marked").count() > 0, box
    page.locator(".words .word", has_text="b").hover()
    assert page.locator(".wo-curves-box .wo-leaf.wo-marked").all_text_contents() == ["b", "b"]
    explore(page, site, mode="texts", h="X b c", r="b c X")  # here the row is the source of the pictures
    page.locator(".words .word", has_text="X").hover()
    assert page.locator(".wo-curves-box .wo-leaf.wo-marked").all_text_contents() == ["X", "X"]


def test_a_dragged_word_changes_tree_and_scores(page, site):
    explore(page, site, mode="permutation", p="1 2 3 4", w="a b c d")
    expect_score(page, "kendall", 1)
    first = page.locator(".words .word").nth(0).bounding_box()
    last = page.locator(".words .word").nth(3).bounding_box()
    page.mouse.move(first["x"] + 5, first["y"] + 5)
    page.mouse.down()
    page.mouse.move(last["x"] + last["width"] - 2, last["y"] + 8, steps=12)
    page.mouse.up()
    expect(page.locator("#p")).to_have_value("4 1 2 3")
    page.wait_for_selector("td.value .worse")
    assert row_words(page) == ["b", "c", "d", "a"]
    expect_score(page, "kendall", 0.5)
    assert page.locator(".wo-tree-box .wo-inverted").count() == 1
    page.get_by_role("button", name="Undo all moves").click()
    expect(page.locator("#p")).to_have_value("1 2 3 4")
    page.wait_for_selector(".words .word:text-is('a')")
    page.locator(".words .word").nth(0).focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator("#p")).to_have_value("2 1 3 4")
    page.keyboard.press("Alt+End")
    expect(page.locator("#p")).to_have_value("4 1 2 3")
    assert page.locator("#said").inner_text() == "a is now at place 4 of 4"
    assert page.evaluate("document.activeElement.textContent") == "a"
    assert page.locator(".words [tabindex='0']").all_inner_texts() == ["a"]  # Tab leads out of the row


@pytest.mark.slow
def test_pictures_are_saved_as_files(page, site):
    explore(page, site, mode="permutation", p="2 1", w="one two")
    for picture in ("tree", "curves", "matrix"):
        for label, beginning in (("SVG", "<svg"), ("TikZ", "")):
            with page.expect_download() as download:
                page.get_by_role("button", name=f"Save {picture} as {label}").click()
            text = Path(download.value.path()).read_text(encoding="utf-8")
            assert text.startswith(beginning) and "one" in text


def test_the_trees_of_the_forest_are_stepped_through(page, site):
    explore(page, site, mode="permutation", p="1 2 3 4")
    assert "all 5 trees" in page.locator(".which").inner_text()
    expect(page.locator(".wo-tree-box .wo-node")).to_have_count(1)
    page.get_by_role("button", name="Next tree").click()
    expect(page.locator(".which")).to_have_text("tree 1 of 5")
    expect(page.locator(".wo-tree-box .wo-node")).to_have_count(3)
    page.locator("h2", has_text="Tree").click()
    page.keyboard.press("[")
    expect(page.locator(".which")).to_have_text("tree 5 of 5")
    assert "tree=4" in page.url
    page.reload()
    expect(page.locator(".which")).to_have_text("tree 5 of 5")
    page.get_by_role("button", name="All in one").click()
    expect(page.locator(".wo-tree-box .wo-node")).to_have_count(1)


@pytest.mark.slow
def test_links_show_order_and_coverage_and_can_be_computed(page, site):
    explore(page, site, mode="links", s="the white house", t="das haus weiss", l="0-0 2-1 1-2")
    assert page.locator(".reference").inner_text() == "the house white"
    assert "100 % of the source words" in page.locator(".results").inner_text()
    page.fill("#l", "")
    page.get_by_role("button", name="Align these two sentences").click()
    page.wait_for_selector(".note")
    assert "trained on 1 pair alone" in page.locator(".notes").inner_text()
    assert re.match(r"\d+-\d+", page.locator("#l").input_value())


@pytest.mark.slow
def test_a_translation_is_matched_with_its_reference(page, site):
    explore(page, site, mode="texts", h="Tomorrow I wait .", r="I wait tomorrow .")
    assert row_words(page) == ["Tomorrow", "I", "wait", "."]
    expected = wo.metric("kendall").sentence_score("Tomorrow I wait .", ["I wait tomorrow ."]).score
    expect_score(page, "kendall", expected)
    full = wo.metric("full").corpus_score(["Tomorrow I wait ."], [["I wait tomorrow ."]])
    expect_score(page, "full", full.score)


@pytest.mark.slow
def test_a_moved_word_keeps_its_case(page, site):
    explore(page, site, mode="texts", h="Tomorrow I wait.", r="I wait tomorrow.")
    assert row_words(page) == ["Tomorrow", "I", "wait", "."]
    page.locator(".words .word").first.focus()
    page.keyboard.press("Alt+ArrowRight")
    expect(page.locator("#h")).to_have_value("I Tomorrow wait .")
    expected = wo.metric("chrf").corpus_score(["I Tomorrow wait ."], [["I wait tomorrow."]])
    expect_score(page, "chrf", expected.score)


@pytest.mark.slow
def test_views_keep_what_was_typed(page, site):
    explore(page, site, mode="permutation", p="2 1", w="x y")
    page.click("nav a:text('Reorder')")
    page.wait_for_selector(".order")
    page.fill("#sentence", "")
    expect(page.locator(".results")).to_be_hidden()
    page.click("nav a:text('Explore')")
    page.wait_for_selector("table.scores")
    assert page.locator("#w").input_value() == "x y" and "w=x+y" in page.url


def test_a_sentence_is_reordered_by_a_model(page, site):
    page.goto(f"{site.root}#reorder?{urlencode({'model': 'en-ja-crf', 's': SENTENCE})}")
    page.wait_for_selector(".order")
    best = wo.load_preorderer("en-ja-crf").reorder(SENTENCE)
    assert page.locator(".order").inner_text() == str(best)
    assert page.locator(".candidates li").count() == 8
    assert page.locator(".wo-precedence-box .cell").count() == 90
    page.wait_for_selector("table.bars")
    assert page.locator("table.bars tr").count() == 10
    page.locator(".candidates button").nth(1).click()
    assert page.locator(".order").inner_text() != str(best)
    page.select_option("#model", "en-multi-crf")
    page.select_option("#language", "tr")
    expect(page).to_have_url(re.compile("language=tr"))


@pytest.mark.parametrize(
    "words",
    [
        pytest.param("שלום עולם יפה מאוד", id="rtl", marks=pytest.mark.slow),
        pytest.param(INJECTION, id="script"),
        pytest.param("我 爱 北京 天安门", id="cjk", marks=pytest.mark.slow),
        pytest.param("e\u0301 👩\u200d👩\u200d👧 ﷽ \u202eabc", id="odd", marks=pytest.mark.slow),
    ],
)
def test_any_text_is_shown_as_text(page, site, words):
    count = len(words.split())
    alerts = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    explore(page, site, mode="permutation", p=" ".join(map(str, range(count, 0, -1))), w=words)
    assert len(row_words(page)) == count and alerts == []
    assert page.locator("main img, main script").count() == 0
    if "שלום" in words:
        first, second = (page.locator(".words .word").nth(k).bounding_box()["x"] for k in (0, 1))
        assert first > second


@pytest.mark.slow
def test_two_hundred_words_stay_usable(page, site):
    order = [k ^ 1 for k in range(200)]
    explore(
        page,
        site,
        mode="permutation",
        p=" ".join(map(str, order)),
        w=" ".join(f"word{k}" for k in range(200)),
    )
    assert page.locator(".words .word").count() == 200
    assert "10^" in page.locator(".which").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Next tree").click()
    expect(page.locator(".which")).to_contain_text("tree 1 of")


@pytest.mark.slow
def test_keys_open_views_and_help(page, site):
    explore(page, site, mode="permutation", p="1 2")
    page.keyboard.press("?")
    assert page.locator("dialog#help").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.wait_for_selector("#model")
    assert page.title() == "Reorder · wordorder"
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "view" and "#reorder" in page.url
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "sentence"


EXAMPLE = "2 4 5 6 1 3"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fragment", "places", "trees"),
    [
        ("", EXAMPLE, "all 2 trees in one"),
        ("toString", EXAMPLE, "all 2 trees in one"),
        ("%00?=&&", EXAMPLE, "all 2 trees in one"),
        ("explore?mode=constructor", EXAMPLE, "all 2 trees in one"),
        ("explore?p=1+2+3&tree=1", "1 2 3", "tree 2 of 2"),
        ("explore?p=1+2+3&tree=99", "1 2 3", "all 2 trees in one"),
        ("explore?p=1+2+3&tree=-1", "1 2 3", "all 2 trees in one"),
    ],
)
def test_any_address_opens_a_view(page, site, fragment, places, trees):
    page.goto("about:blank")
    page.goto(f"{site.root}#{fragment}")
    expect(page.locator(".results table.scores")).to_be_visible()
    expect(page).to_have_title("Explore · wordorder")
    expect(page.locator("nav a[aria-current=page]")).to_have_text("Explore")
    expect(page.locator("input[name=mode]:checked")).to_have_value("permutation")
    expect(page.locator("#p")).to_have_value(places)
    expect(page.locator(".which")).to_have_text(trees)
    assert len(row_words(page)) == len(places.split())
    assert page.locator("[role=alert]").count() == 0


@pytest.mark.slow
def test_other_views_take_any_value(page, site):
    page.goto(f"{site.root}#reorder?model=toString&language=xx")
    expect(page).to_have_title("Reorder · wordorder")
    expect(page.locator(".order")).not_to_be_empty()
    page.goto(f"{site.root}#report?p=1")
    expect(page).to_have_title("Report · wordorder")
    expect(page.locator(".checks input").first).to_be_visible()
    assert page.locator("[role=alert]").count() == 0


def test_exploring_is_accessible(page, site, accessibility):
    explore(page, site, mode="links", s="a b c", t="x y z", l="0-2 1-1 2p0")
    page.locator("summary").first.click()
    assert accessibility(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_view_is_accessible(page, site, accessibility, scheme):
    page.emulate_media(color_scheme=scheme)
    explore(page, site, mode="texts", h="a b c d", r="d b x a")
    assert accessibility(page) == []
    page.goto(f"{site.root}#reorder")
    page.wait_for_selector("table.bars")
    assert accessibility(page) == []
    page.goto(f"{site.root}#report")
    page.wait_for_selector(".checks input")
    assert accessibility(page) == []


def test_uploaded_files_become_a_report(page, site, tmp_path):
    from wordorder.data import sample

    hostile = tmp_path / "<img src=x onerror=alert(1)>.txt"
    hostile.write_bytes(sample("system-b.txt").read_bytes())
    page.goto(f"{site.root}#report")
    page.wait_for_selector(".checks input")
    page.get_by_role("button", name="Make a report").click()
    expect(page.locator("[role=alert]")).to_have_text("Choose a reference and at least one system.")
    page.set_input_files("#references", str(sample("reference.txt")))
    page.set_input_files("#systems", [str(sample("system-a.txt")), str(hostile)])
    page.get_by_role("button", name="Make a report").click()
    opened = page.get_by_role("link", name="Open the report")
    expect(opened).to_be_visible(timeout=60_000)
    with page.context.expect_page() as shown:
        opened.click()
    report = shown.value
    report.wait_for_selector("text=system-a.txt")
    assert hostile.name in report.locator("body").inner_text()
    assert report.locator("img").count() == 0
    assert report.evaluate("self.origin") == "null"  # it cannot ask the server for anything
