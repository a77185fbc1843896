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
from wordorder.parse.syntax_torch import SyntaxLayers, SyntaxScores


class ParserBatch(NamedTuple):
    """Sentences as tensors, the longest first; words include the sentence boundaries."""

    numbers: Tensor  # [batch, n + 2]
    ngrams: Tensor  # [batch, n + 2, k]
    cases: Tensor  # [batch, n + 2]
    lengths: Tensor  # in words, without boundaries, on the CPU


class ParserNetwork(SyntaxLayers):
    """Tags, heads and relations of words, from the states of a bidirectional LSTM."""

    def __init__(self, shape: ParserShape, *, dropout: float = 0.33, word_dropout: float = 0.1) -> None:
        super().__init__(
            2 * shape.units,
            upos=shape.upos,
            xpos=shape.xpos,
            relations=shape.relations,
            arc_size=shape.arc_size,
            relation_size=shape.relation_size,
            dropout=dropout,
        )
        self.shape = shape
        self.word_dropout = word_dropout
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

    def forward(self, batch: ParserBatch) -> SyntaxScores:
        """Score tags and heads; :meth:`relations` scores the relations to chosen heads."""
        return self.syntax(self.read(batch), batch.lengths)
