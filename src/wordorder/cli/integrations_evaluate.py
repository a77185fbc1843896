"""``wordorder integrations evaluate``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import output_folder

HELP = """\
\b
  wordorder integrations evaluate
  wordorder integrations evaluate --folder metrics/wordorder

Write a folder that evaluate.load reads, without a network: evaluate.load(FOLDER, "kendall,recpef"). The
second argument lists metrics as -m does in 'wordorder score'. The folder holds one script, which calls
the installed package.
"""


@click.command("evaluate", help=HELP)
@click.option(
    "--folder", callback=output_folder, default="wordorder", show_default=True, metavar="FOLDER",
    help="Folder to write to; evaluate wants the script in it to have the same name.",
)  # fmt: skip
def command(folder: str) -> None:
    """Write the module."""
    from wordorder.integrations.evaluate_module import write_module

    click.echo(f"wrote {write_module(folder)}")
