"""The folder of a run on many files: its lock, its manifest, and a record for each finished shard."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import takewhile
from pathlib import Path
from typing import Any

import orjson

from wordorder._version import __version__
from wordorder.errors import BadFile
from wordorder.io.files import locked, open_output
from wordorder.io.lines import counted, shown
from wordorder.io.shards import MANIFEST
from wordorder.io.unfinished import PART, part_prefix

RECORDS, LOCK = ".shards", ".lock"
BUFFER = 1 << 20  # bytes


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


class OtherSettings(BadFile):
    """A folder holds results of other settings; carries their names."""

    def __init__(self, changes: Mapping[str, str], *, file: str) -> None:
        self.names = list(changes)
        what = ", ".join(changes.values())
        super().__init__(f"belongs to a run with other settings: {what}. Choose another folder", file=file)


class ShardFolder:
    """The folder of the outputs of a run."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(os.path.realpath(path))
        self.manifest = self.path / MANIFEST
        self.records = self.path / RECORDS

    @contextmanager
    def held(self) -> Iterator[None]:
        """Make the folder, and hold it: another run is refused meanwhile."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BadFile(f"cannot be made: {error.strerror}", file=str(self.path)) from None
        with locked(self.path / LOCK, "another run is writing to this folder"):
            yield

    def check(self, settings: Mapping[str, Any], outputs: Iterable[str], *, resume: bool) -> None:
        """Raise an error if the folder has results that are not to be resumed, or other files."""
        outputs = list(outputs)
        written = [self.manifest, self.records, *(self.path / out for out in outputs)]
        if link := next(
            (place for place in (*written, *self.records.glob("*.json")) if place.is_symlink()), None
        ):
            what = "is a symbolic link, and results are not written through it; remove it"
            raise BadFile(what, file=str(link))
        try:
            before = orjson.loads(self.manifest.read_bytes())
            known, version = dict(before["settings"]), str(before["version"])
        except FileNotFoundError:
            if taken := next((out for out in outputs if (self.path / out).exists()), None):
                what = "exists and belongs to no run here; choose another folder"
                raise BadFile(what, file=str(self.path / taken)) from None
            return
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError):
            what = "is damaged, or not the manifest of a run; choose another folder, or remove it"
            raise BadFile(what, file=str(self.manifest)) from None
        finished = {record.output for record in self.known().values()}
        if not finished:
            return  # nothing would be lost
        if not resume:
            what = "has the results of an earlier run: resume it, or choose another folder."
            raise BadFile(what, file=str(self.path), suggest={"resume": True})
        now = orjson.loads(orjson.dumps({**settings, "version": __version__}))
        if changes := dict(_changes({**known, "version": version}, now)):
            raise OtherSettings(changes, file=str(self.path))
        if gone := sorted(finished - set(outputs)):
            what = (
                "is the result of a shard that is not among the inputs; remove it, or choose another folder"
            )
            raise BadFile(what, file=str(self.path / gone[0]))

    def known(self) -> dict[str, Record]:
        """Read the records of finished shards; one that is damaged, or has no output, counts as missing."""
        known = {}
        for place in self.records.glob("*.json"):
            with suppress(OSError, ValueError, TypeError, KeyError):
                written = orjson.loads(place.read_bytes())
                record = Record(**written["record"])
                if written["sha256"] == _checksum(record) and (self.path / record.output).exists():
                    known[record.shard] = record
        return known

    def write_record(self, record: Record) -> None:
        """Write the record of a finished shard, with a checksum.

        The output is on the disk already. To wait for the record, too, would take long for many small shards;
        if it is damaged, its shard is done again.
        """
        self.records.mkdir(exist_ok=True)
        with open_output(str(self.records / f"{record.shard}.json"), flush=False) as out:
            out.write(orjson.dumps({"sha256": _checksum(record), "record": asdict(record)}))

    def write_manifest(self, settings: Mapping[str, Any], records: Sequence[Record] | None) -> None:
        """Write the settings, and the records of a run that is complete."""
        manifest: dict[str, Any] = {
            "version": __version__,
            "settings": settings,
            "complete": records is not None,
            "shards": records or [],
        }
        with open_output(str(self.manifest)) as out:
            out.write(orjson.dumps(manifest, option=orjson.OPT_INDENT_2) + b"\n")

    def remove_leftovers(self, outputs: Iterable[str], shards: Iterable[str]) -> None:
        """Remove what a killed process was writing; nobody else writes these while the folder is held."""
        ours = {
            self.path: {part_prefix(Path(name)) for name in (*outputs, MANIFEST)},
            self.records: {part_prefix(Path(f"{name}.json")) for name in shards},
        }
        for place, prefixes in ours.items():
            for part in place.glob(f".*{PART}"):
                if part.name.removesuffix(PART).rpartition(".")[0] + "." in prefixes:
                    part.unlink(missing_ok=True)


def content_of(path: str | os.PathLike[str]) -> str:
    """Return the size and the checksum of a file."""
    digest, size = hashlib.sha256(), 0
    try:
        with open(path, "rb") as handle:
            while data := handle.read(BUFFER):
                digest.update(data)
                size += len(data)
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=str(path)) from None
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
        yield f"{counted(len(seen) - most, 'more note')} of other shards"


def _checksum(record: Record) -> str:
    return hashlib.sha256(orjson.dumps(record, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in sorted({*before, *now}):
        old, new = str(before.get(name)), str(now.get(name))
        if before.get(name) != now.get(name):
            # Long settings may differ far from their beginning.
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
            start = max(0, same - 20)
            cut = "…" if start else ""
            yield name, f"{name} was {shown(cut + old[start:])}, and is {shown(cut + new[start:])}"
