"""``wordorder demo``."""

from __future__ import annotations

import click

HELP = """\
\b
  wordorder demo
  wordorder demo --folder demo

Score two systems on the sample that comes with the package, draw a tree, and say which
files were written.
"""
SENTENCE = 3  # a relative clause that moves as a block: the most to see


@click.command("demo", help=HELP)
@click.option("--folder", default="demo", show_default=True, metavar="FOLDER", help="Where to write.")
def command(folder: str) -> None:
    """Show what the package does."""
    from pathlib import Path

    import orjson

    from wordorder.core.permutation import Permutation
    from wordorder.core.tree import tree
    from wordorder.data import sample
    from wordorder.draw import crossing_svg, tree_svg, tree_text
    from wordorder.io.files import open_output
    from wordorder.io.permutations import read_permutations
    from wordorder.metrics.base import OrderingMetric
    from wordorder.metrics.registry import parse_metrics, spec_of
    from wordorder.report.scores import describe
    from wordorder.report.table import text_table

    names = "kendall,fuzzy,pet_size,recpef,anticipation"
    metrics = [m for m in parse_metrics([names]) if isinstance(m, OrderingMetric)]
    systems = {name: read_permutations(str(sample(f"{name}.order"))) for name in ("system-a", "system-b")}
    scores = {name: [m.corpus_score(orders) for m in metrics] for name, orders in systems.items()}

    rows = [["", *(spec_of(m) + ("" if m.higher_is_better else " ↓") for m in metrics)]]
    rows += [[name, *(f"{s.value:.3f}" for s in row)] for name, row in scores.items()]
    click.echo(f"Two systems, {len(systems['system-a'])} sentences (↓ lower is better):\n")
    click.echo(text_table(rows))

    words = sample("system-b.txt").read_text(encoding="utf-8").splitlines()[SENTENCE - 1].split()
    order = systems["system-b"][SENTENCE - 1]
    reference = Permutation(order).inverse().apply(words)
    click.echo(f"Sentence {SENTENCE} of system-b, each word with its place in the reference:\n")
    click.echo(tree_text(tree(order, words)))

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    data = [
        {**describe(m), "scores": {name: row[k].as_dict() for name, row in scores.items()}}
        for k, m in enumerate(metrics)
    ]
    files = {
        "scores.json": ("scored 2 systems on the sample", orjson.dumps(data, option=orjson.OPT_INDENT_2)),
        f"tree-{SENTENCE}.svg": (
            f"drew the tree of sentence {SENTENCE}",
            tree_svg(tree(order, words)).encode(),
        ),
        f"order-{SENTENCE}.svg": (
            f"drew how sentence {SENTENCE} crosses",
            crossing_svg(order, reference).encode(),
        ),
    }
    click.echo()
    for name, (done, content) in files.items():
        with open_output(str(target / name)) as out:
            out.write(content)
        click.echo(f"✔ {done:<34} {target / name}")
    click.echo("Next: wordorder score --help · wordorder tree --help · wordorder metrics")
