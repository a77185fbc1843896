"""The models that come with the package, and exact decoding beside sampling on real sentences."""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import numpy as np
import pytest

from wordorder import tree
from wordorder.core.alignment import Alignment
from wordorder.data import package_file
from wordorder.preorder import Source, TrainingData, check_preorderer, load_preorderer
from wordorder.preorder.base import expected_loss
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.models import model_names


@pytest.mark.parametrize("name", ["en-ja", "en-tr"])
def test_shipped_models_work_and_are_small(name: str) -> None:
    assert name in model_names()
    folder = package_file(f"preorder/{name}")
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_050_000
    assert "CC BY-SA" in (folder / "README.md").read_text(encoding="utf-8")
    made = load_preorderer(name)
    assert isinstance(made, ReorderingGrammar) and made.trained["sentences"] > 500
    check_preorderer(made)


SENTENCES = """\
he bought a book .
i ate an apple .
she reads the newspaper .
they saw a movie .
we drink tea .
he wrote a letter .
i like music .
she opened the door .
he plays the guitar .
they built a house ."""


@pytest.mark.parametrize("name", ["en-ja", "en-tr"])
def test_english_verbs_move_back(name: str) -> None:
    """What a learner of Japanese or Turkish is told first: the verb comes after its object."""
    sources = [Source(tuple(line.split())) for line in SENTENCES.splitlines()]
    moved = []
    for source, order in zip(sources, load_preorderer(name).reorder_batch(sources), strict=True):
        words = order.apply(source.words)
        moved.append(words.index(source.words[1]) > words.index(source.words[-2]))
    assert sum(moved) >= 8


@pytest.mark.slow
@pytest.mark.shared
def test_exact_decoding_is_never_worse_than_samples(shared: Path) -> None:
    place = shared / "data" / "parallel" / "kftt-gold" / "en-ja"
    read = {}
    for part in ("dev", "devtest"):
        with gzip.open(place / f"{part}.en.gz", "rt", encoding="utf-8") as lines:
            read[part] = [Source(tuple(line.split())) for line in lines]
    with gzip.open(place / "dev.align.gz", "rt", encoding="utf-8") as lines:
        links = [[tuple(map(int, link.split("-"))) for link in line.split()] for line in lines]
    alignments = [Alignment(len(s), 400, pairs) for s, pairs in zip(read["dev"], links, strict=True)]
    fitted = ReorderingGrammar(iterations=10).fit(TrainingData(read["dev"], alignments))
    sources = (read["devtest"] + read["dev"])[:500]
    times = {}
    orders = {}
    for way in ("consensus", "sample"):
        began = time.process_time()
        orders[way] = fitted.with_settings(decoding=way).reorder_batch(sources)
        times[way] = time.process_time() - began
    compared = 0
    for table, exact, drawn in zip(
        fitted.precedence_batch(sources), orders["consensus"], orders["sample"], strict=True
    ):
        if tree(drawn).max_arity <= 2:  # decoding is exact among the orders that binary trees build
            assert expected_loss(exact, table) <= expected_loss(drawn, table) + 1e-9
            compared += 1
    assert compared > 400
    assert times["sample"] > 5 * times["consensus"], times
    assert np.mean([a == b for a, b in zip(orders["consensus"], orders["sample"], strict=True)]) > 0.3
