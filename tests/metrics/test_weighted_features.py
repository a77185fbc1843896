"""The linear model behind BEER: its equation and its features give the scores."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.metrics.equations import value_of
from tests.metrics.test_beer import FILES
from wordorder.metrics.beer import Beer
from wordorder.metrics.beer.trained_model import Hidden
from wordorder.metrics.segments import Segments

HYPOTHESES = ["the cat sat on mat the", "a b", "", "same words here", "", "one two three four"]
REFERENCES = [
    ["the cat sat on the mat", "a c d", "lost", "same words here", "", "four three two one"],
    ["on the mat sat the cat", "b a", "", "other words", "", "one two four three"],
]


def released(folder: Path, **files: str) -> Beer:
    for name, text in {**FILES, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return Beer(version="2.0", model=str(folder))


@pytest.mark.parametrize("references", [REFERENCES[:1], REFERENCES])
@pytest.mark.parametrize("version", ["4.0", "best", "0.1", "1.1", "2.0", "3.0", "linear", "platt"])
def test_equations_give_the_scores(version: str, references: list[list[str]], tmp_path: Path) -> None:
    if version in ("linear", "platt"):
        platt = {"platt_scaling.properties": "#\nA=-2.5\nB=0.25\n"}
        beer = released(tmp_path, **(platt if version == "platt" else {}))
    else:
        beer = Beer(version=version)  # type: ignore[arg-type]
    segments = Segments(HYPOTHESES, references)
    features = beer.weighted_features(segments)
    assert features is not None
    scores = beer.segment_scores(beer.statistics(segments))
    known = 0
    for row, score in enumerate(scores.tolist()):
        if features.explained[row]:
            assert value_of(beer.equation, features.terms, row) == pytest.approx(score, abs=2e-3)  # 4 digits
            parts = sum(w * v for w, v in zip(features.weights, features.values[row], strict=True))
            assert features.margins[row] == pytest.approx(parts)
            known += 1
        else:  # one side is empty, which is no matter of features
            assert score == 0 and all(np.isnan(values[row]) for values in features.terms.values())
            assert features.largest(3)[row] == []
    assert known >= 5


def test_the_largest_features_are_those_of_the_explanation() -> None:
    beer = Beer()
    features = beer.weighted_features(Segments(HYPOTHESES[:1], [REFERENCES[0][:1]]))
    assert features is not None
    parts = beer.explain(HYPOTHESES[0], REFERENCES[0][0]).features
    assert dict(zip(features.names, features.parts[0].tolist(), strict=True)) == pytest.approx(parts)
    largest = sorted(parts, key=lambda name: -abs(parts[name]))[:4]
    assert [features.names[k] for k in features.largest(4)[0]] == largest


def test_models_whose_parts_do_not_add_up_have_no_equation(monkeypatch: pytest.MonkeyPatch) -> None:
    beer = Beer(version="1.1")
    width = len(beer.trained.names)  # type: ignore[union-attr]
    hidden = Hidden(np.ones(width), np.ones((2, width)), np.ones(2), np.ones(2))
    with monkeypatch.context() as patch:
        patch.setitem(beer.trained.__dict__, "hidden", hidden)
        assert beer.equation == "" and beer.weighted_features(Segments(["a"], [["a"]])) is None
