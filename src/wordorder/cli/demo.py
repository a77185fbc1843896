"""``wordorder demo``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from wordorder.cli.vocabulary import output_folder

if TYPE_CHECKING:
    from pathlib import Path

HELP = """\
\b
  wordorder demo
  wordorder demo --folder demo

Copy the bundled sample into a folder and show what the package does with it: score two systems,
draw a tree, compare metrics with human judgments, and reorder English sentences for Japanese.
Every step is an ordinary command, printed before it runs; the examples of the documentation use
the same files.
"""
SENTENCE = 3  # a relative clause that moves as a block
FILES = ("reference.txt", "system-a.txt", "system-b.txt", "system-a.ranks", "system-b.ranks", "text.en",
         "text.ja", "text.align", "text.conllu", "rated/ratings.tsv", "rated/identity.ja", "rated/reverse.ja",
         "rated/head-final.ja", "rated/en-ja.ja", "rated/second.align", "rated/free.ja", "rated/free.align",
         "rated/parser.conllu", "candidates.nbest")  # fmt: skip
STEPS = (
    ("Score two systems. Are the differences significant?",
     "score -r {demo}/reference.txt {demo}/system-a.txt {demo}/system-b.txt --paired bootstrap"),
    ("Look at one sentence: which place in the reference does each word of system-b belong to?",
     "draw -r {demo}/reference.txt --system {demo}/system-b.txt --sentence {sentence}"),
    ("Draw the same as a picture.",
     "draw -r {demo}/reference.txt --system {demo}/system-b.txt --sentence {sentence} -o {demo}/tree.svg"),
    ("Do metrics agree with people? (These judgments were written for the sample.)",
     "judge {demo}/judgments -m kendall,recpef,full,chrf --baseline kendall --level segment --no-cache"),
    ("Put English sentences into the word order of Japanese, with a shipped model.",
     "preorder apply --model en-multi-crf --set language=ja -s {demo}/plain.en"),
    ("Why this order? Which words made the difference?",
     "preorder explain --model en-ja-crf -s {demo}/plain.en --sentence 1"),
    ("", "draw --model en-ja-crf -s {demo}/plain.en --sentence 1 -o {demo}/explained.svg"),
    ("Do it by rules over dependency trees. The shipped parser finds the trees.",
     "preorder parse -s {demo}/plain.en -o {demo}/plain.conllu"),
    ("", "preorder explain --model rules:en-ja --parse {demo}/plain.conllu --sentence 1"),
    ("Tune the weights of a system towards a metric. (These candidates and features are made up.)",
     "tune {demo}/candidates.nbest -r {demo}/reference.txt -m kendall --method mira"
     " --save-weights {demo}/tuned.weights"),
    ("Write the scores for other programs and for a paper.",
     "score -r {demo}/reference.txt {demo}/system-a.txt {demo}/system-b.txt --paired bootstrap"
     " -o {demo}/scores.json"),
    ("", "score -r {demo}/reference.txt {demo}/system-a.txt {demo}/system-b.txt --paired bootstrap"
     " -o {demo}/scores.tex"),
    ("Put all of it on one page that opens in any browser.",
     "report score -r {demo}/reference.txt {demo}/system-a.txt {demo}/system-b.txt --paired bootstrap"
     " -o {demo}/report.html"),
)  # fmt: skip
NEEDED = {  # the models of steps, by words of their commands
    "--model en-multi-crf": "preorder/en-multi-crf",
    "--model en-ja-crf": "preorder/en-ja-crf",
    "preorder parse": "parse/en",
    "plain.conllu": "parse/en",
}
WRITTEN = {
    "scores.json": "scores of 2 systems",
    "scores.tex": "the same as a LaTeX table",
    "report.html": "a report of both, sentence by sentence",
    "tree.svg": "the tree of one sentence",
    "plain.conllu": "dependency trees of the English sentences",
    "tuned.weights": "tuned weights, as Moses reads them",
    "explained.svg": "the tree of a predicted order",
}
PLAIN = (  # written for the demo
    "my father is reading a newspaper in the garden .",
    "i think that he will come tomorrow .",
    "he became the third shogun of the muromachi shogunate .",
)


@click.command("demo", help=HELP)
@click.option(
    "--folder", callback=output_folder, default="demo", show_default=True, metavar="FOLDER",
    help="Folder to write to.",
)  # fmt: skip
def command(folder: str) -> None:
    """Run the steps of the demo."""
    from pathlib import Path

    demo = Path(folder)
    copy_sample(demo)
    missing = missing_models()
    for title, line in STEPS:
        click.echo(f"\n{title}\n" if title else "", nl=bool(title))
        needed = [model for words, model in NEEDED.items() if words in line and model in missing]
        if needed:
            click.echo(f"(skipped: wordorder {line.split(' -s ')[0]} needs {needed[0]}; see the end)")
        else:
            run(line.format(demo=demo, sentence=SENTENCE))
    click.echo()
    for name, what in WRITTEN.items():
        if (demo / name).exists():
            click.echo(f"✔ {what:<36} {demo / name}")
    if missing:
        click.echo(f"Not installed: {', '.join(missing)}. To see all steps: pip install wordorder-models")
    click.echo("Next: wordorder serve, or score, draw, report, judge, align, preorder or evaluate --help")


def missing_models() -> list[str]:
    """Return the models that steps need and that are not installed."""
    from wordorder.io.model_store import find_model

    return [model for model in dict.fromkeys(NEEDED.values()) if not find_model(*model.split("/"))]


def copy_sample(folder: Path) -> None:
    """Write the sample corpus and its judgments to a folder."""
    import shutil

    from wordorder.data import sample, sample_judgments
    from wordorder.io.files import open_output

    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        if (folder / name).exists() and (folder / name).read_bytes() != sample(name).read_bytes():
            raise click.UsageError(f"{folder / name} is not the sample's file; choose another --folder")
    (folder / "rated").mkdir(exist_ok=True)
    for name in FILES:
        with open_output(str(folder / name)) as out:
            out.write(sample(name).read_bytes())
    with open_output(str(folder / "plain.en")) as out:
        out.write("".join(f"{line}\n" for line in PLAIN).encode())
    shutil.copytree(sample_judgments(), folder / "judgments", dirs_exist_ok=True)


def run(line: str) -> None:
    """Run a command as the user would type it."""
    from wordorder.cli.main import command as wordorder

    click.echo(f"$ wordorder {line}")
    wordorder.main(shlex.split(line), prog_name="wordorder", standalone_mode=False)
