"""The neural part of the forest CRF against enumeration and finite differences; all skipped without torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.oracle import crf as slow  # noqa: E402
from wordorder.core.alignment import Alignment  # noqa: E402
from wordorder.errors import BadSetting, WordOrderError  # noqa: E402
from wordorder.neural.words import InputVocabulary, pack_words  # noqa: E402
from wordorder.preorder import Source, as_sources  # noqa: E402
from wordorder.preorder.crf import decoding, forest, inside_torch, objectives  # noqa: E402
from wordorder.preorder.crf.examples import Example, pair_signs  # noqa: E402
from wordorder.preorder.crf.network import NetworkShape, TrainedNetwork  # noqa: E402
from wordorder.preorder.crf.network_torch import EdgeNetwork  # noqa: E402
from wordorder.preorder.crf.training_loop import Batcher, Stage, run_stage  # noqa: E402
from wordorder.preorder.crf.word_inputs import WordTypes  # noqa: E402


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_sums_and_posteriors_equal_enumeration(n: int) -> None:
    edges = inside_torch.edges_of(n)
    assert len(edges) == math.comb(n + 1, 3)
    generator = torch.Generator().manual_seed(n)
    scores = torch.randn((len(edges), 2, 2), generator=generator, dtype=torch.float64)
    sizes = torch.tensor([n, max(1, n - 1)])  # the second sentence is shorter than the batch
    sums = inside_torch.log_partition_oriented(scores, sizes, edges)
    posterior = inside_torch.posteriors(scores, sizes, edges)
    for b, size in enumerate(sizes.tolist()):
        inside = edges.end <= size
        found = slow.field(scores[inside, b].flatten().numpy(), size)
        assert float(sums[b]) == pytest.approx(found.log_z)
        np.testing.assert_allclose(posterior[inside, b].flatten(), slow.posteriors(found, size), atol=1e-12)
        assert not posterior[~inside, b].any()


def random_links(n: int, rng: np.random.Generator) -> np.ndarray:
    """Links of some words, several of some; the target has as many words."""
    return np.unique(rng.integers(0, n, size=(int(rng.integers(0, 2 * n)), 2)), axis=0).reshape(-1, 2)


STAY = 1 / 32  # no mean over so few links


@pytest.mark.parametrize("attach", [False, True])
def test_signs_of_pairs(attach: bool) -> None:
    """Against what each pair is by definition."""
    rng = np.random.default_rng(7)
    kinds = set()
    for _ in range(300):
        n = int(rng.integers(1, 8))
        links = random_links(n, rng)
        found = pair_signs(links, n, STAY, attach=attach)
        one = Alignment(n, n, links.tolist())
        for a, b in itertools.product(range(n), repeat=2):
            expected = slow.pair_sign(one, a, b, STAY, attach=attach) if a < b else 0.0
            assert found[a, b] == np.float16(expected), (links.tolist(), a, b)
            kinds.add(expected)
    assert {-1, 0, 1, STAY} <= kinds and (-STAY in kinds) == attach and len(kinds) > 5


@pytest.mark.parametrize("attach", [False, True])
def test_the_soft_forest_is_that_of_the_features(attach: bool) -> None:
    """Except for pairs whose links contradict each other, which networks order by their mean."""
    rng = np.random.default_rng(8)
    compared = apart = 0
    for _ in range(100):
        n = int(rng.integers(2, 9))
        links = random_links(n, rng)
        one = Alignment(n, n, links.tolist())
        signs = torch.from_numpy(pair_signs(links, n, 0.25, attach=attach)).float()
        edges = inside_torch.edges_of(n)
        found = inside_torch.soft_forest(2 * torch.stack([-signs, signs]).clamp(min=0)[None], edges)[:, 0]
        expected = forest.log_weights([one], 2.0, stay=2 * 0.25, attach=attach).reshape(-1, 2)
        mixed = torch.zeros((1, n, n))
        for a, b in itertools.combinations(range(n), 2):
            mixed[0, a, b] = slow.contradict(one, a, b)
        same = inside_torch.rectangles(mixed, edges)[:, 0] == 0
        np.testing.assert_allclose(found[same], expected[same.numpy()], atol=1e-6)
        compared += int(same.sum())
        apart += int((~same).sum())
    assert compared > 1000 and apart > 100


def test_the_soft_forest_counts_misordered_pairs() -> None:
    """Over all edges of a tree each pair counts once, as the tree's order has it."""
    n = 5
    links = np.array([[0, 3], [1, 0], [2, 4], [2, 1], [4, 2]])  # word 3 has none; 2 encloses 4 and 0
    signs = pair_signs(links, n, 0.25)
    assert (signs[0, 1], signs[1, 2], signs[0, 3], signs[0, 2]) == (-1, 1, 0.25, 0)
    costs = torch.from_numpy(np.stack([np.maximum(-signs, 0), np.maximum(signs, 0)]).astype(np.float64))
    weights = inside_torch.soft_forest(costs[None], inside_torch.edges_of(n)).flatten()
    at = slow.numbered(n)
    for tree in slow.trees(0, n):
        expected = sum(
            max(0.0, float(signs[a, c] if tree.order.index(a) > tree.order.index(c) else -signs[a, c]))
            for a, c in itertools.combinations(range(n), 2)
        )
        assert -sum(float(weights[at[edge]]) for edge in tree.edges) == pytest.approx(expected, abs=1e-6)


SENTENCES = [
    ["the", "cat", "sat", "on", "mats"],
    ["a", "dog", "ran"],
    ["I", "saw", "the", "old", "dog", "run"],
]
LINKS = [[[1, 0], [2, 3], [3, 2], [4, 1]], [[1, 0], [2, 1]], [[0, 0], [1, 4], [3, 1], [4, 2], [5, 3]]]


def small(seed: int = 0, **changes: int) -> tuple[EdgeNetwork, Batcher, list[Example]]:
    known = InputVocabulary.of(SENTENCES, min_count=1, max_words=100, buckets=64)
    types = WordTypes.of(known, as_sources(SENTENCES))
    sizes = {"units": 8, "word_size": 6, "piece_size": 5, "span_size": 7, "edge_size": 6, "pair_size": 4}
    shape = NetworkShape(words=len(known), buckets=64, languages=2, **(sizes | changes))
    torch.manual_seed(seed)
    examples = [
        Example(types.encode(Source(tuple(words))), pair_signs(np.array(links), len(words), 0.03), s % 2)
        for s, (words, links) in enumerate(zip(SENTENCES, LINKS, strict=True))
    ]
    return (
        EdgeNetwork(shape, dropout=0, word_dropout=0),
        Batcher(types, "cpu"),
        examples,
    )


def test_gradients_equal_finite_differences() -> None:
    model, batcher, examples = small()
    model = model.double().eval()
    batch = batcher.batch(examples, [0, 1, 2])

    def loss() -> torch.Tensor:
        return objectives.torch_loss(model(batch), batch._replace(costs=batch.costs.double())).sum()

    loss().backward()
    rng = np.random.default_rng(0)
    checked = 0
    for p in model.parameters():
        flat, grad = p.data.view(-1), p.grad.view(-1)
        for at in rng.choice(len(flat), min(4, len(flat)), replace=False).tolist():
            kept = float(flat[at])
            values = []
            for move in (1e-5, -1e-5):
                flat[at] = kept + move
                with torch.no_grad():
                    values.append(float(loss()))
            flat[at] = kept
            assert (values[0] - values[1]) / 2e-5 == pytest.approx(float(grad[at]), abs=1e-6)
            checked += abs(float(grad[at])) > 1e-6
    assert checked > 20


def alone(model: EdgeNetwork, batcher: Batcher, one: Example) -> np.ndarray:
    """The scores of one sentence, as :mod:`wordorder.preorder.crf.forest` has them."""
    with torch.no_grad():
        found: np.ndarray = objectives.score_batch(model, batcher.batch([one], [0]))[:, 0].flatten().numpy()
    return found


def order_of(model: EdgeNetwork, batcher: Batcher, one: Example) -> Sequence[int]:
    """The best order for pairs of words."""
    found = decoding.expectations(alone(model, batcher, one), one.words, canonical=False)
    return decoding.ranked_orders(found, 1, adjacency=0.0, moves=False)[0][1]


def test_padding_does_not_matter() -> None:
    model, batcher, examples = small()
    model.eval()
    batch = batcher.batch(examples, [0, 1, 2])
    with torch.no_grad():
        together = objectives.score_batch(model, batch)
    for b, place in enumerate(batch.places):
        inside = batch.edges.end <= examples[place].words
        expected = alone(model, batcher, examples[place])
        np.testing.assert_allclose(together[inside, b].flatten(), expected, atol=1e-6)


def test_training_learns_and_repeats() -> None:
    def trained() -> tuple[list[float], EdgeNetwork, Batcher, list[Example]]:
        model, batcher, examples = small(1)
        losses: list[float] = []
        stage = Stage(
            objective=objectives.link_objective(objectives.TORCH),
            examples=lambda: examples,
            epochs=35,
            learning_rate=0.03,
            batch_size=3,
            average=0.9,
        )
        run_stage(model, batcher, stage, seed=3, log=lambda record: losses.append(record["loss"]))
        return losses, model, batcher, examples

    losses, model, batcher, examples = trained()
    assert losses[-1] < 0.4 * losses[0]
    again = trained()[1]
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))
    assert [i for i in order_of(model, batcher, examples[2]) if i != 2] == [0, 3, 4, 5, 1]


@pytest.mark.parametrize(("pair_size", "labels"), [(0, 0), (4, 0), (4, 3)])
def test_numpy_scores_are_torch_s(pair_size: int, labels: int) -> None:
    model = small(4, pair_size=pair_size, labels=labels)[0]
    model.eval()
    known = InputVocabulary.of(SENTENCES, min_count=1, max_words=100, buckets=64)
    arrays = {name: p.detach().numpy() for name, p in model.named_parameters()} | {
        "words": pack_words(known.words)
    }
    names = ["A", "B"] if labels else []
    facts = {"shape": vars(model.shape), "languages": ["ja", "ko"], "labels": names}
    twin = TrainedNetwork.restored(arrays, facts)
    unseen = as_sources([*SENTENCES, ["word"], [], ["cats", "3", "unseen"]])
    if labels:
        unseen = [replace(one, layers=(tuple("ABC"[k % 3] for k in range(len(one))),)) for one in unseen]
    types = WordTypes.of(known, unseen, facts["labels"])
    assert set(types.labels) == ({0, 1, 2} if labels else {0})  # C is unknown
    batcher = Batcher(types, "cpu")
    for language in (0, 1):
        found = twin.scores(unseen, facts["languages"][language])
        for source, (flat, _) in zip(unseen, found, strict=True):
            if len(source) < 2:
                assert len(flat) == 0
                continue
            one = Example(types.encode(source), language=language)
            np.testing.assert_allclose(flat, alone(model, batcher, one), atol=1e-5)
    with pytest.raises(BadSetting, match="knows ja, ko"):
        twin.scores(unseen, "tr")
    with pytest.raises(WordOrderError, match=r"edge\.bias is missing"):
        TrainedNetwork.restored({k: v for k, v in arrays.items() if k != "edge.bias"}, facts)
