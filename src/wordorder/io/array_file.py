"""Files of arrays that are kept between runs; one that is damaged counts as missing.

A file begins with the SHA-256 checksum of the rest, which is in numpy's format .npz.
"""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np

from wordorder.io.files import open_output


def save_arrays(place: Path, **arrays: Any) -> None:
    """Write arrays by name; the file appears only when complete."""
    packed = io.BytesIO()
    np.savez(packed, **arrays)
    with open_output(str(place)) as out:
        out.write(hashlib.sha256(packed.getbuffer()).digest())
        out.write(packed.getbuffer())


def load_arrays(place: Path) -> dict[str, Any] | None:
    """Read the arrays of a file, or return None if it is missing or damaged."""
    try:
        data = place.read_bytes()
        checksum, packed = data[:32], data[32:]
        if hashlib.sha256(packed).digest() != checksum:
            return None
        with np.load(io.BytesIO(packed), allow_pickle=False) as arrays:
            return dict(arrays)
    except Exception:  # whatever goes wrong inside of the archive
        return None
