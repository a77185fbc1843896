"""``wordorder beer``: the command line of the released BEER, and its line protocol."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from wordorder.cli.options import quiet_option, refuse

if TYPE_CHECKING:
    from wordorder.metrics.beer import Beer

HELP = """\
\b
  wordorder beer -s system.txt -r reference1.txt:reference2.txt --printSentScores
  wordorder beer --serve-stdio
  wordorder beer -s system.txt -r reference.txt --model FOLDER

BEER as its released program is called: a line 'total BEER X', before it 'sent 1 score is X' for every
sentence if asked. --serve-stdio answers lines 'EVAL ||| system ||| reference ||| ...' of standard input,
each at once, for tuners (docs/beer.md). Without --model it is plain beer, the same as in wordorder score.
"""
RELEASED = ("default", "linear", "linear_self_train")


@click.command("beer", help=HELP)
@click.option("-s", "--sysFile", "system", metavar="FILE", help="Translations, one a line.")
@click.option(
    "-r", "--refFiles", "references", metavar="FILE:FILE...", help="References; the best of several counts."
)
@click.option("--printSentScores", "sentences", is_flag=True, help="The score of each sentence, too.")
@click.option(
    "--model",
    metavar="FOLDER|NAME",
    help="A BEER 2.0 model folder, scored as the program does; a folder of train-metric; or default, linear, "
    "linear_self_train of the BEER 2.0 that BEER_HOME names.",
)
@click.option("--metric", "spec", metavar="SPEC", help="Instead of --model: beer:version=1.1,language=de.")
@click.option("--explain", is_flag=True, help="What each group of features adds to each sentence's score.")
@click.option("--json", "as_json", is_flag=True, help="With --explain: JSON, a line a sentence.")
@click.option("--serve-stdio", "serving", is_flag=True, help="Answer requests on standard input.")
@click.option(
    "-t", "--threads", type=click.IntRange(1, 1024), default=None, help="For files; default: all cores."
)
@quiet_option
def command(
    system: str | None,
    references: str | None,
    sentences: bool,
    model: str | None,
    spec: str | None,
    explain: bool,
    as_json: bool,
    serving: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Score files, explain, or serve."""
    if not explain:
        refuse("as_json", why="it is the form of what --explain tells")
    if spec:
        refuse("model", why="--metric names the model")
    made = beer_named(spec) if spec else beer_of(model)
    if serving:
        refuse("system", "references", "sentences", "explain", why="--serve-stdio reads requests, not files")
        from wordorder.cli.beer_protocol import serve

        serve(made, sys.stdin.buffer, sys.stdout.buffer)
        return
    if not system or not references:
        raise click.UsageError("give -s SYSTEM and -r REFERENCE, or --serve-stdio")
    if explain:
        refuse("sentences", why="--explain tells the score of each sentence")
        explain_files(made, system, references.split(":"), as_json)
        return
    score_files(made, system, references.split(":"), sentences, threads, quiet)


def beer_of(model: str | None) -> Beer:
    """Plain beer, a folder of BEER 2.0 with the program's mistakes, or a folder of ``train-metric``."""
    from wordorder.io.model_folder import ABOUT
    from wordorder.metrics.beer import Beer

    if not model:
        return Beer()
    if model in RELEASED and not os.path.exists(model):
        model = _released(model)
    if os.path.isfile(os.path.join(model, ABOUT)):
        return Beer(model=model)
    return Beer(version="2.0", model=model, compat="original")


def beer_named(spec: str) -> Beer:
    """BEER with settings, as in ``wordorder score``."""
    from wordorder.metrics.beer import Beer
    from wordorder.metrics.registry import metric

    made = metric(spec)
    if not isinstance(made, Beer):
        raise click.UsageError(f"--metric is {spec!r}; expected beer, with settings if wanted")
    return made


def _released(name: str) -> str:
    """The folder of a model that came with the program, which this package does not have."""
    home = os.environ.get("BEER_HOME")
    if not home:
        raise click.UsageError(
            f"--model {name} is a model of the released BEER 2.0, which does not come with this package: "
            "set BEER_HOME to its folder (with models/ in it), or give the model's own: --model FOLDER"
        )
    return os.path.join(home, "models", name)


def score_files(
    beer: Beer, system: str, references: list[str], sentences: bool, threads: int | None, quiet: bool
) -> None:
    """Print what the program prints."""
    from wordorder.cli.beer_protocol import as_java
    from wordorder.cli.progress import counted
    from wordorder.engine.score_texts import score_segments
    from wordorder.engine.text_blocks import read_blocks
    from wordorder.engine.threads import available_threads
    from wordorder.io.files import open_output

    if not all(references):
        raise click.UsageError(f"-r {':'.join(references)}: a file name between colons is empty")
    blocks = counted(read_blocks(references, [system]), quiet=quiet)
    total, segments = 0.0, 0
    with open_output("-") as out:
        for block in score_segments(blocks, [beer], threads=threads or available_threads()):
            for score in block.scores[0][0].tolist():
                total, segments = total + score, segments + 1  # one by one, to round as the program does
                if sentences:
                    out.write(f"sent {segments} score is {as_java(score)}\n".encode())
        mean = total / (segments + 1 if beer.compat == "original" else segments)
        out.write(f"total BEER {as_java(mean)}\n".encode())


def explain_files(beer: Beer, system: str, references: list[str], as_json: bool) -> None:
    """Tell for each sentence, and its best reference, where the score comes from."""
    import orjson

    from wordorder.engine.text_blocks import read_blocks
    from wordorder.io.files import open_output
    from wordorder.metrics.beer.explain import explained

    number = 0
    with open_output("-") as out:
        for block in read_blocks(references, [system]):
            told = [explained(beer.trained, block.systems[0], stream) for stream in block.references]
            for each in zip(*told, strict=True):
                number += 1
                best = max(each, key=lambda one: one.score)
                if as_json:
                    out.write(orjson.dumps({"segment": number, **best.as_data()}) + b"\n")
                else:
                    out.write(f"sent {number}: {best.text()}\n".encode())
