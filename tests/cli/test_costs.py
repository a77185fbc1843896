"""Costs grow with the size of the input, not with its square."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from benchmarks.stopwatch import wait_for
from wordorder.judge.external_scores import submitted_scores
from wordorder.judge.read import read_sets


def test_a_line_of_many_words_needs_little_memory(tmp_path: Path) -> None:
    (tmp_path / "text").write_text(" ".join(f"w{n % 5000}" for n in range(200_000)) + "\n")
    command = [sys.executable, "-m", "wordorder", "score", "-r", "text", "text", "-m", "ribes,kendall", "-q"]
    process = subprocess.Popen(
        [*command, "--samples", "0", "-o", "out"], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    used = wait_for(process)
    assert process.returncode == 0 and used.megabytes < 1024  # 4.5 GB with all pairs of words


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
