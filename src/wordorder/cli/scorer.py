"""``wordorder scorer``: a metric that answers tuners and decoders line by line."""

from __future__ import annotations

import click

from wordorder.cli.vocabulary import metrics_option, model_option, output_folder, refuse, threads_option

HELP = """\
\b
  wordorder scorer -m chrf
  wordorder scorer -m recpef --integers 1000
  wordorder scorer -m beer:version=1.1,language=de --write-scripts scorer

Answer requests on standard input, one line each, in the protocols of METEOR and BEER, which Moses
and cdec speak: 'SCORE ||| reference ||| hypothesis' is answered by the statistics of the segment,
'EVAL ||| statistics' by the score of sums of statistics, and 'EVAL ||| hypothesis ||| reference' by
the score of the segment. --write-scripts writes the programs that Moses and cdec start, so that
they can tune towards any metric (docs/tuning.md).
"""


@click.command("scorer", help=HELP)
@metrics_option("beer", help="Metric to compute ('wordorder metrics' lists them).")
@model_option
@click.option(
    "--integers", type=click.IntRange(1, 10**6), metavar="FACTOR",
    help="Write the statistics as the 23 integers that Moses stores, multiplied by this factor.",
)  # fmt: skip
@click.option(
    "--write-scripts", "folder", callback=output_folder, metavar="FOLDER",
    help="Do not answer, but write the scripts that Moses and cdec start into this folder.",
)  # fmt: skip
@threads_option
def command(
    specs: tuple[str, ...], model: str | None, integers: int | None, folder: str | None, threads: int | None
) -> None:
    """Serve a metric, or write scripts that do."""
    from wordorder.cli.beer import beer_with
    from wordorder.cli.line_protocol import Server, serve
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import standard_input, standard_output
    from wordorder.metrics.registry import parse_metrics

    if model:
        refuse("specs", why="--model names a model of beer")
    metrics = [beer_with(model)] if model else parse_metrics(specs)
    if len(metrics) != 1:
        raise click.UsageError(f"--metrics is {','.join(specs)!r}; expected one metric")
    if folder:
        from wordorder.cli.scorer_scripts import write_scripts

        refuse("threads", why="--write-scripts answers no requests")
        for path in write_scripts(folder, metrics[0], integers or 1000):
            click.echo(f"wrote {path}")
        return
    server = Server(metrics[0], integers or 0)
    with runner(threads=threads or available_threads()) as run:
        serve(server, standard_input(), standard_output(), run)
