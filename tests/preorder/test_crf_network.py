"""The neural part of the forest CRF against enumeration and finite differences; all skipped without torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from wordorder.errors import BadSetting, WordOrderError  # noqa: E402
from wordorder.preorder.crf import charts, lexicon, network, neural, training  # noqa: E402

Tree = tuple[list[int], list[tuple[int, int, int, int]]]  # order; edges with orientation


def trees(i: int, j: int) -> Iterator[Tree]:
    """All binary trees over the words i..j-1, both ways of every edge."""
    if j - i == 1:
        yield [i], []
        return
    for k in range(i + 1, j):
        for (left, a), (right, b) in itertools.product(trees(i, k), trees(k, j)):
            yield left + right, [*a, *b, (i, k, j, 0)]
            yield right + left, [*a, *b, (i, k, j, 1)]


def number_of(edges: charts.Edges) -> dict[tuple[int, int, int], int]:
    rows = zip(edges.start.tolist(), edges.split.tolist(), edges.end.tolist(), strict=True)
    return {row: e for e, row in enumerate(rows)}


def random_scores(n: int, batch: int, seed: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    edges = charts.edges_of(n)
    return torch.randn((len(edges), batch, 2), generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_sums_posteriors_and_pairs_equal_enumeration(n):
    edges, at = charts.edges_of(n), number_of(charts.edges_of(n))
    assert len(edges) == math.comb(n + 1, 3)
    scores = random_scores(n, 2, n)
    sizes = torch.tensor([n, max(1, n - 1)])  # the second sentence is shorter than the batch
    found = charts.log_partition_oriented(scores, sizes, edges)
    posterior = charts.posteriors(scores, sizes, edges)
    inverted = charts.inverted_pairs(posterior, edges)
    for b, size in enumerate(sizes.tolist()):
        every = list(trees(0, size))
        weights = np.array(
            [math.exp(sum(float(scores[at[e[:3]], b, e[3]]) for e in tree)) for _, tree in every]
        )
        assert float(found[b]) == pytest.approx(math.log(weights.sum()))
        expected = np.zeros(posterior.shape[::2])
        turned = np.zeros((n, n))
        for weight, (order, tree) in zip(weights / weights.sum(), every, strict=True):
            for i, k, j, way in tree:
                expected[at[i, k, j], way] += weight
            for a, c in itertools.combinations(range(size), 2):
                turned[a, c] += weight * (order.index(a) > order.index(c))
        np.testing.assert_allclose(posterior[:, b].numpy(), expected, atol=1e-12)
        np.testing.assert_allclose(inverted[b].numpy()[:size, :size], turned[:size, :size], atol=1e-12)


@pytest.mark.parametrize("n", [2, 4, 6])
def test_consensus_is_best_of_all_trees(n):
    edges = charts.edges_of(n)
    table = torch.rand((3, n, n), generator=torch.Generator().manual_seed(n), dtype=torch.float64).triu(1)
    orders = charts.consensus(table, torch.tensor([n] * 3), edges)

    def value(order: list[int], b: int) -> float:
        place = np.argsort(order)
        return sum(
            float(table[b, a, c] if place[a] > place[c] else 1 - table[b, a, c])
            for a, c in itertools.combinations(range(n), 2)
        )

    for b, order in enumerate(orders):
        assert value(order, b) == pytest.approx(max(value(o, b) for o, _ in trees(0, n)))


def test_soft_forest_counts_misordered_pairs():
    n = 5
    links = np.array([[0, 3], [1, 0], [2, 4], [2, 1], [4, 2]])  # word 3 has none; 2 encloses 4 and 0
    signs = training.pair_signs(links, n, 0.25)
    assert signs[0, 1] == -1  # 1 goes first
    assert signs[1, 2] == 1
    assert signs[0, 3] == 0.25
    assert signs[0, 2] == 0  # 3 lies between 1 and 4
    costs = torch.from_numpy(np.stack([np.maximum(-signs, 0), np.maximum(signs, 0)]).astype(np.float64))
    edges = charts.edges_of(n)
    weights = charts.soft_forest(costs[None], edges)
    at = number_of(edges)
    for order, tree in trees(0, n):
        cost = -sum(float(weights[at[i, k, j], 0, way]) for i, k, j, way in tree)
        slow = sum(
            max(0.0, float(signs[a, c])) if order.index(a) > order.index(c) else max(0.0, -float(signs[a, c]))
            for a, c in itertools.combinations(range(n), 2)
        )
        assert cost == pytest.approx(slow, abs=1e-6)


SENTENCES = [
    ["the", "cat", "sat", "on", "mats"],
    ["a", "dog", "ran"],
    ["I", "saw", "the", "old", "dog", "run"],
]
LINKS = [[[1, 0], [2, 3], [3, 2], [4, 1]], [[1, 0], [2, 1]], [[0, 0], [1, 4], [3, 1], [4, 2], [5, 3]]]


def small(
    seed: int = 0, **changes: int
) -> tuple[network.EdgeScorer, training.Batcher, list[training.Example]]:
    known = lexicon.Lexicon.of(SENTENCES, least=1, most=100, buckets=64)
    types = lexicon.Types.of(known, [word for words in SENTENCES for word in words])
    sizes = {"units": 8, "word_size": 6, "piece_size": 5, "span_size": 7, "edge_size": 6, "pair_size": 4}
    shape = network.Shape(words=len(known), buckets=64, languages=2, **(sizes | changes))
    torch.manual_seed(seed)
    examples = [
        training.Example(types.encode(words), training.pair_signs(np.array(links), len(words), 0.03), s % 2)
        for s, (words, links) in enumerate(zip(SENTENCES, LINKS, strict=True))
    ]
    return network.EdgeScorer(shape, dropout=0, word_dropout=0), training.Batcher(types, "cpu"), examples


def test_gradients_equal_finite_differences():
    model, batcher, examples = small()
    model = model.double().eval()
    batch = batcher.batch(examples, [0, 1, 2])

    def loss() -> torch.Tensor:
        scores = model(batch.numbers, batch.pieces, batch.lengths, batch.tags, batch.edges)
        return training.forest_loss(scores, batch._replace(costs=batch.costs.double())).sum()

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


def test_padding_does_not_matter():
    model, batcher, examples = small()
    model.eval()
    together = training.inversions(model, batcher, examples)
    for one, found in zip(examples, together, strict=True):
        np.testing.assert_allclose(training.inversions(model, batcher, [one])[0], found, atol=1e-6)


def test_training_learns_and_repeats():
    def trained() -> tuple[list[float], network.EdgeScorer, training.Batcher, list[training.Example]]:
        model, batcher, examples = small(1)
        losses: list[float] = []
        stage = training.Stage(passes=35, rate=0.03, batch=3, average=0.9)
        training.train(model, batcher, examples, stage, seed=3, log=lambda r: losses.append(r["loss"]))
        return losses, model, batcher, examples

    losses, model, batcher, examples = trained()
    assert losses[-1] < 0.4 * losses[0]
    again = trained()[1]
    assert all(torch.equal(a, b) for a, b in zip(model.parameters(), again.parameters(), strict=True))
    # A student of the model comes to the same orders without links.
    student = small(2)[0]
    training.train(
        student,
        batcher,
        examples,
        training.Stage(passes=40, rate=0.03, batch=3),
        seed=3,
        loss=lambda scores, batch: training.mixture_loss(scores, batch, [model]),
    )
    for found in (model, student):
        tables = training.inversions(found, batcher, examples)
        table = torch.from_numpy(tables[2])[None]
        order = charts.consensus(table, torch.tensor([6]), charts.edges_of(6))[0]
        assert [i for i in order if i != 2] == [0, 3, 4, 5, 1]


@pytest.mark.parametrize("pair_size", [0, 4])
def test_numpy_scores_are_torch_s(pair_size):
    model = small(4, pair_size=pair_size)[0]
    model.eval()
    known = lexicon.Lexicon.of(SENTENCES, least=1, most=100, buckets=64)
    arrays = {name: p.detach().numpy() for name, p in model.named_parameters()} | known.arrays()
    facts = {"shape": vars(model.shape), "languages": ["ja", "ko"]}
    twin = neural.Network.restored(arrays, facts)
    unseen = [*SENTENCES, ["word"], [], ["cats", "3", "unseen"]]
    types = lexicon.Types.of(known, [word for words in unseen for word in words])
    batcher = training.Batcher(types, "cpu")
    for language in (0, 1):
        found = twin.scores(unseen, facts["languages"][language])
        for words, flat in zip(unseen, found, strict=True):
            n = len(words)
            if n < 2:
                assert len(flat) == 0
                continue
            one = training.Example(types.encode(words), np.zeros((n, n), np.float16), language)
            with torch.no_grad():
                scores = training.score_batch(model, batcher.batch([one], [0]))
            np.testing.assert_allclose(flat.reshape(-1, 2), scores[:, 0].numpy(), atol=1e-5)
    with pytest.raises(BadSetting, match="knows ja, ko"):
        twin.scores(SENTENCES, "tr")
    with pytest.raises(WordOrderError, match=r"edge\.bias is missing"):
        neural.Network.restored({k: v for k, v in arrays.items() if k != "edge.bias"}, facts)


def test_scores_of_the_training_script_are_those_of_the_package():
    from benchmarks.crf_data import nakagawa, nakagawa_ranks
    from wordorder.core.alignment import Alignment
    from wordorder.core.permutation import Permutation
    from wordorder.evaluate.preordering import evaluate_orders

    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(300):
        n = int(rng.integers(1, 7))
        links = np.unique(rng.integers(0, n, size=(int(rng.integers(1, n + 2)), 2)), axis=0)
        order = rng.permutation(n)
        ranks = nakagawa_ranks(links, n)
        gold = Alignment(n, n, [(int(i), int(j)) for i, j in links])
        told = evaluate_orders([gold], {"mine": [Permutation(order)]}, variants=["nakagawa"], samples=0)
        assert (ranks is None) == (told.variants[0].used == 0)
        if ranks is not None:
            cells = told.variants[0].cells["mine"]
            expected = [cells[score].score for score in ("tau", "frs", "exact")]
            assert nakagawa(ranks, order.tolist()) == pytest.approx(expected)
            compared += 1
    assert compared > 100
