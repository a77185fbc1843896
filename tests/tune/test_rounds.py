"""Tuning in rounds with a decoder: what it does wrong, and runs that are interrupted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.calls import call
from wordorder.errors import BadSetting, WordOrderError
from wordorder.math_threads import VARIABLES, use_one_math_thread
from wordorder.tune.rounds import _run_showing
from wordorder.tune.weights import Weights

DECODER = """
import sys
weights = dict(line.split("=") for line in open(sys.argv[1]))
good = float(weights["good"]) > 0
with open(sys.argv[2], "w") as out:
    for s in range(2):
        words = ["a b c d e", "e d c b a"] if good else ["e d c b a", "a b d c e"]
        for rank, text in enumerate(words):
            out.write(f"{s} ||| {text} ||| good= {text.count('a b c')} bad= {rank} ||| 0\\n")
"""


def test_rounds_call_the_decoder_and_go_on_after_a_stop(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "decode.py").write_text(DECODER)
    (tmp_path / "ref").write_text("a b c d e\na b c d e\n")
    (tmp_path / "start").write_text("good= -1\nbad= 1\n")
    command = f"{sys.executable} {tmp_path}/decode.py {{weights}} {{nbest}}"
    folder, saved = tmp_path / "rounds", tmp_path / "tuned.json"
    arguments = [
        "tune", "-r", str(tmp_path / "ref"), "--weights", str(tmp_path / "start"), "--decoder", command,
        "--folder", str(folder), "--save-weights", str(saved), 
        "-m", "kendall:tokenize=none", "--set", "restarts=3",
    ]  # fmt: skip
    first = call(capsys, monkeypatch, *arguments)
    assert first.returncode == 0, first.stderr
    assert saved.exists() and (folder / "round1.nbest").exists() and not list(folder.glob("*.part"))
    written = saved.read_bytes()
    (folder / "round1.nbest").rename(folder / "round1.nbest.part")  # as if it had been killed in round 1
    for later in folder.glob("round[2-9]*"):
        later.unlink()
    again = call(capsys, monkeypatch, *arguments)
    assert again.returncode == 0 and saved.read_bytes() == written
    other = call(capsys, monkeypatch, *arguments, "--seeds", "1")
    assert other.returncode != 0 and "other settings" in other.stderr
    renamed = [argument.replace("decode.py", "nothing.py") for argument in arguments]
    broken = call(capsys, monkeypatch, *renamed, "--folder", str(tmp_path / "r2"))
    assert broken.returncode != 0 and "exit code" in broken.stderr


def test_what_a_decoder_does_wrong_is_reported(tmp_path: Path) -> None:
    from wordorder.tune.rounds import tuning_rounds

    def rounds(command: str) -> None:
        list(
            tuning_rounds(
                tmp_path,
                command,
                Weights((("f", (1.0,)),)),
                None,
                references=["a", "b"],
                rounds=1,
                settings={},
            )
        )  # type: ignore[arg-type]

    with pytest.raises(BadSetting, match=r"\{nbest\}"):
        rounds("cat {weights}")
    for command, message in (
        ("true {weights} {nbest}", "decoder of round 1 wrote no candidates"),
        (
            "echo loading >&2; echo no model >&2; exit 7 {weights} {nbest}",
            r"exit code 7: .*; it said: loading / no model",
        ),
        ("kill -9 $$ {weights} {nbest}", "ended by signal 9"),
        (
            "printf '0 ||| a ||| f= 1\\n1 ||| b ||| f=' > {nbest} {weights}",
            "part:2: feature 'f' has no name or no value",
        ),
        (
            "printf '0 ||| a ||| f= 1\\n' > {nbest} {weights}",
            r"part: the last sentence with candidates is 0, .* 2 references",
        ),
        ("printf '1 ||| a ||| f= 1\\n' > {nbest} {weights}", "sentence 0 has no candidates"),
    ):
        with pytest.raises(WordOrderError, match=message):
            rounds(command)
        assert not (tmp_path / "round1.nbest").exists()
        (tmp_path / "settings.json").unlink()


SLOW_DECODER = """
import random, sys, time
random = random.Random(open(sys.argv[1]).read())
with open(sys.argv[2], "w") as out:
    for s in range(3):
        for _ in range(5):
            words = random.sample("abcdef", 6)
            out.write(f"{s} ||| {' '.join(words)} ||| f= {random.random()} g= {random.random()}\\n")
        out.flush()
        time.sleep(0.05)
"""


@pytest.mark.slow
def test_a_killed_run_ends_as_if_it_had_not_been_killed(tmp_path: Path) -> None:
    (tmp_path / "decode.py").write_text(SLOW_DECODER)
    (tmp_path / "ref").write_text("a b c d e f\n" * 3)
    (tmp_path / "start").write_text("f= 1\ng= -1\n")

    def run(name: str) -> subprocess.Popen[bytes]:
        options = [
            "--weights",
            "start",
            "--folder",
            name,
            "--save-weights",
            f"{name}.weights",
            "--rounds",
            "3",
        ]
        command = [
            sys.executable,
            "-m",
            "wordorder",
            "tune",
            "-r",
            "ref",
            "-m",
            "kendall:tokenize=none",
            *options,
        ]
        command += ["--set", "restarts=2", "--decoder", f"{sys.executable} decode.py {{weights}} {{nbest}}"]
        return subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.DEVNULL, start_new_session=True)

    assert run("whole").wait() == 0
    rng, kills = random.Random(1), 0
    for _ in range(6):
        process = run("killed")
        time.sleep(rng.uniform(0.3, 2.0))
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
    assert run("killed").wait() == 0 and kills
    assert (tmp_path / "killed.weights").read_bytes() == (tmp_path / "whole.weights").read_bytes()
    for file in (tmp_path / "whole").iterdir():
        assert (tmp_path / "killed" / file.name).read_bytes() == file.read_bytes()


def test_a_decoder_does_not_inherit_our_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:  # which are restored in the end
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("WORDORDER_SET_THREADS", "")
    assert _run_showing('test "$OPENBLAS_NUM_THREADS" = 1')[0] == 0  # set by the user
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    use_one_math_thread()
    assert os.environ["MKL_NUM_THREADS"] == "1"
    assert _run_showing('test "$OPENBLAS_NUM_THREADS" = 1 && test -z "$MKL_NUM_THREADS"')[0] == 0
