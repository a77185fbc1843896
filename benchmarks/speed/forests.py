"""Scores averaged over the forest of all trees."""

from __future__ import annotations

from functools import partial

from benchmarks.bench import Bench
from benchmarks.made_up import KINDS, orders_of
from benchmarks.measurement import Target
from benchmarks.texts import MADE_UP
from wordorder.metrics.registry import parse_ordering_metrics

WANTED = {25: 300_000, 400: 2000}  # orders a second by length


def run(bench: Bench) -> None:
    orders, text = bench.texts.orders(25_000)
    for made in parse_ordering_metrics(["recpef,recpet,pet_count"]):
        bench.measure(made.name, partial(made.score_orders, orders), len(orders), "orders", text=text)
    few, less = bench.texts.orders(2000)
    made, old = parse_ordering_metrics(["recpef,recpef:variant=beer11"])
    bench.measure("recpef:variant=beer11", lambda: old.score_orders(few), len(few), "orders", text=less)
    for kind in KINDS:
        for n, wanted in WANTED.items():
            batch = orders_of(kind, n, 500_000)
            work = partial(made.score_orders, batch)
            target = Target("rate", wanted)
            bench.measure(f"recpef, {kind}, n = {n}", work, len(batch), "orders", text=MADE_UP, target=target)
