"""Write docs/text-scores.md: text metrics with the numbers that they give for the bundled sample."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.pages import DOCS, generator_main
from wordorder.data import sample
from wordorder.metrics import metric

PAGE = DOCS / "text-scores.md"
TEMPLATE = Path(__file__).with_suffix(".template")
NAMES = ("kendall", "full", "lrscore", "ribes", "meteor", "bleu", "chrf", "ter")
SYSTEMS = {"": "system-a", "_b": "system-b"}  # by the ending of their fields in the template


def page() -> str:
    """Fill in the numbers of the template."""
    reference = read_sample("reference")
    values: dict[str, str] = {}
    signatures = []
    for name in NAMES:
        text_metric = metric(name)
        for suffix, system in SYSTEMS.items():
            score = text_metric.corpus_score(read_sample(system), [reference])
            values[name + suffix] = f"{score.score:.1f}" if text_metric.range[1] > 1 else f"{score.score:.4f}"
        if name not in ("bleu", "chrf", "ter"):
            signatures.append(score.signature)
    return TEMPLATE.read_text("utf-8").format(**values, signatures="\n".join(signatures))


def read_sample(name: str) -> list[str]:
    """Read the lines of a text of the sample."""
    return sample(f"{name}.txt").read_text("utf-8").splitlines()


if __name__ == "__main__":
    sys.exit(generator_main(None, __doc__, lambda: {PAGE: page()}))
