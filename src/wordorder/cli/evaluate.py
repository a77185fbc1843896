"""``wordorder evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    align_option,
    chosen_format,
    links_format,
    links_options,
    names_option,
    order_option,
    quiet_option,
    refuse,
    source_option,
    table_options,
    target_option,
    test_options,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus

HELP = """\
\b
  wordorder evaluate --align test.align -s test.en en-ja-crf my-model orders.txt
  wordorder evaluate --align test.align --parse test.conllu rules:en-ja my-rules.toml --errors
  wordorder evaluate --align test.align --parse p1.conllu --parse p2.conllu rules:en-ja --errors
  wordorder evaluate -r test.reference -s test.en en-ja-crf

Score the word order of systems against manual alignments, without translating anything. SYSTEMS are
models (by name or folder), methods, rule sets, TOML files of rules, and files of orders (source positions,
one sentence per line; with --ranks, the places of the words). No reordering ('identity') is always
evaluated first. The other systems are
tested against it by paired bootstrap, unless --baseline and --paired say otherwise.

\b
Variants, which differ in the words that count and in the scores (--variant):
  nakagawa  words with links, in sentences whose links agree on an order: tau, frs, exact.
            Trust this one to compare systems, and with published results of preordering.
  lader     all words, in blocks of equal rank: chunk, tau. To compare with LADER.
  talbot    reference orders with groups: fuzzy, kendall, exact. For rules and parsers, if nearly all
            words have links. talbot:unaligned=next|previous|drop,inside=free|fixed,
            punctuation=words|pin|drop,match=words|positions changes how words without links (also inside
            groups), punctuation and repeated words count.
  thesis    all words against one order: kendall, fuzzy, exact. Words without links count at a guessed
            place, so that systems that move them look worse than they are.
  file      reference orders from a file (-r): fuzzy, kendall, exact; file:match=words|positions.

-m computes ordering metrics instead of these scores. --errors adds the words, rules and operators that go
wrong in each system, by the first variant and score, and arcs on which several parsers disagree.
"""


@click.command("evaluate", help=HELP)
@click.argument("values", metavar="SYSTEMS...", nargs=-1)
@align_option
@click.option("-r", "--reference", metavar="FILE", help="Reference orders, as words or as positions.")
@source_option
@target_option
@click.option(
    "--parse", "parses", multiple=True, metavar="[NAME=]FILE",
    help="Dependency trees of the source, CoNLL-U; may be repeated to compare parsers.",
)  # fmt: skip
@click.option(
    "--variant", "variants", multiple=True, metavar="NAME",
    help="Evaluate by this variant only; may be repeated. Default: all that apply.",
)  # fmt: skip
@click.option(
    "-m", "--metrics", "specs", multiple=True, metavar="METRIC,...",
    help="Ordering metrics to compute instead of the variants' scores ('wordorder metrics' lists them);"
    " may be repeated.",
)  # fmt: skip
@order_option
@links_options
@click.option(
    "--links", type=click.Choice(["all", "sure"]), default="all", show_default=True,
    help="Whether to use possible links too, or only sure ones.",
)  # fmt: skip
@names_option
@click.option(
    "--ratings", "rated", multiple=True, metavar="SYSTEM=FILE",
    help="Correlate scores with human ratings of a system, one per line; may be repeated.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["corpus", "sentence"]), default="corpus", show_default=True,
    help="Report one score for the whole corpus, or also one per sentence.",
)  # fmt: skip
@click.option("--errors", is_flag=True, help="Analyse the errors of each system.")
@click.option(
    "--worst", type=click.IntRange(0), default=10, show_default=True,
    help="Number of sentences with the lowest scores that --errors shows.",
)  # fmt: skip
@test_options
@table_options
@threads_option
@quiet_option
def command(
    values: tuple[str, ...],
    align: str | None,
    reference: str | None,
    source: str | None,
    target: str | None,
    parses: tuple[str, ...],
    variants: tuple[str, ...],
    specs: tuple[str, ...],
    align_format: str,
    base: str | None,
    links: str,
    names: str,
    ranks: bool,
    rated: tuple[str, ...],
    level: str,
    errors: bool,
    worst: int,
    paired: str | None,
    baseline: str,
    all_pairs: bool,
    p_values: bool,
    samples: int,
    seed: int,
    form: str | None,
    output: str,
    threads: int | None,
    quiet: bool,
) -> None:
    """Evaluate systems that reorder."""
    from wordorder.engine.threads import available_threads
    from wordorder.evaluate.corpus import is_order_file, named_file, read_corpus, run_systems
    from wordorder.evaluate.errors import analyse_errors
    from wordorder.evaluate.evaluation import IDENTITY, ComparisonSettings, score_systems
    from wordorder.evaluate.parsers import compare_parsed_systems
    from wordorder.evaluate.rating_correlation import correlate, rated_systems, read_ratings
    from wordorder.evaluate.usability import usability
    from wordorder.evaluate.variants import DEFAULT, variant
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.report.evaluation import EvaluationReport

    if bool(align) == bool(reference):
        raise click.UsageError("give reference orders: either --align FILE or --reference FILE")
    if reference:
        refuse("target", "align_format", "base", "links", why="--reference contains orders")
    if not errors:
        refuse("worst", why="there is no --errors")
    form = chosen_format(form, output)
    if form == "tsv" and errors:
        raise click.UsageError("--errors cannot be written as tsv; choose text, markdown, latex or json")
    chosen = [variant(spec) for spec in variants or (DEFAULT if align else ("file",))]
    for each in chosen:
        if (each.name == "file") != bool(reference):
            needed = "--align" if reference else "--reference"
            raise click.UsageError(f"--variant {each.name} needs {needed} FILE")
    metrics = parse_ordering_metrics(specs)
    corpus = read_corpus(
        source,
        [named_file(text) for text in parses],
        align=align,
        references=reference,
        target=target,
        orders=next(filter(is_order_file, values), None),
        form=links_format(align_format, base),
    )
    _check_references(corpus, reference or "", any(each.match == "positions" for each in chosen), quiet)
    systems = run_systems(
        corpus,
        values,
        names=[name.strip() for name in names.split(",")] if names else (),
        ranks=ranks,
        threads=threads or available_threads(),
    )
    if not quiet:
        _warn(corpus, values, systems)
    settings = ComparisonSettings(
        paired=paired or "bootstrap",
        baseline=baseline or IDENTITY,
        all_pairs=all_pairs,
        samples=samples,
        seed=seed,
    )
    evaluation = score_systems(
        [(each, corpus.ranks(each, links=links)) for each in chosen],
        corpus.sizes,
        {system.name: system.orders for system in systems},
        settings,
        words=corpus.words,
        metrics=metrics,
        links=links,
    )
    ratings = {name: read_ratings(path, len(corpus.sizes)) for name, path in rated_systems(rated).items()}
    first = evaluation.variants[0]
    report = EvaluationReport(
        evaluation,
        usability(corpus.alignments, target=target is not None) if align else None,
        correlate(evaluation, ratings) if ratings else (),
        [
            analyse_errors(
                corpus, system, first.variant, first.ranks, first.scores[0],
                worst=worst, samples=samples, seed=seed,
            )
            for system in systems
            if errors
        ],
        compare_parsed_systems(corpus, systems, first) if errors else (),
        level == "sentence",
        p_values,
    )  # fmt: skip
    with open_output(output) as handle:
        handle.write(report.write(form))


def _check_references(corpus: EvaluationCorpus, reference: str, by_position: bool, quiet: bool) -> None:
    """Refuse or report references as text that do not say which of several equal words is meant."""
    from wordorder.io.lines import counted

    if corpus.given is None:
        return
    hint = "references as positions are exact ('wordorder orders --as positions')"
    if by_position and corpus.given.repeated:
        raise click.UsageError(
            f"match=positions: {counted(corpus.given.repeated, 'sentence')} of {reference} with words that"
            f" occur several times in the source: text does not say which of them is meant; {hint}"
        )
    if corpus.given.ambiguous and not quiet:
        click.echo(
            f"{reference}: {counted(corpus.given.ambiguous, 'sentence')} with one of several equal words left"
            f" out: assuming that it is the last; {hint}",
            err=True,
        )


def _warn(corpus: EvaluationCorpus, values: tuple[str, ...], systems: list[EvaluatedSystem]) -> None:
    """Print warnings about names that may mean something else, and about labels that rules do not know."""
    from wordorder.preorder.models import same_name_note
    from wordorder.preorder.rules import Rules
    from wordorder.preorder.rules.warnings import UnknownLabels, rule_warnings

    warnings = [note for value in values if (note := same_name_note(value))] if corpus.parses else []
    checked: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()
    for system in systems:
        if isinstance(system.preorderer, Rules) and system.parser:
            rules = system.preorderer.rules
            warnings += rule_warnings(rules)
            labels = system.parser, rules.labels, rules.tags
            if labels not in checked:
                checked.add(labels)
                unknown = UnknownLabels(rules)
                unknown.add(corpus.parses[system.parser])
                warnings += [f"{system.parser}: {note}" for note in unknown.warnings()]
    for warning in dict.fromkeys(warnings):  # rules may run on several parses
        click.echo(warning, err=True)
