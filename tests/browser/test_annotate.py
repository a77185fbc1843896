"""Annotation in a browser: links by pointer and keyboard, saving, conflicts, undo, export, agreement."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("playwright.sync_api")

from playwright.sync_api import expect

from tests.web.running import Running, running


@pytest.fixture
def site(server: Running, annotation: Path) -> tuple[Running, Path]:
    return server, annotation / "project"


def opened(page, site, annotator, sentence=1):
    page.goto("about:blank")
    page.goto(f"{site[0].address}#annotator={annotator}&sentence={sentence}")
    page.wait_for_selector(".column.source button")
    page.wait_for_selector("#order .coverage")


def saved(site, annotator, sentence=1):
    lines = (site[1] / "annotators" / f"{annotator}.jsonl").read_text().splitlines()
    return next(state for state in map(json.loads, lines) if state["sentence"] == sentence)


def word(page, side, k):
    return page.locator(f".column.{side} button").nth(k)


def test_a_new_annotator_corrects_predicted_links_by_clicking(page, site):
    page.goto(site[0].address)
    page.fill("#name", "ann")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".column.source button")
    expect(page.locator("#annotator")).to_have_text("ann")
    expect(page.locator(".strand.sure")).to_have_count(2)  # the predicted ones
    word(page, "source", 1).click()
    word(page, "target", 2).click()
    expect(page.locator("#saved")).to_have_text("saved")
    assert saved(site, "ann")["sure"] == [[0, 0], [1, 1], [1, 2]]
    word(page, "target", 1).click()  # sure, possible, none
    word(page, "target", 1).click()
    expect(page.locator("#order .reference")).to_have_text("the white house")
    expect(page.locator("#saved")).to_have_text("saved")
    assert saved(site, "ann") | {"version": 0} == {
        "sentence": 1, "version": 0, "done": False, "sure": [[0, 0], [1, 2]], "possible": [],
    }  # fmt: skip
    expect(page.locator(".strand.predicted")).to_have_count(1)
    assert "67 %" in page.locator(".coverage").inner_text()


@pytest.mark.slow
def test_links_are_drawn_by_dragging_and_in_the_grid(page, site):
    opened(page, site, "drag")
    start, end = word(page, "source", 2).bounding_box(), word(page, "target", 0).bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(end["x"] + 10, end["y"] + 10, steps=6)
    page.mouse.up()
    expect(page.locator("td[data-i='2'][data-j='0']")).to_have_text("■")
    page.locator("td[data-i='2'][data-j='2']").click()
    page.locator("td[data-i='2'][data-j='2']").click()
    expect(page.locator("td[data-i='2'][data-j='2']")).to_have_text("□")
    page.locator("path.strand-hit[data-link='2 0']").dispatch_event("click")
    expect(page.locator("td[data-i='2'][data-j='0']")).to_have_text("□")
    expect(page.locator("#saved")).to_have_text("saved")
    assert saved(site, "drag")["possible"] == [[2, 0], [2, 2]]


def test_everything_works_by_keyboard(page, site):
    opened(page, site, "keys")
    word(page, "source", 0).focus()
    for key in ("ArrowDown", "ArrowDown", "Enter", "ArrowRight", "ArrowUp", "p"):
        page.keyboard.press(key)
    expect(page.locator("td[data-i='2'][data-j='1']")).to_have_text("□")
    page.keyboard.press("s")
    expect(page.locator("td[data-i='2'][data-j='1']")).to_have_text("■")
    page.keyboard.press("Delete")
    expect(page.locator("td[data-i='2'][data-j='1']")).to_have_text("")
    page.locator("td[tabindex='0']").focus()
    for key in ("ArrowRight", "ArrowDown", "Space"):
        page.keyboard.press(key)
    expect(page.locator("td[data-i='1'][data-j='1']")).to_have_text("□")
    page.keyboard.press("Control+z")
    expect(page.locator("td[data-i='1'][data-j='1']")).to_have_text("■")
    page.keyboard.press("Control+Shift+z")
    expect(page.locator("td[data-i='1'][data-j='1']")).to_have_text("□")
    page.keyboard.press("d")
    expect(page.locator("#number")).to_have_value("2")
    expect(page.locator("#progress-text")).to_have_text("1 of 3 sentences done")
    assert saved(site, "keys")["done"] is True


@pytest.mark.slow
def test_two_tabs_with_one_sentence_do_not_overwrite_each_other(browser, site):
    context = browser.new_context()
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        opened(page, site, "tabs")
    word(first, "source", 2).click()
    word(first, "target", 1).click()
    expect(first.locator("#saved")).to_have_text("saved")
    second.get_by_role("button", name="Remove all links").click()
    expect(second.locator("[role=alert]")).to_contain_text("changed elsewhere")
    assert saved(site, "tabs")["sure"] == [[0, 0], [1, 1], [2, 1]]
    second.get_by_role("button", name="▶").click()  # a sentence with a change that is not saved is not left
    expect(second.locator("#number")).to_have_value("1")
    second.get_by_role("button", name="Take those links").click()
    expect(second.locator(".strand.sure")).to_have_count(3)
    second.get_by_role("button", name="Undo").click()  # back to no links, now on top of the other version
    expect(second.locator("#saved")).to_have_text("saved")
    assert saved(site, "tabs")["sure"] == []
    first.get_by_role("button", name="Take predicted links").click()
    first.get_by_role("button", name="Keep mine").click()
    expect(first.locator("#saved")).to_have_text("saved")
    assert saved(site, "tabs")["sure"] == [[0, 0], [1, 1], [2, 1]]
    context.close()


@pytest.mark.slow
def test_an_address_with_a_name_that_is_none_says_so(browser, site):
    page = browser.new_context().new_page()  # its console shows the refusal
    page.goto(f"{site[0].address}#annotator=Ann+Lee")
    expect(page.locator("[role=alert]")).to_contain_text("expected up to 40 letters, digits")
    page.fill("#name", "ann-lee")
    page.get_by_role("button", name="Begin").click()
    page.wait_for_selector(".column.source button")
    assert page.locator("[role=alert]").count() == 0
    page.context.close()


@pytest.mark.slow
def test_any_words_are_shown_as_text(page, site):
    opened(page, site, "odd", 2)
    assert word(page, "source", 1).inner_text() == "<b>bold</b>"
    assert page.locator("main b").count() == 0
    opened(page, site, "odd", 3)
    assert [word(page, side, 0).inner_text() for side in ("source", "target")] == ["שלום", "你好"]


@pytest.mark.slow
def test_agreement_and_export(browser, site):
    page = browser.new_context().new_page()  # its console may show the refusal
    for name in ("one", "two"):
        body = {
            "version": 0,
            "sure": [[0, 0], [1, 2]],
            "possible": [[2, 1]] if name == "one" else [],
            "done": True,
        }
        assert site[0].client.put(f"/api/v1/annotation/by/{name}/1", json=body).status_code == 200
    opened(page, site, "one")
    page.locator("#agreement summary").click()
    row = page.locator("#agreement-table tr", has_text="one and two")
    expect(row).to_contain_text("0.800")
    page.locator("#export summary").click()
    page.select_option("#format", "talbot")
    page.get_by_role("button", name="Save file").click()
    expect(page.locator("#export-trouble [role=alert]")).to_contain_text("only possible")
    page.select_option("#possible", "sure")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save file").click()
    assert Path(download.value.path()).read_text() == "0,2,1\n,,\n,\n"
    page.context.close()


@pytest.mark.slow
def test_a_server_that_is_killed_and_started_again_gets_what_was_not_saved(browser, site, tmp_path):
    folder = tmp_path / "project"
    (tmp_path / "en").write_text("a b\n")
    (tmp_path / "de").write_text("c d\n")
    page = browser.new_context().new_page()
    with running("--annotate", str(folder), "-s", str(tmp_path / "en"), "-t", str(tmp_path / "de")) as server:
        opened(page, (server, folder), "ann")
        page.get_by_role("button", name="Remove all links").click()
        expect(page.locator("#saved")).to_have_text("saved")
        port = str(server.port)
        os.kill(server.process.pid, signal.SIGKILL)
        server.process.wait()
        word(page, "source", 0).click()
        word(page, "target", 1).click()
        expect(page.locator("#saved")).to_have_text("not saved")
    command = [
        sys.executable,
        "-m",
        "wordorder",
        "serve",
        "--annotate",
        str(folder),
        "--port",
        port,
        "--no-browser",
    ]
    again = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        expect(page.locator("#saved")).to_have_text("saved", timeout=30_000)
        assert saved((None, folder), "ann")["sure"] == [[0, 1]]
    finally:
        again.terminate()
        again.wait()
        page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_annotation_is_accessible(page, site, accessibility, scheme):
    page.emulate_media(color_scheme=scheme)
    page.goto(site[0].address)
    page.wait_for_selector("#name")
    assert accessibility(page) == []
    opened(page, site, "access")
    word(page, "source", 2).click()
    word(page, "target", 2).click()
    page.locator("#agreement summary").click()
    page.locator("#export summary").click()
    assert accessibility(page) == []
