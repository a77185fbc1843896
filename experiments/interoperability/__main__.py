"""Compare results with those of other programs, and print rows of docs/interoperability.md.

    python -m experiments.interoperability [NAME ...] [--data FOLDER]

NAME is that of a file ``with_NAME.py`` in this folder; without names all are run. A comparison that needs a
package or data which is not there is reported and skipped.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from experiments.interoperability.comparison import HEAD, Comparison


def names() -> list[str]:
    """Return the names of all programs."""
    return sorted(path.stem.removeprefix("with_") for path in Path(__file__).parent.glob("with_*.py"))


def comparisons(name: str, data: Path | None) -> Iterator[Comparison]:
    """Run the comparisons with one program; LookupError says what they need and do not have."""
    module = importlib.import_module(f"experiments.interoperability.with_{name}")
    yield from module.comparisons(data)


def main(arguments: list[str] | None = None) -> int:
    """Print the rows; the exit code is 0 if at least one comparison could be run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"programs: {', '.join(names())}")
    parser.add_argument("--data", type=Path, help="folder of real data, for the comparisons that need some")
    options = parser.parse_args(arguments)
    if unknown := set(options.names) - set(names()):
        parser.error(f"unknown program {sorted(unknown)[0]!r}; known: {', '.join(names())}")
    print(f"| {' | '.join(HEAD)} |")
    print(f"|{'---|' * len(HEAD)}")
    printed = 0
    for name in options.names or names():
        try:
            for comparison in comparisons(name, options.data):
                print(comparison.row(), flush=True)
                printed += 1
        except LookupError as missing:
            print(f"{name}: {missing.args[0]}", file=sys.stderr)
    return 0 if printed else 1


if __name__ == "__main__":
    sys.exit(main())
