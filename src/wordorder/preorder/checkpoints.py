"""What a training keeps to go on from: arrays and facts in one file that is replaced in one step."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.core.alignment import Alignment
from wordorder.errors import BadFile
from wordorder.io.files import open_output
from wordorder.preorder.base import Arrays, Source, Training

CHECKPOINT = "checkpoint.safetensors"


def training_key(
    settings: Mapping[str, Any],
    sources: Sequence[Source],
    alignments: Sequence[Alignment],
    training: Training,
) -> str:
    """A name for text and settings: a checkpoint with another one is of another training."""
    digest = hashlib.sha256(json.dumps([__version__, training.seed, settings], sort_keys=True).encode())
    for some, links in ((sources, alignments), training.automatic or ((), ())):
        for one, linked in zip(some, links, strict=True):
            digest.update(json.dumps([one.words, one.layers, one.target, linked.links]).encode())
        digest.update(b"\n")
    for words in training.raw:
        digest.update(json.dumps(list(words)).encode())
    return digest.hexdigest()


def save_checkpoint(
    folder: str, key: str, arrays: Mapping[str, NDArray[Any]], facts: Any, *, name: str = CHECKPOINT
) -> None:
    """Write a checkpoint: either the old or the new one is always whole."""
    from safetensors.numpy import save

    path = Path(folder) / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        packed = {one: np.ascontiguousarray(array) for one, array in arrays.items()}
        with open_output(str(path)) as out:
            out.write(save(packed, {"about": json.dumps({"key": key, "facts": facts})}))
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror or error}", file=str(path)) from None


def load_checkpoint(
    folder: str | None, key: str, names: Iterable[str], *, name: str = CHECKPOINT
) -> tuple[Arrays, Any] | None:
    """Arrays and facts, if there are some yet; those of other data or settings are refused."""
    from safetensors import SafetensorError, safe_open

    path = Path(folder or "") / name
    if not folder or not path.exists():
        return None
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads(file.metadata()["about"])
            if about["key"] != key:
                raise BadFile(
                    "was written for other text or settings; train without resuming", file=str(path)
                )
            arrays = {one: file.get_tensor(one) for one in file.keys()}  # noqa: SIM118 (not a dict)
        missing = [one for one in names if one not in arrays]
        if missing:
            raise KeyError(missing[0])
        return arrays, about["facts"]
    except BadFile:
        raise
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"is a damaged checkpoint: {error}", file=str(path)) from None
