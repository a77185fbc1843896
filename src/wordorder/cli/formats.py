"""``wordorder formats``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from wordorder.io.sniff import Sniffed

HELP = """\
\b
  wordorder formats
  wordorder formats corpus.align.gz corpus.en.gz
  wordorder formats --output json unknown.txt

List the file formats that can be read and written, or say what each FILE seems to be, from its
first lines and its name; - is standard input. Exit code 1: some file is like no format; 3: some
file cannot be read.
"""


@click.command("formats", help=HELP)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(files: tuple[str, ...], output: str) -> int:
    """List formats, or sniff files."""
    import orjson

    from wordorder.errors import WordOrderError
    from wordorder.io.sniff import sniff_file
    from wordorder.report.table import text_table

    found: list[Sniffed] = []
    failed: list[str] = []
    for file in files:  # one that cannot be opened does not hide what the others are
        try:
            found.append(sniff_file(file))
        except WordOrderError as error:
            failed.append(str(error))
    if output == "json":
        data = [_as_dict(one) for one in found] if files else _formats()
        click.echo(orjson.dumps(data, option=orjson.OPT_INDENT_2))
    else:
        rows = _file_rows(found) if files else _format_rows()
        if found or not files:
            click.echo(text_table(rows, left=len(rows[0])), nl=False)
    for message in failed:
        click.echo(f"wordorder: {' '.join(message.split())}", err=True)
    return 3 if failed else int(any(not one.guesses for one in found))


def _formats() -> list[dict[str, Any]]:
    import inspect

    from wordorder.io.registry import format_class, format_names

    return [
        {
            "name": name,
            "about": cls.about,
            "extensions": list(cls.extensions),
            "settings": {key: list(values) for key, values in cls.choices().items()},
            "description": inspect.getdoc(cls),
        }
        for name, cls in ((name, format_class(name)) for name in format_names())
    ]


def _format_rows() -> list[list[str]]:
    rows = [[one["name"], one["about"], " ".join(one["extensions"])] for one in _formats()]
    return [["format", "what it holds", "names end in"], *rows]


def _file_rows(found: Sequence[Sniffed]) -> list[list[str]]:
    from wordorder.io.registry import format_class

    rows = [["file", "packed", "format", "or", "what it holds"]]
    for file, packing, guesses, why_not in found:
        if guesses:
            name, *others = (guess.name for guess in guesses)
            rows.append([file, packing or "-", name, " ".join(others) or "-", format_class(name).about])
        else:
            rows.append([file, packing or "-", "?", "-", why_not])
    return rows


def _as_dict(one: Sniffed) -> dict[str, Any]:
    guesses = [guess._asdict() for guess in one.guesses]
    return {**one._asdict(), "format": guesses[0]["name"] if guesses else None, "guesses": guesses}
