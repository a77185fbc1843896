"""``wordorder preorder explain``."""

from __future__ import annotations

import click

from wordorder.cli.model_settings import (
    check_annotation,
    load_with_settings,
    output_options,
    preorderer_options,
)
from wordorder.cli.vocabulary import chosen_format, explanation_format_option, parse_option, source_option

HELP = """\
\b
  wordorder preorder explain --model en-ja-crf --source test.en --sentence 3
  wordorder preorder explain --model rules:en-ja --parse test.conllu --sentence 3
  wordorder preorder explain --model my-rules.toml --parse test.conllu -o why.json

Explain the order of sentences. For rules: every rule that fired, the head it fired for, its line in
its file, and where the pieces went. For models with probabilities (crf, grammar): which words made the
difference. Each word is hidden in turn; reported is how much the log probability of the order falls,
and the probability of each pair of blocks that changed places. 'wordorder draw --model' draws pictures.
"""
BLOCK = 8  # sentences per unit of work of a thread


@click.command("explain", help=HELP)
@preorderer_options
@source_option
@parse_option
@click.option(
    "--sentence", "numbers", multiple=True, type=click.IntRange(1),
    help="Number of a sentence to explain, from 1; may be repeated. Default: all.",
)  # fmt: skip
@explanation_format_option
@output_options
def command(
    model: str | None,
    changes: tuple[str, ...],
    source: str | None,
    parse: str | None,
    numbers: tuple[int, ...],
    form: str | None,
    output: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Explain orders."""
    from wordorder.cli.progress import track
    from wordorder.cli.vocabulary import wants_color
    from wordorder.engine.threads import available_threads, ordered_map
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.io.parallel import batches
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.rules.preorderer import Rules
    from wordorder.preorder.rules.warnings import all_warnings
    from wordorder.report.explanation import explanation_text, explanations_json

    preorderer = load_with_settings(model, changes)
    check_annotation(preorderer, parse=parse, quiet=quiet)
    if not source and not parse:
        source = "-"
    rows = list(read_sources(source, parse=parse))
    chosen = [row for row in rows if not numbers or row.number in numbers]
    for number in numbers:
        if number > len(rows):
            raise BadSetting(f"there is no sentence {number}: {source or parse} has {len(rows)}")
    parts = ordered_map(
        lambda block: preorderer.explain_batch([row.source for row in block]),
        batches(track(chosen, "sentences", quiet=quiet, total=len(chosen)), BLOCK),
        threads=threads or available_threads(),
    )
    explanations = [explanation for part in parts for explanation in part]
    if isinstance(preorderer, Rules) and not quiet:
        trees = [row.source.parse for row in chosen if row.source.parse]
        for text in all_warnings(preorderer.rules, trees):
            click.echo(text, err=True)
    with open_output(output) as handle:
        if chosen_format(form, output) == "json":
            numbered = zip([row.number for row in chosen], explanations, strict=True)
            handle.write(explanations_json(dict(numbered)))
        else:
            color = output == "-" and wants_color()
            texts = (explanation_text(explanation, color=color) for explanation in explanations)
            handle.write("\n".join(texts).encode("utf-8"))
