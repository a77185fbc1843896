"""``wordorder models verify``."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import chosen_format, table_options

HELP = """\
\b
  wordorder models verify
  wordorder models verify en-ja-crf parse/en

Check that models are complete and of a format that this program reads, and that their weights have
the checksum that they had when they were written. A model that this release knows is also compared
with its listed checksum; an update of wordorder-models may have changed it, which is no failure.
Exit code 1: a model is damaged.
"""


@click.command("verify", help=HELP)
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@table_options
def command(models: tuple[str, ...], form: str | None, output: str) -> int:
    """Check models."""
    from wordorder.errors import WordOrderError
    from wordorder.io.files import open_output
    from wordorder.io.model_install import check_model
    from wordorder.io.model_store import KINDS, all_models, known_models, named_model
    from wordorder.report.table import Table, write_table

    chosen = [named_model(name) for name in models] or [m for kind in KINDS for m in all_models(kind)]
    records = []
    for model in chosen:
        facts, known, problem = model.facts(), known_models().get((model.kind, model.name)), ""
        try:
            check_model(model)
        except WordOrderError as error:
            problem = error.message
        listed = "-" if known is None else "same" if known.sha256 == facts.sha256 else "another"
        records.append(
            {"model": facts.label, "from": facts.origin, "listed": listed, "result": problem or "whole"}
        )
    rows = [[str(value) for value in record.values()] for record in records]
    head = ["model", "from", "listed", "result"]
    table = Table(head=head, rows=rows, records=records, name="models", left=len(head))
    with open_output(output) as out:
        out.write(write_table(table, chosen_format(form, output)))
    return int(any(record["result"] != "whole" for record in records))
