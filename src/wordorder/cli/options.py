"""Options that several verbs share."""

from __future__ import annotations

import os
import sys

import click

output_option = click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "tsv", "json"]),
    default="text",
    show_default=True,
    help="Form.",
)
threads_option = click.option(
    "--threads", type=click.IntRange(1, 1024), default=None, help="Threads; default: all cores."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")


def wants_color() -> bool:
    """Whether standard output is a terminal that may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
