"""Fast roads give the same bits as the roads of words, of many segments and of numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder import _native
from wordorder.align.matcher import Matcher
from wordorder.metrics.beer.features import counted_pieces, measured, pieces_to_count
from wordorder.metrics.beer.similarities import NOTHING, ONE, Similarities, has_kernel
from wordorder.metrics.beer.templates import ONE_SIDED, Cutting, Pieces, Template, parse_templates
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments, TextPairs
from wordorder.text.pairs import Pairs
from wordorder.text.tokens import LineWriter, Words

WORDS = ["the", "The", "a", "cat", "dog,", "sat", "3.5", "x-y", "&amp;", "über", "我爱", "ΣΟΣ", "😀"]
lines = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
corpora = st.lists(st.tuples(lines, lines, lines), min_size=1, max_size=6)
SPECS = ("kendall", "fuzzy:agg=length", "recpef:agg=macro", "crossings", "full", "meteor:match=exact", "beer")


@settings(max_examples=60, deadline=None)
@given(
    corpora,
    st.sampled_from(["none", "13a", "letters", "zh"]),
    st.booleans(),
    st.sampled_from(["distance", "first"]),
)
def test_lines_are_matched_as_words_are(
    corpus: list[tuple[str, str, str]], tokenize: str, lowercase: bool, ties: str
) -> None:
    hypotheses, references, _ = map(list, zip(*corpus, strict=True))
    matcher = Matcher(ties=ties)  # type: ignore[arg-type]
    words, write = Words(tokenize, lowercase=lowercase), LineWriter(tokenize, lowercase=lowercase)
    mine, theirs = words.encode(hypotheses), words.encode(references)
    slow = matcher.match(mine, theirs, words).permutations()
    pairs = Pairs.of(hypotheses, references)
    for fast in (
        matcher.match_lines(write(hypotheses), write(references), write.splitter),
        matcher.match_pairs(write(pairs.texts), pairs.first, pairs.second, write.splitter),
    ):
        assert fast.permutations == slow
        counts = [mine.lengths, 2 * slow.lengths, mine.lengths + theirs.lengths]
        assert fast.counts.tolist() == np.column_stack(counts).tolist()
        assert fast.reference_lengths.tolist() == theirs.lengths.tolist()
        lone = (slow.lengths == 0) & (mine.lengths + theirs.lengths > 0)
        assert fast.unmatched == np.flatnonzero(lone).tolist()


@settings(max_examples=25, deadline=None)
@given(corpora)
@pytest.mark.parametrize("spec", SPECS)
def test_a_sentence_has_the_bits_that_it_has_in_a_corpus(
    spec: str, corpus: list[tuple[str, str, str]]
) -> None:
    hypotheses, first, second = map(list, zip(*corpus, strict=True))
    for streams in ([first], [first, second]):
        made = metric(spec, tokenize="13a") if spec != "beer" else metric(spec)
        segments = Segments(hypotheses, streams)
        rows, words = made.statistics(segments), made.word_counts(segments)
        scores = made.segment_scores(rows)
        for k, hypothesis in enumerate(hypotheses):
            score = made.sentence_score(hypothesis, [stream[k] for stream in streams])
            assert score.score == scores[k]
            assert score.words == words[k, 0]
            assert score.matched == (words[k, 1] / words[k, 2] if words[k, 2] else None)


def test_words_are_there_for_those_who_ask() -> None:
    segments = Segments(["the cat sat"], [["sat the cat"]])
    (matched,) = metric("kendall").matched(segments)
    assert matched.texts is not None
    assert matched.texts.matches.positions.tolist() == [1, 2, 0]
    assert matched.texts.matches.permutations() == matched.permutations
    pairs = Pairs(["a b", "b a", "c"], np.array([0, 2]), np.array([1, 0]))
    (matched,) = metric("kendall").matched(TextPairs(pairs))
    assert matched.texts is not None
    assert matched.texts.matches.positions.tolist() == [1, 0, -1]


def test_nothing_is_kept_alive_by_a_cycle() -> None:
    import gc
    import weakref

    gc.disable()
    try:
        segments = Segments(["the cat sat"], [["sat the cat"]])
        metric("kendall").statistics(segments)
        gone = weakref.ref(segments)
        del segments
        assert gone() is None
    finally:
        gc.enable()


def test_tally_counts_by_hand() -> None:
    assert _native.tally(np.array([[0, 0, 0], [1, 2, 3], [5, 4, 9]])).tolist() == [3, 6, 1, 1, 6, 12]
    assert _native.tally(np.zeros((0, 3), np.int64)).tolist() == [0] * 6


TEMPLATES = parse_templates(
    "char1-3.sf1 char2.f2 char2.p char2.r ngram2.a ngram2.b skip.g skip2.sg len_disbalance_char.d "
    "lost_neighbours.n lost_order.n short_char.d long_char.d ngram1.p"
)


@settings(max_examples=60, deadline=None)
@given(corpora, st.booleans(), st.booleans())
def test_similarities_have_the_bits_of_numpy(
    corpus: list[tuple[str, str, str]], mirrored: bool, replaced: bool
) -> None:
    hypotheses, references, _ = map(list, zip(*corpus, strict=True))
    pairs = Pairs.of(hypotheses, references)
    if mirrored:
        both = np.concatenate([pairs.first, pairs.second]), np.concatenate([pairs.second, pairs.first])
        pairs = Pairs(pairs.texts, *both, mirrored=True)
    counted = pieces_to_count(TEMPLATES)
    cutting = Cutting()
    counts = counted_pieces(pairs, [kind.kernel(cutting) for kind in counted], cutting)
    instead = (
        [ONE if k == 0 else k - 1 for k in range(len(counted))] if replaced else [NOTHING] * len(counted)
    )
    copies = [0.5] * len(TEMPLATES)
    found = Similarities(TEMPLATES, counted, instead, copies, 5.0)
    slow = counts.transpose(2, 0, 1).copy()
    for place, other in enumerate(instead):
        nothing = ~slow[:, place, 1:].any(axis=1) & (other != NOTHING)
        slow[nothing, place] = 1 if other == ONE else slow[nothing, other]
    expected = np.minimum(measured(TEMPLATES, counted, slow), 5.0).T
    exact = [template.pieces.kind not in ONE_SIDED for template in TEMPLATES]
    for below, wanted in ((False, expected), (True, expected - 0.5)):
        values = found(counts, below=below)
        assert values[exact].tolist() == wanted[exact].tolist()
        assert values == pytest.approx(wanted, rel=0, abs=1e-15)  # logarithms


def test_powers_are_left_to_numpy() -> None:
    assert has_kernel(Template(Pieces("char", 2), "sf", 2.0))
    for name in ("char2.g2", "len_disbalance_char.d2", "len_disbalance_exp_char.d"):
        assert not has_kernel(Template.parse(name))


def test_weighted_rows_are_added_one_after_the_other() -> None:
    rng = np.random.default_rng(1)
    tables, weights = [rng.normal(size=(9, 1)), rng.normal(size=(5, 1))], rng.normal(size=14)
    total = 0.0
    for weight, value in zip(weights.tolist(), np.concatenate(tables)[:, 0].tolist(), strict=True):
        total += weight * value
    assert _native.weighted_rows(tables, weights).tolist() == [total]
