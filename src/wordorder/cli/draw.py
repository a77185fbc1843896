"""``wordorder draw``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import click

from wordorder.cli.model_settings import check_annotation, load_with_settings, preorderer_options
from wordorder.cli.tree import read_tree
from wordorder.cli.vocabulary import (
    PICTURE_FORMATS,
    align_format_option,
    align_option,
    base_option,
    chosen_format,
    language_option,
    links_format,
    lowercase_option,
    match_option,
    normalize_option,
    output_option,
    paraphrases_option,
    parse_option,
    ranks_option,
    references_option,
    refuse,
    set_by_user,
    source_option,
    target_option,
    tokenize_option,
    wants_color,
    wordnet_option,
    words_option,
)

if TYPE_CHECKING:
    from wordorder.draw.pictures import Pictures
    from wordorder.io.parallel import Numbered

R = TypeVar("R", bound="Numbered")
HELP = """\
\b
  wordorder draw --reference ref.txt --system system.txt --sentence 17
  wordorder draw --reference ref.txt --system system.txt --sentence 17 --as curves -o picture.svg
  wordorder draw --source text.en --target text.ja --align text.align --sentence 3 -o links.png
  wordorder draw --model en-ja-crf --source text.en --as tree --as precedence -o why.svg
  wordorder draw "2 4 5 6 1 3" --words "I will wait for you tomorrow" -o tree.tex

Draw sentences. The file name decides the format: .svg, .png, .tex (a LaTeX document) or .tikz (for
\\input); otherwise the picture is drawn as text. There are four kinds of input:

\b
  -r, --system   a translation: the places of its words in the reference
  --align        a sentence and its translation, with their links
  --model        the order that a preorderer predicts for a sentence
  PERMUTATION    the place of each word, as in 'wordorder tree'

\b
and seven pictures (--as):
  tree           the permutation tree over the words, and the new order
  forest         all trees in one picture
  curves         two rows of words with curves; curves that cross have another colour
  matrix         a table of links; blocks (minimal phrase pairs) are outlined
  anticipation   how many words a simultaneous translator has to guess, by lag
  lattice        the best orders of a model as a lattice
  precedence     the probability that one word comes before another, from a model
"""
KINDS = ("tree", "forest", "curves", "matrix", "lattice", "precedence", "anticipation")
MATCHING = ("tokenize", "lowercase", "normalize", "match", "language", "wordnet", "paraphrases")
# What belongs to each input; other options would have no effect.
INPUTS: dict[str, tuple[str, ...]] = {
    "permutation": ("words", "ranks", "base"),
    "systems": ("references", "numbers", *MATCHING),
    "align": ("source", "target", "align_format", "base", "policy", "numbers"),
    "model": ("changes", "source", "parse", "words", "k", "numbers"),
}
NAMES = {
    "permutation": "a permutation",
    "systems": "a translation",
    "align": "an alignment",
    "model": "a model",
}


@click.command("draw", help=HELP)
@click.argument("permutation", required=False)
@words_option
@ranks_option
@base_option
@references_option
@click.option("--system", "systems", multiple=True, metavar="FILE", help="Translations; may be repeated.")
@source_option
@target_option
@align_option
@align_format_option
@click.option(
    "--policy", default="talbot", show_default=True, metavar="POLICY",
    help="Rule that turns alignments into orders, such as thesis:link=first ('wordorder orders --help').",
)  # fmt: skip
@preorderer_options
@parse_option
@click.option(
    "-k", type=click.IntRange(1, 100_000), default=None, help="Number of orders in a lattice. Default: 10."
)
@click.option(
    "--sentence", "numbers", multiple=True, type=click.IntRange(1),
    help="Number of a sentence to draw, from 1; may be repeated. Default: the first.",
)  # fmt: skip
@click.option(
    "--as", "kinds", multiple=True, type=click.Choice(KINDS),
    help="Picture to draw; may be repeated. Default: curves for an alignment, otherwise tree.",
)  # fmt: skip
@click.option(
    "--width", type=click.IntRange(300, 100_000), default=1200, show_default=True,
    help="Largest width of trees, curves, tables and lattices in pixels; wider ones are folded and wrapped.",
)  # fmt: skip
@click.option(
    "--unfold", is_flag=True, help="Do not fold words that stay in order, however wide the tree is."
)
@tokenize_option
@lowercase_option
@normalize_option
@match_option
@language_option
@wordnet_option
@paraphrases_option
@click.option(
    "-f", "--format", "form", type=click.Choice(["text", "svg", "png", "latex", "tikz"]), default=None,
    help="Output format. Default: by the ending of --output (.svg, .png, .tex, .tikz), else text.",
)  # fmt: skip
@output_option
def command(
    kinds: tuple[str, ...], width: int, unfold: bool, form: str | None, output: str, **options: Any
) -> None:
    """Draw sentences."""
    from wordorder.draw.pictures import PictureSettings
    from wordorder.draw.scene import stacked
    from wordorder.draw.writing import scene_bytes
    from wordorder.io.files import open_output

    chosen = chosen_format(form, output, PICTURE_FORMATS)
    what = _input_of(options)
    shown = []
    for title, pictures in READERS[what](**options):
        for kind in dict.fromkeys(kinds or ("curves" if what == "align" else "tree",)):
            if kind not in pictures:
                able = ", ".join(name for name in KINDS if name in pictures)
                raise click.UsageError(f"{NAMES[what]} has no {kind}; it has {able}")
            shown.append((title, pictures[kind]))
    if chosen == "text":
        color = output == "-" and wants_color()
        texts = [picture.text(color) for _, picture in shown]
        heads = [f"{title}\n" if title and len(shown) > 1 else "" for title, _ in shown]
        content = "\n\n".join(head + text for head, text in zip(heads, texts, strict=True)).encode() + b"\n"
    else:
        scene = stacked([picture.scene(PictureSettings(title, width, unfold)) for title, picture in shown])
        content = scene_bytes(scene, chosen)
    with open_output(output) as out:
        out.write(content)


def _input_of(options: Mapping[str, Any]) -> str:
    """Return which input was given; several, or options of another one, are an error."""
    given = [name for name in INPUTS if options[name]]
    if options["references"] and not options["systems"]:
        raise click.UsageError("missing option --system")
    if options["systems"] and not options["references"]:
        raise click.UsageError("missing option --reference")
    if len(given) != 1:
        raise click.UsageError(
            "give one of: -r REFERENCE with --system SYSTEM, --align LINKS, --model MODEL, or a permutation"
        )
    (what,) = given
    own = {what, *INPUTS[what]}
    others = [name for names in (INPUTS, *INPUTS.values()) for name in names if name not in own]
    refuse(*others, why=f"{NAMES[what]} is drawn")
    return what


def of_permutation(
    permutation: str, words: str | None, ranks: bool, base: str | None, **_: Any
) -> Iterator[tuple[str | None, Pictures]]:
    """Yield the pictures of a permutation or tree in text."""
    from wordorder.draw.pictures import order_pictures

    yield None, order_pictures(read_tree(permutation, words, ranks=ranks, base=base))


def of_translations(
    references: tuple[str, ...], systems: tuple[str, ...], numbers: tuple[int, ...], **options: Any
) -> Iterator[tuple[str | None, Pictures]]:
    """Yield the pictures of sentences of systems, against each reference; words are matched as in score."""
    import itertools

    from wordorder.draw.sentences import translation_pictures
    from wordorder.engine.score_texts import resolve_tokenizers
    from wordorder.engine.text_blocks import ScoredFiles
    from wordorder.evaluate.corpus import system_names
    from wordorder.io.parallel import ParallelRow
    from wordorder.metrics.matched import MatchedMetric
    from wordorder.metrics.registry import parse_metrics

    metrics = parse_metrics(["kendall"], {name: options[name] for name in set_by_user(*MATCHING)})
    blocks = ScoredFiles(references, systems).read()
    first = next(blocks)  # an empty file is an error already
    (matching,), _ = resolve_tokenizers(metrics, first.references)
    assert isinstance(matching, MatchedMetric)
    rows = (
        ParallelRow(number, (mine, refs))
        for block in itertools.chain([first], blocks)
        for number, mine, refs in zip(
            block.numbers,
            zip(*block.systems, strict=True),
            zip(*block.references, strict=True),
            strict=True,
        )
    )
    for number, (mine, refs) in _chosen(rows, numbers, systems[0]):
        for name, hypothesis in zip(system_names(systems), mine, strict=True):
            for k, reference in enumerate(refs, start=1):
                which = f", reference {k}" if len(refs) > 1 else ""
                shown = translation_pictures(hypothesis, reference, matching)
                yield f"{name}, sentence {number}{which}", shown


def of_links(
    align: str,
    source: str | None,
    target: str | None,
    align_format: str,
    base: str | None,
    policy: str,
    numbers: tuple[int, ...],
    **_: Any,
) -> Iterator[tuple[str | None, Pictures]]:
    """Yield the pictures of sentence pairs; sentences without text are numbered."""
    from wordorder.draw.sentences import linked_pictures
    from wordorder.io.aligned import alignment_format, fitted
    from wordorder.io.lines import split_words
    from wordorder.io.links import collect_links
    from wordorder.io.parallel import read_parallel

    form = alignment_format(links_format(align_format, base))
    files = [path for path in (source, target) if path]
    for number, (record, *texts) in _chosen(read_parallel([(align, form), *files]), numbers, align):
        lines = iter(texts)
        links = collect_links([record])
        sides = [
            split_words(next(lines)) if path else [str(k + 1) for k in range(int(sizes[0]))]
            for path, sizes in ((source, links.source_sizes), (target, links.target_sizes))
        ]
        alignment = fitted(record, len(sides[0]), len(sides[1]), path=align, form=form, number=number)
        yield f"sentence {number}", linked_pictures(alignment, *sides, policy=policy)


def of_model(
    model: str,
    changes: tuple[str, ...],
    source: str | None,
    parse: str | None,
    words: str | None,
    k: int | None,
    numbers: tuple[int, ...],
    **_: Any,
) -> Iterator[tuple[str | None, Pictures]]:
    """Yield the pictures of the orders that a model predicts."""
    from wordorder.draw.sentences import LATTICE_ORDERS, predicted_pictures
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.source import Source

    preorderer = load_with_settings(model, changes)
    check_annotation(preorderer, parse=parse)
    orders = k or LATTICE_ORDERS
    if words is not None:
        refuse("source", "parse", "numbers", why="the words are given")
        yield None, predicted_pictures(preorderer, Source(tuple(words.split())), k=orders)
        return
    if not source and not parse:
        raise click.UsageError("missing option --source, --parse or --words")
    for row in _chosen(read_sources(source, parse=parse), numbers, source or str(parse)):
        yield f"sentence {row.number}", predicted_pictures(preorderer, row.source, k=orders)


READERS: dict[str, Callable[..., Iterator[tuple[str | None, Pictures]]]] = {
    "permutation": of_permutation,
    "systems": of_translations,
    "align": of_links,
    "model": of_model,
}


def _chosen(rows: Iterable[R], numbers: tuple[int, ...], path: str) -> list[R]:
    """Return the sentences that were asked for, in that order; a number beyond the end is an error."""
    from wordorder.errors import BadSetting

    asked = numbers or (1,)
    found: dict[int, R] = {}
    count = 0
    for row in rows:
        count = row.number
        if count in asked:
            found[count] = row
        if len(found) == len(set(asked)):
            break
    for number in asked:
        if number not in found:
            raise BadSetting(f"there is no sentence {number}: {path} has {count}")
    return [found[number] for number in asked]
