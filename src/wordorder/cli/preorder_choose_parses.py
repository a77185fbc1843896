"""``wordorder preorder choose-parses``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import aligned_text_options, require
from wordorder.cli.vocabulary import links_format, metrics_option, model_option, output_option, quiet_option

HELP = """\
\b
  wordorder preorder choose-parses --model rules:en-ja -s dev.en --align dev.align \\
      --nbest dev.nbest.conllu -o dev.chosen.conllu

Targeted self-training (Katz-Brown et al. 2011): choose, among several parses of each sentence, the one that
leads to the best order, and write a treebank to train the parser on. In --nbest, the parses of a sentence
follow one another, the parser's first choice first. A summary goes to standard error.
"""


@click.command("choose-parses", help=HELP)
@model_option
@aligned_text_options
@click.option(
    "--nbest", required=True, metavar="FILE", help="Several dependency trees of each sentence, CoNLL-U."
)
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME",
    help="Variant of the reference orders, as in 'wordorder evaluate'. Default: talbot.",
)  # fmt: skip
@metrics_option("fuzzy")
@click.option("--changed-only", is_flag=True, help="Write only sentences whose first parse is not the best.")
@output_option
@quiet_option
def command(
    model: str,
    source: str,
    nbest: str,
    align: str,
    align_format: str,
    base: str | None,
    variants: tuple[str, ...],
    specs: tuple[str, ...],
    changed_only: bool,
    output: str,
    quiet: bool,
) -> None:
    """Choose parses."""
    from wordorder.evaluate.corpus import ReferenceFile, read_corpus
    from wordorder.evaluate.parse_selection import choose_parses, group_parses
    from wordorder.evaluate.variants import OrderScore, variant
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_binary, open_output
    from wordorder.io.lines import counted
    from wordorder.metrics.matched import labels
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.preorder.models import load_preorderer

    require(model=model, source=source, align=align)
    metrics = parse_ordering_metrics(specs)
    if len(metrics) > 1 or len(variants) > 1:
        raise click.UsageError("give one metric and one variant: they decide which parse is the best")
    (name,), chosen = labels(metrics), variant(*variants or ["talbot"])
    corpus = read_corpus(source, [ReferenceFile(str(align))], form=links_format(align_format, base))
    words = [sentence.words for sentence in corpus.sources]
    with open_binary(nbest) as handle:
        parses = list(group_parses(Conllu().read(handle, nbest), nbest, words))
    selection = choose_parses(
        load_preorderer(model),
        parses,
        chosen.ranks(corpus.alignments, words),
        OrderScore(name, metrics[0]),
        by_words=chosen.match == "words",
    )
    trees = [
        group[choice.chosen]
        for group, choice in zip(parses, selection.choices, strict=True)
        if choice is not None and (choice.chosen or not changed_only)
    ]
    with open_output(output) as handle_out:
        Conllu().write(trees, handle_out, file=output)
    if quiet:
        return
    if selection.scored:
        scored = sum(len(choice.scores) for choice in selection.scored)
        click.echo(
            f"{counted(len(selection.scored), 'sentence')}, {counted(scored, 'parse')};"
            f" not the first parse for {selection.changed};"
            f" {name} {selection.first:.4f} -> {selection.best:.4f}",
            err=True,
        )
    else:
        click.echo(f"no sentence of {align} has links, so no parse can be chosen", err=True)
