"""What a network can learn from a sentence: its links, its own words, or what other networks think of it.

*Links*: the loss is ``log Z(all trees) - log Z(trees weighed by the links)``. An edge that puts two linked
words into the wrong order loses lambda for each such pair (a *soft forest*), so that every sentence can be
learned from, whatever its links. *Teachers*: the second term is the expected score under the mean of their
posteriors, and the loss the cross-entropy of the mixture of their distributions over trees (distillation;
self-training if there is but one). *Hidden words*: some words are hidden, and guessed from the states of the
LSTM against the vectors of all words; what the LSTM learns by this it need not learn from the few sentences
that have links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from wordorder.preorder.crf.inside_torch import (
    Edges,
    edges_of,
    log_partition_oriented,
    posteriors,
    soft_forest,
)
from wordorder.preorder.crf.lexicon import END, UNKNOWN
from wordorder.preorder.crf.network import Batch, EdgeScorer
from wordorder.preorder.crf.training import Objective, score_batch

HIDDEN = 0.2  # share of the words


def forest_loss(scores: Tensor, batch: Batch) -> Tensor:
    """The loss of each sentence, from its links."""
    weighed = scores + soft_forest(batch.costs, batch.edges)
    # Both sums in one pass: twice the batch.
    twice = log_partition_oriented(
        torch.cat([scores, weighed], dim=1), torch.cat([batch.sizes, batch.sizes]), batch.edges
    )
    every, right = twice.chunk(2)
    return every - right


def forest_posteriors(scores: Tensor, batch: Batch) -> Tensor:
    """The probability of every edge."""
    return posteriors(scores, batch.sizes, batch.edges)


def cross_entropy(scores: Tensor, batch: Batch, wanted: Tensor) -> Tensor:
    """The cross-entropy of each sentence's trees, up to a constant, where edges are so probable."""
    every = log_partition_oriented(scores, batch.sizes, batch.edges)
    return every - (wanted * scores).sum(dim=(0, 2))


class Backend(NamedTuple):
    """What scores edges and sums over trees: torch on any device, or C++ (``ragged``)."""

    scorer: type[EdgeScorer]
    edges: Callable[[int, str], Edges]
    loss: Callable[[Tensor, Batch], Tensor]
    posteriors: Callable[[Tensor, Batch], Tensor]
    cross_entropy: Callable[[Tensor, Batch, Tensor], Tensor]


TORCH = Backend(EdgeScorer, edges_of, forest_loss, forest_posteriors, cross_entropy)


def links(backend: Backend) -> Objective:
    """Learn the orders of linked words."""
    return lambda model, batch: backend.loss(score_batch(model, batch), batch)


def teachers(backend: Backend, models: Sequence[EdgeScorer]) -> Objective:
    """Learn what trees other networks think likely, on average."""

    def loss(model: EdgeScorer, batch: Batch) -> Tensor:
        with torch.no_grad():
            each = [backend.posteriors(score_batch(one, batch), batch) for one in models]
            wanted = torch.stack(each).mean(dim=0)
        return backend.cross_entropy(score_batch(model, batch), batch, wanted)

    return loss


class Guesser(nn.Module):
    """A network that is to guess hidden words."""

    def __init__(self, model: EdgeScorer) -> None:
        super().__init__()
        self.model = model
        self.turn = nn.Linear(2 * model.shape.units, model.shape.word_size)
        self.bias = nn.Parameter(torch.zeros(model.shape.words))

    def forward(self, states: Tensor) -> Tensor:
        """The logits of all words for states ``[word, 2 units]``."""
        return self.turn(states) @ self.model.word.weight.T + self.bias


def hidden_words(guesser: Guesser, batch: Batch) -> Tensor:
    """The loss of each sentence: how badly its hidden words are guessed. An :data:`Objective`."""
    model, known = guesser.model, batch.numbers
    hide = (torch.rand(known.shape, device=known.device) < HIDDEN) & (known > END)
    states = model.read(
        batch._replace(
            numbers=known.masked_fill(hide, UNKNOWN), pieces=batch.pieces.masked_fill(hide[..., None], 0)
        )
    )
    each: Any = nn.functional.cross_entropy(guesser(model.drop(states[hide])), known[hide], reduction="none")
    sentence = torch.arange(len(known), device=known.device)[:, None].expand_as(known)[hide]
    return torch.zeros(len(known), device=known.device).index_add(0, sentence, each)
