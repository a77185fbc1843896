"""Training of the forest CRF that was stopped goes on to the same model, for both kinds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.preorder.test_crf_features import corpus
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.crf import FeatureCRF, ForestCRF, NeuralCRF

ROOT = Path(__file__).resolve().parents[2]
FEATURES = FeatureCRF(hash_bits=12, epochs=4, automatic_epochs=2, coarse_classes=2, fine_classes=4)
NEURAL = NeuralCRF(epochs=4, automatic_epochs=2, pretraining_epochs=1, units=6, batch_size=8)
BOTH = pytest.mark.parametrize("made", [FEATURES, NEURAL], ids=["features", "neural"])


@pytest.fixture(autouse=True)
def _torch(request: pytest.FixtureRequest) -> None:
    if "neural" in request.node.name:
        pytest.importorskip("torch")


MUCH = TrainingData(*corpus(30), raw=[["a", "b", "x"]] * 9, automatic=corpus(20, seed=3))


class Stop(Exception):
    """Something that interrupts a training."""


def same(one: ForestCRF, other: ForestCRF) -> bool:
    first, second = one.arrays(), other.arrays()
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def stopping(at: int, seen: list[Any] | None = None, **more: Any) -> RunOptions:
    """A training that is interrupted before the state after its pass ``at`` (from 1) is kept."""
    passes: list[Any] = [] if seen is None else seen

    def log(record: dict[str, Any]) -> None:
        passes.append(tuple(record.get(key) for key in ("network", "round", "iteration", "loss")))
        if len(passes) == at:
            raise Stop

    return RunOptions(log=log, resume=True, **more)


def check_stops(made: ForestCRF, stops: Sequence[int], folder: Path) -> list[Any]:
    """Stopped so often, each time before another pass is kept, it ends the same; returns all passes."""
    data = MUCH
    every: list[Any] = []
    whole = made.fit(data, stopping(99, every))
    for at in stops:
        with pytest.raises(Stop):
            made.fit(data, stopping(at, checkpoint=str(folder)))
    rest: list[Any] = []
    again = made.fit(data, stopping(99, rest, checkpoint=str(folder), threads=2))
    assert rest == every[sum(stops) - len(stops) :]
    assert same(whole, again) and whole.trained == again.trained
    # A training that is done and kept ends at once.
    done = made.fit(data, stopping(1, checkpoint=str(folder)))
    assert same(whole, done) and whole.trained == done.trained
    return every


@BOTH
def test_stopped_anywhere_it_ends_the_same(made: ForestCRF, tmp_path: Path) -> None:
    """Stopped in the first round, after it, and in the last; on one thread, then on two."""
    every = check_stops(made, (2, 2, 3), tmp_path)
    raw = [("raw text", 1)] if isinstance(made, NeuralCRF) else []
    links = [(name, k + 1) for name, passes in (("automatic", 2), ("manual", 4)) for k in range(passes)]
    assert [pass_[1:3] for pass_ in every] == raw + links


def test_stopped_in_a_teacher_or_student_neural(tmp_path: Path) -> None:
    """Stopped in the first pass of all, in the second teacher, between its rounds, and in the student."""
    made = replace(NEURAL, teachers=2, epochs=2, automatic_epochs=1)
    every = check_stops(made, (1, 6, 3, 3), tmp_path)
    own = [("raw text", 1), ("automatic", 1), ("manual", 1), ("manual", 2)]
    rounds = [(network, *one) for network in (1, 2) for one in own]
    assert [pass_[:3] for pass_ in every] == [*rounds, (3, "raw text", 1), (3, "teachers", 1)]
    (tmp_path / "teacher-2.safetensors").unlink()
    with pytest.raises(BadSetting, match=r"has no teacher-2\.safetensors"):
        made.fit(MUCH, stopping(99, checkpoint=str(tmp_path)))


@BOTH
def test_other_text_or_settings_are_refused(made: ForestCRF, tmp_path: Path) -> None:
    place = str(tmp_path / "c")
    made = replace(made, epochs=1)
    made.fit(TrainingData(*corpus(20)), RunOptions(checkpoint=place))
    go_on = RunOptions(checkpoint=place, resume=True)
    sources, links = corpus(20)
    told = [replace(one, target="ja") for one in sources]
    data = TrainingData(sources, links)
    for other, text, run in (
        (replace(made, strength=1.0), data, go_on),
        (made, TrainingData(*corpus(19)), go_on),
        (made, TrainingData(told, links), go_on),
        (made, data, replace(go_on, seed=2)),
        (made, replace(data, raw=[["more"]]), go_on),
        (made, replace(data, automatic=corpus(5)), go_on),
    ):
        with pytest.raises(BadFile, match="belongs to other text or settings"):
            other.fit(text, run)
    file = tmp_path / "c" / "checkpoint.safetensors"
    file.write_bytes(file.read_bytes()[:-100])
    with pytest.raises(BadFile, match="damaged checkpoint"):
        made.fit(TrainingData(sources, links), go_on)


@BOTH
def test_killed_without_warning(made: ForestCRF, tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "from tests.preorder.test_crf_resume import FEATURES, NEURAL, corpus\n"
        "from wordorder.preorder import RunOptions, TrainingData\n"
        "def log(record):\n"
        "    if record['iteration'] == 3: os.kill(os.getpid(), 9)\n"
        "made = NEURAL if sys.argv[2] == 'neural-crf' else FEATURES\n"
        "made.fit(TrainingData(*corpus(30)), RunOptions(checkpoint=sys.argv[1], log=log))\n"
    )
    place = str(tmp_path / "c")
    command = [sys.executable, "-c", code, place, made.name]
    done = subprocess.run(command, capture_output=True, check=False, cwd=ROOT)
    assert done.returncode == -9, done.stderr.decode()
    seen: list[int] = []
    run = RunOptions(checkpoint=place, resume=True, log=lambda record: seen.append(record["iteration"]))
    again = made.fit(TrainingData(*corpus(30)), run)
    assert seen == [3, 4] and same(again, made.fit(TrainingData(*corpus(30))))


def test_several_target_languages_neural() -> None:
    """What one language turns round, the other leaves; a sentence says which it is for, or the model does."""
    rng = np.random.default_rng(0)
    sources, links = [], []
    for number in range(60):
        words = tuple(f"w{k}" for k in rng.integers(5, size=2))
        sources.append(Source(words, target="xx" if number % 2 else "yy"))
        links.append(Alignment(2, 2, [(0, 1), (1, 0)] if number % 2 else [(0, 0), (1, 1)]))
    made = replace(NEURAL, units=16, epochs=12, learning_rate=0.01)
    fitted = made.fit(TrainingData(sources, links))
    assert fitted.trained["network"]["languages"] == ["xx", "yy"]
    words = ("w0", "w1")
    orders = fitted.reorder_batch([Source(words, target="xx"), Source(words, target="yy")])
    assert [order.order.tolist() for order in orders] == [[1, 0], [0, 1]]
    assert [
        order.order.tolist() for order in fitted.with_settings(language="xx").reorder_batch([Source(words)])
    ] == [[1, 0]]
    with pytest.raises(BadSetting, match="several target languages: xx, yy"):
        fitted.reorder_batch([Source(words)])
    with pytest.raises(BadSetting, match="others have none"):
        made.fit(TrainingData([*sources, Source(words)], [*links, links[0]]))
    with pytest.raises(BadSetting, match="the sentences have xx, yy"):
        replace(made, language="zz").fit(TrainingData(sources, links))
    with pytest.raises(BadSetting, match="device is 'nowhere'"):
        made.fit(TrainingData(sources, links), RunOptions(device="nowhere"))
