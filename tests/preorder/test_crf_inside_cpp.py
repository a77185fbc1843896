"""The network's last layers in C++: the scores, losses and derivatives that torch has."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from tests.preorder.test_crf_network import small  # noqa: E402
from wordorder import _native  # noqa: E402
from wordorder.preorder.crf import inside_torch, objectives  # noqa: E402
from wordorder.preorder.crf.inside_cpp import CppEdgeNetwork, cpp_backend  # noqa: E402
from wordorder.preorder.crf.network_torch import Batch  # noqa: E402
from wordorder.preorder.crf.training_loop import Stage, run_stage  # noqa: E402

CPP = cpp_backend(canonical=False, threads=2)


def twins(**changes: int) -> tuple[object, CppEdgeNetwork, Batch]:
    """The same network twice, and a batch of sentences of 6, 5 and 3 words."""
    model, batcher, examples = small(3, **changes)
    with torch.no_grad():
        model.edge.weight.normal_()  # as it begins, nothing below it has a derivative
    flat = CppEdgeNetwork(model.shape, dropout=0, word_dropout=0)
    flat.load_state_dict(model.state_dict())
    return model, flat, batcher.batch(examples, [0, 1, 2])


def flattened(padded: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Scores ``[edge, batch, 2]`` as one row, without what lies beyond a sentence's end."""
    inside = [batch.edges.end <= int(n) for n in batch.lengths]
    return torch.cat([padded[mask, b].reshape(-1) for b, mask in enumerate(inside)])


@pytest.mark.parametrize("changes", [{}, {"pair_size": 0}, {"edge_size": 16, "span_size": 8}])
def test_scores_losses_and_gradients_are_those_of_torch(changes: dict[str, int]) -> None:
    """Scores to 1e-5, losses to 1e-4, derivatives to 1e-5 (both sides have 32 bits)."""
    model, flat, batch = twins(**changes)
    scores = [objectives.score_batch(one, batch) for one in (model, flat)]
    np.testing.assert_allclose(scores[1].detach(), flattened(scores[0], batch).detach(), atol=1e-5)
    losses = [way.loss(one, batch) for way, one in zip((objectives.TORCH, CPP), scores, strict=True)]
    np.testing.assert_allclose(losses[1].detach(), losses[0].detach(), atol=1e-4)
    factors = torch.tensor([1.0, 0.5, -2.0])  # sentences may count differently
    for own in losses:
        (own * factors).sum().backward()
    compared = 0
    for (name, p), q in zip(model.named_parameters(), flat.parameters(), strict=True):
        assert (p.grad is None) == (q.grad is None), name
        if p.grad is not None:
            np.testing.assert_allclose(q.grad, p.grad, atol=1e-5, err_msg=name)
            compared += bool(p.grad.abs().max() > 1e-3)
    assert compared > 10


def test_weights_of_pairs_are_the_soft_forest() -> None:
    _, _, batch = twins()
    found = _native.crf_pair_weights(batch.costs.numpy(), batch.lengths.numpy().astype(np.int32), 2)
    assert found.min() < -1
    np.testing.assert_allclose(
        found, flattened(inside_torch.soft_forest(batch.costs, batch.edges), batch), atol=1e-5
    )


def layer(seed: int, masks: int, size: int = 11) -> dict[str, np.ndarray]:
    """Random input of the edges' layer, for sentences of 4, 1 and 3 words."""
    rng = np.random.default_rng(seed)
    made = {"spans": (17, 3 * size), "weight": (2, size), "bias": (2,), "turned": (3, 4, 4)}
    drawn = {name: rng.normal(size=shape).astype(np.float32) for name, shape in made.items()}
    factors = rng.uniform(0, 2, (masks, size)).astype(np.float32)
    return {**drawn, "lengths": np.array([4, 1, 3], np.int32), "masks": factors}


def test_every_edge_takes_one_of_the_masks() -> None:
    given = layer(1, 3)
    found = _native.crf_edges(**given, seed=5, threads=1)
    each = np.stack(
        [
            _native.crf_edges(**{**given, "masks": given["masks"][m : m + 1]}, seed=5, threads=1)
            for m in range(3)
        ]
    )
    taken = np.abs(each - found).reshape(3, -1, 2).max(axis=2).argmin(axis=0)
    assert set(taken) == {0, 1, 2}
    np.testing.assert_array_equal(each.reshape(3, -1, 2)[taken, np.arange(len(taken))].ravel(), found)
    assert not np.array_equal(_native.crf_edges(**given, seed=6, threads=1), found)


@pytest.mark.parametrize("what", ["spans", "weight", "bias", "turned"])
def test_derivatives_of_edges_with_masks(what: str) -> None:
    """Against finite differences: both directions take the same masks."""
    given = layer(2, 4)
    by = np.random.default_rng(3).normal(size=28).astype(np.float32)
    names = ("spans", "weight", "bias", "turned")
    found = dict(zip(names, _native.crf_edges_back(by, **given, seed=9, threads=2), strict=True))[what]
    flat = given[what].reshape(-1)
    for at in np.random.default_rng(4).choice(flat.size, min(40, flat.size), replace=False):
        kept, values = flat[at], []
        for move in (1e-3, -1e-3):
            flat[at] = kept + move
            scores = _native.crf_edges(**given, seed=9, threads=1).astype(np.float64)
            values.append(float(scores @ by))
        flat[at] = kept
        assert (values[0] - values[1]) / 2e-3 == pytest.approx(float(found.reshape(-1)[at]), abs=0.02)


@pytest.mark.parametrize("what", ["left", "right", "width"])
def test_derivatives_of_spans_with_masks(what: str) -> None:
    rng = np.random.default_rng(5)
    given = {name: rng.normal(size=(rows, 6)).astype(np.float32)
             for name, rows in (("left", 11), ("right", 11), ("width", 3), ("masks", 4))}  # fmt: skip
    given |= {"buckets": np.array([0, 1, 2, 2, 1], np.int32), "lengths": np.array([4, 1, 3], np.int32)}
    by = rng.normal(size=(17, 6)).astype(np.float32)
    names = ("left", "right", "width")
    found = dict(zip(names, _native.crf_spans_back(by, **given, seed=9, threads=2), strict=True))[what]
    flat = given[what].reshape(-1)
    for at in range(flat.size):
        kept, values = flat[at], []
        for move in (1e-3, -1e-3):
            flat[at] = kept + move
            units = _native.crf_spans(**given, seed=9, threads=1).astype(np.float64)
            values.append(float((units * by).sum()))
        flat[at] = kept
        assert (values[0] - values[1]) / 2e-3 == pytest.approx(float(found.reshape(-1)[at]), abs=0.02)


def test_threads_make_no_difference() -> None:
    def trained(threads: int) -> list[torch.Tensor]:
        model, batcher, examples = small(1)
        torch.manual_seed(0)
        flat = CppEdgeNetwork(model.shape, dropout=0.5)
        flat.threads = threads
        stage = Stage(
            objective=objectives.link_objective(cpp_backend(canonical=False, threads=threads)),
            examples=lambda: examples,
            epochs=4,
            learning_rate=0.03,
            batch_size=3,
            average=0.9,
        )
        run_stage(flat, batcher, stage, seed=3)
        return [p.detach() for p in flat.parameters()]

    assert all(torch.equal(a, b) for a, b in zip(trained(1), trained(3), strict=True))


def test_arrays_that_do_not_fit_are_refused() -> None:
    given = layer(1, 3)
    for changed in (
        {"lengths": np.array([4, 1, 4], np.int32)},
        {"turned": given["turned"][:, :3, :3].copy()},
        {"masks": given["masks"][:0]},
        {"weight": given["weight"][:, :5].copy()},
    ):
        with pytest.raises(ValueError, match="do not fit"):
            _native.crf_edges(**{**given, **changed}, seed=1, threads=1)
    with pytest.raises(ValueError, match="do not fit"):
        _native.crf_pair_weights(np.zeros((1, 2, 3, 3), np.float32), np.array([4], np.int32), 1)
