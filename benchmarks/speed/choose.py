"""Minimum Bayes risk beside fastchrf, sacrebleu and, where it is installed, mbrs.

Expected scores of chrF are compared with fastchrf's, and choices of the methods with one another.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import numpy as np

from benchmarks.bench import Bench, Peer, require
from benchmarks.measurement import Target
from benchmarks.peers import mbrs_chrf, sacrebleu_pairwise_chrf
from wordorder.metrics.registry import metric
from wordorder.tune.choice import choose_by_risk
from wordorder.tune.minimum_bayes_risk import aggregate_scores, expected_scores

EXACT = ("chrf", "bleu", "ribes", "recpef", "beer")
AGGREGATE = ("chrf", "bleu")
FASTER = {spec: Target("ratio", 3.0) for spec in ("chrf", "ribes", "recpef")}  # than fastchrf
BEER_LISTS = Target("rate", 1000 / 110)  # lists of up to 100 candidates a second
SLOW = 2  # lists that are enough to time sacrebleu


def run(bench: Bench) -> None:
    require("fastchrf")
    import fastchrf

    lists, text = bench.texts.lists(50, 64)
    texts = [[candidate.text for candidate in candidates] for candidates in lists]
    chances = [np.full(len(candidates), 1 / len(candidates)) for candidates in texts]
    pairs = sum(len(candidates) ** 2 for candidates in texts)
    exact = Peer("fastchrf", lambda: fastchrf.pairwise_chrf(texts, texts), pairs)
    for spec in EXACT:
        expected_scores(metric(spec), texts[:1], chances[:1])  # models are read, modules imported
        bench.measure(
            f"{spec}, exact", partial(expected_scores, metric(spec), texts, chances), pairs, "pairs",
            text=text, peer=exact, target=FASTER.get(spec),
        )  # fmt: skip
    aggregate = Peer("fastchrf, aggregate", lambda: fastchrf.aggregate_chrf(texts, texts), len(lists))
    for spec in AGGREGATE:
        work = partial(aggregate_scores, metric(spec), texts, chances)
        bench.measure(f"{spec}, aggregate", work, len(lists), "lists", text=text, peer=aggregate)
    few = sum(len(candidates) ** 2 for candidates in texts[:SLOW])
    others: dict[str, tuple[Callable[[], object], int]] = {
        "sacrebleu chrF": (lambda: sacrebleu_pairwise_chrf(texts[:SLOW]), few)
    }
    if find_spec("mbrs"):  # it needs torch and much else, so it is not among the extras
        others["mbrs with fastchrf"] = (lambda: mbrs_chrf(texts, fast=True), pairs)
    else:
        bench.skip("chrf, exact", "mbrs is not installed", peer="mbrs with fastchrf")
    for name, (other, units) in others.items():
        bench.measure(
            "chrf, exact", lambda: expected_scores(metric("chrf"), texts, chances), pairs, "pairs", text=text,
            peer=Peer(name, other, units),
        )  # fmt: skip

    theirs = [np.mean(scores, axis=1) for scores in fastchrf.pairwise_chrf(texts, texts)]
    ours = expected_scores(metric("chrf"), texts, chances)
    gap = max(float(np.abs(a - b).max()) for a, b in zip(theirs, ours, strict=True))
    bench.check("expected chrF is within 1e-3 of fastchrf's", gap < 1e-3)
    groups = list(enumerate(lists))
    for spec in ("chrf", "recpef"):
        chosen = [
            [choice.ranked[0].text for choice in choose_by_risk(groups, metric(spec), method=method)]
            for method in ("exact", "pruned")
        ]
        bench.check(f"pruning changes no choice of {spec}", chosen[0] == chosen[1])

    many, text = bench.texts.lists(100, 100)
    groups = list(enumerate(many))
    bench.measure(
        "beer, lists of up to 100", lambda: list(choose_by_risk(groups, metric("beer"))), len(many), "lists",
        text=text, target=BEER_LISTS,
    )  # fmt: skip
