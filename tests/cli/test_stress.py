"""Stress tests from the command line: judgments and plain files, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.calls import run_here
from wordorder.data import sample_judgments

DATA = str(sample_judgments())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("texts")
    lines = {
        "reference": ["我今天去学校。", "他昨天买了３本书。"],
        "system": ["今天我去学校。", "昨天他买了三本书。"],
        "other": ["我今天到学校去。", "他昨天买三本书了。"],
        "source": ["I go to school today .", "He bought 3 books yesterday ."],
    }
    for name, texts in lines.items():
        (folder / name).write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return folder


def test_every_format() -> None:
    base = ("stress", DATA, "-m", "kendall,bleu", "--items", "20", "--samples", "20")
    text = run_here(*base).stdout
    assert "Forgeries that score at least as high as real outputs, in %: 20 outputs in" in text
    assert "bootstrap over segments, 20 samples, seed 12345\n" in text and "bleu: bleu|nrefs:1|" in text
    assert "±" not in run_here(*base[:-1], "0").stdout.replace("± 95", "")
    data = json.loads(run_here(*base, "-f", "json").stdout)
    rows = list(csv.DictReader(io.StringIO(run_here(*base, "-f", "tsv").stdout), delimiter="\t"))
    assert len(rows) == len(data["outcomes"]) == 2 * 16 and data["items"] == 20
    shares = [None if row["share"] == "" else float(row["share"]) for row in rows]
    assert shares == [outcome["share"] for outcome in data["outcomes"]]
    assert run_here(*base, "-f", "markdown").stdout.count("|---|---:|") == 3
    assert run_here(*base, "-f", "latex").stdout.count(r"\begin{tabular}") == 3


def test_plain_files_of_a_language_without_spaces(files: Path) -> None:
    base = ("stress", "-r", str(files / "reference"), str(files / "system"), str(files / "other"))
    done = run_here(
        *base, "--language", "zh", "-s", str(files / "source"), "-m", "kendall,chrf", "-f", "json"
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["sets"] == ["system, other"] and data["items"] == 4
    assert "|tokenize:zh|" in data["signatures"][0][0]
    found = {(o["metric"], o["kind"], o["manipulation"]): o for o in data["outcomes"]}
    assert found["kendall", "forgery", "shuffled"]["items"] == 4
    assert found["chrf", "forgery", "source"]["share"] == 0.0
    assert found["kendall", "change", "negation"]["items"] == 4


def test_what_cannot_be_done(files: Path, tmp_path: Path) -> None:
    reference, system = str(files / "reference"), str(files / "system")
    for args, message in (
        ([DATA, "-s", reference], "--source would have no effect: human judgments bring their own texts"),
        (["-r", reference, system, "--pairs", "de-en"], "--pairs would have no effect"),
        (["-r", reference, system, system], "is given twice"),
        ([], "Missing argument 'DATA...'"),
        ([DATA, "-m", "nosuch"], "nosuch"),
        ([DATA, "--normalize", "nosuch"], "unknown normalisation 'nosuch'"),
    ):
        done = run_here("stress", *args)
        assert done.returncode == 2 and message in done.stderr, done.stderr
    (tmp_path / "empty").touch()
    done = run_here("stress", "-r", str(tmp_path / "empty"), str(tmp_path / "empty"))
    assert done.returncode == 3 and "is empty; expected one segment per line" in done.stderr
    (tmp_path / "short").write_text("one line\n")
    done = run_here("stress", "-r", reference, str(tmp_path / "short"))
    assert done.returncode == 3 and "short" in done.stderr
