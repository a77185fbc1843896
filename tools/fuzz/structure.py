"""Random changes that keep a file readable, so that the checks behind its checksum or syntax are reached."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import random
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import zstandard
from numpy.typing import NDArray

from tools.fuzz.mutation import changed
from wordorder.io.model_folder import ABOUT, ARRAYS, model_checksum

Files = dict[str, bytes]
Array = NDArray[Any]

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 64, 1 << 31, 1 << 53, 1 << 63, 1 << 64, 10**400, -(1 << 63),
    0.5, -0.5, 1e308, 1e-320, float("nan"), float("inf"), "", "x", "none", "nan", "\ud800", "\n", "x" * 3000,
    [], {}, [[]], [None], [1, 2], {"a": 1}, [[1], "x"],
)  # fmt: skip
TYPES = ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?")


def changed_files(
    files: Mapping[str, bytes], rng: random.Random, seeds: Sequence[Mapping[str, bytes]]
) -> Files:
    """Change one or two files; now and then one is removed, or replaced by another one."""
    made = dict(files)
    for _ in range(rng.choice((1, 1, 1, 2))):
        name = rng.choice(sorted(files))
        if len(files) > 1 and rng.random() < 0.03:
            made.pop(name, None)
        elif len(files) > 1 and rng.random() < 0.03:
            made[name] = files[rng.choice(sorted(files))]
        elif name in made:
            others = [seed[name] for seed in seeds if name in seed]
            made[name] = changed_file(name, made[name], rng, others)
    if ABOUT in made and ARRAYS in made and rng.random() < 0.5:
        made[ABOUT] = with_checksum(made[ABOUT], made[ARRAYS])
    return made


def changed_file(name: str, data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """Change a file, half of the time by its structure."""
    if rng.random() < 0.5:
        try:
            for ending, change in STRUCTURES.items():
                if name.endswith(ending):
                    return change(data, rng)
        except Exception:  # no longer of this structure, after an earlier change
            return changed(data, rng, others)
    return changed(data, rng, others)


def with_checksum(about: bytes, arrays: bytes) -> bytes:
    """Write the checksum into the description of a model, if it still has one."""
    try:
        description = json.loads(about)
    except (ValueError, RecursionError):
        return about
    if not isinstance(description, dict) or "sha256" not in description:
        return about
    old = str(description["sha256"]).encode("utf-8", "replace")
    return about.replace(old, model_checksum(description, arrays).encode()) if old else about


def changed_json(data: bytes, rng: random.Random) -> bytes:
    """Change values of a JSON document, or of each of its lines."""
    value = changed_value(json.loads(data), rng)
    return json.dumps(value, indent=rng.choice((None, 2))).encode()


def changed_json_lines(data: bytes, rng: random.Random) -> bytes:
    """Change a line of a file of JSON lines."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = json.dumps(changed_value(json.loads(lines[at]), rng), ensure_ascii=rng.random() < 0.5).encode(
        "utf-8", "surrogatepass"
    )
    return b"\n".join(lines)


def changed_value(value: Any, rng: random.Random) -> Any:
    """Return a value with some part of it replaced, removed, repeated or renamed."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        made = dict(value)
        key = rng.choice(sorted(made))
        what = rng.random()
        if what < 0.1:
            del made[key]
        elif what < 0.15:
            made[rng.choice(("", "x", "kind", "name", *sorted(made)))] = made.pop(key)
        else:
            made[key] = changed_value(made[key], rng)
        return made
    if isinstance(value, list) and value and rng.random() < 0.9:
        items = list(value)
        at = rng.randrange(len(items))
        what = rng.random()
        if what < 0.1:
            del items[at]
        elif what < 0.2:
            items[at:at] = [items[at]] * rng.choice((1, 2, 1000))
        else:
            items[at] = changed_value(items[at], rng)
        return items
    if isinstance(value, bool) or rng.random() < 0.5:
        return rng.choice(ODD)
    if isinstance(value, int | float):
        return rng.choice((value + 1, value - 1, -value, value * 2, value * 1000, f"{value}"))
    if isinstance(value, str):
        return changed(value.encode("utf-8", "surrogatepass"), rng, ()).decode("utf-8", "replace")
    return rng.choice(ODD)


def changed_arrays(arrays: Mapping[str, Array], rng: random.Random) -> dict[str, Array]:
    """Return arrays of which one has another value, type, shape or name, or is gone."""
    made = dict(arrays)
    name = rng.choice(sorted(made))
    array = made.pop(name)
    what = rng.random()
    if what < 0.1:
        return made
    if what < 0.15:
        return {**made, rng.choice(("", "x", *sorted(arrays))): array}
    return {**made, name: np.ascontiguousarray(changed_array(array, rng))}


def changed_array(array: Array, rng: random.Random) -> Array:
    """Return an array with another value, type or shape."""
    what = rng.randrange(8)
    if what == 0:
        with np.errstate(all="ignore"):
            return array.astype(rng.choice(TYPES))
    if what == 1:
        return array.reshape(-1)[: rng.randint(0, array.size)]
    if what == 2:
        return np.concatenate([array, array]) if array.ndim else array.reshape(1, 1)
    if what == 3:
        return rng.choice(
            (array.reshape(-1), array[None], array.T, array.reshape(-1)[None], array[..., None])
        )
    if not array.size:
        return np.zeros(rng.choice((0, 1, 3)), array.dtype)
    made = array.copy()
    for _ in range(rng.choice((1, 1, 3, 50))):
        made.flat[rng.randrange(made.size)] = odd_number(made.dtype, rng)
    if what == 4:
        rng.shuffle(flat := made.reshape(-1).tolist())
        made = np.array(flat, made.dtype).reshape(made.shape)
    return made


def odd_number(dtype: np.dtype[Any], rng: random.Random) -> Any:
    """Return a number of a type that is rarely expected."""
    if dtype.kind == "f":
        largest, tiny = np.finfo(dtype).max, np.finfo(dtype).tiny
        return rng.choice((np.nan, np.inf, -np.inf, largest, -largest, tiny, 0, -0.0, -1, 1e4))
    if dtype.kind in "iu":
        least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        return rng.choice((least, most, most // 2, 0, 1, 10, rng.randint(0, min(most, 300))))
    return rng.random() < 0.5


def _changed_safetensors(data: bytes, rng: random.Random) -> bytes:
    from safetensors import SafetensorError
    from safetensors.numpy import load, save

    try:
        return bytes(save(changed_arrays(load(data), rng)))
    except SafetensorError as error:
        raise ValueError(str(error)) from None


def _changed_array_file(data: bytes, rng: random.Random) -> bytes:
    """Change a file of ``wordorder.io.array_file``, whose checksum stays right half of the time."""
    rest = data[32:]
    if rng.random() < 0.5:
        rest = changed(rest, rng, ())
    else:
        with np.load(io.BytesIO(rest), allow_pickle=False) as arrays:
            made = changed_arrays(dict(arrays), rng)
        packed = io.BytesIO()
        np.savez(packed, **made)  # type: ignore[arg-type]
        rest = packed.getvalue()
    return hashlib.sha256(rest).digest() + rest


def _changed_gzip(data: bytes, rng: random.Random) -> bytes:
    packed = gzip.compress(changed(gzip.decompress(data), rng, ()), 1, mtime=0)
    return packed + rng.choice((b"", b"", b"", packed, b"\0" * 9, packed[:9]))


def _changed_zstd(data: bytes, rng: random.Random) -> bytes:
    try:
        inside = zstandard.ZstdDecompressor().decompress(data, max_output_size=1 << 20)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    packed = zstandard.ZstdCompressor(level=1).compress(changed(inside, rng, ()))
    return packed + rng.choice((b"", b"", b"", packed, b"\0" * 9, packed[:9]))


def _changed_zip(data: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    made = changed_files(files, rng, [])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in made.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


STRUCTURES = {
    ".json": changed_json,
    ".jsonl": changed_json_lines,
    ".safetensors": _changed_safetensors,
    ".arrays": _changed_array_file,
    ".gz": _changed_gzip,
    ".zst": _changed_zstd,
    ".zip": _changed_zip,
}
