"""Costs grow with the size of the input, not with its square."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from benchmarks.stopwatch import wait_for
from tests.cli.calls import run_here
from wordorder.core.permutation import Permutation
from wordorder.errors import WordOrderError
from wordorder.judge.external_scores import submitted_scores
from wordorder.judge.read import read_sets
from wordorder.metrics.registry import metric
from wordorder.preorder.models import load_preorderer


@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers need memory")
@pytest.mark.parametrize(
    ("verb", "words", "most"),
    [
        (["score", "-m", "ribes,kendall"], 200_000, 1024),  # 4.5 GB with all pairs of words
        (["report", "score", "-m", "kendall"], 16_000, 300),  # 6 GB
    ],
)
def test_a_line_of_many_words_needs_little_memory(
    verb: list[str], words: int, most: float, tmp_path: Path
) -> None:
    (tmp_path / "text").write_text(" ".join(f"w{n % 5000}" for n in range(words)) + "\n")
    command = [sys.executable, "-m", "wordorder", *verb, "-r", "text", "text", "-q"]
    process = subprocess.Popen(
        [*command, "--samples", "0", "-o", "out.html" if verb[0] == "report" else "out"],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
    )
    used = wait_for(process)
    assert process.returncode == 0 and used.megabytes < most


def test_words_in_order_are_scored_in_linear_time() -> None:
    def seconds(words: int) -> float:
        order = Permutation.identity(words)
        begin = time.process_time()
        assert metric("recpef")(order) == pytest.approx(1)
        return time.process_time() - begin

    short, long = (min(seconds(words) for _ in range(3)) for words in (50_000, 200_000))
    assert long < 10 * short  # 4 times as long, or 16 times if quadratic


@pytest.mark.parametrize("settings", [{"mean": "trees"}, {"variant": "beer11"}])
def test_all_trees_of_long_chains_are_refused(settings: dict[str, str]) -> None:
    pieces = [[start, start + 2, start + 1] for start in range(0, 12_000, 3)]
    orders = [list(range(60_000)), [place for piece in pieces for place in piece]]
    for order in orders:
        with pytest.raises(WordOrderError, match=r"recpef: a chain of .* parts is too long"):
            metric("recpef", **settings)(Permutation(order))


def test_tables_of_edits_are_limited() -> None:
    line = "a b " * 2500
    assert metric("ter").sentence_score(line, [line]).score == 0
    with pytest.raises(WordOrderError, match="ter: a segment has 5,002 words; expected 5,000 at most"):
        metric("ter").sentence_score(line + "a b", [line])


def test_scores_computed_elsewhere_are_found_in_linear_time(tmp_path: Path) -> None:
    def seconds(segments: int) -> float:
        folder = tmp_path / str(segments)
        folder.mkdir(exist_ok=True)
        rows: dict[str, list[str]] = {
            "segments.tsv": ["lp\ttestset\tsegment\tsource\treference"],
            "outputs.tsv": ["lp\ttestset\tsegment\tsystem\toutput"],
            "da.tsv": ["lp\ttestset\tsegment\tsystem\tz"],
        }
        scores = []
        for number in range(1, segments + 1):
            rows["segments.tsv"].append(f"xx-en\ttest\t{number}\tx\ta")
            rows["outputs.tsv"].append(f"xx-en\ttest\t{number}\ts\ta")
            rows["da.tsv"].append(f"xx-en\ttest\t{number}\ts\t{number}")
            scores.append(f"m\txx-en\ttest\tall\t-\tref\ts\t{number}\t{number}")
        for name, lines in rows.items():
            (folder / name).write_text("\n".join(lines) + "\n")
        (folder / "scores").write_text("\n".join(scores) + "\n")
        sets = read_sets([str(folder)])
        begin = time.process_time()
        found = submitted_scores(str(folder / "scores"), sets)
        assert found[0]["m"].known.sum() == segments
        return time.process_time() - begin

    seconds(100)  # what is only done once
    short, long = (min(seconds(size) for _ in range(3)) for size in (4000, 16_000))
    assert long < 10 * short  # 4 times as long, or 16 times if quadratic


def test_sentences_that_are_too_long_for_a_model_are_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a b\n" + "word " * 16_000 + "\n")  # 14 GB for the tables of its words
    for model in ("en-ja-crf", "en-ja"):
        done = run_here("preorder", "apply", "--model", model, "-s", str(tmp_path / "text"), "-q")
        assert done.returncode == 3 and done.stdout == ""
        assert "text:2: a sentence of 16,000 words is not reordered, only one of up to 2,000" in done.stderr
    done = run_here("preorder", "apply", "--model", "none", "-s", str(tmp_path / "text"), "-q")
    assert done.returncode == 0
    (tmp_path / "text").write_text("word " * 2001 + "\n")
    for limit, rc in (("2000", 3), ("2001", 0)):
        options = ("preorder", "apply", "--model", "en-ja-crf", "-s", str(tmp_path / "text"), "-q")
        assert run_here("--longest-sentence", limit, *options).returncode == rc
    with pytest.raises(WordOrderError, match="16,000 words is not reordered"):
        load_preorderer("en-ja-crf").reorder(["word"] * 16_000)
    with pytest.raises(WordOrderError, match="501 words cannot be explained, only one of up to 500"):
        load_preorderer("en-ja-crf").explain(["word"] * 501)


@pytest.mark.slow
@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers need memory")
def test_many_long_sentences_are_not_reordered_together(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(("word " * 1000 + "\n") * 32)
    command = [
        sys.executable,
        "-m",
        "wordorder",
        "preorder",
        "apply",
        "--model",
        "en-ja-crf",
        "--threads",
        "2",
    ]
    process = subprocess.Popen([*command, "-s", "text", "-o", "out", "-q"], cwd=tmp_path)
    used = wait_for(process)
    assert process.returncode == 0 and used.megabytes < 1000  # 1.6 GB if all of them are scored first
