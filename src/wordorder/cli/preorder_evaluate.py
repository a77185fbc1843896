"""``wordorder preorder evaluate``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, output_option, quiet_option, threads_option

HELP = """\
\b
  wordorder preorder evaluate test.align system.order --source test.en
  wordorder preorder evaluate test.align a.order b.order --variant nakagawa --output json
  wordorder preorder evaluate test.align --model en-ja --source test.en

Score orders (one a line, source positions from 0 as 'preorder apply' writes them) against the links
of people. No reordering is always beside them; differences are tested by paired bootstrap.

\b
  thesis    kendall, fuzzy, exact: all words, gold order by mean target position
  nakagawa  tau, frs, exact: words with links, sentences without contradiction (top-down BTG)
  lader     chunk, tau: blocks of words, summed over sentences (LADER)
  talbot    fuzzy, kendall, exact: reference orders with groups (Talbot et al.); has settings:
            talbot:unaligned=next|previous|drop,punctuation=words|pin|drop,match=words|positions
"""


@click.command("evaluate", help=HELP)
@click.argument("gold", metavar="LINKS")
@click.argument("orders", metavar="[ORDERS]...", nargs=-1)
@click.option("--source", metavar="FILE", help="Source text: checks lengths, finds brackets, feeds --model.")
@click.option(
    "--model", "models", multiple=True, metavar="FOLDER|NAME", help="Also score a model; may be repeated."
)
@click.option("--parse", metavar="FILE", help="Dependency trees of the source, for models that want them.")
@links_options
@click.option(
    "--links", type=click.Choice(["all", "sure"]), default="all", show_default=True, help="Which links count."
)
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME",
    help="Only this way to score; may be repeated. Default: thesis, nakagawa, lader.",
)  # fmt: skip
@click.option(
    "--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True, help="Of the bootstrap."
)
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="Of the bootstrap.")
@output_option
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    gold: str,
    orders: tuple[str, ...],
    source: str | None,
    models: tuple[str, ...],
    parse: str | None,
    form: str,
    base: str,
    links: str,
    variants: tuple[str, ...],
    samples: int,
    seed: int,
    output: str,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Evaluate orders."""
    from wordorder.engine.threads import available_threads
    from wordorder.evaluate.files import read_evaluation
    from wordorder.evaluate.preordering import evaluate_orders
    from wordorder.evaluate.variants import VARIANTS
    from wordorder.io.files import open_output
    from wordorder.preorder.models import same_name_note
    from wordorder.report.preordering import evaluation_report

    if models and not source and not parse:
        raise click.UsageError("--model needs --source FILE")
    for text in map(same_name_note, models if parse and not quiet else ()):
        if text:
            click.echo(text, err=True)
    data = read_evaluation(
        gold,
        orders,
        source=source,
        parse=parse,
        models=models,
        form=links_format(form, base),
        threads=threads or available_threads(),
    )
    found = evaluate_orders(
        data.alignments,
        data.systems,
        words=data.words,
        links=links,  # type: ignore[arg-type]
        variants=variants or tuple(VARIANTS),
        samples=samples,
        seed=seed,
    )
    with open_output(out) as handle:
        handle.write(evaluation_report(found, output))
