"""Trees for tests: written by hand in one line, or random."""

from __future__ import annotations

import random

from wordorder.io.sentence import Row, Sentence


def tree(text: str, ranges: tuple[tuple[int, int], ...] = ()) -> Sentence:
    """``form~UPOS~relation~head[~lemma[~feats]]`` a word; heads count from 1."""
    rows: list[Row] = []
    for number, piece in enumerate(text.split(), start=1):
        for first, last in ranges:
            if number == first:
                rows.append(Row(f"{first}-{last}", "token"))
        form, upos, relation, head, *more = piece.split("~")
        lemma = more[0] if more else form.lower()
        feats = more[1] if len(more) > 1 else "_"
        rows.append(Row(str(number), form, lemma, upos, "_", feats, head, relation))
    return Sentence(rows)


def random_tree(seed: int, size: int) -> Sentence:
    """Any tree, crossing arcs included, with marks and conjuncts in odd places."""
    rng = random.Random(seed)
    heads = [0] * size
    order = list(range(size))
    rng.shuffle(order)
    for k, word in enumerate(order[1:], start=1):
        # near heads make trees that look like sentences; some are far
        known = order[:k]
        known.sort(key=lambda other: abs(other - word))
        heads[word] = known[0 if rng.random() < 0.7 else rng.randrange(k)] + 1
    relations = ["nsubj", "obj", "obl", "obl:tmod", "advmod", "conj", "cc", "punct", "punct", "punct", "mark"]
    rows = []
    for i, head in enumerate(heads):
        relation = rng.choice(relations) if head else "root"
        form = rng.choice("(),,.[]“”") if relation == "punct" else f"w{i}"
        upos = rng.choice(["NOUN", "VERB", "ADJ"])
        rows.append(Row(str(i + 1), form, f"w{i % 3}", upos, "_", "_", str(head), relation))
    return Sentence(rows)
