"""``wordorder preorder explain``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder preorder explain --rules en-ja --parse test.conllu --sentence 3
  wordorder preorder explain --rules my-rules.toml --parse test.conllu --output json

Tell why sentences are in the order that they are in: every rule that fired, the head it fired for, its
line in its file, and where the pieces went.
"""


@click.command("explain", help=HELP)
@click.option("--rules", "name", required=True, metavar="NAME|FILE", help="A rule set, or a file of rules.")
@click.option("--parse", required=True, metavar="FILE", help="Dependency trees (CoNLL-U).")
@click.option(
    "--sentence", "numbers", multiple=True, type=click.IntRange(1), help="Only this one; may be repeated."
)
@click.option(
    "-o", "--output", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Form."
)
@click.option("--out", default="-", metavar="FILE", help="Write to a file, all or nothing.")
def command(name: str, parse: str, numbers: tuple[int, ...], output: str, out: str) -> None:
    """Explain orders."""
    import orjson

    from wordorder.errors import BadSetting
    from wordorder.io.files import open_output
    from wordorder.preorder.corpus import read_sources
    from wordorder.preorder.rules import explain, rule_set
    from wordorder.preorder.rules.matching import Matcher

    trees = {row.number: row.source.parse for row in read_sources(None, parse=parse) if row.source.parse}
    for number in numbers:
        if number not in trees:
            raise BadSetting(f"there is no sentence {number}: {parse} has {len(trees)}")
    chosen = {number: trees[number] for number in numbers or trees}
    found = explain(Matcher(rule_set(name)), list(chosen.values()))
    with open_output(out) as handle:
        if output == "json":
            data = [{"number": n, **one.as_dict()} for n, one in zip(chosen, found, strict=True)]
            handle.write(orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")
        else:
            handle.write("\n".join(one.to_text() for one in found).encode("utf-8"))
