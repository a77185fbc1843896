"""Corpora in many files on the command line: what verbs that work shard by shard share."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from wordorder.cli.vocabulary import refuse

if TYPE_CHECKING:
    from wordorder.engine.shard_folder import Record
    from wordorder.engine.shards import Job, Outcome
    from wordorder.engine.threads import Runner
    from wordorder.io.lenient import Lenient
    from wordorder.io.shards import Shard

SKIPPED = "skipped"  # the fact of a shard that counts skipped lines


def are_sharded(*paths: str | None) -> bool:
    """Return whether files are given as folders or patterns; options for shards are refused otherwise."""
    from wordorder.io.files import check_output
    from wordorder.io.shards import is_sharded

    if any(path and path != "-" and is_sharded(path) for path in paths):
        return True
    check_output(click.get_current_context().params["output"])
    refuse("cluster", "resume", why="all inputs are single files, not folders or patterns of files")
    return False


def shards_of(inputs: Mapping[str, str | None]) -> list[Shard]:
    """Return the shards of inputs that are given as folders or patterns."""
    from wordorder.io.shards import find_shards

    return find_shards({kind: path for kind, path in inputs.items() if path})


def outputs_of(output: str, ending: str) -> str:
    """Return the pattern of output files: --output is a folder, or a pattern itself."""
    from wordorder.io.folders import check_output_folder

    folder, name = os.path.split(output)
    if output == "-":
        raise click.UsageError("a corpus in many files needs -o FOLDER, with one output for each of them")
    if "*" in folder or name.count("*") > 1:
        raise click.UsageError(f"-o {output}: one * may stand for the name of a shard, in the last part")
    outputs = output if "*" in name else os.path.join(output, f"*{ending}")
    check_output_folder(os.path.dirname(outputs) or ".")
    return outputs


@contextmanager
def where(cluster: str | None, threads: int | None) -> Iterator[tuple[Runner, int]]:
    """Yield a map over shards, and the number of threads for each of them.

    Here, shards are processed one after another, each on all threads; on a cluster, one thread has a shard.
    """
    from wordorder.engine.runners import runner
    from wordorder.engine.threads import available_threads

    if not cluster:
        yield map, threads or available_threads()
        return
    refuse("threads", why="a worker of a cluster has one thread for each shard")
    with runner(cluster=cluster) as run:
        yield run, 1


def run_sharded(
    job: Job, *, run: Runner = map, resume: bool, quiet: bool, held: bool = False
) -> list[Record]:
    """Do the work on all shards, with progress, and print their notes."""
    from wordorder.cli.progress import steps
    from wordorder.engine.shard_folder import collected_notes
    from wordorder.engine.shards import run_shards
    from wordorder.io.lines import counted

    with steps("shards", quiet=quiet, total=len(job.shards)) as update:
        records = run_shards(job, run, resume=resume, held=held, progress=update)
    for note in () if quiet else collected_notes(records):
        click.echo(note, err=True)
    if skipped := sum(record.facts.get(SKIPPED, 0) for record in records):
        where = sum(bool(record.facts.get(SKIPPED)) for record in records)
        click.echo(f"skipped {skipped:,} in {counted(where, 'shard')}", err=True)
    return records


def outcome(notes: list[str], lenient: Lenient | None, **facts: Any) -> Outcome:
    """Put together what there is to say about a file."""
    from wordorder.engine.shards import Outcome

    if lenient is not None and lenient.total:
        notes = [*notes, *lenient.report().splitlines()]
        facts[SKIPPED] = lenient.total
    return Outcome(notes, facts)


@cache
def fingerprint(folder: str) -> str:
    """Return a checksum of a model folder, by its description, which has the checksums of the other files."""
    import hashlib
    from pathlib import Path

    from wordorder.io.model_folder import ABOUT

    place = Path(folder) / ABOUT
    return hashlib.sha256(place.read_bytes()).hexdigest()[:16] if place.is_file() else ""
