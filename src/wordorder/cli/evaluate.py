"""``wordorder evaluate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.options import links_format, links_options, refuse

if TYPE_CHECKING:
    from wordorder.evaluate.corpus import Corpus, System
    from wordorder.evaluate.parsers import ParserComparison
    from wordorder.evaluate.systems import Standings

HELP = """\
\b
  wordorder evaluate --source test.en --align test.align --parse test.conllu \\
      --system rules:set=none --system rules:set=en-ja --system my-rules.toml
  wordorder evaluate --align test.align --parse p1.conllu --parse p2.conllu --system rules:set=en-ja
  wordorder evaluate --source test.en --reference test.reference --orders a.order --system my-model
  wordorder evaluate --align test.align --parse test.conllu --system rules:set=en-ja --errors

Score preorderers against reference orders, without translating anything (Talbot et al. 2011):
rule sets, models and files of orders, on the parses of one or several parsers. Reference orders come
from links (--align), or as words or positions with {{ groups }} (--reference). NAME=... before a value
names it.

\b
  words without links   --unaligned next (the paper), previous, drop
  punctuation           --punctuation words (the paper), pin, drop
  repeated words        --match words (the paper: any other of the same form), positions

--errors adds which words, rules and operators go wrong in each system, and, where there are several
parsers, which of their arcs cost order. --human NAME=FILE adds the correlation with ratings.
"""


@click.command("evaluate", help=HELP)
@click.option("--source", metavar="FILE", help="The sentences; a parse has them too.")
@click.option("--align", metavar="FILE", help="Their manual links to a translation.")
@click.option("--reference", "references", metavar="FILE", help="Reference orders, words or positions.")
@click.option("--target", metavar="FILE", help="The translation: checks the links, and tells its coverage.")
@click.option(
    "--parse", "parses", multiple=True, metavar="[NAME=]FILE", help="Trees (CoNLL-U); may be repeated."
)
@click.option(
    "--system", "specs", multiple=True, metavar="[NAME=]SPEC",
    help="rules:set=NAME, a file of rules, a model, a method; may be repeated.",
)  # fmt: skip
@click.option(
    "--orders", "files", multiple=True, metavar="[NAME=]FILE", help="Orders, one a line; may be repeated."
)
@click.option("-m", "--metric", "metrics", default="fuzzy,kendall", show_default=True, metavar="NAMES",
              help="Ordering metrics, separated by commas; 'wordorder metrics' lists them.")  # fmt: skip
@links_options
@click.option(
    "--links", type=click.Choice(["all", "sure"]), default="all", show_default=True, help="Which links count."
)
@click.option("--unaligned", type=click.Choice(["next", "previous", "drop"]), default="next",
              show_default=True, help="Words without links.")  # fmt: skip
@click.option("--punctuation", type=click.Choice(["words", "pin", "drop"]), default="words",
              show_default=True, help="Punctuation without links.")  # fmt: skip
@click.option("--match", type=click.Choice(["words", "positions"]), default="words", show_default=True,
              help="What repeated words are.")  # fmt: skip
@click.option("--human", "human", multiple=True, metavar="NAME=FILE", help="Ratings of a system, one a line.")
@click.option("--sentences", is_flag=True, help="Also the score of every sentence.")
@click.option("--errors", is_flag=True, help="Also what goes wrong (text and json).")
@click.option(
    "--worst", type=click.IntRange(0), default=10, show_default=True, help="Sentences that --errors shows."
)
@click.option(
    "--samples", type=click.IntRange(0, 1_000_000), default=1000, show_default=True, help="Of the bootstrap."
)
@click.option("--seed", type=click.IntRange(0), default=12345, show_default=True, help="Of the bootstrap.")
@click.option("-o", "--output", type=click.Choice(["text", "tsv", "json", "latex"]), default="text",
              show_default=True, help="Form.")  # fmt: skip
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
def command(
    source: str | None,
    align: str | None,
    references: str | None,
    target: str | None,
    parses: tuple[str, ...],
    specs: tuple[str, ...],
    files: tuple[str, ...],
    metrics: str,
    form: str,
    base: str,
    links: str,
    unaligned: str,
    punctuation: str,
    match: str,
    human: tuple[str, ...],
    sentences: bool,
    errors: bool,
    worst: int,
    samples: int,
    seed: int,
    output: str,
    out: str,
) -> None:
    """Evaluate preorderers."""
    from wordorder.evaluate.corpus import named, read_corpus, run_systems, short_name
    from wordorder.evaluate.errors import analyse_errors
    from wordorder.evaluate.rating_correlation import correlate, rated_systems, read_ratings
    from wordorder.evaluate.systems import compare_systems
    from wordorder.evaluate.usability import usability
    from wordorder.io.files import open_output
    from wordorder.io.lines import counted
    from wordorder.metrics.registry import parse_ordering_metrics
    from wordorder.report.evaluation import EvaluationReport

    if not align and not references:
        raise click.UsageError("give reference orders: --align FILE, or --reference FILE")
    if align and references:
        raise click.UsageError("--align and --reference both give reference orders: choose one")
    if not source and not parses:
        raise click.UsageError("give sentences: --source FILE, or --parse FILE")
    if not specs and not files:
        raise click.UsageError("give something to evaluate: --system SPEC, or --orders FILE")
    if references:
        refuse(
            "target",
            "form",
            "base",
            "links",
            "unaligned",
            "punctuation",
            why="--reference has its orders already",
        )
    if output in ("tsv", "latex") and errors:
        raise click.UsageError(f"--errors has no {output} form: choose text or json")
    if not errors:
        refuse("worst", why="there is no --errors")
    chosen = parse_ordering_metrics([metrics])
    trees = [(name or short_name(path), path) for name, path in map(named, parses)]
    corpus = read_corpus(
        source,
        trees,
        align=align,
        references=references,
        target=target,
        form=links_format(form, base) if align else form,
        links=links,  # type: ignore[arg-type]
        unaligned=unaligned,  # type: ignore[arg-type]
        punctuation=punctuation,  # type: ignore[arg-type]
    )
    if match == "positions" and corpus.repeated:
        raise click.UsageError(
            f"--match positions: {counted(corpus.repeated, 'sentence')} of {references} with words that are"
            " several times in the source: text does not say which is which. Give positions"
            " ('preorder references --output order')"
        )
    if corpus.ambiguous:
        click.echo(
            f"{references}: {counted(corpus.ambiguous, 'sentence')} with one of several equal words left out:"
            " the last of them is taken to be; positions ('preorder references --output order') are exact",
            err=True,
        )
    systems = run_systems(corpus, specs, files)
    _doubt(corpus, specs, systems)
    found = compare_systems(
        corpus.ranks,
        {system.name: system.orders for system in systems},
        chosen,
        words=corpus.words,
        match=match,  # type: ignore[arg-type]
        reference=corpus.policy,
        samples=samples,
        seed=seed,
    )
    ratings = {name: read_ratings(path, found.sentences) for name, path in rated_systems(human).items()}
    analyses = []
    if errors:
        how = {"by_words": match == "words", "worst": worst, "samples": samples, "seed": seed}
        analyses = [analyse_errors(corpus, one, found.metrics[0], **how) for one in systems]  # type: ignore[arg-type]
    report = EvaluationReport(
        found,
        usability(corpus.alignments, target=target is not None) if align else None,
        correlate(found, ratings, samples=samples, seed=seed) if ratings else (),
        analyses,
        _parser_pairs(corpus, systems, found) if errors else (),
        sentences,
    )
    with open_output(out) as handle:
        handle.write(report.write(output))


def _doubt(corpus: Corpus, specs: tuple[str, ...], systems: list[System]) -> None:
    """Tell, on standard error, what may not be what was meant."""
    from wordorder.evaluate.corpus import named
    from wordorder.preorder.models import same_name_note
    from wordorder.preorder.rules import Rules
    from wordorder.preorder.rules.warnings import UnknownLabels, rule_warnings

    told = [text for spec in specs if (text := same_name_note(named(spec)[1]))] if corpus.parses else []
    looked_at: set[tuple[str, tuple[str, ...], tuple[str, ...]]] = set()
    for system in systems:
        if isinstance(system.preorderer, Rules) and system.parser:
            rules = system.preorderer.rules
            told += rule_warnings(rules)
            labels = system.parser, rules.labels, rules.tags
            if labels not in looked_at:
                looked_at.add(labels)
                seen = UnknownLabels(rules)
                seen.add(corpus.parses[system.parser])
                told += [f"{system.parser}: {text}" for text in seen.warnings()]
    for text in dict.fromkeys(told):  # rules run on several parses
        click.echo(text, err=True)


def _parser_pairs(corpus: Corpus, systems: list[System], found: Standings) -> list[ParserComparison]:
    """Each preorderer on the first parse against the same on every other."""
    from wordorder.evaluate.parsers import compare_parsers

    pairs = []
    numbers = [s + 1 for s in found.used]
    for a, one in enumerate(systems):
        for b, other in enumerate(systems):
            if one.preorderer is not other.preorderer or one.parser is None or other.parser is None:
                continue
            if one.parser != next(iter(corpus.parses)) or a >= b:
                continue
            parses = [[corpus.parses[x][s] for s in found.used] for x in (one.parser, other.parser)]
            scores = found.systems[a].sentence_scores[0], found.systems[b].sentence_scores[0]
            pairs.append(
                compare_parsers(
                    (one.name, other.name), (parses[0], parses[1]), scores, numbers,
                    higher_is_better=found.metrics[0].higher_is_better,
                )
            )  # fmt: skip
    return pairs
