"""Phrases of aligned sentences as training sentences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from wordorder.core.alignment import Alignment
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.phrases import linked_phrases, subtree_spans, with_phrases


def tree(words: tuple[str, ...], heads: list[int]) -> Sentence:
    return Sentence([Row(str(i + 1), word, head=str(heads[i])) for i, word in enumerate(words)])


@st.composite
def aligned(draw: st.DrawFn) -> tuple[list[int], list[tuple[int, int]], int]:
    n = draw(st.integers(1, 8))
    order = draw(st.permutations(range(n)))
    heads = [0] * n
    for k in range(1, n):  # every word depends on one that comes before it in a random order
        heads[order[k]] = order[draw(st.integers(0, k - 1))] + 1
    target = draw(st.integers(1, 8))
    links = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, target - 1)), max_size=10))
    return heads, links, target


def slow_spans(heads: list[int]) -> list[tuple[int, int]]:
    """All words below each word, by definition."""
    spans = []
    for top in range(len(heads)):
        below = {top}
        while more := {w for w in range(len(heads)) if heads[w] - 1 in below} - below:
            below |= more
        if len(below) == max(below) - min(below) + 1:
            spans.append((min(below), max(below) + 1))
    return spans


@given(aligned())
def test_phrases_are_consistent_subtrees(case: tuple[list[int], list[tuple[int, int]], int]) -> None:
    heads, links, size = case
    assert subtree_spans(heads) == slow_spans(heads)
    words = tuple(f"w{i}" for i in range(len(heads)))
    found = [
        (int(phrase.words[0][1:]), len(phrase), own)
        for phrase, own in linked_phrases(
            Source(words, parse=tree(words, heads)), Alignment(len(words), size, links), 5
        )
    ]
    expected = []
    for begin, end in slow_spans(heads):
        targets = {j for i, j in links if begin <= i < end}
        between = {i for i, j in links if targets and min(targets) <= j <= max(targets)}
        linked = {i for i, _ in links if begin <= i < end}
        if 2 <= end - begin <= min(5, len(words) - 1) and len(linked) > 1 and between <= linked:
            own = sorted({(i - begin, j - min(targets)) for i, j in links if begin <= i < end})
            expected.append(
                (begin, end - begin, Alignment(end - begin, max(targets) - min(targets) + 1, own))
            )
    assert found == expected


def test_cycles_end() -> None:
    assert subtree_spans([2, 1]) is not None


def test_phrases_are_learned() -> None:
    words = ("the", "history", "of", "Kyoto", "ends")
    source = Source(words, parse=tree(words, [2, 5, 4, 2, 0]))
    links = Alignment(5, 4, [(3, 0), (2, 1), (1, 2), (4, 3)])
    data = TrainingData([source] * 3, [links] * 3)
    sources, alignments = with_phrases((data.sources, data.alignments), 5)
    assert [len(s) for s in sources] == [5, 5, 5, 4, 2, 4, 2, 4, 2]
    assert len(alignments) == len(sources)
    assert with_phrases((data.sources, data.alignments), 0) == (list(data.sources), list(data.alignments))
    trained = FeatureCRF(phrases=5, tune_min_gain=False).fit(data, RunOptions(seed=1)).trained
    assert trained["sentences"] == 3 and trained["phrases"] == 6
