"""Learning the weights of the forest score from judgments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import orjson
import pytest

from wordorder.data import sample_judgments
from wordorder.errors import BadSetting
from wordorder.judge.metric_scores import Scorer
from wordorder.judge.read import read_judgments
from wordorder.judge.segment_measures import ADDITIVE
from wordorder.learn.forest_weights import ForestExamples, ForestSearch, save_weights
from wordorder.metrics.learned import ForestWeights, forest_weights
from wordorder.metrics.registry import metric

SETS = read_judgments(str(sample_judgments()))


def test_scores_and_taus_are_those_of_the_metrics() -> None:
    examples = ForestExamples.of("sample", SETS)
    alone, full = examples.scores(forest_weights())
    specs = ("recpef:weights=learned", "full:order=recpef/weights=learned")
    (scored,) = Scorer()(SETS, [metric(spec) for spec in specs])
    for scores, by_metric in zip((alone, full), scored, strict=True):
        expected = ADDITIVE["tau:ties=counted"].of(SETS[0], by_metric.oriented)
        assert examples.taus(scores) == pytest.approx([expected], abs=1e-12)
    assert examples.judgments.sum() == SETS[0].compared.untied


def test_the_search_is_repeatable_and_better_than_chance(tmp_path: Path) -> None:
    examples = ForestExamples.of("sample", SETS)
    searches = [ForestSearch(starts=12, draws=6, rounds=2, keep=3, seed=2) for _ in range(2)]
    best = [search.best([examples]) for search in searches]
    assert best[0] == best[1] and best[0].span == 0.0
    tried = [float(np.mean(taus)) for taus in searches[0]._taus.values()]
    assert np.mean(searches[0].taus(examples, best[0])) >= np.median(tried)
    save_weights(best[0], tmp_path / "weights.json", learned_from=["sample"], seed=2)
    saved = orjson.loads((tmp_path / "weights.json").read_bytes())
    assert ForestWeights(**saved["weights"]) == best[0] and saved["learned_from"] == ["sample"]


def test_one_reference_is_needed() -> None:
    two = replace(SETS[0], references=[SETS[0].references[0]] * 2)
    with pytest.raises(BadSetting, match="2 references; expected one"):
        ForestExamples.of("sample", [two])
