"""The network of the forest CRF in torch, for training.

:mod:`wordorder.preorder.crf.network` describes it and applies it in numpy.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from wordorder.neural.words import END, UNKNOWN
from wordorder.preorder.crf.inside_torch import Edges, rectangles
from wordorder.preorder.crf.network import WIDTH_BUCKETS, NetworkShape, width_buckets


class Batch(NamedTuple):
    """Sentences of similar length as tensors, the longest first; words include sentence boundaries."""

    numbers: Tensor  # [batch, n + 2]
    ngrams: Tensor  # [batch, n + 2, k]
    labels: Tensor  # [batch, n + 2]
    sizes: Tensor  # lengths of sentences in words
    languages: Tensor
    costs: Tensor  # [batch, 2, a, b]: of leaving words a < b in place, of swapping them
    linked: Tensor  # [batch, n]: whether words have links; -1: not known
    trees: Tensor  # [4, batch, n]: tags, heads and relations (SyntaxLayers.losses); -1: not known
    edges: Edges
    lengths: Tensor  # the sizes again, on the CPU
    places: list[int]  # of the sentences in the list they come from


@lru_cache(maxsize=512)
def _width_table(borders: int, device: str) -> Tensor:
    """Return the width bucket between each two borders."""
    at = np.arange(borders)
    return torch.tensor(width_buckets(borders)[np.abs(at[:, None] - at)], dtype=torch.int64, device=device)


class EdgeNetwork(nn.Module):
    """A network that returns the scores ``[edge, batch, 2]`` of all edges, straight and inverted."""

    threads = 1  # for C++ code

    def __init__(self, shape: NetworkShape, *, dropout: float = 0.5, word_dropout: float = 0.1) -> None:
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
        self.width = nn.Embedding(WIDTH_BUCKETS, shape.span_size)
        self.roles = nn.Linear(shape.span_size, 3 * shape.edge_size)  # as left part, right part, whole
        self.edge = nn.Linear(shape.edge_size, 2)
        self.pair = nn.Linear(both, 2 * shape.pair_size) if shape.pair_size else None
        self.linked = nn.Linear(both, 1) if shape.linked else None
        with torch.no_grad():
            self.word.weight.normal_(std=0.3)
            self.piece.weight.normal_(std=0.3)
            self.piece.weight[0] = 0
            self.width.weight.normal_(std=0.1)
            # At first, edges differ by the bias alone. The overall rate of inversions is learned before
            # everything else, and no hidden units die in the course of it.
            self.edge.weight.zero_()

    def forward(self, batch: Batch) -> Tensor:
        """Score the edges of a batch."""
        return self.score(self.read(batch), batch)

    def score(self, states: Tensor, batch: Batch) -> Tensor:
        """Score the edges of a batch from the states of its words."""
        edges = batch.edges
        forward, backward = states.chunk(2, dim=-1)
        borders = torch.cat([forward[:, :-1], backward[:, 1:]], dim=-1)  # [batch, n + 1, 2 units]
        left, right, whole = self._spans(borders).chunk(3, dim=-1)
        row = edges.words + 1
        i, k, j = edges.start, edges.split, edges.end
        hidden = (
            left.index_select(0, i * row + k)
            + right.index_select(0, k * row + j)
            + whole.index_select(0, i * row + j)
        )
        scores: Tensor = self.edge(self.drop(torch.relu(hidden)))
        swaps = self.pair_scores(states)
        if swaps is None:
            return scores
        return scores + torch.stack([torch.zeros_like(scores[..., 0]), rectangles(swaps, edges)], dim=-1)

    def pair_scores(self, states: Tensor) -> Tensor | None:
        """Return the scores ``[batch, a, b]`` of word pairs for changing places, if the network has any."""
        if self.pair is None:
            return None
        first, second = self.pair(self.drop(states[:, 1:-1])).chunk(2, dim=-1)
        return first @ second.transpose(1, 2) / self.shape.pair_size

    def linked_scores(self, states: Tensor) -> Tensor:
        """Return the log odds ``[batch, n]`` that words have links; 0 if the network does not know."""
        words = states[:, 1:-1]
        scores: Tensor = self.linked(self.drop(words)).squeeze(-1) if self.linked else words[..., 0] * 0
        return scores

    def read(self, batch: Batch) -> Tensor:
        """Return the states ``[batch, n + 2, 2 units]`` of words and sentence boundaries."""
        numbers, ngrams = batch.numbers, batch.ngrams
        if self.training and self.word_dropout:
            hidden = torch.rand(numbers.shape, device=numbers.device) < self.word_dropout
            numbers = numbers.masked_fill(hidden & (numbers > END), UNKNOWN)
        count = (ngrams > 0).sum(-1, keepdim=True).clamp(min=1)
        parts = [self.word(numbers), self.piece(ngrams).sum(-2) / count]
        if self.shape.languages > 1:
            parts.append(self.language(batch.languages)[:, None].expand(-1, numbers.shape[1], -1))
        if self.label is not None:
            parts.append(self.label(batch.labels))
        return self.states(self.drop_input(torch.cat(parts, dim=-1)), batch.lengths + 2)

    def states(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        """Run the LSTM over inputs ``[batch, time, size]`` of these lengths."""
        packed = pack_padded_sequence(inputs, lengths, batch_first=True)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=inputs.shape[1])
        return states

    def _spans(self, borders: Tensor) -> Tensor:
        """Return ``[(n + 1)^2, batch, 3 edge_size]``: what each span adds to edges in its three roles."""
        borders = self.drop(borders).transpose(0, 1)
        widths = self.width(_width_table(len(borders), str(borders.device)))[:, :, None]
        hidden = self.span_left(borders)[:, None] + self.span_right(borders)[None] + widths
        spans: Tensor = self.roles(self.drop(torch.relu(hidden)))
        return spans.flatten(0, 1)
