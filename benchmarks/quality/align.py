"""Alignment error rates on manual alignments: IBM model 1, the default, eflomal.

    python -m benchmarks.quality.align --data FOLDER [--sets kftt,czenali] [--eflomal PATH]

Each method is trained on the same text in the same run: the sentences with manual links and, where
there is some, further text. Both sides are lower-cased. The settings of the default were tuned on
XL-WA's dev part and PUD only, which are not among these sets. Speed is measured by ``python -m benchmarks``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from wordorder.align.bilingual import AlignerSettings, train_aligner
from wordorder.align.eflomal import find_eflomal, run_eflomal
from wordorder.align.error_rate import ErrorRate, error_rate
from wordorder.align.symmetrise import symmetrise
from wordorder.core.alignment import Alignments
from wordorder.engine.threads import available_threads
from wordorder.errors import WordOrderError
from wordorder.io.links import collect_links
from wordorder.io.pharaoh import Pharaoh
from wordorder.io.read_write import read_records
from wordorder.report.table import text_table

# Name: language, sets with manual links, further text; a set is folder/split.
SETS: dict[str, tuple[str, list[str], list[str]]] = {
    "kftt": ("ja", ["kftt-gold/dev", "kftt-gold/devtest"], ["kftt30k/train", "small-enja/train"]),
    "czenali": ("cs", ["czenali/dev"], []),
    "liu-ensv": ("sv", ["liu-ensv/dev"], []),
    "hansards": ("fr", ["hansards/test"], []),
    "wpt-roen": ("ro", ["wpt-roen/all"], []),
    "bicici-ende": ("de", ["bicici-ende/dev"], ["wmt-ende10k/train"]),
    "tsinghua-enzh": ("zh", ["tsinghua-enzh/dev"], ["tatoeba/train"]),
    "wpt05-enhi": ("hi", ["wpt05-enhi/dev"], ["tatoeba/train"]),
}
Lines = list[str]


def read(path: Path) -> Lines:
    return list(read_records(str(path), "text"))


def load(data: Path, name: str) -> tuple[Lines, Lines, Alignments]:
    language, manual, more = SETS[name]
    source, target, gold = [], [], []
    for where in manual + more:
        folder, split = where.split("/")
        place = data / folder / f"en-{language}"
        source += [line.lower() for line in read(place / f"{split}.en.gz")]
        target += [line.lower() for line in read(place / f"{split}.{language}.gz")]
        if where in manual:
            gold += read(place / f"{split}.align.gz")
    return source, target, collect_links(map(Pharaoh().parse, gold))


def built_in(method: str, threads: int) -> Callable[[Lines, Lines], Alignments]:
    def run(source: Lines, target: Lines) -> Alignments:
        model = train_aligner(source, target, settings=AlignerSettings.for_method(method), threads=threads)
        return model.align(source, target, threads=threads)

    return run


def eflomal(program: str) -> Callable[[Lines, Lines], Alignments]:
    return lambda source, target: symmetrise(*run_eflomal(source, target, program=program))


def first(links: Alignments, sentences: int) -> Alignments:
    return links[:sentences]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with one folder a set")
    parser.add_argument("--sets", default=",".join(SETS), help="names, separated by commas")
    parser.add_argument("--eflomal", help="the program eflomal-align, if it is not on the path")
    parser.add_argument("--threads", type=int, default=available_threads())
    options = parser.parse_args()

    methods = {"ibm1": built_in("ibm1", options.threads), "default": built_in("hmm", options.threads)}
    try:
        methods["eflomal"] = eflomal(options.eflomal or find_eflomal())
    except WordOrderError as error:
        print(f"without eflomal: {error}")
    rows = [["set", "pairs", "gold", "method", "AER", "precision", "recall"]]
    rates: dict[str, list[ErrorRate]] = {name: [] for name in methods}
    for name in options.sets.split(","):
        source, target, gold = load(options.data, name)
        for method, run in methods.items():
            links = run(source, target)
            rate = error_rate(first(links, len(gold)), gold)
            rates[method].append(rate)
            numbers = [f"{100 * v:.1f}" for v in (rate.aer, rate.precision, rate.recall)]
            rows.append([name, str(len(source)), str(len(gold)), method, *numbers])
    for method, found in rates.items():
        means = [
            f"{100 * sum(getattr(rate, what) for rate in found) / len(found):.1f}"
            for what in ("aer", "precision", "recall")
        ]
        rows.append(["mean", "", "", method, *means])
    print(text_table(rows), end="")
    print("\ngrow-diag-final-and for all")


if __name__ == "__main__":
    main()
