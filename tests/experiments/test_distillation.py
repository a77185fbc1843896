"""Teachers and a small network, trained on a few sentences of the sample."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from experiments.parallel import Corpus, read_parallel
from experiments.shipped_models import distillation, names
from experiments.shipped_models.text import _write
from tests.experiments.corpora import write_corpus
from wordorder.core.alignment import Alignment
from wordorder.preorder import Source, load_preorderer

NAMES = ("kftt-gold/en-ja/dev", "pud/en-ko/dev")


def write_text(home: Path, work: Path) -> list[Corpus]:
    """Write six sentences as each kind of text; returns those with manual links."""
    manual = []
    for name in NAMES:
        write_corpus(home, name, lines=slice(6))
        manual.append(read_parallel(home, name, manual=True).for_target(name[-6:-4]))
        _write(work, f"manual-{name.replace('/', '_')}", manual[-1])
    _write(work, "raw", manual[0])
    _write(work, "automatic-de", manual[0].for_target("de"))
    words = ("he", "met", "yoshimasa", "ashikaga", ".")
    people = Corpus([Source(words, target="ja")], [Alignment(5, 5, [(i, i) for i in range(5)])])
    _write(work, "headings-ja", names.alone([("yoshimasa", "ashikaga")], "ja", inverted=True))
    places = names.japanese(["He met Yoshimasa ASHIKAGA ."])
    _write(work, "named-ja", names.named(people, places, names.family_first))
    parts = {NAMES[0]: [], NAMES[1]: [0, 1, 2] * 2}
    (work / "text" / "parts.json").write_text(json.dumps(parts), encoding="utf-8")
    return manual


def run_here(todo: Sequence[distillation.Job], work: Path) -> None:
    for job in todo:
        assert all((work / need).exists() for need in job.needs)
        job.function(*job.arguments)


def test_all_networks_of_a_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {name: replace(distillation.KINDS[name], units=4) for name in ("labels", "small")}
    epochs = dict.fromkeys(("pretraining_epochs", "tree_epochs", "automatic_epochs", "epochs"), 1)
    for name, value in {
        "MANUAL": NAMES,
        "KINDS": kinds,
        "TEACHERS": {"labels": kinds["labels"]},
        "SMALL": kinds["small"],
        "STUDENT_EPOCHS": 1,
        "SETTINGS": replace(distillation.SETTINGS, **epochs),
        "FINAL": distillation.FINAL | {"epochs": 1},
    }.items():
        monkeypatch.setattr(distillation, name, value)
    work = tmp_path / "work"
    manual = write_text(tmp_path / "parallel", work)
    run_here(distillation.jobs(distillation.Laboratory(work), [1]), work)
    names = ("small-distilled-1", "small-linked-1", "small-1")
    distilled, linked, small = (load_preorderer(work / name) for name in names)
    # Six sentences of KFTT, four of the treebank outside part 1, and six that are rehearsed; then a sentence
    # with a name, and the name alone.
    assert linked.trained["sentences"] == 16 and linked.trained["start"] == distilled.signature
    assert small.trained["sentences"] == 18 and small.trained["start"] == linked.signature
    assert (small.units, small.layers, small.min_linked) == (4, 2, 0.05)
    for before, after in ((distilled, linked), (linked, small)):
        weights = zip(before.state.weights.values(), after.state.weights.values(), strict=True)
        assert any(not np.array_equal(*pair) for pair in weights)
    for order in small.reorder_batch(manual[1].sources):
        assert sorted(order.order) == list(range(len(order)))
