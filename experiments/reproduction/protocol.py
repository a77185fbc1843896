"""The protocol of Birch and Osborne (2010): alpha by hill climbing for each language pair, from one year.

Unlike in the paper, a segment is never scored with an alpha that its own judgments helped to choose: alpha is
learned from the other nine tenths of the segments. Permutations are of matched words, as elsewhere on the
page, or of the source, as in the paper; the links are those of our aligner.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from experiments.reproduction.judged import JudgedData, Row, show, table
from experiments.reproduction.ordering import LRSCORES
from experiments.reproduction.published import CONSISTENCY
from wordorder.judge.agreement import agree
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores
from wordorder.judge.source_links import align_sets
from wordorder.judge.task import Task
from wordorder.learn.settings import LearnedSettings, learn_settings, segment_folds
from wordorder.metrics.registry import metric

PAIRS = ("de-en", "es-en", "fr-en", "cs-en")  # the columns of the paper
MEASURE = "consistency:ties=wrong"
FOLDS = 10
MATCHES = {"words matched": "exact", "links to the source": "alignments(birch)"}


def protocol_table(data: JudgedData) -> dict[str, str]:
    """Make table 2 of the paper on WMT12, cross-validated, with the alphas and tests against BLEU."""
    sets = align_sets(data.sets("wmt12-rr", pairs=PAIRS))
    scored = [[replace(row[0], label="bleu4")] for row in data.scorer(sets, [metric("lrscore:alpha=0")])]
    alphas: list[list[str]] = [[""] * len(sets)]
    for what, match in MATCHES.items():
        for name, spec in LRSCORES.items():
            lrscore = metric(f"{spec},match={match}")
            learned = [
                learn_settings(lrscore, ["alpha"], [one], data.scorer, measure=MEASURE, folds=FOLDS)
                for one in sets
            ]
            alphas.append([_range(one) for one in learned])
            given = data.scorer(sets, [lrscore])
            for row, one, (scores,), found in zip(scored, sets, given, learned, strict=True):
                row.append(_held_out(one, scores, found, f"{name}, {what}"))
    judged = agree(Task(level="segment", measure=MEASURE, baselines=("bleu4",)), sets, scored)
    rows: list[Row] = [["", "", *PAIRS, "mean", "p"]]
    for name, values in CONSISTENCY.items():
        mean = show(float(np.mean(values)), 2)
        rows.append(["published (WMT09)", name, *(show(value, 2) for value in values), mean, ""])
    for label, cells, mean_cell, ranges in zip(
        judged.labels, judged.cells, judged.means, alphas, strict=True
    ):
        name, _, what = label.partition(", ")
        shown = [f"{show(cell.value, 2)} {alpha}".strip() for cell, alpha in zip(cells, ranges, strict=True)]
        p = "" if name == "bleu4" else show(mean_cell.p_values[0])
        rows.append([f"ours, {what}" if what else "ours (WMT12)", name, *shown, show(mean_cell.value, 2), p])
    values_of = np.array([[cell.value for cell in cells] for cells in judged.cells])
    ahead = (values_of[1:] > values_of[0]).sum(axis=1).reshape(len(MATCHES), -1).sum(axis=1).tolist()
    gains = values_of[1:].mean(axis=1) - values_of[0].mean()
    return {
        "protocol_table": table(rows),
        "protocol_ahead": " and ".join(
            f"in {count} of {len(LRSCORES) * len(PAIRS)} cells with {what}"
            for count, what in zip(ahead, MATCHES, strict=True)
        ),
        "protocol_gains": f"{gains.min():.2f} to {gains.max():.2f}",
    }


def _range(learned: LearnedSettings) -> str:
    """Write the lowest and the highest alpha of the folds."""
    alphas = [fold.learned["alpha"] for fold in learned.folds]
    return f"({min(alphas):.2f}-{max(alphas):.2f})"


def _held_out(
    judgments: Judgments, scores: MetricScores, learned: LearnedSettings, label: str
) -> MetricScores:
    """Score each segment with the alpha learned from the other folds."""
    (fold_of,) = segment_folds([judgments], len(learned.folds), learned.seed)
    by_fold = np.stack([scores.oriented_with(fold.learned) for fold in learned.folds])
    segment = by_fold[fold_of[judgments.item_segment], np.arange(len(judgments))]
    return replace(scores, label=label, segment=segment)
