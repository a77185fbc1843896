"""``wordorder tree``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import (
    base_option,
    chosen_format,
    metrics_option,
    output_option,
    ranks_option,
    wants_color,
    words_option,
)

if TYPE_CHECKING:
    from wordorder.core.forest import Forest
    from wordorder.core.tree import Tree

HELP = """\
\b
  wordorder tree "2 4 5 6 1 3" --words "I will wait for you tomorrow"
  wordorder tree "4 3 2 1" --forest
  wordorder tree "1 3 0 2" -o tree.json

Draw the tree of a permutation as text ('wordorder draw' writes pictures). Number k is the place that
word k takes, from 0 or from 1; with --order, number k is the word that is read k-th, as in order files.
Instead of numbers, a tree can be given in bracket or Penn-style text, such as "(P21 2 1)" or a line
written by 'preorder apply --as tree'.
"""


@click.command("tree", help=HELP)
@click.argument("permutation")
@words_option
@ranks_option
@base_option
@click.option(
    "--chains",
    "form",
    type=click.Choice(["flat", "left", "right"]),
    default=None,
    help="Keep chains as one node, or bracket them to the left or right.",
)
@click.option("--forest", "show_forest", is_flag=True, help="Count and list all trees of the permutation.")
@click.option(
    "--limit", type=click.IntRange(0), default=20, show_default=True, help="Largest number of trees to list."
)
@metrics_option("pet_size,max_operator,recpef")
@click.option(
    "--as", "kind", type=click.Choice(["text", "brackets", "penn", "square", "qtree", "forest", "json"]),
    default=None,
    help="Notation of the tree: penn for NLTK, square for pages that draw trees, qtree and forest for LaTeX. "
    "Default: by the ending of --output (.json), else text.",
)  # fmt: skip
@output_option
def command(
    permutation: str,
    words: str | None,
    ranks: bool,
    base: str | None,
    form: str | None,
    show_forest: bool,
    limit: int,
    specs: tuple[str, ...],
    kind: str | None,
    output: str,
) -> None:
    """Draw a tree."""
    import itertools

    from wordorder.core.forest import Forest
    from wordorder.core.tree import Tree
    from wordorder.draw.labels import readable_count
    from wordorder.draw.tree_lines import tree_text
    from wordorder.draw.tree_notations import to_forest, to_qtree, to_square
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import parse_ordering_metrics, spec_of

    metrics = parse_ordering_metrics(specs)
    kind = chosen_format(kind, output, {".json": "json", ".txt": "text"}, option="--as")
    drawn = read_tree(permutation, words, ranks=ranks, base=base)
    drawn = getattr(drawn, form)() if form else drawn
    forest = Forest(drawn.permutation, drawn.words)
    scores = {spec_of(m): m(drawn.permutation) for m in metrics}
    listed = list(itertools.islice(forest.trees(), limit)) if show_forest else []

    with open_output(output) as out:
        if kind == "json":
            out.write(_json(drawn, forest, scores, listed))
            return
        latex = {"qtree": to_qtree, "forest": to_forest}
        writers = {"brackets": Tree.to_brackets, "penn": Tree.to_penn, "square": to_square, **latex}
        if kind in writers:
            for shown in listed if show_forest else [drawn]:
                out.write(writers[kind](shown).encode() + b"\n")
            return
        out.write(tree_text(drawn, color=output == "-" and wants_color()).rstrip("\n").encode() + b"\n")
        summary = [f"{readable_count(forest.count)} tree{'s' if forest.count != 1 else ''}"]
        summary += [f"{name} {value:.2f}" for name, value in scores.items()]
        out.write(" · ".join(summary).encode() + b"\n")
        if show_forest:
            spans, inferences = forest.size
            out.write(f"packed forest: {spans} spans, {inferences} inferences\n".encode())
            for number, shown in enumerate(listed, start=1):
                out.write(f"{number:>4}  {shown}\n".encode())
            if forest.count > len(listed):
                rest = readable_count(forest.count - len(listed))
                out.write(f"      and {rest} more (--limit)\n".encode())


def read_tree(text: str, words: str | None, *, ranks: bool, base: str | None) -> Tree:
    """Read a permutation, or a tree in text, over the words if given."""
    from wordorder.core.permutation import Permutation
    from wordorder.core.tree import Tree, tree
    from wordorder.errors import BadSetting

    if any("\ud800" <= c <= "\udfff" for c in f"{words}{text}"):
        raise BadSetting("the words are not valid UTF-8")
    labels = words.split() if words is not None else None
    if "(" not in text:
        places = Permutation.parse(text, base=None if base is None else int(base))
        return tree(places if ranks else places.inverse(), labels)
    if not ranks or base is not None:
        raise click.UsageError("--order and --base are for numbers, not for a tree in text")
    read = _tree_of(text)
    return Tree(read.permutation, read.table, read.words if labels is None else labels)


def _tree_of(text: str) -> Tree:
    """Read a tree of a permutation, or one that a preorderer wrote, with its words in tags."""
    from wordorder.core.tree import Tree
    from wordorder.preorder.trees import SourceTree

    if "(ROOT" not in text and "(tag_" not in text:
        return Tree.parse(text)
    source_tree, words = SourceTree.parse(text)
    return source_tree.to_tree([word.replace("-LRB-", "(").replace("-RRB-", ")") for word in words])


def _json(drawn: Tree, forest: Forest, scores: dict[str, float], listed: list[Tree]) -> bytes:
    import orjson

    from wordorder.draw.labels import readable_count

    count = forest.count
    spans, inferences = forest.size
    nodes = [
        {
            **{key: getattr(node, key) for key in ("begin", "end", "kind", "arity")},
            "operator": [*node.operator],
        }
        for node in drawn.nodes()
    ]
    data = {
        "permutation": list(drawn.permutation),
        "words": drawn.words,
        "tree": drawn.to_brackets(),
        "nodes": nodes,
        "trees": count if count < 2**53 else str(count) if count < 10**4000 else readable_count(count),
        "forest": {"spans": spans, "inferences": inferences, "listed": list(map(str, listed))},
        "scores": scores,
    }
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"
