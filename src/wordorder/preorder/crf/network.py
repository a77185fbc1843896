"""The scores of edges from the words of a sentence: the network of the forest CRF, in torch.

Words, pieces of their spelling, their labels and the target language go through a bidirectional LSTM. A
*border* between words is what the LSTM has read on either side of it. A *span* is a hidden layer over its two
borders and its width; an *edge* is a hidden layer over its left block, its right block and the whole. Both
are sums of terms that are computed once for each border or span, so that an edge costs two additions and a
product with two vectors. Besides, every pair of words has a score for changing places, summed over the two
blocks that an inverted edge turns around.

:mod:`wordorder.preorder.crf.neural` computes the same in numpy.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from wordorder.preorder.crf.inside_torch import Edges, rectangles
from wordorder.preorder.crf.layout import WIDTHS, width_bucket


@dataclass(frozen=True, kw_only=True)
class Shape:
    """The sizes of a network."""

    words: int
    buckets: int
    languages: int = 1
    word_size: int = 100
    piece_size: int = 50
    language_size: int = 8
    units: int = 200  # of the LSTM, each way
    layers: int = 2
    span_size: int = 128
    edge_size: int = 96
    pair_size: int = 0  # of vectors that score pairs of words; 0: no such scores
    labels: int = 0  # of words, the unknown one included; 0: words have none
    label_size: int = 16

    @property
    def input_size(self) -> int:
        """The numbers that stand for a word."""
        language = self.language_size if self.languages > 1 else 0
        return self.word_size + self.piece_size + language + (self.label_size if self.labels else 0)


class Batch(NamedTuple):
    """Sentences of similar length, the longest first, as tensors; types of words with sentence borders."""

    numbers: Tensor  # [batch, n + 2]
    pieces: Tensor  # [batch, n + 2, p]
    labels: Tensor  # [batch, n + 2]
    sizes: Tensor  # of sentences, in words
    tags: Tensor
    costs: Tensor  # [batch, 2, a, b]: of leaving a < b as they are, of turning them around
    edges: Edges
    lengths: Tensor  # the sizes again, on the CPU
    places: list[int]  # of the sentences in what was batched


@lru_cache(maxsize=512)
def _buckets(borders: int, device: str) -> Tensor:
    rows = [[width_bucket(abs(b - a)) for b in range(borders)] for a in range(borders)]
    return torch.tensor(rows, device=device)


class EdgeScorer(nn.Module):
    """Scores ``[edge, batch, 2]`` of all edges, straight and inverted, from the types of words."""

    threads = 1  # of what torch does not do

    def __init__(self, shape: Shape, *, dropout: float = 0.5, word_dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.word_dropout = word_dropout
        self.drop = nn.Dropout(dropout)
        self.drop_input = nn.Dropout(dropout / 2)
        self.word = nn.Embedding(shape.words, shape.word_size)
        self.piece = nn.Embedding(shape.buckets, shape.piece_size, padding_idx=0)
        self.language = nn.Embedding(shape.languages, shape.language_size)
        self.label = nn.Embedding(shape.labels, shape.label_size) if shape.labels else None
        self.lstm = nn.LSTM(
            shape.input_size, shape.units, shape.layers, batch_first=True, bidirectional=True, dropout=dropout
        )
        both = 2 * shape.units
        self.span_left = nn.Linear(both, shape.span_size)
        self.span_right = nn.Linear(both, shape.span_size, bias=False)
        self.width = nn.Embedding(WIDTHS, shape.span_size)
        self.roles = nn.Linear(shape.span_size, 3 * shape.edge_size)  # as left block, right block, whole
        self.edge = nn.Linear(shape.edge_size, 2)
        self.pair = nn.Linear(both, 2 * shape.pair_size) if shape.pair_size else None
        with torch.no_grad():
            self.word.weight.normal_(std=0.3)
            self.piece.weight.normal_(std=0.3)
            self.piece.weight[0] = 0
            self.width.weight.normal_(std=0.1)
            # At first edges differ by the bias alone: how often blocks are inverted is learned before all
            # else, and does not cost the units of the hidden layer their lives.
            self.edge.weight.zero_()

    def forward(self, batch: Batch) -> Tensor:
        """The scores of a batch."""
        states, edges = self.read(batch), batch.edges
        ahead, back = states.chunk(2, dim=-1)
        borders = torch.cat([ahead[:, :-1], back[:, 1:]], dim=-1)  # [batch, n + 1, 2 units]
        left, right, whole = self._spans(borders).chunk(3, dim=-1)
        row = edges.words + 1
        i, k, j = edges.start, edges.split, edges.end
        hidden = (
            left.index_select(0, i * row + k)
            + right.index_select(0, k * row + j)
            + whole.index_select(0, i * row + j)
        )
        scores: Tensor = self.edge(self.drop(torch.relu(hidden)))
        if self.pair is None:
            return scores
        first, second = self.pair(self.drop(states[:, 1:-1])).chunk(2, dim=-1)
        turned = first @ second.transpose(1, 2) / self.shape.pair_size
        apart = torch.stack([torch.zeros_like(scores[..., 0]), rectangles(turned, edges)], dim=-1)
        return scores + apart

    def read(self, batch: Batch) -> Tensor:
        """States ``[batch, n + 2, 2 units]`` of words with sentence borders."""
        numbers, pieces = batch.numbers, batch.pieces
        if self.training and self.word_dropout:
            hide = torch.rand(numbers.shape, device=numbers.device) < self.word_dropout
            numbers = numbers.masked_fill(hide & (numbers > 2), 0)
        count = (pieces > 0).sum(-1, keepdim=True).clamp(min=1)
        parts = [self.word(numbers), self.piece(pieces).sum(-2) / count]
        if self.shape.languages > 1:
            parts.append(self.language(batch.tags)[:, None].expand(-1, numbers.shape[1], -1))
        if self.label is not None:
            parts.append(self.label(batch.labels))
        return self.states(self.drop_input(torch.cat(parts, dim=-1)), batch.lengths + 2)

    def states(self, given: Tensor, lengths: Tensor) -> Tensor:
        """What the LSTM makes of inputs ``[batch, time, size]``, of which so many are there."""
        packed = pack_padded_sequence(given, lengths, batch_first=True)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=given.shape[1])
        return states

    def _spans(self, borders: Tensor) -> Tensor:
        """``[(n + 1)^2, batch, 3 edge_size]``: what each span adds to edges in its three roles."""
        borders = self.drop(borders).transpose(0, 1)
        n = len(borders)
        widths = self.width(_buckets(n, str(borders.device)))[:, :, None]
        hidden = self.span_left(borders)[:, None] + self.span_right(borders)[None] + widths
        found: Tensor = self.roles(self.drop(torch.relu(hidden)))
        return found.flatten(0, 1)
