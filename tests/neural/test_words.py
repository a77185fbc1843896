"""First vectors of words: against counting by hand and exact singular values."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from wordorder.neural import words as inputs
from wordorder.neural.words import InputVocabulary

TEXT = [f"{the} {noun} {verb} {noun2}".split() for the in ("the", "a") for noun in ("cat", "dog", "cow")
        for verb in ("saw", "bit") for noun2 in ("trees", "men", "rare" + noun)]  # fmt: skip
KNOWN = InputVocabulary.of(TEXT, min_count=3, max_words=100, buckets=8)


def test_information_is_counted_as_it_says() -> None:
    table = inputs._mutual_information(KNOWN, TEXT)
    counts: Counter[tuple[int, int, int]] = Counter()
    for number, one in enumerate(TEXT):
        stream = [1, *(KNOWN.number(word) for word in one), 2, 2]
        after = [1, KNOWN.number(TEXT[number + 1][0])] if number + 1 < len(TEXT) else []
        before = [2, 2] if number else []
        wide = [*before, *stream, *after]
        for at in range(len(before), len(before) + len(stream)):
            for place, away in enumerate(inputs.CONTEXT_POSITIONS):
                if 0 <= at + away < len(wide):
                    counts[wide[at], place, wide[at + away]] += 1
    words = len(KNOWN)
    rows = Counter({w: 0 for w in range(words)})
    columns: Counter[tuple[int, int]] = Counter()
    for (w, place, near), count in counts.items():
        rows[w] += count
        columns[place, near] += count
    total = sum(max(1, columns[p, c]) ** 0.75 for p in range(4) for c in range(words))
    for w in range(words):
        for place in range(4):
            for c in range(words):
                ratio = counts[w, place, c] / max(1, rows[w]) * total / max(1, columns[place, c]) ** 0.75
                assert math.isclose(
                    table[w, place * words + c], math.log(max(1.0, ratio)), rel_tol=1e-4, abs_tol=1e-5
                )


def test_singular_vectors_are_exact_where_there_are_few() -> None:
    rng = np.random.default_rng(0)
    table = (rng.normal(size=(60, 5)) @ rng.normal(size=(5, 40))).astype(np.float32)
    found = inputs._singular_vectors(table, 3)
    left, values, _ = np.linalg.svd(table.astype(np.float64), full_matrices=False)
    expected = left[:, :3] * np.sqrt(values[:3])
    expected *= inputs.VECTOR_SCALE / np.sqrt((expected**2).mean())
    signs = np.sign((found * expected).sum(axis=0))
    np.testing.assert_allclose(found * signs, expected, atol=1e-3)
    assert inputs._singular_vectors(table, 50).shape == (60, 50)  # more than there are: the rest is 0


def test_words_in_like_places_are_alike_and_twice_the_same() -> None:
    made = inputs.word_vectors(KNOWN, TEXT, 4)
    np.testing.assert_array_equal(made, inputs.word_vectors(KNOWN, TEXT, 4))

    def near(one: str, other: str) -> float:
        a, b = made[KNOWN.number(one)], made[KNOWN.number(other)]
        return float(a @ b / np.sqrt((a @ a) * (b @ b)))

    assert near("cat", "dog") > 0.9 > 0.5 > near("cat", "saw")
