"""What a benchmark is given: the texts, and the place to which it reports."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from importlib.util import find_spec

from benchmarks.measurement import CALIBRATION, Check, Measurement, RowId, Skip, Skipped, Target
from benchmarks.stopwatch import Work, best_in_turns, calibration_loop
from benchmarks.texts import Text, Texts


@dataclass(frozen=True)
class Peer:
    """Another way to do the same work."""

    name: str
    work: Work
    units: float = 1


LOOP = Peer(CALIBRATION, calibration_loop)


@dataclass
class Bench:
    """One run of one benchmark; ``rows`` are those to measure if not all are wanted."""

    name: str
    texts: Texts
    rows: Collection[RowId] | None = None
    measured: list[Measurement] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    checked: list[Check] = field(default_factory=list)
    described: dict[str, str] = field(default_factory=dict)

    def measure(
        self,
        name: str,
        work: Work,
        units: float,
        unit: str,
        *,
        text: Text,
        peer: Peer = LOOP,
        target: Target | None = None,
    ) -> None:
        """Measure work beside a peer, in turns."""
        row = RowId(f"{self.name}: {name}", peer.name)
        if self.rows is not None and row not in self.rows:
            return
        ours, theirs = best_in_turns([work, peer.work])
        self.described[text.name] = text.description
        self.measured.append(
            Measurement(
                name=row.name, text=text.name, unit=unit, units=units, seconds=ours.seconds,
                wall_seconds=ours.wall_seconds, megabytes=ours.megabytes, peer=peer.name,
                peer_units=peer.units, peer_seconds=theirs.seconds, peer_wall_seconds=theirs.wall_seconds,
                target=target,
            )
        )  # fmt: skip

    def check(self, what: str, holds: bool) -> None:
        """Report something that must hold."""
        self.checked.append(Check(f"{self.name}: {what}", bool(holds)))

    def skip(self, name: str, reason: str, *, peer: str = CALIBRATION) -> None:
        """Report a row that cannot be measured here."""
        self.skipped.append(Skipped(f"{self.name}: {name}", reason, peer))

    def can_import(self, module: str, name: str, *, peer: str) -> bool:
        """Return whether the module of a peer is installed; if not, its row is skipped."""
        if find_spec(module):
            return True
        self.skip(name, f"{module} is not installed", peer=peer)
        return False


def require(*modules: str) -> None:
    """Skip the whole benchmark unless these modules are installed."""
    if missing := [module for module in modules if not find_spec(module)]:
        raise Skip(f"not installed: {', '.join(missing)}")
