"""Scores averaged over the forest of all trees."""

from __future__ import annotations

from benchmarks.bench import Bench
from benchmarks.made_up import KINDS, orders_of
from benchmarks.measurement import Target
from benchmarks.texts import MADE_UP
from wordorder.metrics import metric

WANTED = {25: 300_000, 400: 2000}  # orders a second by length


def run(bench: Bench) -> None:
    orders, text = bench.texts.orders(25_000)
    for spec in ("recpef", "recpet", "pet_count"):
        made = metric(spec)
        bench.measure(spec, lambda made=made: made.score_orders(orders), len(orders), "orders", text=text)
    few, less = bench.texts.orders(2000)
    old = metric("recpef:variant=beer11")
    bench.measure("recpef:variant=beer11", lambda: old.score_orders(few), len(few), "orders", text=less)
    made = metric("recpef")
    for kind in KINDS:
        for n, wanted in WANTED.items():
            batch = orders_of(kind, n, 500_000)
            bench.measure(
                f"recpef, {kind}, n = {n}", lambda batch=batch: made.score_orders(batch), len(batch), "orders",
                text=MADE_UP, target=Target("rate", wanted),
            )  # fmt: skip
