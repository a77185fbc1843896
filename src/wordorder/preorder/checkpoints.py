"""Checkpoints of a training: arrays and facts in one file, which is replaced atomically."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.errors import BadFile
from wordorder.io.files import open_output
from wordorder.preorder.base import Arrays
from wordorder.preorder.training import TrainingData

CHECKPOINT = "checkpoint.safetensors"


def training_key(settings: Mapping[str, Any], data: TrainingData, seed: int) -> str:
    """Return a digest of settings and data: a checkpoint with another key belongs to another training."""
    digest = hashlib.sha256(json.dumps([__version__, seed, settings], sort_keys=True).encode())
    for sources, alignments in ((data.sources, data.alignments), data.automatic or ((), ())):
        for source, alignment in zip(sources, alignments, strict=True):
            digest.update(json.dumps([source.words, source.layers, source.target, alignment.links]).encode())
        digest.update(b"\n")
    for source in data.raw:
        digest.update(json.dumps(source.words).encode())
    if data.start is not None:
        digest.update(_checksum(data.start.arrays(), data.start.signature).encode())
    return digest.hexdigest()


def _checksum(arrays: Mapping[str, NDArray[Any]], facts: Any) -> str:
    digest = hashlib.sha256(json.dumps(facts).encode())
    for label, array in sorted(arrays.items()):
        digest.update(f"\n{label} {array.dtype} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def save_checkpoint(
    folder: str, key: str, arrays: Mapping[str, NDArray[Any]], facts: Any, *, name: str = CHECKPOINT
) -> None:
    """Write a checkpoint; at any time either the old or the new file is complete."""
    from safetensors.numpy import save

    path = Path(folder) / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        packed = {label: np.ascontiguousarray(array) for label, array in arrays.items()}
        with open_output(str(path)) as out:
            about = {"key": key, "facts": facts, "sha256": _checksum(packed, facts)}
            out.write(save(packed, {"about": json.dumps(about)}))
    except OSError as error:
        raise BadFile(f"cannot be written: {error.strerror or error}", file=str(path)) from None


def load_checkpoint(
    folder: str | None, key: str, names: Iterable[str], *, name: str = CHECKPOINT
) -> tuple[Arrays, Any] | None:
    """Return the arrays and facts, if any; refuse a checkpoint of other data or settings."""
    from safetensors import SafetensorError, safe_open

    path = Path(folder or "") / name
    if not folder or not path.exists():
        return None
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads(file.metadata()["about"])
            if about["key"] != key:
                raise BadFile("belongs to other text or settings; train without resuming", file=str(path))
            arrays = {label: file.get_tensor(label) for label in file.keys()}  # noqa: SIM118 (not a dict)
        if about["sha256"] != _checksum(arrays, about["facts"]):
            raise ValueError("its checksum is not that of its contents")
        missing = [label for label in names if label not in arrays]
        if missing:
            raise KeyError(missing[0])
        return arrays, about["facts"]
    except BadFile:
        raise
    except (OSError, SafetensorError, KeyError, TypeError, ValueError) as error:
        raise BadFile(f"is a damaged checkpoint: {error}", file=str(path)) from None
