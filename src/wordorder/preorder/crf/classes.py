"""Word classes learned from raw text, without anything but the text.

Words that stand in like places fall into one class (the exchange algorithm, ``native/classes.cpp``). Several
numbers of classes give layers from coarse to fine. Words that are too rare have no class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordorder import _native

ROUNDS = 15
MOST = 30_000  # words that get a class


@dataclass(frozen=True)
class WordClasses:
    """The class of each known word in each layer; -1 for all others."""

    words: tuple[str, ...]
    layers: NDArray[np.int32]  # [layer, word]

    @classmethod
    def learn(
        cls, sentences: Iterable[Sequence[str]], sizes: Sequence[int], *, least: int = 3
    ) -> WordClasses:
        """Classes of the words that occur ``least`` times or more, a layer for each of the sizes.

        >>> text = [["a", "b"], ["c", "b"], ["a", "d"], ["c", "d"]] * 3
        >>> made = WordClasses.learn(text, [2])
        >>> row = dict(zip(made.words, made.layers[0].tolist()))
        >>> row["a"] == row["c"] != row["b"] == row["d"]
        True
        """
        text = [list(one) for one in sentences]
        counts = Counter(word for one in text for word in one)
        ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        words = tuple(word for word, count in ranked if count >= least)[:MOST]
        number = {word: at for at, word in enumerate(words)}
        rare = len(words)  # all others are one word
        values = np.array([number.get(word, rare) for one in text for word in one], dtype=np.int32)
        offsets = np.cumsum([0, *map(len, text)], dtype=np.int64)
        rows = [
            _native.exchange_classes(values, offsets, rare + 1, max(1, min(size, rare)), ROUNDS)[:rare]
            for size in sizes
        ]
        return cls(words, np.array(rows, dtype=np.int32).reshape(len(sizes), len(words)))

    @property
    def numbers(self) -> dict[str, int]:
        """The place of each word in the rows."""
        return {word: at for at, word in enumerate(self.words)}
