"""The network behind the preorderer: it needs no torch, keeps the contract, and what ships works."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import call
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.neural.words import SPECIAL, pack_words
from wordorder.preorder import RunOptions, Source, TrainingData, as_sources, check_preorderer
from wordorder.preorder.crf import NeuralCRF
from wordorder.preorder.crf.network import NetworkShape
from wordorder.preorder.models import load_preorderer

SHAPE = {"words": 7, "buckets": 32, "languages": 1, "word_size": 4, "piece_size": 3, "language_size": 2,
         "units": 5, "layers": 2, "span_size": 6, "edge_size": 4, "pair_size": 3}  # fmt: skip
DOG = ["he", "has", "seen", "the", "big", "dog", "."]


def arrays(seed: int = 1, **changed: int) -> dict[str, np.ndarray]:
    """A network that was never trained."""
    size = {**SHAPE, **changed}
    rng, shapes = np.random.default_rng(seed), NetworkShape(**size).arrays()
    words = {"words": pack_words([*SPECIAL, *(f"w{k}" for k in range(size["words"] - len(SPECIAL)))])}
    made = {name: rng.normal(size=shape).astype(np.float16) for name, shape in shapes.items()}
    made["piece.weight"][0] = 0
    return {**made, **words}


def model(languages: tuple[str, ...] = (), **settings: str) -> NeuralCRF:
    size = {**SHAPE, "languages": max(len(languages), 1)}
    facts = {"seed": 1, "network": {"shape": size, "languages": list(languages), "labels": []}}
    return NeuralCRF(**settings).restored(arrays(languages=size["languages"]), facts)


def test_contract() -> None:
    pytest.importorskip("torch")  # the contract trains
    check_preorderer(model())


def test_saved_and_loaded_it_says_the_same(tmp_path: Path) -> None:
    made = model()
    made.save(str(tmp_path / "m"))
    sources = as_sources([f"w0 w{k} x w1 y w2 .".split() for k in range(4)])
    again = load_preorderer(str(tmp_path / "m"))
    assert again.reorder_batch(sources) == made.reorder_batch(sources)
    alone = [made.reorder_batch([one])[0] for one in sources]  # not in a batch
    assert alone == made.reorder_batch(sources)


def test_damaged_networks_are_refused(tmp_path: Path) -> None:
    facts = {"seed": 1, "network": {"shape": SHAPE, "languages": [], "labels": []}}
    broken = arrays()
    broken["edge.bias"] = np.array([np.nan, 0], np.float16)
    with pytest.raises(WordOrderError, match=r"edge\.bias"):
        NeuralCRF().restored(broken, facts)
    del broken["edge.bias"]
    with pytest.raises(WordOrderError, match="missing"):
        NeuralCRF().restored(broken, facts)
    made = model()
    made.save(str(tmp_path / "m"))
    (tmp_path / "m" / "model.safetensors").write_bytes(b"no")
    with pytest.raises(BadFile):
        load_preorderer(str(tmp_path / "m"))


def test_a_language_must_be_known() -> None:
    words = ("w0", "w1", "x", "w2", "w0", ".")
    sources = as_sources([words])
    with pytest.raises(BadSetting, match="language is 'tr'; the model knows ja, ko"):
        model(("ja", "ko"), language="tr")
    with pytest.raises(BadSetting, match=r"several target languages: ja, ko\. Choose one\. Try language=ja"):
        model(("ja", "ko")).reorder_batch(sources)
    one = model(("ja", "ko"), language="ko")
    tables = [made.precedence_batch(sources)[0] for made in (one, one.with_settings(language="ja"))]
    assert not np.allclose(*tables)
    # A sentence that says its language itself is right, whatever the model's setting.
    mixed = one.precedence_batch([Source(words, target="ja"), Source(words), Source(words, target="ko")])
    for found, expected in zip(mixed, (tables[1], tables[0], tables[0]), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_without_torch_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "wordorder.preorder.crf.trainer", raising=False)
    with pytest.raises(BadSetting, match=r"wordorder\[neural\]"):
        NeuralCRF().fit(TrainingData(as_sources([["a", "b"]]), [Alignment(2, 2, [(0, 1), (1, 0)])]))


def test_training_gives_the_same_twice() -> None:
    pytest.importorskip("torch")
    sources = as_sources([["a", f"b{k % 3}"] for k in range(12)])
    links = [Alignment(2, 2, [(0, 1), (1, 0)])] * 12
    made = NeuralCRF(units=30)
    fitted = [
        made.fit(TrainingData(sources, links), RunOptions(seed=2, threads=threads)) for threads in (1, 2, 2)
    ]
    first, *others = (one.arrays() for one in fitted)
    assert all(np.array_equal(first[name], other[name]) for other in others for name in first)
    assert fitted[0].trained["loss"] < 0.7
    # One tree an order: with two words there is no more than one, with three there is.
    canonical = replace(made, canonical=True, epochs=1)
    same = canonical.fit(TrainingData(sources, links), RunOptions(seed=2))
    assert (
        same.trained["loss"]
        == replace(canonical, canonical=False)
        .fit(TrainingData(sources, links), RunOptions(seed=2))
        .trained["loss"]
    )
    sources = as_sources([["a", f"b{k % 3}", "c"] for k in range(12)])
    links = [Alignment(3, 3, [(0, 2), (1, 1), (2, 0)])] * 12
    losses = [
        replace(canonical, canonical=one)
        .fit(TrainingData(sources, links), RunOptions(seed=2))
        .trained["loss"]
        for one in (False, True)
    ]
    assert losses[0] < losses[1]  # two trees of eight read it, but it is one of six orders


def test_raw_text_is_read_first() -> None:
    """By passes of its own, and only where there is some; sentences without words do no harm."""
    pytest.importorskip("torch")
    sources = as_sources([["a", f"b{k % 3}"] for k in range(12)] + [[]])
    links = [*[Alignment(2, 2, [(0, 1), (1, 0)])] * 12, Alignment(0, 0, [])]
    made = NeuralCRF(units=8, pretraining_epochs=2, epochs=1, automatic_epochs=1)

    def fitted(settings: dict[str, int], raw: list[list[str]]) -> tuple[list[str], NeuralCRF]:
        told: list[str] = []
        run = RunOptions(log=lambda record: told.append(record["round"]))
        return told, replace(made, **settings).fit(TrainingData(sources, links, raw=raw), run)

    raw = [["a", "b0", "c", "b1"], [], ["c"]]
    told, read = fitted({}, raw)
    assert (
        told == ["raw text", "raw text", "manual"] and read.trained["raw"] == 2
    )  # one of them has links, too
    assert {"c"} <= set(read.arrays()["words"].tobytes().decode().split("\n"))
    told, unread = fitted({"pretraining_epochs": 0}, raw)
    assert told == ["manual"]
    assert not np.array_equal(read.arrays()["lstm.weight_hh_l0"], unread.arrays()["lstm.weight_hh_l0"])
    assert fitted({}, [])[0] == ["manual"]
    assert fitted({"teachers": 1}, raw)[0] == [
        "raw text",
        "raw text",
        "manual",
        "raw text",
        "raw text",
        "teachers",
    ]


def test_the_model_that_ships() -> None:
    made = load_preorderer("en-ja-crf")
    (order,) = made.reorder_batch(as_sources([DOG]))
    text = order.apply(DOG)
    assert text.index("dog") < text.index("seen") and text[-1] == "."


def test_the_command_line_suggests_a_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "s").write_text(" ".join(DOG) + "\n")
    asked = ("preorder", "apply", "--model", "en-multi-crf", "--source", str(tmp_path / "s"))
    done = call(capsys, monkeypatch, *asked)
    assert done.returncode and "Try --set language=ar." in done.stderr
    assert call(capsys, monkeypatch, *asked, "--set", "language=ko").returncode == 0
