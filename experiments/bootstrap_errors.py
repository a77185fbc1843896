"""Print how often paired tests call a difference significant where there is none.

    python -m experiments.bootstrap_errors [--trials 2000]

Two systems have scores of 80 sentences from the same normal distribution. A test at 0.05 should reject in 5 %
of the trials; every test has 200 samples.
"""

from __future__ import annotations

import argparse

import numpy as np

from wordorder.arrays import Doubles
from wordorder.engine.compare import TESTS, compare

SENTENCES, SAMPLES = 80, 200


def rejected(test: str, trials: int, seed: int = 4) -> float:
    """Return the share of trials with p < 0.05."""
    rng = np.random.default_rng(seed)
    found = 0
    for trial in range(trials):
        rows = [[np.column_stack([rng.normal(size=SENTENCES), np.ones(SENTENCES)])] for _ in range(2)]
        p = compare(rows, [_mean], samples=SAMPLES, seed=trial, paired=test).results[1][0].p_value
        found += p is not None and p < 0.05
    return found / trials


def _mean(sums: Doubles) -> Doubles:
    return np.asarray(sums[:, 0] / sums[:, 1])


def main() -> None:
    """Print the rates of all tests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--trials", type=int, default=2000)
    trials = parser.parse_args().trials
    for test in TESTS:
        print(f"{test:<20} {100 * rejected(test, trials):5.1f} %")


if __name__ == "__main__":
    main()
