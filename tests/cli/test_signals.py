"""Signals end every verb that works long, within a second, and nothing unfinished is left."""

from __future__ import annotations

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

THREADS, MODEL = ["--threads", "8"], ["--save-model", "model", "--fresh"]
VERBS = {
    "score": ["score", "-r", "text.en", "text.en", "-m", "full,beer,ter", *THREADS, "-o", "out"],
    "resample": ["score", "-r", "few", "few", "-m", "chrf", "--samples", "10000000", *THREADS, "-o", "out"],
    "align": ["align", "-s", "text.en", "-t", "text.ja", *THREADS, "--save-model", "model", "-o", "out"],
    "apply": ["preorder", "apply", "--model", "en-ja-crf", "-s", "text.en", *THREADS, "-o", "out"],
    "train": ["preorder", "train", "-s", "text.en", "--align", "text.align", *MODEL, *THREADS],
    "evaluate": ["evaluate", "--align", "text.align", "-s", "text.en", "en-ja-crf", *THREADS, "-o", "out"],
}


@pytest.mark.slow
@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
@pytest.mark.parametrize("verb", VERBS)
def test_a_verb_ends_within_a_second(verb: str, tmp_path: Path) -> None:
    rng = random.Random(verb)
    for name in ("text.en", "text.ja", "text.align"):
        (tmp_path / name).write_bytes(package_file("sample").joinpath(name).read_bytes() * 4000)
    (tmp_path / "few").write_text("a b c\n" * 50)
    before = set(os.listdir(tmp_path))
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGTERM):
        process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "wordorder", *VERBS[verb]],
            cwd=tmp_path,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
        while process.poll() is None and len(os.listdir(f"/proc/{process.pid}/task")) < 2:
            time.sleep(0.05)  # until there is a thread for signals
        time.sleep(rng.uniform(2, 6))  # not while extensions are imported: some of them cannot be interrupted
        assert process.poll() is None, "ended before it could be stopped"
        process.send_signal(how)
        begin = time.monotonic()
        _, error = process.communicate(timeout=20)
        assert time.monotonic() - begin < 2  # within a second on an idle machine
        # Python itself ends with the signal if it came during the import of some extensions.
        assert process.returncode in (128 + how, -how) and "Traceback" not in error, error
        left = set(os.listdir(tmp_path)) - before
        assert left <= {"model.checkpoint", "model"}
        if "model" in left:  # the aligner was complete, and the links were being written
            assert set(os.listdir(tmp_path / "model")) >= {"model.json", "model.safetensors"}
            shutil.rmtree(tmp_path / "model")
