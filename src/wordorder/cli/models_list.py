"""``wordorder models list``."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.vocabulary import chosen_format, table_options

if TYPE_CHECKING:
    from collections.abc import Iterator

HELP = """\
\b
  wordorder models list
  wordorder models list -o models.json

List the models that are installed, and those of wordorder-models that are missing, with their size,
licence, origin and checksum. A model is hidden if another one of its name is found first. JSON has
the whole checksums (SHA-256 of model.json, which has that of the weights) and the folders. The card
of a model, with its training data and its figures, is in its folder ('wordorder models path MODEL').
"""


@click.command("list", help=HELP)
@table_options
def command(form: str | None, output: str) -> None:
    """List the models."""
    from wordorder.io.files import open_output
    from wordorder.report.table import Table, write_table

    records = list(records_of_models())
    rows = [
        [
            record["label"],
            record["state"],
            f"{record['size'] / 1e6:.2f} MB",
            record["licence"] or "-",
            record["origin"],
            record["sha256"][:12],
            record["title"] or "-",
        ]
        for record in records
    ]
    head = ["model", "state", "size", "licence", "from", "checksum", "what it does"]
    table = Table(head=head, rows=rows, records=records, name="models", left=len(head))
    with open_output(output) as out:
        out.write(write_table(table, chosen_format(form, output)))


def records_of_models() -> Iterator[dict[str, Any]]:
    """Yield what is listed of each model: kind by kind, the installed ones before the missing ones."""
    from wordorder.io.model_store import KINDS, all_models, known_models

    for kind in KINDS:
        seen: set[str] = set()
        for model in all_models(kind):
            facts = model.facts()
            state = "hidden" if model.name in seen else "installed"
            seen.add(model.name)
            yield {"label": facts.label, "state": state, **asdict(facts), "folder": str(model.folder)}
        for (known_kind, name), facts in known_models().items():
            if known_kind == kind and name not in seen:
                yield {"label": facts.label, "state": "missing", **asdict(facts), "folder": None}
