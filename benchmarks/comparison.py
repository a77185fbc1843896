"""Compare a run with the kept results: what got slower, what misses a target that it met, what is gone.

Ratios to the peer in the same run are compared, because machines differ and are noisy.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.measurement import Measurement, RowId
from benchmarks.results import Results

WORSE = 1.2  # times the kept cost: more than this is a failure
SMALL_MEGABYTES = 20  # growth of memory that is not worth a failure


@dataclass
class Comparison:
    """One row now and as it was kept; a run with failures fails."""

    id: RowId
    now: Measurement | None
    kept: Measurement | None
    failures: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def change(self) -> float | None:
        """Return how many times as fast as kept we are, by the ratio to the peer."""
        comparable = self.now and self.kept and self.now.text == self.kept.text
        return self.now.ratio / self.kept.ratio if comparable else None  # type: ignore[union-attr]


def compare(now: Results, kept: Results | None) -> list[Comparison]:
    """Compare all rows of both."""
    before = {row.id: row for row in kept.measurements} if kept else {}
    rows = [_compare_row(row, before.get(row.id)) for row in now.measurements]
    measured = {row.id for row in now.measurements}
    return rows + [_absent(row, now) for row in before.values() if row.id not in measured]


def failures(now: Results, rows: list[Comparison]) -> list[str]:
    """List everything for which a run fails."""
    found = [f"{row.id.name} (beside {row.id.peer}): {what}" for row in rows for what in row.failures]
    found += [f"check failed: {check.what}" for check in now.checks if not check.holds]
    return found + [f"benchmark {name} stopped: {why}" for name, why in now.failed.items()]


def _compare_row(now: Measurement, kept: Measurement | None) -> Comparison:
    row = Comparison(now.id, now, kept)
    same = kept is not None and now.text == kept.text
    if kept is None:
        row.notes.append("new")
    elif not same:
        row.notes.append(f"kept on another text: {kept.text}")
    if same and kept is not None:
        assert row.change is not None
        if row.change * WORSE < 1:
            row.failures.append(f"{1 / row.change - 1:.0%} slower than kept, beside the peer")
        elif row.change > WORSE:
            row.notes.append(f"{row.change:.2f} times as fast as kept")
        if now.megabytes is not None and kept.megabytes is not None:
            grown = now.megabytes - kept.megabytes
            if grown > SMALL_MEGABYTES and now.megabytes > WORSE * kept.megabytes:
                row.failures.append(f"{now.megabytes:.0f} MB instead of {kept.megabytes:.0f}")
    if now.misses_target:
        known = same and kept is not None and kept.target == now.target and kept.misses_target
        assert now.target is not None
        if known or now.target.on_the_clock:
            row.notes.append(f"misses its target, {now.target}" + (", as kept" if known else ""))
        else:
            row.failures.append(f"misses its target, {now.target}")
    return row


def _absent(kept: Measurement, now: Results) -> Comparison:
    """Judge a kept row that was not measured: there must be a reason."""
    row = Comparison(kept.id, None, kept)
    benchmark = kept.name.partition(":")[0]
    reasons = [s.reason for s in now.skipped if s.name == benchmark or (s.name, s.peer) == kept.id]
    if reasons:
        row.notes.append(f"not measured: {reasons[0]}")
    elif benchmark in now.benchmarks:
        row.failures.append("was kept, but is not measured any more")
    else:
        row.notes.append("not measured: its benchmark was not run")
    return row
