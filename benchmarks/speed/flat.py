"""Flat ordering scores of real orders, beside scipy and nltk."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks import peers
from benchmarks.bench import Bench, Peer
from wordorder.arrays import Ints
from wordorder.core.permutation import Permutations
from wordorder.metrics.registry import parse_ordering_metrics

PEERS: dict[str, dict[str, Callable[[list[Ints]], list[float]]]] = {
    "kendall": {"scipy": peers.scipy_kendall, "nltk": peers.nltk_kendall},
    "spearman": {"scipy": peers.scipy_spearman, "nltk": peers.nltk_spearman},
    "hamming": {},
    "ulam": {},
    "fuzzy": {},
}
REPEATED = 20  # so that a run takes some tens of milliseconds
FEW = 400  # orders that are enough to time a slow peer


def run(bench: Bench) -> None:
    once, text = bench.texts.orders(25_000)
    orders = Permutations([*once] * REPEATED)
    few = [p.ranks for p in once if len(p) > 1][:FEW]
    for made in parse_ordering_metrics([",".join(PEERS)]):
        ours = partial(made.score_orders, orders)
        for module, work in PEERS[made.name].items():
            if bench.can_import(module, made.name, peer=module):
                peer = Peer(module, partial(work, few), len(few))
                bench.measure(made.name, ours, len(orders), "orders", text=text, peer=peer)
                same = np.allclose(work(few), made.score_orders(few), atol=1e-9)
                bench.check(f"{made.name} of {len(few)} orders is {module}'s", same)
        if not PEERS[made.name]:
            bench.measure(made.name, ours, len(orders), "orders", text=text)
