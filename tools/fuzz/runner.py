"""Runs cases in child processes with limits of time and memory, and collects what goes wrong."""

from __future__ import annotations

import faulthandler
import json
import mmap
import os
import re
import resource
import shutil
import signal
import struct
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from tools.fuzz.structure import Files
from tools.fuzz.target import Target, write_files
from wordorder.errors import WordOrderError

MEMORY = 1 << 30  # bytes beyond those of the process before the first case
SECONDS = 10.0  # of CPU time for a case
WAIT = 300.0  # seconds of any time for a case, which ends one that sleeps
BATCH = 2000  # cases of a process, so that what caches keep is not taken for the memory of a case
LONGEST = 4000  # characters of a message

PROGRESS = struct.Struct("qdq")  # the number of a case, the CPU seconds of the slowest one, and its number
MakeCase = Callable[[int], Files]


class Finding(NamedTuple):
    """Something that must not happen. ``place`` is the same for cases with the same cause."""

    number: int
    kind: str
    place: str
    details: str


@dataclass
class Result:
    """What became of a target."""

    target: str
    cases: int = 0
    cpu: float = 0.0
    findings: dict[tuple[str, str], Finding] = field(default_factory=dict)  # the first of each cause
    slowest: float = 0.0  # CPU seconds of a case
    slowest_case: int = 0

    def add(self, finding: Finding) -> None:
        """Keep a finding, unless its cause is known."""
        self.findings.setdefault((finding.kind, finding.place), finding)


def fuzz(target: Target, *, seed: int, cpu: float = float("inf"), cases: int | None = None) -> Result:
    """Run cases of a target until CPU seconds, or a number of cases, are used up."""
    result = Result(target.name)
    assert target.seeds, f"{target.name} has no seeds"
    first = 0
    while result.cpu < cpu and (cases is None or first < cases):
        last = min(first + BATCH, cases if cases is not None else first + BATCH)
        first = _batch(target, lambda k: target.case(seed, k), range(first, last), cpu - result.cpu, result)
        result.cases = first
    return result


def replay(target: Target, files: Files) -> Finding | None:
    """Run one case with the limits of a run; return what goes wrong."""
    result = Result(target.name)
    _batch(target, lambda _: files, range(1), float("inf"), result)
    return next(iter(result.findings.values()), None)


def _batch(target: Target, case: MakeCase, numbers: range, cpu: float, result: Result) -> int:
    """Run cases in a child; return the number of the next case."""
    with tempfile.TemporaryFile() as log, mmap.mmap(-1, PROGRESS.size) as progress, _workplace() as folder:
        progress[:] = PROGRESS.pack(numbers.start - 1, 0.0, 0)
        report, answers = os.pipe()
        child = os.fork()
        if not child:
            code = 1
            try:
                os.close(report)
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                _limit()
                _run_cases(target, case, numbers, cpu, folder, progress, answers)
                code = 0
            except BaseException:
                os.write(2, traceback.format_exc().encode("utf-8", "replace"))
            finally:
                os._exit(code)
        os.close(answers)
        status, used = _wait(child, report, progress, result)
        result.cpu += used
        done, slowest, slowest_case = PROGRESS.unpack(progress[:])
        if slowest > result.slowest:
            result.slowest, result.slowest_case = slowest, slowest_case
        if status:
            log.seek(0)
            text = log.read()[-8000:].decode("utf-8", "replace")
            if done < numbers.start:
                raise RuntimeError(f"{target.name} cannot be tried: {text}")
            result.add(_ended(done, status, text))
        return int(done) + 1


def _wait(child: int, report: int, progress: mmap.mmap, result: Result) -> tuple[int, float]:
    """Collect findings until the child ends; return how it ended, and its CPU seconds."""
    rest, seen, since = b"", bytes(progress[:]), time.monotonic()
    os.set_blocking(report, False)
    while True:
        try:
            piece = os.read(report, 1 << 16)
        except BlockingIOError:
            piece = None
        if piece:
            *lines, rest = (rest + piece).split(b"\n")
            for line in lines:
                result.add(Finding(*json.loads(line)))
            continue
        if piece == b"":  # the child has ended, or is about to
            os.close(report)
            _, status, usage = os.wait4(child, 0)
            return status, usage.ru_utime + usage.ru_stime
        if bytes(progress[:]) != seen:
            seen, since = bytes(progress[:]), time.monotonic()
        elif time.monotonic() - since > WAIT:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.02)


def _ended(number: int, status: int, log: str) -> Finding:
    """Describe a child that did not end by itself."""
    end = os.waitstatus_to_exitcode(status)
    if end == -signal.SIGPROF:
        kind = f"more than {SECONDS:g} CPU seconds"
    elif end == -signal.SIGKILL:
        kind = f"more than {WAIT:g} seconds"
    else:
        kind = f"crash ({signal.Signals(-end).name})" if end < 0 else f"exit ({end})"
    frames: list[str] = re.findall(r'File "[^"]*?((?:wordorder|tools)/[^"]*)", line ([0-9]+)', log)
    return Finding(number, kind, ":".join(frames[0]) if frames else "unknown", log)


@contextmanager
def _workplace() -> Iterator[Path]:
    """Make a folder for cases, in memory if possible."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=memory) as folder:
        yield Path(folder)


def _limit() -> None:
    """Limit the memory of this process; a signal ends a case that takes too long, and says where it was."""
    sizes = Path("/proc/self/statm")  # on Linux
    if sizes.exists() and "ASAN_OPTIONS" not in os.environ:  # the sanitizer reserves terabytes
        used = int(sizes.read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable(2)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    faulthandler.register(signal.SIGPROF, 2, chain=True)
    warnings.simplefilter("always")
    warnings.simplefilter("ignore", ResourceWarning)  # of files that a case left open


def _run_cases(
    target: Target,
    case: MakeCase,
    numbers: range,
    cpu: float,
    folder: Path,
    progress: mmap.mmap,
    answers: int,
) -> None:
    end = time.process_time() + cpu
    place = folder / "case"
    slowest, slowest_case = 0.0, 0
    for number in numbers:
        progress[:] = PROGRESS.pack(number, slowest, slowest_case)
        files = case(number)
        shutil.rmtree(place, ignore_errors=True)
        write_files(place, files)
        begin = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        finding = _tried(target, place, number)
        signal.setitimer(signal.ITIMER_PROF, 0)
        if time.process_time() - begin > slowest:
            slowest, slowest_case = time.process_time() - begin, number
            progress[:] = PROGRESS.pack(number, slowest, slowest_case)
        if finding:
            os.write(answers, json.dumps(finding).encode() + b"\n")
        if time.process_time() > end:
            return


def _tried(target: Target, place: Path, number: int) -> Finding | None:
    """Run a case; return what is wrong with its end."""
    seen: list[str] = []
    old = warnings.showwarning
    warnings.showwarning = lambda message, kind, file, line, *_: seen.append(
        f"{kind.__name__}: {message} at {_short(file)}:{line}"
    )
    try:
        target.run(place)
    except target.expected:
        pass
    except WordOrderError as error:
        if problem := _unclear(str(error), "" if target.expected else str(place)):
            return Finding(number, problem, _origin(error), traceback.format_exc())
    except Exception as error:
        return Finding(number, type(error).__name__, _origin(error), traceback.format_exc())
    finally:
        warnings.showwarning = old
    if seen:
        return Finding(number, "warning", seen[0], "\n".join(seen))
    return None


def _unclear(message: str, file: str) -> str:
    """Say what is wrong with the message of an error."""
    if len(message.splitlines()) != 1:
        return "message of several lines"
    if len(message) > LONGEST:
        return "long message"
    return "" if file in message else "message without the file"


def _origin(error: BaseException) -> str:
    """Return the innermost place of the package in a traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "wordorder" in Path(frame.filename).parts] or list(frames)
    return f"{_short(own[-1].filename)}:{own[-1].lineno}" if own else "unknown"


def _short(file: str) -> str:
    return "/".join(Path(file).parts[-3:])
