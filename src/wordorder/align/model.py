"""Aligners on disk: a folder with ``model.json`` (settings, origin) and ``model.safetensors``."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from wordorder import _native
from wordorder.align.bilingual import AlignerSettings, BilingualModel
from wordorder.errors import BadFile, WordOrderError
from wordorder.io.folders import replaced_folder
from wordorder.text.tokens import Words

FORMAT = "wordorder-aligner"
VERSION = 1
_JSON, _ARRAYS = "model.json", "model.safetensors"


def save_model(model: BilingualModel, folder: str) -> None:
    """Write a model into a folder, all of it or nothing; a model that is there is replaced."""
    from safetensors.numpy import save_file

    place = Path(folder)
    if place.exists() and not (place / _JSON).is_file() and (not place.is_dir() or any(place.iterdir())):
        raise BadFile("exists and is not an aligner; choose another folder", file=folder)
    arrays: dict[str, Any] = dict(model._native.state())
    for side, words in zip(("source", "target"), model.words, strict=True):
        arrays[f"{side}_words"] = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    about = {
        "format": FORMAT,
        "version": VERSION,
        "settings": model.settings.as_dict(),
        "signature": model.settings.signature,
        "trained_on": model.trained_on,
        "words": [len(words) for words in model.words],
    }
    with replaced_folder(place) as part:
        save_file(arrays, part / _ARRAYS)
        (part / _JSON).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def load_model(folder: str) -> BilingualModel:
    """Read a model that :func:`save_model` wrote; it gives the same links to the last bit."""
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    about_path, arrays_path = Path(folder) / _JSON, Path(folder) / _ARRAYS
    try:
        about = json.loads(about_path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BadFile(f"is not an aligner: no {_JSON}", file=folder) from None
    except (OSError, ValueError) as error:
        raise BadFile(f"cannot be read: {error}", file=str(about_path)) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BadFile(f"is not a {FORMAT}", file=str(about_path))
    if about.get("version") != VERSION:
        raise BadFile(
            f"format version {about.get('version')}; this program reads {VERSION}", file=str(about_path)
        )
    try:
        arrays = load_file(arrays_path)
        known = {f.name for f in fields(AlignerSettings)}
        settings = AlignerSettings(**{k: v for k, v in about["settings"].items() if k in known})
        words = [_words(arrays.pop(f"{side}_words"), settings.lowercase) for side in ("source", "target")]
        if [len(w) for w in words] != about["words"]:
            raise WordOrderError("the words are not those of the model")
        native = _native.Aligner()
        native.set_state(arrays)
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"is damaged: {error}", file=str(arrays_path)) from None
    return BilingualModel(settings, words[0], words[1], native, str(about["trained_on"]))


def _words(data: Any, lowercase: bool) -> Words:
    words = Words(lowercase=lowercase)
    text = data.tobytes().decode("utf-8")
    words.encode(text.split("\n") if text else [])
    return words
