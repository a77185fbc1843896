"""``wordorder scorer``: the protocols of METEOR and BEER over a pipe, and the scripts that start it."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from pathlib import Path

import pytest

from wordorder.cli.line_protocol import Server, serve
from wordorder.cli.line_requests import as_java, is_exit
from wordorder.engine.threads import ordered_map
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.beer import Beer
from wordorder.metrics.registry import metric

HYPOTHESES = ["the cat sat on a mat .", "on the mat the cat sat", "", "a dog", "Der Hund bellt laut"]
FIRST = ["the cat sat on the mat .", "the cat sat on the mat", "something", "a dog barks", "der Hund bellt"]
SECOND = ["a cat was sitting there .", "there sat the cat", "else", "a dog", "laut bellt der Hund ."]


def run(*args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "wordorder", "scorer", *args]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def summed(answers: Sequence[str]) -> str:
    """Add up statistics, as a tuner does."""
    rows = [[float(number) for number in answer.split(" ")] for answer in answers]
    return " ".join(repr(sum(column)) for column in zip(*rows, strict=True))


def score_lines(*references: Sequence[str]) -> list[bytes]:
    rows = zip(*references, HYPOTHESES, strict=True)
    return [" ||| ".join(["SCORE", *row]).encode() for row in rows]


def shares(spec: str, references: Sequence[Sequence[str]]) -> float:
    """The score of the corpus, from 0 to 1 where 1 is best."""
    scorer = metric(spec)
    score = scorer.corpus_score(HYPOTHESES, references).score
    score = score / 100 if spec.partition(":")[0] in ("bleu", "chrf", "ter") else score
    return score if scorer.higher_is_better else 1 - score


SPECS = [
    "kendall", "recpef", "anticipation", "full", "lrscore", "ribes", "meteor",
    "beer", "beer:version=1.0", "bleu", "chrf", "ter",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_the_score_of_added_statistics_is_that_of_the_corpus(spec: str) -> None:
    server = Server(metric(spec))
    for references in ([FIRST], [FIRST, SECOND]):
        statistics = server.answers(score_lines(*references))
        (answer,) = server.answers([f"EVAL ||| {summed(statistics)}".encode()])
        assert float(answer) == pytest.approx(shares(spec, references), abs=1e-12)


@pytest.mark.parametrize("spec", SPECS)
def test_moses_gets_as_many_integers_as_it_stores(spec: str) -> None:
    """The second is taken for the length of the reference; Moses writes no space after ``|||``."""
    server = Server(metric(spec), integers=1000)
    rows = [[int(number) for number in answer.split(" ")] for answer in server.answers(score_lines(FIRST))]
    assert {len(row) for row in rows} == {23}
    assert [row[:2] for row in rows] == [
        [len(h.split()), len(r.split())] for h, r in zip(HYPOTHESES, FIRST, strict=True)
    ]
    totals = "".join(f"{sum(column)} " for column in zip(*rows, strict=True))
    (answer,) = server.answers([f"EVAL |||{totals}".encode()])
    assert float(answer) == pytest.approx(shares(spec, [FIRST]), abs=1e-3)


def test_a_metric_that_cannot_be_served_is_refused_at_once() -> None:
    with pytest.raises(BadSetting, match="24 statistics; Moses has room for 21"):
        Server(metric("chrf:chars=6,words=2"), integers=1000)
    with pytest.raises(WordOrderError, match="GivenAlignments"):
        Server(metric("kendall:match=alignments(birch)"))


@pytest.mark.parametrize(
    ("request_line", "told"),
    [
        (b"SCORE", "both missing"),
        (b"SCORE ||| only", "one of them missing"),
        (b"SCORE" + 10_002 * b" |||", "10,001 references; expected at most 10,000"),
        (b"SCORE ||| \xff ||| a", "byte 11 is not UTF-8"),
        (b"EVAL ||| 1", "expected 3 statistics, found 1"),
        (b"EVAL ||| 1 2 3 4", "expected 3 statistics, found 4"),
        (b"EVAL ||| 1 nan 3", "'1 nan 3' alone"),
        (b"EVAL ||| 1e308 1e-300 1", "their score is not finite"),
        (b"EVAL |||", "'' alone"),
        (b"FACTORS ||| a ||| a", "only for beer; the metric is kendall"),
    ],
)
def test_a_bad_line_does_not_affect_its_neighbours(request_line: bytes, told: str) -> None:
    good = [b"SCORE ||| a b c ||| c a b", b"EVAL ||| 1 2 3", b"EVAL BEST ||| c a b ||| a b c ||| c a b"]
    before, *after = Server(metric("kendall")).answers([request_line, *good])
    assert before.startswith("ERROR ||| ") and told in before
    assert [float(number) for number in after[0].split(" ")] == pytest.approx([1 / 3, 1, 1 / 3])
    assert after[1:] == ["0.5", "1.0"]


def test_errors_are_turned_into_shares() -> None:
    assert Server(metric("ter")).answers([b"EVAL ||| a b ||| a b ||| a c"]) == ["1.0 ||| 0.5"]


def test_the_tokenizer_of_text_without_spaces_is_not_guessed_line_by_line() -> None:
    """A short line of Chinese cannot be told from a word, so that lines would be split in different ways."""
    line = "SCORE ||| 我爱北京天安门 ||| 北京天安门我爱".encode()
    (answer,) = Server(metric("bleu")).answers([line])
    assert answer.startswith("ERROR ||| ") and "else tokenize=zh" in answer
    (answer,) = Server(metric("bleu:tokenize=zh")).answers([line])
    assert answer.startswith("7.0 7.0 7.0 ")


def test_many_lines_are_answered_in_order_on_several_threads() -> None:
    lines = [f"SCORE ||| a b c d ||| {'a b c d e f g'[: 2 * k % 13]}".encode() for k in range(500)]
    out = io.BytesIO()
    serve(Server(metric("bleu")), io.BytesIO(b"\n".join(lines)), out, partial(ordered_map, threads=3))
    assert out.getvalue().decode().splitlines() == Server(metric("bleu")).answers(lines)


def test_misuse_is_told_in_one_line() -> None:
    for args, told in (
        (["-m", "bleu,chrf"], "expected one metric"),
        (["-m", "beer", "--model", "x"], "--metrics would have no effect"),
        (["--write-scripts", "x", "--threads", "2"], "--threads would have no effect"),
    ):
        done = run(*args)
        assert done.returncode == 2 and told in done.stderr.decode() and done.stderr.count(b"\n") == 1


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    folder = tmp_path / "a scorer's $folder"
    done = run("-m", "kendall", "--integers", "100", "--write-scripts", str(folder))
    assert done.stderr == b"" and done.stdout.count(b"\n") == 2
    return folder


def test_the_scripts_answer_moses_and_cdec(scripts: Path) -> None:
    """They are started as those programs start BEER and METEOR: by a shell, and through PATH."""

    def ask(command: str, request: bytes) -> subprocess.CompletedProcess[bytes]:
        environment = os.environ | {"PATH": f"{scripts / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            ["/bin/sh", "-c", command], input=request, capture_output=True, check=False, env=environment,
            cwd=scripts / "scripts",
        )  # fmt: skip

    score = b"SCORE ||| a b c ||| c a b\n"
    moses = ask("java -Xmx1G -jar meteor-1.5.jar - - -stdio -lower -t tune -l en", score)
    assert moses.stdout == b"3 3 33 100 33" + b" 0" * 18 + b"\n" and moses.stderr == b""
    cdec = ask("java -jar meteor-1.4.jar - - -mira -lower -t tune -l en", score)
    assert cdec.stdout.startswith(b"0.3333333333")
    beer = ask("./interactive --threads 1", b"EVAL BEST ||| c a b ||| a b c\nEXIT\n")
    assert beer.stdout.startswith(b"0.3333333333")
    other = ask("java -version", b"")
    assert other.returncode == 2 and b"stands in for METEOR" in other.stderr


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
    done = run(stdin=b"\n".join([*requests, b"EXIT", b"EVAL ||| a ||| a"]))
    told = done.stdout.decode().splitlines()
    assert done.returncode == 0 and done.stderr == b"" and len(told) == len(requests)
    beer = Beer()
    copy, other = (beer.sentence_score("a b", [ref]).score for ref in ("a b", "a c"))
    assert numbers(told[0]) == pytest.approx([copy, other], abs=1e-12) and told[1] == "1.0"
    assert numbers(told[2]) == pytest.approx([0.0, *beer.trained.margins(["a b"], ["a c"])], abs=1e-12)
    factors = dict(piece.split("=") for piece in told[3].split(" "))
    assert "solid:char2.sf1" in factors and float(factors["solid:char2.sf1"]) == 1.0
    for at, said in ((4, "an empty line"), (5, "'eval'"), (6, "both missing"),
                     (7, "'only a system' alone"), (8, "byte 10 is not UTF-8")):  # fmt: skip
        assert told[at].startswith("ERROR ||| ") and said in told[at]
    assert all(0 <= float(told[at]) <= 1 for at in (9, 10, 12, 13)) and told[11] == "1.0"


def test_what_ends_it() -> None:
    assert all(is_exit(line) for line in (b"EXIT", b"EXIT\r", b"EXIT ||| now"))
    assert not any(is_exit(line) for line in (b"", b"EXITS", b"EVAL ||| EXIT ||| a", b"exit"))


class Client:
    """A client that asks and reads line by line."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "wordorder", "scorer"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
        )  # fmt: skip

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def line(self) -> bytes:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.fixture
def client() -> Iterator[Client]:
    made = Client()
    watch = threading.Timer(60, made.process.kill)  # an answer that never comes must not stop the tests
    watch.start()
    yield made
    watch.cancel()
    made.process.kill()
    made.process.communicate()


def test_each_answer_comes_before_the_next_request(client: Client) -> None:
    for _ in range(3):
        client.send(b"EVAL ||| a b ||| a b\n")
        assert client.line() == b"1.0\n"
        client.send(b"nonsense\n")
        assert client.line().startswith(b"ERROR ||| ")
    client.send(b"EVAL ||| a b ")  # a line in two parts
    client.send(b"||| a b\nEVAL ||| a ||| a\n")
    assert client.line() + client.line() == b"1.0\n1.0\n"
    client.send(b"EVAL ||| a b |||\nEXIT\n")
    assert 0 <= float(client.line()) < 1
    assert client.process.wait(timeout=30) == 0


def test_together_or_alone_the_answers_are_the_same() -> None:
    rng = random.Random(1)
    words = ["a", "b", "the", "Haus", "😀", "x.", "", "|||"]
    server = Server(Beer())

    def text() -> str:
        return " ".join(rng.choices(words, k=rng.randrange(8)))

    kinds = ["EVAL", "EVAL BEST", "MARGIN", "FACTORS", "WHAT"]
    lines = [
        " ||| ".join([rng.choice(kinds), *(text() for _ in range(rng.randrange(5)))]).encode()
        for _ in range(300)
    ]
    together = server.answers(lines)
    for line, answer in zip(lines, together, strict=True):
        (alone,) = server.answers([line])
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
    assert Server(beer).answers(lines) == [score for score, _, _ in rows]
