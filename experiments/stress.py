"""Write docs/results/gaming.md: what fools the metrics of the package, on translations of two years.

    python -m experiments.stress JUDGMENTS

JUDGMENTS holds the folders wmt15-rr and wmt21-mqm, of which only the texts are used.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tools.pages import DOCS, write_pages
from wordorder.engine.runners import runner
from wordorder.engine.threads import available_threads
from wordorder.judge.judgments import Judgments
from wordorder.judge.read import read_sets
from wordorder.judge.stress import Stress, stress
from wordorder.metrics.registry import parse_metrics
from wordorder.report.stress import stress_tables
from wordorder.report.table import write_table

PAGE = DOCS / "results" / "gaming.md"
TEMPLATE = Path(__file__).with_name("stress.template")
ORDER = (
    "kendall,spearman,footrule,hamming,ulam,fuzzy,pet_size,pet_count,max_operator,mean_operator,nonbinary,"
    "recpet,recpef,anticipation,crossings"
)
TEXT = "full,lrscore,ribes,meteor,beer,bleu,chrf"
SLOW, FEWER = "ter", 5  # sacrebleu's search for shifts in shuffled text takes very long
TODAY, EARLIER = 200, 50  # outputs of each of four and of ten sets


def measured(sets: Sequence[Judgments], metrics: str, items: int) -> Stress:
    """Run a stress test on all cores."""
    with runner(threads=available_threads()) as run:
        return stress(sets, parse_metrics([metrics]), items=items, run=run)


def joined(first: Stress, second: Stress) -> Stress:
    """Put the outcomes of other metrics below those of the first ones."""
    return replace(
        first, outcomes=[*first.outcomes, *second.outcomes], labels=[*first.labels, *second.labels],
        signatures=[*first.signatures, *second.signatures],
    )  # fmt: skip


def tables(result: Stress) -> list[str]:
    """Return the three tables, without titles and notes."""
    bare = (replace(table, title="", notes=()) for table in stress_tables(result))
    return [write_table(table, "markdown").decode().rstrip("\n") for table in bare]


def page_text(folder: Path) -> str:
    """Compute all tables and fill in the template."""
    new, old = (read_sets([str(folder / name)]) for name in ("wmt21-mqm", "wmt15-rr"))
    today = measured(new, f"{ORDER},{TEXT}", TODAY)
    few = measured(new, SLOW, FEWER)
    before = measured(old, f"kendall,recpef,{TEXT}", EARLIER)
    forgeries, shares, changes = tables(joined(today, few))
    return TEMPLATE.read_text("utf-8").format(
        items=today.items, segments=today.segments, few=few.items, samples=today.samples, seed=today.seed,
        items_each=TODAY, fewer=FEWER, earlier=EARLIER, order=ORDER, text=TEXT,
        forgeries=forgeries, shares=shares, changes=changes,
        before=tables(before)[0], before_items=before.items, before_segments=before.segments,
    )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    write_pages({PAGE: page_text(parser.parse_args(arguments).folder)})


if __name__ == "__main__":
    main()
