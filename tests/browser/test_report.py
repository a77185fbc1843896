"""Reports in a real browser: opened from disk, with ordinary and with hostile text."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import pytest

from tests.cli.calls import run_here as run
from wordorder.data import sample, sample_judgments

HOSTILE = [
    "</script><script>window.ran=1</script>", "<img/src=x/onerror=window.ran=1>", "\u2028x", "\"'><b>", "-->",
    "<!--<script>", "{{7*7}}", "javascript:window.ran=1", "\u202eabc", "&lt;i&gt;", "${window.ran=1}",
    "\\u003c", "nul\0nul",
]  # fmt: skip


def write(folder: Path, files: dict[str, list[str]], *arguments: str) -> str:
    """Write texts and a report on them; return its address."""
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    systems = [str(folder / name) for name in files if name != "ref"]
    out = folder / "report.html"
    done = run("report", "score", "-q", "-r", str(folder / "ref"), *systems, "-o", str(out), *arguments)
    assert done.returncode == 0, done.stderr
    return out.as_uri()


def read_whole(page) -> None:
    """Scroll through the page, so that all its parts are built."""
    for anchor in page.locator("main section").all():
        anchor.scroll_into_view_if_needed()
        page.wait_for_timeout(30)
    page.locator("#sentence-view tbody td").first.wait_for()


@pytest.fixture(scope="module")
def report(tmp_path_factory) -> str:
    out = tmp_path_factory.mktemp("report") / "report.html"
    systems = (str(sample("system-a.txt")), str(sample("system-b.txt")))
    done = run(
        "report",
        "score",
        "-q",
        "-r",
        str(sample("reference.txt")),
        *systems,
        "--samples",
        "100",
        "-o",
        str(out),
    )
    assert done.returncode == 0, done.stderr
    return out.as_uri()


@pytest.mark.slow
def test_a_report_is_accessible_in_light_and_dark_mode(page, report, accessibility):
    page.goto(report)
    read_whole(page)
    assert accessibility(page) == []
    page.evaluate("wo.report.open(3)")
    page.locator("dialog .wo-tree-box svg").first.wait_for()
    page.emulate_media(color_scheme="dark")
    assert accessibility(page) == []
    page.keyboard.press("Escape")
    assert accessibility(page) == []


def test_a_row_opens_its_sentence_with_pictures_and_numbers(page, report):
    page.goto(report)
    read_whole(page)
    page.locator("#sentence-view tbody tr", has_text="yesterday we walked").click()
    dialog = page.locator("dialog")
    assert "Segment 4" in dialog.text_content()
    for picture in ("tree", "curves", "matrix", "forest", "anticipation"):
        assert dialog.locator(f".wo-{picture}-box svg").count() == 2
    assert "132 trees" in dialog.text_content() and "none from lag 2" in dialog.text_content()
    assert "pairs in order / pairs = 21 / 28 = 0.7500" in dialog.text_content()
    nodes = dialog.locator(".sentence-nodes").first.locator("tr").all_text_contents()
    assert nodes == [
        "⟨1,2⟩×6 we walked along the river until dark1",
        "⟨2,1⟩ we walked along the river until dark yesterday0.6 · 0 + 0.4 · 1 = 0.4",
    ]
    moved = dialog.locator(".sentence-system").first.locator(".sentence-moved").all_text_contents()
    assert moved == ["yesterday"]
    # A word of the reference lights up in both systems.
    dialog.locator(".sentence-words").first.locator(".sentence-word", has_text="river").hover()
    marked = dialog.locator(".sentence-word.wo-marked").all_text_contents()
    assert marked == ["river"] * 3
    assert page.url.endswith("#segment-4")
    page.get_by_role("button", name="next").click()
    assert "Segment 5" in dialog.text_content()
    page.keyboard.press("Escape")
    assert not dialog.is_visible()


@pytest.mark.slow
def test_an_address_with_a_segment_opens_it(page, report):
    page.goto(f"{report}#segment-7")
    page.locator("dialog[open]").wait_for()
    assert "Segment 7" in page.locator("dialog").text_content()


@pytest.mark.slow
def test_bars_and_points_lead_to_sentences(page, report):
    page.goto(report)
    read_whole(page)
    scores = page.evaluate("wo.data('numbers').scores.map((system) => system[0])")
    square = page.locator(".chart-canvas")
    square.scroll_into_view_if_needed()
    box = square.bounding_box()
    x = (58 + scores[0][3] * (520 - 58 - 14)) / 520 * box["width"]
    y = (520 - 46 - scores[1][3] * (520 - 46 - 14)) / 520 * box["height"]
    page.mouse.move(box["x"] + x, box["y"] + y)
    assert "yesterday we walked" in page.locator(".chart-tip").text_content()
    page.mouse.click(box["x"] + x, box["y"] + y)
    assert "Segment 4" in page.locator("dialog").text_content()
    page.keyboard.press("Escape")
    last = page.locator(".chart-small").first.locator(".chart-bar").last
    last.scroll_into_view_if_needed()
    last.click()
    found = sum(value >= 0.95 for value in scores[0])
    page.get_by_text(f"{found} of 20 rows").wait_for()
    page.get_by_role("button", name="Show all").click()
    page.get_by_text("20 rows", exact=True).wait_for()


@pytest.mark.slow
def test_buckets_are_chosen(page, report):
    page.goto(report)
    page.locator("#bucket-view select").first.select_option("movement")
    page.locator("#bucket-view select").nth(1).select_option("fuzzy")
    shown = page.locator(".bucket:visible figcaption").all_text_contents()
    assert shown == ["fuzzy by movement"]


@pytest.mark.slow
def test_tables_are_saved(page, report):
    page.goto(report)
    read_whole(page)

    def saved(button) -> str:
        with page.expect_download() as download:
            button.click()
        return Path(download.value.path()).read_text("utf-8")

    first = page.locator("#summary .report-save").first
    assert json.loads(saved(first.get_by_text("JSON")))["systems"][0]["name"] == "system-a.txt"
    assert saved(first.get_by_text("LaTeX")).count(r"\\") == 3
    rows = page.locator("#sentence-view .report-save")
    lines = saved(rows.get_by_text("TSV")).splitlines()
    assert len(lines) == 21 and lines[4].endswith("yesterday we walked along the river until dark")
    assert len(json.loads(saved(rows.get_by_text("JSON")))) == 20
    assert r"\begin{tabular}{rrrrrrl}" in saved(rows.get_by_text("LaTeX"))


def test_hostile_text_stays_text(page, tmp_path):
    lines = [" ".join(HOSTILE), " ".join(reversed(HOSTILE)), *HOSTILE]
    turned = [" ".join(line.split(" ")[::-1]) for line in lines]
    names = "</script><script>window.ran=1</script>,<img src=x onerror=window.ran=1>\udcff"
    texts = {"ref": lines, "<img src=x onerror=window.ran=1>\"'": turned, "b": lines}
    address = write(tmp_path, texts, "--tokenize", "none", "--normalize", "none", "--names", names)
    page.goto(address)
    read_whole(page)
    assert page.locator("#sentence-view tbody tr").count() == len(lines)
    page.evaluate("wo.report.open(0)")
    page.locator("dialog .wo-matrix-box svg").first.wait_for()
    words = page.locator("dialog .sentence-words").first.locator(".sentence-word").all_text_contents()
    assert HOSTILE[0] in words and HOSTILE[1] in words and "\ufffdabc" in words
    assert page.evaluate("typeof window.ran") == "undefined"
    assert page.locator("img, b:has-text('x')").count() == 0
    assert "</script><script>window.ran=1</script>" in page.locator("h1").text_content()


@pytest.mark.slow
def test_scripts_in_the_markup_would_not_run(browser, report):
    page = browser.new_page()  # not the fixture: Chromium reports what it refuses as an error
    page.goto(report)
    page.evaluate(
        """() => new Promise((done) => {
        document.addEventListener("securitypolicyviolation", (event) => {
          window.refused = event.violatedDirective;
          done();
        });
        document.body.append(Object.assign(document.createElement("script"), {text: "window.ran = 1"}));
        setTimeout(done, 500);
    })"""
    )
    assert page.evaluate("[typeof window.ran, window.refused]") == ["undefined", "script-src-elem"]
    page.close()


SENTENCES = {
    "hebrew": ("אני אחכה לך מחר בבוקר", "מחר בבוקר אני אחכה לך"),
    "japanese": ("私は北京に住んでいます", "北京に私は住んでいます"),
    "long": (
        " ".join(f"w{k}" for k in range(200)),
        " ".join(f"w{k}" for k in [*range(100, 200), *range(100)]),
    ),
    "empty": ("a b c", ""),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "hebrew" else pytest.mark.slow) for name in SENTENCES]
)
def test_every_kind_of_sentence_is_drawn(page, tmp_path, accessibility, name):
    reference, output = SENTENCES[name]
    page.set_viewport_size({"width": 500, "height": 800})
    page.goto(write(tmp_path, {"ref": [reference], "one": [output]}))  # one system, one sentence
    read_whole(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate("wo.report.open(0)")
    dialog = page.locator("dialog")
    dialog.wait_for()
    assert page.evaluate("document.querySelector('dialog').scrollWidth <= window.innerWidth")
    if name == "empty":
        assert "no words" in dialog.text_content()
        return
    assert dialog.locator(".wo-tree-box svg").count() == 1
    assert dialog.locator(".wo-matrix-box .wo-cell").count() >= 5
    shown = dialog.locator(".sentence-words").first
    assert shown.evaluate("line => getComputedStyle(line).direction") == (
        "rtl" if name == "hebrew" else "ltr"
    )
    if name == "japanese":
        assert shown.text_content() == reference
    if name == "hebrew":
        assert accessibility(page) == []


@pytest.mark.slow
def test_given_alignments_link_source_translation_and_orders(page, tmp_path):
    files = {
        "src": "u v w",
        "ref": "x y z",
        "sys": "c a b",
        "ref.align": "0-0 1-1 2-2",
        "sys.align": "0-1 1-2 2-0",
    }
    at = {}
    for name, text in files.items():
        at[name] = str(tmp_path / name)
        Path(at[name]).write_text(f"{text}\n", encoding="utf-8")
    out = tmp_path / "report.html"
    done = run(
        "report", "score", "-q", "-r", at["ref"], at["sys"], "-s", at["src"], "--ref-align", at["ref.align"],
        "--align", at["sys.align"], "-o", str(out),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    page.goto(f"{out.as_uri()}#segment-1")
    dialog = page.locator("dialog[open]")
    dialog.locator(".sentence-word", has_text="w").first.hover()
    # The source word, its translations in both texts, and its place in both orders.
    assert dialog.locator(".sentence-word.wo-marked").all_text_contents() == ["w", "z", "w", "w"]
    assert "c" in dialog.locator(".wo-curves-box").first.locator(".wo-leaf.wo-marked").all_text_contents()


@pytest.mark.slow
def test_other_kinds_are_accessible(page, tmp_path, accessibility):
    calls = {
        "align-report": [
            str(sample("text.align")),
            "-s",
            str(sample("text.en")),
            "-t",
            str(sample("text.ja")),
        ],
        "judge": [str(sample_judgments()), "-m", "kendall,bleu", "--samples", "50"],
        "evaluate": [
            "--align",
            str(sample("text.align")),
            "--parse",
            str(sample("text.conllu")),
            "rules:en-ja",
        ],
        "tune": [str(sample("candidates.nbest")), "-r", str(sample("reference.txt")), "--seeds", "1"],
    }
    for kind, arguments in calls.items():
        out = tmp_path / f"{kind}.html"
        assert run("report", kind, *arguments, "-o", str(out)).returncode == 0
        page.goto(out.as_uri())
        for section in page.locator("main section").all():
            section.scroll_into_view_if_needed()
        page.wait_for_timeout(50)
        assert accessibility(page) == [], kind
        if kind == "align-report":
            assert page.locator("#sample-view .wo-matrix-box svg").count() == 3
        if kind == "evaluate":
            page.locator("#sentence-view tbody tr").first.click()
            assert page.locator("dialog .wo-tree-box svg").count() == 2


@pytest.mark.slow
@pytest.mark.speed
def test_ten_thousand_sentences_open_at_once(page, tmp_path):
    chance = random.Random(3)
    known = [f"word{k}" for k in range(5000)]
    reference = [" ".join(chance.choices(known, k=chance.randint(5, 45))) for _ in range(10_000)]

    def system(line: str) -> str:
        words = line.split()
        for _ in range(4):
            words.insert(chance.randrange(len(words)), words.pop(chance.randrange(len(words))))
        return " ".join(words)

    files = {"ref": reference} | {name: [system(line) for line in reference] for name in "abc"}
    began = time.process_time()
    address = write(tmp_path, files)
    seconds = time.process_time() - began
    size = (tmp_path / "report.html").stat().st_size / 1e6
    page.goto(address)
    entry = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    paint = page.evaluate(entry) / 1000
    began = time.perf_counter()
    page.evaluate("document.getElementById('sentences').scrollIntoView()")
    page.locator("#sentence-view tbody td").first.wait_for()
    table = time.perf_counter() - began
    print(f"\n{size:.1f} MB, made in {seconds:.1f} s of CPU time, first paint after {paint:.2f} s,", end=" ")
    print(f"table of sentences after another {table:.2f} s")
    assert size < 30 and paint < 1 and table < 2
    assert page.locator("#sentence-view tbody tr").count() < 60
