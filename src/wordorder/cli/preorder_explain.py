"""``wordorder preorder explain``."""

from __future__ import annotations

import click

from wordorder.cli.options import quiet_option, threads_option

HELP = """\
\b
  wordorder preorder explain --model en-ja-crf --source test.en --sentence 3 --svg tree.svg
  wordorder preorder explain --rules en-ja --parse test.conllu --sentence 3
  wordorder preorder explain --rules my-rules.toml --parse test.conllu --output json

Tell why sentences are in the order that they are in. Of rules: every rule that fired, the head it
fired for, its line in its file, and where the pieces went. Of models with probabilities (grammar,
crf): which words made the difference. Each is hidden in turn, and what the order loses by that is
told: of its log probability, and of the probability of each pair of blocks that changed places.
"""
BLOCK = 8  # sentences that a thread works on at a time


@click.command("explain", help=HELP)
@click.option("--model", metavar="FOLDER|NAME", help="What to reorder with.")
@click.option(
    "--set", "changes", multiple=True, metavar="KEY=VALUE",
    help="Another setting of how the model reorders; may be repeated.",
)  # fmt: skip
@click.option("--rules", "name", metavar="NAME|FILE", help="Instead: a rule set, or a file of rules.")
@click.option("--source", metavar="FILE", help="Sentences; - is standard input.")
@click.option("--parse", metavar="FILE", help="Their dependency trees (CoNLL-U); rules need them.")
@click.option(
    "--sentence", "numbers", multiple=True, type=click.IntRange(1), help="Only this one; may be repeated."
)
@click.option("--svg", metavar="FILE", help="Also draw the tree, of one sentence.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form."
)
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
@threads_option
@quiet_option
def command(
    model: str | None,
    changes: tuple[str, ...],
    name: str | None,
    source: str | None,
    parse: str | None,
    numbers: tuple[int, ...],
    svg: str | None,
    output: str,
    out: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Explain orders."""
    from wordorder.cli.options import wants_color
    from wordorder.cli.progress import shown
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.io.parallel import batches
    from wordorder.preorder.base import Preorderer
    from wordorder.preorder.corpus import Numbered, read_sources
    from wordorder.preorder.models import model_or_method
    from wordorder.preorder.rules.preorderer import Rules
    from wordorder.preorder.rules.warnings import doubts
    from wordorder.report.explanation import explanation_svg, explanation_text, explanations_json

    if (model is None) == (name is None):
        raise click.UsageError("give one of --model NAME and --rules NAME")
    if name is not None and changes:
        raise click.UsageError("--set is for --model")
    if not source and not parse:
        raise click.UsageError("give sentences: --source FILE, or --parse FILE")
    made: Preorderer = Rules(set=name) if name else model_or_method(str(model), ",".join(changes))
    if "parse" in made.needs and not parse:
        raise click.UsageError(f"{made.name} needs --parse FILE")
    chosen: list[Numbered] = []
    count = 0
    for row in read_sources(source, parse=parse):
        count += 1
        if not numbers or row.number in numbers:
            chosen.append(row)
    for number in numbers:
        if number > count:
            raise BadSetting(f"there is no sentence {number}: {source or parse} has {count}")
    if svg and len(chosen) != 1:
        raise click.UsageError(f"--svg draws one tree; choose from {count} sentences with --sentence N")
    rows = shown(chosen, lambda row: f"{row.number:,} sentences", quiet=quiet)
    parts = ordered_map(
        lambda block: made.explain([row.source for row in block]),
        batches(rows, BLOCK),
        threads=threads or available_threads(),
    )
    found = dict(zip([row.number for row in chosen], [one for part in parts for one in part], strict=True))
    if isinstance(made, Rules):
        for text in doubts(made.rules, [row.source.parse for row in chosen if row.source.parse]):
            click.echo(text, err=True)
    with open_output(out) as handle:
        if output == "json":
            handle.write(explanations_json(found))
        else:
            color = out == "-" and wants_color()
            texts = (explanation_text(one, color=color) for one in found.values())
            handle.write("\n".join(texts).encode("utf-8"))
    if svg:
        with open_output(svg) as handle:
            handle.write(explanation_svg(next(iter(found.values()))).encode("utf-8"))
        if svg != "-" and not quiet:
            click.echo(f"wrote {svg}", err=True)
