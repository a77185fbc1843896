"""How long 10,000 parsed sentences take: read, reordered by rules, and evaluated, on one core.

    python benchmarks/rules.py [SENTENCES]

Trees and links are random, about 21 words a sentence as in the Parallel Universal Dependencies treebanks.
Times are those of the processor, so that other work on the machine does not count.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from wordorder.evaluate.corpus import ReferenceFile, read_corpus
from wordorder.evaluate.evaluation import evaluate_orders
from wordorder.metrics.registry import parse_ordering_metrics
from wordorder.preorder.rules.preorderer import Rules

RELATIONS = ["nsubj", "obj", "obl", "advmod", "conj", "cc", "punct", "case", "det", "amod", "nmod"]
TAGS = ["NOUN", "VERB", "ADJ", "ADV", "PROPN"]


def heads_of(rng: random.Random, n: int) -> list[int]:
    """A random tree without crossing arcs: a head in each span, the rest in spans around it."""
    heads = [0] * n
    spans = [(0, n, 0)]
    while spans:
        begin, end, above = spans.pop()
        if begin == end:
            continue
        head = rng.randrange(begin, end)
        heads[head] = above
        for low, high in ((begin, head), (head + 1, end)):
            cuts = sorted({low, high, *(rng.randint(low, high) for _ in range(rng.randrange(3)))})
            spans += [(a, b, head + 1) for a, b in pairwise(cuts)]
    return heads


def sentence(rng: random.Random, number: int) -> tuple[str, str]:
    """A tree, one in twenty with a crossing arc perhaps, and links to a target of the same length."""
    n = rng.randrange(4, 40)
    heads = heads_of(rng, n)
    leaves = [i for i in range(n) if i + 1 not in heads]
    if rng.random() < 0.05 and leaves:
        moved = rng.choice(leaves)
        heads[moved] = rng.choice([i + 1 for i in range(n) if i != moved])
    lines = [f"# sent_id = {number}"]
    for i, head in enumerate(heads):
        relation = rng.choice(RELATIONS) if head else "root"
        word = "," if relation == "punct" else f"w{rng.randrange(2000)}"
        lines.append(f"{i + 1}\t{word}\t{word}\t{rng.choice(TAGS)}\t_\t_\t{head}\t{relation}\t_\t_")
    places = list(range(n))
    rng.shuffle(places)
    links = " ".join(f"{i}-{j}" for i, j in enumerate(places) if rng.random() < 0.8)
    return "\n".join(lines) + "\n\n", links + "\n"


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    rng = random.Random(1)
    made = [sentence(rng, k + 1) for k in range(size)]
    with tempfile.TemporaryDirectory() as home:
        tree, align = Path(home) / "x.conllu", Path(home) / "x.align"
        tree.write_text("".join(one for one, _ in made), encoding="utf-8")
        align.write_text("".join(other for _, other in made), encoding="utf-8")
        clock = [time.process_time()]
        corpus = read_corpus(None, [ReferenceFile(str(align))], [("p", str(tree))])
        clock.append(time.process_time())
        orders = Rules(set="en-ja").reorder_batch(corpus.sources)
        clock.append(time.process_time())
        metrics = parse_ordering_metrics(["fuzzy,kendall"])
        evaluate_orders(
            corpus.alignments, {"en-ja": orders}, words=corpus.words, variants=["talbot"], metrics=metrics
        )
        clock.append(time.process_time())
    steps = [b - a for a, b in pairwise(clock)]
    words = sum(len(order) for order in orders)
    print(f"{size:,} sentences, {words:,} words")
    for name, seconds in zip(
        ("read", "reorder", "evaluate (1000 resamples)", "all"), [*steps, sum(steps)], strict=True
    ):
        print(f"{name:28s} {seconds:6.2f} s")


if __name__ == "__main__":
    main()
