"""README shows a signature of today."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_signature_shown_is_that_of_today() -> None:
    from wordorder.metrics import metric

    score = metric("kendall").corpus_score(["a b"], [["a b"]])
    assert score.signature in (ROOT / "README.md").read_text(encoding="utf-8")
