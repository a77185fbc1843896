"""What was measured, one row of the table each; what was left out; what was checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple

CALIBRATION = "calibration loop"


class RowId(NamedTuple):
    """What identifies a row in all runs."""

    name: str
    peer: str


@dataclass(frozen=True)
class Target:
    """A bound for one figure of a row: at least this rate or ratio, at most this much time or memory."""

    of: Literal["ratio", "rate", "wall_ratio", "wall_seconds", "megabytes"]
    bound: float

    @property
    def on_the_clock(self) -> bool:
        """Whether other work on the machine changes the figure."""
        return self.of.startswith("wall")

    def missed(self, value: float) -> bool:
        """Return whether a value is on the wrong side of the bound."""
        return value > self.bound if self.of in ("wall_seconds", "megabytes") else value < self.bound

    def __str__(self) -> str:
        number = f"{self.bound:,.4g}" if self.bound < 1000 else f"{self.bound:,.0f}"
        return {
            "ratio": f"{number} times the peer",
            "rate": f"{number} per CPU s",
            "wall_ratio": f"{number} times the peer, by the clock",
            "wall_seconds": f"{number} s by the clock",
            "megabytes": f"{number} MB",
        }[self.of]


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """Work on a text beside the work of a peer, in the same process and in turns.

    ``seconds`` are CPU seconds of the best run, child processes included. ``megabytes`` is the largest
    resident memory during our work, interpreter and input included. Work without a peer is compared with a
    fixed loop.
    """

    name: str
    text: str
    unit: str
    units: float
    seconds: float
    wall_seconds: float
    megabytes: float | None
    peer: str
    peer_units: float
    peer_seconds: float
    peer_wall_seconds: float
    target: Target | None = None

    @property
    def id(self) -> RowId:
        """Name and peer."""
        return RowId(self.name, self.peer)

    @property
    def rate(self) -> float:
        """Units per CPU second."""
        return self.units / self.seconds

    @property
    def ratio(self) -> float:
        """Our rate divided by the peer's."""
        return self.rate * self.peer_seconds / self.peer_units

    @property
    def wall_ratio(self) -> float:
        """The same by the clock."""
        return self.units / self.wall_seconds * self.peer_wall_seconds / self.peer_units

    @property
    def misses_target(self) -> bool:
        """Whether there is a target and it is missed."""
        if self.target is None:
            return False
        value = getattr(self, self.target.of)
        return value is not None and self.target.missed(value)

    def best_with(self, other: Measurement) -> Measurement:
        """Return the better of two runs of a row, by its ratio.

        The best times of each side, from different runs, would not be in turns.
        """
        memory = [m for m in (self.megabytes, other.megabytes) if m is not None]
        return replace(max(self, other, key=lambda run: run.ratio), megabytes=min(memory, default=None))

    def as_record(self) -> dict[str, Any]:
        """Return plain data for JSON, with the figures that follow from it."""
        record = asdict(self)
        for key, value in record.items():
            if isinstance(value, float):
                record[key] = float(f"{value:.6g}")
        return record | {"rate": float(f"{self.rate:.6g}"), "ratio": float(f"{self.ratio:.6g}")}

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Measurement:
        """Read what :meth:`as_record` wrote."""
        fields = {key: value for key, value in record.items() if key not in ("rate", "ratio")}
        target = Target(**fields["target"]) if fields["target"] else None
        return cls(**{**fields, "target": target})


@dataclass(frozen=True)
class Skipped:
    """A row, or all rows of a benchmark, that cannot be measured here."""

    name: str
    reason: str
    peer: str = ""


@dataclass(frozen=True)
class Check:
    """Something that must hold beside the figures, such as results equal to the peer's."""

    what: str
    holds: bool


class Skip(Exception):
    """Raised by a benchmark that cannot run here; the message is the reason."""
