"""``wordorder models install``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import quiet_option

HELP = """\
\b
  wordorder models install my-model
  wordorder models install my-model --name en-nl
  wordorder models install models.zip wordorder_models-0.1.0-py3-none-any.whl

Install models, so that they can be used by name: a folder written by 'preorder train', 'preorder
train-parser' or 'learn beer', a folder of such folders, or an archive of them (zip, a wheel, tar,
tar.gz). The name of a model is that of its folder. Formats and checksums are checked before
anything is installed. Other files are ignored, and nothing is executed.
"""


@click.command("install", help=HELP)
@click.argument("places", metavar="FOLDER|ARCHIVE...", nargs=-1, required=True)
@click.option("--name", metavar="NAME", help="Name of the model, if there is only one.")
@click.option("--replace", is_flag=True, help="Replace or hide models of the same names.")
@quiet_option
def command(places: tuple[str, ...], name: str | None, replace: bool, quiet: bool) -> None:
    """Install models."""
    from wordorder.io.model_install import install_models
    from wordorder.io.model_store import known_models

    if name is not None and len(places) > 1:
        raise click.UsageError("--name is for a single model")
    for place in places:
        for model in install_models(place, name=name, replace=replace):
            facts, known = model.facts(), known_models().get((model.kind, model.name))
            if quiet:
                continue
            click.echo(f"installed {facts.label} in {model.folder}", err=True)
            if known and known.sha256 != facts.sha256:
                click.echo(f"{facts.label} is not the model of that name in {known.origin}", err=True)
