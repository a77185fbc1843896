"""``wordorder preorder choose-parses``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options

HELP = """\
\b
  wordorder preorder choose-parses --rules en-ja --source dev.en --align dev.align \\
      --nbest dev.nbest.conllu --out dev.chosen.conllu

Targeted self-training (Katz-Brown et al. 2011): of several parses of each sentence choose the one that
the rules reorder best, and write a treebank to train the parser on. In --nbest the parses of a sentence
follow each other, the parser's first choice first. A summary goes to standard error.
"""


@click.command("choose-parses", help=HELP)
@click.option("--rules", "name", required=True, metavar="NAME|FILE", help="A rule set, or a file of rules.")
@click.option("--source", required=True, metavar="FILE", help="The sentences.")
@click.option("--nbest", required=True, metavar="FILE", help="Several parses of each (CoNLL-U).")
@click.option("--align", required=True, metavar="FILE", help="Manual links to a translation.")
@links_options
@click.option("--unaligned", type=click.Choice(["next", "previous", "drop"]), default="next",
              show_default=True, help="Words without links.")  # fmt: skip
@click.option("--punctuation", type=click.Choice(["words", "pin", "drop"]), default="words",
              show_default=True, help="Punctuation without links.")  # fmt: skip
@click.option("-m", "--metric", default="fuzzy", show_default=True, help="What is best.")
@click.option("--changed-only", is_flag=True, help="Only sentences whose first parse was not the best.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
def command(
    name: str,
    source: str,
    nbest: str,
    align: str,
    form: str,
    base: str,
    unaligned: str,
    punctuation: str,
    metric: str,
    changed_only: bool,
    out: str,
) -> None:
    """Choose parses."""
    from wordorder.evaluate.corpus import read_corpus
    from wordorder.evaluate.parse_selection import choose_parses, group_parses
    from wordorder.io.conllu import Conllu
    from wordorder.io.files import open_binary, open_output
    from wordorder.io.lines import counted
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.preorder.rules import Rules

    corpus = read_corpus(
        source,
        [],
        align=align,
        form=links_format(form, base),
        unaligned=unaligned,  # type: ignore[arg-type]
        punctuation=punctuation,  # type: ignore[arg-type]
    )
    with open_binary(nbest) as handle:
        parses = list(group_parses(Conllu().read(handle, nbest), nbest, corpus.words))
    made = choose_parses(Rules(set=name), parses, corpus.ranks, parse_ordering_metrics([metric])[0])
    chosen = [
        some[choice.chosen]
        for some, choice in zip(parses, made.choices, strict=True)
        if choice is not None and (choice.chosen or not changed_only)
    ]
    with open_output(out) as output:
        Conllu().write(chosen, output, file=out)
    told = made.as_dict()
    if told["with_reference"]:
        click.echo(
            f"{counted(told['with_reference'], 'sentence')}, {counted(told['parses'], 'parse')};"
            f" another than the first for {told['changed']};"
            f" {metric} {told['first']:.4f} -> {told['chosen']:.4f}",
            err=True,
        )
    else:
        click.echo(f"no sentence of {align} has links: there is nothing to choose by", err=True)
