"""Old shared options: being replaced by cli/vocabulary.py (table_options, links_options, test_options...); remove when unused."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

Command = Callable[..., Any]

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
_format_option = click.option(
    "--align-format", "form", default="pharaoh", show_default=True, help="Such as pharaoh, wpt, lader."
)
_base_option = click.option(
    "--base", type=click.Choice(["0", "1"]), default="0", show_default=True, help="Smallest number of links."
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="No progress on standard error.")


def links_options(command: Command) -> Command:
    """How links are written: ``form`` and ``base``, to be joined by :func:`links_format`."""
    return _format_option(_base_option(command))


def refuse(*names: str, why: str) -> None:
    """A usage error if the user set one of these parameters, which would have no effect."""
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        set_by = ctx.get_parameter_source(parameter.name or "")
        if parameter.name in names and set_by is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{'/'.join(_long(parameter))} would have no effect: {why}", ctx=ctx)


def _long(parameter: click.Parameter) -> list[str]:
    options = [*parameter.opts, *parameter.secondary_opts]
    return [option for option in options if option.startswith("--")] or options


def links_format(form: str, base: str) -> str:
    """The format of links, with the smallest number that --base gives."""
    if form == "pharaoh":
        return f"pharaoh:base={base}"
    refuse("base", why=f"the format of the links is {form}; write pharaoh:base=1 there")
    return form


def wants_color() -> bool:
    """Whether standard output is a terminal that may be coloured."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
