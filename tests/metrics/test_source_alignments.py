"""Orders compared with that of the source: by hand, against slow twins, and with awkward links."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import wordorder
from wordorder.core.alignment import Alignment, Alignments
from wordorder.errors import WordOrderError
from wordorder.metrics import from_signature, metric
from wordorder.metrics.given_alignments import SourceAlignments
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.registry import parse_source_metrics
from wordorder.metrics.segments import Segments

# Of five source words, word 1 has two links and word 3 none; words 1 and 2 share the last target word.
LINKS = Alignment(5, 4, [(0, 0), (1, 2), (1, 3), (2, 3), (4, 1)])


def random_alignments(count: int, seed: int = 7) -> list[Alignment]:
    """Draw alignments with unaligned words, words with many links, and empty sides."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        source, target = rng.integers(0, 9, size=2).tolist()
        links = [(i, j) for i in range(source) for j in range(target) if rng.random() < 0.2]
        made.append(Alignment(source, target, links))
    return made


def score(spec: str, alignments: list[Alignment], policy: str = "talbot") -> list[float]:
    """Score each alignment on texts of so many words."""
    given = SourceAlignments(hypotheses=alignments, policy=policy)
    texts = [[" ".join("x" * size) for size in sizes] for sizes in _sizes(alignments)]
    segments = Segments(texts[1], [texts[0]], given=given)
    (made,) = parse_source_metrics([spec], policy)
    return made.segment_scores(made.statistics(segments)).tolist()


def _sizes(alignments: list[Alignment]) -> list[list[int]]:
    return [[one.source_size for one in alignments], [one.target_size for one in alignments]]


def test_by_hand() -> None:
    # Read in the translation: 0, then 3 4 (3 goes with the next linked word), then 1, then 2.
    orders = SourceAlignments(hypotheses=[LINKS]).matched()[0].permutations
    assert [list(order) for order in orders] == [[0, 3, 4, 1, 2]]
    assert score("kendall", [LINKS]) == [pytest.approx(1 - 4 / 10)]
    assert score("crossings", [LINKS]) == [4.0] and score("chunks", [LINKS]) == [3.0]
    assert score("anticipation", [LINKS]) == [2 / 5] and score("anticipation:k=3", [LINKS]) == [0.0]
    assert score("lag", [LINKS]) == [3.0]
    assert score("lag:scale=average", [LINKS]) == [pytest.approx((1 + 3 + 3) / 3)]
    # By links: of four target words, only word 1 has a source word (4) at 1 + k or later, up to k = 3.
    assert [score(f"anticipation:k={k},over=links", [LINKS])[0] for k in (1, 3, 4)] == [0.25, 0.25, 0.0]
    # 4-1 crosses 1-2, 1-3 and 2-3, of ten pairs of five links.
    assert score("crossings:over=links", [LINKS]) == [3.0]
    assert score("crossings:over=links,scale=word", [LINKS]) == [3 / 5]
    assert score("crossings:over=links,scale=share", [LINKS]) == [3 / 10]
    # Without the word that has no link: 0 4 1 2 become 0 3 1 2.
    assert score("kendall", [LINKS], "talbot:unaligned=drop") == [pytest.approx(1 - 2 / 6)]


def slow_anticipation(one: Alignment, k: int) -> float:
    """Chen et al. (2021): target word t is guessed if some link (s, t) has s >= t + k."""
    guessed = sum(any(i >= t + k for i, j in one.links if j == t) for t in range(one.target_size))
    return guessed / one.target_size


def slow_crossings(one: Alignment) -> int:
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in combinations(one.links, 2))


def test_counts_of_links_equal_their_definitions() -> None:
    alignments = [one for one in random_alignments(400) if one.links]
    for k in (1, 2, 5):
        expected = [slow_anticipation(one, k) for one in alignments]
        assert score(f"anticipation:k={k},over=links", alignments) == pytest.approx(expected)
    crossed = [slow_crossings(one) for one in alignments]
    assert score("crossings:over=links", alignments) == pytest.approx(crossed)
    many = [len(one.links) for one in alignments]
    shares = [c / (n * (n - 1) / 2) if n > 1 else 0.0 for c, n in zip(crossed, many, strict=True)]
    assert score("crossings:over=links,scale=share", alignments) == pytest.approx(shares)
    total = sum(slow_anticipation(one, 2) * one.target_size for one in alignments)
    given = SourceAlignments(hypotheses=alignments)
    texts = [[" ".join("x" * size) for size in sizes] for sizes in _sizes(alignments)]
    micro = metric("anticipation:k=2,over=links,agg=micro").corpus_score(texts[1], [texts[0]], given=given)
    assert micro.score == pytest.approx(total / sum(one.target_size for one in alignments))


@pytest.mark.parametrize("spec", ["anticipation:k=2", "crossings", "crossings:scale=share"])
def test_both_definitions_agree_on_permutations(spec: str) -> None:
    rng = np.random.default_rng(3)
    orders = [rng.permutation(n).tolist() for n in range(1, 12)]
    links = [Alignment(len(o), len(o), [(word, at) for at, word in enumerate(o)]) for o in orders]
    by_links = score(f"{spec},over=links" if ":" in spec else f"{spec}:over=links", links)
    made = metric(spec)
    assert isinstance(made, OrderingMetric)
    assert by_links == pytest.approx(score(spec, links))
    assert by_links == pytest.approx(made.score_orders(orders))


@pytest.mark.parametrize("policy", ["talbot", "birch", "thesis", "phrases"])
def test_order_of_the_source_is_that_of_identity_links(policy: str) -> None:
    """The source as its own reference is another road to the same permutation."""
    for one in random_alignments(100):
        straight = Alignment(one.source_size, one.source_size, [(k, k) for k in range(one.source_size)])
        slow = wordorder.GivenAlignments(hypotheses=[one], references=[[straight]], policy=policy)
        fast = SourceAlignments(hypotheses=[one], policy=policy)
        assert list(slow.matched()[0].permutations[0]) == list(fast.matched()[0].permutations[0])


def test_awkward_segments() -> None:
    nothing, empty, silent = Alignment(3, 2), Alignment(0, 0), Alignment(3, 0)
    assert score("kendall", [nothing, empty, silent]) == [0.0, 1.0, 0.0]
    assert score("anticipation:over=links", [nothing, empty, silent]) == [1.0, 0.0, 1.0]
    assert score("lag", [nothing, empty, silent]) == [1.0, 1.0, 1.0]
    assert score("kendall", [nothing, LINKS], "talbot:unaligned=drop")[0] == 0.0
    found = SourceAlignments(hypotheses=[LINKS, nothing], policy="talbot:unaligned=drop").matched()[0]
    assert found.matched.tolist() == [4, 0] and found.word_counts[:, 2].tolist() == [5, 3]


def test_signature_rebuilds_the_metric_and_tells_the_source() -> None:
    given = SourceAlignments(hypotheses=[Alignment(2, 2, [(0, 1), (1, 0)])], policy="thesis:link=first")
    made = metric("crossings:over=links").corpus_score(["y x"], [["u v"]], given=given, n_bootstrap=10)
    assert "|over:links|" in made.signature and "|match:source(thesis.link-first)|" in made.signature
    assert made.score == 1.0 and made.matched == 1.0 and made.interval is not None
    again = from_signature(made.signature)
    assert again.corpus_score(["y x"], [["u v"]], given=given).signature == made.signature
    with pytest.raises(WordOrderError, match=r"pass them as given=SourceAlignments"):
        again.corpus_score(["y x"], [["u v"]])


def test_what_cannot_be_scored_is_refused() -> None:
    with pytest.raises(WordOrderError, match="over=links counts links with the source"):
        metric("anticipation:over=links").corpus_score(["a b"], [["b a"]])
    with pytest.raises(WordOrderError, match="bleu compares words with a reference"):
        parse_source_metrics(["kendall,bleu"])
    with pytest.raises(WordOrderError, match="goes by links alone"):
        SourceAlignments(hypotheses=[LINKS], policy="talbot:punctuation=pin")
    with pytest.raises(WordOrderError, match="goes by links alone"):
        SourceAlignments(hypotheses=[LINKS], policy="lader")
    with pytest.raises(WordOrderError, match="segment 1: the hypothesis has 1 word between spaces, but 4"):
        metric("kendall").corpus_score(["a"], [["a b c d e"]], given=SourceAlignments(hypotheses=[LINKS]))
    with pytest.raises(WordOrderError, match="segment 1: reference 1 has 1 word"):
        metric("kendall").corpus_score(["a b c d"], [["a"]], given=SourceAlignments(hypotheses=[LINKS]))
    with pytest.raises(WordOrderError, match="expected a list of Alignment"):
        SourceAlignments(hypotheses=LINKS)  # type: ignore[arg-type]
    assert metric("anticipation:over=links")([1, 2, 0]) == metric("anticipation")([1, 2, 0])
    assert len(SourceAlignments(hypotheses=Alignments.from_alignments([LINKS])).matched()) == 1
