"""Sums over all trees on a GPU, with one kernel per batch instead of several per width.

Computes the same as :mod:`wordorder.preorder.crf.inside_torch`. One program handles one sentence and goes
through its widths; the cuts and starts of a width are processed in tiles. Inside values are
``[sentence, width, start]``. An edge adds to the outside of its left and of its right block in separate
charts: within one width every cell of either is written once, so the order of additions is always the same.

Requires triton, which torch installs on systems with a GPU.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

CUTS, STARTS = 16, 32  # a tile


@triton.jit  # type: ignore[untyped-decorator]
def _inside_kernel(values, chart, sizes, words, batch, CUTS: tl.constexpr, STARTS: tl.constexpr):  # type: ignore[no-untyped-def]
    b = tl.program_id(0)
    n = tl.load(sizes + b)
    row = words + 1
    own = chart + b * row * row
    offset = words * 0  # has the type of the numbers that are added
    for width in range(2, n + 1):
        for begin in range(0, n - width + 1, STARTS):
            i = begin + tl.arange(0, STARTS)
            there = i < n - width + 1
            most = tl.full([STARTS], -float("inf"), tl.float32)
            total = tl.zeros([STARTS], tl.float32)
            for first in range(1, width, CUTS):
                k = first + tl.arange(0, CUTS)
                ok = (k < width)[:, None] & there[None]
                left = tl.load(own + k[:, None] * row + i[None], ok, 0.0)
                right = tl.load(own + (width - k)[:, None] * row + (i[None] + k[:, None]), ok, 0.0)
                edge = (offset + i[None] * (width - 1) + k[:, None] - 1) * batch + b
                x = left + right + tl.load(values + edge, ok, -float("inf"))
                x = tl.where(ok, x, -float("inf"))
                high = tl.maximum(most, tl.max(x, axis=0))
                high = tl.where(there, high, 0.0)
                total = total * tl.exp(most - high) + tl.sum(tl.exp(x - high[None]), axis=0)
                most = high
            tl.store(own + width * row + i, most + tl.log(total), there)
        offset += (width - 1) * (words - width + 1)
        tl.debug_barrier()


@triton.jit  # type: ignore[untyped-decorator]
def _outside_kernel(  # type: ignore[no-untyped-def]
    values, chart, lefts, rights, posterior, sizes, words, batch, CUTS: tl.constexpr, STARTS: tl.constexpr
):
    b = tl.program_id(0)
    n = tl.load(sizes + b)
    row = words + 1
    at = b * row * row
    offset = words * 0
    for width in range(2, n + 1):
        offset += (width - 1) * (words - width + 1)
    for back in range(n - 1):
        width = n - back
        offset -= (width - 1) * (words - width + 1)
        for begin in range(0, n - width + 1, STARTS):
            i = begin + tl.arange(0, STARTS)
            there = i < n - width + 1
            cell = at + width * row + i
            mass = tl.load(lefts + cell, there, 0.0) + tl.load(rights + cell, there, 0.0)
            inside = tl.load(chart + cell, there, 0.0)
            for first in range(1, width, CUTS):
                k = first + tl.arange(0, CUTS)
                ok = (k < width)[:, None] & there[None]
                left = at + k[:, None] * row + i[None]
                right = at + (width - k)[:, None] * row + (i[None] + k[:, None])
                edge = (offset + i[None] * (width - 1) + k[:, None] - 1) * batch + b
                x = tl.load(chart + left, ok, 0.0) + tl.load(chart + right, ok, 0.0)
                x += tl.load(values + edge, ok, 0.0) - inside[None]
                share = tl.exp(x) * mass[None]
                tl.store(posterior + edge, share, ok)
                tl.store(lefts + left, tl.load(lefts + left, ok, 0.0) + share, ok)
                tl.store(rights + right, tl.load(rights + right, ok, 0.0) + share, ok)
        tl.debug_barrier()


def log_partition(values: Tensor, sizes: Tensor, words: int) -> Tensor:
    """Return the log sum over trees from ``values [edge, batch]``, for sentences of up to ``words`` words."""
    return _TritonInside.apply(values, sizes, words)


class _TritonInside(torch.autograd.Function):
    """The log sum over trees; its gradient is the posterior of every edge."""

    @staticmethod
    def forward(ctx: Any, values: Tensor, sizes: Tensor, words: int) -> Tensor:  # type: ignore[override]
        values = values.float().contiguous()
        batch = len(sizes)
        sizes = sizes.to(values.device, torch.int32)
        chart = values.new_zeros((batch, words + 1, words + 1))
        _inside_kernel[(batch,)](values, chart, sizes, words, batch, CUTS, STARTS)
        ctx.words = words
        ctx.save_for_backward(values, chart, sizes)
        return chart[torch.arange(batch, device=values.device), sizes.long(), 0]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None, None]:
        values, chart, sizes = ctx.saved_tensors
        batch = len(sizes)
        lefts, rights, posterior = torch.zeros_like(chart), torch.zeros_like(chart), torch.zeros_like(values)
        lefts[torch.arange(batch, device=values.device), sizes.long(), 0] = grads[0].float()
        _outside_kernel[(batch,)](
            values, chart, lefts, rights, posterior, sizes, ctx.words, batch, CUTS, STARTS
        )
        return posterior, None, None
