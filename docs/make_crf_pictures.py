"""Draw the pictures of docs/crf.md: the trade-off of two decodings, calibration, a tree.

    python docs/make_crf_pictures.py FOLDER [--model en-ja-crf]

FOLDER holds parallel text with word alignments, a folder for each set. What is drawn is also printed: the
scores of the model on the devtest part of kftt-gold, which it has not seen, by the share of adjacency in
decoding, as top-down BTG counts them (the variant nakagawa), and its calibration, also at the temperature
that is best for the dev part of pud.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from make_grammar import Corpus, read

from wordorder.draw import Series, line_chart
from wordorder.evaluate.calibration import calibrate
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.preorder import Preorderer, Source, load_model
from wordorder.report.calibration import calibration_report, calibration_svg
from wordorder.report.explanation import explanation_svg
from wordorder.report.table import text_table

PICTURES = Path(__file__).parent / "pictures"
SHARES = np.linspace(0, 1, 11).round(1).tolist()
TEMPERATURES = (1.0, 1.25, 1.5, 1.75, 2.0)
SENTENCE = "he became the third shogun of the muromachi shogunate ."


def trade_off(made: Preorderer, test: Corpus) -> str:
    """Scores by the share of adjacency in decoding, printed; and as a curve."""
    orders = {f"{share}": made.resettled(adjacency=share).reorder(test[0]) for share in SHARES}
    (found,) = evaluate_orders(test[1], orders, variants=("nakagawa",), all_pairs=True).variants
    rows = [["adjacency", "tau", "fuzzy", "p against 0.0 (tau, fuzzy)"]]
    points = []
    for name in orders:
        cells = found.cells[name]
        points.append((cells["tau"].score, cells["frs"].score))
        tests = [found.pairs[score].get(("0.0", name)) for score in ("tau", "frs")]
        rows.append(
            [
                name,
                *(f"{x:.4f}" for x in points[-1]),
                " ".join("" if t is None else f"{t.p_value:.3f}" for t in tests),
            ]
        )
    print(f"Decoding for the order of pairs and for neighbours\n\n{text_table(rows)}", flush=True)
    return line_chart(
        [Series("adjacency from 0 to 1", [tau for tau, _ in points], [fuzzy for _, fuzzy in points])],
        x_label="order of pairs (tau)",
        y_label="neighbours (fuzzy reordering score)",
        title="Decoding for the order of pairs, for neighbours, and between",
    )


def calibration(made: Preorderer, name: str, folder: Path, test: Corpus) -> str:
    """Calibration by temperature on a set to choose it from, then on the test set, printed and drawn.

    The Reordering Grammar is printed beside it and not drawn.
    """
    other = read(folder, "pud/en-ja/dev", manual=True)
    rows = [["temperature", "calibration error", "Brier", "log loss"]]
    losses = {}
    for temperature in TEMPERATURES:
        found = calibrate(made.resettled(temperature=temperature), *other).pairs
        losses[temperature] = found.log_loss
        rows.append([f"{temperature}", *(f"{x:.4f}" for x in (found.error, found.brier, found.log_loss))])
    print(f"Order of pairs, Parallel UD\n\n{text_table(rows)}", flush=True)
    best = min(losses, key=losses.__getitem__)
    models = {
        f"{name}, temperature 1": made.resettled(temperature=1.0),
        f"{name}, temperature {best}": made.resettled(temperature=best),
        "en-ja": load_model("en-ja"),
    }
    every = [calibrate(model, *test, name=which) for which, model in models.items()]
    print(calibration_report(every, "text").decode())
    return calibration_svg(every[:2])


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
    pictures["crf-calibration.svg"] = calibration(made, given.model, given.folder, test)
    (why,) = made.explain([Source(tuple(SENTENCE.split()))])
    print(why.to_text())
    pictures["crf-tree.svg"] = explanation_svg(why)
    for name, picture in pictures.items():
        (PICTURES / name).write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    main()
