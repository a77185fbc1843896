"""Statistics of the shards of a corpus, in files: rows as numpy arrays, counts in the records of shards."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.arrays import Doubles
from wordorder.engine.score_texts import CorpusStatistics, SystemCounts, TextBlock, collect
from wordorder.engine.shard_folder import Record
from wordorder.engine.threads import Runner
from wordorder.io.files import open_output
from wordorder.metrics.base import Metric


@dataclass(frozen=True, slots=True)
class StoredRows:
    """Rows of statistics in a file, which are read when they are used."""

    path: str
    size: int

    def __len__(self) -> int:
        return self.size

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Doubles:
        rows: Doubles = np.load(self.path, allow_pickle=False)
        return rows


def store_statistics(
    blocks: Iterable[TextBlock], metrics: Sequence[Metric], systems: int, output: str, run: Runner = map
) -> dict[str, Any]:
    """Write the rows of a shard into a file, and return its counts as plain data."""
    scored = collect(blocks, metrics, [""] * systems, run)
    rows = np.concatenate([np.asarray(piece) for piece in scored.rows]) if scored.rows else np.zeros((0, 0))
    with open_output(output) as out:
        np.save(out, rows, allow_pickle=False)
    return {
        "segments": len(rows),
        "widths": scored.widths,
        "tallies": [[counts.tolist() for counts in system.tallies] for system in scored.systems],
        "empty": [system.empty for system in scored.systems],
    }


def stored_statistics(records: Sequence[Record], folder: str, names: Sequence[str]) -> CorpusStatistics:
    """Put the statistics of all shards together; rows stay in their files."""
    used = [record for record in records if record.facts["segments"]]
    facts: list[Mapping[str, Any]] = [record.facts for record in used]
    tallies = np.array([one["tallies"] for one in facts], dtype=np.int64).sum(axis=0)
    empty = np.array([one["empty"] for one in facts], dtype=np.int64).sum(axis=0)
    rows = [StoredRows(os.path.join(folder, record.output), record.facts["segments"]) for record in used]
    counts = zip(names, tallies, empty.tolist(), strict=True)
    systems = [SystemCounts(name, list(by_metric), without) for name, by_metric, without in counts]
    return CorpusStatistics(systems, facts[0]["widths"], rows)
