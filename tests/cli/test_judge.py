"""Judging metrics as people do it: a real process."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.calls import Done, run_here

WORDS = ["a", "b", "c", "d", "e", "f"]
ORDERS = {
    "good": [0, 1, 2, 3, 4, 5],
    "fair": [1, 0, 2, 3, 4, 5],
    "poor": [5, 4, 3, 2, 1, 0],
    "odd": [3, 4, 5, 0, 1],
}


def run(*args: str, verb: tuple[str, ...] = ("judge",), cache: Path | None = None) -> Done:
    keep = ["--cache", str(cache)] if cache else ["--no-cache"]
    scoring = [] if verb == ("align-judgments",) else [*keep, "--processes", "1"]
    return run_here(*verb, *args, *scoring)


def table(path: Path, head: str, rows: list[list[object]]) -> None:
    lines = [head, *("\t".join(map(str, row)) for row in rows)]
    path.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode()))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two years of rankings: of each segment good beats fair, odd and poor, with some who disagree."""
    root = tmp_path_factory.mktemp("judgments")
    for year in (12, 13):
        folder = root / f"wmt{year}-rr"
        folder.mkdir()
        keys = [["de-en", f"newstest20{year}", k] for k in range(1, 31)]
        said = [(a, b) for a, b in (("good", "fair"), ("good", "poor"), ("fair", "poor"), ("odd", "poor"))]
        table(
            folder / "segments.tsv.gz",
            "lp\ttestset\tsegment\tsource\treference",
            [[*key, "s", " ".join(f"{w}{int(str(key[2])) % 7}" for w in WORDS)] for key in keys],
        )
        table(
            folder / "outputs.tsv.gz",
            "lp\ttestset\tsegment\tsystem\toutput",
            [
                [*key, name, " ".join(f"{WORDS[k]}{int(str(key[2])) % 7}" for k in order)]
                for key in keys
                for name, order in ORDERS.items()
            ],
        )
        table(
            folder / "pairs.tsv.gz",
            "lp\ttestset\tsegment\tsystem_a\tsystem_b\ta_better\tb_better\ttie",
            [[*key, *pair, 2, int(int(str(key[2])) % 5 == 0), 1] for key in keys for pair in said],
        )
    return root


def test_one_table_a_level_in_every_form(data: Path, tmp_path: Path) -> None:
    base = (
        str(data / "wmt12-rr"),
        "-m",
        "kendall,full,bleu",
        "--baseline",
        "kendall,chrf",
        "--samples",
        "100",
    )
    text = run(*base, cache=tmp_path / "kept").stdout
    assert text.index("segment level, tau:ties=counted") < text.index("system level, pearson with win_ratio")
    assert "100 samples, seed 12345" in text and "than kendall, chrf" in text and "nan" not in text.lower()
    rows = list(
        csv.DictReader(io.StringIO(run(*base, "-f", "tsv", cache=tmp_path / "kept").stdout), delimiter="\t")
    )
    assert [row["metric"] for row in rows] == ["kendall", "full", "bleu", "chrf"] * 4
    assert [row["collection"] for row in rows[4:8]] == ["mean"] * 4
    rows = [row for row in rows if row["collection"] != "mean"]
    told = json.loads(run(*base, "-f", "json", cache=tmp_path / "kept").stdout)
    for level, some in zip(told, (rows[:4], rows[4:]), strict=True):
        assert [m["sets"][0]["value"] for m in level["metrics"]] == [float(row["value"]) for row in some]
        assert level["sets"][0]["odd"]["pairs judged more than once"] == 120
    latex = run(*base, "-f", "latex", cache=tmp_path / "kept").stdout
    assert latex.count(r"\begin{tabular}{lrrr}") == 2
    # 30 segments: of 4 pairs judged 2 to 0, six segments 2 to 1; kendall ranks all alike, ties nothing.
    assert float(rows[0]["value"]) == pytest.approx((240 - 24) / 264)
    assert rows[0]["judgments"] == "264" and rows[4]["systems"] == "4"


def test_measures_levels_and_tests(data: Path) -> None:
    base = (str(data / "wmt12-rr"), "-m", "kendall,hamming", "--samples", "50", "-f", "json")
    for measure in (
        "tau:ties=dropped",
        "consistency",
        "accuracy:ties=exact,average=pairs",
        "accuracy:ties=calibrated,average=segments",
    ):
        told = json.loads(run(*base, "--level", "segment", "--measure", measure).stdout)
        assert told["sets"][0]["measure"].startswith(measure) and told["metrics"][0]["sets"][0]["value"] > 0
    for test, level in (("randomisation", "segment"), ("randomisation", "system"), ("williams", "system")):
        flags = ("--level", level, "--paired", test, "--baseline", "hamming")
        told = json.loads(run(*base, *flags).stdout)
        assert told["paired"] == test and 0 < told["metrics"][0]["sets"][0]["p_values"]["hamming"] <= 1
    for human in ("win_ratio", "expected_wins", "trueskill"):
        told = json.loads(run(*base, "--level", "system", "--human", human, "--measure", "spearman").stdout)
        assert told["sets"][0]["human"] == human
    told = json.loads(run(*base, "--level", "system", "--hybrids", "200", "--baseline", "hamming").stdout)
    assert told["sets"][0]["systems"] == 200 and told["metrics"][0]["sets"][0]["value"] is not None


def test_several_years_learning_and_pictures(data: Path, tmp_path: Path) -> None:
    both = (str(data / "wmt12-rr"), str(data / "wmt13-rr"))
    verb = ("learn", "settings")
    target = tmp_path / "learned.json"
    run(*both, "--learn", "alpha,beta", "--restarts", "2", "-o", str(target), verb=verb)
    (learned,) = json.loads(target.read_text())["learned"]
    assert [fold["held_out"] for fold in learned["folds"]] == ["2012", "2013"]
    assert set(learned["settings"]) == {"alpha", "beta"}
    text = run(*both, "-m", "full,bleu", "--learn", "alpha", "--restarts", "1", verb=verb)
    assert "learned from all years: alpha=" in text.stdout and "without bleu" in text.stderr
    folder = tmp_path / "pictures"
    done = run(*both, "-m", "full,kendall", "--plot", str(folder), "--curves", "alpha", "--samples", "20")
    assert done.returncode == 0 and str(folder / "alpha.svg") in done.stderr
    names = sorted(path.name for path in folder.iterdir())
    assert names == [
        "alpha.svg",
        "segment-intervals.svg",
        "segment-scaled.svg",
        "system-intervals.svg",
        "system-scaled.svg",
    ]
    for path in folder.iterdir():
        ElementTree.parse(path)


def test_alpha_of_each_pair_from_one_year(data: Path, tmp_path: Path) -> None:
    folder, target = tmp_path / "pictures", tmp_path / "learned.json"
    protocol = ("-m", "lrscore", "--learn", "alpha", "--per-pair", "--folds", "3", "--restarts", "2")
    base = (str(data / "wmt12-rr"), *protocol, "--measure", "consistency")
    done = run(*base, "--plot", str(folder), verb=("learn", "settings"))
    assert done.returncode == 0 and str(folder / "climb-lrscore-de-en.svg") in done.stderr
    assert "de-en" in done.stdout and "3 folds" in done.stdout and "consistency:ties=wrong" in done.stdout
    ElementTree.parse(folder / "climb-lrscore-de-en.svg")
    head, *rows = (line.split("\t") for line in (folder / "climbs.tsv").read_text().splitlines())
    assert head == ["metric", "pair", "held_out", "restart", "step", "alpha", "consistency:ties=wrong"]
    assert {row[2] for row in rows} == {"", "fold 1", "fold 2", "fold 3"} and {row[3] for row in rows} == {
        "1",
        "2",
    }
    run(*base, "-o", str(target), verb=("learn", "settings"))
    (learned,) = json.loads(target.read_text())["learned"]
    steps = [step for climb in learned["climbed"]["climbs"] for step in climb]
    assert [(float(row[5]), float(row[6])) for row in rows if not row[2]] == [
        (step["point"][0], step["value"]) for step in steps
    ]
    (record,) = json.loads(target.read_text())["held_out"]
    assert record["pair"] == "de-en" and record["usual"] <= record["best"]


def test_links_of_sources(data: Path, tmp_path: Path) -> None:
    links = tmp_path / "links.tsv"
    done = run(str(data / "wmt12-rr"), "-o", str(links), verb=("align-judgments",))
    assert done.returncode == 0 and "1 different source sentence is unreliable" in done.stderr
    assert links.read_text().startswith("lp\ttestset\tsegment\tsystem\tsource_words\ttarget_words\tlinks\n")
    metrics = ("-m", "lrscore,lrscore:match=alignments(birch)", "--samples", "0", "-f", "json")
    told = run(str(data / "wmt12-rr"), "--align", str(links), "--level", "segment", *metrics)
    assert told.returncode == 0, told.stderr
    _, through = json.loads(told.stdout)["metrics"]
    assert "match=alignments(birch)" in through["name"] and "match:alignments(birch)" in str(through)
    without = run(str(data / "wmt12-rr"), "--level", "segment", *metrics)
    assert without.returncode == 2 and "has no word alignments" in without.stderr
    assert without.stderr.rstrip().endswith("Try --align FILE.")
    unused = run(str(data / "wmt12-rr"), "--align", str(links), "-m", "lrscore")
    assert unused.returncode == 2 and "no metric has match=alignments(POLICY)" in unused.stderr


def test_scores_from_elsewhere(data: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.seg.tsv"
    value = {"good": 3, "fair": 2, "odd": 1, "poor": 0}
    rows = [
        ["mine", "de-en", "newstest2012", "news", "doc", "ref", name, k, value[name]]
        for name in ORDERS
        for k in range(1, 31)
    ]
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    args = (
        str(data / "wmt12-rr"),
        "-m",
        "kendall",
        "--scores",
        str(path),
        "--level",
        "segment",
        "-f",
        "json",
    )
    told = json.loads(run(*args, "--baseline", "kendall", "--samples", "50").stdout)
    assert [m["name"] for m in told["metrics"]] == ["kendall", "mine"]
    assert told["metrics"][1]["sets"][0]["value"] == pytest.approx((240 - 24) / 264)
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows[:-1]))
    told = json.loads(run(*args, "--samples", "0").stdout)
    assert told["sets"][0]["odd"]["outputs that a metric did not score"] == 1
    assert any("1 judged output missing" in note for note in told["notes"])


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("{data}/nothing",), 3, "does not exist"),
        (("{data}",), 3, "not a folder of judgments"),
        (("{data}/wmt12-rr", "-m", "nothing"), 2, "unknown metric"),
        (
            ("{data}/wmt12-rr", "--measure", "tau", "--level", "segment"),
            2,
            "has several forms",
        ),
        (("{data}/wmt12-rr", "--measure", "pearson", "--level", "segment"), 2, "needs ratings"),
        (("{data}/wmt12-rr", "--pairs", "xx-en"), 2, "no judgments of xx-en; there are de-en"),
        (("{data}/wmt12-rr", "-m", "kendall", "--learn", "alpha", "SETTINGS"), 2, "no metric has alpha"),
        (("{data}/wmt12-rr", "--learn", "alpha", "SETTINGS"), 2, "two years or more"),
        (("{data}/wmt12-rr", "--match", "exact+guess"), 2, "guess"),
        (("{data}/wmt12-rr", "--curves", "alpha"), 2, "--curves needs --plot"),
        (
            ("{data}/wmt12-rr", "--paired", "williams", "--level", "segment", "--baseline", "bleu"),
            2,
            "Williams",
        ),
    ],
)
def test_complaints_are_one_line(data: Path, args: tuple[str, ...], code: int, message: str) -> None:
    verb = ("learn", "settings") if "SETTINGS" in args else ("judge",)
    done = run(*(arg.format(data=data) for arg in args if arg != "SETTINGS"), verb=verb)
    assert done.returncode == code and message in done.stderr and done.stdout == "", done.stderr
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_a_metric_that_tells_nothing_apart(data: Path, tmp_path: Path) -> None:
    # The outputs have no prime operators, so nonbinary is the same for all.
    done = run(
        str(data / "wmt12-rr"),
        "-m",
        "nonbinary,kendall",
        "--measure",
        "tau:ties=dropped",
        "--level",
        "segment",
    )
    assert done.returncode == 0 and "nan" not in done.stdout.lower()
    assert (
        "nonbinary gives the same value to all outputs of wmt12-rr de-en" in done.stdout
        and "–" in done.stdout
    )


def test_truncated_files_are_errors(data: Path, tmp_path: Path) -> None:
    for name in ("pairs", "outputs", "segments"):
        folder = tmp_path / name
        folder.mkdir()
        for path in (data / "wmt12-rr").iterdir():
            text = gzip.decompress(path.read_bytes())
            if path.name.startswith(name):
                text = text[: int(len(text) * 0.7)].rstrip(b"0123456789\t\n")
            (folder / path.name).write_bytes(gzip.compress(text))
        done = run(str(folder), "-m", "kendall", "--level", "segment")
        assert done.returncode in (0, 3) and "Traceback" not in done.stderr
        if name == "outputs":  # a row that is whole, but its rest is gone: judged outputs without a text
            assert done.returncode == 3 or "judged outputs missing" in done.stdout
        else:
            assert done.returncode == 3 and str(folder) in done.stderr


def test_one_language_without_stems_does_not_stop_the_others(data: Path, tmp_path: Path) -> None:
    for name, old, new in (("en-de", b"de-en", b"en-de"), ("en-ja", b"de-en", b"en-ja")):
        folder = tmp_path / f"wmt12-{name}"
        folder.mkdir()
        for path in (data / "wmt12-rr").iterdir():
            text = gzip.decompress(path.read_bytes()).replace(old, new)
            (folder / path.name).write_bytes(gzip.compress(text))
    folders = [str(tmp_path / f"wmt12-{name}") for name in ("en-de", "en-ja")]
    stems = ("-m", "kendall", "--match", "exact+stem", "--tokenize", "none", "--samples", "10", "-f", "json")
    (segment, _) = json.loads(run(*folders, *stems).stdout)
    assert [summary["pair"] for summary in segment["sets"]] == ["en-de", "en-ja"]
    (note,) = [note for note in segment["notes"] if "stem" in note]
    assert note.startswith("wmt12-en-ja en-ja") and "matched by exact: ja has no stem resources" in note
    assert len(segment["metrics"][0]["signatures"]) == 2
    alone = run(folders[1], *stems)
    assert alone.returncode == 2 and "ja" in alone.stderr  # nobody has what was asked for


def test_results_are_headed_by_their_task(data: Path) -> None:
    base = (str(data / "wmt12-rr"), "-m", "kendall,full", "--level", "segment", "--samples", "50")
    name = "data=wmt12-rr; metrics=kendall full; level=segment; samples=50; seed=12345"
    assert run(*base).stdout.startswith(f"{name}\n")
    assert json.loads(run(*base, "-f", "json").stdout)["task"] == name
    assert f"% {name}" in run(*base, "-f", "latex").stdout and name in run(*base, "-f", "markdown").stdout
    shown = run(*base, "--baseline", "kendall", "--p-values").stdout
    assert "(p=" in shown and "* p < 0.05, ** p < 0.01 (paired bootstrap)" in shown
