"""What is fuzzed: a function that reads a folder of files, and seeds for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tools.fuzz.structure import Files, changed_files

SEEDS = Path(__file__).parent / "seeds"  # a folder per target, in it a folder per seed


@dataclass(frozen=True)
class Target:
    """A reader, loader or kernel.

    ``run`` reads a folder. ``make`` returns seeds beside those of the folder ``seeds``. Errors must name a
    file, unless ``expected`` lists what else may be raised.
    """

    name: str
    run: Callable[[Path], object]
    make: Callable[[], Sequence[Files]] = list
    expected: tuple[type[Exception], ...] = ()

    @cached_property
    def seeds(self) -> list[Files]:
        """The seeds; all of them must be read without an error."""
        folders = sorted(path for path in (SEEDS / self.name).glob("*") if path.is_dir())
        return [*(read_files(folder) for folder in folders), *self.make()]

    def case(self, seed: int, number: int) -> Files:
        """Make a case: the same for the same numbers."""
        rng = random.Random(f"{self.name}/{seed}/{number}")
        return changed_files(rng.choice(self.seeds), rng, self.seeds)


def read_files(folder: Path) -> Files:
    """Read all files of a folder, by their paths in it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def write_files(folder: Path, files: Files) -> None:
    """Write files into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name
        if "/" in name:
            path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def only_file(folder: Path) -> str:
    """Return the path of the single file of a case."""
    return str(next(folder.iterdir()))
