"""``wordorder beer``: explanations, and the models of the released program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from wordorder.metrics.beer import Beer
from wordorder.metrics.beer.output import ScoreScaling
from wordorder.metrics.beer.trained_model import Model, save_model
from wordorder.metrics.beer.views import Sources, views_of

SYSTEM = ["the cat sat", "a dog barks", "", " blank first"]
FIRST = ["the cat sat", "the dog barked", "something", "blank first"]
SECOND = ["a cat was sitting", "a dog barks", "else", "no"]
MODEL = {
    "feature_template.yaml": "features:\n  -\n    name: ngram\n    order: 1\n    symmetry: true\n",
    "feature_names_mapping": "0 ngram1.a\n1 ngram1.f.1.0\n",
    "feature_values_scaling": "0.0 1.0\n0.0 1.0\n",
    "core_model": "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 1\nbias 0.0\nw\n1.5\n2.0\n",
    "kernel.properties": "gamma=2.0\npolynomialDegree=1\n",
    "output_scaling": "solver_type L2R_L2LOSS_SVR\nnr_class 2\nnr_feature 1\nbias 0.0\nw\n0.01\n20.0\n",
}


def run(
    *args: str, stdin: bytes | None = None, verb: str = "beer", **env: str
) -> subprocess.CompletedProcess[bytes]:
    settings = {key: value for key, value in os.environ.items() if key != "BEER_HOME"} | env
    command = [sys.executable, "-m", "wordorder", verb, *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=settings)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home of BEER with a model in it, and texts."""
    (tmp_path / "models" / "default").mkdir(parents=True)
    for name, text in MODEL.items():
        (tmp_path / "models" / "default" / name).write_text(text, encoding="utf-8")
    for name, lines in (("sys", SYSTEM), ("ref1", FIRST), ("ref2", SECOND)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def files(folder: Path, references: int = 2) -> list[str]:
    return [
        str(folder / "sys"),
        *(part for k in range(references) for part in ("-r", str(folder / f"ref{k + 1}"))),
    ]


def expected(beer: Beer) -> list[float]:
    return [
        beer.sentence_score(hypothesis, list(references)).score
        for hypothesis, *references in zip(SYSTEM, FIRST, SECOND, strict=True)
    ]


def scored(folder: Path, spec: str, **env: str) -> tuple[float, list[float]]:
    """The corpus score and the sentence scores by ``wordorder score``."""
    base = (*files(folder), "-m", spec, "-q", "-f", "json")
    corpus = json.loads(run(*base, "--samples", "0", verb="score", **env).stdout)
    (values,) = corpus["systems"][0]["scores"].values()
    rows = json.loads(run(*base, "--level", "sentence", verb="score", **env).stdout)["segments"]
    return values["score"], [row[corpus["metrics"][0]["spec"]] for row in rows]


def test_score_with_the_model_that_comes_with_the_package(folder: Path) -> None:
    scores = expected(Beer())
    mean, sentences = scored(folder, "beer:corpus=mean")
    assert mean == pytest.approx(sum(scores) / len(scores), abs=1e-12)
    assert sentences == pytest.approx(scores, abs=1e-12)
    assert scored(folder, "beer")[1] == pytest.approx(scores, abs=1e-12)
    assert scores[1] == 1.0  # a copy of the second reference, not of the first


def test_a_released_model_is_found_and_divides_by_one_too_many(folder: Path) -> None:
    model = folder / "models" / "default"
    scores = expected(Beer(version="2.0", model=str(model)))
    mean, sentences = scored(folder, f"beer:version=2.0,compat=original,model={model}")
    assert mean == pytest.approx(sum(scores) / 5, abs=1e-12)
    assert sentences == pytest.approx(scores, abs=1e-12)
    named = scored(folder, "beer:version=2.0,compat=original,model=default", BEER_HOME=str(folder))
    assert named == (mean, sentences)
    assert scores[3] < Beer(version="2.0", model=str(model)).sentence_score("blank first", [FIRST[3]]).score
    answer = run("--model", str(model), stdin=b"EVAL |||  ||| something\n", verb="scorer").stdout
    assert answer == b"1.0E-4\n"  # 0.01 / 100, as Java says it


def test_scores_are_explained(folder: Path) -> None:
    beer = Beer()
    assert isinstance(beer.trained, Model)
    scores = expected(beer)
    lines = run(*files(folder)).stdout.decode().splitlines()
    heads = [line for line in lines if line.startswith("sentence ")]
    assert [line.partition(",")[0] for line in heads] == [
        f"sentence {k}: score {score:.4f}" for k, score in enumerate(scores, start=1)
    ]
    target = folder / "parts.json"
    done = run(*files(folder), "-m", "beer", "-o", str(target))
    assert done.returncode == 0 and done.stdout == b""
    for line, score in zip(target.read_bytes().splitlines(), scores, strict=True):
        record = json.loads(line)
        assert record["score"] == pytest.approx(score)
        if record["margin"] is None:  # the system left the sentence out
            assert (record["score"], record["groups"], record["features"]) == (0.0, {}, {})
            continue
        assert sum(record["groups"].values()) == pytest.approx(record["margin"])
        assert beer.trained.output(np.array([record["margin"]]))[0] == pytest.approx(score)


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ([], 2, "SYSTEM"),
        (["x"], 2, "-r REFERENCE"),
        (["x", "-r", "y", "-f", "tsv"], 2, "'tsv' is not one of 'text', 'json'"),
        (["x", "-r", "y", "-o", "parts.tsv"], 2, "cannot write .tsv"),
        (["x", "-r", "y", "-m", "bleu"], 2, "expected beer"),
        (["nowhere", "-r", "nowhere"], 3, "nowhere: does not exist"),
        (["x", "-r", "y", "--model", "nowhere"], 3, "nowhere: no such folder"),
        (["x", "-r", "y", "--model", "linear_self_train"], 2, "set BEER_HOME"),
    ],
)
def test_misuse_is_told_in_one_line(args: list[str], code: int, told: str) -> None:
    done = run(*args, stdin=b"")
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in done.stderr.decode() and done.stderr.count(b"\n") == 1


def test_a_trained_model_is_used(folder: Path) -> None:
    views = views_of(["cased:ngram1.sf1"], Sources())
    save_model(Model(views, np.array([2.0]), ScoreScaling(), {}, {}), folder / "mine")
    done = run("--model", str(folder / "mine"), stdin=b"MARGIN ||| a b ||| a c\nEXIT\n", verb="scorer")
    assert done.stdout == b"-1.0\n"


def test_the_home_of_beer_must_have_the_model(folder: Path) -> None:
    done = run("--model", "linear", stdin=b"", verb="scorer", BEER_HOME=str(folder))
    assert done.returncode == 3 and str(folder / "models" / "linear") in done.stderr.decode()


def test_an_installed_model_is_named(folder: Path) -> None:
    named, chosen = (
        run(*files(folder), *how).stdout for how in (("--model", "best"), ("-m", "beer:version=best"))
    )
    assert named == chosen and b"sentence 1: score" in named
