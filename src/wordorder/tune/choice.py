"""The choice of one candidate per sentence: by weights, by model scores, or by minimum Bayes risk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric
from wordorder.tune.candidate_lists import check_features
from wordorder.tune.minimum_bayes_risk import Progress, aggregate_scores, expected_scores, for_candidates
from wordorder.tune.weights import LARGEST, Weights

PAIRS = 40_000  # pairs of candidates that are scored together


@dataclass(frozen=True, slots=True)
class Choice:
    """The different candidates of a sentence from the best to the worst, and the values that rank them."""

    sentence: int
    ranked: list[CandidateTranslation]
    values: list[float]


Lists = Iterable[tuple[int, list[CandidateTranslation]]]
Block = list[tuple[int, list[CandidateTranslation]]]
Method = Literal["exact", "pruned", "aggregate"]


def model_values(candidates: Sequence[CandidateTranslation], weights: Weights | None) -> Doubles:
    """Return weighted sums of features, or the model scores that the candidates came with."""
    if weights is not None:
        return np.array([_weighted(candidate, weights) for candidate in candidates])
    scores = np.array([np.nan if c.score is None else c.score for c in candidates], dtype=np.float64)
    if np.isnan(scores).any():
        missing = f"a candidate of sentence {candidates[0].sentence} has no model score"
        if any(candidate.features for candidate in candidates):
            raise BadSetting(f"{missing}.", suggest={"weights": "FILE"})
        raise BadSetting(f"{missing}, and no features.", suggest={"risk": "METRIC"})
    if np.abs(scores).max() > LARGEST:
        raise BadSetting(f"a model score of sentence {candidates[0].sentence} is above {LARGEST:g}")
    return scores


def _weighted(candidate: CandidateTranslation, weights: Weights) -> float:
    """Return the weighted sum of the features; those without a weight do not count."""
    check_features(candidate)
    total, known = 0.0, False
    for name, values in candidate.features:
        own = weights.by_name.get(name)
        if own is None:
            continue
        if len(own) != len(values):
            found = f"{counted(len(own), 'weight')}, but {counted(len(values), 'value')}"
            raise BadSetting(f"{name} has {found} in sentence {candidate.sentence}")
        total += sum(weight * value for weight, value in zip(own, values, strict=True))
        known = True
    if not known:
        names = ", ".join(name for name, _ in candidate.features) or "none"
        raise BadSetting(
            f"no feature of a candidate of sentence {candidate.sentence} has a weight; its features: {names}"
        )
    return total


def check_model(weights: Weights | None) -> None:
    """Refuse weights that cannot rank anything."""
    if weights is not None and not any(any(values) for _, values in weights.values):
        raise BadSetting("all weights are zero; expected at least one other")


def choose_by_model(lists: Lists, weights: Weights | None = None) -> Iterator[Choice]:
    """Rank candidates by the model; the first of equal ones is the best."""
    check_model(weights)
    for sentence, candidates in lists:
        yield _ranked(sentence, candidates, model_values(candidates, weights))


def choose_by_risk(
    lists: Lists,
    metric: Metric,
    *,
    method: Method = "exact",
    weights: Weights | None = None,
    temperature: float | None = None,
    run: Runner = map,
    scored: Progress = lambda pairs: None,
) -> Iterator[Choice]:
    """Rank candidates by their expected score by a metric, from the highest (or lowest, if lower is better).

    All candidates count alike unless a ``temperature`` is given: then the probabilities are those of the
    model scores divided by it. ``pruned`` ranks only candidates that may be the best until the end, of which
    the first is that of ``exact``; ``aggregate`` compares with expected n-gram counts. ``scored`` is told
    the number of pairs that have been scored, by any thread. ``tokenize=auto`` is decided once, by
    the first block of lists.
    """
    if temperature is not None and not temperature > 0:
        raise BadSetting(f"temperature is {temperature}; expected a number above 0")
    check_model(weights)
    blocks = _blocks(lists)
    first = next(blocks, None)
    if first is None:
        return
    metric = for_candidates(metric, ([candidate.text for candidate in found] for _, found in first))
    methods: dict[Method, Callable[..., list[Doubles]]] = {
        "exact": partial(expected_scores, scored=scored),
        "pruned": partial(expected_scores, prune=True, scored=scored),
        "aggregate": aggregate_scores,
    }
    work = partial(_by_risk, metric=metric, compute=methods[method], weights=weights, temperature=temperature)
    for choices in run(work, chain([first], blocks)):
        yield from choices


def _blocks(lists: Lists) -> Iterator[Block]:
    block: Block = []
    pairs = 0
    for sentence, candidates in lists:
        block.append((sentence, candidates))
        pairs += len(candidates) ** 2
        if pairs >= PAIRS:
            yield block
            block, pairs = [], 0
    if block:
        yield block


def _by_risk(
    block: Block,
    metric: Metric,
    compute: Callable[..., list[Doubles]],
    weights: Weights | None,
    temperature: float | None,
) -> list[Choice]:
    probabilities = []
    for _, candidates in block:
        if temperature is None:
            probabilities.append(np.full(len(candidates), 1 / len(candidates)))
        else:
            values = model_values(candidates, weights)
            with np.errstate(over="ignore"):  # far below the best, the probability is 0
                chances = np.exp((values - values.max()) / temperature)
            probabilities.append(chances / chances.sum())
    texts = [[candidate.text for candidate in candidates] for _, candidates in block]
    expected = compute(metric, texts, probabilities)
    return [
        _ranked(sentence, candidates, values, higher_is_better=metric.higher_is_better)
        for (sentence, candidates), values in zip(block, expected, strict=True)
    ]


def _ranked(
    sentence: int, candidates: list[CandidateTranslation], values: Doubles, *, higher_is_better: bool = True
) -> Choice:
    """Rank candidates; of those with the same text, the first is kept, and those without a value are not."""
    order = np.argsort(-values if higher_is_better else values, kind="stable").tolist()
    best: dict[str, int] = {}
    for k in order[: len(order) - int(np.isnan(values).sum())]:
        best.setdefault(candidates[k].text, k)
    if not best:
        raise BadSetting(f"no candidate of sentence {sentence} has a value")
    return Choice(sentence, [candidates[k] for k in best.values()], values[list(best.values())].tolist())
