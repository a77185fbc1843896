"""``wordorder preorder treebank``."""

from __future__ import annotations

import click

from wordorder.cli.options import links_format, links_options, quiet_option, threads_option

HELP = """\
\b
  wordorder preorder treebank --model en-xx --source train.en --align train.align > train.trees

For word-aligned sentences, the most probable tree of a grammar that agrees with the links, in Penn
brackets, one a line (the treebank of hard EM). A sentence that the grammar cannot learn from has
an empty line. --states writes the states of the operators, such as P12_7.
"""


@click.command("treebank", help=HELP)
@click.option("--model", required=True, metavar="FOLDER|NAME", help="A grammar.")
@click.option("--source", required=True, metavar="FILE", help="Source text, words between blanks.")
@click.option("--align", "links", required=True, metavar="FILE", help="Links to the target.")
@links_options
@click.option("--states", is_flag=True, help="Write the states of operators.")
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    model: str,
    source: str,
    links: str,
    form: str,
    base: str,
    states: bool,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Write the best trees of aligned sentences."""
    from wordorder.cli.progress import shown
    from wordorder.engine.threads import available_threads
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.io.parallel import batches
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.grammar import ReorderingGrammar
    from wordorder.preorder.models import load_model

    made = load_model(model)
    if not isinstance(made, ReorderingGrammar):
        raise BadSetting(f"{model} is a model of {made.name}; only grammars have a treebank")
    rows = read_sources(source, align=links, form=links_format(form, base))
    written = missing = 0
    with open_output(out) as handle:
        for block in batches(shown(rows, lambda row: f"{row.number:,} sentences", quiet=quiet), 4096):
            sources = [row.source for row in block]
            alignments = [one.alignment for one in sources if one.alignment is not None]
            trees = made.treebank(sources, alignments, threads=threads or available_threads(), states=states)
            for one, found in zip(sources, trees, strict=True):
                line = found[0].to_penn(one.words) if found else ""
                handle.write(line.encode("utf-8") + b"\n")
                written, missing = written + bool(found), missing + (not found)
    if not quiet:
        click.echo(f"{counted(written, 'tree')}, {counted(missing, 'sentence')} without", err=True)
