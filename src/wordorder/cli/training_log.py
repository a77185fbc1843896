"""Records of a training: lines of a file, and a progress bar."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from wordorder.cli.progress import steps
from wordorder.errors import BadFile


@contextmanager
def training_log(
    path: str | None, *, quiet: bool, append: bool = False
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Yield a function that takes records with ``iteration`` and ``of``; each is written at once."""
    with ExitStack() as stack:
        file = stack.enter_context(open(path, "ab" if append else "wb", buffering=0)) if path else None
        update = stack.enter_context(steps("iterations", quiet=quiet))

        def write(record: Mapping[str, Any]) -> None:
            if file:
                try:
                    file.write(json.dumps(record, allow_nan=False).encode() + b"\n")
                except OSError as error:
                    raise BadFile(f"cannot be written: {error.strerror}", file=str(path)) from None
            facts = {key: value for key, value in record.items() if key not in ("iteration", "of")}
            update(record["iteration"], total=record["of"], **facts)

        yield write
