"""Results of slow steps, kept in a folder so that tables can be written again without computing them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import orjson

from wordorder.io.files import open_output

T = TypeVar("T")


@dataclass(frozen=True)
class KeptResults:
    """A folder of results by name; without a folder nothing is kept.

    A name describes everything that the result depends on, except the program: use a new folder after changes
    to the program.
    """

    folder: Path | None = None

    def result(self, name: str, compute: Callable[[], T]) -> T:
        """Return a result that JSON can hold: the one that was kept, or a new one."""
        file = self.folder / f"{sha256(name.encode()).hexdigest()[:20]}.json" if self.folder else None
        if file is not None and file.exists():
            found: T = orjson.loads(file.read_bytes())["result"]
            return found
        start = time.process_time()
        result = compute()
        print(f"  {name}: {time.process_time() - start:.1f} s", file=sys.stderr)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            with open_output(str(file)) as out:
                out.write(orjson.dumps({"name": name, "result": result}))
        return result
