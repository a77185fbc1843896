from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.oracle import aligning
from wordorder import _native
from wordorder.align.aligner_files import load_model, save_model
from wordorder.align.bilingual import AlignerSettings, BilingualModel, train_aligner
from wordorder.core.alignment import Alignment, Alignments
from wordorder.errors import BadFile, BadSetting, UnknownName, WordOrderError
from wordorder.text.tokens import Words

IBM1 = AlignerSettings.for_method("ibm1")
PLAIN = AlignerSettings(agree=False, alpha=0.0, jump_prior=0.0, spelling=0.0, prefix=0, classes=0.0)


def planted(sentences: int, seed: int = 3) -> tuple[list[str], list[str], list[set[tuple[int, int]]]]:
    """Text of a made-up language pair: verbs (v) go to the end, words keep their number."""
    rng = np.random.default_rng(seed)
    source, target, gold = [], [], []
    for _ in range(sentences):
        n = int(rng.integers(3, 9))
        words = [f"n{k}" for k in rng.choice(60, n, replace=False)]
        words[1] = f"v{rng.integers(12)}"
        order = [0, *range(2, n), 1]
        source.append(" ".join(words))
        target.append(" ".join(words[i].upper()[::-1] for i in order))
        gold.append({(i, j) for j, i in enumerate(order)})
    return source, target, gold


def share_right(links: Alignments, gold: list[set[tuple[int, int]]]) -> float:
    return sum(set(found.links) == right for found, right in zip(links, gold, strict=True)) / len(gold)


@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1), (3, 3), (4, 3), (3, 5)])
def test_posteriors_equal_those_of_enumeration(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(7)
    lexical = rng.uniform(0.01, 1, shape).astype(np.float32)
    null_lexical = rng.uniform(0.01, 1, shape[0]).astype(np.float32)
    weights = rng.uniform(0.1, 2, 33)
    got = _native.hmm_posteriors(lexical.ravel(), null_lexical, weights, 0.3)
    expected = aligning.hmm_by_enumeration(lexical, null_lexical, weights, 0.3)
    np.testing.assert_allclose(got[0], expected[0], atol=2e-6)
    np.testing.assert_allclose(got[1], expected[1], atol=2e-6)
    assert got[2] == pytest.approx(expected[2], abs=1e-5)
    np.testing.assert_allclose(got[0].sum(axis=1) + got[1], 1, atol=1e-5)


def likelihoods(settings: AlignerSettings) -> list[list[float]]:
    source, target, _ = planted(120)
    words = Words(), Words()
    one, other = words[0].encode(source), words[1].encode(target)
    arrays = one.ids, one.offsets, other.ids, other.offsets
    native = _native.Aligner()
    native.start(*arrays, len(words[0]), len(words[1]), 2)
    told = []
    for k in range(16):
        hmm = settings.method == "hmm" and k >= 2
        counts = native.expect(*arrays, hmm=hmm, agree=False, null=0.2, threads=2)
        told.append(counts.pop("likelihood"))
        native.update(**counts, hmm=hmm, alpha=0, jump_prior=0, threads=2)
    return told[2:]  # the two models are not compared with each other


@pytest.mark.parametrize("settings", [IBM1, PLAIN])
def test_likelihood_never_falls(settings: AlignerSettings) -> None:
    told = np.array(likelihoods(settings))
    assert (np.diff(told, axis=0) > -1e-4 * np.abs(told[1:])).all()
    assert (told[-1] > told[0] + 1).all()


def test_planted_alignment_is_found() -> None:
    source, target, gold = planted(400)
    model = train_aligner(source, target)
    assert share_right(model.align(source, target), gold) > 0.98
    assert share_right(model.align(source, target, symmetrise="posterior"), gold) > 0.8
    fresh = planted(50, seed=11)
    assert share_right(model.align(fresh[0], fresh[1]), fresh[2]) > 0.95
    # Model 1 knows no positions, yet no word is repeated here.
    assert share_right(train_aligner(source, target, settings=IBM1).align(source, target), gold) > 0.9


def test_spelling_and_beginnings_help_words_met_once() -> None:
    source = ["alpha beta", "gamma delta", "house walks", "house walking", "dog walked"]
    target = ["beta alpha", "gamma delta", "haus geht", "haus gehend", "hund gegangen"]
    links = train_aligner(source, target).align(source, target)
    assert links.links(0) == [(0, 1), (1, 0)] and links.links(1) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("settings", [IBM1, AlignerSettings()])
def test_threads_and_runs_do_not_change_a_bit(settings: AlignerSettings) -> None:
    source, target, _ = planted(300)
    first = train_aligner(source, target, settings=settings, threads=1)
    for threads in (1, 2, 3, 7):
        model = train_aligner(source, target, settings=settings, threads=threads)
        for name, array in first._native.state().items():
            np.testing.assert_array_equal(array, model._native.state()[name])
        a, b = first.align(source, target), model.align(source, target, threads=threads)
        np.testing.assert_array_equal(a.pairs, b.pairs)
        np.testing.assert_array_equal(a.scores, b.scores)


def test_saved_model_is_the_same_to_the_last_bit(tmp_path: Path) -> None:
    source, target, _ = planted(200)
    model = train_aligner(source, target)
    new, old = [*source, "n1 unheard n2", ""], [*target, "1N unerhört 2N", ""]
    expected = model.align(new, old, symmetrise="posterior", threshold=0.0)
    folder = tmp_path / "model"
    save_model(model, str(folder))
    save_model(model, str(folder))  # over a model that is there
    loaded = load_model(str(folder))
    got = loaded.align(new, old, symmetrise="posterior", threshold=0.0)
    np.testing.assert_array_equal(got.pairs, expected.pairs)
    np.testing.assert_array_equal(got.scores, expected.scores)
    assert loaded.settings == model.settings and loaded.trained_on == model.trained_on
    assert loaded.words == model.words
    assert [p.name for p in tmp_path.iterdir()] == ["model"]
    save_model(loaded, str(tmp_path / "again"))
    for name in ("model.json", "model.safetensors"):
        assert (folder / name).read_bytes() == (tmp_path / "again" / name).read_bytes()


def test_what_is_not_a_model_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"no model\.json"):
        load_model(str(tmp_path))
    save_model(train_aligner(["a"], ["b"]), str(tmp_path / "m"))
    about = json.loads((tmp_path / "m" / "model.json").read_text())
    (tmp_path / "m" / "model.json").write_text(json.dumps({**about, "version": 99}))
    with pytest.raises(BadFile, match="format version 99"):
        load_model(str(tmp_path / "m"))
    (tmp_path / "m" / "model.json").write_text(json.dumps(about))
    data = (tmp_path / "m" / "model.safetensors").read_bytes()
    (tmp_path / "m" / "model.safetensors").write_bytes(data[:-3])
    with pytest.raises(BadFile, match="damaged"):
        load_model(str(tmp_path / "m"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("precious")
    with pytest.raises(BadFile, match="is no wordorder-aligner"):
        save_model(train_aligner(["a"], ["b"]), str(tmp_path / "other"))


def small() -> BilingualModel:
    return train_aligner(["a b", "a c", "b"], ["x y", "x z", "y"])


def test_empty_lines_and_single_words() -> None:
    model = train_aligner(["", "a", "", "a b"], ["", "", "x", "x y"])
    assert model.align(["", "a", "", "a"], ["", "", "x", "x"]).links(0) == []
    assert model.align(["a"], ["x"]).links(0) == [(0, 0)]
    assert len(train_aligner([], []).align([], [])) == 0
    assert list(train_aligner([""], [""]).align([""], [""])) == [Alignment(0, 0)]
    assert list(small().align(["a b"], [""])) == [Alignment(2, 0)]


def test_very_long_lines_are_aligned_within_a_window() -> None:
    source, target, _ = planted(400)
    model = train_aligner(source, target)
    rng = np.random.default_rng(1)
    words = [f"n{k}" for k in rng.integers(0, 60, 5000)]
    turned = [w.upper()[::-1] for w in words]
    (links,) = model.align([" ".join(words)], [" ".join(turned)])
    assert sum(i == j for i, j in links.links) > 0.9 * 5000
    # A long line takes part in aligning, not in training.
    with_long = train_aligner([*source, " ".join(words)], [*target, " ".join(turned)])
    assert with_long.align(source, target).pairs.tolist() == model.align(source, target).pairs.tolist()
    # Very uneven pairs, both ways.
    for one, other in ((words, turned[:3]), (words[:3], turned), (words * 8, turned[:40])):
        (links,) = model.align([" ".join(one)], [" ".join(other)])
        assert all(i < len(one) and j < len(other) for i, j in links.links)


def test_settings_are_checked_and_told() -> None:
    with pytest.raises(UnknownName, match="hmm, ibm1"):
        AlignerSettings("hm")
    with pytest.raises(BadSetting, match="null is 1"):
        AlignerSettings(null=1)
    with pytest.raises(BadSetting, match="alpha"):
        AlignerSettings(alpha=-1)
    with pytest.raises(BadSetting, match="threshold"):
        small().align(["a"], ["x"], threshold=2)
    with pytest.raises(WordOrderError, match="1 lines, the target 2"):
        train_aligner(["a"], ["b", "c"])
    assert AlignerSettings().signature.startswith("aligner:hmm|model1_iterations:3|")


def test_case_is_kept_if_asked() -> None:
    kept = train_aligner(["A a"], ["x y"], settings=replace(AlignerSettings(), lowercase=False))
    assert kept.words[0] == ["A", "a"] and train_aligner(["A a"], ["x y"]).words[0] == ["a"]


def test_progress_counts_iterations() -> None:
    told: list[tuple[int, int]] = []
    train_aligner(["a"], ["b"], progress=lambda done, total: told.append((done, total)))
    assert told == [(k, 7) for k in range(8)]
