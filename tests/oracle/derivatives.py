"""Derivatives of a learner by its weights, against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.preorder.crf import forest


def check_derivatives(
    learner: _native.CrfLearner,
    codes: np.ndarray,
    lengths: np.ndarray,
    rng: np.random.Generator,
    *,
    canonical: bool = False,
) -> None:
    """Draw links of sentences and 128 weights, and change some weights one by one."""
    alignments = [
        Alignment(n, n, [(i, int(j)) for i, j in enumerate(rng.permutation(n))]) for n in lengths.tolist()
    ]
    weights = forest.log_weights(alignments, 1.0)
    at = rng.normal(size=2 << 6).astype(np.float32) * 0.3

    def loss(where: np.ndarray) -> float:
        learner.set_weights(where.astype(np.float32))
        scores = learner.scores(codes, lengths, 2).astype(np.float64)
        losses, _ = forest.loss_and_gradient(scores, lengths, weights.astype(np.float64), canonical=canonical)
        return float(losses.sum())

    learner.set_weights(at)
    total, gradient = learner.derivatives(codes, lengths, weights)
    assert total == pytest.approx(loss(at), rel=1e-5)
    for w in rng.permutation(len(at))[:40]:
        step = np.zeros_like(at)
        step[w] = 1e-2
        expected = (loss(at + step) - loss(at - step)) / 2e-2
        assert gradient[w] == pytest.approx(expected, abs=2e-3)
