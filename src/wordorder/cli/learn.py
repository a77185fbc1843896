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
  wordorder learn settings wmt12-rr -m lrscore --learn alpha --per-pair --folds 10

Learn a metric from human judgments. What was learned is reported on years, or parts of the segments, that it
was not learned from.
DATA is anything that 'wordorder judge' reads.
"""


@click.group("learn", cls=LazyGroup, verbs=VERBS, modules="wordorder.cli.learn_", help=HELP)
def command() -> None:
    """Hold the verbs together."""
