"""The pages on Marian, OpenNMT-py and fairseq, run with the real programs where they are installed."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from tests.test_docs import FILE, examples
from wordorder.cli.demo import copy_sample

PAGES = Path(__file__).resolve().parents[2] / "docs" / "howto"
PROGRAMS = {
    "marian": ("pymarian", {"marian": "-m pymarian train", "marian-decoder": "-m pymarian decode"}),
    "opennmt": (
        "onmt",
        {f"onmt_{name}": f"-c 'from onmt.bin.{name} import main; main()'"
         for name in ("build_vocab", "train", "translate")},
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("page", PROGRAMS)
def test_every_command_of_the_page_runs(page: str, tmp_path: Path) -> None:
    package, commands = PROGRAMS[page]
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"needs {package}")
    copy_sample(tmp_path / "demo")
    (tmp_path / "bin").mkdir()
    for name, call in {**commands, "wordorder": "-m wordorder", "python": ""}.items():
        script = tmp_path / "bin" / name
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -W ignore {call} "$@"\n')
        script.chmod(0o755)
    path = PAGES / f"{page}.md"
    for file in FILE.finditer(path.read_text("utf-8")):
        (tmp_path / file["name"]).write_text(file["text"], encoding="utf-8")
    said = []
    for example in examples(path):
        done = subprocess.run(
            ["bash", "-c", example.command], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
                 "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD": "1"},  # as the page on OpenNMT-py says
        )  # fmt: skip
        assert done.returncode == 0, f"{example.command}\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
        said.append(done.stdout + done.stderr)
    measured = r"translation : ([\d.]+)" if page == "marian" else r"validation RECPEF: ([\d.]+)"
    [number] = re.findall(measured, "\n".join(said))
    assert 0 <= float(number) <= 1
    assert len((tmp_path / "test.ja").read_text("utf-8").splitlines()) == 40


def test_the_scorer_for_fairseq_with_its_base_class_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    made: Any = types.ModuleType("fairseq.scoring")
    registered: dict[str, Any] = {}

    class BaseScorer:
        def __init__(self, cfg: object) -> None:
            self.cfg, self.ref, self.pred = cfg, [], []  # type: ignore[var-annotated]

        def add_string(self, ref: str, pred: str) -> None:
            self.ref.append(ref)
            self.pred.append(pred)

    made.BaseScorer = BaseScorer
    made.register_scorer = lambda name: lambda cls: registered.setdefault(name, cls)
    monkeypatch.setitem(sys.modules, "fairseq", types.ModuleType("fairseq"))
    monkeypatch.setitem(sys.modules, "fairseq.scoring", made)
    [file] = FILE.finditer((PAGES / "fairseq.md").read_text("utf-8"))
    exec(file["text"], {})
    scorer = registered["recpef"](None)
    scorer.add_string("a b", "b a")
    scorer.add_string("c d", "c d")
    assert scorer.score() == 0.5
    assert re.fullmatch(r"recpef\|recpef\|.*\|v:[\d.]+ = 0\.5000", scorer.result_string())
