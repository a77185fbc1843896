"""The network on a CPU: its last layers and the sums over trees in C++, sentence after sentence, no padding.

:class:`RaggedScorer` has the weights of :class:`wordorder.preorder.crf.network.EdgeScorer` and computes the
same scores, but as one flat row: the sentences of a batch one after the other, as
:mod:`wordorder.preorder.crf.forest` has them. :func:`ragged_loss` is the loss of such a row. Neither keeps
the hidden units of edges, which are most of what training would have to store: their derivatives are computed
from the spans again. Dropout of spans and edges chooses for each one of ``MASKS`` random masks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordorder import _native
from wordorder.preorder.crf.charts import Edges
from wordorder.preorder.crf.layout import width_bucket
from wordorder.preorder.crf.network import EdgeScorer
from wordorder.preorder.crf.training import Batch

MASKS = 256
Floats = NDArray[np.float32]
Ints = NDArray[np.int32]


def _array(tensor: Tensor) -> Floats:
    made: Floats = tensor.detach().contiguous().numpy()
    return made


def _threads() -> int:
    return torch.get_num_threads()


@lru_cache(maxsize=8)
def _buckets(longest: int) -> Ints:
    return np.array([width_bucket(width) for width in range(longest + 1)], dtype=np.int32)


class _Spans(torch.autograd.Function):
    """Hidden units of all spans, from what their starts, ends and widths add."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, left: Tensor, right: Tensor, width: Tensor, lengths: Ints, masks: Floats, seed: int
    ) -> Tensor:
        given = (_array(left), _array(right), _array(width), _buckets(int(lengths.max())), lengths, masks, seed)
        ctx.given = given
        return torch.from_numpy(_native.crf_spans(*given, _threads()))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        found = _native.crf_spans_back(*ctx.given, _array(grads[0]), _threads())
        return (*map(torch.from_numpy, found), None, None, None)


class _Edges(torch.autograd.Function):
    """Scores of all edges, from their spans in three roles and from scores of pairs."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any,
        spans: Tensor,
        weight: Tensor,
        bias: Tensor,
        turned: Tensor,
        lengths: Ints,
        masks: Floats,
        seed: int,
    ) -> Tensor:
        ctx.given = (*map(_array, (spans, weight, bias, turned)), lengths, masks, seed)
        return torch.from_numpy(_native.crf_edges(*ctx.given, _threads()))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        found = _native.crf_edges_back(*ctx.given, _array(grads[0]), _threads())
        return (*map(torch.from_numpy, found), None, None, None)


class _Loss(torch.autograd.Function):
    """Log Z of all trees less log Z of the weighted ones, for each sentence."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, weights: Floats, lengths: Ints) -> Tensor:  # type: ignore[override]
        losses, gradient = _native.crf_loss(_array(scores), lengths, weights, False, _threads())
        ctx.gradient, ctx.lengths = gradient, lengths
        return torch.from_numpy(losses).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        n = ctx.lengths.astype(np.int64)
        each = np.repeat(_array(grads[0]), (n + 1) * n * (n - 1) // 3)
        return torch.from_numpy(ctx.gradient * each), None, None


def ragged_loss(scores: Tensor, batch: Batch) -> Tensor:
    """The loss of each sentence, from its links: :func:`forest_loss` for a flat row of scores."""
    lengths = batch.lengths.numpy().astype(np.int32)
    weights = _native.crf_pair_weights(_array(batch.costs), lengths, _threads())
    return _Loss.apply(scores, weights, lengths)  # type: ignore[no-any-return, no-untyped-call]


class RaggedScorer(EdgeScorer):
    """Scores of all edges of a batch in one row; see the module."""

    def forward(self, numbers: Tensor, pieces: Tensor, lengths: Tensor, tags: Tensor, edges: Edges) -> Tensor:
        """As :meth:`EdgeScorer.forward`, but flat: sentences, edges, straight and inverted."""
        states = self._read(numbers, pieces, lengths, tags)
        sizes = lengths.numpy().astype(np.int32)
        row = states.shape[1]
        at = torch.from_numpy(np.concatenate([b * row + np.arange(n + 1) for b, n in enumerate(sizes.tolist())]))
        ahead, back = states.flatten(0, 1).chunk(2, dim=-1)
        borders = self.drop(torch.cat([ahead.index_select(0, at), back.index_select(0, at + 1)], dim=-1))
        parts = self.span_left(borders), self.span_right(borders), self.width.weight
        units = _Spans.apply(*parts, sizes, *self._masks(self.shape.span_size))  # type: ignore[no-untyped-call]
        if self.pair is None:
            turned = states.new_zeros((0, 0, 0))
        else:
            first, second = self.pair(self.drop(states[:, 1:-1])).chunk(2, dim=-1)
            turned = first @ second.transpose(1, 2) / self.shape.pair_size
        return _Edges.apply(  # type: ignore[no-any-return, no-untyped-call]
            self.roles(units),
            self.edge.weight,
            self.edge.bias,
            turned,
            sizes,
            *self._masks(self.shape.edge_size),
        )

    def _masks(self, size: int) -> tuple[Floats, int]:
        """Random rows of factors, and the seed of the choice among them."""
        if not self.training or not self.drop.p:
            return np.ones((1, size), np.float32), 0
        keep = (torch.rand((MASKS, size)) >= self.drop.p).float() / (1 - self.drop.p)
        return keep.numpy(), int(torch.randint(2**62, ()))
