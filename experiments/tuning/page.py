"""Write docs/results/tuning.md: tuning and choosing on real candidate lists and human judgments.

    python -m experiments.tuning.page FOLDER [--keep RESULTS]

FOLDER holds the n-best lists (nbest/kftt-en-ja) and the tables of judgments (judgments/wmt12-rr, ...). With
--keep, the results of slow steps are kept in the folder RESULTS; those that are there are not computed again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.tuning.candidates import SYSTEMS, TunedSystem
from experiments.tuning.gaming import gaming_tables
from experiments.tuning.judged_choices import judged_tables
from experiments.tuning.kept_results import KeptResults
from experiments.tuning.objectives import objectives_tables
from experiments.tuning.risk import risk_tables
from experiments.tuning.tuners import tuners_table
from tools.pages import DOCS, write_pages

PAGE = DOCS / "results" / "tuning.md"
TEMPLATE = Path(__file__).with_name("page.template")


def page_text(folder: Path, kept: KeptResults) -> str:
    """Compute all tables and fill in the template."""
    systems = {name: TunedSystem(folder, name, kept) for name in SYSTEMS}
    parts: dict[str, Callable[[], dict[str, str]]] = {
        "tuners": lambda: tuners_table(systems),
        "objectives": lambda: objectives_tables(systems),
        "risk": lambda: risk_tables(systems),
        "judgments": lambda: judged_tables(folder, kept),
        "gaming": lambda: gaming_tables(systems),
    }
    values: dict[str, str] = {}
    for name, compute in parts.items():
        start = time.process_time()
        values |= compute()
        print(f"{name}: {time.process_time() - start:.0f} CPU seconds", file=sys.stderr)
    return TEMPLATE.read_text("utf-8").format(**values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, metavar="RESULTS", help="folder for the results of slow steps")
    options = parser.parse_args(arguments)
    write_pages({PAGE: page_text(options.folder, KeptResults(options.keep))})


if __name__ == "__main__":
    main()
