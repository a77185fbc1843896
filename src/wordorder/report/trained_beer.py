"""Reports of trained BEER models."""

from __future__ import annotations

import math

from wordorder.learn.beer import TrainedBeer
from wordorder.report.table import Table, write_table


def trained_report(trained: TrainedBeer, form: str, *, folder: str) -> bytes:
    """Write the agreement of a model with people on held-out years, in one of the formats of tables."""
    years = trained.years
    means = [None if math.isnan(report.mean) else report.mean for report in years]
    output = trained.model.output
    facts = {
        "measure": trained.measure,
        "penalty": trained.penalty,
        "output": {"kind": output.kind, "a": output.a, "b": output.b},
        "features": len(trained.model.names),
        "folder": folder,
    }
    table = Table(
        head=["held out", "sets", trained.measure],
        rows=[
            [str(report.year), str(len(report.sets)), "-" if mean is None else f"{mean:.4f}"]
            for report, mean in zip(years, means, strict=True)
        ],
        records=[
            {"held_out": report.year, "sets": len(report.sets), "value": mean}
            for report, mean in zip(years, means, strict=True)
        ],
        facts=facts,
        notes=[
            f"penalty {trained.penalty:g}, output {output.kind} a={output.a:g} b={output.b:g}; "
            f"{len(trained.model.names)} features have weight; wrote {folder}"
        ],
        name="years",
    )
    return write_table(table, form)
