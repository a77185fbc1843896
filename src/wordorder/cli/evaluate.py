"""``wordorder evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.model_settings import NO_TREES
from wordorder.cli.vocabulary import (
    chosen_format,
    links_format,
    links_options,
    names_option,
    order_option,
    quiet_option,
    refuse,
    source_option,
    table_options,
    test_options,
    threads_option,
)

if TYPE_CHECKING:
    from wordorder.evaluate.columns import Column, ComparisonSettings
    from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus, ReferenceFile
    from wordorder.metrics.base import Metric

HELP = """\
\b
  wordorder evaluate --align test.align -s test.en en-ja-crf my-model orders.txt
  wordorder evaluate --align test.align --parse test.conllu rules:en-ja my-rules.toml --errors
  wordorder evaluate --align test.align --parse p1.conllu --parse p2.conllu rules:en-ja --errors
  wordorder evaluate -r test.reference -s test.en en-ja-crf
  wordorder evaluate --align manual=test.align --align auto.align -s test.en a.order b.order \\
      --ratings ratings.tsv -t test.ja --output-text out/{system}.ja

Score the word order of systems against manual alignments, without translating anything. SYSTEMS are
models (by name or folder), methods, rule sets, TOML files of rules, and files of orders (source positions,
one sentence per line; with --ranks, the places of the words). No reordering ('identity') is always
evaluated first. The other systems are
tested against it by paired bootstrap, unless --baseline and --paired say otherwise.

\b
Variants, which differ in the words that count and in the scores (--variant):
  nakagawa  words with links, in sentences whose links agree on an order: tau, frs, exact.
            Suited to comparing systems with one another and with published results.
  lader     all words, in blocks of equal rank: chunk, tau. Suited to comparisons with LADER.
  talbot    reference orders with groups: fuzzy, kendall, exact. Suited to rules and parsers, if nearly
            all words have links. talbot:unaligned=next|previous|drop,inside=free|fixed,
            punctuation=words|pin|drop,match=words|positions changes how words without links (also inside
            groups), punctuation and repeated words count.
  thesis    all words against one order: kendall, fuzzy, exact. Words without links count at a guessed
            place, so that systems that move them look worse than they are.
  file      reference orders from a file (-r): fuzzy, kendall, exact; file:match=words|positions.

-m computes ordering metrics instead of these scores. --errors adds the words, rules and operators that go
wrong in each system, by the first variant and score, and arcs on which several parsers disagree.

With several --align or -r, systems are scored against each of these references, and the references against
each other. --ratings adds human ratings: the mean rating of each system, the agreement of raters, and the
correlation of scores with ratings. --output-text adds scores of translations.
"""


@click.command("evaluate", help=HELP)
@click.argument("values", metavar="SYSTEMS...", nargs=-1)
@click.option(
    "--align", "aligns", multiple=True, metavar="[NAME=]FILE",
    help="Word alignments of source and target; may be repeated to compare references.",
)  # fmt: skip
@click.option(
    "-r", "--reference", "orders", multiple=True, metavar="[NAME=]FILE",
    help="Reference orders, as words or as positions; may be repeated.",
)  # fmt: skip
@source_option
@click.option(
    "-t", "--target", "targets", multiple=True, metavar="FILE",
    help="Target sentences, one per line, words separated by spaces: one file for all --align, or one for"
    " each.",
)  # fmt: skip
@click.option(
    "--parse", "parses", multiple=True, metavar="[NAME=]FILE",
    help="Dependency trees of the source, CoNLL-U; may be repeated to compare parsers with the first.",
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
    "--ratings", "rated", metavar="FILE",
    help="Human ratings, a table with the header system, sentence (from 1), rater, rating.",
)  # fmt: skip
@click.option(
    "--output-text", metavar="PATTERN",
    help="Translations of the systems to score against --target, such as out/{system}.ja.",
)  # fmt: skip
@click.option(
    "--text-metrics", "text_specs", multiple=True, default=["bleu"], show_default=True, metavar="METRIC,...",
    help="Metrics of the translations ('wordorder metrics' lists them); may be repeated.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(["corpus", "sentence"]), default="corpus", show_default=True,
    help="Report one score for the whole corpus, or also one per sentence.",
)  # fmt: skip
@click.option("--errors", is_flag=True, help="Analyse the errors of each system.")
@click.option(
    "--worst", type=click.IntRange(0), default=10, show_default=True,
    help="Number of sentences with the lowest scores to list with the errors.",
)  # fmt: skip
@test_options
@table_options
@threads_option
@quiet_option
def command(
    values: tuple[str, ...],
    aligns: tuple[str, ...],
    orders: tuple[str, ...],
    source: str | None,
    targets: tuple[str, ...],
    parses: tuple[str, ...],
    variants: tuple[str, ...],
    specs: tuple[str, ...],
    align_format: str,
    base: str | None,
    links: str,
    names: str,
    ranks: bool,
    rated: str | None,
    output_text: str | None,
    text_specs: tuple[str, ...],
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
    from wordorder.evaluate.columns import IDENTITY, ComparisonSettings
    from wordorder.evaluate.corpus import is_order_file, named_file, read_corpus, run_systems
    from wordorder.evaluate.errors import analyse_errors
    from wordorder.evaluate.evaluation import ReferenceOrders, order_scores, score_systems
    from wordorder.evaluate.parsers import compare_parsed_systems, parser_agreement
    from wordorder.evaluate.rating_correlation import correlate
    from wordorder.evaluate.ratings import rater_agreement, rating_column, read_ratings
    from wordorder.evaluate.reference_agreement import reference_agreement
    from wordorder.evaluate.usability import usability
    from wordorder.evaluate.variants import DEFAULT, variant
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import parse_metrics, parse_ordering_metrics
    from wordorder.report.evaluation import EvaluationReport
    from wordorder.report.html.evaluation import evaluation_page

    if not aligns and not orders:
        raise click.UsageError("give reference orders: --align FILE or --reference FILE")
    if not aligns:
        refuse("align_format", "base", "links", why="--reference contains orders")
        if not output_text:
            refuse("targets", why="--reference contains orders")
    if not errors:
        refuse("worst", why="there is no --errors")
    if not output_text:
        refuse("text_specs", why="there is no --output-text")
    elif not targets:
        raise click.UsageError("--output-text needs --target FILE, the translation to compare with")
    form = chosen_format(form, output)
    if form == "tsv" and errors:
        raise click.UsageError("--errors cannot be written as tsv; choose text, markdown, latex or json")
    by_links = [one for one in map(variant, variants) if one.name != "file"]
    by_file = [one for one in map(variant, variants) if one.name == "file"]
    if (by_links and not aligns) or (by_file and not orders):
        wrong, needed = (by_links[0], "--align") if by_links and not aligns else (by_file[0], "--reference")
        raise click.UsageError(f"--variant {wrong.name} needs {needed} FILE")
    by_links, by_file = by_links or [variant(name) for name in DEFAULT], by_file or [variant("file")]
    metrics, text_metrics = parse_ordering_metrics(specs), parse_metrics(text_specs)
    corpus = read_corpus(
        source,
        _reference_files(aligns, orders, targets),
        [named_file(text) for text in parses],
        orders=next(filter(is_order_file, values), None),
        form=links_format(align_format, base),
    )
    _check_references(corpus, any(each.match == "positions" for each in by_file), quiet)
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
    titles = [IDENTITY, *(system.name for system in systems)]
    ratings = read_ratings(rated, titles, len(corpus.sizes)) if rated else None
    if ratings and ratings.others and not quiet:
        click.echo(
            f"{rated}: ratings of systems that are not evaluated: {', '.join(ratings.others)}", err=True
        )
    several = len(corpus.references) > 1
    evaluation = score_systems(
        [
            ReferenceOrders(
                each, data.ranks(each, corpus.words, links=links), data.file.name if several else ""
            )
            for data in corpus.references
            for each in (by_file if data.given else by_links)
        ],
        corpus.sizes,
        {system.name: system.orders for system in systems},
        settings,
        words=corpus.words,
        metrics=metrics,
        links=links,
        translations=_translations(
            output_text, titles, targets, text_metrics, len(corpus.sizes), settings, quiet
        )
        if output_text
        else (),
        ratings=rating_column(ratings, settings) if ratings else None,
    )
    first = evaluation.variants[0]
    report = EvaluationReport(
        evaluation,
        usability={
            data.file.name: usability(data.alignments, target=data.file.target is not None)
            for data in corpus.references
            if data.given is None
        },
        references=[
            pair
            for each in (by_links if aligns else by_file)
            for pair in reference_agreement(
                each,
                [(data.file.name, data.ranks(each, corpus.words, links=links)) for data in corpus.references],
                order_scores(metrics) or each.scores,
                settings,
                words=corpus.words,
            )
        ],
        raters=rater_agreement(ratings, settings) if ratings else None,
        correlations=correlate(evaluation),
        parsers=parser_agreement(corpus.parses, settings) if len(corpus.parses) > 1 else (),
        errors=[
            analyse_errors(
                corpus, system, first.variant, first.ranks, first.scores[0],
                worst=worst, samples=samples, seed=seed,
            )
            for system in systems
            if errors
        ],
        parser_errors=compare_parsed_systems(corpus, systems, first) if errors else (),
        sentences=level == "sentence",
        p_values=p_values,
    )  # fmt: skip
    with open_output(output) as handle:
        handle.write(evaluation_page(report, corpus, systems) if form == "html" else report.write(form))


def _reference_files(
    aligns: tuple[str, ...], orders: tuple[str, ...], targets: tuple[str, ...]
) -> list[ReferenceFile]:
    """Name the references after their files, or as the user does; their names must differ."""
    from wordorder.evaluate.corpus import ReferenceFile, named_file

    if aligns and len(targets) not in (0, 1, len(aligns)):
        raise click.UsageError(
            f"{len(targets)} --target for {len(aligns)} --align; give one file for all, or one for each"
        )
    checked = targets if len(targets) == len(aligns) else (targets or (None,)) * len(aligns)
    files = [
        ReferenceFile(path, target=target, name=name)
        for (name, path), target in zip(map(named_file, aligns), checked, strict=True)
    ]
    files += [ReferenceFile(path, given=True, name=name) for name, path in map(named_file, orders)]
    names = [file.name for file in files]
    for name in names:
        if names.count(name) > 1:
            raise click.UsageError(f"two references are named {name!r}; name them as NAME=FILE")
    return files


def _translations(
    pattern: str,
    systems: list[str],
    targets: tuple[str, ...],
    metrics: list[Metric],
    sentences: int,
    settings: ComparisonSettings,
    quiet: bool,
) -> tuple[Column, ...]:
    """Score the translations that exist, and report systems without one."""
    from wordorder.evaluate.translations import score_translations, translation_files

    files = translation_files(pattern, systems)
    columns, notes = score_translations(files, list(dict.fromkeys(targets)), metrics, sentences, settings)
    missing = [name for name in systems if name not in files]
    if missing:
        notes.append(f"{pattern}: no translations of {', '.join(missing)}")
    for note in notes if not quiet else ():
        click.echo(note, err=True)
    return columns


def _check_references(corpus: EvaluationCorpus, by_position: bool, quiet: bool) -> None:
    """Refuse or report references as text that do not say which of several equal words is meant."""
    from wordorder.io.lines import counted

    hint = "references as positions are exact ('wordorder orders --as positions')"
    for data in corpus.references:
        if data.given is None:
            continue
        if by_position and data.given.repeated:
            raise click.UsageError(
                f"match=positions: {counted(data.given.repeated, 'sentence')} of {data.file.path} with words"
                f" that occur several times in the source: text does not say which of them is meant; {hint}"
            )
        if data.given.ambiguous and not quiet:
            click.echo(
                f"{data.file.path}: {counted(data.given.ambiguous, 'sentence')} with one of several equal"
                f" words left out: assuming that it is the last; {hint}",
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
        if system.preorderer and "parse" in system.preorderer.needs and not corpus.parses:
            warnings.append(f"{system.preorderer.name}: {NO_TREES}")
        if isinstance(system.preorderer, Rules):
            rules = system.preorderer.rules
            warnings += rule_warnings(rules)
            if not system.parser:
                continue
            labels = system.parser, rules.labels, rules.tags
            if labels not in checked:
                checked.add(labels)
                unknown = UnknownLabels(rules)
                unknown.add(corpus.parses[system.parser])
                warnings += [f"{system.parser}: {note}" for note in unknown.warnings()]
    for warning in dict.fromkeys(warnings):  # rules may run on several parses
        click.echo(warning, err=True)
