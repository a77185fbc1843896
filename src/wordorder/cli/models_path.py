"""``wordorder models path``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder models path
  wordorder models path en-ja-crf

Print the folder of a model. Without a MODEL, print the folder into which 'wordorder models install' writes
($XDG_DATA_HOME/wordorder/models, or ~/.local/share/wordorder/models); it need not exist yet.
"""


@click.command("path", help=HELP)
@click.argument("model", metavar="[MODEL]", required=False)
def command(model: str | None) -> None:
    """Print a folder."""
    from wordorder.io.files import open_output
    from wordorder.io.model_store import named_model, user_home

    with open_output("-") as out:
        out.write(f"{named_model(model).folder if model else user_home()}\n".encode())
