"""Speed of BEER beside sacrebleu's chrF on real translations, on one core, everything in one run.

``python benchmarks/beer.py FOLDER [MODEL]`` reads pairs as ``text.py`` does; MODEL is the folder of a
BEER 2.0 model. Without one, features are counted and divided but not weighted.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from text import pairs

from wordorder.metrics.beer.features import FeatureSet
from wordorder.metrics.beer.templates import BEER20, PLAIN, parse_templates
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments
from wordorder.report.table import text_table
from wordorder.text.pairs import Pairs

COUNTED = ("char1-6", "ngram1-4", "skip1-4", "skip1000000")
FEATURES = " ".join(f"{pieces}.{measure}" for pieces in COUNTED for measure in ("a", "b", "sf1", "sg"))
LENGTHS = "len_disbalance_char.d len_disbalance_word.d"
WANTED = 40_000, 5.0  # pairs per second, times chrF's rate


def rate(work: Callable[[], object], count: int, times: int) -> float:
    """Pairs per second, the best of some runs."""
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return count / best


def main(folder: Path, model: Path | None, count: int = 20_000) -> list[tuple[str, bool]]:
    hypotheses, references = pairs(folder, count)
    few = count // 4
    templates = parse_templates(f"{FEATURES} {LENGTHS}")

    def scored(spec: str, most: int) -> Callable[[], object]:
        made = metric(spec)
        return lambda: made.statistics(Segments(hypotheses[:most], [references[:most]]))

    plain, program = FeatureSet(templates, PLAIN), FeatureSet(templates, BEER20)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    rates = {
        "counts": rate(lambda: plain.counts(Pairs.of(hypotheses, references)), count, 5),
        f"{len(templates)} features": rate(lambda: plain.matrix(hypotheses, references), count, 5),
        "features as in BEER 2.0": rate(lambda: program.matrix(hypotheses, references), count, 5),
        "beer": rate(scored("beer", count), count, 5),
        "sacrebleu chrF": rate(scored("chrf", few), few, 1),
    }
    if model:
        rates["beer:version=2.0"] = rate(scored(f"beer:version=2.0,model={model}", count), count, 5)
    chrf = rates["sacrebleu chrF"]
    words = sum(len(line.split()) for line in references) / count
    table = [[f"{count:,} pairs, {words:.1f} words", "pairs per second", "times chrF's rate"]]
    table += [[label, f"{each:,.0f}", f"{each / chrf:.1f}"] for label, each in rates.items()]
    print(text_table(table))
    results = []
    for label in ("beer", "beer:version=2.0") if model else ("beer",):
        each = rates[label]
        results += [
            (f"{label}: {each:,.0f} pairs per second ({WANTED[0]:,})", each >= WANTED[0]),
            (f"{label}: {each / chrf:.1f} times chrF's rate ({WANTED[1]})", each / chrf >= WANTED[1]),
        ]
    return results


if __name__ == "__main__":
    results = main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
    for told, good in results:
        print("ok  " if good else "MISS", told)
    sys.exit(not all(good for _, good in results))
