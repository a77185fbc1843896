"""Small candidate lists for the tests of tuning."""

from __future__ import annotations

import numpy as np

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.tune.candidate_lists import CandidateLists

WORDS = ["the", "a", "small", "big", "old", "house", "cat", "dog", "sees", "runs", "here", "there", "now"]


def random_lists(
    rng: np.random.Generator, *, sentences: int = 6, size: int = 12, features: int = 3
) -> tuple[CandidateLists, list[str]]:
    """Return candidates with random texts and features, and references."""
    references = [" ".join(rng.choice(WORDS, size=8)) for _ in range(sentences)]
    candidates = []
    for number, reference in enumerate(references):
        for _ in range(size):
            words = reference.split()
            changed = rng.integers(len(words), size=rng.integers(7))
            for place in changed:
                words[place] = str(rng.choice(WORDS))
            values = tuple((f"f{k}", (float(value),)) for k, value in enumerate(rng.normal(size=features)))
            candidates.append(CandidateTranslation(number, " ".join(words), values))
    return CandidateLists.of(candidates), references
