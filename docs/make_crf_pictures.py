"""Draw the pictures of docs/crf.md: the trade-off of two decodings, calibration, a tree.

    python docs/make_crf_pictures.py FOLDER [--model en-ja-crf]

FOLDER holds parallel text with word alignments, a folder for each set. What is drawn is also printed: the
scores of the model on the devtest part of kftt-gold, which it has not seen, by the share of adjacency in
decoding, as top-down BTG counts them (the variant nakagawa), and its calibration.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from make_grammar import Corpus, read

from wordorder.draw import Series, line_chart
from wordorder.evaluate.calibration import calibrate
from wordorder.evaluate.preordering import evaluate_orders
from wordorder.preorder import Preorderer, Source, load_model
from wordorder.report.calibration import calibration_report, calibration_svg
from wordorder.report.explanation import explanation_svg
from wordorder.report.table import text_table

PICTURES = Path(__file__).parent / "pictures"
SHARES = np.linspace(0, 1, 11).round(1).tolist()
SENTENCE = "he became the third shogun of the muromachi shogunate ."


def trade_off(made: Preorderer, test: Corpus) -> str:
    """Scores by the share of adjacency in decoding, printed; and as a curve."""
    rows = [["adjacency", "tau", "fuzzy"]]
    points = []
    for share in SHARES:
        orders = made.resettled(adjacency=share).reorder(test[0])
        found = evaluate_orders(test[1], {"it": orders}, variants=("nakagawa",), samples=0)
        cells = found.variants[0].cells["it"]
        points.append((cells["tau"].score, cells["frs"].score))
        rows.append([f"{share}", *(f"{score:.4f}" for score in points[-1])])
    print(f"Decoding for the order of pairs and for neighbours\n\n{text_table(rows)}", flush=True)
    return line_chart(
        [Series("adjacency from 0 to 1", [tau for tau, _ in points], [fuzzy for _, fuzzy in points])],
        x_label="order of pairs (tau)",
        y_label="neighbours (fuzzy reordering score)",
        title="What decoding asks for is what it gets",
    )


def main() -> None:
    """Print and draw."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="en-ja-crf")
    given = parser.parse_args()
    made = load_model(given.model)
    test = read(given.folder, "kftt-gold/en-ja/devtest", manual=True)
    pictures = {"crf-trade-off.svg": trade_off(made, test)}
    models = {given.model: made, "en-ja": load_model("en-ja")}
    found = [calibrate(model, *test, name=name) for name, model in models.items()]
    print(calibration_report(found, "text").decode())
    pictures["crf-calibration.svg"] = calibration_svg(found)
    (why,) = made.explain([Source(tuple(SENTENCE.split()))])
    print(why.to_text())
    pictures["crf-tree.svg"] = explanation_svg(why)
    for name, picture in pictures.items():
        (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
