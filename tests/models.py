"""Models on disk that are changed by tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordorder.io.model_folder import ABOUT, ARRAYS, model_checksum


def describe(folder: Path, about: Mapping[str, Any]) -> None:
    """Write another description of a model, with the right checksum: the checks behind it are reached."""
    checksum = model_checksum(about, (folder / ARRAYS).read_bytes())
    (folder / ABOUT).write_text(json.dumps({**about, "sha256": checksum}), encoding="utf-8")
