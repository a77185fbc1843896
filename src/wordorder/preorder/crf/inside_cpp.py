"""The network on a CPU: its last layers and the sums over trees in C++, sentence after sentence, no padding.

:class:`RaggedScorer` has the weights of :class:`wordorder.preorder.crf.network.EdgeScorer` and computes the
same scores, but as one flat row: the sentences of a batch one after the other, as
:mod:`wordorder.preorder.crf.forest` has them. :func:`ragged_loss` is the loss of such a row. Neither keeps
the hidden units of edges, which are most of what training would have to store: their derivatives are computed
from the spans again. Dropout of spans and edges chooses for each one of ``MASKS`` random masks. The number of
threads makes no difference to any number.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from wordorder import _native
from wordorder.arrays import Doubles, Floats, Ints
from wordorder.preorder.crf.inside_torch import Edges
from wordorder.preorder.crf.layout import width_bucket
from wordorder.preorder.crf.network import Batch, EdgeScorer
from wordorder.preorder.crf.objectives import Backend

MASKS = 256
WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
Drop = tuple[Floats, int]  # rows of factors, and the seed of the choice among them


def _array(tensor: Tensor) -> Floats:
    made: Floats = tensor.detach().contiguous().numpy()
    return made


@lru_cache(maxsize=8)
def _buckets(longest: int) -> Ints:
    return np.array([width_bucket(width) for width in range(longest + 1)], dtype=np.int32)


def no_edges(words: int, device: str) -> Edges:
    """What stands for the list of edges, which is long and not needed here."""
    none = torch.empty(0, dtype=torch.int64, device=device)
    return Edges(words, none, none, none, (0,))


class _Spans(torch.autograd.Function):
    """Hidden units of all spans, from what their starts, ends and widths add."""

    @staticmethod
    def forward(
        ctx: Any, left: Tensor, right: Tensor, width: Tensor, lengths: Ints, drop: Drop, threads: int
    ) -> Tensor:
        buckets = _buckets(int(lengths.max()))
        given: Any = (_array(left), _array(right), _array(width), buckets, lengths, *drop, threads)
        ctx.given = given
        return torch.from_numpy(_native.crf_spans(*given))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        found = _native.crf_spans_back(_array(grads[0]), *ctx.given)
        return (*(torch.from_numpy(one) for one in found), None, None, None)


class _Edges(torch.autograd.Function):
    """Scores of all edges, from their spans in three roles and from scores of pairs."""

    @staticmethod
    def forward(
        ctx: Any,
        spans: Tensor,
        weight: Tensor,
        bias: Tensor,
        turned: Tensor,
        lengths: Ints,
        drop: Drop,
        threads: int,
    ) -> Tensor:
        given: Any = (_array(spans), _array(weight), _array(bias), _array(turned), lengths, *drop, threads)
        ctx.given = given
        return torch.from_numpy(_native.crf_edges(*given))

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        found = _native.crf_edges_back(_array(grads[0]), *ctx.given)
        return (*(torch.from_numpy(one) for one in found), None, None, None)


def _lengths(batch: Batch) -> Ints:
    made: Ints = batch.lengths.numpy().astype(np.int32)
    return made


def _sizes(lengths: Ints) -> NDArray[np.int64]:
    """How many scores each sentence has."""
    n = lengths.astype(np.int64)
    return (n + 1) * n * (n - 1) // 3


class _Known(torch.autograd.Function):
    """Numbers of sentences that were computed elsewhere, and their derivatives by all scores."""

    @staticmethod
    def forward(ctx: Any, scores: Tensor, values: Doubles, gradient: Floats, lengths: Ints) -> Tensor:
        ctx.gradient, ctx.sizes = gradient, _sizes(lengths)
        return torch.from_numpy(values).to(scores.dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Any, ...]:
        each = np.repeat(_array(grads[0]), ctx.sizes)
        return torch.from_numpy(ctx.gradient * each), None, None, None


def ragged_loss(scores: Tensor, batch: Batch, *, canonical: bool = False, threads: int = 1) -> Tensor:
    """The loss of each sentence, from its links: :func:`forest_loss` for a flat row of scores."""
    lengths = _lengths(batch)
    weights = _native.crf_pair_weights(_array(batch.costs), lengths, threads)
    found = _native.crf_loss(_array(scores), lengths, weights, canonical, threads)
    return _Known.apply(scores, *found, lengths)  # type: ignore[no-any-return, no-untyped-call]


def ragged_posteriors(scores: Tensor, batch: Batch, *, canonical: bool = False, threads: int = 1) -> Tensor:
    """The probability of every edge."""
    return torch.from_numpy(_native.crf_posteriors(_array(scores), _lengths(batch), canonical, threads)[1])


def ragged_cross_entropy(
    scores: Tensor, batch: Batch, wanted: Tensor, *, canonical: bool = False, threads: int = 1
) -> Tensor:
    """As :func:`wordorder.preorder.crf.objectives.cross_entropy`, for a flat row of scores."""
    lengths = _lengths(batch)
    # The gradient of log Z is the posterior of every edge.
    found = _native.crf_posteriors(_array(scores), lengths, canonical, threads)
    every: Tensor = _Known.apply(scores, *found, lengths)  # type: ignore[no-untyped-call]
    expected = [part.sum() for part in (wanted * scores).split(_sizes(lengths).tolist())]
    return every - torch.stack(expected)


def ragged_backend(*, canonical: bool, threads: int) -> Backend:
    """Everything in C++, on so many threads."""
    return Backend(
        RaggedScorer,
        no_edges,
        partial(ragged_loss, canonical=canonical, threads=threads),
        partial(ragged_posteriors, canonical=canonical, threads=threads),
        partial(ragged_cross_entropy, canonical=canonical, threads=threads),
    )


class RaggedScorer(EdgeScorer):
    """Scores of all edges of a batch in one row; see the module."""

    def forward(self, batch: Batch) -> Tensor:
        """As :meth:`EdgeScorer.forward`, but flat: sentences, edges, straight and inverted."""
        states = self.read(batch)
        sizes = _lengths(batch)
        row = states.shape[1]
        each = [b * row + np.arange(n + 1) for b, n in enumerate(sizes.tolist())]
        at = torch.from_numpy(np.concatenate(each))
        ahead, back = states.flatten(0, 1).chunk(2, dim=-1)
        borders = self.drop(torch.cat([ahead.index_select(0, at), back.index_select(0, at + 1)], dim=-1))
        units = _Spans.apply(  # type: ignore[no-untyped-call]
            self.span_left(borders),
            self.span_right(borders),
            self.width.weight,
            sizes,
            self._dropped(self.shape.span_size),
            self.threads,
        )
        turned = states.new_zeros((0, 0, 0))
        if self.pair is not None:
            first, second = self.pair(self.drop(states[:, 1:-1])).chunk(2, dim=-1)
            turned = first @ second.transpose(1, 2) / self.shape.pair_size
        return _Edges.apply(  # type: ignore[no-any-return, no-untyped-call]
            self.roles(units),
            self.edge.weight,
            self.edge.bias,
            turned,
            sizes,
            self._dropped(self.shape.edge_size),
            self.threads,
        )

    def states(self, given: Tensor, lengths: Tensor) -> Tensor:
        """As :meth:`EdgeScorer.states`, one way at a time, which is what torch is quick at on a CPU.

        Sentences are turned round within their own length, so that what lies beyond their end comes last both
        ways.
        """
        batch, time = given.shape[:2]
        at = torch.arange(time)
        turned = torch.where(at < lengths[:, None], lengths[:, None] - 1 - at, at)
        rows = (torch.arange(batch)[:, None] * time + turned).flatten()

        def around(states: Tensor) -> Tensor:
            return states.flatten(0, 1).index_select(0, rows).view_as(states)

        zero = given.new_zeros((1, batch, self.shape.units))
        for layer in range(self.shape.layers):
            if layer:
                given = self.drop(given)
            both = []
            for end, turn in ((f"l{layer}", None), (f"l{layer}_reverse", around)):
                weights = [getattr(self.lstm, f"{kind}_{end}") for kind in WEIGHTS]
                read = turn(given) if turn else given
                read = torch.lstm(read, (zero, zero), weights, True, 1, 0.0, self.training, False, True)[0]
                both.append(turn(read) if turn else read)
            given = torch.cat(both, dim=-1)
        return given

    def _dropped(self, size: int) -> Drop:
        if not self.training or not self.drop.p:
            return np.ones((1, size), np.float32), 0
        masks = (torch.rand((MASKS, size)) >= self.drop.p).float() / (1 - self.drop.p)
        return masks.numpy(), int(torch.randint(2**62, ()))
