"""The module for Hugging Face evaluate: what it computes, and that the real package loads it offline."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import wordorder as wo
from tests.cli.calls import call
from wordorder.errors import BadSetting
from wordorder.integrations.evaluate_module import compute, describe, write_module

SCRIPT = """
import evaluate, json, sys
folder = sys.argv[1]
one = evaluate.load(folder, "kendall")
both = evaluate.load(folder, "kendall,recpef:beta=0.5")
results = [
    one.compute(predictions=["b a c", "d e"], references=["a b c", "d e"]),
    one.compute(predictions=["b a c", "d e"], references=[["a b c", "b a c"], ["d e", "e d"]]),
    one.compute(predictions=["b a c"], references=["a b c"], scale="tau"),
    both.compute(predictions=["b a\\nc"], references=["a b c"]),
]
one.add_batch(predictions=["b a c"], references=["a b c"])
one.add(prediction="d e", reference="d e")
results.append(one.compute())
combined = evaluate.combine([one, evaluate.load(folder, "chrf")])
results.append(combined.compute(predictions=["b a c"], references=["a b c"]))
try:
    evaluate.load(folder)
except ValueError as error:
    results.append(str(error))
print(json.dumps(results))
"""


def test_scores_are_those_of_the_metrics() -> None:
    references = [["a b c", "b a c"], ["d e", "e d"]]
    found = compute("kendall,bleu", ["b a c", "d x"], references, {"tokenize": "none"})
    streams = [["a b c", "d e"], ["b a c", "e d"]]
    for name in ("kendall", "bleu"):
        expected = wo.metric(name, tokenize="none").corpus_score(["b a c", "d x"], streams)
        assert found[name] == expected.score and found["signatures"][name] == expected.signature
    assert describe("kendall")["description"].startswith("kendall: Share of word pairs")


def test_what_cannot_be_computed_is_explained(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="name the metrics"):
        describe("default")
    with pytest.raises(BadSetting, match="no metric of chrf has a setting 'scale'"):
        compute("chrf", ["a"], ["a"], {"scale": "tau"})
    with pytest.raises(BadSetting, match="'my-metric' gives its name to a Python file"):
        write_module(str(tmp_path / "my-metric"))


def test_the_command_writes_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "metrics" / "word_order"
    done = call(capsys, monkeypatch, "integrations", "evaluate", "--folder", str(folder))
    assert done.stdout == f"wrote {folder / 'word_order.py'}\n"
    compile((folder / "word_order.py").read_text("utf-8"), "word_order.py", "exec")


@pytest.mark.slow
def test_evaluate_loads_the_folder_without_a_network(tmp_path: Path) -> None:
    pytest.importorskip("evaluate")
    write_module(str(tmp_path / "wordorder"))
    offline = {name: "1" for name in ("HF_EVALUATE_OFFLINE", "HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path / "wordorder")],
        env={**os.environ, **offline, "HF_HOME": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    single, several, tau, both, added, combined, message = json.loads(done.stdout)
    expected: dict[str, Any] = compute("kendall", ["b a c", "d e"], ["a b c", "d e"], {})
    assert single == added == expected
    assert several["kendall"] == 1.0 and "nrefs:2" in several["signatures"]["kendall"]
    assert tau["kendall:scale=tau"] == wo.metric("kendall:scale=tau")([1, 0, 2])
    assert set(both) == {"kendall", "recpef:beta=0.5", "matched", "signatures"}
    assert combined["kendall"] == pytest.approx(2 / 3) and 0 < combined["chrf"] < 100
    assert message.startswith("name the metrics")
