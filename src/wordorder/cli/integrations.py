"""``wordorder integrations``."""

from __future__ import annotations

import click

from wordorder.cli.lazy import LazyGroup

VERBS = {
    "awesome-align": "Join the links and the probabilities that awesome-align writes.",
    "evaluate": "Write a module for the package evaluate of Hugging Face.",
}

HELP = """\
\b
  wordorder integrations evaluate --folder metrics/wordorder
  wordorder integrations awesome-align links.txt probabilities.txt -o scored.align

Write files that other programs load, and convert files that they write. docs/integrations.md describes
what works without a conversion: data frames, training frameworks, spaCy, other aligners.
"""


@click.group("integrations", cls=LazyGroup, verbs=VERBS, modules="wordorder.cli.integrations_", help=HELP)
def command() -> None:
    """Hold the verbs together."""
