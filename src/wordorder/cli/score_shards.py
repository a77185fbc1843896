"""``wordorder score`` for a corpus in many files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.score import sentence_notes, system_table, unmoved, write_corpus, write_sentences
from wordorder.cli.shards import outcome, outputs_of, run_sharded, shards_of, where
from wordorder.cli.vocabulary import refuse

if TYPE_CHECKING:
    from wordorder.engine.score_texts import TextBlock
    from wordorder.engine.shards import Outcome
    from wordorder.engine.text_blocks import ScoredFiles
    from wordorder.io.lenient import Lenient
    from wordorder.io.shards import Shard
    from wordorder.metrics.base import Metric

ENDINGS = {"text": ".txt", "tsv": ".tsv", "json": ".json"}


def score_shards(
    texts: ScoredFiles, names: list[str], metrics: dict[str, Metric], options: dict[str, Any]
) -> None:
    """Score shard by shard; corpus scores are computed from the statistics of all shards."""
    from wordorder.engine.runners import runner
    from wordorder.engine.shards import Job
    from wordorder.engine.stored_statistics import stored_statistics
    from wordorder.engine.threads import available_threads
    from wordorder.errors import BadFile

    shards = shards_of(texts.by_kind())
    metrics, notes = _resolved(metrics, texts, shards, options)
    references = len(texts.references)
    sentences = options["level"] == "sentence"
    signatures = [m.signature_for(references, segment=sentences) for m in metrics.values()]
    given = texts.alignments
    settings = {
        "verb": "score",
        "level": options["level"],
        "metrics": dict(zip(metrics, signatures, strict=True)),
        "systems": names if sentences else len(names),
        "alignments": given and {"form": given.form, "policy": given.policy},
        "lenient": options["lenient"],
    }
    shared = {"texts": texts, "metrics": metrics, "lenient": options["lenient"]}
    with ExitStack() as stack:
        if sentences:
            refuse("folder", why="--level sentence writes one file for each shard: -o FOLDER")
            outputs = outputs_of(options["output"], ENDINGS[options["form"]])
        else:
            folder = _folder(options, stack)
            outputs = os.path.join(folder, "*.npy")
        run, threads = stack.enter_context(where(options["cluster"], options["threads"]))
        how: dict[str, Any] = {"run": run, "resume": options["resume"], "quiet": options["quiet"]}
        if sentences:
            form = options["form"]
            work = partial(sentence_shard, names=names, form=form, threads=threads, **shared)
            run_sharded(Job(work, {**settings, "format": form}, shards, outputs), **how)
            notes = sentence_notes(metrics, references, form, notes)
        else:
            work = partial(statistics_shard, threads=threads, **shared)
            records = run_sharded(Job(work, settings, shards, outputs), **how)
            if not any(record.facts["segments"] for record in records):
                raise BadFile("no shard has a segment", file=texts.systems[0])
            if not options["cluster"]:
                run = stack.enter_context(runner(threads=options["threads"] or available_threads()))
            scored = stored_statistics(records, folder, names)
            table = system_table(scored, metrics, references, notes, run, options)
            notes = write_corpus(table, options)
    for note in () if options["quiet"] else notes:
        click.echo(note, err=True)


def statistics_shard(
    files: Mapping[str, str],
    output: str,
    *,
    texts: ScoredFiles,
    metrics: dict[str, Metric],
    lenient: bool,
    threads: int,
) -> Outcome:
    """Write the statistics of a shard."""
    from wordorder.engine.runners import runner
    from wordorder.engine.stored_statistics import store_statistics

    skipped, blocks = _read(texts, files, lenient)
    with runner(threads=threads) as run:
        facts = store_statistics(blocks, list(metrics.values()), len(texts.systems), output, run)
    return outcome([], skipped, **facts)


def sentence_shard(
    files: Mapping[str, str],
    output: str,
    *,
    texts: ScoredFiles,
    metrics: dict[str, Metric],
    lenient: bool,
    names: list[str],
    form: str,
    threads: int,
) -> Outcome:
    """Write the scores of the segments of a shard."""
    from wordorder.engine.runners import runner

    skipped, blocks = _read(texts, files, lenient)
    with runner(threads=threads) as run:
        write_sentences(blocks, metrics, names, len(texts.references), output, form, run)
    return outcome([], skipped)


def _read(
    texts: ScoredFiles, files: Mapping[str, str], lenient: bool
) -> tuple[Lenient | None, Iterator[TextBlock]]:
    """Read a shard; return also what counts the lines that are skipped."""
    from wordorder.io.lenient import Lenient

    skipped = Lenient() if lenient else None
    return skipped, texts.replaced(files).read(skipped, shard=True)


def _resolved(
    metrics: dict[str, Metric], texts: ScoredFiles, shards: list[Shard], options: dict[str, Any]
) -> tuple[dict[str, Metric], list[str]]:
    """Choose the tokenizers by the first segments of the corpus, as for a single file."""
    from wordorder.engine.score_texts import resolve_tokenizers
    from wordorder.errors import BadFile
    from wordorder.io.lenient import Lenient

    lenient = Lenient() if options["lenient"] else None
    blocks = (texts.replaced(shard.files).read(lenient, shard=True) for shard in shards)
    first = next(chain.from_iterable(blocks), None)
    if first is None:
        raise BadFile("no shard has a segment", file=texts.systems[0])
    resolved, notes = resolve_tokenizers(list(metrics.values()), first.references)
    metrics = dict(zip(metrics, resolved, strict=True))
    return metrics, [*notes, *unmoved(metrics)]


def _folder(options: dict[str, Any], stack: ExitStack) -> str:
    """Return the folder for statistics: as asked for, or a temporary one."""
    from wordorder.io.files import check_output
    from wordorder.io.unfinished import unfinished

    check_output(options["output"])
    folder: str | None = options["folder"]
    if folder is None:
        refuse("resume", why="there is no --folder to resume from")
        if options["cluster"] and not options["cluster"].startswith("local"):
            raise click.UsageError("--cluster needs --folder FOLDER, which all machines can reach")
        folder = tempfile.mkdtemp(prefix="wordorder-")
        stack.enter_context(unfinished(folder))
    return folder
