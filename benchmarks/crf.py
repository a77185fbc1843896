"""The forest CRF: how fast it orders, and what its two kinds of decoding do to both kinds of score.

    python benchmarks/crf.py FOLDER [--only speed,mixture] [--threads 1]

FOLDER holds parallel text with word alignments, a folder for each set. Speed is that of sentences of about 25
words on one core, CPU time, for a model with features, a network as training makes it (where torch is
installed) and the one that comes with the package; weights do not matter for it, so little is learned.
Mixture trains on the dev part of kftt-gold, with classes from raw text, and tests on devtest. Accuracy beside
other systems: docs/make_crf.py.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))

from crf_scores import score
from crf_sets import Data

from wordorder.preorder import Training
from wordorder.preorder.crf import ForestCRF
from wordorder.report.table import text_table

SHIPPED = "en-ja-crf"
COLUMNS = (("nakagawa", "tau"), ("nakagawa", "frs"))


def speed(data: Data, threads: int) -> None:
    train = data.learned_from("kftt", 0)
    text = [source for source in train.sources if 23 <= len(source) <= 27]
    few = train.chosen(range(8))
    models = {"features": ForestCRF(epochs=1).fit(*train, training=Training(threads=threads))}
    if find_spec("torch"):
        models["network"] = ForestCRF(kind="neural").fit(*few, training=Training(threads=threads))
    else:
        print("no torch: a network as training makes it is left out")
    models[SHIPPED] = ForestCRF.load(SHIPPED)
    rows = [["model", "adjacency", "sentences a second"]]
    for name, fitted in models.items():
        for share in sorted({0.0, ForestCRF().adjacency}):
            made = fitted.resettled(adjacency=share)
            made.reorder(text[:5])
            took = []
            for _ in range(3):
                began = time.process_time()
                made.reorder(text)
                took.append(time.process_time() - began)
            rows.append([name, f"{share}", f"{len(text) / min(took):.0f}"])
    mean = np.mean([len(source) for source in text])
    print(f"\nSpeed, {len(text)} sentences of {mean:.1f} words, one core\n\n{text_table(rows)}", flush=True)


def mixture(data: Data, threads: int) -> None:
    training = Training(threads=threads, raw=data.raw("kftt"))
    fitted = ForestCRF().fit(*data.learned_from("kftt", 0), training=training)
    test = data.tested("kftt")
    shares = np.linspace(0, 1, 11).round(1).tolist()
    orders = {f"{share}": fitted.resettled(adjacency=share).reorder(test.sources) for share in shares}
    words = [one.words for one in test.sources]
    systems = {name: {column: [some] for column in COLUMNS} for name, some in orders.items()}
    board = score(test.alignments, words, systems, columns=COLUMNS)
    rows = [["adjacency", "tau", "fuzzy"]]
    rows += [[name, *(f"{cells[c].score:.4f}" for c in COLUMNS)] for name, cells in board.cells.items()]
    print(f"\nDecoding for pairs and for neighbours, KFTT devtest\n\n{text_table(rows)}", flush=True)


PARTS = {"speed": speed, "mixture": mixture}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default=",".join(PARTS))
    parser.add_argument("--threads", type=int, default=1, help="of training")
    given = parser.parse_args()
    for name in given.only.split(","):
        PARTS[name](Data(given.folder), given.threads)


if __name__ == "__main__":
    main()
