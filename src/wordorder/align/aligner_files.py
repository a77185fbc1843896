"""Aligners on disk: a folder with ``model.json`` (settings, origin) and ``model.safetensors``."""

from __future__ import annotations

from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from wordorder import _native
from wordorder.align.bilingual import AlignerSettings, BilingualModel
from wordorder.errors import BadFile, WordOrderError
from wordorder.io.model_folder import ARRAYS, DAMAGED, load_folder, save_folder
from wordorder.text.tokens import Words

FORMAT = "wordorder-aligner"
VERSION = 1


def save_model(model: BilingualModel, folder: str) -> None:
    """Write a model into a folder, completely or not at all; an existing model is replaced."""
    arrays: dict[str, Any] = dict(model._native.state())
    for side, words in zip(("source", "target"), model.words, strict=True):
        arrays[f"{side}_words"] = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    about = {
        "settings": asdict(model.settings),
        "signature": model.settings.signature,
        "trained_on": model.trained_on,
        "words": [len(words) for words in model.words],
    }
    save_folder(folder, FORMAT, VERSION, about, arrays)


def load_model(folder: str) -> BilingualModel:
    """Read a model that :func:`save_model` wrote; it produces exactly the same links."""
    about, arrays = load_folder(folder, FORMAT, VERSION)
    try:
        known = {f.name for f in fields(AlignerSettings)}
        settings = AlignerSettings(**{k: v for k, v in about["settings"].items() if k in known})
        words = [_words(arrays.pop(f"{side}_words"), settings.lowercase) for side in ("source", "target")]
        if [len(w) for w in words] != about["words"]:
            raise WordOrderError("the words are not those of the model")
        native = _native.Aligner()
        native.set_state(arrays)
        return BilingualModel(settings, words[0], words[1], native, str(about["trained_on"]))
    except KeyError as error:
        raise BadFile(f"is damaged: there is no {error}", file=folder) from None
    except DAMAGED as error:
        raise BadFile(f"is damaged: {error}", file=str(Path(folder) / ARRAYS)) from None


def _words(data: Any, lowercase: bool) -> Words:
    words = Words(lowercase=lowercase)
    text = data.tobytes().decode("utf-8")
    words.encode(text.split("\n") if text else [])
    return words
