"""Human scores of systems, computed from the judgments of their outputs.

===============  =====================================================================================
published        the score published by the organisers: the one that belongs to the judgments
                 (mt-metrics-eval), else trueskill, else z, else win_ratio
win_ratio        judgments won / judgments won or lost (Bojar et al. 2013)
expected_wins    mean over the other systems of the share of untied judgments won against them
                 (Koehn 2012)
trueskill        mean of TrueSkill over shuffled judgments (Sakaguchi et al. 2014)
mean             mean of ratings
===============  =====================================================================================
"""

from __future__ import annotations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.trueskill import rate

PUBLISHED = ("trueskill", "z", "win_ratio")
HUMAN = ("auto", "published", "win_ratio", "expected_wins", "trueskill", "mean")
PASSES = 20  # random orders of the judgments that TrueSkill is averaged over


def human_kind(judgments: Judgments, kind: str = "auto") -> str:
    """Resolve ``auto`` for a set: an official score, trueskill or z, else win_ratio, else mean."""
    if kind not in HUMAN:
        raise BadSetting(f"human score {kind!r}; expected one of {', '.join(HUMAN)}")
    if kind == "auto":
        if judgments.official or any(name in judgments.system_scores for name in ("trueskill", "z")):
            return "published"
        return "win_ratio" if judgments.preferences is not None else "mean"
    return kind


def system_scores(
    judgments: Judgments, kind: str, weights: Doubles | None = None, *, seed: int = 12345
) -> Doubles:
    """Return the human score of each system, NaN if it has none, with one row per row of ``weights``.

    Weights are how often each segment was drawn; published scores do not depend on them.
    """
    segments, systems = len(judgments.segments), len(judgments.systems)
    drawn = np.ones((1, segments)) if weights is None else weights
    kind = human_kind(judgments, kind)
    if kind == "published":
        return np.tile(_published(judgments), (len(drawn), 1))
    if kind == "mean":
        ratings = judgments.rated
        if ratings is None:
            raise BadSetting(f"{judgments.name} has no ratings to average")
        cell = judgments.item_segment[ratings.item] * systems + judgments.item_system[ratings.item]
        size = segments * systems
        total = np.bincount(cell, ratings.score, minlength=size).reshape(segments, systems)
        number = np.bincount(cell, minlength=size).reshape(segments, systems)
        return _share(drawn @ total, drawn @ number)
    if not judgments.compared.untied:
        raise BadSetting(f"{judgments.name} has no preferences for {kind}")
    if kind == "trueskill":
        if weights is not None:
            raise BadSetting("trueskill is computed once, not for each sample")
        return trueskill_scores(judgments, seed=seed)[None, :]
    wins = drawn @ beaten(judgments).reshape(segments, -1)
    wins = wins.reshape(len(drawn), systems, systems)
    losses = wins.transpose(0, 2, 1)
    if kind == "win_ratio":
        return _share(wins.sum(axis=2), (wins + losses).sum(axis=2))
    shares = _share(wins, wins + losses)
    met = np.isfinite(shares)
    return _share(np.where(met, shares, 0.0).sum(axis=2), met.sum(axis=2).astype(np.float64))


def beaten(judgments: Judgments) -> Doubles:
    """Count how often each system was judged better than each other one, by segment."""
    pairs = judgments.compared
    n = len(judgments.systems)
    first, second = judgments.item_system[pairs.first], judgments.item_system[pairs.second]
    cell = judgments.item_segment[pairs.first] * n * n
    size = len(judgments.segments) * n * n
    wins = np.bincount(cell + first * n + second, pairs.wins, minlength=size)
    losses = np.bincount(cell + second * n + first, pairs.losses, minlength=size)
    return np.asarray(wins + losses, dtype=np.float64).reshape(-1, n, n)


def trueskill_scores(judgments: Judgments, *, seed: int = 12345, passes: int = PASSES) -> Doubles:
    """Average TrueSkill over ``passes`` random orders of the judgments."""
    pairs = judgments.compared
    first, second = judgments.item_system[pairs.first], judgments.item_system[pairs.second]
    matches = np.concatenate(
        [
            np.repeat(np.column_stack([first, second, np.full(len(first), outcome)]), times, axis=0)
            for outcome, times in ((1, pairs.wins), (-1, pairs.losses), (0, pairs.ties))
        ]
    )
    rng = np.random.default_rng(seed)
    means = [rate(len(judgments.systems), rng.permutation(matches).tolist())[0] for _ in range(passes)]
    seen = np.bincount(matches[:, :2].ravel(), minlength=len(judgments.systems)) > 0
    return np.where(seen, np.mean(means, axis=0), np.nan)


def _published(judgments: Judgments) -> Doubles:
    for name in (judgments.official, *PUBLISHED):
        if name is not None and name in judgments.system_scores:
            scores = judgments.system_scores[name]
            return np.array([scores.get(system, np.nan) for system in judgments.systems])
    raise BadSetting(f"{judgments.name} has no published scores of systems")


def _share(above: Doubles, below: Doubles) -> Doubles:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(below > 0, above / below, np.nan)
