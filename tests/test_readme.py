"""README and CONTRIBUTING say what is true: their examples are run."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_python_examples() -> None:
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert results.attempted >= 5 and results.failed == 0


def test_commands_print_what_is_shown(tmp_path: Path) -> None:
    from wordorder.data import sample, sample_judgments

    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (tmp_path / "orders.txt").write_text("0 2 1\n1 0\n")
    for name in ("reference.txt", "system-a.txt", "system-b.txt"):
        (tmp_path / name).write_bytes(sample(name).read_bytes())
    for name, content in (("text.en", "reference.txt"), ("text.ja", "system-b.txt")):
        (tmp_path / name).write_bytes(sample(content).read_bytes())
    for name in ("wmt12-rr", "wmt13-rr", "wmt14-rr"):
        shutil.copytree(sample_judgments(), tmp_path / name)
    for end in ("en", "align"):
        for part in ("train", "test"):
            (tmp_path / f"{part}.{end}").write_bytes(sample(f"text.{end}").read_bytes())
    ran = 0
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for command, shown in re.findall(
            r"^\$ (wordorder [^\n#]*)[^\n]*\n((?:[^$\n][^\n]*\n)*)", block, re.M
        ):
            done = subprocess.run(
                [sys.executable, "-m", *shlex.split(command)],
                capture_output=True, text=True, cwd=tmp_path, check=False, encoding="utf-8",
                env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
            assert not shown or done.stdout == shown
            ran += 1
    assert ran >= 5


def test_the_metric_in_contributing_keeps_the_contract() -> None:
    from wordorder.metrics import check_metric, registry

    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.S)
    assert code
    space: dict[str, object] = {}
    try:
        exec(code.group(1), space)
        check_metric(space["LastWord"])  # type: ignore[arg-type]
        assert registry.metric("last_word")([1, 0, 2]) == 1.0
    finally:
        registry.REGISTRY.classes.pop("last_word", None)


def test_the_signature_shown_is_that_of_today() -> None:
    from wordorder.metrics import metric

    assert metric("kendall").signature in (ROOT / "README.md").read_text(encoding="utf-8")
