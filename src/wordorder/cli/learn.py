"""``wordorder learn``."""

from __future__ import annotations

import click

from wordorder.cli.lazy import LazyGroup

VERBS = {
    "beer": "Train a BEER model on human preferences and ratings.",
    "settings": "Learn settings of a metric, such as alpha and beta.",
}

HELP = """\
\b
  wordorder learn beer wmt12-rr wmt13-rr wmt14-rr wmt15-da --save-model my-beer
  wordorder learn settings wmt12-rr wmt13-rr -m full,lrscore --learn alpha

Learn a metric from human judgments. Every year is reported with what was learned from the other years.
DATA is anything that 'wordorder judge' reads.
"""


@click.group("learn", cls=LazyGroup, verbs=VERBS, modules="wordorder.cli.learn_", help=HELP)
def command() -> None:
    """Hold the verbs together."""
