"""BEER 2.0: model folders, scores, and what the original program printed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.metrics import check_metric, metric
from wordorder.metrics.beer import Beer
from wordorder.metrics.matched import labels
from wordorder.metrics.segments import Segments

TEMPLATE = """features:
  -
    name: length-disbalance
    exponential: false
    degrees: [1.0]

  -
    name: ngram
    order: 1
    symmetry: true
    fScores: [1.0]
"""
FILES = {
    "feature_template.yaml": TEMPLATE,
    "feature_names_mapping": "0 len_disbalance_word.d.1.0\n1 ngram1.a\n2 ngram1.f.1.0\n",
    "feature_values_scaling": "0.0 2.0\n0.0 1.0\n0.0 1.0\n",
    "core_model": "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 0.0\nw\n"
    "-0.5 \n1.5 \n2.0 \n",
    "kernel.properties": "#kernel properties\ngamma=2.0\npolynomialDegree=1\n",
    "output_scaling": "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias 0.0\nw\n10.0 \n20.0 \n",
}


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A small model, made up."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def beer(model: Path, **settings: str) -> Beer:
    return Beer(version="2.0", model=str(model), **settings)  # type: ignore[arg-type]


def test_score_by_hand(model: Path) -> None:
    # Pieces of "a b" are a, b, <S> a, b </S>; of "a c d": a, c, d, <S> a, d </S>. Two are shared.
    a, b = 2 / 5, 2 / 4
    raw = -0.5 * (0.5 / 2) + 1.5 * a + 2.0 * (2 * a * b / (a + b))
    assert beer(model).sentence_score("a b", ["a c d"]).score == pytest.approx(
        (10 + 20 * raw) / 100, abs=1e-15
    )


def test_platt_scaling_goes_before(model: Path) -> None:
    linear = beer(model)
    raw = linear.trained.margins(["a b"], ["a c d"])[0]
    (model / "platt_scaling.properties").write_text("#\nA=-2.5\nB=0.25\n")
    platt = beer(model)
    assert platt.sentence_score("a b", ["a c d"]).score == pytest.approx(
        1 / (1 + math.exp(-2.5 * raw + 0.25))
    )
    assert platt.signature != linear.signature


def test_templates_without_symmetry_are_precision_and_recall(model: Path) -> None:
    (model / "feature_template.yaml").write_text(TEMPLATE.replace("symmetry: true", "symmetry: false"))
    assert beer(model).trained.features.names == ["len_disbalance_word.d", "ngram1.p", "ngram1.f1"]


@pytest.mark.parametrize("compat", ["corrected", "original"])
def test_contract(model: Path, compat: str) -> None:
    check_metric(beer(model, compat=compat))


def test_corpus_is_the_mean_or_what_the_program_makes_of_it(model: Path) -> None:
    hypotheses, references = ["a b", "c", "d e f"], ["a c d", "c", "e d f"]
    scores = beer(model).segment_scores(beer(model).statistics(Segments(hypotheses, [references])))
    right = beer(model).corpus_score(hypotheses, [references])
    program = beer(model, compat="original").corpus_score(hypotheses, [references], n_bootstrap=10)
    assert right.score == pytest.approx(scores.mean())
    assert program.score == pytest.approx(scores.sum() / 4)
    assert program.interval is not None
    alone = beer(model, compat="original").sentence_score("a b", ["a c d"]).score
    assert alone == scores[0]


def test_mean_features_are_no_score_of_the_program(model: Path) -> None:
    with pytest.raises(BadSetting, match="corpus=features is not a score"):
        beer(model, corpus="features")


def test_best_of_several_references(model: Path) -> None:
    made = beer(model)
    single = [made.sentence_score("a b", [ref]).score for ref in ("a c d", "a b c")]
    assert made.sentence_score("a b", ["a c d", "a b c"]).score == max(single)


def test_signature_names_the_model_not_its_place(model: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    for name, text in FILES.items():
        (other / name).write_text(text, encoding="utf-8")
    assert beer(model).signature == beer(other).signature
    assert str(model) not in beer(model).signature
    changed = FILES["core_model"].replace("1.5", "1.25")
    (other / "core_model").write_text(changed, encoding="utf-8")
    assert beer(model).signature != beer(other).signature


def test_spec_with_folder(model: Path) -> None:
    made = metric(f"beer:version=2.0,model={model},compat=original")
    assert made == beer(model, compat="original")


def test_label_leaves_the_place_out(model: Path) -> None:
    found = labels([beer(model, compat="original"), beer(model)])
    assert found == ["beer:version=2.0,compat=original", "beer:version=2.0"]


def test_strange_texts(model: Path) -> None:
    made = beer(model)
    texts = ["", " ", "x", "x" * 100_000, "a\tb", "\N{GRINNING FACE}", " a"]
    scores = made.segment_scores(made.statistics(Segments(texts, [texts])))
    assert np.isfinite(scores).all() and (scores >= 0).all() and (scores <= 1).all()
    with pytest.raises(WordOrderError, match="not valid Unicode"):
        made.sentence_score("\ud800", ["a"])


def test_the_mistake_of_the_program_needs_its_model() -> None:
    with pytest.raises(BadSetting, match=r"compat=original is a defect of version=2\.0 with a released"):
        metric("beer:version=2.0,compat=original")


def test_unknown_version() -> None:
    with pytest.raises(BadSetting, match=r"version is '9\.0'; expected one of 4\.0, best, 0\.1"):
        metric("beer:version=9.0")


# File, what is replaced by what (all of it where that is None), and the complaint.
CORRUPT: list[tuple[str, str | None, str, str]] = [
    ("core_model", "1.5 \n2.0 \n", "", r"core_model: 1 weights for 3 features"),
    ("core_model", "1.5", "1.5x", r"core_model:8: expected a number"),
    ("core_model", "1.5", "nan", r"core_model:8: expected a finite number, found 'nan'"),
    ("core_model", "label 1 -1", "label -1 1", r"expected '1 -1'"),
    ("core_model", None, "PK\x03\x04", r"core_model:1: .* not a key of a liblinear model"),
    ("core_model", None, "nr_class 2\n", r"core_model:1: no line 'w'"),
    ("feature_names_mapping", "1 ngram1", "7 ngram1", r"mapping:2: expected '1 NAME'"),
    ("feature_names_mapping", "ngram1.a", "ngram1.q", r"mapping:2: .*unknown measure 'q'"),
    ("feature_names_mapping", "ngram1.a", "ngram2.a", r"mapping:2: .*not in feature_template.yaml"),
    ("feature_names_mapping", "ngram1.a", "tree1.a", r"mapping:2: .*unknown pieces"),
    ("feature_names_mapping", "ngram1.a", "ngram1.p", r"mapping:2: .*no measure 'p'"),
    ("feature_names_mapping", None, "", r"mapping: no features"),
    ("feature_values_scaling", None, "0.0 2.0\n", r"scaling:1: 1 lines for 3 features"),
    ("feature_values_scaling", "0.0 2.0", "2.0", r"scaling:1: expected two"),
    ("feature_values_scaling", "0.0 2.0", "2.0 2.0", r"scaling:1: .* not a range"),
    ("kernel.properties", "=1", "=4", r"kernel.properties:3: .*expected 1, 2 or 3"),
    ("kernel.properties", "=1", "=2", r"core_model: 3 weights for 10"),
    ("kernel.properties", "gamma=2.0\npolynomialDegree=1", "polynomialDegree=2", r"no line gamma"),
    ("kernel.properties", "2.0\npolynomialDegree=1", "-1\npolynomialDegree=3", r"properties:2: .*above 0"),
    ("kernel.properties", None, "gamma", r"kernel.properties:1: expected key=value"),
    ("output_scaling", "20.0", "20.0\n3.0", r"output_scaling: 3 weights; expected 2"),
    ("feature_template.yaml", "name: ngram", "name: treelet", r"yaml:7: unknown template 'treelet'"),
    ("feature_template.yaml", "symmetry: true", "", r"yaml:7: symmetry is None"),
    ("feature_template.yaml", None, "x y\n", r"yaml:1: expected 'key: value'"),
]


@pytest.mark.parametrize(("name", "old", "new", "message"), CORRUPT)
def test_corrupt_files(model: Path, name: str, old: str | None, new: str, message: str) -> None:
    text = new if old is None else FILES[name].replace(old, new)
    assert text != FILES[name]
    (model / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=message):
        beer(model)


def test_folders_that_are_no_models(model: Path, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such folder"):
        beer(tmp_path / "nothing")
    (model / "output_scaling").unlink()
    with pytest.raises(BadFile, match=r"output_scaling or platt_scaling.properties missing"):
        beer(model)
    (model / "core_model").write_bytes(b"\xff\xfe")
    (model / "output_scaling").write_text(FILES["output_scaling"])
    with pytest.raises(BadFile, match="not text in UTF-8"):
        beer(model)
    (model / "featureMapping").touch()
    with pytest.raises(BadFile, match=r"model of BEER 1\.1"):
        beer(model)


@pytest.mark.shared
def test_scores_are_those_of_the_program(shared: Path) -> None:
    lines = (shared / "golden" / "beer20_sentence_scores.tsv").read_text(encoding="utf-8").split("\n")[1:-1]
    rows = [line.split("\t") for line in lines]
    made = beer(shared / "data" / "beer20-model", compat="original")
    segments = Segments([row[1] for row in rows], [[row[2] for row in rows]])
    printed = np.array([float(row[0]) for row in rows])
    assert len(rows) > 1000
    assert np.abs(made.segment_scores(made.statistics(segments)) - printed).max() <= 1e-12
    assert made.statistics(segments).sum(axis=0)[1] == len(rows)
