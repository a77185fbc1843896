"""Training an aligner on many files gives the model of one file, also after an interruption."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from wordorder.align.bilingual import AlignerSettings, BilingualModel, train_aligner
from wordorder.data import package_file
from wordorder.engine.align_shards import train_on_shards
from wordorder.errors import BadFile
from wordorder.io.shards import Shard, find_shards

LINES = [
    (package_file("sample") / name).read_text(encoding="utf-8").splitlines()
    for name in ("system-a.txt", "reference.txt")
]


def cut(folder: Path, sizes: list[int]) -> list[Shard]:
    """Write the sample in parts of these sizes."""
    for side, lines in zip(("s", "t"), LINES, strict=True):
        (folder / side).mkdir()
        at = 0
        for k, size in enumerate(sizes):
            (folder / side / f"{k}.txt").write_text("".join(f"{line}\n" for line in lines[at : at + size]))
            at += size
    return find_shards({"source": str(folder / "s"), "target": str(folder / "t")})


def state(model: BilingualModel) -> dict[str, Any]:
    return {**model._native.state(), "words": model.words, "text": model.trained_on}


def assert_equal(one: BilingualModel, other: BilingualModel) -> None:
    first, second = state(one), state(other)
    assert first.keys() == second.keys()
    for name in first:
        assert np.array_equal(first[name], second[name]) if name not in ("words", "text") else True
    assert (first["words"], first["text"]) == (second["words"], second["text"])


@pytest.mark.parametrize("method", ["hmm", "ibm1"])
@pytest.mark.parametrize("sizes", [[20], [3, 0, 9, 1, 7]])
def test_parts_give_the_model_of_the_whole(tmp_path: Path, method: str, sizes: list[int]) -> None:
    settings = AlignerSettings.for_method(method)
    size = sum(sizes)
    whole = train_aligner(LINES[0][:size], LINES[1][:size], settings=settings)
    assert_equal(train_on_shards(cut(tmp_path, sizes), tmp_path / "state", settings=settings), whole)


def test_a_training_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    shards = cut(tmp_path, [8, 6, 6])
    calls: list[int] = []

    def stopping(work: Callable[[Any], Any], items: Iterable[Any]) -> Iterator[Any]:
        calls.append(1)
        if len(calls) == 7:  # two passes before the first iteration, then the fifth one
            raise KeyboardInterrupt
        return map(work, items)

    settings = AlignerSettings()
    with pytest.raises(KeyboardInterrupt):
        train_on_shards(shards, tmp_path / "state", settings=settings, run=stopping)
    seen: list[int] = []
    model = train_on_shards(shards, tmp_path / "state", settings=settings, progress=seen.append)
    assert seen == [4, 5, 6, 7]
    assert_equal(model, train_aligner(LINES[0], LINES[1], settings=settings))
    other = AlignerSettings(alpha=0.1)  # other settings are another training
    model = train_on_shards(shards, tmp_path / "state", settings=other)
    assert_equal(model, train_aligner(LINES[0], LINES[1], settings=other))


def test_empty_corpora_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="has no pair of sentences"):
        train_on_shards(cut(tmp_path, [0, 0]), tmp_path / "state", settings=AlignerSettings())
