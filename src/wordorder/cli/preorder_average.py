"""``wordorder preorder average``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import require
from wordorder.cli.vocabulary import quiet_option, save_model_option

HELP = """\
\b
  wordorder preorder average en-multi-crf:language=ja my-features --save-model both
  wordorder preorder average en-multi-crf my-rules.toml@ja --weights 1,0.5 --save-model both
  wordorder preorder apply --model both --set language=ja --source test.en
  wordorder preorder apply --model average:members=en-ja-crf+0.5*rules:en-ja --source test.en

Write a model that averages others: the probabilities that a word comes before another one and that it
directly follows another one are averaged, and the best order is found in the mean. A member is a model
(by name or folder), a rule set, a file of rules or a method; MODEL@ja takes part for the target language
ja alone.
The written model contains its members, except for installed models, which it finds by their names.
"""


@click.command("average", help=HELP)
@click.argument("members", nargs=-1, required=True, metavar="MODEL[@LANGUAGE]...")
@click.option("--weights", metavar="W,W,...",
              help="Weights of the members, in their order [default: the same for all].")  # fmt: skip
@save_model_option
@quiet_option
def command(members: tuple[str, ...], weights: str | None, save_model: str, quiet: bool) -> None:
    """Write an average of models."""
    from wordorder.preorder.average import Average, member_list
    from wordorder.preorder.models import check_replaceable

    require(save_model=save_model)
    check_replaceable(save_model)
    try:
        numbers = [float(weight) for weight in weights.split(",")] if weights else []
    except ValueError:
        raise click.UsageError(f"--weights {weights!r}: expected numbers, separated by commas") from None
    if numbers and len(numbers) != len(members):
        raise click.UsageError(f"--weights has {len(numbers)} numbers for {len(members)} members")
    average = Average(members=member_list(members, numbers))
    average.save(save_model)
    if not quiet:
        needs = f"; it needs: {', '.join(average.needs)}" if average.needs else ""
        click.echo(f"wrote {save_model}: {len(average.joined)} members{needs}", err=True)
