"""Write docs/results/reproduction.md: published experiments on real judgments, our figures beside theirs.

    python -m experiments.reproduction.page FOLDER [--only ordering,beer]

FOLDER holds the tables of judgments (wmt12-rr, wmt13-rr, ...). The page has two parts, each with a template:
ordering.template for the papers on ordering scores, and beer.template for BEER, which is trained here.
METEOR's stages are included where WordNet and a paraphrase table are found.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from experiments.reproduction.beer import ablation, length_bias, objectives
from experiments.reproduction.choices import choices_table
from experiments.reproduction.judged import JudgedData, full, matchers
from experiments.reproduction.ordering import (
    MEASURE,
    ORDERS,
    consistency_table,
    sentence_tables,
    system_tables,
)
from experiments.reproduction.protocol import protocol_table
from experiments.reproduction.published import PAIRS
from experiments.reproduction.shared_tasks import (
    outward_tables,
    paraphrase_table,
    treepel_table,
    wmt14_table,
    wmt15_tables,
)
from experiments.reproduction.years import best_tables, learning_table, years_table
from tools.pages import DOCS, write_pages
from wordorder.draw import Series, line_chart, scaled_chart, to_svg
from wordorder.learn.settings import curve
from wordorder.metrics.registry import metric

PAGE = DOCS / "results" / "reproduction.md"
PICTURES = DOCS / "pictures"
MARK = "<!-- Written from experiments/reproduction/beer.template below this line. -->\n"


def resources(data: JudgedData) -> dict[str, str]:
    """List the matchers with the versions of their data."""
    signatures = {name: matching.matcher.signature_part for name, matching in matchers().items()}
    return {"resources": ", ".join(f"`{name}`: `{signature}`" for name, signature in signatures.items())}


def pictures(data: JudgedData) -> dict[Path, str]:
    """Draw figures 7 and 8 (alpha and beta on German-English) and 10 (scaled comparison)."""
    sets = data.sets("wmt13-rr", pairs=["de-en"])
    drawn = {}
    for key, orders in (("alpha", ORDERS), ("beta", ["recpef", "recpet"])):
        lines = []
        for order in orders:
            full_metric = metric(full(order, lexical="bleu1"))
            xs, values = curve(full_metric, key, sets, data.scorer, measure=MEASURE)
            lines.append(Series(order, xs, [value for value in values if value is not None]))
        title = f"Effect of {key}, WMT13 de-en"
        drawn[PICTURES / f"judge-{key}.svg"] = to_svg(
            line_chart(lines, x_label=key, y_label=MEASURE, title=title)
        )
    specs = [full(order, lexical="bleu1") for order in ORDERS]
    judged = data.judge(data.sets("wmt13-rr", pairs=PAIRS), specs, measure=MEASURE, samples=0)
    series = {
        order: [cell.value or 0.0 for cell in cells]
        for order, cells in zip(ORDERS, judged.cells, strict=True)
    }
    title = "Scaled agreement, WMT13 into English"
    drawn[PICTURES / "judge-scaled.svg"] = to_svg(scaled_chart(list(PAIRS), series, title=title))
    return drawn


Part = Callable[[JudgedData], dict[str, str]]
PARTS: dict[str, tuple[Part, ...]] = {
    "ordering": (
        sentence_tables,
        system_tables,
        consistency_table,
        protocol_table,
        choices_table,
        years_table,
        best_tables,
        learning_table,
        resources,
    ),
    "beer": (
        paraphrase_table,
        ablation,
        wmt14_table,
        wmt15_tables,
        treepel_table,
        objectives,
        length_bias,
        outward_tables,
    ),
}


def fill_template(name: str, data: JudgedData) -> str:
    """Compute a part of the page."""
    values: dict[str, str] = {}
    for part in PARTS[name]:
        start = time.monotonic()
        values |= part(data)
        print(f"{part.__name__}: {time.monotonic() - start:.0f} s", file=sys.stderr)
    return Path(__file__).with_name(f"{name}.template").read_text("utf-8").format(**values)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page and its pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PARTS), help="parts of the page to write")
    options = parser.parse_args(arguments)
    data = JudgedData(options.folder)
    ordering, _, beer = PAGE.read_text("utf-8").partition(MARK)
    for name in options.only.split(","):
        if name == "beer":
            beer = fill_template(name, data)
        else:
            ordering = fill_template(name, data)
            write_pages(pictures(data))
        PAGE.write_text(ordering + MARK + beer, "utf-8")


if __name__ == "__main__":
    main()
