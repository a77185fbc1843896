"""The number of threads is what --threads says, also those of numerical libraries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from wordorder.math_threads import VARIABLES

# Runs the command, and tells in the end how many threads there are that Python did not start.
COUNTED = (
    "import atexit, os, threading\n"
    "def tell():\n"
    "    for thread in threading.enumerate():\n"
    "        if thread.name == 'signals':\n"
    "            thread.join(10)\n"
    "    print('pool of', len(os.listdir('/proc/self/task')) - threading.active_count())\n"
    "atexit.register(tell)\n"
    "from wordorder.cli.main import main\n"
    "main()\n"
)


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc")
def test_a_network_starts_no_threads_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("the cat sat on the mat\n")
    command = ["preorder", "apply", "--model", "en-ja-crf", "-s", "text", "--threads", "1", "-o", "out"]
    free = {name: value for name, value in os.environ.items() if name not in VARIABLES}

    def pool(environment: dict[str, str]) -> str:
        call = [sys.executable, "-c", COUNTED, *command]
        return subprocess.run(call, capture_output=True, text=True, cwd=tmp_path, env=environment).stdout

    assert pool(free) == "pool of 0\n"
    if (os.cpu_count() or 1) > 1 and "openblas" in str(np.show_config(mode="dicts")):
        assert pool({**free, "OPENBLAS_NUM_THREADS": "2"}) == "pool of 1\n"  # as the user says
