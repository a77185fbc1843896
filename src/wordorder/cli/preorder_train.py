"""``wordorder preorder train``."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.options import links_format, links_options, quiet_option, threads_option

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HELP = """\
\b
  wordorder preorder train --source train.en --align train.align --model en-xx
  wordorder preorder train --method grammar:arity=2 --source s --align a --model itg --seed 7
  wordorder preorder train --method crf --source s --align a --raw more.en --model en-xx
  wordorder preorder train --source s --align a --model en-xx --resume

Learn to reorder from sentences, one a line, and the links of their words to a translation. METHOD
is a name with or without settings ('wordorder preorder list'). The state is kept in MODEL.checkpoint
after every iteration; --resume goes on from there, to the same model.
"""


@click.command("train", help=HELP)
@click.option(
    "--method", default="grammar", show_default=True, metavar="NAME[:KEY=VALUE,...]", help="What to train."
)
@click.option("--source", required=True, metavar="FILE", help="Source text, words between blanks.")
@click.option("--align", "links", required=True, metavar="FILE", help="Links to the target.")
@click.option("--target", metavar="FILE", help="Target text, to check the links against.")
@click.option("--parse", metavar="FILE", help="Parses of the source (CoNLL-U), for crf:labels=...")
@links_options
@click.option("--model", required=True, metavar="FOLDER", help="Where to write the model.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of what is random.")
@click.option("--resume", is_flag=True, help="Go on with a training that was interrupted.")
@click.option("--fresh", is_flag=True, help="Begin again, and forget a training that was interrupted.")
@click.option("--dev-source", metavar="FILE", help="Held-out text, to watch the training.")
@click.option("--dev-align", metavar="FILE", help="Its links.")
@click.option("--raw", metavar="FILE", help="More source text, for methods that learn what words are like.")
@click.option("--auto-source", metavar="FILE", help="Text with automatic links, to learn from first.")
@click.option("--auto-align", metavar="FILE", help="Its links.")
@click.option("--auto-parse", metavar="FILE", help="Its parses.")
@click.option("--languages", metavar="FILE", help="Target language of each sentence, to learn several (crf).")
@click.option("--auto-languages", metavar="FILE", help="The same for the text with automatic links.")
@click.option(
    "--device",
    default="auto",
    show_default=True,
    help="Where to train a network: cpu, cuda; auto: cuda if any.",
)
@click.option("--log", metavar="FILE", help="Write a line of JSON an iteration.")
@click.option("--cluster", metavar="ADDRESS", help="Work on a Dask cluster; local:N starts N processes here.")
@click.option("--lenient", is_flag=True, help="Skip bad lines, count and report them.")
@threads_option
@quiet_option
def command(
    method: str,
    source: str,
    links: str,
    target: str | None,
    parse: str | None,
    form: str,
    base: str,
    model: str,
    seed: int,
    resume: bool,
    fresh: bool,
    dev_source: str | None,
    dev_align: str | None,
    raw: str | None,
    auto_source: str | None,
    auto_align: str | None,
    auto_parse: str | None,
    languages: str | None,
    auto_languages: str | None,
    device: str,
    log: str | None,
    cluster: str | None,
    lenient: bool,
    threads: int | None,
    quiet: bool,
) -> None:
    """Train a preorderer."""
    import shutil
    from contextlib import ExitStack
    from pathlib import Path

    from wordorder.engine.threads import available_threads
    from wordorder.errors import BadFile
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import split_words
    from wordorder.io.read_write import read_records
    from wordorder.preorder.base import Training
    from wordorder.preorder.corpus import read_training
    from wordorder.preorder.models import check_replaceable
    from wordorder.preorder.registry import preorderer

    made = preorderer(method)
    if not made.learns:
        raise click.UsageError(f"{made.name} has nothing to learn; apply it as it is")
    if bool(dev_source) != bool(dev_align):
        raise click.UsageError("--dev-source and --dev-align go together")
    if bool(auto_source) != bool(auto_align):
        raise click.UsageError("--auto-source and --auto-align go together")
    if auto_source and bool(languages) != bool(auto_languages):
        raise click.UsageError("--languages and --auto-languages go together where there is --auto-source")
    if auto_languages and not auto_source:
        raise click.UsageError("--auto-languages goes with --auto-source")
    if auto_parse and not auto_source:
        raise click.UsageError("--auto-parse goes with --auto-source")
    wanted = [("--parse", parse), *([("--auto-parse", auto_parse)] if auto_source else [])]
    for option, given in wanted:
        if "parse" in made.needs and not given:
            raise click.UsageError(f"{method} needs {option} FILE")
    if resume and fresh:
        raise click.UsageError("--resume and --fresh contradict each other")
    check_replaceable(model)
    checkpoint = Path(model.rstrip("/") + ".checkpoint")
    _check_checkpoint(checkpoint, resume, fresh)
    links_are = links_format(form, base)
    skipped = Lenient() if lenient else None
    sources, alignments = read_training(
        source, links, target=target, parse=parse, languages=languages, form=links_are, lenient=skipped
    )
    held_out = None
    if dev_source and dev_align:
        held_out = read_training(dev_source, dev_align, form=links_are, lenient=skipped)
    automatic = None
    if auto_source and auto_align:
        automatic = read_training(
            auto_source,
            auto_align,
            parse=auto_parse,
            languages=auto_languages,
            form=links_are,
            lenient=skipped,
        )
    text = [split_words(line) for line in read_records(raw, "text")] if raw else []
    if skipped is not None and skipped.total:
        click.echo(skipped.report(), err=True)
    with ExitStack() as stack:
        written = stack.enter_context(open(log, "ab" if resume else "wb", buffering=0)) if log else None
        show = not quiet and sys.stderr.isatty()
        steps = next((int(made.settings[key]) for key in ("iterations", "epochs") if key in made.settings), 0)
        began = time.monotonic()

        def told(record: dict[str, Any]) -> None:
            import json

            if written:
                try:
                    written.write(json.dumps(record, allow_nan=False).encode() + b"\n")
                except OSError as error:
                    raise BadFile(f"cannot be written: {error.strerror}", file=str(log)) from None
            if show:
                sys.stderr.write(f"\r\033[K{_bar(record, steps, time.monotonic() - began)[:110]}")
                sys.stderr.flush()

        training = Training(
            seed=seed,
            raw=text,
            automatic=automatic,
            threads=threads or available_threads(),
            device=device,
            held_out=held_out,
            log=told,
            checkpoint=str(checkpoint),
            resume=resume,
            run=stack.enter_context(_runner(cluster)) if cluster else None,
        )
        try:
            fitted = made.fit(sources, alignments, training=training)
        finally:
            if show:
                sys.stderr.write("\n")
    fitted.save(model)
    shutil.rmtree(checkpoint, ignore_errors=True)
    if not quiet:
        facts = ", ".join(
            f"{key} {_short(value)}" for key, value in fitted.trained.items() if _is_plain(value)
        )
        click.echo(f"{model}: {facts}", err=True)
        for line in _told(fitted.trained):
            click.echo(line, err=True)


def _bar(record: dict[str, Any], steps: int, seconds: float) -> str:
    """How far a training is: a bar, the time that is left, and what it says of itself.

    >>> _bar({"iteration": 5, "loss": 0.5}, 20, 10.0)
    '[#####...............] 5 of 20, 30 s left  loss 0.5'
    """
    done, steps = int(record.get("iteration", 0)), int(record.get("of", steps))
    facts = "  ".join(
        f"{key} {_short(value)}" for key, value in record.items() if key not in ("iteration", "of")
    )
    if not 0 < done <= steps:
        return f"{done}  {facts}"
    bar = "#" * (20 * done // steps)
    return f"[{bar:.<20}] {done} of {steps}, {seconds / done * (steps - done):.0f} s left  {facts}"


def _check_checkpoint(checkpoint: Any, resume: bool, fresh: bool) -> None:
    """Neither lose what an interrupted training has done, nor go on where there is nothing."""
    import shutil

    from wordorder.errors import BadFile
    from wordorder.io.folders import remove_unfinished

    remove_unfinished(checkpoint)
    if checkpoint.is_dir() and all(path.name.startswith(".") for path in checkpoint.iterdir()):
        shutil.rmtree(checkpoint)  # stopped before anything was kept
    if resume and not checkpoint.exists():
        raise BadFile(
            "does not exist: there is no training to resume. Train without --resume.", file=str(checkpoint)
        )
    if checkpoint.exists() and not resume:
        if not fresh:
            raise BadFile(
                "is of a training that was interrupted. Go on with --resume, or begin again with --fresh.",
                file=str(checkpoint),
            )
        shutil.rmtree(checkpoint)


def _runner(address: str) -> Any:
    from wordorder.engine.cluster import runner

    return runner(address)


def _told(trained: Mapping[str, Any]) -> Iterator[str]:
    """What was left out and why, and how training ended, where the method tells."""
    filtered = trained.get("filtered")
    if isinstance(filtered, dict) and filtered:
        why = ", ".join(f"{reason}: {count:,}" for reason, count in filtered.items())
        yield f"{sum(filtered.values()):,} sentences left out ({why})"
    if trained.get("caution") == 1:
        yield "moving words did not pay on held-out sentences: this model leaves all words where they are"
    for key, what in (("perplexity", "perplexity"), ("held_out", "held-out perplexity")):
        curves = trained.get(key)
        if isinstance(curves, list) and curves:
            last = [curve[-1] for curve in curves if curve] if isinstance(curves[0], list) else curves[-1:]
            yield f"{what} at the end: {', '.join(_short(float(one)) for one in last)}"


def _is_plain(value: object) -> bool:
    return isinstance(value, str | int | float | bool)


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
