"""The results of a run: JSON, tables, the kept results and their history."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, TypeVar

import orjson

from benchmarks.measurement import CALIBRATION, Check, Measurement, RowId, Skipped
from wordorder import __version__

T = TypeVar("T")
FOLDER = Path(__file__).with_name("results")
HISTORY = FOLDER / "history.jsonl"
PEERS = ("numpy", "sacrebleu", "fastchrf", "nltk", "scipy", "permuta", "eflomal")


def kept_path(with_data: bool) -> Path:
    """Return the file of the kept results on given data, or on the bundled sample."""
    return FOLDER / ("kept.json" if with_data else "kept-sample.json")


def machine() -> dict[str, Any]:
    """Describe the machine and the programs that were measured."""
    versions = {}
    for name in PEERS:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return {"cpu": _cpu_model(), "cores": os.cpu_count(), "python": platform.python_version(), **versions}


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.machine()


@dataclass
class Results:
    """What a run measured, what it left out and why, and what it checked."""

    measurements: list[Measurement] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    benchmarks: list[str] = field(default_factory=list)  # those that ran to their end
    failed: dict[str, str] = field(default_factory=dict)  # those that did not, with their last message
    wall_seconds: float = 0
    date: str = field(default_factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d"))
    version: str = __version__
    machine: dict[str, Any] = field(default_factory=machine)

    def add(self, part: Results) -> None:
        """Add the results of one benchmark; rows that were measured before keep the best of both."""
        places = {row.id: k for k, row in enumerate(self.measurements)}
        for row in part.measurements:
            if row.id in places:
                at = places[row.id]
                self.measurements[at] = self.measurements[at].best_with(row)
            else:
                self.measurements.append(row)
        for name in ("skipped", "checks", "benchmarks"):
            known = getattr(self, name)
            known += [item for item in getattr(part, name) if item not in known]
        self.texts |= part.texts
        self.failed |= part.failed

    def kept_after(self, older: Results | None, missing: Sequence[RowId]) -> Results:
        """Return what is kept after this run: its rows, and those of benchmarks that it did not run."""
        older = older or Results()
        dropped = {row.id for row in self.measurements} | {*missing}
        rows = [*self.measurements, *(row for row in older.measurements if row.id not in dropped)]
        texts = older.texts | self.texts
        return replace(
            self,
            measurements=sorted(rows, key=lambda row: row.id),
            skipped=self.skipped + self._of_others(older.skipped, lambda skipped: skipped.name),
            checks=self.checks + self._of_others(older.checks, lambda check: check.what),
            texts={name: texts[name] for name in sorted({row.text for row in rows})},
            benchmarks=sorted({*older.benchmarks, *self.benchmarks}),
        )

    def _of_others(self, items: list[T], name: Callable[[T], str]) -> list[T]:
        return [item for item in items if name(item).partition(":")[0] not in self.benchmarks]

    def to_json(self) -> bytes:
        """Write all figures."""
        record = {name: getattr(self, name) for name in ("date", "version", "machine", "wall_seconds")}
        record |= {"benchmarks": self.benchmarks, "failed": self.failed, "texts": self.texts}
        record["measurements"] = [row.as_record() for row in self.measurements]
        record["skipped"] = [asdict(row) for row in self.skipped]
        record["checks"] = [asdict(row) for row in self.checks]
        return orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n"

    @classmethod
    def from_json(cls, text: bytes) -> Results:
        """Read what :meth:`to_json` wrote."""
        record = orjson.loads(text)
        record["measurements"] = [Measurement.from_record(row) for row in record["measurements"]]
        record["skipped"] = [Skipped(**row) for row in record["skipped"]]
        record["checks"] = [Check(**row) for row in record["checks"]]
        return cls(**record)

    def history_line(self, note: str) -> bytes:
        """Write what a later reader of the history needs, on one line."""
        line = {"date": self.date, "version": self.version, "note": note, **self.machine}
        line["ratios"] = {f"{row.name} | {row.peer}": float(f"{row.ratio:.4g}") for row in self.measurements}
        return orjson.dumps(line) + b"\n"


def read_kept(path: Path) -> Results | None:
    """Read kept results, if there are any."""
    return Results.from_json(path.read_bytes()) if path.exists() else None


def number(value: float) -> str:
    """Format a figure with three digits or more.

    >>> number(12345.6), number(0.12345), number(2.5)
    ('12,346', '0.123', '2.50')
    """
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3f}" if value < 1 else f"{value:.3g}" if value >= 10 else f"{value:.2f}"


def figures(row: Measurement) -> list[str]:
    """Return the cells of a row: what, text, rate, memory, peer, ratio, target."""
    memory = "" if row.megabytes is None else f"{row.megabytes:,.0f}"
    ratio = f"{number(row.ratio)} per loop" if row.peer == CALIBRATION else number(row.ratio)
    target = f"{row.target}: {'missed' if row.misses_target else 'met'}" if row.target else ""
    return [row.name, row.text, f"{number(row.rate)} {row.unit}", memory, row.peer, ratio, target]


HEAD = ["measurement", "text", "per CPU second", "peak MB", "peer", "times the peer's rate", "target"]
