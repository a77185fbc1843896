"""``wordorder demo``."""

from __future__ import annotations

from typing import Any

import click

HELP = """\
\b
  wordorder demo
  wordorder demo --folder demo

Score two systems on the sample that comes with the package, draw a tree, judge metrics by
people, put English sentences into Japanese order, tell why, and say which files were written.
"""
SENTENCE = 3  # a relative clause that moves as a block: the most to see
METRICS = "kendall,fuzzy,recpef,full,lrscore,chrf"
PREORDERED = (  # written for the demo, of the kind that the model was trained on
    "he became the third shogun of the muromachi shogunate .",
    "my father is reading a newspaper in the garden .",
    "i think that he will come tomorrow .",
)


@click.command("demo", help=HELP)
@click.option("--folder", default="demo", show_default=True, metavar="FOLDER", help="Where to write.")
def command(folder: str) -> None:
    """Show what the package does."""
    from pathlib import Path

    from wordorder.core.tree import tree
    from wordorder.data import sample, sample_judgments
    from wordorder.draw import crossing_svg, tree_svg, tree_text
    from wordorder.engine.compare import compare
    from wordorder.engine.score_texts import collect
    from wordorder.engine.text_blocks import read_blocks
    from wordorder.io.files import open_output
    from wordorder.io.permutations import read_permutations
    from wordorder.judge.agreement import agree
    from wordorder.judge.formats.tables import TableFolder
    from wordorder.judge.metric_scores import Scorer
    from wordorder.judge.task import Task
    from wordorder.metrics.registry import parse_metrics
    from wordorder.preorder import as_sources, load_preorderer
    from wordorder.report.agreement import agreement_report
    from wordorder.report.explanation import explanation_svg, explanation_text
    from wordorder.report.system_table import SystemTable, system_report

    names = ["system-a", "system-b"]
    files = [str(sample(f"{name}.txt")) for name in names]
    metrics = {m.name: m.with_tokenizer(None) for m in parse_metrics([METRICS])}
    stats = collect(read_blocks([str(sample("reference.txt"))], files), list(metrics.values()), names)
    settings: dict[str, Any] = {"samples": 1000, "seed": 12345, "paired": "bootstrap"}
    comparison = compare([s.rows for s in stats], [m.scores for m in metrics.values()], **settings)
    compared = SystemTable(systems=stats, metrics=metrics, comparison=comparison, references=1, **settings)
    click.echo(system_report(compared, "text").decode())

    words = Path(files[1]).read_text(encoding="utf-8").splitlines()[SENTENCE - 1].split()
    order = read_permutations(str(sample("system-b.order")))[SENTENCE - 1]
    reference = order.apply(words)
    click.echo(f"Sentence {SENTENCE} of system-b, each word with its place in the reference:\n")
    click.echo(tree_text(tree(order, words)))

    sets = TableFolder().read(str(sample_judgments()))
    asked = parse_metrics(["kendall,recpef,full,chrf"])
    task = Task(data=("judgments",), baselines=("kendall",))
    judged = agree(task, sets, Scorer()(sets, asked))
    click.echo("\nDo metrics agree with people? Judgments written for the sample, to show the form:\n")
    click.echo(agreement_report([judged], "text").decode().partition("\n\nkendall: ")[0])

    model = load_preorderer("en-ja")
    sources = as_sources([line.split() for line in PREORDERED])
    orders = model.reorder_batch(sources)
    click.echo("\nEnglish in the word order of Japanese, by a model that comes with the package:\n")
    for source, new in zip(sources, orders, strict=True):
        click.echo(f"  {' '.join(source.words)}\n→ {' '.join(new.apply(source.words))}")
    why = load_preorderer("en-ja-crf").explain(sources[0])
    click.echo("\nThe first one by a forest CRF, which tells the words that mattered and its tree:\n")
    click.echo("".join(f"  {line}\n" for line in explanation_text(why).splitlines()))
    trees = "".join(
        f"{tree.to_penn(s.words)}\n" for s, tree in zip(sources, model.trees(sources), strict=True)
    )

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    written = {
        "scores.json": ("scored 2 systems on the sample", system_report(compared, "json")),
        "scores.tex": ("the same as a LaTeX table", system_report(compared, "latex")),
        "judged.json": ("judged 4 metrics by people", agreement_report([judged], "json")),
        "preordered.trees": (f"reordered {len(PREORDERED)} sentences", trees.encode()),
        "explained.svg": ("drew the tree of the first", explanation_svg(why).encode()),
        f"tree-{SENTENCE}.svg": (
            f"drew the tree of sentence {SENTENCE}",
            tree_svg(tree(order, words)).encode(),
        ),
        f"order-{SENTENCE}.svg": (
            f"drew how sentence {SENTENCE} crosses",
            crossing_svg(order.inverse(), reference).encode(),
        ),
    }
    click.echo()
    for name, (done, content) in written.items():
        with open_output(str(target / name)) as out:
            out.write(content)
        click.echo(f"✔ {done:<34} {target / name}")
    click.echo("Next: wordorder score, tree, judge, align or preorder --help")
