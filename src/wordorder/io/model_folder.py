"""Models on disk: a folder with ``model.json`` (a description), ``model.safetensors`` (arrays) and a card.

All kinds of models are written and read here; a folder is replaced completely or not at all.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadFile

ABOUT, ARRAYS, CARD = "model.json", "model.safetensors", "README.md"
Arrays = dict[str, NDArray[Any]]
# What goes wrong while a model is put together from a description that somebody changed.
DAMAGED = (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError, RuntimeError)


def save_folder(
    folder: str | Path,
    kind: str,
    version: int,
    about: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
    *,
    card: str = "",
) -> None:
    """Write a model, completely or not at all; an existing model of this kind is replaced."""
    from safetensors.numpy import save

    from wordorder.io.folders import replaced_folder

    check_target(folder, kind)
    packed = save({name: np.ascontiguousarray(a) for name, a in arrays.items()})
    description = {"format": kind, "version": version, "sha256": "", **about}
    description["sha256"] = model_checksum(description, packed)
    with replaced_folder(Path(folder)) as part:
        (part / ARRAYS).write_bytes(packed)
        text = json.dumps(description, indent=2, ensure_ascii=False, allow_nan=False)
        (part / ABOUT).write_text(text + "\n", encoding="utf-8")
        if card:
            (part / CARD).write_text(card, encoding="utf-8")


def check_target(folder: str | Path, kind: str) -> None:
    """Refuse to replace anything but a model of this kind; to be called before long work."""
    place = Path(folder)
    if not place.exists() or (place.is_dir() and not any(place.iterdir())):
        return
    try:
        known = json.loads((place / ABOUT).read_text(encoding="utf-8"))["format"] == kind
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise BadFile(f"exists and is no {kind}; choose another folder", file=str(folder))
    others = sorted({path.name for path in place.iterdir()} - {ABOUT, ARRAYS, CARD})
    if others:
        raise BadFile(f"has more than a model in it: {others[0]}; choose another folder", file=str(folder))


def load_folder(folder: str | Path, kind: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Read the description and the arrays that :func:`save_folder` wrote."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    about, path = read_about(folder, kind, version), Path(folder) / ARRAYS
    try:
        packed = path.read_bytes()
        checksum, arrays = model_checksum(about, packed), load(packed)
    except FileNotFoundError:
        raise BadFile(f"is not whole: no {ARRAYS}", file=str(folder)) from None
    except (OSError, SafetensorError, *DAMAGED) as error:
        raise BadFile(f"is damaged: {error}", file=str(path)) from None
    if checksum != about.get("sha256"):
        raise BadFile(f"is damaged, or {ABOUT} was changed: the checksum does not fit", file=str(path))
    return about, arrays


def model_checksum(about: Mapping[str, Any], packed: bytes) -> str:
    """Return the checksum of the arrays, as they are stored, and of all that a description says of them."""
    rest = {key: value for key, value in about.items() if key != "sha256"}
    return hashlib.sha256(packed + json.dumps(rest, sort_keys=True).encode()).hexdigest()


def read_about(folder: str | Path, kind: str, version: int) -> dict[str, Any]:
    """Read the description only."""
    path = Path(folder) / ABOUT
    if not path.exists():
        raise BadFile(f"is no {kind}: no {ABOUT}", file=str(folder))
    about = read_json(path)
    if about.get("format") != kind:
        raise BadFile(f"is no {kind}", file=str(path))
    seen = about.get("version")
    if seen != version:
        later = isinstance(seen, int) and seen > version
        hint = " It is of a later release: update wordorder." if later else ""
        raise BadFile(f"format version {seen!r}; this program reads {version}.{hint}", file=str(path))
    return about


def read_json(path: Path) -> dict[str, Any]:
    """Read a description of any kind; the content of anything but an object is an empty one."""
    try:
        about = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=str(path)) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"is not JSON: {error}", file=str(path)) from None
    except ValueError:  # of Python's limit
        raise BadFile("is damaged: a number has too many digits", file=str(path)) from None
    return about if isinstance(about, dict) else {}


def read_card(folder: Path) -> str:
    """Read the card of a model; a model without a card has an empty one."""
    card = folder / CARD
    return card.read_text(encoding="utf-8", errors="replace") if card.is_file() else ""


def card_title(folder: Path) -> str:
    """Return what a model does, from the first line of its card; empty without a card."""
    title = read_card(folder).partition("\n")[0].lstrip("# ")
    return title.removeprefix(folder.name).lstrip(": ")
