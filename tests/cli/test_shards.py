"""Corpora in many files on the command line: every verb gives what it gives for one file."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.calls import run_here
from wordorder.core import resample
from wordorder.data import package_file
from wordorder.engine.shard_folder import ShardFolder

NAMES = ("reference", "system-a", "system-b")
SIZES = (7, 0, 1, 12)


def good(*args: object) -> str:
    done = run_here(*map(str, args))
    assert done.returncode == 0, done.stderr
    return done.stdout


def bad(*args: object) -> str:
    done = run_here(*map(str, args))
    assert done.returncode in (2, 3) and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The sample in one file, in several, as JSON lines, and with alignments."""
    lines = {name: (package_file("sample") / f"{name}.txt").read_text().splitlines() for name in NAMES}
    for name, texts in lines.items():
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in texts))
        at = 0
        for k, size in enumerate(SIZES):
            (tmp_path / name / f"part-{k}.txt").write_text("".join(f"{t}\n" for t in texts[at : at + size]))
            at += size
    (tmp_path / "json").mkdir()
    at = 0
    for k, size in enumerate(SIZES):
        rows = [{name: lines[name][i] for name in NAMES} for i in range(at, at + size)]
        (tmp_path / "json" / f"{k}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        at += size
    return tmp_path


def joined(folder: Path, ending: str) -> str:
    return "".join(path.read_text() for path in sorted(folder.glob(f"*{ending}")))


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("test", ["bootstrap", "randomisation"])
def test_corpus_scores_are_the_same_to_the_last_digit(
    corpus: Path, monkeypatch: pytest.MonkeyPatch, large: bool, test: str
) -> None:
    if large:
        monkeypatch.setattr(resample, "LARGE", 3)
    how = ("--paired", test, "--names", "a,b", "-m", "kendall,recpef,full,bleu", "-f", "json")
    one = good(
        "score", "-r", corpus / "reference.txt", corpus / "system-a.txt", corpus / "system-b.txt", *how
    )
    parts = good("score", "-r", corpus / "reference", corpus / "system-a", corpus / "system-b", *how)
    table = corpus / "json" / "*.jsonl"
    columns = good("score", "-r", f"{table}#reference", f"{table}#system-a", f"{table}#system-b", *how)
    assert one == parts == columns and json.loads(one)["segments"] == 20


def test_other_samples_need_no_scoring(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = ("-r", corpus / "reference", corpus / "system-a", "-m", "kendall", "--folder", corpus / "stats")
    good("score", *files)
    monkeypatch.setattr("wordorder.engine.score_texts.score_block", None)
    again = good("score", *files, "--resume", "--samples", "7", "-f", "json")
    assert json.loads(again)["samples"] == 7
    assert "other settings: metrics was" in bad("score", *files, "--resume", "-m", "fuzzy")
    assert "has the results of an earlier run" in bad("score", *files)


def test_sentence_scores_align_orders_and_reordering(corpus: Path) -> None:
    a, r = corpus / "system-a", corpus / "reference"
    one, many = corpus / "one", corpus / "many"
    good("score", "-r", f"{r}.txt", f"{a}.txt", "--level", "sentence", "-o", one, "-f", "tsv")
    good("score", "-r", r, a, "--level", "sentence", "-o", many, "-f", "tsv")
    lines = joined(many, ".tsv").splitlines()
    scores = [line.split("\t")[2:] for line in lines if not line.startswith("system\t")]
    assert scores == [line.split("\t")[2:] for line in one.read_text().splitlines()[1:]]
    good(
        "align", "-s", f"{a}.txt", "-t", f"{r}.txt", "-o", corpus / "links.txt", "--save-model", corpus / "m"
    )
    good("align", "-s", a, "-t", r, "-o", corpus / "links", "--model", corpus / "m")
    good("align", "-s", a, "-t", r, "-o", corpus / "trained")
    expected = (corpus / "links.txt").read_text()
    assert joined(corpus / "links", ".align") == joined(corpus / "trained", ".align") == expected
    for kind in ("order", "text", "positions"):
        how = ("--as", kind, "-q")
        alone = good("orders", "-s", f"{a}.txt", "-t", f"{r}.txt", "--align", corpus / "links.txt", *how)
        out = corpus / f"orders-{kind}" / "*.out"
        good("orders", "-s", a, "-t", r, "--align", corpus / "links", "-o", out, *how)
        assert joined(out.parent, ".out") == alone
    alone = good("preorder", "apply", "--model", "en-ja-crf", "-s", f"{a}.txt")
    good("preorder", "apply", "--model", "en-ja-crf", "-s", a, "-o", corpus / "reordered" / "*.gz")
    assert len(list((corpus / "reordered").glob("part-?.gz"))) == 4
    good("preorder", "apply", "--model", "en-ja-crf", "-s", a, "-o", corpus / "reordered2")
    assert joined(corpus / "reordered2", ".txt") == alone


def test_counts_of_all_shards_are_reported_together(corpus: Path) -> None:
    a, r = corpus / "system-a", corpus / "reference"
    good(
        "align", "-s", f"{a}.txt", "-t", f"{r}.txt", "-o", corpus / "links.txt", "--save-model", corpus / "m"
    )
    good("align", "-s", a, "-t", r, "-o", corpus / "links", "--model", corpus / "m")
    one = run_here("orders", "-s", f"{a}.txt", "--align", str(corpus / "links.txt"))
    many = run_here("orders", "-s", str(a), "--align", str(corpus / "links"), "-o", str(corpus / "o"))
    assert many.stderr == one.stderr and many.stderr.startswith("20 sentences")


def test_lenient_runs_say_what_they_skip(corpus: Path) -> None:
    (corpus / "system-a" / "part-2.txt").write_bytes(b"\xff\n")
    where = ("score", "-r", str(corpus / "reference"), str(corpus / "system-a"), "-m", "kendall")
    assert "part-2.txt:1: byte 0xff" in bad(*where)
    done = run_here(*where, "--lenient", "-f", "json")
    assert json.loads(done.stdout)["segments"] == 19
    assert "part-2: " in done.stderr and "skipped 1 (not UTF-8)" in done.stderr
    quiet = run_here(*where, "--lenient", "-f", "json", "-q")
    assert quiet.stderr == "skipped 1 in 1 shard\n"


@pytest.mark.parametrize(
    "args, message",
    [
        (("align", "-s", "{a}", "-t", "{r}", "--model", "{m}"), "needs -o FOLDER"),
        (("align", "-s", "{a}", "-t", "{r}", "-o", "x/*/y"), "one * may stand"),
        (("align", "-s", "{a}.txt", "-t", "{r}.txt", "--resume"), "--resume would have no effect"),
        (("align", "-s", "{a}.txt", "-t", "{r}.txt", "--cluster", "local"), "--cluster would have no effect"),
        (("align", "-s", "{a}", "-t", "{r}", "-o", "{o}", "--gold", "g"), "--gold would have no effect"),
        (("align", "-s", "{a}", "-t", "{r}", "-o", "{o}", "--method", "eflomal"), "single files only"),
        (("align", "-s", "{a}.txt", "-t", "{r}.txt", "-o", "{a}"), "is a directory"),
        (("align", "-s", "{a}", "-t", "{r}", "-o", "{a}.txt"), "is a file; expected a folder"),
        (("orders", "-s", "{a}.txt", "--align", "x", "-o", "{a}"), "is a directory"),
        (("orders", "-s", "{a}", "--align", "{a}", "-o", "{a}.txt"), "is a file; expected a folder"),
        (("preorder", "apply", "--model", "identity", "-s", "{a}.txt", "-o", "{a}"), "is a directory"),
        (("score", "-r", "{r}.txt", "{a}.txt", "-o", "{a}"), "is a directory"),
        (("score", "-r", "{r}", "{a}", "-o", "{a}"), "is a directory"),
        (("score", "-r", "{r}", "{a}", "--folder", "{a}.txt"), "is a file; expected a folder"),
        (("score", "-r", "{r}", "{a}", "--resume"), "no --folder to resume from"),
        (("score", "-r", "{r}.txt", "{a}.txt", "--folder", "{o}"), "--folder would have no effect"),
        (("score", "-r", "{r}", "{a}", "--cluster", "tcp://x:1"), "--cluster needs --folder"),
        (("score", "-r", "{r}", "{a}", "--level", "sentence"), "needs -o FOLDER"),
        (("score", "-r", "{r}", "{a}.txt"), "is a single file, but"),
        (("preorder", "apply", "--model", "identity", "-s", "{a}"), "needs -o FOLDER"),
    ],
)
def test_complaints_are_one_line(corpus: Path, args: tuple[str, ...], message: str) -> None:
    names = {"a": "system-a", "r": "reference", "m": "model", "o": "out"}
    places = {key: str(corpus / name) for key, name in names.items()}
    assert message in bad(*(arg.format(**places) for arg in args))


COMMAND = (sys.executable, "-c", "from wordorder.cli.main import main; main()")


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["score", "align", "preorder"])
def test_kills_at_random_moments_change_nothing(corpus: Path, verb: str) -> None:
    a, r = corpus / "system-a", corpus / "reference"
    for folder in (a, r):  # enough work to be killed in
        text = Path(f"{folder}.txt").read_text()
        for k in range(40):
            (folder / f"part-{k}.txt").write_text(text * 10)

    def args(out: str) -> list[str]:
        return [str(arg) for arg in {
            "score": ("score", "-r", r, a, "--folder", corpus / out, "-o", corpus / f"{out}.json"),
            "align": ("align", "-s", a, "-t", r, "-o", corpus / out),
            "preorder": ("preorder", "apply", "--model", "en-ja-crf", "-s", a, "-o", corpus / out),
        }[verb]]  # fmt: skip

    def content(out: str) -> dict[str, bytes]:
        files = [p for p in (corpus / out).rglob("*") if p.is_file()]
        found = {str(p.relative_to(corpus / out)): p.read_bytes() for p in files}
        table = corpus / f"{out}.json"
        return {name: data for name, data in found.items() if ".training" not in name} | (
            {"table": table.read_bytes()} if table.exists() else {}
        )

    began = time.monotonic()
    subprocess.run([*COMMAND, *args("whole")], check=True, capture_output=True)
    needed = time.monotonic() - began
    rng = random.Random(17)
    for _ in range(10):
        running = subprocess.Popen([*COMMAND, *args("killed"), "--resume"], stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.2, 1) * needed)
        os.kill(running.pid, signal.SIGKILL)
        running.wait()
    subprocess.run([*COMMAND, *args("killed"), "--resume"], check=True, capture_output=True)
    assert content("killed") == content("whole")


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same(corpus: Path) -> None:
    pytest.importorskip("distributed")
    from distributed import Client, LocalCluster

    a, r = corpus / "system-a", corpus / "reference"
    for folder in (a, r):
        text = Path(f"{folder}.txt").read_text()
        for k in range(60):
            (folder / f"part-{k}.txt").write_text(text * 20)
    here = good("score", "-r", r, a, "-f", "json")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        victim = next(iter(cluster.workers.values()))
        folder = corpus / "stats"
        running = subprocess.Popen(
            [*COMMAND, "score", "-r", str(r), str(a), "-f", "json", "--folder", str(folder), "--cluster",
             cluster.scheduler_address],
            stdout=subprocess.PIPE,
        )  # fmt: skip
        while len(list(folder.glob("*.npy"))) < 5 and running.poll() is None:
            time.sleep(0.05)
        os.kill(victim.pid, signal.SIGKILL)
        out, _ = running.communicate(timeout=120)
    assert running.returncode == 0 and out.decode() == here
    assert len(list(folder.glob("*.npy"))) == 60


def test_training_is_part_of_a_run(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run is refused before it trains, and so is one with other text or settings."""
    a, r, out = corpus / "system-a", corpus / "reference", corpus / "out"
    done = run_here("align", "-s", str(a), "-t", str(r), "-o", str(out))
    assert done.returncode == 0 and "an aligner trained on 20 pairs of sentences is unreliable" in done.stderr
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    monkeypatch.setattr("wordorder.engine.align_shards.train_on_shards", None)
    assert "other settings: how was" in bad(
        "align", "-s", a, "-t", r, "-o", out, "--resume", "--symmetrise", "union"
    )
    assert "other settings: aligner was" in bad(
        "align", "-s", a, "-t", r, "-o", out, "--resume", "--keep-case"
    )
    text = (a / "part-2.txt").read_text()
    (a / "part-2.txt").write_text("another line\n")
    what = f"on other text: {a / 'part-2.txt'} has changed, and each output depends on all files"
    assert what in bad("align", "-s", a, "-t", r, "-o", out, "--resume")
    (a / "part-2.txt").write_text(text)
    for folder in (a, r):
        (folder / "part-4.txt").write_text("a new file\n")
    what = "other text: files were changed, added or removed, and each output depends on all files"
    assert what in bad("align", "-s", a, "-t", r, "-o", out, "--resume")
    (out / "manifest.json").unlink()
    with ShardFolder(out).held():
        assert "another run is writing" in bad("align", "-s", a, "-t", r, "-o", out, "--resume")
    del before[out / "manifest.json"]
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_systems_are_called_by_folder_or_column(corpus: Path) -> None:
    table = str(corpus / "json" / "*.jsonl")
    how = ("-m", "kendall", "--samples", "0", "-f", "tsv", "-q")
    assert "\nsystem-b\t" in good("score", "-r", f"{table}#reference", f"{table}#system-b", *how)
    assert "\nsystem-b\t" in good("score", "-r", corpus / "reference", corpus / "system-b" / "*.txt", *how)
