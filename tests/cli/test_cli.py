"""The command line as people use it: a real process, what it prints, how it ends."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.calls import run_here
from wordorder.core.permutation import Permutations
from wordorder.io.permutations import BLOCK
from wordorder.metrics import metric

NAMES = "kendall,recpef:beta=0.5,gamma=0.25,pet_count,crossings"
SPECS = ["kendall", "recpef:beta=0.5,gamma=0.25", "pet_count", "crossings"]
LINES = ["0 1 2 3", "3 1 2 0", "1 3 0 2", "0", "1,0", "<>", "⟨2,0,1⟩", "4 3 2 1 0"]
ORDERS = [[0, 1, 2, 3], [3, 1, 2, 0], [1, 3, 0, 2], [0], [1, 0], [], [2, 0, 1], [4, 3, 2, 1, 0]]


def run(*args: str, stdin: bytes | None = None, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command: here, which is quicker, unless it needs an environment of its own."""
    if stdin is None and not env:
        done = run_here(*args)
        return subprocess.CompletedProcess(args, done.returncode, done.stdout.encode(), done.stderr.encode())
    return subprocess.run(
        [sys.executable, "-m", "wordorder", *args],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **env},
    )


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    path = tmp_path / "orders.txt"
    path.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return path


def test_sentence_table_has_one_row_a_sentence_and_the_metrics_last(orders: Path) -> None:
    done = run("score", "--permutations", str(orders), "-m", NAMES, "--level", "sentence", "-f", "tsv")
    assert done.returncode == 0 and done.stderr == b""
    rows = list(csv.reader(io.StringIO(done.stdout.decode()), delimiter="\t"))
    assert rows[0] == ["sentence", "words", *SPECS] and len(rows) == 1 + len(LINES)
    for number, (row, order) in enumerate(zip(rows[1:], ORDERS, strict=True), start=1):
        assert row[:2] == [str(number), str(len(order))]
        assert [float(v) for v in row[2:]] == [metric(s)(order) for s in SPECS]  # to the last bit


def test_same_numbers_from_every_output_and_from_python(orders: Path) -> None:
    base = ("score", "--permutations", str(orders), "-m", NAMES)
    expected = {s: metric(s).corpus_score_orders(Permutations(ORDERS)) for s in SPECS}
    corpus = json.loads(run(*base, "-f", "json").stdout)
    assert {m["spec"]: m["score"] for m in corpus["metrics"]} == {s: v.score for s, v in expected.items()}
    assert corpus["sentences"] == 8 and corpus["empty"] == 1 and corpus["single"] == 1
    table = list(csv.DictReader(io.StringIO(run(*base, "-f", "tsv").stdout.decode()), delimiter="\t"))
    assert {r["metric"]: float(r["score"]) for r in table} == {s: v.score for s, v in expected.items()}
    assert [r["signature"] for r in table] == [v.signature for v in expected.values()]
    text = run(*base).stdout.decode()
    for spec, score in expected.items():
        assert f"{score.score:.4f}" in next(line for line in text.splitlines() if line.startswith(spec))
    assert "1 empty, 1 of one word" in text and "lower is better" in text
    sentences = json.loads(run(*base, "--level", "sentence", "-f", "json").stdout)
    assert [s["kendall"] for s in sentences["sentences"]] == [metric("kendall")(o) for o in ORDERS]
    assert [s["sentence"] for s in sentences["sentences"]] == list(range(1, 9))
    plain = run(*base, "--level", "sentence").stdout.decode().splitlines()
    assert len(plain) == 9 and plain[2].split()[:3] == ["2", "4", f"{metric('kendall')(ORDERS[1]):.4f}"]


def test_standard_input_base_and_repeated_metrics() -> None:
    args = ["--permutations", "-", "--base", "1", "-m", "kendall", "-m", "ulam,fuzzy", "-f", "tsv"]
    done = run("score", *args, "--level", "sentence", stdin=b"2 1 3\r\n3 2 1")
    assert done.returncode == 0
    rows = [line.split("\t") for line in done.stdout.decode().splitlines()]
    assert rows[0] == ["sentence", "words", "kendall", "ulam", "fuzzy"] and len(rows) == 3
    assert float(rows[1][2]) == metric("kendall")([1, 0, 2])


def test_threads_do_not_change_the_result(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("".join(f"{LINES[k % len(LINES)]}\n" for k in range(1_300_000)), encoding="utf-8")
    assert path.stat().st_size > 2 * BLOCK  # several blocks
    whole = run("score", "--permutations", str(path), "--level", "sentence", "-f", "json")
    assert len(json.loads(whole.stdout)["sentences"]) == 1_300_000
    for level in ("corpus", "sentence"):
        base = ("score", "--permutations", str(path), "-m", "recpef,kendall", "--level", level, "-f", "tsv")
        assert run(*base, "--threads", "1").stdout == run(*base, "--threads", "3").stdout


@pytest.mark.parametrize(
    ("content", "args", "place", "message"),
    [
        (b"0 1\n0 0\n", (), ":2: ", "0 occurs twice"),
        (b"0 1\n1 2\n", (), ":2: ", "Do the numbers start at 1? Try --base 1"),
        (b"1 2\n1 0\n", ("--base", "1"), ":2: ", "Do the numbers start at 0? Try --base 0"),
        (b"0 1\n\n1 0\n", (), ":2: ", "empty line (write <>"),
        (b"0 1\n   \n", (), ":2: ", "empty line"),
        (b"0 99999999999999999999\n", (), ":1: ", "number 2 is 99999999999999999999"),
        (b"0 3000000000\n", (), ":1: ", "number 2 is 3000000000"),
        (b"0 1\n0 \xff 1\n", (), ":2: ", "byte 0xff at column 3 is not UTF-8"),
        (b"0 1\nzero one\n", (), ":2: ", "number 1 is 'zero'"),
        (b"0 -1\n", (), ":1: ", "number 2 is '-1'"),
        (b"0 1.5\n", (), ":1: ", "number 2 is '1.5'"),
        (b"0,,1\n", (), ":1: ", "number 2 is ''"),
        (b"<0 1\n", (), ":1: ", "bracket"),
        (b"\x00\n", (), ":1: ", "number 1 is"),
        (b"", (), ": ", "is empty"),
    ],
)
@pytest.mark.parametrize("level", ["corpus", "sentence"])
def test_bad_files_get_one_line_that_names_the_place(
    tmp_path: Path, content: bytes, args: tuple[str, ...], place: str, message: str, level: str
) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    target = tmp_path / "out.tsv"
    done = run("score", "--permutations", str(path), *args, "--level", level, "-o", str(target))
    error = done.stderr.decode()
    assert done.returncode == 3 and done.stdout == b""
    assert error.count("\n") == 1 and "Traceback" not in error
    assert f"{path}{place}" in error and message in error
    assert list(tmp_path.iterdir()) == [path]  # nothing half-written
    assert run("score", "--permutations", str(path), *args, "--level", level).stdout == b""


def test_error_far_into_a_file_names_its_line(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("0 1 2\n" * 1_500_000 + "0 2\n" + "0\n" * 10)
    done = run("score", "--permutations", str(path), "--level", "sentence", "-f", "tsv")
    assert done.returncode == 3 and done.stdout == b""
    assert f"{path}:1500001: number 2 is 2" in done.stderr.decode()


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("score", "--permutations", "{folder}"), 3, "is a directory"),
        (("score", "--permutations", "{folder}/none.txt"), 3, "does not exist"),
        (("score",), 2, "--permutations"),
        (("score", "--permutations", "-", "-m", "kendal"), 2, "Did you mean 'kendall'?"),
        (("score", "--permutations", "-", "-m", "recpef:beta=7"), 2, "expected 0 to 1"),
        (("score", "--permutations", "-", "-m", "kendall,kendall"), 2, "twice"),
        (("score", "--permutations", "-", "--base", "2"), 2, "'2'"),
        (("scor",), 2, "Did you mean 'score'?"),
        (("tree", "1 1"), 3, "occurs twice"),
        (("tree", "0 1", "--base", "1"), 3, "Do the numbers start at 0? Try --base 0"),
        (("tree", "1" * 5000), 3, "too large"),
        (("tree", "(P21 2 1)", "--order"), 2, "--order and --base"),
        (("tree", "2 1", "-m", "bleu"), 2, "scores text"),
        (("tree", ""), 3, "no numbers"),
        (("tree", "2 1", "--words", "a b c"), 3, "3 words for a permutation of 2"),
        (("tree", "(P12 1"), 3, "missing"),
        (("tree", "2 1", "-o", "{folder}"), 3, "is a directory"),
        (("tree", "2 1", "-o", "{folder}/no/x.json"), 3, "cannot be written"),
        (("tree", "2 1", "-o", "{folder}/x.svg"), 2, "cannot write .svg; choose --as"),
        (("metrics", "nothing"), 2, "unknown metric"),
    ],
)
def test_misuse_gets_one_line_and_a_code(
    tmp_path: Path, args: tuple[str, ...], code: int, message: str
) -> None:
    (tmp_path / "file").write_text("")
    done = run(*(a.format(folder=tmp_path, file=tmp_path / "file") for a in args), stdin=b"0 1\n")
    error = done.stderr.decode()
    assert (done.returncode, done.stdout) == (code, b""), error
    assert message in error and error.count("\n") == 1 and "Traceback" not in error


@pytest.mark.speed
def test_help_is_instant_and_opens_with_commands() -> None:
    def busy() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    # The processor's time, not the clock's: other programs may be running.
    start = busy()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    slow_machine = 4 * (busy() - start)
    for args in (
        (),
        ("score",),
        ("tree",),
        ("draw",),
        ("metrics",),
        ("demo",),
        ("align",),
        ("formats",),
        ("judge",),
    ):
        took = []
        for _ in range(3):
            start = busy()
            done = run(*args, "--help")
            took.append(busy() - start)
        lines = [line.strip() for line in done.stdout.decode().splitlines() if line.strip()]
        assert done.returncode == 0 and lines[0].startswith("Usage: wordorder")
        assert lines[1].startswith("wordorder "), lines[:3]
        assert min(took) < max(0.2, slow_machine)


def test_tree_in_the_terminal() -> None:
    done = run("tree", "2 4 5 6 1 3", "--words", "I will wait for you tomorrow")
    assert done.returncode == 0
    assert done.stdout.decode().splitlines() == [
        "⟨2,4,1,3⟩",
        "├─ I         2",
        "├─ ⟨1,2⟩×2",
        "│  ├─ will   4",
        "│  ├─ wait   5",
        "│  └─ for    6",
        "├─ you       1",
        "└─ tomorrow  3",
        "2 trees · pet_size 0.50 · max_operator 0.50 · recpef 0.40",
    ]


def test_tree_forms_and_orders() -> None:
    assert (
        run("tree", "1 2 3", "--chains", "left", "--as", "brackets").stdout.decode()
        == "⟨1,2⟩(⟨1,2⟩(1 2) 3)\n"
    )
    assert run("tree", "1 2 3", "--chains", "right", "--as", "penn").stdout.decode() == "(P12 1 (P12 2 3))\n"
    # Not its own inverse: read as an order, word 2 comes first, so word 1 takes place 3.
    assert run("tree", "2 3 1", "--as", "brackets").stdout.decode() == "⟨2,1⟩(⟨1,2⟩(2 3) 1)\n"
    assert run("tree", "2 3 1", "--order", "--as", "brackets").stdout.decode() == "⟨2,1⟩(3 ⟨1,2⟩(1 2))\n"
    assert run("tree", "(P21 b a)", "--as", "brackets").stdout.decode() == "⟨2,1⟩(b a)\n"
    data = json.loads(run("tree", "4 3 2 1", "--as", "json", "--forest").stdout)
    assert data["trees"] == 5 and len(data["forest"]["listed"]) == 5 and data["scores"]["recpef"] == 0.0


def test_forest_is_counted_and_listed() -> None:
    text = run("tree", "4 3 2 1", "--forest", "--limit", "2").stdout.decode()
    assert "5 trees" in text and "packed forest: 10 spans, 10 inferences" in text
    assert "   1  ⟨2,1⟩(4 ⟨2,1⟩(3 ⟨2,1⟩(2 1)))" in text and "and 3 more" in text
    numbers = " ".join(map(str, range(1, 301)))
    assert "about 10^176.1" in run("tree", numbers, "--forest", "--limit", "0").stdout.decode()


def test_words_cannot_smuggle_escapes() -> None:
    done = run("tree", "2 1", "--words", "\x1b[31mred <b>")
    assert b"\x1b" not in done.stdout and "\ufffd[31mred" in done.stdout.decode()


def test_metrics_are_listed_and_explained() -> None:
    listed = run("metrics").stdout.decode()
    assert "recpef" in listed and "lower" in listed
    assert metric("recpef").signature in run("metrics", "recpef").stdout.decode()
    data = json.loads(run("metrics", "-f", "json").stdout)["metrics"]
    assert {"kendall", "recpef"} <= {m["name"] for m in data}


def test_output_goes_through_links_and_devices_and_keeps_modes(tmp_path: Path, orders: Path) -> None:
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o600)
    link.symlink_to(real)
    assert run("score", "--permutations", str(orders), "-o", str(link)).returncode == 0
    assert link.is_symlink() and "kendall" in real.read_text() and real.stat().st_mode & 0o777 == 0o600
    assert run("score", "--permutations", str(orders), "-o", "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()
    command = f"'{sys.executable}' -m wordorder score --permutations '{orders}' > /dev/full"
    full = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert full.returncode == 3 and b"No space" in full.stderr and b"Traceback" not in full.stderr


def test_tree_and_score_give_the_same_numbers() -> None:
    args = ("tree", "1 2 0", "-m", "anticipation", "--as", "json")
    data = json.loads(run(*args).stdout)
    assert data["scores"]["anticipation"] == metric("anticipation")([1, 2, 0])
    data = json.loads(run(*args, "--order").stdout)
    assert data["permutation"] == [2, 0, 1]
    assert data["scores"]["anticipation"] == metric("anticipation")([2, 0, 1])


def test_without_a_command_there_is_help() -> None:
    done = run()
    assert done.returncode == 0 and done.stdout.decode().startswith("Usage: wordorder") and done.stderr == b""


def test_demo_names_the_files_it_wrote(tmp_path: Path) -> None:
    done = run("demo", "--folder", str(tmp_path / "d"))
    assert done.returncode == 0
    for name in ("scores.json", "scores.tex", "tree.svg", "explained.svg"):
        path = tmp_path / "d" / name
        assert path.stat().st_size > 500 and str(path) in done.stdout.decode()
    assert (tmp_path / "d" / "tree.svg").read_text("utf-8").startswith("<svg")


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "many.txt"
    path.write_text("0 1 2\n" * 200_000)
    command = f"'{sys.executable}' -m wordorder score --permutations '{path}' --level sentence | head -1"
    done = subprocess.run(
        ["bash", "-c", command + "; exit ${PIPESTATUS[0]}"], capture_output=True, check=False
    )
    assert done.returncode == 0 and done.stderr == b"" and done.stdout.startswith(b"sentence")


def test_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "out.tsv"
    process = subprocess.Popen(
        [sys.executable, "-m", "wordorder", "score", "--permutations", "-", "-o", str(target)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # A job in the background of a shell is started deaf to it.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdin
    process.stdin.write(b"0 1\n" * 10)
    process.stdin.flush()
    deadline = time.monotonic() + 20
    while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
        time.sleep(0.05)  # until the command has begun to write
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=20)
    assert process.returncode == 130 and error.strip() == b"wordorder: interrupted"
    assert list(tmp_path.iterdir()) == []


def test_a_line_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as out:
        for _ in range(70):
            out.write(b"a " * (1 << 19))
    done = run("score", "-r", str(bomb), str(bomb), "-m", "ribes")
    assert done.returncode == 3 and b"bomb.gz:1: the line is longer than 67,108,864 bytes" in done.stderr
    done = run("--longest-line", "2000000", "score", "-r", str(bomb), str(bomb), "-m", "ribes")
    assert done.returncode == 3 and b"longer than 2,000,000 bytes" in done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_work_inside_a_kernel(tmp_path: Path, how: signal.Signals) -> None:
    # The order of a long sentence keeps a kernel busy for minutes, where Python cannot be interrupted.
    code = (
        "import numpy as np, sys, time\n"
        "from wordorder import _native\n"
        "from wordorder.cli.signals import stopping_on_signals\n"
        "from wordorder.io.files import open_output\n"
        "n = 400\n"
        "with stopping_on_signals(), open_output(sys.argv[1]) as out:\n"
        "    print('begun', flush=True)\n"
        "    _native.mixed_order(np.random.rand(n, n), np.random.rand(n + 1, n + 1), 0.5, 0)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout and process.stdout.readline() == b"begun\n"
    time.sleep(0.2)
    process.send_signal(how)
    start = time.monotonic()
    _, error = process.communicate(timeout=20)
    assert time.monotonic() - start < 2  # half a second on an idle machine
    assert process.returncode == 128 + how and error.strip() == b"wordorder: interrupted"
    assert list(tmp_path.iterdir()) == []


def test_the_ending_of_the_file_chooses_the_notation(tmp_path: Path) -> None:
    for name, begin in (("t.json", "{"), ("t.txt", "⟨2,1⟩")):
        assert run("tree", "2 3 1", "-o", str(tmp_path / name)).returncode == 0
        assert (tmp_path / name).read_text("utf-8").startswith(begin)
    done = run("score", "--permutations", "x", "-o", str(tmp_path / "t.csv"))
    assert done.returncode == 2 and b"cannot write .csv" in done.stderr


def test_suggestions_are_options_of_the_verb_that_was_called(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("a b\n")
    (tmp_path / "a").write_text("0-1 1-0\n")
    files = ("-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"))
    done = run("evaluate", *files, "en-multi-crf")
    assert done.returncode == 2 and b"Try NAME:language=ar." in done.stderr
    done = run("preorder", "calibration", *files, "en-multi-crf")
    assert done.returncode == 2 and b"Try --set language=ar." in done.stderr
