"""The network of the parser in torch, for training.

:mod:`wordorder.parse.network` describes it and applies it without torch.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from wordorder.neural.words import END, UNKNOWN
from wordorder.parse.shape import CASES, ParserShape


class ParserBatch(NamedTuple):
    """Sentences as tensors, the longest first; words include the sentence boundaries."""

    numbers: Tensor  # [batch, n + 2]
    ngrams: Tensor  # [batch, n + 2, k]
    cases: Tensor  # [batch, n + 2]
    lengths: Tensor  # in words, without boundaries, on the CPU


class ParserScores(NamedTuple):
    """Scores of tags and heads before the softmax, and what relations are scored from.

    Words do not include the boundaries; heads begin with the root.
    """

    upos: Tensor  # [batch, n, tags]
    xpos: Tensor  # [batch, n, tags]
    heads: Tensor  # [batch, n, n + 1]
    states: Tensor  # [batch, n + 1, 2 units]


class ParserNetwork(nn.Module):
    """Tags, heads and relations of words, from the states of a bidirectional LSTM."""

    def __init__(self, shape: ParserShape, *, dropout: float = 0.33, word_dropout: float = 0.1) -> None:
        super().__init__()
        self.shape = shape
        self.word_dropout = word_dropout
        self.drop = nn.Dropout(dropout)
        self.word = nn.Embedding(shape.words, shape.word_size)
        self.piece = nn.Embedding(shape.buckets, shape.piece_size, padding_idx=0)
        self.case = nn.Embedding(CASES, shape.case_size)
        self.lstm = nn.LSTM(
            shape.input_size,
            shape.units,
            shape.layers,
            batch_first=True,
            bidirectional=True,
            dropout=dropout if shape.layers > 1 else 0.0,  # between layers
        )
        both, pair = 2 * shape.units, shape.relation_size + 1
        self.upos = nn.Linear(both, shape.upos)
        self.xpos = nn.Linear(both, shape.xpos)
        self.arc = nn.Linear(both, 2 * shape.arc_size)  # as a dependent, as a head
        self.arc_pair = nn.Linear(shape.arc_size, shape.arc_size)
        self.relation = nn.Linear(both, 2 * shape.relation_size)
        self.relation_pair = nn.Parameter(torch.zeros(shape.relations, pair, pair))
        with torch.no_grad():
            self.word.weight.normal_(std=0.3)
            self.piece.weight.normal_(std=0.3)
            self.piece.weight[0] = 0

    def read(self, batch: ParserBatch) -> Tensor:
        """Return the states ``[batch, n + 2, 2 units]`` of words and sentence boundaries."""
        numbers, ngrams = batch.numbers, batch.ngrams
        if self.training and self.word_dropout:
            hidden = torch.rand(numbers.shape, device=numbers.device) < self.word_dropout
            numbers = numbers.masked_fill(hidden & (numbers > END), UNKNOWN)
        count = (ngrams > 0).sum(-1, keepdim=True).clamp(min=1)
        parts = [self.word(numbers), self.piece(ngrams).sum(-2) / count, self.case(batch.cases)]
        inputs = self.drop(torch.cat(parts, dim=-1))
        packed = pack_padded_sequence(inputs, batch.lengths + 2, batch_first=True)
        states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=inputs.shape[1])
        return states

    def forward(self, batch: ParserBatch) -> ParserScores:
        """Score tags and heads; :meth:`relations` scores the relations to chosen heads."""
        states = self.drop(self.read(batch)[:, :-1])
        dependents, heads = self._halves(self.arc(states))
        scores = self.arc_pair(dependents[:, 1:]) @ heads.transpose(1, 2)
        places = torch.arange(states.shape[1], device=states.device)
        beyond = places > batch.lengths.to(states.device)[:, None]
        itself = places == places[1:, None]
        scores = scores.masked_fill(beyond[:, None] | itself[None], -1e9)
        return ParserScores(self.upos(states[:, 1:]), self.xpos(states[:, 1:]), scores, states)

    def relations(self, states: Tensor, heads: Tensor) -> Tensor:
        """Return the scores ``[batch, n, relations]`` of the relations to these heads ``[batch, n]``."""
        dependents, own = self._halves(self.relation(states))
        chosen = own.gather(1, heads[..., None].expand(-1, -1, own.shape[-1]))
        return torch.einsum(
            "bnx,rxy,bny->bnr", _extended(dependents[:, 1:]), self.relation_pair, _extended(chosen)
        )

    def _halves(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        first, second = self.drop(nn.functional.leaky_relu(hidden, 0.1)).chunk(2, dim=-1)
        return first, second


def _extended(vectors: Tensor) -> Tensor:
    """Append a 1, so that a bilinear form includes linear terms and a bias."""
    return nn.functional.pad(vectors, (0, 1), value=1.0)
