"""The latent treebank and EM, against enumeration of all derivations."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.oracle import grammar as slow
from tests.oracle.orders import minimal_phrases
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, BadSetting, InvalidAlignment, WordOrderError
from wordorder.preorder import RunOptions, Source, TrainingData
from wordorder.preorder.grammar import ReorderingGrammar
from wordorder.preorder.grammar.em import parts
from wordorder.preorder.grammar.fitting import best_treebank
from wordorder.preorder.grammar.operators import OPERATORS, Layout
from wordorder.preorder.grammar.tables import Tables, Tie, expect, initial, normalise
from wordorder.preorder.grammar.treebank import (
    ForestShape,
    TokenisedSentence,
    Treebank,
    build_treebank,
    tokenise,
)
from wordorder.preorder.grammar.vocabulary import UNKNOWN, Vocabulary

ROOT = Path(__file__).resolve().parents[2]
WORDS = 4
FEW = Vocabulary((" unknown", "a", "b", "c"), False)


def random_tables(operators: int, *, binary: int, nary: int, seed: int, words: int = WORDS) -> Tables:
    layout = Layout.split(OPERATORS[:operators], binary=binary, nary=nary)
    rng = np.random.default_rng(seed)
    rules = rng.gamma(0.7, size=(layout.slot_count, layout.state_count))
    lexical = rng.gamma(0.7, size=(words, layout.slot_count))
    at = 0
    for op, states in zip(layout.operators, layout.states, strict=True):
        if op.unaligned >= 0:
            rules[at + op.unaligned * states : at + (op.unaligned + 1) * states] = 0
        at += op.arity * states
    return normalise(layout, rules, lexical)


def random_tokens(n: int, rng: np.random.Generator, *, unaligned: float = 0.3) -> TokenisedSentence:
    flags = rng.random(n) >= unaligned
    flags[:2] = True
    ranks = np.full(n, -1)
    where = rng.permutation(n)[: max(2, int(flags.sum()))]
    ranks[where] = rng.permutation(len(where))
    return TokenisedSentence([FEW.words[1 + int(w)] for w in rng.integers(3, size=n)], ranks.tolist())


def bank_of(tokens: list[TokenisedSentence], shape: ForestShape) -> Treebank:
    return build_treebank(tokens, FEW, shape, OPERATORS)


@pytest.mark.parametrize("bracketing", ["forest", "left", "right"])
@pytest.mark.parametrize("side", ["right", "left"])
def test_expected_counts_are_those_of_all_derivations(bracketing: str, side: str) -> None:
    rng = np.random.default_rng(7)
    tables = random_tables(6, binary=2, nary=1, seed=1)
    shape = ForestShape(bracketing=bracketing, attach=side, arity=4)  # type: ignore[arg-type]
    for n in (2, 3, 4, 4, 5) if bracketing == "forest" else (3, 4, 4):
        tokens = random_tokens(n, rng)
        bank = build_treebank([tokens], FEW, shape, OPERATORS[:6])
        assert len(bank) == 1
        every = slow.Enumerator(tables, [FEW.number(w) for w in tokens.words]).all()
        kept = [d for d in every if slow.in_forest(d.tree, tokens.ranks, bracketing=bracketing, side=side)]
        rules, lexical, log_likelihood = slow.expected_counts(tables, kept)
        found = expect(tables, bank)
        assert found.log_likelihood[0] == pytest.approx(log_likelihood, rel=1e-5)
        np.testing.assert_allclose(found.rules, rules, atol=2e-6)
        np.testing.assert_allclose(found.lexical, lexical, atol=2e-6)


def test_expected_counts_of_the_longest_operators() -> None:
    tables = random_tables(len(OPERATORS), binary=1, nary=2, seed=3)
    for places in [op.places for op in OPERATORS if op.arity == 5]:
        tokens = TokenisedSentence(list("abcab"), list(places))
        every = slow.Enumerator(tables, [FEW.number(w) for w in tokens.words]).all()
        kept = [d for d in every if slow.in_forest(d.tree, tokens.ranks)]
        rules, lexical, log_likelihood = slow.expected_counts(tables, kept)
        found = expect(tables, bank_of([tokens], ForestShape()))
        assert found.log_likelihood[0] == pytest.approx(log_likelihood, rel=1e-5)
        np.testing.assert_allclose(found.rules, rules, atol=2e-6)
        np.testing.assert_allclose(found.lexical, lexical, atol=2e-6)


def test_expected_counts_are_derivatives_of_the_likelihood() -> None:
    tables = random_tables(4, binary=3, nary=1, seed=5)
    bank = bank_of([random_tokens(9, np.random.default_rng(2))], ForestShape())
    bank = replace(bank, operators=OPERATORS[:4])
    counts = expect(tables, bank)
    rng = np.random.default_rng(0)
    for slot, state in zip(*np.nonzero(counts.rules > 0.05), strict=True):
        if rng.random() > 0.3:
            continue
        values = []
        for by in (0.99, 1.01):
            rules = tables.rules.copy()
            rules[slot, state] *= by
            values.append(expect(Tables(tables.layout, rules, tables.lexical), bank).log_likelihood[0])
        slope = (values[1] - values[0]) / (np.log(1.01) - np.log(0.99))
        assert slope == pytest.approx(counts.rules[slot, state], abs=2e-3)


def test_counts_add_up() -> None:
    rng = np.random.default_rng(3)
    tables = random_tables(len(OPERATORS), binary=4, nary=2, seed=2)
    tokens = [random_tokens(int(n), rng, unaligned=0.2) for n in rng.integers(2, 12, size=50)]
    bank = bank_of(tokens, ForestShape())
    counts = expect(tables, bank)
    assert counts.lexical.sum() == pytest.approx(len(bank.tokens), rel=1e-5)  # every token once
    assert counts.rules[-1].sum() == pytest.approx(len(bank), rel=1e-5)  # every sentence has one root
    # A state is rewritten as often as it is reached, in each of its slots.
    reached = counts.rules.sum(axis=0)
    used = counts.rules.sum(axis=1) + counts.lexical.sum(axis=0)
    slot = state = 0
    for op, states in zip(tables.layout.operators, tables.layout.states, strict=True):
        for k in range(op.arity):
            np.testing.assert_allclose(
                used[slot + k * states : slot + (k + 1) * states],
                reached[state : state + states],
                rtol=1e-4,
                atol=1e-5,
            )
        slot, state = slot + op.arity * states, state + states


def test_the_forest_sums_over_trees_however_long() -> None:
    """With one state and probabilities of 1 the likelihood counts trees: Catalan numbers."""
    layout = Layout.split(OPERATORS[:2], binary=1, nary=1)
    ones = Tables(
        layout,
        np.ones((layout.slot_count, 2), dtype=np.float32),
        np.ones((WORDS, layout.slot_count), dtype=np.float32),
    )
    from wordorder.core.forest import Forest

    for n in (3, 10, 90):
        for order in (list(range(n)), list(range(n))[::-1], [*range(n // 2, n), *range(n // 2)]):
            tokens = TokenisedSentence(["a"] * n, Permutation.from_order(order).ranks.tolist())
            bank = build_treebank([tokens], FEW, ForestShape(), OPERATORS[:2])
            found = expect(ones, bank).log_likelihood[0]
            assert found == pytest.approx(float(np.log(float(Forest(order).count))), rel=1e-5)


def test_likelihood_never_falls_and_threads_do_not_matter() -> None:
    rng = np.random.default_rng(11)
    tokens = [random_tokens(int(n), rng) for n in rng.integers(2, 15, size=200)]
    bank = bank_of(tokens, ForestShape())
    layout = Layout.split(bank.operators, binary=6, nary=2)
    tables = initial(layout, bank, WORDS, noise=0.5, seed=4, threads=1)
    before = -np.inf
    for _ in range(25):
        counts = expect(tables, bank, threads=1)
        other = expect(tables, bank, threads=3)
        assert np.array_equal(counts.rules, other.rules) and np.array_equal(counts.lexical, other.lexical)
        now = counts.log_likelihood.sum()
        assert now >= before - 1e-6 * abs(now)
        before = now
        tables = normalise(layout, counts.rules, counts.lexical)
        sums = tables.rules.sum(axis=1) + tables.lexical.sum(axis=0)
        np.testing.assert_allclose(sums[sums > 0], 1, rtol=1e-4)


def test_parts_of_a_treebank_count_the_same() -> None:
    rng = np.random.default_rng(1)
    bank = bank_of([random_tokens(int(n), rng) for n in rng.integers(2, 10, size=60)], ForestShape())
    tables = random_tables(len(OPERATORS), binary=3, nary=2, seed=9)
    whole = expect(tables, bank)
    pieces = [expect(tables, part) for part in parts(bank, 7)]
    assert len(pieces) == -(-len(bank) // 7)
    np.testing.assert_allclose(sum(p.rules for p in pieces), whole.rules, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(sum(p.lexical for p in pieces), whole.lexical, rtol=1e-5, atol=1e-5)


def test_minimal_phrases_are_those_of_the_thesis() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        n, m = (int(x) for x in rng.integers(1, 9, size=2))
        links = [
            (int(i), int(j)) for i, j in zip(rng.integers(n, size=n), rng.integers(m, size=n), strict=True)
        ]
        alignment = Alignment(n, m, links)
        words = [f"w{i}" for i in range(n)]
        tokens = next(tokenise([words], [alignment], ForestShape(break_rare=False)))
        spans, order = minimal_phrases(alignment)
        assert tokens.words == [" ".join(words[b:e]) for b, e in spans]
        aligned = [k for k in order if any(alignment.targets()[i] for i in range(*spans[k]))]
        assert sorted((r, k) for k, r in enumerate(tokens.ranks) if r >= 0) == list(enumerate(aligned))


def test_rare_phrases_become_words_in_their_order() -> None:
    alignment = Alignment(3, 3, [(0, 2), (1, 0), (1, 1), (2, 0)])  # "b c" moves as one
    tokens = list(tokenise([list("abc")] * 2, [alignment] * 2, ForestShape(rare=1)))
    assert tokens[0] == TokenisedSentence(["a", "b c"], [1, 0])
    assert next(tokenise([list("abc")], [alignment], ForestShape(rare=1))) == TokenisedSentence(
        ["a", "b", "c"], [2, 0, 1]
    )
    assert next(tokenise([list("abc")], [alignment], ForestShape(unit="words"))) == TokenisedSentence(
        ["a", "b", "c"], [2, 0, 1]
    )


def forest_text(ranks: list[int], **settings: str) -> list[str]:
    tokens = TokenisedSentence(["a"] * len(ranks), ranks)
    bank = bank_of([tokens], ForestShape(**settings))  # type: ignore[arg-type]
    return [
        f"{OPERATORS[op].name} {b}-{e}{' all' if every else ''}" for b, e, op, every in bank.nodes.tolist()
    ]


def test_forests_of_small_examples() -> None:
    assert forest_text([0, 1, 2]) == ["P12 0-3 all"]
    assert forest_text([0, 1, 2], bracketing="left") == ["P12 0-2", "P12 0-3"]
    assert forest_text([0, 1, 2], bracketing="right") == ["P12 1-3", "P12 0-3"]
    assert forest_text([1, 3, 0, 2]) == ["P2413 0-4"]
    assert forest_text([1, -1, 0]) == ["P01 1-3", "P21 0-3"]
    assert forest_text([1, -1, 0], attach="left") == ["P10 0-2", "P21 0-3"]
    assert forest_text([1, 0, -1, -1]) == ["P10 1-3", "P10 1-4", "P21 0-4"]
    assert forest_text([-1, 1, 0]) == ["P01 0-2", "P21 0-3"]
    assert forest_text([-1, 1, 0], level="high") == ["P21 1-3", "P01 0-3"]
    assert forest_text([0, -1, 2, 1], level="high") == ["P21 2-4", "P01 1-4", "P12 0-4"]
    assert forest_text([0, 1, -1], level="high") == ["P12 0-2", "P10 0-3"]


def test_what_is_filtered_is_counted() -> None:
    rng = np.random.default_rng(0)
    tokens = [
        TokenisedSentence([], []),
        TokenisedSentence(["a"], [-1]),
        TokenisedSentence(["a", "b"], [0, -1]),
        TokenisedSentence(["a"] * 6, [1, 3, 5, 0, 2, 4]),  # prime of six
        TokenisedSentence(["a"] * 9, list(range(9))),
        TokenisedSentence(["a"] * 4, [1, 3, 0, 2]),
        random_tokens(4, rng, unaligned=0.0),
    ]
    bank = build_treebank(tokens[:-1], FEW, ForestShape(longest=8))
    reasons = {"empty": 1, "no links": 1, "one aligned phrase": 1, "operator too long": 1, "too long": 1}
    assert bank.filtered == reasons and bank.kept.tolist() == [5]
    itg = build_treebank(tokens[:-1], FEW, ForestShape(longest=8, arity=2))
    assert itg.filtered["operator too long"] == 2 and len(itg) == 0
    known = build_treebank(tokens[:-1], FEW, ForestShape(longest=8), OPERATORS[:4])
    assert known.filtered["operator not in the grammar"] == 1


def test_vocabulary() -> None:
    text = [["the", "walking", "running", "UN", "1990", "the", "the", "x y", "x y"]]
    plain = Vocabulary.learn(text, rare=1, back_off=False)
    assert plain.words == (UNKNOWN, "the", "x y") and plain.number("new") == 0 and plain.longest == 2
    assert list(plain.phrases(["a", "x", "y"])) == [(1, 3, 2)]
    many = Vocabulary.learn([[f"{c}ing" for c in "abcdefghijkl"]], rare=1, back_off=True)
    assert many.words[many.number("walking")] == " unknown a ing"
    assert many.words[many.number("Walking")] == UNKNOWN


def test_tied_classes_are_one_word_to_training() -> None:
    rng = np.random.default_rng(8)
    tokens = [random_tokens(int(n), rng) for n in rng.integers(2, 10, size=40)]
    apart = Vocabulary((" unknown", " unknown a b", " unknown a c", "a"), True)
    renamed = [
        TokenisedSentence([{"b": " unknown a b", "c": " unknown a c"}.get(w, w) for w in t.words], t.ranks)
        for t in tokens
    ]
    bank = build_treebank(renamed, apart, ForestShape(), OPERATORS)
    layout = Layout.split(OPERATORS, binary=2, nary=1)
    tie = Tie.of(bank, apart.classes)
    assert apart.classes == [0, 1, 2] and tie.shares.sum() == pytest.approx(1)
    tables = initial(layout, bank, 4, noise=0.5, seed=1, threads=1, tie=tie)
    merged = Tables(layout, tables.rules, np.vstack([tables.lexical[:3].sum(axis=0), tables.lexical[3]]))
    one = replace(bank, tokens=np.where(bank.tokens == 3, 1, 0).astype(np.int32))
    for _ in range(3):
        counts, other = expect(tables, bank), expect(merged, one)
        np.testing.assert_allclose(counts.rules, other.rules, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(counts.lexical[:3].sum(axis=0), other.lexical[0], rtol=1e-4, atol=1e-5)
        tables = normalise(layout, counts.rules, counts.lexical, tie=tie)
        merged = normalise(layout, other.rules, other.lexical)


def test_smoothing_makes_words_possible_everywhere_and_keeps_sums() -> None:
    sources, alignments = corpus(80)
    fitted = replace(SMALL, rare=2).fit(TrainingData(sources, alignments))
    learned = fitted.learned[0]
    bare = learned.tables(state_smoothing=0, word_smoothing=0, class_smoothing=0)
    smooth = learned.tables(state_smoothing=0.1, word_smoothing=1, class_smoothing=5)
    for tables in (bare, smooth):
        sums = tables.rules.sum(axis=1) + tables.lexical.sum(axis=0)
        np.testing.assert_allclose(sums[sums > 0], 1, rtol=1e-4)
    used = bare.lexical.sum(axis=0) > 0
    used[-1] = False
    assert (smooth.lexical[:, used] > 0).all() and not (bare.lexical[:, used] > 0).all()


def corpus(size: int, seed: int = 6) -> tuple[list[Source], list[Alignment]]:
    rng = np.random.default_rng(seed)
    sources, alignments = [], []
    for _ in range(size):
        n = int(rng.integers(1, 9))
        words = tuple("abcdefgh"[int(k)] for k in rng.integers(8, size=n))
        rank = Permutation.standardise([i + (1.5 if w in "ab" else 0.0) for i, w in enumerate(words)])
        sources.append(Source(words))
        alignments.append(Alignment(n, n, [(i, p) for i, p in enumerate(rank) if rng.random() > 0.1]))
    return sources, alignments


SMALL = ReorderingGrammar(binary=4, nary=2, iterations=6, rare=1)


def same(one: ReorderingGrammar, other: ReorderingGrammar) -> bool:
    a, b = one.arrays(), other.arrays()
    return a.keys() == b.keys() and all(np.array_equal(a[k], b[k]) for k in a)


@pytest.mark.parametrize("settings", [{}, {"online": 16}, {"patience": 2}])
def test_resuming_gives_the_same_model(tmp_path: object, settings: dict[str, int]) -> None:
    class Stop(Exception):
        pass

    sources, alignments = corpus(80)
    made = replace(SMALL, **settings)
    held_out = corpus(20, seed=9)
    records: list[dict[str, float]] = []
    data = TrainingData(sources, alignments, held_out=held_out)
    whole = made.fit(data, RunOptions(log=records.append))
    folder = f"{tmp_path}/checkpoint"
    for stop in (1, 3, 5):

        def log(record: dict[str, float], stop: int = stop) -> None:
            if record["iteration"] == stop:
                raise Stop  # before this iteration is saved

        try:
            made.fit(data, RunOptions(checkpoint=folder, resume=True, log=log, threads=2))
        except Stop:
            continue
    again = made.fit(
        TrainingData(sources, alignments, held_out=held_out), RunOptions(checkpoint=folder, resume=True)
    )
    assert same(whole, again)
    assert [r["iteration"] for r in records] == list(range(len(records)))
    assert all(r["held_out"] > 1 for r in records)
    with pytest.raises(BadFile, match="other text or settings"):
        made.fit(
            TrainingData(sources[1:], alignments[1:], held_out=held_out),
            RunOptions(checkpoint=folder, resume=True),
        )


def test_a_damaged_checkpoint_is_named(tmp_path: Path) -> None:
    sources, alignments = corpus(20)
    training = RunOptions(checkpoint=str(tmp_path / "state"), resume=True)
    SMALL.fit(TrainingData(sources, alignments), training)
    (tmp_path / "state" / "checkpoint.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(BadFile, match="damaged checkpoint"):
        SMALL.fit(TrainingData(sources, alignments), training)
    (tmp_path / "file").write_text("")
    with pytest.raises(BadFile, match="cannot be written"):
        SMALL.fit(TrainingData(sources, alignments), RunOptions(checkpoint=str(tmp_path / "file")))


def test_killed_at_any_time_it_goes_on_from_the_last_iteration(tmp_path: Path) -> None:
    """A process that is killed with no warning, twice, ends with the model of one that was not."""
    code = (
        "import os, sys\n"
        "from tests.preorder.test_grammar_training import SMALL, corpus\n"
        "from wordorder.preorder import RunOptions, TrainingData\n"
        "def log(record):\n"
        "    if record['iteration'] == int(sys.argv[2]): os.kill(os.getpid(), 9)\n"
        "SMALL.fit(TrainingData(*corpus(60)), RunOptions(checkpoint=sys.argv[1], resume=True, log=log))\n"
    )
    folder = str(tmp_path / "state")
    for stop in (2, 4):
        done = subprocess.run(
            [sys.executable, "-c", code, folder, str(stop)], capture_output=True, check=False, cwd=ROOT
        )
        assert done.returncode == -9, done.stderr.decode()
    seen: list[int] = []
    training = RunOptions(checkpoint=folder, resume=True, log=lambda record: seen.append(record["iteration"]))
    again = SMALL.fit(TrainingData(*corpus(60)), training)
    assert seen == [4, 5] and same(again, SMALL.fit(TrainingData(*corpus(60))))


def test_work_done_elsewhere_gives_the_same_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    sources, alignments = corpus(60)
    monkeypatch.setattr("wordorder.preorder.grammar.em.PART", 16)
    here = SMALL.fit(TrainingData(sources, alignments))
    away = SMALL.fit(
        TrainingData(sources, alignments), RunOptions(runner=lambda work, items: map(work, items))
    )
    np.testing.assert_allclose(here.arrays()["rules"], away.arrays()["rules"], rtol=1e-3, atol=1e-3)


def test_early_stopping_keeps_the_best() -> None:
    sources, alignments = corpus(40)
    made = replace(SMALL, iterations=40, patience=2, state_smoothing=0.0)
    fitted = made.fit(TrainingData(sources, alignments, held_out=corpus(20, seed=2)))
    found = fitted.trained["held_out"]
    assert len(found) < 40 and int(np.argmin(found)) == len(found) - 3


def test_bad_input_is_refused() -> None:
    sources, alignments = corpus(5)
    with pytest.raises(WordOrderError, match="5 sentences, 4 alignments"):
        SMALL.fit(TrainingData(sources, alignments[1:]))
    with pytest.raises(InvalidAlignment, match="sentence 1 has"):
        SMALL.fit(TrainingData(sources, [Alignment(77, 1), *alignments[1:]]))
    with pytest.raises(WordOrderError, match="no sentences at all"):
        SMALL.fit(TrainingData([], []))
    with pytest.raises(WordOrderError, match="no links: 1"):
        SMALL.fit(TrainingData([Source(("a",))], [Alignment(1, 1)]))
    one = SMALL.fit(
        TrainingData([Source(("a",) * 5)] * 3, [Alignment(5, 5, [(i, 4 - i) for i in range(5)])] * 3)
    )
    assert one.reorder_batch([Source(("a", "a", "b"))])[0] == Permutation.from_order([2, 1, 0])


@pytest.mark.parametrize("bracketing", ["forest", "left"])
def test_the_best_tree_of_a_forest(bracketing: str) -> None:
    rng = np.random.default_rng(17)
    tables = random_tables(6, binary=2, nary=2, seed=2)
    shape = ForestShape(bracketing=bracketing, arity=4)  # type: ignore[arg-type]
    for n in (2, 3, 4, 4, 4):
        tokens = random_tokens(n, rng)
        bank = build_treebank([tokens], FEW, shape, OPERATORS[:6])
        every = slow.Enumerator(tables, [FEW.number(w) for w in tokens.words]).all()
        kept = [d for d in every if slow.in_forest(d.tree, tokens.ranks, bracketing=bracketing)]
        best = max(kept, key=lambda d: d.probability)
        ((found, nodes),) = _native.best_in_forests(
            tables.layout.native, tables.rules, tables.lexical,
            bank.tokens, bank.offsets, bank.nodes, bank.ends, 1,
        )  # fmt: skip
        assert found == pytest.approx(np.log(best.probability))
        assert slow.shape(slow.read_tree(tables, nodes)) == slow.shape(best.tree)


def test_a_treebank_agrees_with_the_links() -> None:
    sources, alignments = corpus(40)
    fitted = SMALL.fit(TrainingData(sources, alignments))
    found = best_treebank(fitted, sources, alignments)
    assert sum(one is not None for one in found) == fitted.trained["sentences"]
    for source, alignment, one in zip(sources, alignments, found, strict=True):
        if one is None:
            continue
        tree, log_probability = one
        order = tree.order().order.tolist()
        places = [alignment.targets()[i][0] for i in order if alignment.targets()[i]]
        assert log_probability < 0 and sorted(order) == list(range(len(source))) and places == sorted(places)
        assert set(tree.unaligned()) <= {i for i, t in enumerate(alignment.targets()) if not t}


def test_permutations_of_five_all_have_forests() -> None:
    for places in itertools.permutations(range(5)):
        bank = bank_of([TokenisedSentence(list("abcab"), list(places))], ForestShape())
        assert len(bank) == 1 and bank.nodes[-1].tolist()[:2] == [0, 5]


def test_held_out_perplexity_by_hand() -> None:
    """One slot a word: "a b" in order costs 0.5 * 0.25 * 0.5; "c b" cannot be built and is charged."""
    from wordorder.preorder.grammar.em import FLOOR, measured

    layout = Layout.split(OPERATORS[:2], binary=1, nary=1)
    rules = np.zeros((layout.slot_count, 2), dtype=np.float32)
    lexical = np.zeros((WORDS, layout.slot_count), dtype=np.float32)
    rules[-1] = 0.5, 0.5
    lexical[1, 0], lexical[2, 1] = 0.25, 0.5
    tables = Tables(layout, rules, lexical)
    texts = [
        TokenisedSentence(["a", "b"], [0, 1]),
        TokenisedSentence(["c", "b"], [0, 1]),
        TokenisedSentence(["a", "b"], [0, 1]),
    ]
    bank = build_treebank(texts, FEW, ForestShape(), OPERATORS[:2])
    found = measured(tables, bank)
    expected = np.exp(-(2 * np.log(0.5 * 0.25 * 0.5) + 2 * FLOOR) / 6)
    assert found["held_out"] == pytest.approx(expected, rel=1e-5)
    assert (found["held_out_sentences"], found["held_out_impossible"]) == (3, 1)
    with pytest.raises(WordOrderError, match="none of 1 held-out"):
        measured(tables, bank.part(1, 2))


def test_held_out_text_is_measured_with_the_grammar_that_is_saved() -> None:
    from wordorder.preorder.grammar.em import measured
    from wordorder.preorder.grammar.vocabulary import folded

    held_out = corpus(20, seed=9)
    fitted = SMALL.fit(TrainingData(*corpus(80), held_out=held_out))
    one = fitted.decoders[0]
    texts = [folded(source.words, False) for source in held_out[0]]
    tokens = list(tokenise(texts, held_out[1], SMALL.shape, one.vocabulary))
    bank = build_treebank(tokens, one.vocabulary, SMALL.shape, one.tables.layout.operators)
    assert fitted.trained["held_out"][-1] == pytest.approx(measured(one.tables, bank)["held_out"], abs=1e-3)


@pytest.mark.parametrize("size", [1, 16])
def test_online_training_gets_near_to_batch_training(size: int) -> None:
    import json

    made = replace(SMALL, iterations=15)
    ends = []
    for one in (made, replace(made, online=size)):
        records: list[dict[str, float]] = []
        one.fit(TrainingData(*corpus(200)), RunOptions(log=records.append))
        found = [record["log_likelihood"] for record in records]
        assert np.isfinite(found).all() and found[-1] > found[0]
        json.dumps(records, allow_nan=False)
        ends.append(records[-1]["perplexity"])
    assert ends[1] == pytest.approx(ends[0], rel=0.07)


def test_patience_wants_held_out_text_and_resuming_the_same(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="held-out"):
        replace(SMALL, patience=2).fit(TrainingData(*corpus(20)))
    nothing = [Source(("a",))], [Alignment(1, 1)]
    with pytest.raises(WordOrderError, match="no held-out sentence can be used, of 1"):
        SMALL.fit(TrainingData(*corpus(20), held_out=nothing))
    place = str(tmp_path / "state")
    SMALL.fit(TrainingData(*corpus(20), held_out=corpus(9, seed=2)), RunOptions(checkpoint=place))
    with pytest.raises(BadFile, match="other text or settings"):
        SMALL.fit(
            TrainingData(*corpus(20), held_out=corpus(9, seed=3)), RunOptions(checkpoint=place, resume=True)
        )
