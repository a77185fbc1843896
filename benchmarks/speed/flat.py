"""Flat ordering scores of real orders, beside scipy and nltk."""

from __future__ import annotations

import numpy as np

from benchmarks import peers
from benchmarks.bench import LOOP, Bench, Peer
from wordorder.core.permutation import Permutations
from wordorder.metrics import metric

PEERS = {
    "kendall": [("scipy", peers.scipy_kendall), ("nltk", peers.nltk_kendall)],
    "spearman": [("scipy", peers.scipy_spearman), ("nltk", peers.nltk_spearman)],
    "hamming": [],
    "ulam": [],
    "fuzzy": [],
}
REPEATED = 20  # so that a run takes some tens of milliseconds
FEW = 400  # orders that are enough to time a slow peer


def run(bench: Bench) -> None:
    once, text = bench.texts.orders(25_000)
    orders = Permutations([*once] * REPEATED)
    few = [p.ranks for p in orders[: 4 * FEW] if len(p) > 1][:FEW]
    for name, others in PEERS.items():
        made = metric(name)
        if not others:
            bench.measure(name, lambda made=made: made.score_orders(orders), len(orders), "orders", text=text, peer=LOOP)
        for module, work in others:
            if not bench.can_import(module, name, peer=module):
                continue
            peer = Peer(module, lambda work=work: work(few), len(few))
            bench.measure(
                name, lambda made=made: made.score_orders(orders), len(orders), "orders", text=text, peer=peer
            )
            same = np.allclose(work(few), made.score_orders(few), atol=1e-9)
            bench.check(f"{name} of {len(few)} orders is {module}'s", same)
