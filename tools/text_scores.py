"""Write docs/text-scores.md: text metrics with the numbers that they give for the bundled sample."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.pages import DOCS, generator_main
from wordorder.data import sample
from wordorder.metrics import metric
from wordorder.metrics.segments import Matching
from wordorder.metrics.text import TextMetric, on_text

PAGE = DOCS / "text-scores.md"
TEMPLATE = Path(__file__).with_suffix(".template")
NAMES = ("kendall", "full", "lrscore", "ribes", "bleu", "chrf", "ter")
SYSTEMS = {"": "system-a", "_b": "system-b"}  # by the ending of their fields in the template


def page() -> str:
    """Fill in the numbers of the template."""
    reference = read_sample("reference")
    metrics: dict[str, TextMetric] = {name: on_text(metric(name), Matching()) for name in NAMES}
    values: dict[str, str] = {}
    for name, text_metric in metrics.items():
        for suffix, system in SYSTEMS.items():
            score = text_metric.corpus_score(read_sample(system), [reference]).score
            values[name + suffix] = f"{score:.1f}" if text_metric.range[1] > 1 else f"{score:.4f}"
    own = [metrics[name].signature_for(1) for name in NAMES if name not in ("bleu", "chrf", "ter")]
    return TEMPLATE.read_text("utf-8").format(**values, signatures="\n".join(own))


def read_sample(name: str) -> list[str]:
    """Read the lines of a text of the sample."""
    return sample(f"{name}.txt").read_text("utf-8").splitlines()


if __name__ == "__main__":
    sys.exit(generator_main(None, __doc__, lambda: {PAGE: page()}))
