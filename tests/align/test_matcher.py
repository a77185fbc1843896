"""The matcher finds the best alignment, within bounded work."""

from __future__ import annotations

import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.oracle.matching import all_matchings, best_objective, equal_words, objective, renumbered
from wordorder.align.matcher import Matcher
from wordorder.align.matches import Matches
from wordorder.errors import BadSetting, UnknownName
from wordorder.text.tokens import Words

few_words = st.lists(st.sampled_from("abc"), max_size=7)


def match(hypotheses: list[str], references: list[str], matcher: Matcher | None = None) -> Matches:
    table = Words()
    hyp, ref = table.encode(hypotheses), table.encode(references)
    return (matcher or Matcher()).match(hyp, ref, table)


def links_of(pairs: Matches, s: int = 0) -> list[tuple[int, int]]:
    return list(pairs.alignment(s, 10**6).links)


def place(hypothesis: str, reference: str, **settings: object) -> list[int]:
    found: list[int] = match([hypothesis], [reference], Matcher(**settings)).positions.tolist()  # type: ignore[arg-type]
    return found


@settings(max_examples=300, deadline=None)
@given(few_words, few_words)
def test_the_best_of_all_alignments_is_found(hyp: list[str], ref: list[str]) -> None:
    pairs = match([" ".join(hyp)], [" ".join(ref)])
    links = links_of(pairs)
    assert all(hyp[i] == ref[j] for i, j in links) and len({j for _, j in links}) == len(links)
    assert objective(links) == best_objective(equal_words(hyp, ref))
    assert pairs.exact.all()


@settings(max_examples=200, deadline=None)
@given(few_words, few_words)
def test_ties_by_first_words_keep_coverage_and_chunks(hyp: list[str], ref: list[str]) -> None:
    links = links_of(match([" ".join(hyp)], [" ".join(ref)], Matcher(ties="first")))
    assert objective(links)[:2] == best_objective(equal_words(hyp, ref))[:2]
    # No alignment as good uses earlier words, but for the odd exception of words in their own place.
    if not any(i == j for row in enumerate(equal_words(hyp, ref)) for i, j in [(row[0], j) for j in row[1]]):
        best = objective(links)[:2]
        others = [x for x in all_matchings(equal_words(hyp, ref)) if objective(x)[:2] == best]
        assert sum(map(sum, links)) == min(sum(map(sum, x)) for x in others)


def test_random_longer_sentences_say_truly_whether_they_are_best() -> None:
    rng = random.Random(3)
    for _ in range(200):
        hyp = [rng.choice("abcdefgh") for _ in range(rng.randint(0, 12))]
        ref = [rng.choice("abcdefgh") for _ in range(rng.randint(0, 12))]
        for beam in (1, 3, 40):
            pairs = match([" ".join(hyp)], [" ".join(ref)], Matcher(beam=beam))
            found, best = objective(links_of(pairs)), best_objective(equal_words(hyp, ref))
            assert found >= best and found[0] == best[0]
            if pairs.exact[0]:
                assert found == best


def test_words_not_positions_decide_the_direction() -> None:
    pairs = match(["b c a"], ["a b c"])
    assert pairs.positions.tolist() == [1, 2, 0] and list(pairs.permutations()[0]) == [1, 2, 0]
    assert place("the cat saw the dog", "the dog saw the cat") == [3, 4, 2, 0, 1]
    assert place("x a y", "p a q a") == [-1, 1, -1]


def test_ties_of_meteor() -> None:
    # Golden: printed by METEOR 1.5's Matcher, -m exact, for "is" at place 1 and for the first comma.
    assert place("x y a z", "a p q a", ties="first") == [-1, -1, 0, -1]
    assert place("a x y z", "a p q a", ties="first") == [3, -1, -1, -1]
    assert place("a p q a", "x y z a", ties="first") == [3, -1, -1, -1]
    assert place("a x a y", "a p p p a p a", ties="first") == [0, -1, 4, -1]


def test_empty_sides_and_no_overlap() -> None:
    pairs = match(["", "a b", "", "a b"], ["", "", "a", "c d"])
    assert pairs.positions.tolist() == [-1] * 4 and pairs.stages.tolist() == [-1] * 4
    assert pairs.exact.all() and len(pairs) == 4
    assert pairs.permutations().lengths.tolist() == [0, 0, 0, 0]
    assert len(match([], [])) == 0


@pytest.mark.parametrize("kind", ["equal", "two words", "few", "reversed", "uneven"])
def test_long_lines_take_bounded_time(kind: str) -> None:
    rng = random.Random(5)
    n = 5000
    hyp = {"equal": ["a"] * n, "two words": [rng.choice("ab") for _ in range(n)], "uneven": ["a"] * n}.get(
        kind, [str(rng.randrange(30)) for _ in range(n)]
    )
    ref = {"equal": ["a"] * n, "two words": [rng.choice("ab") for _ in range(n)], "uneven": ["a"] * 700}.get(
        kind, [str(rng.randrange(30)) for _ in range(n)]
    )
    if kind == "reversed":
        ref = hyp[::-1]
    start = time.perf_counter()
    pairs = match([" ".join(hyp)], [" ".join(ref)])
    assert time.perf_counter() - start < 10
    links = links_of(pairs)
    most = sum(min(hyp.count(w), ref.count(w)) for w in set(hyp))
    assert len(links) == most == len({j for _, j in links})
    assert all(hyp[i] == ref[j] for i, j in links)


def test_permutations_are_those_of_the_twin() -> None:
    rng = random.Random(1)
    rows = [[rng.choice([-1, rng.randrange(90)]) for _ in range(rng.randint(0, 30))] for _ in range(300)]
    rows += [rng.sample(range(-1, 64), rng.randint(0, 60)) for _ in range(300)] + [[], [-1], [63], [64, 2]]
    offsets = np.cumsum([0, *map(len, rows)])
    values = np.array([x for row in rows for x in row], np.int32)
    stages, unused = np.zeros(len(values), np.int8), np.empty(0, np.int8)
    batch = Matches(values, offsets, stages, np.zeros_like(offsets), unused, np.ones(len(rows), np.bool_))
    assert [list(p) for p in batch.permutations()] == [renumbered(row) for row in rows]


def test_chunks_and_stages_of_both_sides() -> None:
    rng = random.Random(4)
    lines = [" ".join(rng.choices("abcdef", k=rng.randint(0, 12))) for _ in range(400)] + ["", ""]
    pairs = match(lines[::2], lines[1::2])
    offsets, chunks = pairs.reference_offsets.tolist(), pairs.chunks().tolist()
    for s in range(len(pairs)):
        links = links_of(pairs, s)
        assert chunks[s] == objective(links)[1]
        covered = pairs.reference_stages[offsets[s] : offsets[s + 1]] == 0
        assert covered.nonzero()[0].tolist() == sorted(j for _, j in links)


def test_same_result_in_any_batch() -> None:
    rng = random.Random(2)
    hyps = [" ".join(rng.choices("abcdefghij", k=25)) for _ in range(200)]
    refs = [" ".join(rng.choices("abcdefghij", k=25)) for _ in range(200)]
    together = match(hyps, refs)
    assert np.array_equal(together.positions, match(hyps, refs).positions)
    for s in range(0, 200, 17):
        alone = match([hyps[s]], [refs[s]])
        assert links_of(alone) == links_of(together, s)


def test_settings_are_checked_and_named() -> None:
    assert Matcher().signature_part == "exact"
    assert Matcher(stages=("exact", "stem"), beam=9).signature_part == "exact+stem(en)+beam9"
    assert Matcher(ties="first").signature_part == "exact+first-ties"
    with pytest.raises(UnknownName, match="Did you mean 'exact'"):
        Matcher(stages=("exakt",))
    with pytest.raises(BadSetting, match="in this order"):
        Matcher(stages=("stem", "exact"))
    with pytest.raises(BadSetting, match="expected some of"):
        Matcher(stages=())
    with pytest.raises(BadSetting, match="1 to 10000"):
        Matcher(beam=0)
    with pytest.raises(UnknownName, match="rule for ties"):
        Matcher(ties="last")  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="language of stems"):
        Matcher(stages=("stem",), language="xx")
    with pytest.raises(BadSetting, match="1 hypotheses, but 2 references"):
        match(["a"], ["a", "b"])
