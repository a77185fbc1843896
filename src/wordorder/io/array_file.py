"""Files of arrays that are kept between runs; one that is damaged counts as missing."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from wordorder.io.files import open_output


def save_arrays(place: Path, **arrays: Any) -> None:
    """Write arrays by name; the file appears only when complete."""
    with open_output(str(place)) as out:
        np.savez(out, **arrays)


def load_arrays(place: Path) -> dict[str, Any] | None:
    """Read the arrays of a file, or return None if it is missing or damaged."""
    try:
        with open(place, "rb") as handle, np.load(handle, allow_pickle=False) as arrays:
            return dict(arrays)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile):
        return None
