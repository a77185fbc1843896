"""Tuning in rounds: decode, add the new candidates to the old ones, tune, and decode again.

This is the outer loop of tuning (Och 2003; Stanojević 2017, algorithm 1). Every round leaves two files in
a folder, the weights with which the decoder ran and the candidates that it gave, so that an interrupted
run goes on where it stopped.
"""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.files import open_output
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.reading import read_candidates
from wordorder.tune.tuning import Tuning
from wordorder.tune.weights import Weights, read_weights

STANDARD_ERROR = 2  # its file descriptor


@dataclass(frozen=True, eq=False)
class Round:
    """One round: its number from 1, how many candidates were new, and what tuning gave."""

    number: int
    new: int
    lists: CandidateLists
    tuning: Tuning


def tuning_rounds(
    folder: Path,
    decoder: str,
    start: Weights,
    tune_lists: Callable[[CandidateLists, Weights], Tuning],
    *,
    sentences: int,
    rounds: int,
    settings: dict[str, Any],
) -> Iterator[Round]:
    """Run the decoder and tune until no candidate is new, or for a number of rounds.

    ``decoder`` is a shell command in which ``{weights}`` is the file with weights to read and ``{nbest}``
    the file of candidates to write. ``settings`` describe the run; a folder of another run is refused.
    """
    for place in ("{weights}", "{nbest}"):
        if place not in decoder:
            raise BadSetting(f"the command of the decoder has no {place}: {decoder}")
    folder.mkdir(parents=True, exist_ok=True)
    _check_settings(folder, {**settings, "decoder": decoder})
    paths: list[str] = []
    weights, size = start, 0
    for number in range(1, rounds + 1):
        weights = _kept_weights(folder / f"round{number}.weights", weights)
        paths.append(_decode(folder, number, decoder))
        lists = lists_of(paths, sentences=sentences)
        if len(lists.texts) == size:
            return
        tuning = tune_lists(lists, weights)
        yield Round(number, len(lists.texts) - size, lists, tuning)
        weights, size = lists.weights(tuning.weights, weights), len(lists.texts)


def lists_of(
    paths: Sequence[str], form: str | None = None, *, sentences: int | None = None, per_sentence: int = 0
) -> CandidateLists:
    """Read and merge the candidates of some files."""
    groups = read_candidates(paths, form, per_sentence=per_sentence)
    return CandidateLists.of((c for _, group in groups for c in group), sentences=sentences)


def _check_settings(folder: Path, settings: dict[str, Any]) -> None:
    file, data = folder / "settings.json", orjson.dumps(settings, option=orjson.OPT_INDENT_2) + b"\n"
    if not file.exists():
        with open_output(str(file)) as out:
            out.write(data)
    elif file.read_bytes() != data:
        raise BadSetting(f"{folder} has rounds of a run with other settings ({file}); choose another folder")


def _kept_weights(file: Path, weights: Weights) -> Weights:
    """Return the weights of a round that was already begun, or write those of a new one."""
    if file.exists():
        return read_weights(file.read_text("utf-8").splitlines(), str(file))
    with open_output(str(file)) as out:
        out.write(str(weights).encode())
    return weights


def _decode(folder: Path, number: int, decoder: str) -> str:
    """Run the decoder, unless its candidates are there; they get their name when they are complete."""
    file = folder / f"round{number}.nbest"
    if file.exists():
        return str(file)
    unfinished = folder / f"round{number}.nbest.part"
    command = decoder.replace("{weights}", shlex.quote(str(folder / f"round{number}.weights")))
    command = command.replace("{nbest}", shlex.quote(str(unfinished)))
    # The user's own command; what it prints must not get into our results.
    done = subprocess.run(command, shell=True, check=False, stdout=STANDARD_ERROR)
    if done.returncode:
        raise WordOrderError(f"the decoder ended with exit code {done.returncode}: {command}")
    if not unfinished.exists() or not unfinished.stat().st_size:
        raise WordOrderError(f"the decoder wrote no candidates to {unfinished}: {command}")
    for _ in read_candidates([str(unfinished)]):  # a faulty list must not count as finished
        pass
    os.replace(unfinished, file)
    return str(file)
