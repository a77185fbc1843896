"""Sacrebleu's formulas over many rows of its statistics at once.

Corpus scores are computed by sacrebleu itself. Resampling asks for thousands of scores of summed
statistics, where a call for each would take minutes: these are the same formulas over arrays,
equal to sacrebleu's within 1e-9 (tested).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from wordorder.arrays import Doubles


def statistics(peer: Any, hypotheses: Sequence[str], references: Sequence[Any]) -> Doubles:
    """Sacrebleu's statistics, a row a segment, with references that it prepared already."""
    rows = [
        peer._compute_segment_statistics(peer._preprocess_segment(hypothesis), prepared)
        for hypothesis, prepared in zip(hypotheses, references, strict=True)
    ]
    return np.array(rows, dtype=np.float64)


def bleu_of_rows(rows: Doubles, peer: Any, *, effective: bool | None = None) -> Doubles:
    """BLEU of each row: lengths of hypothesis and reference, then matches and n-grams by order."""
    order = peer.max_ngram_order
    effective = peer.effective_order if effective is None else effective
    length, reference = rows[:, 0], rows[:, 1]
    correct, total = rows[:, 2 : 2 + order].copy(), rows[:, 2 + order :].copy()
    matched = correct.any(axis=1)
    smooth = peer.SMOOTH_DEFAULTS[peer.smooth_method] if peer.smooth_value is None else peer.smooth_value
    if peer.smooth_method == "add-k":
        correct[:, 1:] += smooth
        total[:, 1:] += smooth
    reached = np.logical_and.accumulate(total > 0, axis=1)  # orders that the text is long enough for
    none = reached & (correct == 0)
    counted = np.where(none, 0.0, correct)
    if peer.smooth_method == "exp":
        counted = np.where(none, 0.5 ** np.cumsum(none, axis=1), counted)
    elif peer.smooth_method == "floor":
        counted = np.where(none, smooth, counted)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(reached, np.log(100.0 * counted / total), -np.inf)
        orders = np.maximum(reached.sum(axis=1), 1) if effective else np.full(len(rows), order)
        logs = np.where(np.arange(order) < orders[:, None], logs, 0.0)
        brevity = np.where(length < reference, np.exp(1 - reference / length), 1.0)
    brevity = np.where((length == 0) & (reference > 0), 0.0, brevity)
    return np.where(matched, brevity * np.exp(logs.sum(axis=1) / orders), 0.0)


def chrf_of_rows(rows: Doubles, peer: Any) -> Doubles:
    """ChrF of each row: n-grams of hypothesis, of reference and of both, by order."""
    hypothesis, reference, both = (rows[:, k::3] for k in range(3))
    factor = peer.beta**2
    usable = (hypothesis > 0) & (reference > 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = np.where(usable, both / hypothesis, 0.0).sum(axis=1)
        recall = np.where(usable, both / reference, 0.0).sum(axis=1)
        orders = np.maximum(usable.sum(axis=1), 1)
        precision, recall = precision / orders, recall / orders
        score = (1 + factor) * precision * recall / (factor * precision + recall)
    return np.where(precision + recall > 0, 100 * score, 0.0)


def ter_of_rows(rows: Doubles) -> Doubles:
    """TER of each row: edits, and words of the reference."""
    edits, words = rows[:, 0], rows[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = edits / words
    return 100 * np.where(words > 0, share, np.where(edits > 0, 1.0, 0.0))
