"""``wordorder preorder calibration``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from wordorder.cli.model_settings import (
    aligned_text_options,
    check_annotation,
    load_with_settings,
    require,
    write_drawing,
)
from wordorder.cli.vocabulary import (
    chosen_format,
    links_format,
    output_file,
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

Compare the probabilities of models (by name or folder) with manual alignments of sentences that they were
not trained on: how often is an order of two words, or a whole order, right that has a probability of 0.9?
Reports bins, expected calibration error, Brier score and log loss.
Works for grammar and CRF models, which have probabilities.
"""


@click.command("calibration", help=HELP)
@click.argument("models", metavar="MODELS...", nargs=-1, required=True)
@set_option
@aligned_text_options
@parse_option
@click.option("--bins", type=click.IntRange(1, 1000), default=10, show_default=True, help="Number of bins.")
@click.option(
    "--binning", type=click.Choice(["width", "count"]), default="width", show_default=True,
    help="Whether bins have equal width or equal counts.",
)  # fmt: skip
@table_options
@click.option("--svg", callback=output_file, metavar="FILE", help="Also draw the reliability diagram.")
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
    from wordorder.draw.svg import to_svg
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.evaluate.calibration import calibrate
    from wordorder.evaluate.corpus import system_names
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_training
    from wordorder.report.calibration import calibration_chart, calibration_report

    require(source=source, align=align)
    sources, alignments = read_training(source, align, parse=parse, form=links_format(align_format, base))

    def run(work: Any, numbers: Sequence[int]) -> Any:
        tracked = track(numbers, "sentences", quiet=quiet, total=len(numbers))
        return ordered_map(work, tracked, threads=threads or available_threads())

    loaded = [load_with_settings(model, changes) for model in models]
    for each in loaded:
        check_annotation(each, parse=parse, quiet=quiet)
    calibrations = [
        calibrate(
            each, sources, alignments,
            name=name, bins=bins, binning=binning, run=run,  # type: ignore[arg-type]
        )
        for name, each in zip(system_names(models), loaded, strict=True)
    ]  # fmt: skip
    with open_output(output) as handle:
        handle.write(calibration_report(calibrations, chosen_format(form, output)))
    write_drawing(svg, lambda: to_svg(calibration_chart(calibrations)), quiet=quiet)
