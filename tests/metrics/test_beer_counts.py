"""Counting of shared pieces against a slow twin, and the features made of counts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.overlap import counts, lost_order
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.beer.features import FeatureSet, overlaps
from wordorder.metrics.beer.templates import BEER20, PLAIN, Cutting, Pieces, Template, parse_templates
from wordorder.text.pairs import BLOCK, Pairs
from wordorder.text.tokens import Words

# Few letters, so that pieces are shared; two of them beyond ASCII, one beyond U+FFFF, two kinds of blank.
TEXT = st.text(alphabet="aab é日\N{GRINNING FACE} \t", max_size=40)
PIECES = [
    *(Pieces("char", k) for k in (2, 1, 3, 6)),
    *(Pieces("ngram", k) for k in (1, 2, 4)),
    *(Pieces("skip", k) for k in (3, -1, 0, 1, 1_000_000)),
]


def halves(text: str) -> str:
    """Characters beyond U+FFFF as two."""
    units = np.frombuffer(text.encode("utf-16-le"), dtype="<u2")
    return "".join(map(chr, units.tolist()))


def slow(hypothesis: str, reference: str, cutting: Cutting) -> list[list[int]]:
    edges, split = ("beer20", "beer20") if cutting is BEER20 else ("plain", "blanks")
    if cutting.utf16:
        hypothesis, reference = halves(hypothesis), halves(reference)
    return [list(counts(hypothesis, reference, p.kind, p.size, edges, split)) for p in PIECES]


@settings(deadline=None)
@given(st.lists(st.tuples(TEXT, TEXT), max_size=4), st.sampled_from([PLAIN, BEER20]))
def test_counts_are_those_of_the_slow_twin(pairs: list[tuple[str, str]], cutting: Cutting) -> None:
    found = overlaps(Pairs.of([h for h, _ in pairs], [r for _, r in pairs]), PIECES, cutting)
    assert found.tolist() == [slow(h, r, cutting) for h, r in pairs]


@settings(deadline=None)
@given(st.lists(TEXT, min_size=4, max_size=6), st.sampled_from([PLAIN, BEER20]), st.booleans())
def test_all_pairs_of_some_texts_are_counted_alike(
    texts: list[str], cutting: Cutting, mirrored: bool
) -> None:
    """Texts with many pairs are counted by another kernel; mirrored pairs are counted once."""
    first, second = np.tril_indices(len(texts))
    if mirrored:
        first, second = np.concatenate([first, second]), np.concatenate([second, first])
    found = overlaps(Pairs(texts, first, second, mirrored), PIECES, cutting, threads=2)
    assert found.tolist() == [slow(texts[h], texts[r], cutting) for h, r in zip(first, second, strict=True)]


@settings(max_examples=20, deadline=None)  # the twin is slow
@given(st.integers(0, 2**32), st.integers(1, 400), st.sampled_from([PLAIN, BEER20]))
def test_long_lines_are_counted_alike(seed: int, words: int, cutting: Cutting) -> None:
    rng = np.random.default_rng(seed)
    lines = [" ".join(f"w{k}" for k in rng.integers(words, size=rng.integers(250, 500))) for _ in range(2)]
    assert overlaps(Pairs.of(lines[:1], lines[1:]), PIECES, cutting).tolist() == [slow(*lines, cutting)]


def test_many_different_pieces_are_counted_alike() -> None:
    rng = np.random.default_rng(2)
    texts = [" ".join(f"w{k}" for k in rng.integers(3000, size=45)) for _ in range(40)]
    first, second = np.tril_indices(len(texts))
    alone = Pairs.of([texts[k] for k in first], [texts[k] for k in second])
    assert np.array_equal(overlaps(Pairs(texts, first, second), PIECES), overlaps(alone, PIECES))


def test_what_is_counted_beside_changes_nothing() -> None:
    """Each kind alone: the unbounded skip was once counted right only beside a bounded one."""
    lines = ["a b a c", "the the", "b a b a"], ["a c b a", "the the", "a b"]
    together = overlaps(Pairs.of(*lines), PIECES)
    for k, one in enumerate(PIECES):
        assert overlaps(Pairs.of(*lines), [one])[:, 0].tolist() == together[:, k].tolist()


@settings(deadline=None)
@given(TEXT, TEXT)
def test_text_without_blanks_and_beginnings_of_words(hypothesis: str, reference: str) -> None:
    solid = overlaps(Pairs.of([hypothesis], [reference]), [Pieces("char", 2)], Cutting(solid=True))
    joined = ["".join(text.split()) for text in (hypothesis, reference)]
    assert solid[0].tolist() == [list(counts(*joined, "char", 2, "plain", "blanks"))]
    cut = overlaps(
        Pairs.of([hypothesis], [reference]), [Pieces("ngram", 2)], Cutting(split="letters", most=2)
    )
    begins = []
    for text in (hypothesis, reference):
        table = Words("letters")
        (ids,) = table.encode([text])
        begins.append(" ".join(table.words[k][:2] for k in ids))
    assert cut[0].tolist() == [list(counts(*begins, "ngram", 2, "plain", "blanks"))]


# Few different words, so that many of them are shared in another order.
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g"]), max_size=12)
LOST = FeatureSet(parse_templates("lost_neighbours.n lost_order.n"))


@settings(deadline=None)
@given(WORDS, WORDS, st.integers(1, 3), st.permutations(range(12)))
def test_lost_order_is_that_of_the_slow_twin(
    hypothesis: list[str], reference: list[str], times: int, order: list[int]
) -> None:
    scrambled = [reference[k] for k in order if k < len(reference)]
    others = reference * times, scrambled * times, scrambled + hypothesis
    for words in (hypothesis, hypothesis * times, *others):
        texts = " ".join(words), " ".join(reference)
        expected = [float(lost_order(*texts, neighbours=neighbours)) for neighbours in (True, False)]
        assert LOST.matrix([texts[0]], [texts[1]])[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("words", [0, 1, 4, 8])
def test_where_pairs_stop_counting(words: int) -> None:
    """Up to 1.5 times the words of the reference, all pairs count; at twice as many, none do."""
    reference = ["a", "b", "c", "d", "e", "f", "g", "h"][:words]
    one_and_a_half, twice = (reference + ["x"] * (words // part) for part in (2, 1))
    for longer in (one_and_a_half, twice, [*twice, "x"]):
        found = LOST.matrix([" ".join(longer)], [" ".join(reference)])[0]
        pairs = words * (words - 1) // 2
        if words < 4 or longer == one_and_a_half:
            assert found.tolist() == [0, 0]
        else:
            assert found == pytest.approx([0.5 - 2 / (words + 1), 0.75 - 4 / (pairs + 4)])


def test_threads_do_not_change_counts() -> None:
    rng = np.random.default_rng(3)
    lines = [" ".join(map(str, rng.integers(9, size=12))) for _ in range(300)]
    alone = overlaps(Pairs.of(lines, lines[::-1]), PIECES)
    assert np.array_equal(overlaps(Pairs.of(lines, lines[::-1]), PIECES, threads=3), alone)


def test_words_are_those_of_the_tokeniser() -> None:
    lines = ["Yes, 3.5 of 1,000 (it's so).", "a &amp; b-c 2-3", ""]
    for name in ("blanks", "13a"):
        found = overlaps(Pairs.of(lines, lines), [Pieces("ngram", 1)], Cutting(split=name))  # type: ignore[arg-type]
        table = Words("none" if name == "blanks" else name)
        assert found[:, 0, 1].tolist() == table.encode(lines).lengths.tolist()


def test_a_hundred_thousand_characters() -> None:
    rng = np.random.default_rng(1)
    numbers = rng.integers(20_000, size=18_000)
    text = " ".join(f"{n:05d}" for n in numbers)[:100_000]
    other = text[::-1]
    pieces = [Pieces("char", 6), Pieces("ngram", 4), Pieces("skip", 4), Pieces("skip", -1)]
    for hypothesis, reference in ((text, text), (text, other), ("a" * 100_000, "a" * 99_999), (text, "")):
        found = overlaps(Pairs.of([hypothesis], [reference]), pieces)[0]
        assert (found[:, 0] <= found[:, 1:].min(axis=1)).all()
        if hypothesis == reference:
            assert (found[:, 0] == found[:, 1]).all()
            words = len(text.split())
            assert found[3, 0] == words * (words - 1) // 2


def test_empty_texts_and_no_texts() -> None:
    pieces = [Pieces("char", 1), Pieces("ngram", 1), Pieces("skip", -1), Pieces("len_disbalance_word")]
    assert overlaps(Pairs.of([], []), pieces).shape == (0, 4, 3)
    assert overlaps(Pairs.of([""], [""]), pieces).tolist() == [[[0, 0, 0]] * 4]
    assert overlaps(Pairs.of(["a"], [""]), pieces).tolist() == [[[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]]]


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (["a"], ["a", "b"], "1 hypotheses but 2 references"),
        (["a\nb"], ["a"], "line break"),
        (["\ud800"], ["a"], "not valid Unicode"),
        ("a", ["a"], "found a string"),
    ],
)
def test_texts_that_cannot_be_counted(hypotheses: list[str], references: list[str], message: str) -> None:
    with pytest.raises(WordOrderError, match=message):
        overlaps(Pairs.of(hypotheses, references), PIECES)


def test_measures_by_hand() -> None:
    # 2 of 4 words of the hypothesis, 2 of 3 of the reference.
    names = (
        "ngram1.p ngram1.r ngram1.a ngram1.b ngram1.f2 ngram1.sf2 ngram1.g ngram1.sg2 len_disbalance_word.d2"
    )
    found = FeatureSet(parse_templates(names)).matrix(["a b x y"], ["a b c"])[0]
    p, r = 2 / 4, 2 / 3
    f2 = 5 * p * r / (4 * p + r)
    expected = [p, r, p, r, f2, f2, (p * r) ** 0.5, (p * r * r) ** (1 / 3), (4 / 3 - 1) ** 2]
    assert found == pytest.approx(expected, abs=1e-15)
    turned = FeatureSet(parse_templates(names)).matrix(["a b c"], ["a b x y"])[0]
    assert turned[:2] == pytest.approx([r, p])
    assert turned[[2, 3, 5, 7, 8]] == pytest.approx(found[[2, 3, 5, 7, 8]])  # symmetric


def test_lower_case_is_a_choice() -> None:
    templates = parse_templates("ngram1.p")
    assert FeatureSet(templates).matrix(["A b"], ["a B"])[0, 0] == 0
    assert FeatureSet(templates, lowercase=True).matrix(["A b"], ["a B"])[0, 0] == 1


@pytest.mark.parametrize(
    "name",
    ["char3.f1", "char10.f0.5", "skip2.a", "skip.sg", "ngram4.g", "ngram4.g2", "len_disbalance_char.d"],
)
def test_features_read_back_as_written(name: str) -> None:
    assert Template.parse(name).name == name


def test_names_of_the_program_are_read() -> None:
    assert Template.parse("char3.f.1.0") == Template.parse("char3.f1")
    assert Template.parse("len_disbalance_char.d.1.0") == Template.parse("len_disbalance_char.d")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("char3", "not a feature"),
        ("char3.f.", "not a feature"),
        ("char.f1", "needs a size"),
        ("char0.f1", "needs a size"),
        ("char99999999999.f1", "needs a size"),
        ("word3.f1", "unknown pieces 'word3'"),
        ("char3.x", "unknown measure 'x'"),
        ("char3.d", "unknown measure 'd'"),
        ("len_disbalance_char.p", "unknown measure 'p'"),
        ("char3.a2", "takes no number"),
        ("char3.f0", "is 0"),
        ("char3-1.p", "not a range"),
        ("char1-2.p char2.p", "asked for twice"),
    ],
)
def test_unknown_features_are_explained(name: str, message: str) -> None:
    with pytest.raises(BadSetting, match=message):
        parse_templates(name)


def test_blocks_do_not_show() -> None:
    features = FeatureSet(parse_templates("char2.f1 skip.a"))
    lines = [f"a {k} b" for k in range(BLOCK + 3)]
    whole = features.matrix(lines, lines[::-1])
    assert np.array_equal(whole, features.values(features.counts(Pairs.of(lines, lines[::-1]))))
    assert features.matrix([], []).shape == (0, 2)
