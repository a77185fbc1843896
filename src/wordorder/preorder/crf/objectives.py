"""Training objectives of the network: links, hidden words and teachers.

*Links*: the loss is ``log Z(all trees) - log Z(trees weighted by the links)``. Every pair of linked words
that an edge puts into the wrong order costs lambda (a *soft forest*), so every sentence can be learned from,
whatever its links. *Teachers*: the second term is the expected score under the mean of the teachers'
posteriors, and the loss is the cross-entropy with the mixture of their distributions over trees
(distillation; self-training if there is a single teacher). *Hidden words*: some words are hidden and
predicted from the states of the LSTM (masked language modelling), which needs no links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from wordorder.neural.words import END, UNKNOWN
from wordorder.preorder.crf.inside_torch import (
    Edges,
    edges_of,
    log_partition_oriented,
    posteriors,
    soft_forest,
)
from wordorder.preorder.crf.network_torch import Batch, EdgeNetwork

HIDDEN_SHARE = 0.2  # of the words

Objective = Callable[[Any, Batch], Tensor]  # from a model and a batch to the loss of each sentence


def score_batch(model: EdgeNetwork, batch: Batch) -> Tensor:
    """Score all edges; sums over trees need full precision, whatever the network computes in."""
    scores: Tensor = model(batch)
    return scores.float()


def torch_loss(scores: Tensor, batch: Batch) -> Tensor:
    """Return the loss of each sentence, from its links."""
    weighted = scores + soft_forest(batch.costs, batch.edges)
    # Both sums are computed together, as a batch of twice the size.
    sums = log_partition_oriented(
        torch.cat([scores, weighted], dim=1), torch.cat([batch.sizes, batch.sizes]), batch.edges
    )
    all_trees, weighted_trees = sums.chunk(2)
    return all_trees - weighted_trees


def torch_cross_entropy(scores: Tensor, batch: Batch, targets: Tensor) -> Tensor:
    """Return the cross-entropy with target probabilities of edges, up to a constant."""
    log_z = log_partition_oriented(scores, batch.sizes, batch.edges)
    return log_z - (targets * scores).sum(dim=(0, 2))


class Backend(NamedTuple):
    """Functions that score edges and sum over trees: torch on any device, or C++ on a CPU."""

    network: type[EdgeNetwork]
    edges: Callable[[int, str], Edges]
    loss: Callable[[Tensor, Batch], Tensor]
    posteriors: Callable[[Tensor, Batch], Tensor]
    cross_entropy: Callable[[Tensor, Batch, Tensor], Tensor]


TORCH = Backend(
    EdgeNetwork,
    edges_of,
    torch_loss,
    lambda scores, batch: posteriors(scores, batch.sizes, batch.edges),
    torch_cross_entropy,
)


def link_objective(backend: Backend) -> Objective:
    """Return the objective of the order of linked words."""
    return lambda model, batch: backend.loss(score_batch(model, batch), batch)


def teacher_objective(backend: Backend, teachers: Sequence[EdgeNetwork]) -> Objective:
    """Return the objective of the trees that other networks find probable, on average."""

    def loss(model: EdgeNetwork, batch: Batch) -> Tensor:
        with torch.no_grad():
            each = [backend.posteriors(score_batch(teacher, batch), batch) for teacher in teachers]
            targets = torch.stack(each).mean(dim=0)
        return backend.cross_entropy(score_batch(model, batch), batch, targets)

    return loss


class HiddenWordPredictor(nn.Module):
    """A network with an output layer that predicts hidden words."""

    def __init__(self, model: EdgeNetwork) -> None:
        super().__init__()
        self.model = model
        self.turn = nn.Linear(2 * model.shape.units, model.shape.word_size)
        self.bias = nn.Parameter(torch.zeros(model.shape.words))

    def forward(self, states: Tensor) -> Tensor:
        """Return the logits of all words for states ``[word, 2 units]``."""
        return self.turn(states) @ self.model.word.weight.T + self.bias


def hidden_word_objective(predictor: HiddenWordPredictor, batch: Batch) -> Tensor:
    """Hide some words, and return the loss of predicting them, summed for each sentence."""
    model, numbers = predictor.model, batch.numbers
    hidden = (torch.rand(numbers.shape, device=numbers.device) < HIDDEN_SHARE) & (numbers > END)
    states = model.read(
        batch._replace(
            numbers=numbers.masked_fill(hidden, UNKNOWN),
            ngrams=batch.ngrams.masked_fill(hidden[..., None], 0),
        )
    )
    logits = predictor(model.drop(states[hidden]))
    each: Any = nn.functional.cross_entropy(logits, numbers[hidden], reduction="none")
    sentence = torch.arange(len(numbers), device=numbers.device)[:, None].expand_as(numbers)[hidden]
    return torch.zeros(len(numbers), device=numbers.device).index_add(0, sentence, each)
