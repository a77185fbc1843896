"""``wordorder beer``: explanations, and the protocol of the released program over a pipe."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from wordorder.cli.beer_protocol import answers, as_java, is_exit
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
    mean, sentences = scored(folder, "beer")
    assert mean == pytest.approx(sum(scores) / len(scores), abs=1e-12)
    assert sentences == pytest.approx(scores, abs=1e-12)
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
    answer = run("--serve-stdio", "--model", str(model), stdin=b"EVAL |||  ||| something\n").stdout
    assert answer == b"1.0E-4\n"  # 0.01 / 100, as Java says it


def test_scores_are_explained(folder: Path) -> None:
    scores = expected(Beer())
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
        assert sum(record["groups"].values()) == pytest.approx(record["margin"])


@pytest.mark.parametrize(
    ("args", "code", "told"),
    [
        ([], 2, "give SYSTEM"),
        (["x"], 2, "-r REFERENCE"),
        (["x", "--serve-stdio"], 2, "reads requests"),
        (["-r", "y", "--serve-stdio"], 2, "--reference would have no effect"),
        (["x", "-r", "y", "-f", "tsv"], 2, "text or json"),
        (["x", "-r", "y", "-m", "bleu"], 2, "expected beer"),
        (["nowhere", "-r", "nowhere"], 3, "nowhere: does not exist"),
        (["--serve-stdio", "--model", "nowhere"], 3, "nowhere: no such folder"),
        (["--serve-stdio", "--model", "linear_self_train"], 2, "set BEER_HOME"),
    ],
)
def test_misuse_is_told_in_one_line(args: list[str], code: int, told: str) -> None:
    done = run(*args, stdin=b"")
    assert (done.returncode, done.stdout) == (code, b"")
    assert told in done.stderr.decode() and done.stderr.count(b"\n") == 1


def test_a_trained_model_is_used(folder: Path) -> None:
    views = views_of(["cased:ngram1.sf1"], Sources())
    save_model(Model(views, np.array([2.0]), ScoreScaling(), {}, {}), folder / "mine")
    done = run("--serve-stdio", "--model", str(folder / "mine"), stdin=b"MARGIN ||| a b ||| a c\nEXIT\n")
    assert done.stdout == b"-1.0\n"


def test_the_home_of_beer_must_have_the_model(folder: Path) -> None:
    done = run("--serve-stdio", "--model", "linear", stdin=b"", BEER_HOME=str(folder))
    assert done.returncode == 3 and str(folder / "models" / "linear") in done.stderr.decode()


def numbers(answer: str) -> list[float]:
    return [float(field) for field in answer.split(" ||| ")]


def test_every_request_has_one_answer_and_bad_ones_do_not_end_it() -> None:
    requests = [
        b"EVAL ||| a b ||| a b ||| a c",
        b"EVAL BEST ||| a b ||| a c ||| a b",
        b"MARGIN ||| a b ||| a b ||| a c",
        b"FACTORS ||| a b ||| a b",
        b"",
        b"eval ||| a ||| a",
        b"EVAL",
        b"EVAL ||| only a system",
        b"EVAL ||| \xff\xfe ||| a",
        b"EVAL ||| a\x00b\x0b\xc2\x85 ||| |||a\r",
        "EVAL ||| Größe \U0001f600 ||| größe".encode(),
        b"EVAL |||  ||| ",  # two empty texts
        b"EVAL ||| ||| a",
        b"EVAL BEST ||| " + b"x " * 2000 + b"||| x",
    ]
    done = run("--serve-stdio", stdin=b"\n".join([*requests, b"EXIT", b"EVAL ||| a ||| a"]))
    told = done.stdout.decode().splitlines()
    assert done.returncode == 0 and done.stderr == b"" and len(told) == len(requests)
    beer = Beer()
    copy, other = (beer.sentence_score("a b", [ref]).score for ref in ("a b", "a c"))
    assert numbers(told[0]) == pytest.approx([copy, other], abs=1e-12) and told[1] == "1.0"
    assert numbers(told[2]) == pytest.approx([0.0, *beer.trained.margins(["a b"], ["a c"])], abs=1e-12)
    factors = dict(piece.split("=") for piece in told[3].split(" "))
    assert "solid:char1.sf1" in factors and float(factors["solid:char1.sf1"]) == 1.0
    for at, said in ((4, "an empty line"), (5, "'eval'"), (6, "system translation and a reference is"),
                     (7, "a reference is missing"), (8, "byte 10 is not UTF-8")):  # fmt: skip
        assert told[at].startswith("ERROR ||| ") and said in told[at]
    assert all(0 <= float(told[at]) <= 1 for at in (9, 10, 12, 13)) and told[11] == "1.0"


def test_what_ends_it() -> None:
    assert all(is_exit(line) for line in (b"EXIT", b"EXIT\r", b"EXIT ||| now"))
    assert not any(is_exit(line) for line in (b"", b"EXITS", b"EVAL ||| EXIT ||| a", b"exit"))


class Server:
    """A server that is asked and answers line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "wordorder", "beer", "--serve-stdio"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    watch = threading.Timer(60, made.process.kill)  # an answer that never comes must not stop the tests
    watch.start()
    yield made
    watch.cancel()
    made.process.kill()
    made.process.communicate()


def test_each_answer_comes_before_the_next_request(server: Server) -> None:
    for _ in range(3):
        server.send(b"EVAL ||| a b ||| a b\n")
        assert server.line() == b"1.0\n"
        server.send(b"nonsense\n")
        assert server.line().startswith(b"ERROR ||| ")
    server.send(b"EVAL ||| a b ")  # a line in two parts
    server.send(b"||| a b\nEVAL ||| a ||| a\n")
    assert server.line() + server.line() == b"1.0\n1.0\n"
    server.send(b"EVAL ||| a b |||\nEXIT\n")
    assert 0 <= float(server.line()) < 1
    assert server.process.wait(timeout=30) == 0


def test_together_or_alone_the_answers_are_the_same() -> None:
    rng = random.Random(1)
    words = ["a", "b", "the", "Haus", "😀", "x.", "", "|||"]
    beer = Beer()

    def text() -> str:
        return " ".join(rng.choices(words, k=rng.randrange(8)))

    kinds = ["EVAL", "EVAL BEST", "MARGIN", "FACTORS", "WHAT"]
    lines = [
        " ||| ".join([rng.choice(kinds), *(text() for _ in range(rng.randrange(5)))]).encode()
        for _ in range(300)
    ]
    together = answers(beer, lines)
    for line, answer in zip(lines, together, strict=True):
        (alone,) = answers(beer, [line])
        if line.startswith((b"EVAL", b"MARGIN")) and not answer.startswith("ERROR"):
            assert numbers(answer) == pytest.approx(numbers(alone), abs=1e-12)  # sums may round otherwise
        else:
            assert answer == alone
    assert 50 < sum(answer.startswith("ERROR") for answer in together) < 250


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1.0"), (0.001, "0.001"), (0.00099, "9.9E-4"), (1e-4, "1.0E-4"), (9999999.5, "9999999.5"),
        (1e7, "1.0E7"), (123456789.125, "1.23456789125E8"), (-2.5e-300, "-2.5E-300"), (-0.0, "-0.0"),
    ],
)  # fmt: skip
def test_numbers_as_java_writes_them(number: float, text: str) -> None:
    assert as_java(number) == text and float(text) == number


def test_no_digit_is_lost() -> None:
    rng = random.Random(2)
    for _ in range(2000):
        number = rng.uniform(-1, 1) * 10.0 ** rng.randint(-12, 12)
        assert float(as_java(number)) == number and Decimal(as_java(number)) == Decimal(repr(number))


def test_lines_of_the_original_program(shared: Path) -> None:
    """What the program printed, to the last digit."""
    table = (shared / "golden" / "beer20_sentence_scores.tsv").read_text(encoding="utf-8").split("\n")
    rows = [row.split("\t") for row in table[1:] if row]
    beer = Beer(version="2.0", model=str(shared / "data" / "beer20-model"))
    lines = [f"EVAL ||| {hypothesis} ||| {reference}".encode() for _, hypothesis, reference in rows]
    assert answers(beer, lines) == [score for score, _, _ in rows]
