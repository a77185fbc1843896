"""Write the n-best lists of the sample corpus: changed copies of the reference with made-up features.

    python -m tools.sample_candidates

Each sentence gets twelve candidates with words moved, left out or repeated. The features say how much was
changed, with noise, so that a tuner has something to find.
"""

from __future__ import annotations

import numpy as np

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.data import sample
from wordorder.io.read_write import write_records

CANDIDATES = 12


def changed(words: list[str], rng: np.random.Generator) -> tuple[list[str], int, int]:
    """Return a changed copy, how far words were moved, and how many were left out or repeated."""
    words, moved, edits = list(words), 0, 0
    for _ in range(int(rng.integers(4))):
        kind, place = rng.random(), int(rng.integers(len(words)))
        if kind < 0.6:
            other = int(np.clip(place + rng.integers(-4, 5), 0, len(words) - 1))
            words.insert(other, words.pop(place))
            moved += abs(other - place)
        elif kind < 0.8 and len(words) > 2:
            words.pop(place)
            edits += 1
        else:
            words.insert(place, words[place])
            edits += 1
    return words, moved, edits


def main() -> None:
    """Write the file."""
    rng = np.random.default_rng(12345)
    candidates = []
    for number, line in enumerate(sample("reference.txt").read_text("utf-8").splitlines()):
        for _ in range(CANDIDATES):
            words, moved, edits = changed(line.split(), rng)
            features = (
                ("Distortion0", (round(-moved + float(rng.normal(0, 2)), 3),)),
                ("WordPenalty0", (float(-len(words)),)),
                ("TranslationModel0", tuple(round(-edits + float(rng.normal(0, 1)), 3) for _ in range(2))),
            )
            score = round(sum(value for _, values in features for value in values), 3)
            candidates.append(CandidateTranslation(number, " ".join(words), features, score))
    write_records(str(sample("candidates.nbest")), candidates, "nbest")


if __name__ == "__main__":
    main()
