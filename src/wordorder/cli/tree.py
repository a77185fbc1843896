"""``wordorder tree``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wordorder.core.forest import Forest
    from wordorder.core.tree import Tree

HELP = """\
\b
  wordorder tree "2 4 5 6 1 3" --words "I will wait for you tomorrow"
  wordorder tree "4 3 2 1" --forest
  wordorder tree "1 3 0 2" --base 0 --svg tree.svg

Draw the tree of a permutation. Number k of the permutation is the place of word k; with
--order, number k is the word that is read k-th, as order files have it. A tree in bracket
or Penn-style text, such as "(P21 2 1)", or as 'preorder apply --output tree' writes it, can be
given instead of numbers.
"""


@click.command("tree", help=HELP)
@click.argument("permutation")
@click.option("--words", metavar="TEXT", help="The words of the sentence, separated by blanks.")
@click.option(
    "--base", type=click.Choice(["0", "1"]), default="1", show_default=True, help="Smallest number."
)
@click.option("--order", "is_order", is_flag=True, help="The numbers are an order, not places.")
@click.option(
    "--form",
    type=click.Choice(["flat", "left", "right"]),
    default=None,
    help="Chains as one node, or canonical.",
)
@click.option("--forest", "show_forest", is_flag=True, help="Count and list all trees.")
@click.option("--limit", type=click.IntRange(0), default=20, show_default=True, help="Trees to list at most.")
@click.option(
    "-m", "--metrics", "specs", multiple=True, default=["pet_size,max_operator,recpef"], metavar="METRIC,...",
    help="Scores under the tree.",
)  # fmt: skip
@click.option("--svg", metavar="FILE", help="Also write a picture.")
@click.option(
    "-o", "--output", type=click.Choice(["text", "brackets", "penn", "json"]), default="text",
    show_default=True, help="Form.",
)  # fmt: skip
def command(
    permutation: str,
    words: str | None,
    base: str,
    is_order: bool,
    form: str | None,
    show_forest: bool,
    limit: int,
    specs: tuple[str, ...],
    svg: str | None,
    output: str,
) -> None:
    """Draw a tree."""
    import itertools

    from wordorder.cli.options import wants_color
    from wordorder.core.forest import Forest
    from wordorder.core.permutation import Permutation
    from wordorder.core.tree import Tree, tree
    from wordorder.draw import tree_svg, tree_text
    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.metrics.registry import parse_ordering_metrics, spec_of

    metrics = parse_ordering_metrics(specs)
    if any("\ud800" <= c <= "\udfff" for c in f"{words}{permutation}"):
        raise BadSetting("the words are not valid UTF-8")
    labels = words.split() if words is not None else None
    if "(" in permutation:
        if is_order or base != "1":
            raise click.UsageError("--order and --base are for numbers, not for a tree in text")
        drawn = _tree_of(permutation)
        given = drawn.permutation
        drawn = Tree(given, drawn.table, drawn.words if labels is None else labels)
    else:
        given = Permutation.parse(permutation, base=int(base))
        given = given.inverse() if is_order else given
        drawn = tree(given, labels)
    drawn = getattr(drawn, form)() if form else drawn
    forest = Forest(drawn.permutation, drawn.words)
    scores = {spec_of(m): m(given) for m in metrics}
    listed = list(itertools.islice(forest.trees(), limit)) if show_forest else []

    if svg:
        with open_output(svg) as out:
            out.write(tree_svg(drawn).encode())
    with open_output("-") as out:
        if output == "json":
            out.write(_json(drawn, forest, scores, listed))
            return
        writers = {"brackets": Tree.to_brackets, "penn": Tree.to_penn}
        if output in writers:
            for one in listed if show_forest else [drawn]:
                out.write(writers[output](one).encode() + b"\n")
            return
        out.write(tree_text(drawn, color=wants_color()).rstrip("\n").encode() + b"\n")
        summary = [f"{_number(forest.count)} tree{'s' if forest.count != 1 else ''}"]
        summary += [f"{name} {value:.2f}" for name, value in scores.items()]
        out.write(" · ".join(summary).encode() + b"\n")
        if show_forest:
            spans, inferences = forest.size
            out.write(f"packed forest: {spans} spans, {inferences} inferences\n".encode())
            for number, one in enumerate(listed, start=1):
                out.write(f"{number:>4}  {one}\n".encode())
            if forest.count > len(listed):
                rest = _number(forest.count - len(listed))
                out.write(f"      and {rest} more (--limit)\n".encode())
    if svg and svg != "-":
        click.echo(f"wrote {svg}", err=True)


def _tree_of(text: str) -> Tree:
    """A tree in text: that of a permutation, or one that a preorderer wrote, with its words in tags."""
    from wordorder.core.tree import Tree
    from wordorder.preorder.trees import SourceTree

    if "(ROOT" not in text and "(tag_" not in text:
        return Tree.parse(text)
    made, words = SourceTree.parse(text)
    return made.to_tree([word.replace("-LRB-", "(").replace("-RRB-", ")") for word in words])


def _number(count: int) -> str:
    """A count for people: all digits, or its magnitude when there are very many."""
    if count < 10**15:
        return f"{count:,}"
    import math

    return f"about 10^{math.log10(count):.1f}"


def _json(drawn: Tree, forest: Forest, scores: dict[str, float], listed: list[Tree]) -> bytes:
    import orjson

    count = forest.count
    spans, inferences = forest.size
    nodes = [
        {
            "begin": node.begin,
            "end": node.end,
            "kind": node.kind,
            "arity": node.arity,
            "operator": list(node.operator),
        }
        for node in drawn.nodes()
    ]
    data = {
        "permutation": list(drawn.permutation),
        "words": drawn.words,
        "tree": drawn.to_brackets(),
        "nodes": nodes,
        "trees": count if count < 2**53 else str(count) if count < 10**4000 else _number(count),
        "forest": {"spans": spans, "inferences": inferences, "listed": [str(one) for one in listed]},
        "scores": scores,
    }
    return orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n"
