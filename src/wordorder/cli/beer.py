"""``wordorder beer``: explain scores of BEER."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    chosen_format,
    explanation_format_option,
    metrics_option,
    model_option,
    output_option,
    references_option,
    refuse,
)

if TYPE_CHECKING:
    from wordorder.metrics.beer import Beer

HELP = """\
\b
  wordorder beer system.txt -r reference1.txt -r reference2.txt
  wordorder beer system.txt -r reference.txt -m beer:version=1.1,language=de -o parts.json

Explain scores of BEER: show what each group of features adds to the score of each sentence, against
its best reference. JSON has one object per line, with all features.

To score files with BEER, use 'wordorder score -m beer'; to answer a tuner, 'wordorder scorer -m beer'.
"""


@click.command("beer", help=HELP)
@click.argument("system")
@references_option
@metrics_option("beer")
@model_option
@explanation_format_option
@output_option
def command(
    system: str,
    references: tuple[str, ...],
    specs: tuple[str, ...],
    model: str | None,
    form: str | None,
    output: str,
) -> None:
    """Explain scores."""
    if model:
        refuse("specs", why="--model names the model")
    beer = beer_with(model) if model else beer_named(specs)
    if not references:
        raise click.UsageError("give at least one -r REFERENCE")
    form = chosen_format(form, output, {".json": "json", ".txt": "text"})
    explain_files(beer, system, references, form, output)


def beer_with(model: str) -> Beer:
    """Make BEER with an installed model, a folder of ``learn beer``, or a released model of BEER 2.0."""
    from wordorder.io.model_folder import ABOUT
    from wordorder.io.model_store import installed_models
    from wordorder.metrics.beer import Beer

    if os.path.isfile(os.path.join(model, ABOUT)) or model in installed_models("beer"):
        return Beer(model=model)
    return Beer(version="2.0", model=model, compat="original")


def beer_named(specs: tuple[str, ...]) -> Beer:
    """Make BEER with settings, as in ``wordorder score``."""
    from wordorder.metrics.beer import Beer
    from wordorder.metrics.registry import parse_metrics

    metrics = parse_metrics(specs)
    if len(metrics) != 1 or not isinstance(metrics[0], Beer):
        raise click.UsageError(f"--metrics is {','.join(specs)!r}; expected beer, with settings if wanted")
    return metrics[0]


def explain_files(beer: Beer, system: str, references: tuple[str, ...], form: str, output: str) -> None:
    """Write for each sentence, against its best reference, where the score comes from."""
    import orjson

    from wordorder.engine.text_blocks import read_blocks
    from wordorder.io.files import open_output
    from wordorder.metrics.beer.explain import explained

    with open_output(output) as out:
        for block in read_blocks(references, [system]):
            streams = [explained(beer.trained, block.systems[0], stream) for stream in block.references]
            for number, candidates in zip(block.numbers, zip(*streams, strict=True), strict=True):
                best = max(candidates, key=lambda explanation: explanation.score)
                if form == "json":
                    out.write(orjson.dumps({"segment": number, **vars(best)}) + b"\n")
                else:
                    out.write(f"sentence {number}: {best.text()}\n".encode())
