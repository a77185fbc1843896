"""Reading whole lists into arrays: the kernel against the format, line by line, and input that is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import call
from wordorder import _native
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.base import Problem
from wordorder.io.lenient import Lenient
from wordorder.io.nbest import NBest
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.reading import collect_candidates

PIECES = [
    "0", "1", " ", "  ", "|||", " ||| ", " ||| ", "\t", "a", "家\u3000b", "\u00a0", "LM=", "LM= ",
    "TM0= 1 2 ", "x=3 ", "-1.5", "1e-7", "+2", "1e308", "nan", "0.1234567890123456789", "=",
    "9007199254740993", "\r", "-0", "_", ".",
]  # fmt: skip


def slowly(lines: list[str]) -> tuple[CandidateLists | None, int]:
    """Read every line by itself; count those that are refused."""
    kept: list[CandidateTranslation] = []
    bad = 0
    for line in lines:
        try:
            candidate = NBest().parse(line.removesuffix("\r"))
            CandidateLists.of([*kept, candidate])
            kept.append(candidate)
        except Problem:
            bad += 1
        except BadSetting as error:
            if "no candidates" in error.message:  # only of sentence 0
                kept.append(candidate)
            else:
                bad += 1
    return (CandidateLists.of(kept) if kept else None), bad


def same(fast: CandidateLists, slow: CandidateLists) -> bool:
    arrays = ("text", "starts", "rows", "index", "value")
    return (
        fast.texts == slow.texts
        and fast.keys == slow.keys
        and all(np.array_equal(getattr(fast, name), getattr(slow, name)) for name in arrays)
    )


def test_the_kernel_reads_what_the_format_reads(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    file = tmp_path / "list"
    usual = ["0 ||| a  b ||| LM= -1.25 TM0= 1 2e-05 ||| -3", "0 ||| a b ||| TM0= 3 4 LM=7 ||| 1 ||| 0-0"]
    read = 0
    for _ in range(300):
        lines = ["0 ||| start ||| LM= 1"]
        for _ in range(rng.integers(1, 5)):
            line = str(rng.choice(usual))
            if rng.random() < 0.8:  # break a usual line, or join anything
                cut = sorted(rng.integers(0, len(line), size=2))
                line = line[: cut[0]] + "".join(rng.choice(PIECES, size=rng.integers(3))) + line[cut[1] :]
            lines.append(line)
        slow, bad = slowly(lines)
        file.write_bytes("\n".join(lines).encode())
        lenient = Lenient()
        try:
            fast = collect_candidates([str(file)], lenient=lenient)
        except WordOrderError as error:
            assert "no candidates" in error.message, lines  # a sentence in between is missing
            continue
        assert slow is not None and same(fast, slow) and lenient.total == bad, lines
        read += 1
    assert read > 200


@pytest.mark.parametrize(
    "text", ["-3", "0.25", "1.5e-07", "12345678901234.5e-3", ".5", "7.", "1E+5", "00.10"]
)
def test_plain_numbers_are_read_exactly(text: str) -> None:
    table = _native.CandidateTable()
    line = f"0 ||| a ||| f= {text}".encode()
    assert table.add_lines(line) == len(line)
    assert table.sorted()[4].tolist() == [float(text)]


@pytest.mark.parametrize(
    "text", ["", "1_0", "0x1", "1e400", "inf", "1,5", "--1", "1e", "12345678901234567890", "1 e5"]
)
def test_other_numbers_are_left_to_the_format(text: str) -> None:
    assert _native.CandidateTable().add_lines(f"0 ||| a ||| f= {text}".encode()) == 0


def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    good = b"0 ||| a b c d ||| f= 1 g= 2\n0 ||| a c b d ||| f= 2 g= 3\n"
    cases = [
        (b"", "list: is empty"),
        (
            good + b"0 ||| b ||| f= 1e308\n",
            "list:3: feature f of sentence 0 is 1e+308; expected numbers from",
        ),
        (good + b"0 ||| b ||| f= inf\n", "list:3: feature f is inf; expected a finite number"),
        (good + b"0 ||| b ||| f= 1 2\n", "list:3: feature f has 2 values in sentence 0, and 1 before"),
        (good + b"0 ||| b ||| f= 1 f= 1\n", "list:3: feature f of sentence 0 occurs twice"),
        (good + b"0 ||| b ||| f=", "list:3: feature 'f' has no name or no value"),
        (good + b"0 ||| \xff ||| f= 1\n", "list:3: byte 0xff"),
        (good + b"2 ||| b ||| f= 1\n", "sentence 1 has no candidates"),
        (
            good + b"1 ||| b ||| f= 1\n",
            "the last sentence with candidates is 1, counted from 0, but there are 1 ref",
        ),
        (b"0 ||| a\n0 ||| b\n", "no features to tune"),
        (b"0 ||| a ||| f= 1\n", "no sentence has two different candidates"),
        (b"0 ||| a ||| f= 1\n0 ||| b ||| f= 1\n", "all candidates of every sentence have the same features"),
        (
            b"0 ||| a ||| f= 1 g= 0\n0 ||| b ||| f= 2 g= 0\n",
            "the start weights of the features in the lists are all",
        ),
    ]
    file, reference, weights = tmp_path / "list", tmp_path / "ref", tmp_path / "weights"
    reference.write_text("a b c d\n")
    weights.write_text("f= 0\ng= 0\n")
    for content, message in cases:
        file.write_bytes(content)
        start = ["--weights", str(weights)] if "start weights" in message else []
        told = call(capsys, monkeypatch, "tune", str(file), "-r", str(reference), *start)
        assert told.returncode != 0 and message in told.stderr and told.stderr.count("\n") == 1, told.stderr
    file.write_bytes(gzip.compress(good + b"broken\n"))
    arguments = ["tune", str(file), "-r", str(reference), "--set", "restarts=1"]
    told = call(capsys, monkeypatch, *arguments, "--lenient")
    assert told.returncode == 0 and "skipped 1" in told.stderr and "2 candidates" in told.stdout
    assert "list:3" in call(capsys, monkeypatch, *arguments).stderr


def test_lenient_reading_leaves_something(tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text("0 ||| a ||| f= x\n")
    with pytest.raises(BadFile, match="nothing is left"):
        collect_candidates([str(file)], lenient=Lenient())
