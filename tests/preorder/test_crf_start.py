"""Training that goes on from a network."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.cli.calls import run_here  # noqa: E402
from wordorder.core.alignment import Alignment  # noqa: E402
from wordorder.errors import BadSetting, WordOrderError  # noqa: E402
from wordorder.preorder import RunOptions, Source, TrainingData, load_preorderer  # noqa: E402
from wordorder.preorder.crf import FeatureCRF, NeuralCRF  # noqa: E402

SMALL = NeuralCRF(units=8, epochs=6, learning_rate=0.01, tune_min_gain=False, dropout=0.0, word_dropout=0.0)
RUN = RunOptions(seed=1, device="cpu")


def text(*, reverse: bool, targets: tuple[str, ...] = ("",), word: str = "w") -> TrainingData:
    sources, alignments = [], []
    for k in range(12):
        n = 3 + k % 3
        sources.append(Source(tuple(f"{word}{i}" for i in range(n)), target=targets[k % len(targets)]))
        alignments.append(Alignment(n, n, [(i, n - 1 - i if reverse else i) for i in range(n)]))
    return TrainingData(sources, alignments)


@pytest.fixture(scope="module")
def start() -> NeuralCRF:
    return SMALL.fit(text(reverse=True), RUN)


def order(model: NeuralCRF, target: str = "") -> list[int]:
    return model.reorder(Source(("w0", "w1", "w2"), target=target)).order


def test_without_epochs_the_model_stays(start: NeuralCRF) -> None:
    same = replace(SMALL, epochs=0).fit(replace(text(reverse=False), start=start), RUN)
    for name, array in start.arrays().items():
        assert np.array_equal(array, same.arrays()[name]), name
    assert order(same) == order(start) == [2, 1, 0]


def test_training_changes_what_the_start_had_learned(start: NeuralCRF) -> None:
    changed = replace(SMALL, epochs=40).fit(replace(text(reverse=False), start=start), RUN)
    assert order(changed) == [0, 1, 2]
    assert order(start) == [2, 1, 0]
    assert changed.trained["start"] == start.signature


def test_words_of_the_start_are_kept(start: NeuralCRF) -> None:
    more = replace(text(reverse=False, word="new"), start=start)
    assert replace(SMALL, epochs=1).fit(more, RUN).state.vocabulary == start.state.vocabulary


def test_languages_of_the_start_are_kept() -> None:
    two = replace(SMALL, epochs=1).fit(text(reverse=True, targets=("ja", "ko")), RUN)
    one = replace(text(reverse=False, targets=("ko",)), start=two)
    assert replace(SMALL, epochs=1).fit(one, RUN).state.languages == ("ja", "ko")
    with pytest.raises(BadSetting, match="'zh'; the model knows ja, ko"):
        SMALL.fit(replace(text(reverse=False, targets=("zh",)), start=two), RUN)
    unnamed = replace(text(reverse=False), start=two)
    with pytest.raises(BadSetting, match=r"several target languages.*Choose one"):
        SMALL.fit(unnamed, RUN)
    # Sentences without a language are those of the setting.
    chosen = replace(SMALL, epochs=60, language="ko").fit(unnamed, RUN)
    assert order(chosen) == [0, 1, 2]


def test_a_start_must_fit(start: NeuralCRF) -> None:
    data = replace(text(reverse=False), start=start)
    with pytest.raises(BadSetting, match="has units 8; expected 9"):
        replace(SMALL, units=9).fit(data, RUN)
    with pytest.raises(BadSetting, match="crf cannot go on from a model"):
        FeatureCRF().fit(data, RUN)
    with pytest.raises(BadSetting, match="cannot go on from a model of the method crf"):
        SMALL.fit(replace(data, start=FeatureCRF()), RUN)
    with pytest.raises(WordOrderError, match="must be trained"):
        SMALL.fit(replace(data, start=SMALL), RUN)
    with pytest.raises(BadSetting, match="single, unnamed"):
        SMALL.fit(replace(text(reverse=False, targets=("ja",)), start=start), RUN)


def test_a_checkpoint_belongs_to_its_start(start: NeuralCRF, tmp_path: Path) -> None:
    data = replace(text(reverse=False), start=start)
    run = replace(RUN, checkpoint=str(tmp_path / "checkpoint"))
    whole = SMALL.fit(data, run)
    again = SMALL.fit(data, replace(run, resume=True))
    assert np.array_equal(whole.arrays()["edge.weight"], again.arrays()["edge.weight"])
    with pytest.raises(WordOrderError, match="other text or settings"):
        SMALL.fit(replace(data, start=whole), replace(run, resume=True))


def test_command(start: NeuralCRF, tmp_path: Path) -> None:
    start.save(str(tmp_path / "start"))
    (tmp_path / "s").write_text("w0 w1 w2\nw0 w1 w2 w3\n" * 4, encoding="utf-8")
    (tmp_path / "a").write_text("0-0 1-1 2-2\n0-0 1-1 2-2 3-3\n" * 4, encoding="utf-8")
    options = ["preorder", "train", "-s", str(tmp_path / "s"), "--align", str(tmp_path / "a"), "--quiet"]
    options += ["--save-model", str(tmp_path / "new"), "--start", str(tmp_path / "start")]
    result = run_here(*options, "--set", "epochs=40")
    assert result.returncode == 0, result.stderr
    model = load_preorderer(tmp_path / "new")
    assert isinstance(model, NeuralCRF)
    assert model.units == 8 and model.epochs == 40
    assert order(model) == [0, 1, 2]
    result = run_here(*options, "--method", "crf")
    assert result.returncode == 2 and "contradict" in result.stderr
