"""Scores of judged items: what metrics give, kept by content."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.judge.simulated import judgments, scored
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.learn import Space, climb, curve, has_settings, learn, objective, varied
from wordorder.judge.scores import Scored, score_sets, suited
from wordorder.metrics.base import Metric
from wordorder.metrics.registry import metric, parse_metrics, spec_of
from wordorder.metrics.segments import Matching, Segments

WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "two", "dogs", "in", "old", "town"]
SPECS = "kendall,recpef,full,lrscore,bleu,chrf,ter,ribes"


def texts(segments: int, systems: int, seed: int = 1, **more: object) -> Judgments:
    """References of random words; system k makes k * 2 swaps."""
    rng = np.random.default_rng(seed)
    references, outputs = [], []
    for _ in range(segments):
        words = rng.choice(WORDS, int(rng.integers(1, 12))).tolist()
        references.append(" ".join(words))
        for k in range(systems):
            mine = list(words)
            for _ in range(2 * k):
                i = int(rng.integers(len(mine)))
                mine.insert(int(rng.integers(len(mine) + 1)), mine.pop(i))
            outputs.append(" ".join(mine[: len(mine) - k % 2]))
    return judgments(segments, systems, outputs=outputs, references=references, **more)  # type: ignore[arg-type]


def test_scores_are_the_metrics_own() -> None:
    one = texts(150, 3, missing=(4, 100))
    metrics = parse_metrics([SPECS])
    (found,) = score_sets([one], metrics)
    there = ~one.missing
    hypotheses = [text for text in one.outputs if text is not None]
    references = [one.references[0][s] for s, has in zip(one.item_segment, there, strict=True) if has]
    for made, got in zip(metrics, found, strict=True):
        plain = made
        segments = Segments(hypotheses, [references])
        assert got.segment[there] == pytest.approx(
            plain.segment_scores(plain.statistics(segments)), abs=1e-12
        )
        assert got.stats[there] == pytest.approx(plain.statistics(segments), abs=1e-12)
        assert not got.segment[~there].any() and not got.stats[~there].any()
        whole = plain.corpus_score(hypotheses, [references])
        assert got.combine(got.stats.sum(axis=0)[None, :])[0] == pytest.approx(whole.score, abs=1e-9)
        assert got.signature == whole.signature


def test_scores_are_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, metrics = texts(20, 2), parse_metrics(["kendall,bleu"])
    first = score_sets([one], metrics, folder=str(tmp_path))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    monkeypatch.setattr("wordorder.judge.scores._compute", None)  # nothing is computed again
    again = score_sets([one], metrics, folder=str(tmp_path))
    for before, after in zip(first[0], again[0], strict=True):
        assert np.array_equal(before.segment, after.segment) and np.array_equal(before.stats, after.stats)
    monkeypatch.undo()
    score_sets([texts(20, 2, seed=2)], metrics, folder=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 4  # another text
    score_sets([one], parse_metrics(["kendall:scale=tau"]), folder=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 5  # another setting
    files[0].write_bytes(files[0].read_bytes()[:-8])  # damaged: computed again
    repaired = score_sets([one], metrics, folder=str(tmp_path))
    assert np.array_equal(repaired[0][0].stats, first[0][0].stats)
    unwritable = tmp_path / "file"
    unwritable.write_text("")
    assert score_sets([one], metrics, folder=str(unwritable))[0][0].label == "kendall"


def test_languages_have_their_own_words_and_stems() -> None:
    one = texts(2, 2)
    chinese = replace(one, pair="en-zh")
    assert suited(metric("kendall"), chinese, Matching()).tokenize == "zh"  # type: ignore[attr-defined]
    assert suited(metric("bleu"), chinese, Matching()).tokenize == "zh"  # type: ignore[attr-defined]
    german = replace(one, pair="en-de")
    stems = suited(metric("kendall"), german, Matching(match="exact+stem"))
    assert stems.language == "de"  # type: ignore[attr-defined]
    assert suited(metric("kendall"), german, Matching()).language == "en"  # type: ignore[attr-defined]


def test_late_settings_score_nothing_again() -> None:
    one = texts(40, 3)
    for spec, again in (("full", "full:alpha=0.2"), ("lrscore", "lrscore:alpha=0.2")):
        scored_once, there = score_sets([one], [metric(spec), metric(again)])[0]
        assert np.array_equal(scored_once.stats, there.stats)
        assert scored_once.oriented_with({"alpha": 0.2}) == pytest.approx(there.oriented, abs=1e-12)
        with pytest.raises(BadSetting):
            scored_once.oriented_with({"beta": 0.2})


def test_settings_reach_the_metric_or_its_ordering() -> None:
    assert spec_of(varied(metric("recpef"), {"beta": 0.1})) == "recpef:beta=0.1"
    assert has_settings(metric("lrscore"), ["alpha"]) and not has_settings(metric("kendall"), ["alpha"])
    assert not has_settings(metric("full:order=kendall"), ["beta"])


def score(sets: object, metrics: object) -> list[list[Scored]]:
    return score_sets(sets, metrics)  # type: ignore[arg-type]


def with_truth(name: str, seed: int, alpha: float) -> Judgments:
    """Judges who follow the full metric with that alpha, with some noise."""
    one = texts(80, 4, seed=seed, name=name)
    (found,) = score_sets([one], [metric(f"full:alpha={alpha}")])[0]
    rng = np.random.default_rng(seed)
    liked = found.segment + 0.02 * rng.normal(size=len(one))
    pairs = []
    for segment in range(80):
        for i in range(4):
            for j in range(i + 1, 4):
                a, b = segment * 4 + i, segment * 4 + j
                pairs.append((a, b, int(liked[a] > liked[b]), int(liked[a] < liked[b]), 0))
    return texts(80, 4, seed=seed, name=name, pairs=pairs)


def test_climbing_finds_what_a_full_search_finds() -> None:
    one = with_truth("wmt12", 3, 0.8)
    space = Space(metric("full"), ["alpha", "beta"], [one], score)
    assert space.late == ("alpha",) and space.early == ("beta",)
    worth = objective(space, "tau:ties=counted", [0])
    point, value = climb(space, worth, restarts=8, seed=1)
    every = max(worth((a / 20, b)) for a in range(21) for b in space.grid)
    assert value >= every - 0.003 and worth(point) == value
    assert climb(space, worth, restarts=8, seed=1) == (point, value)


def test_learning_reports_on_years_that_were_not_learned_from() -> None:
    sets = [with_truth(name, seed, 0.9) for seed, name in enumerate(("wmt12", "wmt13", "wmt14"), start=5)]
    found = learn(metric("full:alpha=0.1"), ["alpha"], sets, score, restarts=3)
    assert [fold.year for fold in found.folds] == [2012, 2013, 2014]
    for fold in found.folds:
        assert fold.learned["alpha"] > 0.5 and fold.usual < fold.value <= fold.best + 1e-9
    with pytest.raises(BadSetting, match="two years"):
        learn(metric("full"), ["alpha"], sets[:1], score)
    # What is learned for a year does not depend on its judgments.
    turned = sets[0].preferences
    assert turned is not None
    against = type(turned)(turned.first, turned.second, turned.losses, turned.wins, turned.ties)
    changed = replace(sets[0], preferences=against)
    again = learn(metric("full:alpha=0.1"), ["alpha"], [changed, *sets[1:]], score, restarts=3)
    assert again.folds[0].learned == found.folds[0].learned and again.folds[0].value < found.folds[0].value


def test_curves_are_the_metric_at_each_value() -> None:
    one = with_truth("wmt12", 3, 0.8)
    xs, values = curve(metric("full"), "alpha", [one], score, measure="tau:ties=counted", points=5)
    assert xs == [0.0, 0.25, 0.5, 0.75, 1.0]
    space = Space(metric("full:alpha=0.25"), ["alpha"], [one], score)
    assert values[1] == pytest.approx(objective(space, "tau:ties=counted", [0])((0.25,)))


def test_scores_from_elsewhere_need_no_metric() -> None:
    with pytest.raises(BadSetting, match="without scoring again"):
        scored(np.zeros(3)).oriented_with({"alpha": 0.1})


def test_every_metric_is_made_for_the_set() -> None:
    made: list[Metric] = parse_metrics(["kendall,full"])
    assert [one.label for one in score_sets([texts(3, 2)], made)[0]] == ["kendall", "full"]
