"""The objective ``eras``: judgments of all kinds and years in one loss.

All collections, such as wmt13-rr and wmt21-da, have the same weight, and so have the sets of a collection.

=========== =========================================================================================
rankings     each vote counts once
ratings      outputs of the same segment, and outputs of any two segments of the set; a pair counts by how
             far its standardised ratings are apart, at most :data:`CLEAR`
scrambled    references whose words were put in another order; an output of a system should score more
=========== =========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments, Ratings
from wordorder.learn.objectives import PreferenceLoss, selected

MOST_PAIRS = 10_000  # of a set
CLEAR = 2.0  # standard deviations
ACROSS = 20  # pairs of different segments for each rating
MANY = 2_000  # pairs of the same segment, beside which pairs of different ones have half their weight
SEGMENTS = 400  # of a set whose references are scrambled
LEAST_WORDS = 4  # of a reference that is scrambled

Pairs = tuple[Longs, Longs, Doubles]  # better items, worse items, weights


@dataclass(frozen=True, eq=False)
class ScrambledReferences:
    """References with their words in another order, and the outputs that they are compared with."""

    texts: Sequence[str]
    references: Sequence[str]
    opponents: Longs  # items

    def __len__(self) -> int:
        return len(self.texts)


NOT_SCRAMBLED = ScrambledReferences((), (), np.zeros(0, np.int64))


def shuffled(words: list[str], rng: np.random.Generator) -> list[str]:
    """Put words in random order."""
    return [words[k] for k in rng.permutation(len(words)).tolist()]


def halves_swapped(words: list[str], rng: np.random.Generator) -> list[str]:
    """Swap the two halves of a sentence.

    >>> halves_swapped("a b c d e".split(), np.random.default_rng(1))
    ['c', 'd', 'e', 'a', 'b']
    """
    middle = len(words) // 2
    return words[middle:] + words[:middle]


def neighbours_swapped(words: list[str], rng: np.random.Generator) -> list[str]:
    """Swap the first two words, the next two, and so on.

    >>> neighbours_swapped("a b c d e".split(), np.random.default_rng(1))
    ['b', 'a', 'd', 'c', 'e']
    """
    return [words[k ^ 1] if k ^ 1 < len(words) else words[k] for k in range(len(words))]


SCRAMBLES: tuple[Callable[[list[str], np.random.Generator], list[str]], ...] = (
    shuffled,
    halves_swapped,
    neighbours_swapped,
)


def scrambled_references(judgments: Judgments, seed: int, *, segments: int = SEGMENTS) -> ScrambledReferences:
    """Scramble the references of some judged segments in three ways, with a judged output of each."""
    rng = np.random.default_rng(seed)
    references = judgments.references[0]
    judged = np.unique(
        np.concatenate([judgments.compared.first, judgments.compared.second, _rated(judgments).item])
    )
    by_segment: dict[int, list[int]] = {}
    for item in judged.tolist():
        by_segment.setdefault(int(judgments.item_segment[item]), []).append(item)
    usable = [segment for segment in by_segment if len(references[segment].split()) >= LEAST_WORDS]
    texts, originals, opponents = [], [], []
    for k in rng.permutation(len(usable))[:segments].tolist():
        reference, items = references[usable[k]], by_segment[usable[k]]
        opponent = items[int(rng.integers(len(items)))]
        for scramble in SCRAMBLES:
            texts.append(" ".join(scramble(reference.split(), rng)))
            originals.append(reference)
            opponents.append(opponent)
    return ScrambledReferences(texts, originals, np.array(opponents, np.int64))


def _rated(judgments: Judgments) -> Ratings:
    return judgments.rated or Ratings(np.zeros(0, np.int64), np.zeros(0))


def era_pairs(judgments: Judgments, seed: int) -> Pairs:
    """Return the pairs of items to learn from; weights sum to 1."""
    rng = np.random.default_rng(seed)
    if judgments.preferences is not None:
        first, second, wins, losses = selected(judgments, "all")
        parts: list[Pairs] = [(first, second, wins), (second, first, losses)]
    else:
        parts = _rated_pairs(judgments, rng)
    better, worse, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    used = np.flatnonzero(weight > 0)
    if len(used) > MOST_PAIRS:
        used = rng.choice(used, MOST_PAIRS, replace=False)
    weight = weight[used]
    return better[used], worse[used], weight / max(float(weight.sum()), 1e-12)


def _rated_pairs(judgments: Judgments, rng: np.random.Generator) -> list[Pairs]:
    rated = _rated(judgments)
    standard = (
        (rated.score - rated.score.mean()) / (float(rated.score.std()) or 1.0) if len(rated) else rated.score
    )
    score = np.zeros(len(judgments.outputs))
    score[rated.item] = standard
    same = _by_difference(judgments.compared.first, judgments.compared.second, score)
    drawn = rng.integers(0, max(len(rated), 1), (2, ACROSS * len(rated)))
    across = _by_difference(rated.item[drawn[0]], rated.item[drawn[1]], score)
    if len(same[0]) > MANY:
        half = 0.5 * same[2].sum() / max(float(across[2].sum()), 1e-12)
        across = across[0], across[1], np.asarray(across[2] * half)
    return [same, across]


def _by_difference(first: Longs, second: Longs, score: Doubles) -> Pairs:
    apart = score[first] - score[second]
    return (
        np.where(apart > 0, first, second),
        np.where(apart > 0, second, first),
        np.minimum(np.abs(apart), CLEAR),
    )


def eras_of(
    sets: Sequence[Judgments], scrambled: Sequence[ScrambledReferences], *, share: float, seed: int
) -> PreferenceLoss:
    """Return the loss of all sets; the items of scrambled references follow those of all sets.

    ``share`` is the weight of the scrambled references of a set beside its judgments.
    """
    sizes = {collection: 0 for collection in (judgments.collection for judgments in sets)}
    for judgments in sets:
        sizes[judgments.collection] += 1
    columns: list[Pairs] = []
    start, more = 0, sum(len(judgments.outputs) for judgments in sets)
    for judgments, texts in zip(sets, scrambled, strict=True):
        weight = 1.0 / (len(sizes) * sizes[judgments.collection])
        better, worse, part = era_pairs(judgments, seed)
        columns.append((better + start, worse + start, part * weight))
        lost = np.arange(more, more + len(texts))
        columns.append(
            (texts.opponents + start, lost, np.full(len(texts), share * weight / max(len(texts), 1)))
        )
        start, more = start + len(judgments.outputs), more + len(texts)
    first, second, wins = (np.concatenate(column) for column in zip(*columns, strict=True))
    if not len(first):
        raise BadSetting("no judgments are left to learn from")
    wins = wins / wins.sum()
    return PreferenceLoss(first, second, wins, np.zeros(len(wins)))
