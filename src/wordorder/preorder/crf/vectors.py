"""First vectors of words from raw text: what stands around a word says what it is like.

For each word, how often each of the most frequent words stands one or two places before or behind it; these
counts as positive pointwise mutual information (Church and Hanks 1990; Levy and Goldberg 2014), and of that
table the singular vectors, found by random projection (Halko, Martinsson and Tropp 2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from wordorder.arrays import Floats
from wordorder.preorder.crf.lexicon import BEGIN, END, UNKNOWN, Lexicon

CONTEXTS = 1500  # the most frequent words
PLACES = (-2, -1, 1, 2)
SPREAD = 0.3  # root mean square of the vectors' numbers
ROUNDS = 4  # of the power iteration
MORE = 16  # directions beyond those asked for


def word_vectors(lexicon: Lexicon, sentences: Iterable[Sequence[str]], size: int) -> Floats:
    """A row of ``size`` numbers for each word of a vocabulary; the same for the same text.

    >>> known = Lexicon.of([["a", "b", "c"]], least=1, most=9, buckets=8)
    >>> word_vectors(known, [["a", "b"], ["c", "b"], ["b", "a"], ["b", "c"]], 2).shape
    (6, 2)
    """
    return _singular(_information(lexicon, sentences), size)


def _information(lexicon: Lexicon, sentences: Iterable[Sequence[str]]) -> Floats:
    """Positive mutual information of words (rows) and frequent words in four places around (columns)."""
    known, rows = lexicon.numbers, len(lexicon)
    columns = min(CONTEXTS, rows)
    # Two borders at the end, so that no sentence is the neighbour of the one before.
    text = [[BEGIN, *(known.get(word.lower(), UNKNOWN) for word in one), END, END] for one in sentences]
    stream = np.array([number for one in text for number in one], dtype=np.int64)
    table = np.empty((rows, len(PLACES) * columns), dtype=np.float32)
    for at, away in enumerate(PLACES):
        word, near = (stream[:-away], stream[away:]) if away > 0 else (stream[-away:], stream[:away])
        frequent = near < columns
        counts = np.bincount(word[frequent] * columns + near[frequent], minlength=rows * columns)
        table[:, at * columns : (at + 1) * columns] = counts.reshape(rows, columns)
    each = np.maximum(table.sum(axis=1, keepdims=True), 1)
    # Frequent contexts count a little less than they should, or rare ones would look too telling.
    smooth = np.maximum(table.sum(axis=0, keepdims=True), 1) ** np.float32(0.75)
    table *= smooth.sum() / each
    table /= smooth
    np.maximum(table, 1, out=table)
    return np.log(table, out=table)


def _singular(table: Floats, size: int) -> Floats:
    """The first left singular vectors of a table, times the roots of their values, scaled to ``SPREAD``."""
    rows, columns = table.shape
    wide = min(size + MORE, rows, columns)
    found = table @ np.random.default_rng(0).standard_normal((columns, wide)).astype(np.float32)
    for _ in range(ROUNDS):
        basis = np.linalg.qr(found)[0]
        found = table @ np.linalg.qr(table.T @ basis)[0]
    basis = np.linalg.qr(found)[0]
    left, values, _ = np.linalg.svd(basis.T @ table, full_matrices=False)
    vectors = (basis @ left * np.sqrt(values))[:, :size]
    out = np.zeros((rows, size), dtype=np.float32)
    root = float(np.sqrt((vectors**2).mean()))  # no matter which sign a vector got
    out[:, : vectors.shape[1]] = vectors * (SPREAD / max(root, 1e-9))
    return out
