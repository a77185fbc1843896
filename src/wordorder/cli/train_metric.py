"""``wordorder train-metric``."""

from __future__ import annotations

import click

from wordorder.cli.options import quiet_option

HELP = """\
\b
  wordorder train-metric wmt12-rr wmt13-rr wmt14-rr wmt15-da --out beer.json
  wordorder score -r ref.txt system.txt -m beer:model=beer.json

Train BEER on human preferences: logistic regression on differences of features, with weights that let no
text beat its own reference. Sets of ratings teach how to scale the scores. The penalty is chosen on
years left out in turn, and each year is reported with what the other years teach. DATA is anything
that wordorder judge reads.
"""


@click.command("train-metric", help=HELP)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option("--out", "target", required=True, metavar="FILE", help="The model, JSON; all or nothing.")
@click.option(
    "--templates", metavar="FEATURES", help="Features (docs/beer.md); default: those of the package."
)
@click.option("--pairs", default="", metavar="PAIR,...", help="Only these language pairs.")
@quiet_option
def command(data: tuple[str, ...], target: str, templates: str | None, pairs: str, quiet: bool) -> None:
    """Train a metric."""
    import orjson

    from wordorder.cli.judge import progress_bar
    from wordorder.io.files import open_output
    from wordorder.judge.read import read_judgments
    from wordorder.report.table import text_table
    from wordorder.tune.beer import TEMPLATES, train

    wanted = [name for name in pairs.split(",") if name]
    sets = [one for path in data for one in read_judgments(path) if not wanted or one.pair in wanted]
    if not sets:
        raise click.UsageError(f"no judgments of {', '.join(wanted)}")
    trained = train(sets, templates=templates or TEMPLATES, progress=progress_bar(quiet=quiet, what="sets"))
    with open_output(target) as out:
        out.write(orjson.dumps(trained.ranker.as_data(), option=orjson.OPT_INDENT_2) + b"\n")
    rows = [["held out", "sets", "tau:ties=counted"]]
    rows += [[str(one.year), str(len(one.sets)), f"{one.mean:.4f}"] for one in trained.years]
    weights = sum(int((part != 0).sum()) for part in trained.ranker.weights)
    click.echo(text_table(rows), nl=False)
    told = f"penalty {trained.penalty:g}, scale {trained.ranker.scale:g}; {weights} features have weight"
    click.echo(f"{told}; wrote {target}")
