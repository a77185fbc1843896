"""``wordorder models remove``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import quiet_option

HELP = """\
\b
  wordorder models remove en-nl

Remove models that 'wordorder models install' installed. Models of packages are removed with their package
(pip uninstall wordorder-models).
"""


@click.command("remove", help=HELP)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@quiet_option
def command(models: tuple[str, ...], quiet: bool) -> None:
    """Remove models."""
    from wordorder.io.model_install import remove_model
    from wordorder.io.model_store import named_model

    for model in [named_model(name) for name in models]:  # all are known before the first is removed
        remove_model(model)
        if not quiet:
            click.echo(f"removed {model.label} from {model.folder}", err=True)
