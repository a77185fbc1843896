"""The example of CONTRIBUTING keeps the contract of metrics, and README shows a signature of today."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


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

    score = metric("kendall").corpus_score(["a b"], [["a b"]])
    assert score.signature in (ROOT / "README.md").read_text(encoding="utf-8")
