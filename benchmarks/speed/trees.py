"""Permutation trees of real orders and of long random ones, beside a quadratic parser in C++ and permuta."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks import peers
from benchmarks.bench import Bench, Peer
from benchmarks.made_up import KINDS, orders_of
from benchmarks.measurement import Target
from benchmarks.texts import MADE_UP
from wordorder.core.permutation import Permutations
from wordorder.core.tree import flat_tables

WANTED = 2e6  # trees of 25 words a second
GROWTH = 3.0  # times the cost of a word at n = 25 that a word at n = 100,000 may take
FEW = 500
SCAN = "stack scan, C++"


def run(bench: Bench) -> None:
    library = peers.compiled_stack_scan()
    orders, text = bench.texts.orders(25_000)
    scan = Peer(SCAN, lambda: peers.stack_scan(library, orders), len(orders))
    bench.measure("real orders", lambda: flat_tables(orders), len(orders), "trees", text=text, peer=scan)
    few = [p.ranks.tolist() for p in orders[:FEW]]
    if bench.can_import("permuta", "real orders", peer="permuta"):
        peer = Peer("permuta", lambda: [peers.permuta_operators(order) for order in few], len(few))
        bench.measure("real orders", lambda: flat_tables(orders), len(orders), "trees", text=text, peer=peer)
        count = sum(peers.permuta_operators(order) for order in few)
        same = count == peers.stack_scan(library, Permutations([np.array(order) for order in few]))
        bench.check(f"permuta and the stack scan find as many operators in {FEW} trees", same)
    for kind in KINDS:
        short, long = orders_of(kind, 25), orders_of(kind, 100_000)
        scan = Peer(SCAN, partial(peers.stack_scan, library, short), len(short))
        bench.measure(
            f"{kind}, n = 25", partial(flat_tables, short), len(short), "trees", text=MADE_UP, peer=scan,
            target=Target("rate", WANTED),
        )  # fmt: skip
        peer = Peer("n = 25", partial(flat_tables, short), len(short.values))
        bench.measure(
            f"{kind}, n = 100,000", partial(flat_tables, long), len(long.values), "words", text=MADE_UP,
            peer=peer, target=Target("ratio", 1 / GROWTH),
        )  # fmt: skip
