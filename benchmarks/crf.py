"""Speed of the forest CRF on sentences of about 25 words, in CPU time on one core.

    python -m benchmarks.crf FOLDER [--threads 1]

FOLDER holds parallel text with word alignments, one folder per set. The models are one with features, a
network as training makes it (where torch is installed) and the network that comes with the package. Speed
does not depend on the weights, so little is learned. Accuracy is measured by experiments/crf.
"""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from experiments.parallel import Corpus, read_parallel
from wordorder.preorder import Preorderer, RunOptions, TrainingData, load_preorderer
from wordorder.preorder.crf import FeatureCRF, NeuralCRF
from wordorder.report.table import text_table

SHIPPED = "en-ja-crf"


def speed(train: Corpus, threads: int) -> None:
    text = [source for source in train.sources if 23 <= len(source) <= 27]
    run = RunOptions(threads=threads)
    models: dict[str, Preorderer] = {"features": FeatureCRF(epochs=1).fit(TrainingData(*train), run)}
    if find_spec("torch"):
        models["network"] = NeuralCRF().fit(TrainingData(*train.select(range(8))), run)
    else:
        print("no torch: a network as training makes it is left out")
    models[SHIPPED] = load_preorderer(SHIPPED)
    rows = [["model", "adjacency", "sentences per second"]]
    for name, fitted in models.items():
        for share in sorted({0.0, FeatureCRF().adjacency}):
            made = fitted.with_settings(adjacency=share)
            made.reorder(text[:5])
            took = []
            for _ in range(3):
                began = time.process_time()
                made.reorder(text)
                took.append(time.process_time() - began)
            rows.append([name, f"{share}", f"{len(text) / min(took):.0f}"])
    mean = np.mean([len(source) for source in text])
    print(f"\nSpeed, {len(text)} sentences of {mean:.1f} words, one core\n\n{text_table(rows)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, default=1, help="threads of training")
    options = parser.parse_args()
    speed(read_parallel(options.folder, "kftt-gold/en-ja/dev", manual=True), options.threads)


if __name__ == "__main__":
    main()
