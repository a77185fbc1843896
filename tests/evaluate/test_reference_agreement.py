"""References against each other: symmetric, generous with groups, and only on what both rank."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from wordorder.arrays import Ints
from wordorder.errors import BadSetting
from wordorder.evaluate.columns import ComparisonSettings
from wordorder.evaluate.corpus import ReferenceFile, read_corpus
from wordorder.evaluate.reference_agreement import ReferenceAgreement, reference_agreement
from wordorder.evaluate.variants import variant

BY_POSITION = variant("talbot:match=positions")
NONE = ComparisonSettings(samples=0)


def agreement(first: list[Ints | None], second: list[Ints | None]) -> ReferenceAgreement:
    (found,) = reference_agreement(BY_POSITION, [("a", first), ("b", second)], BY_POSITION.scores, NONE)
    return found


def ranked(rng: random.Random, n: int) -> Ints:
    """Ranks with groups, and some words that do not count."""
    ranks = [rng.randrange(n) if rng.random() < 0.8 else -1 for _ in range(n)]
    used = sorted({rank for rank in ranks if rank >= 0})
    return np.array([used.index(rank) if rank >= 0 else -1 for rank in ranks], dtype=np.int32)


def by_definition(first: Ints, second: Ints) -> tuple[float, float] | None:
    """Fuzzy score and Kendall's measure; two words that one reference ties are in order."""
    both = [i for i in range(len(first)) if first[i] >= 0 and second[i] >= 0]
    if not both:
        return None
    one = sorted(both, key=lambda i: (first[i], second[i], i))
    other = sorted(both, key=lambda i: (second[i], first[i], i))
    place = {word: k for k, word in enumerate(other)}
    if len(both) == 1:
        return 1.0, 1.0
    chunks = 1 + sum(place[b] != place[a] + 1 for a, b in pairwise(one))
    wrong = sum((first[i] - first[j]) * (second[i] - second[j]) < 0 for i, j in combinations(both, 2))
    pairs = len(both) * (len(both) - 1) / 2
    return 1 - (chunks - 1) / (len(both) - 1), 1 - wrong / pairs


def test_scores_are_their_definitions_and_symmetric() -> None:
    rng = random.Random(3)
    first: list[Ints | None] = [ranked(rng, rng.randrange(1, 10)) for _ in range(200)]
    second: list[Ints | None] = [ranked(rng, len(rank)) for rank in first if rank is not None]
    first[3] = second[5] = None
    expected = [
        found
        for a, b in zip(first, second, strict=True)
        if a is not None and b is not None and (found := by_definition(a, b))
    ]
    found = agreement(first, second)
    assert found.sentences == len(expected) < 198
    assert [found.scores["fuzzy"].score, found.scores["kendall"].score] == pytest.approx(
        np.mean(expected, axis=0).tolist()
    )
    turned = agreement(second, first)
    assert {name: result.score for name, result in turned.scores.items()} == pytest.approx(
        {name: result.score for name, result in found.scores.items()}
    )


def test_a_reference_agrees_with_itself_and_with_its_groups() -> None:
    rank = np.array([3, 0, 1, 2], dtype=np.int32)
    grouped = np.array([1, 0, 0, 1], dtype=np.int32)
    fewer = np.array([1, -1, 0, -1], dtype=np.int32)
    for other, words in ((rank, 4), (grouped, 4), (fewer, 2)):
        found = agreement([rank], [other])
        assert found.words == words
        assert all(result.score == 1.0 for result in found.scores.values())
    assert agreement([rank], [np.array([0, 1, 2, 3], dtype=np.int32)]).scores["exact"].score == 0.0
    nothing = agreement([rank, None], [None, rank])
    assert nothing.sentences == 0 and np.isnan(nothing.scores["fuzzy"].score)


def test_every_pair_with_intervals() -> None:
    rng = random.Random(4)
    references = [(name, [ranked(rng, 6) for _ in range(20)]) for name in "abc"]
    found = reference_agreement(BY_POSITION, references, BY_POSITION.scores, ComparisonSettings(samples=100))
    assert [pair.references for pair in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    around = found[0].scores["fuzzy"].interval
    assert around is not None and around.low < found[0].scores["fuzzy"].score < around.high


def test_references_of_both_kinds_are_read_in_any_order(tmp_path: Path) -> None:
    source, align, orders = (str(tmp_path / name) for name in ("x.en", "x.align", "x.reference"))
    Path(source).write_text("a b c\n")
    Path(align).write_text("0-2 1-0 2-1\n")
    Path(orders).write_text("2 {{ 0 1 }}\n")
    files = [ReferenceFile(orders, given=True, name="own"), ReferenceFile(align, name="links")]
    corpus = read_corpus(source, files)
    assert [data.file.name for data in corpus.references] == ["own", "links"]
    assert [data.ranks(BY_POSITION, corpus.words)[0].tolist() for data in corpus.references] == [  # type: ignore[union-attr]
        [1, 1, 0],
        [2, 0, 1],
    ]
    assert corpus.alignments == [corpus.sources[0].alignment]
    with pytest.raises(BadSetting, match="no references"):
        read_corpus(source, [])
    with pytest.raises(BadSetting, match="given twice"):
        read_corpus(source, [files[1], files[1]])
