"""Write docs/text-scores.md: metrics on text with the numbers they give for the sample.

The text is docs/cards/text-scores.template.

``python docs/make_text_scores.py`` (``--check``: is the page up to date?)
"""

from __future__ import annotations

import sys
from pathlib import Path

from wordorder.data import sample
from wordorder.metrics import metric
from wordorder.metrics.segments import Matching
from wordorder.metrics.text import TextMetric, on_text

PAGE = Path(__file__).with_name("text-scores.md")

TEXT = Path(__file__).with_name("cards") / "text-scores.template"


def page() -> str:
    """The page with all numbers filled in."""
    lines = {name: sample(f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in
             ("reference", "system-a", "system-b")}  # fmt: skip
    made: dict[str, TextMetric] = {}
    values: dict[str, str] = {}
    for name in ("kendall", "full", "lrscore", "ribes", "bleu", "chrf", "ter"):
        made[name] = on_text(metric(name), Matching())
        for suffix, system in (("", "system-a"), ("_b", "system-b")):
            score = made[name].corpus_score(lines[system], [lines["reference"]]).score
            values[name + suffix] = f"{score:.1f}" if made[name].range[1] > 1 else f"{score:.4f}"
    ours = [m.signature_for(1) for name, m in made.items() if name not in ("bleu", "chrf", "ter")]
    return TEXT.read_text(encoding="utf-8").format(**values, signatures="\n".join(ours))


if __name__ == "__main__":
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
    elif not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        sys.exit(f"{PAGE} is out of date: run python docs/{Path(__file__).name}")
