"""Training on a CPU: the last layers of the network and the sums over trees in C++, without padding.

:class:`CppEdgeNetwork` has the weights of :class:`wordorder.preorder.crf.network_torch.EdgeNetwork` and
computes the same scores, but as one flat array: the sentences of a batch one after the other, as in
:mod:`wordorder.preorder.crf.forest`. Hidden units of edges, which would take most of the memory of training,
are not stored; their derivatives are computed from the spans again. Dropout chooses one of ``MASKS`` random
masks for each span and each edge. The number of threads does not change any result.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from wordorder import _native
from wordorder.arrays import Doubles, Floats, Ints, Longs
from wordorder.preorder.crf.inside_torch import Edges
from wordorder.preorder.crf.network import no_dropout, width_buckets
from wordorder.preorder.crf.network_torch import Batch, EdgeNetwork
from wordorder.preorder.crf.objectives import Backend

MASKS = 256
LSTM_WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
DropoutMasks = tuple[Floats, int]  # rows of factors, and the seed of the choice among them


def _array(tensor: Tensor) -> Floats:
    array: Floats = tensor.detach().contiguous().numpy()
    return array


def no_edges(words: int, device: str) -> Edges:
    """Return an empty list of edges: C++ does not need the list, which is long."""
    none = torch.empty(0, dtype=torch.int64, device=device)
    return Edges(words, none, none, none, (0,))


class _NativeLayer(torch.autograd.Function):
    """A layer and its derivatives in C++: functions of tensors, followed by constants."""

    @staticmethod
    def forward(ctx: Any, compute: Any, differentiate: Any, constants: Any, *tensors: Tensor) -> Tensor:
        ctx.differentiate, ctx.args = differentiate, (*map(_array, tensors), *constants)
        return torch.from_numpy(compute(*ctx.args))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        derivatives = ctx.differentiate(_array(grads[0]), *ctx.args)
        return (None, None, None, *map(torch.from_numpy, derivatives))


def _lengths(batch: Batch) -> Ints:
    lengths: Ints = batch.lengths.numpy().astype(np.int32)
    return lengths


def _score_counts(lengths: Ints) -> Longs:
    """Return the number of scores of each sentence."""
    n = lengths.astype(np.int64)
    return (n + 1) * n * (n - 1) // 3


class _WithGradient(torch.autograd.Function):
    """One value per sentence that was computed elsewhere, with its derivatives by all scores."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, values: Doubles, gradient: Floats, lengths: Ints) -> Tensor:
        ctx.gradient, ctx.counts = gradient, _score_counts(lengths)
        return torch.from_numpy(values).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        factors = np.repeat(_array(grads[0]), ctx.counts)
        return torch.from_numpy(ctx.gradient * factors), None, None, None


def cpp_loss(scores: Tensor, batch: Batch, *, canonical: bool = False, threads: int = 1) -> Tensor:
    """Return the loss of each sentence, from its links, for a flat array of scores."""
    lengths = _lengths(batch)
    weights = _native.crf_pair_weights(_array(batch.costs), lengths, threads)
    loss, gradient = _native.crf_loss(_array(scores), lengths, weights, canonical, threads)
    return _WithGradient.apply(scores, loss, gradient, lengths)  # type: ignore[no-any-return, no-untyped-call]


def cpp_posteriors(scores: Tensor, batch: Batch, *, canonical: bool = False, threads: int = 1) -> Tensor:
    """Return the probability of every edge."""
    return torch.from_numpy(_native.crf_posteriors(_array(scores), _lengths(batch), canonical, threads)[1])


def cpp_cross_entropy(
    scores: Tensor, batch: Batch, targets: Tensor, *, canonical: bool = False, threads: int = 1
) -> Tensor:
    """Return the cross-entropy with target probabilities of edges, for a flat array of scores."""
    lengths = _lengths(batch)
    # The gradient of log Z is the posterior of every edge.
    log_z, gradient = _native.crf_posteriors(_array(scores), lengths, canonical, threads)
    partition: Tensor = _WithGradient.apply(scores, log_z, gradient, lengths)  # type: ignore[no-untyped-call]
    expected = [part.sum() for part in (targets * scores).split(_score_counts(lengths).tolist())]
    return partition - torch.stack(expected)


def cpp_backend(*, canonical: bool, threads: int) -> Backend:
    """Return the functions that score and sum in C++, on this number of threads."""
    return Backend(
        CppEdgeNetwork,
        no_edges,
        partial(cpp_loss, canonical=canonical, threads=threads),
        partial(cpp_posteriors, canonical=canonical, threads=threads),
        partial(cpp_cross_entropy, canonical=canonical, threads=threads),
    )


class CppEdgeNetwork(EdgeNetwork):
    """A network that returns the scores of all edges of a batch as one flat array."""

    def score(self, states: Tensor, batch: Batch) -> Tensor:
        """Score the edges of a batch: by sentence, then edge, then straight and inverted."""
        sizes = _lengths(batch)
        row = states.shape[1]
        at = torch.from_numpy(
            np.concatenate([b * row + np.arange(n + 1) for b, n in enumerate(sizes.tolist())])
        )
        forward, backward = states.flatten(0, 1).chunk(2, dim=-1)
        borders = self.drop(
            torch.cat([forward.index_select(0, at), backward.index_select(0, at + 1)], dim=-1)
        )
        left, right = self.span_left(borders), self.span_right(borders)
        drop = self._dropout_masks(self.shape.span_size)
        constants: Any = (width_buckets(int(sizes.max())), sizes, *drop, self.threads)
        spans = _NativeLayer.apply(  # type: ignore[no-untyped-call]
            _native.crf_spans, _native.crf_spans_back, constants, left, right, self.width.weight
        )
        swaps = self.pair_scores(states)
        swaps = states.new_zeros((0, 0, 0)) if swaps is None else swaps
        roles = self.roles(spans)
        constants = (sizes, *self._dropout_masks(self.shape.edge_size), self.threads)
        return _NativeLayer.apply(  # type: ignore[no-any-return, no-untyped-call]
            _native.crf_edges,
            _native.crf_edges_back,
            constants,
            roles,
            self.edge.weight,
            self.edge.bias,
            swaps,
        )

    def states(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Run the LSTM one direction at a time, which is fast in torch on a CPU.

        Sentences are reversed within their own length, so that padding comes last in both directions.
        """
        batch, time = inputs.shape[:2]
        at = torch.arange(time)
        reverse = torch.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)
        rows = (torch.arange(batch)[:, None] * time + reverse).flatten()

        def reversed_rows(states: Tensor) -> Tensor:
            return states.flatten(0, 1).index_select(0, rows).view_as(states)

        zero = inputs.new_zeros((1, batch, self.shape.units))
        for layer in range(self.shape.layers):
            if layer:
                inputs = self.drop(inputs)
            both = []
            for end, turn in ((f"l{layer}", None), (f"l{layer}_reverse", reversed_rows)):
                weights = [getattr(self.lstm, f"{kind}_{end}") for kind in LSTM_WEIGHTS]
                states = turn(inputs) if turn else inputs
                states = torch.lstm(states, (zero, zero), weights, True, 1, 0.0, self.training, False, True)[
                    0
                ]
                both.append(turn(states) if turn else states)
            inputs = torch.cat(both, dim=-1)
        return inputs

    def _dropout_masks(self, size: int) -> DropoutMasks:
        if not self.training or not self.drop.p:
            return no_dropout(size), 0
        masks = (torch.rand((MASKS, size)) >= self.drop.p).float() / (1 - self.drop.p)
        return masks.numpy(), int(torch.randint(2**62, ()))
