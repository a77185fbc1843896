"""The files of rated systems are those that ``wordorder evaluate`` reads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.rated_orders import write
from tests.cli.calls import call
from wordorder.judge.read import read_sets

SOURCES = ["das haus ist rot .", "das buch ist rot .", "ein haus ist da .", "das buch ist da ."]
REFERENCE = ["the house is red .", "the book is red .", "a house is there .", "the book is there ."]


def test_orders_ratings_and_texts_of_rated_systems(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "rated"
    data.mkdir()
    outputs = {"same": REFERENCE, "back": [" ".join(reversed(line.split())) for line in REFERENCE]}
    outputs["ref-B"] = REFERENCE  # a human translation
    texts = [(name, k, text) for name, lines in outputs.items() for k, text in enumerate(lines, 1)]
    tables = {
        "segments.tsv": ["lp\ttestset\tsegment\tsource\treference"]
        + [f"de-en\tt\t{k}\t{s}\t{r}" for k, (s, r) in enumerate(zip(SOURCES, REFERENCE, strict=True), 1)],
        "outputs.tsv": ["lp\ttestset\tsegment\tsystem\toutput"]
        + [f"de-en\tt\t{k}\t{name}\t{text}" for name, k, text in texts],
        "da.tsv": ["lp\ttestset\tsegment\tsystem\tz"]
        + [f"de-en\tt\t{k}\t{name}\t{z}" for name, z in (("same", 1), ("back", -1)) for k in (1, 2, 3)],
    }  # fmt: skip
    for name, lines in tables.items():
        (data / name).write_text("\n".join(lines) + "\n")
    (judgments,) = read_sets([str(data)])
    folder = tmp_path / "orders"
    write(judgments, folder, threads=1)
    assert sorted(path.name for path in folder.glob("*.order")) == ["back.order", "same.order"]
    assert (folder / "source").read_text().splitlines() == SOURCES
    assert len((folder / "ratings.tsv").read_text().splitlines()) == 7
    args = ["--align", "reference.align", "-s", "source", "-t", "reference", "--ratings", "ratings.tsv"]
    monkeypatch.chdir(folder)
    done = call(
        capsys, monkeypatch, "evaluate", *args, "same.order", "back.order", "--output-text", "{system}.txt",
        "--variant", "talbot", "--samples", "0", "-f", "json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    systems = found["variants"][0]["systems"]
    assert systems["same"]["kendall"]["score"] == 1.0 > systems["back"]["kendall"]["score"]
    assert found["ratings"]["systems"]["back"]["rating"]["score"] == -1.0
    assert found["translations"]["systems"]["same"]["bleu"]["score"] == pytest.approx(100)
