"""Sums over all binary reorderings of many sentences at once, in torch.

An edge ``(i, k, j)`` joins the blocks of words ``i..k-1`` and ``k..j-1``, straight or inverted. The edges of
sentences of up to N words are in one list, as in :mod:`wordorder.preorder.crf.forest`: by width ``j - i``,
then by start, then by cut. So the edges of one width are one slice, and the blocks that they join are slices
of two charts: one laid out by start, one by end. The batch is the last dimension. Shorter sentences read
their value where they end; what lies beyond is never used.
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from typing import Any, NamedTuple

import torch
from torch import Tensor

from wordorder.preorder.crf.forest import edges


class Edges(NamedTuple):
    """All edges of N words: their borders, and the first edge of each width."""

    words: int
    start: Tensor
    split: Tensor
    end: Tensor
    offsets: tuple[int, ...]  # the edges of width w are offsets[w] .. offsets[w + 1] - 1

    def __len__(self) -> int:
        return self.offsets[-1]


@lru_cache(maxsize=512)
def edges_of(words: int, device: str = "cpu") -> Edges:
    """Return the ``(words + 1 choose 3)`` edges of a sentence."""
    i, k, j = torch.tensor(edges(words).T, dtype=torch.int64, device=device)
    each = [0, 0, *((width - 1) * (words - width + 1) for width in range(2, words + 1))]
    offsets = [0, *itertools.accumulate(each)]
    return Edges(words, i, k, j, tuple(offsets))


class _Charts:
    """Values of spans, by start ``[size, start]`` and by end ``[words - size, end]``."""

    def __init__(self, like: Tensor, edges: Edges) -> None:
        n, batch = edges.words, like.shape[1]
        self.n, self.offsets = n, edges.offsets
        self.by_start = like.new_zeros((n + 1, n + 1, batch))
        self.by_end = like.new_zeros((n + 1, n + 1, batch))

    def pairs(self, values: Tensor, width: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return left blocks, right blocks and edges of one width, each ``[size of left, start, batch]``."""
        n, places = self.n, self.n - width + 1
        left = self.by_start[1:width, :places]
        right = self.by_end[n - width + 1 : n, width:]
        own = values[self.offsets[width] : self.offsets[width + 1]].view(places, width - 1, -1)
        return left, right, own.transpose(0, 1)

    def put(self, width: int, sums: Tensor) -> None:
        self.by_start[width, : self.n - width + 1] = sums
        self.by_end[self.n - width, width:] = sums

    def at(self, width: int) -> Tensor:
        return self.by_start[width, : self.n - width + 1]


class _TorchInside(torch.autograd.Function):
    """The log sum over trees; its gradient is the posterior of every edge."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, sizes: Tensor, edges: Edges) -> Tensor:  # type: ignore[override]
        charts = _Charts(values, edges)
        for width in range(2, edges.words + 1):
            left, right, own = charts.pairs(values, width)
            charts.put(width, torch.logsumexp(left + right + own, dim=0))
        ctx.charts, ctx.edges = charts, edges
        ctx.save_for_backward(values, sizes)
        return charts.by_start[sizes, 0, torch.arange(len(sizes), device=values.device)]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        values, sizes = ctx.saved_tensors
        charts, edges = ctx.charts, ctx.edges
        n = edges.words
        outer = _Charts(values, edges)
        outer.by_start[sizes, 0, torch.arange(len(sizes), device=values.device)] = grads[0]
        posterior = torch.zeros_like(values)
        for width in range(n, 1, -1):
            mass = outer.at(width) + outer.by_end[n - width, width:]
            left, right, own = charts.pairs(values, width)
            share = torch.exp(left + right + own - charts.at(width)) * mass
            into_left, into_right, into_edge = outer.pairs(posterior, width)
            into_left += share
            into_right += share
            into_edge.copy_(share)
        return posterior, None, None


def log_partition(values: Tensor, sizes: Tensor, edges: Edges) -> Tensor:
    """Return the log sum over trees of each sentence from ``values [edge, batch]``."""
    if values.is_cuda:
        try:
            from wordorder.preorder.crf import inside_triton
        except ModuleNotFoundError:  # on some systems torch is installed without triton
            pass
        else:
            return inside_triton.log_partition(values, sizes, edges.words)
    return _TorchInside.apply(values, sizes, edges)  # type: ignore[no-any-return]


def log_partition_oriented(scores: Tensor, sizes: Tensor, edges: Edges) -> Tensor:
    """Return the log sum over trees from scores ``[edge, batch, 2]``, straight and inverted."""
    return log_partition(torch.logaddexp(scores[..., 0], scores[..., 1]), sizes, edges)


def posteriors(scores: Tensor, sizes: Tensor, edges: Edges) -> Tensor:
    """Return the probability of each oriented edge, in the shape of the scores."""
    with torch.enable_grad():
        leaf = scores.detach().requires_grad_()
        total = log_partition_oriented(leaf, sizes, edges).sum()
        return torch.autograd.grad(total, leaf)[0]


def rectangles(table: Tensor, edges: Edges) -> Tensor:
    """Sum ``table[batch, a, b]`` over words a of the left and b of the right block of each edge."""
    n = edges.words
    sums = torch.nn.functional.pad(table.cumsum(1).cumsum(2), (1, 0, 1, 0))
    flat = sums.flatten(1).t()  # [(n + 1)^2, batch]
    i, k, j = edges.start, edges.split, edges.end
    row = n + 1
    return flat[k * row + j] - flat[i * row + j] - flat[k * row + k] + flat[i * row + k]


def soft_forest(costs: Tensor, edges: Edges) -> Tensor:
    """Return log weights of edges ``[edge, batch, 2]`` from the costs ``[batch, 2, a, b]`` of pairs a < b."""
    return -torch.stack([rectangles(costs[:, way], edges) for way in (0, 1)], dim=-1)
