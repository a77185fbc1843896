"""``wordorder preorder calibration``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import load_with_settings
from wordorder.cli.options import links_format, links_options, output_option, quiet_option, threads_option

HELP = """\
\b
  wordorder preorder calibration --model en-ja-crf --source test.en --align test.align
  wordorder preorder calibration --model a --model b --source test.en --align test.align --svg c.svg

Are a model's probabilities right? Compare the probability of the order of two words, and that of
whole orders, with how often links of people agree: a table of bins, expected calibration error,
Brier score, log loss. For models of grammar and of crf, which have probabilities.
"""


@click.command("calibration", help=HELP)
@click.option(
    "--model", "models", multiple=True, required=True, metavar="FOLDER|NAME", help="May be repeated."
)
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="Another setting of how the model reorders, such as temperature=1.5; may be repeated.",
)  # fmt: skip
@click.option("--source", required=True, metavar="FILE", help="Sentences that the model has not seen.")
@click.option("--align", "links", required=True, metavar="FILE", help="Their links to a translation.")
@click.option("--parse", metavar="FILE", help="Their parses (CoNLL-U), for models that want them.")
@links_options
@click.option("--bins", type=click.IntRange(1, 1000), default=10, show_default=True, help="Their number.")
@click.option(
    "--binning", type=click.Choice(["width", "count"]), default="width", show_default=True,
    help="Bins of equal width, or of equal counts.",
)  # fmt: skip
@output_option
@click.option("--svg", metavar="FILE", help="Also draw the reliability diagram.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    models: tuple[str, ...],
    changes: tuple[str, ...],
    source: str,
    links: str,
    parse: str | None,
    form: str,
    base: str,
    bins: int,
    binning: str,
    output: str,
    svg: str | None,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Compare probabilities with links."""
    from wordorder.cli.progress import shown
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.evaluate.calibration import calibrate
    from wordorder.evaluate.files import system_names
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_training
    from wordorder.report.calibration import calibration_report, calibration_svg

    names = system_names(models)
    sources, alignments = read_training(source, links, parse=parse, form=links_format(form, base))
    found = []
    for name, model in zip(names, models, strict=True):
        made = calibrate(
            load_with_settings(model, changes),
            sources,
            alignments,
            name=name,
            bins=bins,
            binning=binning,  # type: ignore[arg-type]
            run=lambda work, numbers: ordered_map(
                work,
                shown(numbers, lambda s: f"{s + 1:,} sentences", quiet=quiet),
                threads=threads or available_threads(),
            ),
        )
        found.append(made)
    with open_output(out) as handle:
        handle.write(calibration_report(found, output))
    if svg:
        with open_output(svg) as handle:
            handle.write(calibration_svg(found).encode("utf-8"))
        if svg != "-" and not quiet:
            click.echo(f"wrote {svg}", err=True)
