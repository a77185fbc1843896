"""Tuning in rounds: decode, add the new candidates to the old ones, tune, and decode again.

This is the outer loop of tuning (Och 2003; Stanojević 2017, algorithm 1). Every round leaves two files in
a folder, the weights with which the decoder ran and the candidates that it gave, so that an interrupted
run goes on where it stopped.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.files import locked, open_output
from wordorder.math_threads import environment_of_user
from wordorder.tune.candidate_lists import CandidateLists
from wordorder.tune.reading import collect_candidates
from wordorder.tune.tuning import Tuning
from wordorder.tune.weights import Weights, read_weights

STANDARD_ERROR = 2  # its file descriptor
LAST_LINES = 3  # of what a failing decoder wrote, in the error


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
    references: Sequence[str],
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
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadFile(f"cannot be used as a folder: {error.strerror}", file=str(folder)) from None
    paths: list[str] = []
    weights, size, last = start, 0, None
    with locked(folder / "lock", f"another run is using {folder}"):
        _check_settings(folder, {**settings, "decoder": decoder})
        for number in range(1, rounds + 1):
            weights = _kept_weights(folder / f"round{number}.weights", weights)
            paths.append(_decode(folder, number, decoder, references))
            lists = collect_candidates(paths, references=references)
            if lists.size == size:
                break
            last = number, lists.size - size, lists, weights
            size = lists.size
            if (folder / f"round{number + 1}.weights").exists():
                continue  # this round was tuned before an interruption
            tuning = tune_lists(lists, weights)
            yield Round(number, last[1], lists, tuning)
            weights, last = lists.weights(tuning.weights, weights), None
        if last:  # its weights are known, but nothing else about it
            yield Round(*last[:3], tune_lists(last[2], last[3]))


def _check_settings(folder: Path, settings: dict[str, Any]) -> None:
    file, data = folder / "settings.json", orjson.dumps(settings, option=orjson.OPT_INDENT_2) + b"\n"
    if not file.exists():
        with open_output(str(file)) as out:
            out.write(data)
    elif file.read_bytes() != data:
        raise BadSetting(f"{folder} has rounds of a run with other settings ({file}); choose another folder")


def _kept_weights(file: Path, weights: Weights) -> Weights:
    """Write the weights of a round, unless it was begun before; return those in the file, with its digits."""
    if not file.exists():
        with open_output(str(file)) as out:
            out.write(str(weights).encode())
    return read_weights(file.read_text("utf-8").splitlines(), str(file))


def _decode(folder: Path, number: int, decoder: str, references: Sequence[str]) -> str:
    """Run the decoder, unless its candidates are there; they get their name when they are complete."""
    file = folder / f"round{number}.nbest"
    if file.exists():
        return str(file)
    # A decoder that was not ended with an interrupted run must not write into the file of this one.
    for old in folder.glob(f"round{number}.nbest.*.part"):
        old.unlink(missing_ok=True)
    unfinished = folder / f"round{number}.nbest.{os.getpid()}.part"
    command = decoder.replace("{weights}", shlex.quote(str(folder / f"round{number}.weights")))
    command = command.replace("{nbest}", shlex.quote(str(unfinished)))
    code, last_lines = _run_showing(command)
    if code:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        said = f"; it said: {last_lines}" if last_lines else ""
        raise WordOrderError(f"the decoder of round {number} {how}: {command}{said}")
    if not unfinished.exists() or not unfinished.stat().st_size:
        raise WordOrderError(f"the decoder of round {number} wrote no candidates to {unfinished}: {command}")
    collect_candidates([str(unfinished)], references=references)  # a faulty list must not count as finished
    os.replace(unfinished, file)
    return str(file)


def _run_showing(command: str) -> tuple[int, str]:
    """Run a shell command; return its exit code and the last lines that it wrote to standard error.

    Its output is passed on to standard error, because it must not get into our results.
    """
    last: deque[str] = deque(maxlen=LAST_LINES)
    with subprocess.Popen(
        command,
        shell=True,
        env=environment_of_user(),
        stdin=subprocess.DEVNULL,
        stdout=STANDARD_ERROR,
        stderr=subprocess.PIPE,
        start_new_session=True,  # so that all its processes can be ended
    ) as process:
        assert process.stderr is not None
        try:
            for line in process.stderr:
                text = line.decode("utf-8", "replace")
                sys.stderr.write(text)
                sys.stderr.flush()
                if text.strip():
                    last.append(text.strip())
        except BaseException:
            os.killpg(process.pid, signal.SIGTERM)
            raise
    return process.returncode, " / ".join(last)
