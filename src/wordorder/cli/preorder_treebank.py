"""``wordorder preorder treebank``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import (
    aligned_text_options,
    load_with_settings,
    output_options,
    preorderer_options,
    require,
)
from wordorder.cli.vocabulary import links_format

HELP = """\
\b
  wordorder preorder treebank --model en-xx --source train.en --align train.align > train.trees

Write, for each word-aligned sentence, the most probable tree of a grammar that agrees with the links, in
Penn brackets, one per line (the treebank of hard EM). A sentence that the grammar cannot learn from gives
an empty line. --states writes the states of the operators, such as P12_7.
"""


@click.command("treebank", help=HELP)
@preorderer_options
@aligned_text_options
@click.option("--states", is_flag=True, help="Write the states of the operators.")
@output_options
def command(
    model: str | None,
    changes: tuple[str, ...],
    source: str,
    align: str,
    align_format: str,
    base: str | None,
    states: bool,
    output: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write the best trees of aligned sentences."""
    from wordorder.cli.progress import track
    from wordorder.engine.threads import available_threads
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.io.parallel import batches
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.grammar import ReorderingGrammar
    from wordorder.preorder.grammar.fitting import best_treebank

    require(model=model, source=source, align=align)
    grammar = load_with_settings(model, changes)
    if not isinstance(grammar, ReorderingGrammar):
        raise BadSetting(f"{model} is a model of {grammar.name}; only grammars have a treebank")
    rows = read_sources(source, align=align, form=links_format(align_format, base))
    written = missing = 0
    with open_output(output) as handle:
        for block in batches(track(rows, "sentences", quiet=quiet), 4096):
            sources = [row.source for row in block]
            alignments = [source.alignment for source in sources if source.alignment is not None]
            trees = best_treebank(
                grammar, sources, alignments, threads=threads or available_threads(), states=states
            )
            for aligned, best in zip(sources, trees, strict=True):
                line = best[0].to_penn(aligned.words) if best else ""
                handle.write(line.encode("utf-8") + b"\n")
                written, missing = written + bool(best), missing + (not best)
    if not quiet:
        click.echo(f"{counted(written, 'tree')}, {counted(missing, 'sentence')} without", err=True)
