"""The page of all commands, made from the commands themselves, so that it says what ``--help`` says."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click

from tools.pages import markdown_table
from wordorder.cli.main import command as wordorder

INTRODUCTION = """# Commands

This page lists every command with its options, as `--help` shows them. Examples on real files are in the
[tutorial](tutorial.md) and in the how-to pages.
"""


def commands_page() -> str:
    """Write the page."""
    return "\n\n".join([INTRODUCTION.rstrip(), *(section(context) for context in contexts())]) + "\n"


def contexts(
    command: click.Command = wordorder, parent: click.Context | None = None
) -> Iterator[click.Context]:
    """Visit a command and all commands below it, in the order of their names."""
    context = click.Context(command, parent=parent, info_name=command.name if parent else "wordorder")
    yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None, name
            child.name = name
            yield from contexts(child, context)


def section(context: click.Context) -> str:
    """Describe one command: usage, help and options."""
    pieces = [f"## {context.command_path}", f"```text\n{usage(context)}\n```"]
    pieces += prose(context.command.help or "")
    options = [option for option in context.command.params if isinstance(option, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [(f"`{names}`", escaped(meaning)) for names, meaning in filter(None, records)]
    if rows:
        pieces.append(markdown_table([("option", "meaning"), *rows]))
    return "\n\n".join(pieces)


def usage(context: click.Context) -> str:
    """Return the line that ``--help`` begins with."""
    return " ".join([context.command_path, *context.command.collect_usage_pieces(context)])


def prose(text: str) -> list[str]:
    r"""Turn the help of click into Markdown; paragraphs marked with ``\b`` stay as they are.

    >>> prose("\b\n  wordorder tree '2 1'\n\nDraw *.svg of\na tree.")
    ["```text\nwordorder tree '2 1'\n```", 'Draw \\*.svg of a tree.']
    """
    pieces = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        if paragraph.startswith("\b"):
            lines = paragraph.removeprefix("\b").strip("\n").splitlines()
            indent = min(len(line) - len(line.lstrip()) for line in lines)
            pieces.append("\n".join(["```text", *(line[indent:] for line in lines), "```"]))
        else:
            pieces.append(escaped(" ".join(paragraph.split())))
    return pieces


def escaped(text: str) -> str:
    """Write text so that Markdown shows it as it is."""
    return re.sub(r"([\\`*_{}\[\]#])", r"\\\1", text).replace("<", "&lt;")
