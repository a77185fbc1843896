"""Small corpora of systems for tests of analyses."""

from __future__ import annotations

import random
from collections.abc import Sequence

from wordorder.analyse.sentences import ComparedSentences, compared_sentences
from wordorder.engine.score_texts import TextBlock, collect, resolve_tokenizers
from wordorder.metrics.matched import labels
from wordorder.metrics.registry import parse_metrics

WORDS = [*"abcdefghij", "The", "the", ",", "."]


def compared(
    references: Sequence[Sequence[str]],
    systems: Sequence[Sequence[str]],
    metrics: str = "kendall",
    **settings,
) -> ComparedSentences:
    """Score systems in two blocks, as files are read."""
    count = len(systems[0])
    cuts = [range(count // 2), range(count // 2, count)]
    blocks = [
        TextBlock(
            [s + 1 for s in cut],
            [[stream[s] for s in cut] for stream in references],
            [[texts[s] for s in cut] for texts in systems],
        )
        for cut in cuts
        if len(cut)
    ]
    made, _ = resolve_tokenizers(parse_metrics([metrics], settings), blocks[0].references)
    names = [f"system {k}" for k in range(len(systems))]
    return compared_sentences(
        blocks, dict(zip(labels(made), made, strict=True)), collect(blocks, made, names)
    )


def random_texts(count: int, seed: int) -> list[str]:
    """Texts of up to twelve words, some of them empty."""
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=chance.randint(0, 12))) for _ in range(count)]


def shuffled(texts: Sequence[str], seed: int) -> list[str]:
    """The same words, some of them in another place, some of them lost."""
    chance = random.Random(seed)
    made = []
    for text in texts:
        words = [word for word in text.split() if chance.random() < 0.9]
        for _ in range(chance.randint(0, 3)):
            if len(words) > 1:
                words.insert(chance.randrange(len(words)), words.pop(chance.randrange(len(words))))
        made.append(" ".join(words))
    return made
