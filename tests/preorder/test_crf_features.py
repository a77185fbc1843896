"""The forest CRF with sparse features: its gradient, its training, and the contract of preorderers."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.oracle import crf as slow
from tests.oracle.derivatives import check_derivatives
from wordorder import _native
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting
from wordorder.preorder import RunOptions, Source, TrainingData, check_preorderer
from wordorder.preorder.crf import FeatureCRF
from wordorder.preorder.crf.features import WordClasses, edge_templates, pair_templates

SMALL = FeatureCRF(hash_bits=12, epochs=3, coarse_classes=2, fine_classes=4)


def corpus(count: int, seed: int = 0) -> tuple[list[Source], list[Alignment]]:
    """Words a and b go behind the word that follows them; c has no link."""
    rng = np.random.default_rng(seed)
    sources, alignments = [], []
    for _ in range(count):
        n = int(rng.integers(2, 9))
        words = ["abcdef"[k] for k in rng.integers(6, size=n)]
        rank = Permutation.standardise([i + (1.5 if w in "ab" else 0.0) for i, w in enumerate(words)])
        links = [(i, int(r)) for i, r in enumerate(rank) if words[i] != "c"]
        sources.append(Source(tuple(words)))
        alignments.append(Alignment(n, n, links))
    return sources, alignments


def seen_at(row: list[int], codes: np.ndarray, edge: slow.Edge) -> tuple[object, ...]:
    """What a template sees at an edge: the key of a feature."""
    i, k, j, _ = edge
    n = codes.shape[1]
    places = [i - 1, i, k - 1, k, j - 1, j]
    looks = [(layer, at) for layer, at in zip(row, places, strict=False) if layer >= 0]
    return tuple(int(codes[layer, at]) if 0 <= at < n else -1 for layer, at in looks)


@pytest.mark.parametrize("canonical", [False, True])
def test_the_gradient_of_the_weights(canonical: bool) -> None:
    """Derivatives by weights against finite differences, over sentences that share features."""
    rng = np.random.default_rng(1)
    learner = _native.CrfLearner(
        2, 6, 0.5, [*edge_templates(2), [-1, 1, 1, -1, 1, -1, -1, -1, -1]], pair_templates([0]), canonical
    )
    lengths = np.array([4, 1, 5, 2], np.int32)
    codes = rng.integers(3, size=2 * int(lengths.sum())).astype(np.uint32)
    check_derivatives(learner, codes, lengths, rng, canonical=canonical)


def test_a_template_sees_its_places_only() -> None:
    """Two edges have the same score if all that the template looks at is the same."""
    rng = np.random.default_rng(3)
    n = 7
    for names in (row for row in edge_templates(2) if any(p >= 0 for p in row[:6])):
        learner = _native.CrfLearner(2, 16, 0.5, [names], [], False)
        learner.set_weights(rng.normal(size=2 << 16).astype(np.float32))
        codes = rng.integers(2, size=(2, n)).astype(np.uint32)
        scores = learner.scores(codes.ravel(), np.array([n], np.int32), 1)
        of: dict[object, float] = {}
        for edge, at in slow.numbered(n).items():
            i, k, j, op = edge
            sizes = [_class(k - i), _class(j - k), _class(j - i)]
            lengths = tuple(size for size, row in zip(sizes, names[6:], strict=True) if row >= 0)
            key = (op, lengths, seen_at(names, codes, edge))
            assert of.setdefault(key, float(scores[at])) == pytest.approx(float(scores[at]))
        assert len(set(of.values())) == len(of)


def _class(length: int) -> int:
    return sum(length > end for end in (1, 2, 3, 4, 6, 9, 14, 24))


def test_pairs_add_up_over_what_an_edge_turns() -> None:
    n = 5
    rng = np.random.default_rng(0)
    learner = _native.CrfLearner(1, 16, 0.5, [], [[-1, 0, -1, -1, 0, -1, -1]], False)
    learner.set_weights(rng.normal(size=2 << 16).astype(np.float32))
    scores = learner.scores(np.arange(n, dtype=np.uint32), np.array([n], np.int32), 1)
    place = slow.numbered(n)
    pair = {}
    for a, b in itertools.combinations(range(n), 2):  # each pair alone, in a sentence of two words
        pair[a, b] = float(learner.scores(np.array([a, b], np.uint32), np.array([2], np.int32), 1)[1])
    for (i, k, j, op), at in place.items():
        turned = [pair[a, b] for a in range(i, k) for b in range(k, j)]
        assert scores[at] == pytest.approx(sum(turned) / len(turned) ** 0.5 if op else 0.0, abs=1e-5)


def test_it_learns_what_there_is_to_learn() -> None:
    fitted = replace(SMALL, epochs=20).fit(TrainingData(*corpus(150)))
    sources, alignments = corpus(50, seed=9)
    right = 0
    for source, order, one in zip(sources, fitted.reorder_batch(sources), alignments, strict=True):
        del source
        right += slow.wrong_pairs(one, order.order.tolist()) == 0
    assert right > 40


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    sources, alignments = corpus(40)
    for name, seed, threads in (("a", 5, 1), ("b", 5, 2), ("c", 6, 1)):
        SMALL.fit(TrainingData(sources, alignments), RunOptions(seed=seed, threads=threads)).save(
            str(tmp_path / name)
        )
    a, b, c = ((tmp_path / name / "model.safetensors").read_bytes() for name in "abc")
    assert a == b != c


def test_automatic_links_and_raw_text_are_used() -> None:
    sources, alignments = corpus(30)
    plain = SMALL.fit(TrainingData(sources, alignments))
    records: list[dict[str, object]] = []
    data = TrainingData(sources, alignments, raw=[["g", "a"]] * 5, automatic=corpus(30, seed=4))
    more = SMALL.fit(data, RunOptions(log=records.append))
    assert [r["round"] for r in records] == ["automatic", "manual", "manual", "manual"]
    assert more.trained["automatic"] == 30 and plain.trained["automatic"] == 0
    assert more.trained["class_words"] == plain.trained["class_words"] + 1
    assert not np.array_equal(plain.arrays()["weights"], more.arrays()["weights"])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"adjacency": 0.0},
        {"decoding": "viterbi"},
        {"piece": 5},
        {"canonical": True, "moves": False},
        {"strength": 1000.0},
    ],
)
def test_the_contract(settings: dict[str, object]) -> None:
    check_preorderer(replace(SMALL, **settings))


def test_probabilities_of_orders_add_up() -> None:
    fitted = SMALL.fit(TrainingData(*corpus(60)))
    source = Source(tuple("bacd"))
    orders = [Permutation.from_order(p) for p in itertools.permutations(range(4))]
    found = fitted.log_probability_batch([source] * 24, orders)
    assert np.exp(found).sum() == pytest.approx(1, abs=1e-5)
    assert sum(p == -np.inf for p in found) == 2  # those that no binary tree reads


def test_settings_are_checked() -> None:
    for settings, said in (
        ({"epochs": -1}, "epochs is -1"),
        ({"adjacency": 1.5}, "adjacency is 1.5"),
        ({"hash_bits": 40}, "hash_bits is 40"),
        ({"strength": float("inf")}, "strength is inf"),
    ):
        with pytest.raises(BadSetting, match=said):
            replace(SMALL, **settings)


def test_words_in_like_places_fall_into_one_class() -> None:
    rng = np.random.default_rng(0)
    nouns, verbs = ["dog", "cat", "bird"], ["sees", "hears", "likes"]
    text = [["the", str(rng.choice(nouns)), str(rng.choice(verbs)), "it"] for _ in range(200)]
    made = WordClasses.learn(text, [2, 4])
    of = dict(zip(made.words, made.layers[1].tolist(), strict=True))
    assert len({of[w] for w in nouns}) == len({of[w] for w in verbs}) == 1
    assert len({of["dog"], of["sees"], of["the"], of["it"]}) == 4
    assert set(made.layers[0].tolist()) == {0, 1}
    assert WordClasses.learn([["rare"]], [3]).layers.shape == (1, 0)
    assert WordClasses.learn([], [3]).words == ()


def test_what_was_learned_cannot_be_set_again():
    sources = [Source(("a", "b", "c"))] * 4
    links = [Alignment(3, 3, [(0, 1), (1, 0), (2, 2)])] * 4
    model = FeatureCRF(hash_bits=10).fit(TrainingData(sources, links))
    assert model.with_settings(adjacency=0.0, min_gain=0.1, piece=50).min_gain == 0.1
    for wrong in ({"strength": 7.0}, {"hash_bits": 9}, {"epochs": 7}):
        with pytest.raises(BadSetting, match="since the training and cannot be changed"):
            model.with_settings(**wrong)


def test_nothing_to_learn_from_is_refused():
    source = Source(("a", "b"))
    for links in ([], [(0, 0)]):
        with pytest.raises(BadSetting, match="two linked words"):
            FeatureCRF(hash_bits=10).fit(TrainingData([source], [Alignment(2, 2, links)]))
    told = [Source(("a", "b"), target="ja"), Source(("a", "b"), target="ko")]
    with pytest.raises(BadSetting, match="one target language"):
        FeatureCRF(hash_bits=10).fit(TrainingData(told, [Alignment(2, 2, [(0, 1), (1, 0)])] * 2))


def test_damaged_features_are_noticed():
    links = Alignment(3, 3, [(0, 1), (1, 0), (2, 2)])
    model = FeatureCRF(hash_bits=10).fit(TrainingData([Source(("a", "b", "c"))] * 4, [links] * 4))
    arrays = model.arrays()
    for name, wrong in (
        ("weights", np.full_like(arrays["weights"], np.nan)),
        ("weights", arrays["weights"][:-1]),
        ("classes", arrays["classes"][:1]),
        ("classes", arrays["classes"][:, :1]),
    ):
        with pytest.raises(ValueError, match="there are"):
            model.restored({**arrays, name: wrong}, model.trained)
    assert model.restored(arrays, model.trained).reorder_batch([Source(("a", "b", "c"))])
