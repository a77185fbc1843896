"""``wordorder formats``."""

from __future__ import annotations

from typing import Any

import click

from wordorder.cli.vocabulary import chosen_format, table_options

HELP = """\
\b
  wordorder formats
  wordorder formats corpus.align.gz corpus.en.gz wmt13-rr
  wordorder formats -f json unknown.txt

List the formats of files that can be read and written, and of human judgments that can be read. Or report
which format each FILE (or folder of judgments) seems to have, judged by its first lines and its name; - is
standard input. Exit code 1: a file has no known format; 3: a file cannot be read.
"""


@click.command("formats", help=HELP)
@click.argument("files", metavar="[FILE]...", nargs=-1)
@table_options
def command(files: tuple[str, ...], form: str | None, output: str) -> int:
    """List formats, or recognise files."""
    from wordorder.errors import WordOrderError
    from wordorder.io.files import open_output
    from wordorder.report.table import Table, write_table

    records: list[dict[str, Any]] = []
    failed: list[str] = []
    for file in files:  # a file that cannot be opened does not hide the others
        try:
            records.append(_recognised(file))
        except WordOrderError as error:
            failed.append(str(error))
    if files:
        rows = [
            [record["file"], record["packing"] or "-", record["format"] or "?", *_others(record)]
            for record in records
        ]
        head, name = ["file", "packed", "format", "or", "what it holds"], "files"
    else:
        records = _formats()
        rows = [[record["name"], record["about"], " ".join(record["extensions"])] for record in records]
        head, name = ["format", "what it holds", "names end in"], "formats"
    if records:
        table = Table(head=head, rows=rows, records=records, name=name, left=len(head))
        with open_output(output) as out:
            out.write(write_table(table, chosen_format(form, output)))
    for message in failed:
        click.echo(f"wordorder: {' '.join(message.split())}", err=True)
    return 3 if failed else int(any("guesses" in record and not record["guesses"] for record in records))


def _formats() -> list[dict[str, Any]]:
    """Describe all formats of files, then all formats of judgments."""
    import inspect

    from wordorder.io.registry import format_class, format_names
    from wordorder.judge.read import judgment_formats

    files = [
        {
            "name": name,
            "about": cls.about,
            "extensions": list(cls.extensions),
            "settings": {key: list(values) for key, values in cls.choices().items()},
            "description": inspect.getdoc(cls),
        }
        for name, cls in ((name, format_class(name)) for name in format_names())
    ]
    judgments: list[dict[str, Any]] = [
        {
            "name": cls.name,
            "about": f"human judgments: {cls.about}",
            "extensions": [],
            "settings": {key: [] for key in cls.option_names()},
            "description": inspect.getdoc(cls),
        }
        for cls in judgment_formats()
    ]
    return [*files, *judgments]


def _recognised(file: str) -> dict[str, Any]:
    """Recognise a file or folder: its format, and the others that it may have."""
    import contextlib
    import os

    from wordorder.errors import BadFile
    from wordorder.io.registry import format_class
    from wordorder.io.sniff import sniff_file
    from wordorder.judge.read import sniff_judgments

    judged = None
    if os.path.exists(file):
        with contextlib.suppress(BadFile):  # a file that is not text is reported below
            judged = sniff_judgments(file)
    if judged is not None:
        return {
            "file": file,
            "packing": None,
            "guesses": [{"name": judged.name, "score": 1.0}],
            "why_not": "",
            "format": judged.name,
            "about": f"human judgments: {judged.about}",
        }
    sniffed = sniff_file(file)
    guesses = [guess._asdict() for guess in sniffed.guesses]
    name = sniffed.guesses[0].name if guesses else None
    about = format_class(name).about if name else sniffed.why_not
    return {**sniffed._asdict(), "guesses": guesses, "format": name, "about": about}


def _others(record: dict[str, Any]) -> tuple[str, str]:
    return " ".join(guess["name"] for guess in record["guesses"][1:]) or "-", record["about"]
