"""Matching the words of translations and references, beside NLTK; and lines that are hard to match."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from benchmarks.bench import Bench, Peer
from benchmarks.peers import nltk_exact_links, nltk_ribes_links
from benchmarks.texts import MADE_UP
from wordorder.align.matcher import Matcher
from wordorder.align.ribes import RibesMatcher
from wordorder.text.tokens import Words

COUNT, FEW = 20_000, 2000
HARD = {"equal words": 1, "two words": 2, "thirty words": 30, "2,000 words": 2000}


def matching(
    matcher: Matcher | RibesMatcher, hypotheses: list[str], references: list[str]
) -> Callable[[], object]:
    """Return the work of matching encoded text."""
    table = Words("13a", lowercase=True)
    hyp, ref = table.encode(hypotheses), table.encode(references)
    return lambda: matcher.match(hyp, ref, table).permutations()


def run(bench: Bench) -> None:
    hypotheses, references, text = bench.texts.pairs(COUNT)
    few = list(zip(hypotheses[:FEW], references[:FEW], strict=True))
    exact = Peer("nltk, exact", partial(nltk_exact_links, few), FEW)
    ribes = Peer("nltk, ribes", partial(nltk_ribes_links, few), FEW)
    matchers: dict[str, tuple[Matcher | RibesMatcher, Peer]] = {
        "exact": (Matcher(), exact),
        "exact+stem": (Matcher(stages=("exact", "stem")), exact),
        "ribes": (RibesMatcher(), ribes),
    }
    for name, (matcher, peer) in matchers.items():
        if bench.can_import("nltk", name, peer=peer.name):
            work = matching(matcher, hypotheses, references)
            bench.measure(name, work, COUNT, "pairs", text=text, peer=peer)
    rng = random.Random(0)
    for name, size in HARD.items():
        sides = [[" ".join(str(rng.randrange(size)) for _ in range(5000))] for _ in range(2)]
        bench.measure(
            f"one line of 5,000 words, {name}", matching(Matcher(), *sides), 1, "lines", text=MADE_UP
        )
