"""Draw the pictures of docs/results/crf.md: the trade-off of two decoding objectives, calibration, a tree.

    python -m experiments.crf.pictures FOLDER [--model en-ja-crf]

FOLDER holds parallel text with word alignments, one folder per set. The figures are also printed: the scores
of the model on the devtest part of kftt-gold, which it was not trained on, by the share of adjacency in
decoding, with the measures of top-down BTG (the variant nakagawa), and its calibration, also at the
temperature that is best on the dev part of pud.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from experiments.parallel import Corpus, predict_orders, read_parallel
from tools.pages import DOCS, write_pages
from wordorder.draw import Scene, Series, line_chart, to_svg
from wordorder.evaluate.calibration import calibrate
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import Preorderer, Source, load_preorderer
from wordorder.report.calibration import calibration_chart, calibration_report
from wordorder.report.explanation import explanation_picture
from wordorder.report.table import text_table

PICTURES = DOCS / "pictures"
SHARES = np.linspace(0, 1, 11).round(1).tolist()
TEMPERATURES = (1.0, 1.25, 1.5, 1.75, 2.0)
SENTENCE = "he became the third shogun of the muromachi shogunate ."


def trade_off(model: Preorderer, test: Corpus) -> Scene:
    """Print the scores by the share of adjacency in decoding, and draw them as a curve."""
    orders = {
        f"{share}": predict_orders(model.with_settings(adjacency=share), test.sources) for share in SHARES
    }
    (scored,) = evaluate_orders(test.alignments, orders, variants=("nakagawa",), all_pairs=True).variants
    rows = [["adjacency", "tau", "fuzzy", "p against 0.0 (tau, fuzzy)"]]
    points = []
    for name in orders:
        cells = scored.cells[name]
        points.append((cells["tau"].score, cells["frs"].score))
        tests = [scored.pairs[score].get(("0.0", name)) for score in ("tau", "frs")]
        p_values = " ".join("" if test is None else f"{test.p_value:.3f}" for test in tests)
        rows.append([name, *(f"{x:.4f}" for x in points[-1]), p_values])
    print(f"Decoding for the order of pairs and for neighbours\n\n{text_table(rows)}", flush=True)
    return line_chart(
        [
            Series(
                "adjacency from 0 to 1",
                [tau for tau, _ in points],
                [fuzzy for _, fuzzy in points],
                notes={0: "adjacency 0: pairs only", len(points) - 1: "adjacency 1: neighbours only"},
            )
        ],
        x_label="order of pairs (tau)",
        y_label="neighbours (fuzzy reordering score)",
        title="Decoding for the order of pairs, for neighbours, and between",
    )


def calibration(model: Preorderer, name: str, development: Corpus, test: Corpus) -> Scene:
    """Choose the temperature on a development set, then print and draw the calibration on the test set.

    The Reordering Grammar is printed too, but not drawn.
    """
    rows = [["temperature", "calibration error", "Brier", "log loss"]]
    losses = {}
    for temperature in TEMPERATURES:
        pairs = calibrate(model.with_settings(temperature=temperature), *development).pairs
        losses[temperature] = pairs.log_loss
        rows.append([f"{temperature}", *(f"{x:.4f}" for x in (pairs.error, pairs.brier, pairs.log_loss))])
    print(f"Order of pairs, Parallel UD\n\n{text_table(rows)}", flush=True)
    best = min(losses, key=losses.__getitem__)
    models = {
        f"{name}, temperature 1": model.with_settings(temperature=1.0),
        f"{name}, temperature {best}": model.with_settings(temperature=best),
        "en-ja": load_preorderer("en-ja"),
    }
    results = [calibrate(each, *test, name=title) for title, each in models.items()]
    print(calibration_report(results, "text").decode())
    return calibration_chart(results[:2])


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures and draw the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", default="en-ja-crf")
    options = parser.parse_args(arguments)
    model = load_preorderer(options.model)
    test = read_parallel(options.folder, "kftt-gold/en-ja/devtest", manual=True)
    development = read_parallel(options.folder, "pud/en-ja/dev", manual=True)
    (explanation,) = model.explain([Source(tuple(SENTENCE.split()))])
    print(explanation.to_text())
    write_pages(
        {
            PICTURES / "crf-trade-off.svg": to_svg(trade_off(model, test)),
            PICTURES / "crf-calibration.svg": to_svg(calibration(model, options.model, development, test)),
            PICTURES / "crf-tree.svg": to_svg(explanation_picture(explanation)),
        }
    )


if __name__ == "__main__":
    main()
