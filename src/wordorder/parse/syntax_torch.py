"""Layers that predict tags, heads and relations of words from their states, in torch.

The parser is made of them, and a network with another purpose can learn them as further tasks.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

IGNORED = -1  # number of a label that is not learned
WEIGHTS = (0.5, 0.25, 1.0, 1.0)  # of the losses of tags (upos, xpos), heads and relations


class SyntaxScores(NamedTuple):
    """Scores of tags and heads before the softmax, and what relations are scored from.

    Words do not include the sentence boundaries; heads begin with the root.
    """

    upos: Tensor  # [batch, n, tags]
    xpos: Tensor  # [batch, n, tags]
    heads: Tensor  # [batch, n, n + 1]
    states: Tensor  # [batch, n + 1, size]


class SyntaxLayers(nn.Module):
    """Output layers over states of ``size`` numbers."""

    def __init__(
        self,
        size: int,
        *,
        upos: int,
        xpos: int,
        relations: int,
        arc_size: int = 200,
        relation_size: int = 64,
        dropout: float = 0.33,
    ) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.upos = nn.Linear(size, upos)
        self.xpos = nn.Linear(size, xpos)
        self.arc = nn.Linear(size, 2 * arc_size)  # as a dependent, as a head
        self.arc_pair = nn.Linear(arc_size, arc_size)
        self.relation = nn.Linear(size, 2 * relation_size)
        self.relation_pair = nn.Parameter(torch.zeros(relations, relation_size + 1, relation_size + 1))

    def syntax(self, states: Tensor, lengths: Tensor) -> SyntaxScores:
        """Score tags and heads from the states ``[batch, n + 2, size]`` of words and boundaries."""
        states = self.drop(states[:, :-1])
        dependents, heads = self._halves(self.arc(states))
        scores = self.arc_pair(dependents[:, 1:]) @ heads.transpose(1, 2)
        places = torch.arange(states.shape[1], device=states.device)
        beyond = places > lengths.to(states.device)[:, None]
        itself = places == places[1:, None]
        scores = scores.masked_fill(beyond[:, None] | itself[None], -1e9)
        return SyntaxScores(self.upos(states[:, 1:]), self.xpos(states[:, 1:]), scores, states)

    def relations(self, states: Tensor, heads: Tensor) -> Tensor:
        """Return the scores ``[batch, n, relations]`` of the relations to these heads ``[batch, n]``."""
        dependents, own = self._halves(self.relation(states))
        chosen = own.gather(1, heads[..., None].expand(-1, -1, own.shape[-1]))
        return torch.einsum(
            "bnx,rxy,bny->bnr", _extended(dependents[:, 1:]), self.relation_pair, _extended(chosen)
        )

    def losses(self, states: Tensor, lengths: Tensor, trees: Tensor) -> Tensor:
        """Return the loss of each sentence, summed over its words.

        ``trees [4, batch, n]`` are numbers of tags (upos, xpos), heads and relations.
        """
        scores = self.syntax(states, lengths)
        relations = self.relations(scores.states, trees[2].clamp(min=0))
        total = torch.zeros(len(states), device=states.device)
        for own, labels, weight in zip((*scores[:3], relations), trees, WEIGHTS, strict=True):
            each = nn.functional.cross_entropy(
                own.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, reduction="none"
            )
            total = total + weight * each.view_as(labels).sum(dim=1)
        return total

    def _halves(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        first, second = self.drop(nn.functional.leaky_relu(hidden, 0.1)).chunk(2, dim=-1)
        return first, second


def _extended(vectors: Tensor) -> Tensor:
    """Append a 1, so that a bilinear form includes linear terms and a bias."""
    return nn.functional.pad(vectors, (0, 1), value=1.0)
