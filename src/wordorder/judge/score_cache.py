"""Statistics of judged items kept on disk, named by their content.

The name of a file depends on everything that went into it: the texts, the signature of the metric, and the
code of the package. Another text, setting or version has another name, so nothing is ever outdated.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import wordorder
from wordorder.arrays import Doubles
from wordorder.errors import BadFile
from wordorder.io.array_file import load_arrays, save_arrays
from wordorder.judge.judgments import Judgments, SourceLinks
from wordorder.metrics.base import Metric


def default_folder() -> str:
    """Return the folder where scores are kept: ``$XDG_CACHE_HOME/wordorder/scores``."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "wordorder", "scores")


@dataclass(frozen=True)
class ScoreCache:
    """A folder of scores; without a folder nothing is kept."""

    folder: str | None = None

    def place(self, content: bytes, metric: Metric, references: int) -> Path | None:
        """Return the file for the scores of texts with this digest, or None without a folder."""
        if not self.folder:
            return None
        digest = hashlib.sha256(code_digest() + content)
        digest.update(metric.signature_for(references).encode())
        digest.update(metric.signature_for(references, segment=True).encode())
        digest.update(repr(metric).encode())  # the signatures of sacrebleu do not contain all settings
        return Path(self.folder) / f"{digest.hexdigest()[:40]}.scores"


def save_statistics(place: Path, rows: Doubles) -> None:
    """Write statistics; a cache that cannot be written costs time, not results."""
    with suppress(OSError, BadFile):
        place.parent.mkdir(parents=True, exist_ok=True)
        save_arrays(place, rows=rows)


def load_statistics(place: Path, items: int) -> Doubles | None:
    """Read the statistics of a set with this number of items; None if the file is missing or damaged."""
    rows = (load_arrays(place) or {}).get("rows")
    return rows if rows is not None and len(rows) == items else None


@cache
def code_digest() -> bytes:
    """Return a digest of the code and the data of the package, on which scores depend."""
    digest = hashlib.sha256()
    root = Path(wordorder.__file__).parent
    files = [
        path
        for name in ("core", "text", "align", "metrics", "data")
        for path in sorted((root / name).rglob("*.py"))
    ]
    native = Path(wordorder._native.__file__ or "")
    for path in [*files, *sorted((root / "data").rglob("*.json")), native]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


def content_digest(judgments: Judgments) -> bytes:
    """Return a digest of the texts that are scored, without their links."""
    digest = hashlib.sha256()
    for stream in judgments.references:
        digest.update("\n".join(stream).encode() + b"\0")
    digest.update(judgments.item_segment.tobytes() + judgments.item_system.tobytes())
    digest.update("\n".join("\1" if text is None else text for text in judgments.outputs).encode())
    return digest.digest()


def links_digest(links: SourceLinks) -> bytes:
    """Return a digest of word alignments."""
    digest = hashlib.sha256()
    for batch in (*links.references, links.items):
        for array in (batch.pairs, batch.offsets, batch.source_sizes, batch.target_sizes):
            digest.update(array.tobytes())
    return digest.digest()
