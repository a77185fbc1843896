"""Work on a corpus in many files: one output for each shard, wherever and however often the work is done.

A shard is finished when its record exists, which is written after its output. Records name the contents of
all files by their SHA-256 checksums, so that a run that was stopped can be resumed: what is finished, and
still what it was, is not done again. The manifest of a complete run lists the records of all shards.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import orjson

from wordorder._version import __version__
from wordorder.engine.threads import Runner
from wordorder.errors import BadFile
from wordorder.io.columns import split_column
from wordorder.io.files import locked, open_output
from wordorder.io.lines import counted
from wordorder.io.shards import MANIFEST, Shard

RECORDS, LOCK = ".shards", ".lock"
BUFFER = 1 << 20  # bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What there is to say about a finished shard."""

    notes: Sequence[str] = ()  # for the user
    facts: Mapping[str, Any] = field(default_factory=dict)  # plain data for whoever puts the shards together


class Work(Protocol):
    """Reads the files of a shard and writes one output; must be picklable for a cluster."""

    def __call__(self, files: Mapping[str, str], output: str) -> Outcome:
        """Do the work on one shard."""
        ...


@dataclass(frozen=True, slots=True)
class Record:
    """A finished shard; the contents of files are written ``bytes:sha256``."""

    shard: str
    settings: str  # the checksum of all that the output depends on besides the inputs
    inputs: dict[str, str]
    output: str
    content: str
    notes: list[str]
    facts: dict[str, Any]


@dataclass(frozen=True)
class Job:
    """The work on all shards. ``settings`` are plain data: all that outputs depend on besides the inputs.

    ``outputs`` is the path of an output file, in which * stands for the name of the shard; the records are
    kept in the folder of the outputs.
    """

    work: Work
    settings: dict[str, Any]
    shards: Sequence[Shard]
    outputs: str

    @property
    def folder(self) -> Path:
        """The folder of the outputs."""
        return Path(self.outputs).parent

    def output(self, shard: Shard) -> str:
        """Return the output file of a shard."""
        return str(self.folder / Path(self.outputs).name.replace("*", shard.name))

    @property
    def key(self) -> str:
        """The checksum of the settings."""
        return hashlib.sha256(orjson.dumps(self.settings, option=orjson.OPT_SORT_KEYS)).hexdigest()


def run_shards(
    job: Job, run: Runner, *, resume: bool = False, progress: Callable[[int], None] = lambda done: None
) -> list[Record]:
    """Do what is not done yet, and return the records of all shards in order.

    Without ``resume``, a folder with results is refused; with it, results of other settings are.
    """
    folder = job.folder
    records = folder / RECORDS
    try:
        records.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot be made: {error.strerror}", file=str(folder)) from None
    with locked(folder / LOCK, "another run is writing to this folder"):
        _check_folder(job, resume)
        _remove_leftovers(folder)
        _write_manifest(job, None)
        known = _known(records) if resume else {}
        finish = partial(finish_shard, work=job.work, key=job.key, records=str(records))
        tasks = [(shard, job.output(shard), known.get(shard.name)) for shard in job.shards]
        finished = []
        for record in run(finish, tasks):
            if not (folder / record.output).is_file():
                raise BadFile(
                    "was written by a worker, but is not here. All machines must share this folder.",
                    file=str(folder / record.output),
                )
            finished.append(record)
            progress(len(finished))
        _write_manifest(job, finished)
        _remove_leftovers(folder)
    return finished


def finish_shard(task: tuple[Shard, str, Record | None], *, work: Work, key: str, records: str) -> Record:
    """Do the work on one shard, unless it is done; safe to be called again at any time."""
    shard, output, known = task
    inputs = {kind: content_of(split_column(path)[0]) for kind, path in shard.files.items()}
    if known and (known.settings, known.inputs, known.output) == (key, inputs, os.path.basename(output)):
        with suppress(BadFile):
            if known.content == content_of(output):
                return known
    outcome = work(shard.files, output)
    for kind, path in shard.files.items():
        if inputs[kind] != content_of(split_column(path)[0]):
            raise BadFile("was changed while it was read", file=path)
    record = Record(
        shard=shard.name,
        settings=key,
        inputs=inputs,
        output=os.path.basename(output),
        content=content_of(output),
        notes=list(outcome.notes),
        facts=dict(outcome.facts),
    )
    with open_output(os.path.join(records, f"{shard.name}.json")) as out:
        out.write(orjson.dumps(record))
    return record


def content_of(path: str) -> str:
    """Return the size and the checksum of a file."""
    digest, size = hashlib.sha256(), 0
    try:
        with open(path, "rb") as handle:
            while data := handle.read(BUFFER):
                digest.update(data)
                size += len(data)
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=path) from None
    return f"{size}:{digest.hexdigest()}"


def collected_notes(records: Sequence[Record], most: int = 5) -> Iterator[str]:
    """Yield the notes of shards, each with the first shard that has it; at most some of them."""
    seen: dict[str, list[str]] = {}
    for record in records:
        for note in record.notes:
            seen.setdefault(note, []).append(record.shard)
    for note, shards in list(seen.items())[:most]:
        more = f" and {counted(len(shards) - 1, 'other shard')}" if len(shards) > 1 else ""
        yield f"{shards[0]}{more}: {note}"
    if len(seen) > most:
        yield f"{counted(len(seen) - most, 'more note')}; all are in {MANIFEST}"


def refuse_results(folder: Path, resume: bool) -> None:
    """Raise an error if a folder has the results of a run that is not to be resumed."""
    if not resume and (folder / MANIFEST).exists():
        what = "has the results of an earlier run: resume it, or choose another folder."
        raise BadFile(what, file=str(folder), suggest={"resume": True})


def _check_folder(job: Job, resume: bool) -> None:
    refuse_results(job.folder, resume)
    place = job.folder / MANIFEST
    try:
        before = orjson.loads(place.read_bytes())
        settings = dict(before["settings"])
    except FileNotFoundError:
        if taken := next((out for out in map(job.output, job.shards) if os.path.exists(out)), None):
            raise BadFile("exists and belongs to no run here; choose another folder", file=taken) from None
        return
    except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
        raise BadFile("is damaged, or not the manifest of a run; remove it", file=str(place)) from None
    if not resume:
        raise BadFile(
            "has the results of a run; choose another folder, or",
            file=str(job.folder),
            suggest={"resume": True},
        )
    plain = orjson.loads(orjson.dumps(job.settings))
    if settings != plain:
        names = sorted(name for name in {*settings, *plain} if settings.get(name) != plain.get(name))
        was = ", ".join(f"{name} was {settings.get(name)!r}" for name in names)
        raise BadFile(f"belongs to a run with other settings: {was}", file=str(place))


def _write_manifest(job: Job, records: Sequence[Record] | None) -> None:
    """Write the settings, and the records of a run that is complete."""
    manifest: dict[str, Any] = {
        "version": __version__,
        "settings": job.settings,
        "complete": records is not None,
        "shards": records or [],
    }
    with open_output(str(job.folder / MANIFEST)) as out:
        out.write(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")


def _known(records: Path) -> dict[str, Record]:
    """Read the records of finished shards; a record that cannot be read counts as missing."""
    known = {}
    for place in records.glob("*.json"):
        with suppress(OSError, ValueError, TypeError):
            record = Record(**orjson.loads(place.read_bytes()))
            known[record.shard] = record
    return known


def _remove_leftovers(folder: Path) -> None:
    """Remove what a killed process was writing; nobody else writes here while the folder is locked."""
    for place in (folder, folder / RECORDS):
        for part in place.glob(".*.part"):
            part.unlink(missing_ok=True)
