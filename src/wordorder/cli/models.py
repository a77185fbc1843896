"""``wordorder models``."""

from __future__ import annotations

import click

from wordorder.cli.lazy import LazyGroup

VERBS = {
    "install": "Install models from a folder or an archive, for use by name.",
    "list": "List the models that are installed, and those of wordorder-models.",
    "path": "Print the folder of a model, or the folder that models are installed into.",
    "remove": "Remove models that were installed here.",
    "verify": "Check that models are complete and that their checksums are right.",
}

HELP = """\
\b
  wordorder models
  wordorder models install my-model --name en-nl
  wordorder models verify

Manage the models that commands find by name. The package itself has small models; larger ones are
in the package wordorder-models (pip install wordorder-models). Models of your own, or of others,
can be installed from a folder or an archive. Nothing is ever downloaded. Without a command, the
models are listed.

Here, MODEL is a name, or KIND/NAME where several kinds have the name. Models are looked for in the
folders of the environment variable WORDORDER_MODELS, in the folder of 'wordorder models path', in
the package, and in packages such as wordorder-models. The first one of a name is used.
"""


@click.group(
    "models",
    cls=LazyGroup,
    verbs=VERBS,
    modules="wordorder.cli.models_",
    help=HELP,
    invoke_without_command=True,
)
@click.pass_context
def command(context: click.Context) -> None:
    """Group the verbs of models; list the models if none is given."""
    if context.invoked_subcommand is None:
        from wordorder.cli.models_list import command as listing

        context.invoke(listing, form=None, output="-")
