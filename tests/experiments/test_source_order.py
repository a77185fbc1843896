"""The tables of order compared with the source, on a few sentences."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from experiments import source_order
from experiments.source_order import apart_table, complete_texts, links_table, systems_table
from wordorder.judge.judgments import Judgments

ENGLISH = ["the house is red .", "the book is red .", "a house is there .", "the book is there ."]
GERMAN = ["rot ist das haus .", "das buch ist rot .", "ein haus ist da .", "da ist das buch ."]
LINKS = ["0-2 1-3 2-1 3-0 4-4", "0-0 1-1 2-2 3?3", "0-0 1-1 2-2 3-3 4-4", "0-2 1-3 2-1 3-0 4-4"]


def test_links(tmp_path: Path) -> None:
    folder = tmp_path / "set" / "en-de"
    folder.mkdir(parents=True)
    for ending, lines in (("en", ENGLISH), ("de", GERMAN), ("align", LINKS)):
        (folder / f"dev.{ending}.gz").write_bytes(gzip.compress("".join(f"{x}\n" for x in lines).encode()))
    table = links_table(tmp_path, ["set/en-de/dev"])
    manual, own = table.rows
    assert manual[:4] == ["set/en-de/dev", "4", "manual", "95 %"] and own[2] == "this text, 4 pairs"
    assert manual[4] == f"{(0.5 + 1 + 1 + 0.5) / 4:.3f}"  # two of four sentences invert 5 of 10 pairs
    assert "over 1 sets" in table.notes[0]


def judgments(outputs: dict[str, list[str]], human: frozenset[str] = frozenset()) -> Judgments:
    names = sorted(outputs)
    count = len(ENGLISH)
    return Judgments(
        collection="test", pair="en-de", testset="t", segments=[str(k) for k in range(count)],
        sources=ENGLISH, references=[GERMAN], systems=names, human=human,
        item_segment=np.repeat(np.arange(count), len(names)),
        item_system=np.tile(np.arange(len(names)), count),
        outputs=[outputs[name][k] or None for k in range(count) for name in names],
    )  # fmt: skip


def test_systems(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(source_order, "LEAST", 2)
    outputs = {"a": GERMAN, "b": ENGLISH, "few": [GERMAN[0], "", "", ""], "person": GERMAN}
    made = judgments(outputs, frozenset({"person"}))
    texts = complete_texts(made)
    assert texts is not None and list(texts[2]) == ["a", "b"] and len(texts[0]) == 4
    monkeypatch.setattr(source_order, "read_judgments", lambda path: [made])
    (row,) = systems_table(tmp_path, ["test"]).rows
    assert row[:3] == ["test en-de t", "4", "2"] and row[7].count("/") == 1
    (alone,) = apart_table(tmp_path, ["test"]).rows
    assert alone[0] == "test en-de t" and alone[3].endswith("of 2")
    monkeypatch.setattr(source_order, "LEAST", 5)
    assert complete_texts(made) is None and systems_table(tmp_path, ["test"]).rows == []
