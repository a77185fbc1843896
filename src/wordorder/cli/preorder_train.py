"""``wordorder preorder train``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.model_settings import aligned_text_options, check_annotation, require, unsegmented_warning
from wordorder.cli.vocabulary import (
    cluster_option,
    device_option,
    lenient_option,
    links_format,
    log_option,
    parse_option,
    quiet_option,
    raw_option,
    resume_option,
    save_model_option,
    seed_option,
    set_option,
    target_option,
    threads_option,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from wordorder.preorder.base import Preorderer

HELP = """\
\b
  wordorder preorder train --source train.en --align train.align --save-model en-xx
  wordorder preorder train --source s --align a --raw more.en --save-model en-xx
  wordorder preorder train --method grammar:arity=2 --source s --align a --save-model itg --seed 7
  wordorder preorder train --source s --align a --save-model en-xx --resume
  wordorder preorder train --start en-multi-crf --set language=ja --source s --align a --save-model mine

Train a preorderer on source sentences, one per line, and their word alignments to a translation. METHOD
is a method with or without settings ('wordorder preorder list'). The state of the training is saved in
FOLDER.checkpoint after every iteration; --resume continues from there, to the same model. With --start,
training goes on from a network with its settings, words and target languages, so that little text is enough.
"""


@click.command("train", help=HELP)
@click.option("--method", metavar="NAME[:KEY=VALUE,...]", help="Method to train. Default: crf.")
@click.option("--start", metavar="MODEL", help="Network to go on from, instead of --method.")
@set_option
@aligned_text_options
@target_option
@parse_option
@save_model_option
@seed_option
@resume_option
@click.option("--fresh", is_flag=True, help="Discard a training that was interrupted, and start again.")
@click.option("--dev-source", metavar="FILE", help="Held-out source sentences, to monitor the training.")
@click.option("--dev-align", metavar="FILE", help="Word alignments of the held-out sentences.")
@raw_option
@click.option(
    "--auto-source", metavar="FILE", help="Sentences with automatic alignments, learned first (crf)."
)
@click.option("--auto-align", metavar="FILE", help="Word alignments of --auto-source.")
@click.option("--auto-parse", metavar="FILE", help="Dependency trees of --auto-source.")
@click.option(
    "--languages", metavar="FILE", help="Target language of each sentence, to learn several (networks)."
)
@click.option("--auto-languages", metavar="FILE", help="Target language of each sentence of --auto-source.")
@device_option
@log_option
@cluster_option
@lenient_option
@threads_option
@quiet_option
def command(
    method: str | None,
    start: str | None,
    changes: tuple[str, ...],
    source: str,
    align: str,
    target: str | None,
    parse: str | None,
    align_format: str,
    base: str | None,
    save_model: str,
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
    from functools import partial
    from pathlib import Path

    from wordorder.cli.training_log import training_log
    from wordorder.engine.cluster import runner
    from wordorder.engine.threads import available_threads
    from wordorder.io.folders import claimed_folder
    from wordorder.io.lenient import Lenient
    from wordorder.io.lines import split_words
    from wordorder.io.read_write import read_records
    from wordorder.preorder.corpus import read_training
    from wordorder.preorder.models import check_replaceable, load_preorderer
    from wordorder.preorder.source import as_sources
    from wordorder.preorder.training import RunOptions, TrainingData

    require(source=source, align=align, save_model=save_model)
    if start and method:
        raise click.UsageError("--method and --start contradict each other: the method of --start is kept")
    begun = load_preorderer(start) if start else None
    untrained = _untrained(method or "crf", begun, changes)
    if bool(dev_source) != bool(dev_align):
        raise click.UsageError("--dev-source and --dev-align go together")
    if bool(auto_source) != bool(auto_align):
        raise click.UsageError("--auto-source and --auto-align go together")
    if auto_source and bool(languages) != bool(auto_languages):
        raise click.UsageError("with --auto-source, --languages and --auto-languages go together")
    for option, file in (("--auto-languages", auto_languages), ("--auto-parse", auto_parse)):
        if file and not auto_source:
            raise click.UsageError(f"{option} goes with --auto-source")
    check_annotation(untrained, parse=parse, quiet=quiet)
    if resume and fresh:
        raise click.UsageError("--resume and --fresh contradict each other")
    check_replaceable(save_model)
    click.get_current_context().with_resource(claimed_folder(save_model))
    checkpoint = Path(save_model.rstrip("/") + ".checkpoint")
    _check_checkpoint(checkpoint, resume, fresh)
    skipped = Lenient() if lenient else None
    read = partial(read_training, form=links_format(align_format, base), lenient=skipped)
    sources, alignments = read(source, align, target=target, parse=parse, languages=languages)
    held_out = read(dev_source, dev_align) if dev_source and dev_align else None
    automatic = None
    if auto_source and auto_align:
        automatic = read(auto_source, auto_align, parse=auto_parse, languages=auto_languages)
    text = [split_words(line) for line in read_records(raw, "text")] if raw else []
    data = TrainingData(
        sources, alignments, raw=as_sources(text), automatic=automatic, held_out=held_out, start=begun
    )
    if skipped is not None and skipped.total:
        click.echo(skipped.report(), err=True)
    for line in () if quiet else unsegmented_warning([sentence.words for sentence in sources], source):
        click.echo(line, err=True)
    with ExitStack() as stack:
        write_log = stack.enter_context(training_log(log, quiet=quiet, append=resume))
        run = RunOptions(
            seed=seed,
            threads=threads or available_threads(),
            device=device,
            log=write_log,
            checkpoint=str(checkpoint),
            resume=resume,
            runner=stack.enter_context(runner(cluster)) if cluster else None,
        )
        fitted = untrained.fit(data, run)
    fitted.save(save_model)
    shutil.rmtree(checkpoint, ignore_errors=True)
    for line in () if quiet else _summary(save_model, fitted.trained):
        click.echo(line, err=True)


def _untrained(method: str, start: Preorderer | None, changes: tuple[str, ...]) -> Preorderer:
    """Return what is to be trained: a method, or that of a network to go on from, with changed settings."""
    from dataclasses import replace

    from wordorder.core.plugins import split_spec
    from wordorder.preorder.models import typed_settings
    from wordorder.preorder.registry import preorderer

    settings = ",".join(changes)
    if start is not None:
        return replace(start, **typed_settings(start, split_spec(f"--set:{settings}")[1]))
    untrained = preorderer(f"{method}{',' if ':' in method else ':'}{settings}" if settings else method)
    if not untrained.learns:
        raise click.UsageError(f"{untrained.name} has nothing to learn; apply it as it is")
    return untrained


def _check_checkpoint(checkpoint: Path, resume: bool, fresh: bool) -> None:
    """Refuse to overwrite an interrupted training unless asked to, or to resume one that does not exist."""
    import shutil

    from wordorder.errors import BadFile
    from wordorder.io.folders import remove_unfinished

    remove_unfinished(checkpoint)
    if checkpoint.is_dir() and all(path.name.startswith(".") for path in checkpoint.iterdir()):
        shutil.rmtree(checkpoint)  # stopped before anything was saved
    if resume and not checkpoint.exists():
        raise BadFile(
            "does not exist: there is no training to resume. Train without --resume.", file=str(checkpoint)
        )
    if checkpoint.exists() and not resume:
        if not fresh:
            raise BadFile(
                "belongs to a training that was interrupted. Continue it with --resume, or start again"
                " with --fresh.",
                file=str(checkpoint),
            )
        shutil.rmtree(checkpoint)


def _summary(model: str, trained: Mapping[str, Any]) -> Iterator[str]:
    """Report plain facts about the training, what was left out and why, and how the training ended."""
    plain = {key: value for key, value in trained.items() if isinstance(value, str | int | float | bool)}
    yield f"{model}: " + ", ".join(f"{key} {_short(value)}" for key, value in plain.items())
    filtered = trained.get("filtered")
    if isinstance(filtered, dict) and filtered:
        why = ", ".join(f"{reason}: {count:,}" for reason, count in filtered.items())
        yield f"{sum(filtered.values()):,} sentences left out ({why})"
    if trained.get("min_gain") == 1:
        yield "moving words did not pay on held-out sentences: this model leaves all words where they are"
    for key, title in (("perplexity", "perplexity"), ("held_out", "held-out perplexity")):
        curves = trained.get(key)
        if isinstance(curves, list) and curves:
            last = [curve[-1] for curve in curves if curve] if isinstance(curves[0], list) else curves[-1:]
            yield f"{title} at the end: {', '.join(_short(float(value)) for value in last)}"


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
