"""Train an aligner on a corpus in many files, part by part, with the same result as on one file.

Expected counts are integers, which add up over shards. What the work on a shard needs is in files: its text
as word numbers, all pairs of words that occur, and the parameters of the iteration. A training that was
stopped goes on from the counts of the last iteration.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from wordorder import _native
from wordorder.align.bilingual import (
    AlignerSettings,
    BilingualModel,
    Counts,
    TextArrays,
    encoded_pairs,
    expected,
    set_prior,
    text_signature,
    update,
)
from wordorder.arrays import Longs
from wordorder.engine.shard_folder import content_of
from wordorder.engine.threads import Runner
from wordorder.errors import BadFile, BadSetting
from wordorder.io.aligned import Pair, read_pairs
from wordorder.io.array_file import load_arrays, save_arrays
from wordorder.io.files import open_output
from wordorder.io.lenient import Lenient
from wordorder.io.parallel import placed
from wordorder.io.paths import split_column
from wordorder.io.shards import Shard
from wordorder.text.tokens import Words

ARRAYS = ("source", "source_offsets", "target", "target_offsets")
PAIRS, COUNTS = "pairs.npy", "counts.npz"  # in the folder of the training


@dataclass(frozen=True, slots=True)
class ShardText:
    """The text of a shard as word numbers, in a file, and the words in the order of their numbers."""

    place: str
    pairs: int
    words: tuple[list[str], list[str]]


def train_on_shards(
    shards: Sequence[Shard],
    folder: Path,
    *,
    settings: AlignerSettings,
    run: Runner = map,
    lenient: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> BilingualModel:
    """Train an aligner as :func:`~wordorder.align.bilingual.train_aligner` does; ``folder`` keeps the state.

    ``threads`` are for the work here; that on shards is done by ``run``.
    """
    if not shards:
        raise BadSetting("expected at least one shard to train on")
    folder.mkdir(parents=True, exist_ok=True)
    number = partial(number_words, folder=str(folder), lowercase=settings.lowercase, lenient=lenient)
    texts = list(run(number, shards))
    if not sum(text.pairs for text in texts):
        raise BadFile("has no pair of sentences to align", file=shards[0].files["source"])
    words = Words(lowercase=settings.lowercase), Words(lowercase=settings.lowercase)
    totals = _renumber(texts, words)
    places = [text.place for text in texts]
    sizes = len(words[0]), len(words[1])
    pairs = np.zeros(0, dtype=np.int64)
    for found in run(partial(word_pairs, sizes=sizes), places):
        pairs = _merged(pairs, found)
    with open_output(str(folder / PAIRS)) as out:
        np.save(out, pairs, allow_pickle=False)
    native = _native.Aligner()
    rows = np.searchsorted(pairs, np.arange(sizes[0] + 1) * sizes[1])
    native.start_from(rows, (pairs % sizes[1]).astype(np.int32), sizes[1], threads)
    set_prior(native, settings, words, totals, threads)
    key = training_key(text_key(shards), settings, lenient)
    own_run = f"{os.getpid()} {time.time_ns()}"
    for iteration in range(_resumed(folder, key, native, settings, threads), settings.iterations):
        progress(iteration)
        before = native.parameters()
        save_arrays(folder / f"parameters-{iteration}.npz", **before)
        work = partial(
            count_links, folder=str(folder), sizes=sizes, settings=settings, iteration=iteration, run=own_run
        )
        counts = _added(run(work, places), len(pairs))
        update(native, counts, settings, iteration, threads)
        jumps = {name: before[name] for name in ("forward_jumps", "reverse_jumps")}
        facts = {"key": np.array(key), "iteration": np.array(iteration)}
        save_arrays(folder / COUNTS, **facts, **counts, **jumps)
        (folder / f"parameters-{iteration}.npz").unlink()
    progress(settings.iterations)
    return BilingualModel(settings, *words, native, _signature(shards, lenient))


# The work on one shard


def number_words(shard: Shard, *, folder: str, lowercase: bool, lenient: bool) -> ShardText:
    """Number the words of a shard, and keep its text as numbers."""
    words = Words(lowercase=lowercase), Words(lowercase=lowercase)
    pairs = list(_read(shard, lenient))
    arrays = encoded_pairs(words, [pair.source for pair in pairs], [pair.target for pair in pairs])
    place = os.path.join(folder, f"{shard.name}.npz")
    save_arrays(Path(place), **dict(zip(ARRAYS, arrays, strict=True)))
    return ShardText(place, len(pairs), (words[0].words, words[1].words))


def word_pairs(place: str, *, sizes: tuple[int, int]) -> Longs:
    """Return the pairs of words of a shard, as source word times number of target words plus target word."""
    return _started(place, sizes)[1]


def count_links(
    place: str, *, folder: str, sizes: tuple[int, int], settings: AlignerSettings, iteration: int, run: str
) -> tuple[Longs, Counts]:
    """Return the expected counts of a shard, and the places of its pairs of words among all pairs.

    ``run`` is different in every run, so that a process does not take parameters for those of another one.
    """
    native, own, arrays = _started(place, sizes)
    parameters = dict(_parameters(os.path.join(folder, f"parameters-{iteration}.npz"), run))
    where = np.searchsorted(np.load(os.path.join(folder, PAIRS), mmap_mode="r"), own)
    parameters["lexical"] = parameters["lexical"].reshape(-1, 2)[where].reshape(-1)
    native.set_parameters(parameters)
    return where, expected(native, arrays, settings, iteration, 1)


def _started(place: str, sizes: tuple[int, int]) -> tuple[_native.Aligner, Longs, TextArrays]:
    """Return an aligner for the text of a shard, its pairs of words and the text."""
    found = _loaded(place)
    arrays: TextArrays = found["source"], found["source_offsets"], found["target"], found["target_offsets"]
    native = _native.Aligner()
    native.start(*arrays, *sizes, 1)
    rows, columns = native.cells()
    return native, np.repeat(np.arange(sizes[0]), np.diff(rows)) * sizes[1] + columns, arrays


@lru_cache(maxsize=1)
def _parameters(place: str, run: str) -> dict[str, Any]:
    """Read the parameters of an iteration once for all shards of a process."""
    return _loaded(place)


def _loaded(place: str) -> dict[str, Any]:
    arrays = load_arrays(Path(place))
    if arrays is None:
        raise BadFile("is missing or damaged; remove the folder, and train again", file=place)
    return arrays


def _read(shard: Shard, lenient: bool) -> Iterator[Pair]:
    skipped = Lenient() if lenient else None
    pairs = read_pairs(shard.files["source"], shard.files.get("target"), lenient=skipped)
    return placed(pairs, Pair(0, "", ""), skipped)


# The work on all shards


def _renumber(texts: Sequence[ShardText], words: tuple[Words, Words]) -> tuple[Longs, Longs]:
    """Give the words of all shards common numbers, those of one text; return how often each word occurs."""
    totals = [np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)]
    for text in texts:
        arrays = _loaded(text.place)
        for side, name in enumerate(("source", "target")):
            common = words[side].encode([" ".join(text.words[side])]).ids
            arrays[name] = common[arrays[name]] if len(common) else arrays[name]
            more = np.bincount(arrays[name], minlength=len(words[side]))
            more[: len(totals[side])] += totals[side]
            totals[side] = more
        save_arrays(Path(text.place), **arrays)
    return totals[0], totals[1]


def _merged(first: Longs, second: Longs) -> Longs:
    """Return the union of sorted numbers, sorted; merging is much quicker than ``numpy.union1d``."""
    both = np.concatenate([first, second])
    both.sort(kind="stable")  # merges the two sorted parts
    return both[np.concatenate([[True], both[1:] != both[:-1]])] if len(both) else both


def _added(counts: Iterator[tuple[Longs, Counts]], pairs: int) -> Counts:
    """Add up the counts of all shards."""
    cells = np.zeros((pairs, 2), dtype=np.int64)
    total: Counts = {}
    for where, part in counts:
        cells[where] += part["cells"].reshape(-1, 2)
        for name in ("target_nulls", "source_nulls", "steps"):
            total[name] = total[name] + part[name] if name in total else part[name]
    return {**total, "cells": cells.reshape(-1)}


def _resumed(folder: Path, key: str, native: _native.Aligner, settings: AlignerSettings, threads: int) -> int:
    """Continue after the last iteration of the same training; return the number of iterations done."""
    saved = load_arrays(folder / COUNTS)
    if saved is None or str(saved["key"]) != key:
        return 0
    iteration = int(saved["iteration"])
    jumps = {name: saved[name] for name in ("forward_jumps", "reverse_jumps")}
    native.set_parameters({**native.parameters(), **jumps})  # some steps may keep their weights
    update(native, saved, settings, iteration, threads)
    return iteration + 1


def training_key(text: str, settings: AlignerSettings, lenient: bool) -> str:
    """Return a checksum of everything that the aligner depends on; ``text`` is that of the text."""
    return hashlib.sha256(repr((sorted(asdict(settings).items()), lenient, text)).encode()).hexdigest()


def text_key(shards: Sequence[Shard]) -> str:
    """Return a checksum of the contents of all shards."""
    digest = hashlib.sha256()
    for shard in shards:
        for path in shard.files.values():
            digest.update(content_of(split_column(path)[0]).encode())
    return digest.hexdigest()


def _signature(shards: Sequence[Shard], lenient: bool) -> str:
    """Return the size and a hash of the text, which is read once for each side."""
    return text_signature(
        (pair.source for shard in shards for pair in _read(shard, lenient)),
        (pair.target for shard in shards for pair in _read(shard, lenient)),
    )
