"""The pages on languages and on gaming, on the judgments of the bundled sample."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments import languages, stress
from experiments.reproduction.judged import JudgedData
from tests.experiments.corpora import write_judgments
from wordorder.data import sample_judgments
from wordorder.judge.read import read_sets


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("experiments.reproduction.judged.available_threads", lambda: 1)
    for name in ("wmt15-rr", "wmt21-mqm"):
        write_judgments(tmp_path / "judgments", name)
    return tmp_path / "judgments"


def test_drawn_segments_keep_their_judgments() -> None:
    (sample,) = read_sets([str(sample_judgments())])
    all_of_them, some = languages.drawn(sample, 0), languages.drawn(sample, 5)
    assert all_of_them.preferences.untied == sample.preferences.untied
    assert len(np.unique(some.item_segment)) == 5 and 0 < some.preferences.untied < sample.preferences.untied
    pairs = some.preferences
    assert (some.item_segment[pairs.first] == some.item_segment[pairs.second]).all()
    numbers = sample.item_numbers
    places = zip(some.item_segment.tolist(), some.item_system.tolist(), strict=True)
    items = [numbers[segment, some.systems[system]] for segment, system in places]
    assert list(some.outputs) == [sample.outputs[item] for item in items]


def test_the_page_on_languages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(languages, "METRICS", {"chrf": "chrF"})
    monkeypatch.setattr(languages, "COMPARED", ("chrf",))
    page = languages.page_text(folder, 10)
    assert "| target | measure | sets | pairs | chrF |" in page
    assert "| `en` | tau | 2 | 1 | " in page
    assert "up to 10 judged segments of each test set" in page
    assert [group.language for group in languages.groups(JudgedData(folder), 10)] == ["en"]


def test_the_page_on_gaming(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (
        ("ORDER", "kendall"),
        ("TEXT", "bleu"),
        ("available_threads", lambda: 1),
    ):
        monkeypatch.setattr(stress, name, value)
    page = stress.page_text(folder)
    for row in ("| kendall | 100.0 ±0.0 |", "| bleu | 100.0 ±0.0 |", "| ter | 100.0 ±0.0 |", "| recpef |"):
        assert row in page
    assert "$ wordorder stress wmt21-mqm -m ter --items 5\n" in page
