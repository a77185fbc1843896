"""``wordorder train-metric``."""

from __future__ import annotations

from typing import Any

import click

from wordorder.cli.options import quiet_option

HELP = """\
\b
  wordorder train-metric wmt12-rr wmt13-rr wmt14-rr wmt15-da --out my-beer
  wordorder score -r ref.txt system.txt -m beer:model=my-beer

Train BEER on human judgments. DATA is anything that wordorder judge reads: preferences teach weights,
ratings teach how margins become scores. The penalty on weights is chosen on years left out in turn, and
each year is reported with what the other years teach. A training that was stopped goes on where it
was when it is started again.
"""


@click.command("train-metric", help=HELP)
@click.argument("data", nargs=-1, required=True, metavar="DATA...")
@click.option("--out", "target", required=True, metavar="FOLDER", help="The model; all or nothing.")
@click.option(
    "--version", default="best", show_default=True, help="Recipe: best, 0.1, 1.1, 2.0, 3.0, treepel."
)
@click.option("--templates", metavar="FEATURES", help="Features (docs/beer.md); default: the recipe's.")
@click.option("--learner", metavar="NAME", help="logistic, svm, or hidden (one layer, for comparison).")
@click.option("--objective", metavar="NAME", help="sentence, corpus, joint, or ratings (regression).")
@click.option("--output", metavar="NAME", help="quasi, sigmoid, linear, or platt.")
@click.option("--select", metavar="NAME", help="Preferences: all, net (votes less those against), or agreed.")
@click.option("--match", metavar="STAGES", help="Stages of the matcher, exact+stem; default: the recipe's.")
@click.option("--signed/--free", default=None, help="Whether weights may reward what a copy lacks.")
@click.option("--penalty", "penalties", metavar="P,...", help="Penalties to choose from.")
@click.option("--seed", type=click.IntRange(0), help="Of a hidden layer and of drawn pairs; 1 if not given.")
@click.option("--nbest", metavar="FILE", help="n-best lists (NUMBER ||| TEXT): self-training on drawn pairs.")
@click.option("--nbest-reference", metavar="FILE", help="References of the n-best lists.")
@click.option("--nbest-pairs", default=20_000, show_default=True, type=click.IntRange(1), help="Pairs drawn.")
@click.option("--parses", default="", metavar="FILE:...", help="CoNLL-U parses of all texts, for treepel.")
@click.option("--pairs", default="", metavar="PAIR,...", help="Only these language pairs.")
@quiet_option
def command(data: tuple[str, ...], target: str, version: str, quiet: bool, **options: Any) -> None:
    """Train a metric."""
    from pathlib import Path

    from wordorder.cli.judge import progress_bar
    from wordorder.errors import UnknownName
    from wordorder.io.model_folder import check_target
    from wordorder.judge.read import read_judgments
    from wordorder.metrics.beer.trained_model import FORMAT, save_model
    from wordorder.report.table import text_table
    from wordorder.tune.beer import Training, card_text
    from wordorder.tune.examples import Workshop
    from wordorder.tune.recipes import RECIPES

    if version not in RECIPES:
        raise UnknownName("recipe", version, RECIPES)
    penalties = numbers(options["penalties"]) if options["penalties"] else None
    names = ("templates", "learner", "objective", "output", "select", "match", "signed", "seed")
    recipe = RECIPES[version].with_settings(penalties=penalties, **{key: options[key] for key in names})
    place = Path(target)
    check_target(place, FORMAT)
    wanted = [name for name in options["pairs"].split(",") if name]
    sets = [one for path in data for one in read_judgments(path) if not wanted or one.pair in wanted]
    if missing := sorted(set(wanted) - {one.pair for one in sets}):
        raise click.UsageError(f"no judgments of {', '.join(missing)}")
    folder = place.with_name(place.name + ".training")
    workshop = Workshop(folder=folder, parses=parse_tables(options["parses"]))
    training = Training(
        recipe=recipe,
        workshop=workshop,
        unlabelled=unlabelled(options, sets[0].pair.rpartition("-")[2], recipe.seed),
        progress=progress_bar(quiet=quiet, what="steps"),
    )
    trained = training.run(sets)
    save_model(trained.model, place, card=card_text(trained))
    workshop.close()
    rows = [["held out", "sets", trained.measure]]
    figures = [f"{one.mean:.4f}" if one.mean == one.mean else "-" for one in trained.years]
    rows += [
        [str(one.year), str(len(one.sets)), told] for one, told in zip(trained.years, figures, strict=True)
    ]
    click.echo(text_table(rows), nl=False)
    output = trained.model.output
    if output.relative and recipe.scaled and not trained.model.card["scaled_to"]:
        click.echo(
            "no ratings to scale to: a is 1, and scores may be low; give a set such as wmt13-da", err=True
        )
    told = f"penalty {trained.penalty:g}, output {output.kind} a={output.a:g} b={output.b:g}"
    click.echo(f"{told}; {len(trained.model.names)} features have weight; wrote {target}")


def numbers(text: str) -> tuple[float, ...]:
    """Numbers between commas."""
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise click.UsageError(f"--penalty is {text!r}; expected numbers such as 1e-5,1e-4") from None


def parse_tables(text: str) -> Any:
    """The parses of some files, None where there are none."""
    if not text:
        return None
    from wordorder.io.parse_table import read_parses

    return read_parses(text.split(":"))


def unlabelled(options: dict[str, Any], language: str, seed: int) -> Any:
    """Pairs of n-best lists, None where there are none."""
    if bool(options["nbest"]) != bool(options["nbest_reference"]):
        raise click.UsageError("--nbest and --nbest-reference go together")
    if not options["nbest"]:
        return None
    from wordorder.tune.self_training import read_nbest

    return read_nbest(
        options["nbest"],
        options["nbest_reference"],
        language=language,
        pairs=options["nbest_pairs"],
        seed=seed,
    )
