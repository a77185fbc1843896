"""Reports of trained BEER models."""

from __future__ import annotations

import math

from wordorder.learn.beer import TrainedBeer
from wordorder.report.table import Table, write_table


def trained_report(trained: TrainedBeer, form: str, *, folder: str) -> bytes:
    """Write the agreement of a model with people on held-out sets, in one of the formats of tables."""
    means = [None if math.isnan(report.mean) else report.mean for report in trained.reports]
    output = trained.model.output
    facts = {
        "measure": trained.measure,
        "penalty": trained.penalty,
        "output": {"kind": output.kind, "a": output.a, "b": output.b},
        "features": len(trained.model.names),
        "folder": folder,
    }
    table = Table(
        head=["held out", "sets", trained.measure] if trained.reports else [],
        rows=[
            [report.name, str(len(report.sets)), "-" if mean is None else f"{mean:.4f}"]
            for report, mean in zip(trained.reports, means, strict=True)
        ],
        records=[
            {"held_out": report.name, "sets": len(report.sets), "value": mean}
            for report, mean in zip(trained.reports, means, strict=True)
        ],
        facts=facts,
        notes=[
            f"penalty {trained.penalty:g}, output {output.kind} a={output.a:g} b={output.b:g}; "
            f"{len(trained.model.names)} features have weight; wrote {folder}"
        ],
        name="held_out",
    )
    return write_table(table, form)
