"""Signals end every verb that works long, within a second, and nothing unfinished is left."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wordorder.data import package_file

THREADS, THREE, MODEL = ["--threads", "8"], ["--processes", "3"], ["--save-model", "model", "--fresh"]
VERBS = {
    "score": ["score", "-r", "text.en", "text.en", "-m", "full,beer,ter", *THREADS, "-o", "out"],
    "resample": ["score", "-r", "few", "few", "-m", "chrf", "--samples", "1000000", *THREADS, "-o", "out"],
    "judge": ["judge", "judgments", "-m", "full,ter,beer", "--no-cache", *THREE, "-q", "-o", "out"],
    "align": ["align", "-s", "text.en", "-t", "text.ja", *THREADS, "--save-model", "model", "-o", "out"],
    "apply": ["preorder", "apply", "--model", "en-ja-crf", "-s", "text.en", *THREADS, "-o", "out"],
    "train": ["preorder", "train", "-s", "text.en", "--align", "text.align", *MODEL, *THREADS],
    "evaluate": ["evaluate", "--align", "text.align", "-s", "text.en", "en-ja-crf", *THREADS, "-o", "out"],
}


def write_input(folder: Path) -> None:
    """Write texts and judgments that take long."""
    for name in ("text.en", "text.ja", "text.align"):
        (folder / name).write_bytes(package_file("sample").joinpath(name).read_bytes() * 8000)
    (folder / "few").write_text("a b c\n" * 20_000)  # with a million samples
    (folder / "judgments").mkdir()
    for table in ("segments.tsv", "outputs.tsv", "pairs.tsv"):
        head, *rows = package_file("judgments").joinpath(table).read_text().splitlines()
        cells = [row.split("\t", 3) for row in rows]
        lines = [f"{a}\t{b}\t{k}-{c}\t{d}\n" for k in range(1500) for a, b, c, d in cells]
        (folder / "judgments" / table).write_text(head + "\n" + "".join(lines))


def started(verb: str, folder: Path) -> subprocess.Popen[str]:
    """Start a verb in a session of its own; return when it handles signals."""
    process = subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-m", "wordorder", *VERBS[verb]],
        cwd=folder,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        start_new_session=True,
    )
    while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) < 2:
        time.sleep(0.05)  # until there is a thread for signals
    return process


def alive(session: int) -> list[str]:
    """Return the commands of all processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has just ended
            state, _, _, own = folder.joinpath("stat").read_text().rpartition(")")[2].split()[:4]
            if int(own) == session and state != "Z":
                found.append(folder.joinpath("cmdline").read_text().replace("\0", " "))
    return found


def ended(session: int) -> bool:
    """Wait until no process of a session is left, for two seconds at most."""
    end = time.monotonic() + 2
    while alive(session) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive(session)


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_ends_within_a_second(verb: str, tmp_path: Path) -> None:
    rng = random.Random(verb)
    write_input(tmp_path)
    before = set(os.listdir(tmp_path))
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        with started(verb, tmp_path) as process:
            time.sleep(rng.uniform(2, 6))  # not during imports: some of them cannot be interrupted
            assert process.poll() is None, "ended before it could be stopped"
            process.send_signal(how)
            begin = time.monotonic()
            _, error = process.communicate(timeout=20)
        assert time.monotonic() - begin < 2  # within a second on an idle machine
        assert ended(process.pid), alive(process.pid)
        # Python itself ends with the signal if it came during the import of some extensions.
        assert process.returncode in (128 + how, -how) and "Traceback" not in error, error
        left = set(os.listdir(tmp_path)) - before
        assert left <= {"model.checkpoint", "model"}
        if "model" in left:  # the aligner was complete, and the links were being written
            assert set(os.listdir(tmp_path / "model")) >= {"model.json", "model.safetensors"}
            shutil.rmtree(tmp_path / "model")


@pytest.mark.parametrize("how", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("ignored", [False, True])
def test_signals_are_handled_unless_they_are_ignored(how: str, ignored: bool) -> None:
    code = f"""
import os, signal
from wordorder.cli.signals import stopping_on_signals
if {ignored}:
    signal.signal(signal.{how}, signal.SIG_IGN)  # as nohup does
with stopping_on_signals():
    os.kill(os.getpid(), signal.{how})
    print("goes on")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    expected = (0, "goes on\n") if ignored else (128 + getattr(signal, how), "")
    assert (done.returncode, done.stdout) == expected


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
@pytest.mark.parametrize("seconds", [0.3, 1, 3, 6])  # also while processes are being started
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_processes_end_with_the_verb(how: signal.Signals, seconds: float, tmp_path: Path) -> None:
    write_input(tmp_path)
    with started("judge", tmp_path) as process:
        if seconds > 1:
            while len(alive(process.pid)) < 4 and process.poll() is None:
                time.sleep(0.05)
        time.sleep(seconds)
        assert process.poll() is None, "ended before it could be stopped"
        if how == signal.SIGINT:
            os.killpg(process.pid, how)  # as a terminal does
        else:
            process.send_signal(how)
        process.wait(timeout=5)
        assert ended(process.pid), alive(process.pid)
        error = process.communicate()[1]
    if seconds > 1:  # not while Python starts, which can only say where it was interrupted
        assert error.replace("wordorder: interrupted", "").strip() == "", error
