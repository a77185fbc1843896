"""``wordorder learn beer``."""

from __future__ import annotations

from typing import Any

import click

from wordorder.cli.judge_options import data_options
from wordorder.cli.vocabulary import (
    chosen_format,
    parses_option,
    quiet_option,
    save_model_option,
    set_option,
    table_options,
)

HELP = """\
\b
  wordorder learn beer wmt12-rr wmt13-rr wmt14-rr wmt15-da --save-model my-beer
  wordorder learn beer wmt12-rr wmt13-rr --set learner=svm --set penalties=1e-4,1e-3 --save-model svm-beer
  wordorder score -r ref.txt system.txt -m beer:model=my-beer

Train BEER on human judgments: weights are learned from preferences, and the scale of the scores from ratings.
The penalty on weights is chosen on held-out years, and each year is reported with weights learned from the
other years; of a single year, language pairs are held out instead. An interrupted run continues where it
stopped when it is started again.

Settings for --set: templates (features), learner (logistic, svm, hidden), objective (sentence, corpus,
joint, ratings, eras), output (quasi, sigmoid, linear, platt), select (all, net, agreed), signed (true,
false), scaled (true, false), match (stages), tokenize (13a, none), lexicon (judgments, shipped), scrambled (a
weight), corpus (mean, length), penalties (numbers between commas), seed. docs/beer.md explains them.
"""


@click.command("beer", help=HELP)
@data_options
@click.option(
    "--version", default="4.0", show_default=True,
    help="Recipe to start from: 4.0, best, 0.1, 1.0, 1.1, 2.0, 3.0 or treepel.",
)  # fmt: skip
@set_option
@click.option(
    "--nbest",
    metavar="FILE",
    help="File of n-best lists (NUMBER ||| TEXT), for self-training on drawn pairs.",
)
@click.option("--nbest-reference", metavar="FILE", help="References of the n-best lists.")
@click.option(
    "--nbest-pairs", default=20_000, show_default=True, type=click.IntRange(1),
    help="Number of pairs to draw.",
)  # fmt: skip
@parses_option
@save_model_option
@table_options
@quiet_option
def command(
    version: str,
    changes: tuple[str, ...],
    nbest: str | None,
    nbest_reference: str | None,
    nbest_pairs: int,
    parses: str,
    save_model: str | None,
    form: str | None,
    output: str,
    quiet: bool,
    **options: Any,
) -> None:
    """Train a BEER model."""
    from pathlib import Path

    from wordorder.cli.judge_options import chosen_sets
    from wordorder.cli.progress import steps
    from wordorder.errors import UnknownName
    from wordorder.io.files import open_output
    from wordorder.io.folders import claimed_folder
    from wordorder.io.model_folder import check_target
    from wordorder.io.parse_table import read_parses
    from wordorder.learn.beer import BeerTraining, card_text
    from wordorder.learn.beer_recipes import RECIPES
    from wordorder.learn.features import ExampleStore
    from wordorder.learn.self_training import read_nbest
    from wordorder.metrics.beer.trained_model import FORMAT
    from wordorder.metrics.beer.trained_model import save_model as save
    from wordorder.report.trained_beer import trained_report

    if version not in RECIPES:
        raise UnknownName("recipe", version, RECIPES)
    if not save_model:
        raise click.UsageError("--save-model FOLDER is missing: where should the model go?")
    if bool(nbest) != bool(nbest_reference):
        raise click.UsageError("--nbest and --nbest-reference go together")
    settings: dict[str, str] = {}
    for change in changes:
        key, equals, value = change.partition("=")
        if not equals:
            raise click.UsageError(f"--set is {change!r}; expected KEY=VALUE")
        settings[key.strip()] = value.strip()
    recipe = RECIPES[version].with_texts(settings)
    place = Path(save_model)
    check_target(place, FORMAT)
    click.get_current_context().with_resource(claimed_folder(save_model))
    sets = chosen_sets(options)
    unlabelled = None
    if nbest and nbest_reference:
        unlabelled = read_nbest(
            nbest, nbest_reference, language=sets[0].target, pairs=nbest_pairs, seed=recipe.seed
        )
    store = ExampleStore(
        folder=place.with_name(place.name + ".training"),
        parses=read_parses(parses.split(":")) if parses else None,
    )
    with steps("steps", quiet=quiet) as update:
        training = BeerTraining(
            recipe=recipe,
            store=store,
            unlabelled=unlabelled,
            progress=lambda done, total: update(done, total=total),
        )
        trained = training.run(sets)
    save(trained.model, place, card=card_text(trained))
    store.close()
    with open_output(output) as out:
        out.write(trained_report(trained, chosen_format(form, output), folder=save_model))
    if trained.model.output.relative and recipe.scaled and not trained.model.card["scaled_to"]:
        click.echo(
            "no ratings to fit the scale to: a is 1, and scores may be low; add a set such as wmt13-da",
            err=True,
        )
