"""Models on disk: a folder with ``model.json`` (what it is), ``model.safetensors`` (its arrays) and a card.

All kinds of models are written and read here; a folder is replaced whole or not at all.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadFile

ABOUT, ARRAYS, CARD = "model.json", "model.safetensors", "README.md"
Arrays = dict[str, NDArray[Any]]


def save_folder(
    folder: str | Path,
    kind: str,
    version: int,
    about: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    card: str = "",
) -> None:
    """Write a model, all of it or nothing; a model of this kind that is there is replaced."""
    from safetensors.numpy import save

    place = Path(folder)
    check_target(place, kind)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(dir=place.parent, prefix=f".{place.name}.", suffix=".part"))
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror}", file=str(folder)) from None
    try:
        told = {"format": kind, "version": version, **about}
        (part / ARRAYS).write_bytes(save({name: np.ascontiguousarray(a) for name, a in arrays.items()}))
        (part / ABOUT).write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        if card:
            (part / CARD).write_text(card, encoding="utf-8")
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(part, 0o777 & ~mask)
        if place.exists():
            shutil.rmtree(place)
        os.replace(part, place)
    except OSError as error:
        shutil.rmtree(part, ignore_errors=True)
        raise BadFile(f"cannot be written: {error.strerror}", file=str(folder)) from None
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise


def check_target(folder: str | Path, kind: str) -> None:
    """Refuse to replace what is no model; best asked before long work."""
    place = Path(folder)
    if place.is_dir() and not any(place.iterdir()):
        return
    if place.exists() and not (place / ABOUT).is_file():
        raise BadFile(f"exists and is no {kind}; choose another folder", file=str(folder))


def load_folder(folder: str | Path, kind: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """What :func:`save_folder` wrote: the description and the arrays."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    about_path, arrays_path = Path(folder) / ABOUT, Path(folder) / ARRAYS
    try:
        about = json.loads(about_path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise BadFile(f"is no {kind}: no {ABOUT}", file=str(folder)) from None
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=str(about_path)) from None
    except ValueError as error:
        raise BadFile(f"is not JSON: {error}", file=str(about_path)) from None
    if not isinstance(about, dict) or about.get("format") != kind:
        raise BadFile(f"is no {kind}", file=str(about_path))
    if about.get("version") != version:
        seen = about.get("version")
        raise BadFile(f"format version {seen!r}; this program reads {version}", file=str(about_path))
    try:
        return about, load(arrays_path.read_bytes())
    except (OSError, SafetensorError, ValueError) as error:
        raise BadFile(f"is damaged: {error}", file=str(arrays_path)) from None
