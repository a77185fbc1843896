"""Training objectives of the network: links, hidden words and teachers.

*Links*: the loss is ``log Z(all trees) - log Z(trees weighted by the links)``. Every pair of linked words
that an edge puts into the wrong order costs lambda (a *soft forest*), so every sentence can be learned from,
whatever its links. *Teachers*: the second term is the expected score under the mean of the teachers'
posteriors, and the loss is the cross-entropy with the mixture of their distributions over trees
(distillation; self-training if there is a single teacher). *Hidden words*: some words are hidden and
predicted from the states of the LSTM (masked language modelling), which needs no links. *Trees*: tags, heads
and relations of words are predicted from the same states, so that the network knows the syntax of a sentence
without a parser. *Linked words*: whether a word has links at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from wordorder.neural.words import END, UNKNOWN
from wordorder.parse.examples import ParserLabels
from wordorder.parse.syntax_torch import SyntaxLayers
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


class TreePredictor(nn.Module):
    """A network with output layers that predict the tree of a sentence."""

    def __init__(self, model: EdgeNetwork, labels: ParserLabels) -> None:
        super().__init__()
        self.model = model
        self.layers = SyntaxLayers(
            2 * model.shape.units,
            upos=len(labels.upos),
            xpos=len(labels.xpos),
            relations=len(labels.relations),
            dropout=model.drop.p,
        )


def tree_objective(predictor: TreePredictor, batch: Batch) -> Tensor:
    """Return the loss of predicting the trees."""
    return predictor.layers.losses(predictor.model.read(batch), batch.lengths, batch.trees)


OrderLoss = Callable[[EdgeNetwork, Tensor, Batch], Tensor]  # also takes the states of the words


def with_trees(order_loss: OrderLoss, weight: float) -> Objective:
    """Return the objective of a loss of orders; with a weight, of a :class:`TreePredictor` and its trees."""

    def loss(learner: Any, batch: Batch) -> Tensor:
        if not weight:
            return order_loss(learner, learner.read(batch), batch)
        states = learner.model.read(batch)
        trees = learner.layers.losses(states, batch.lengths, batch.trees)
        return order_loss(learner.model, states, batch) + weight * trees

    return loss


def link_objective(backend: Backend, *, trees: float = 0.0) -> Objective:
    """Return the objective of the order of linked words, and of which words are linked."""

    def loss(model: EdgeNetwork, states: Tensor, batch: Batch) -> Tensor:
        order = backend.loss(model.score(states, batch).float(), batch)
        return order + linked_losses(model, states, batch.linked)

    return with_trees(loss, trees)


def teacher_objective(backend: Backend, teachers: Sequence[EdgeNetwork], *, trees: float = 0.0) -> Objective:
    """Return the objective of the trees that other networks find probable, on average."""

    def loss(model: EdgeNetwork, states: Tensor, batch: Batch) -> Tensor:
        with torch.no_grad():
            read = [(teacher, teacher.read(batch)) for teacher in teachers]
            each = [backend.posteriors(teacher.score(own, batch).float(), batch) for teacher, own in read]
            targets = torch.stack(each).mean(dim=0)
            linked = torch.stack([teacher.linked_scores(own).sigmoid() for teacher, own in read]).mean(dim=0)
        words = torch.arange(states.shape[1] - 2, device=states.device) < batch.sizes[:, None]
        order = backend.cross_entropy(model.score(states, batch).float(), batch, targets)
        return order + linked_losses(model, states, torch.where(words, linked, -1.0))

    return with_trees(loss, trees)


def linked_losses(model: EdgeNetwork, states: Tensor, linked: Tensor) -> Tensor:
    """Return the loss of predicting which words have links, summed for each sentence.

    ``linked [batch, n]`` are probabilities; -1 where nothing is known.
    """
    if model.linked is None:
        return torch.zeros(len(states), device=states.device)
    each = nn.functional.binary_cross_entropy_with_logits(
        model.linked_scores(states), linked.clamp(min=0).float(), reduction="none"
    )
    return (each * (linked >= 0)).sum(dim=1)


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
