"""``wordorder preorder calibration``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import load_with_settings
from wordorder.cli.vocabulary import (
    chosen_format,
    links_format,
    links_options,
    parse_option,
    quiet_option,
    set_option,
    table_options,
    threads_option,
)

HELP = """\
\b
  wordorder preorder calibration en-ja-crf -s test.en --align test.align
  wordorder preorder calibration en-ja-crf my-model -s test.en --align test.align --svg c.svg

Compare the probabilities of models (by name or folder) with manual alignments: how often is an order of two
words, or a whole order, right that has a probability of 0.9? Reports bins, expected calibration error, Brier
score and log loss. Works for grammar and CRF models, which have probabilities.
"""


@click.command("calibration", help=HELP)
@click.argument("models", metavar="MODELS...", nargs=-1, required=True)
@set_option
@click.option(
    "-s", "--source", required=True, metavar="FILE", help="Sentences that the model was not trained on."
)
@click.option("--align", required=True, metavar="FILE", help="Word alignments of source and target.")
@parse_option
@links_options
@click.option("--bins", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of bins.")
@click.option(
    "--binning", type=click.Choice(["width", "count"]), default="width", show_default=True,
    help="Whether bins have equal width or equal counts.",
)  # fmt: skip
@table_options
@click.option("--svg", metavar="FILE", help="Also draw the reliability diagram.")
@threads_option
@quiet_option
def command(
    models: tuple[str, ...],
    changes: tuple[str, ...],
    source: str,
    align: str,
    parse: str | None,
    align_format: str,
    base: str | None,
    bins: int,
    binning: str,
    form: str | None,
    output: str,
    svg: str | None,
    threads: int | None,
    quiet: bool,
) -> None:
    """Compare probabilities with alignments."""
    from wordorder.cli.progress import track
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.evaluate.calibration import calibrate
    from wordorder.evaluate.corpus import system_names
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_training
    from wordorder.report.calibration import calibration_report, calibration_svg

    sources, alignments = read_training(source, align, parse=parse, form=links_format(align_format, base))
    calibrations = [
        calibrate(
            load_with_settings(model, changes),
            sources,
            alignments,
            name=name,
            bins=bins,
            binning=binning,  # type: ignore[arg-type]
            run=lambda work, numbers: ordered_map(
                work,
                track(numbers, "sentences", quiet=quiet, total=len(numbers)),
                threads=threads or available_threads(),
            ),
        )
        for name, model in zip(system_names(models), models, strict=True)
    ]
    with open_output(output) as handle:
        handle.write(calibration_report(calibrations, chosen_format(form, output)))
    if svg:
        with open_output(svg) as handle:
            handle.write(calibration_svg(calibrations).encode("utf-8"))
        if svg != "-" and not quiet:
            click.echo(f"wrote {svg}", err=True)
