"""Work on a corpus in many files: one output for each shard, wherever and however often the work is done.

A shard is finished when its record exists, which is written after its output. Records name the contents of
all files by their SHA-256 checksums, so that a run that was stopped can be resumed: what is finished, and
still what it was, is not done again. The manifest of a complete run lists the records of all shards.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import orjson

from wordorder._version import __version__
from wordorder.engine.shard_folder import OtherSettings, Record, ShardFolder, content_of
from wordorder.engine.threads import Runner
from wordorder.errors import BadFile, BadSetting
from wordorder.io.paths import split_column
from wordorder.io.shards import MANIFEST, Shard


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


@dataclass(frozen=True)
class Job:
    """The work on all shards. ``settings`` are plain data: all that outputs depend on besides the inputs.

    ``outputs`` is the path of an output file, in which * stands for the name of the shard; the records are
    kept in the folder of the outputs. ``text`` names the setting that is a checksum of all inputs, if each
    output depends on all of them.
    """

    work: Work
    settings: dict[str, Any]
    shards: Sequence[Shard]
    outputs: str
    text: str = ""

    def __post_init__(self) -> None:
        """Check that every shard has an output of its own in the folder."""
        names = [shard.name for shard in self.shards]
        if Path(self.outputs).name.count("*") != 1 or len(set(names)) < len(names):
            raise BadSetting(
                f"outputs are {self.outputs!r}; expected one * for the different names of shards"
            )
        for shard in self.shards:
            output = self.output(shard)
            if os.sep in shard.name or output == MANIFEST:
                raise BadSetting(f"a shard cannot be called {shard.name!r}: its output would be {output!r}")
            here = {os.path.dirname(os.path.realpath(split_column(path)[0])) for path in shard.files.values()}
            if str(self.folder.path) in here:
                raise BadFile("is the folder of the inputs; choose another one", file=str(self.folder.path))

    @property
    def folder(self) -> ShardFolder:
        """The folder of the outputs."""
        return ShardFolder(Path(self.outputs).parent)

    def output(self, shard: Shard) -> str:
        """Return the name of the output file of a shard."""
        return Path(self.outputs).name.replace("*", shard.name)

    @property
    def key(self) -> str:
        """The checksum of the settings and the version."""
        settings = {**self.settings, "version": __version__}
        return hashlib.sha256(orjson.dumps(settings, option=orjson.OPT_SORT_KEYS)).hexdigest()

    def check(self, *, resume: bool) -> None:
        """Raise an error if the folder has other results, or results that are not to be resumed."""
        outputs = [self.output(shard) for shard in self.shards]
        try:
            self.folder.check(self.settings, outputs, resume=resume)
        except OtherSettings as error:
            if error.names != [self.text]:
                raise
            what = (
                f"belongs to a run on other text: {self._changed()}, and each output depends on all files."
                " Choose another folder, or remove this one"
            )
            raise BadFile(what, file=error.file) from None

    def _changed(self) -> str:
        """Say which inputs of finished shards have changed; those of the others are not known."""
        known = self.folder.known()
        for shard in self.shards:
            for kind, path in shard.files.items():
                if (record := known.get(shard.name)) and record.inputs.get(kind) != content_of(
                    split_column(path)[0]
                ):
                    return f"{path} has changed"
        return "files were changed, added or removed"


def run_shards(
    job: Job,
    run: Runner,
    *,
    resume: bool = False,
    held: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Record]:
    """Do what is not done yet, and return the records of all shards in order.

    Without ``resume``, a folder with results is refused; with it, results of other settings are. The folder
    is ``held`` if the caller does so.
    """
    folder = job.folder
    outputs = [job.output(shard) for shard in job.shards]
    with nullcontext() if held else folder.held():
        job.check(resume=resume)
        names = [shard.name for shard in job.shards]
        folder.remove_leftovers(outputs, names)
        folder.write_manifest(job.settings, None)
        known = folder.known() if resume else {}
        finish = partial(finish_shard, work=job.work, key=job.key, folder=str(folder.path))
        tasks = [(shard, out, known.get(shard.name)) for shard, out in zip(job.shards, outputs, strict=True)]
        finished: list[Record] = []
        for record in run(finish, tasks):
            if not (folder.path / record.output).is_file():
                what = "was written by a worker, but is not here. All machines must share this folder."
                raise BadFile(what, file=str(folder.path / record.output))
            finished.append(record)
            progress(len(finished))
        folder.write_manifest(job.settings, finished)
        folder.remove_leftovers(outputs, names)
    return finished


def finish_shard(task: tuple[Shard, str, Record | None], *, work: Work, key: str, folder: str) -> Record:
    """Do the work on one shard, unless it is done; safe to be called again at any time."""
    shard, output, known = task
    inputs = {kind: content_of(split_column(path)[0]) for kind, path in shard.files.items()}
    place = os.path.join(folder, output)
    if known and (known.settings, known.inputs, known.output) == (key, inputs, output):
        with suppress(BadFile):
            if known.content == content_of(place):
                return known
    outcome = work(shard.files, place)
    for kind, path in shard.files.items():
        if inputs[kind] != content_of(split_column(path)[0]):
            raise BadFile("was changed while it was read", file=path)
    record = Record(
        shard=shard.name,
        settings=key,
        inputs=inputs,
        output=output,
        content=content_of(place),
        notes=list(outcome.notes),
        facts=dict(outcome.facts),
    )
    ShardFolder(folder).write_record(record)
    return record
