"""Training of the forest CRF's network: sentences as tensors, and passes over them.

What is minimised is told by an objective; see :mod:`wordorder.preorder.crf.objectives`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordorder.preorder.crf.inside_torch import Edges, edges_of
from wordorder.preorder.crf.lexicon import Types
from wordorder.preorder.crf.network import Batch, EdgeScorer
from wordorder.preorder.crf.training_state import State


class Example(NamedTuple):
    """A sentence: types of its words with borders, signs of its pairs, target language, weight of a pair."""

    types: NDArray[np.int64]
    signs: NDArray[np.float16] | None = None  # see `pair_signs`; none: no links
    tag: int = 0
    strength: float = 2.0  # lambda

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.types) - 2


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One round of training."""

    passes: int
    rate: float = 1e-3
    batch: int = 32  # sentences at most
    average: float = 0.0  # decay of a running mean of the weights, kept at the end; 0: none
    edges: int = 1_200_000  # in a batch at most, for memory


def pair_signs(
    links: NDArray[np.int64], words: int, stay: float, *, attach: bool = False
) -> NDArray[np.float16]:
    """How each pair of words a < b should stand, ``[a, b]``: 1 as they are, -1 turned around, 0 either way.

    A pair is ordered if first and last target position agree (as Nakagawa has it), otherwise by the mean sign
    over its pairs of links. Pairs with a word without links should stay, but only a little: ``stay``; with
    ``attach`` such a word goes where the next word with links goes, if there is one.
    """
    first = np.full(words, np.inf)
    last = np.full(words, -np.inf)
    np.minimum.at(first, links[:, 0], links[:, 1])
    np.maximum.at(last, links[:, 0], links[:, 1])
    linked = np.isfinite(first)
    first, last = np.where(linked, first, 0), np.where(linked, last, 0)
    ahead = np.sign(first[None] - first[:, None])  # 1: b is after a
    behind = np.sign(last[None] - last[:, None])
    sign = np.sign(ahead + behind)
    both = linked[:, None] & linked[None]
    for a, b in np.argwhere(np.triu(ahead * behind < 0, 1) & both):
        left, right = links[links[:, 0] == a, 1], links[links[:, 0] == b, 1]
        sign[a, b] = np.sign(right[None] - left[:, None]).mean()
    weak = np.full((words, words), stay)
    if attach and linked.any():
        numbers = np.where(linked, np.arange(words), words)
        near = np.minimum.accumulate(numbers[::-1])[::-1]
        near = np.where(near == words, np.flatnonzero(linked)[-1], near)
        gone = np.sign(ahead + behind)[near[:, None], near[None]]
        same = (ahead == 0) & (behind == 0)
        weak = stay * np.where(same[near[:, None], near[None]], 1.0, gone)
    return np.triu(np.where(both, sign, weak), 1).astype(np.float16)


class Batcher:
    """Makes batches of sentences of similar length, in an order that the generator decides."""

    def __init__(self, types: Types, device: str, *, edges: Callable[[int, str], Edges] = edges_of) -> None:
        self.edges = edges
        self.numbers = torch.from_numpy(types.numbers).to(device)
        self.pieces = torch.from_numpy(types.pieces).to(device)
        self.labels = torch.from_numpy(types.labels).to(device)
        self.device = device

    def batches(
        self, examples: Sequence[Example], size: int, edges: int, rng: np.random.Generator | None = None
    ) -> Iterator[Batch]:
        """All sentences once; without a generator sorted by length."""
        noise = rng.uniform(0, 3, len(examples)) if rng is not None else np.zeros(len(examples))
        lengths = np.array([one.words for one in examples])
        groups: list[list[int]] = []
        longest = 0  # of the last group
        for place in np.argsort(lengths * (1 + 0.03 * noise) + noise, kind="stable").tolist():
            longest = max(longest, int(lengths[place]))
            room = min(size, max(1, edges // max(1, math.comb(longest + 1, 3))))
            if not groups or len(groups[-1]) >= room:
                groups.append([])
                longest = int(lengths[place])
            groups[-1].append(place)
        if rng is not None:
            rng.shuffle(groups)
        for group in groups:
            yield self.batch(examples, group)

    def batch(self, examples: Sequence[Example], places: list[int]) -> Batch:
        """These sentences as tensors."""
        places = sorted(places, key=lambda place: -examples[place].words)
        some = [examples[place] for place in places]
        n = some[0].words
        types = np.ones((len(some), n + 2), dtype=np.int64)
        signs = np.zeros((len(some), n, n), dtype=np.float32)
        for row, one in enumerate(some):
            types[row, : len(one.types)] = one.types
            if one.signs is not None:
                signs[row, : one.words, : one.words] = one.signs
                signs[row] *= one.strength
        lengths = torch.tensor([one.words for one in some])
        at, wanted = self._sent(torch.from_numpy(types)), self._sent(torch.from_numpy(signs))
        return Batch(
            self.numbers[at],
            self.pieces[at],
            self.labels[at],
            self._sent(lengths),
            self._sent(torch.tensor([one.tag for one in some])),
            torch.stack([-wanted, wanted], dim=1).clamp(min=0),
            self.edges(n, self.device),
            lengths,
            places,
        )

    def _sent(self, tensor: Tensor) -> Tensor:
        """On the device, without waiting for what it is busy with."""
        if not self.device.startswith("cuda"):
            return tensor
        return tensor.pin_memory().to(self.device, non_blocking=True)


def score_batch(model: EdgeScorer, batch: Batch) -> Tensor:
    """Scores of all edges; sums over trees need full precision, whatever the network computes in."""
    scores: Tensor = model(batch)
    return scores.float()


Objective = Callable[[Any, Batch], Tensor]  # a model and a batch to the loss of each sentence


def train(
    model: nn.Module,
    batcher: Batcher,
    examples: Sequence[Example],
    stage: Stage,
    objective: Objective,
    *,
    seed: int,
    log: Callable[[dict[str, Any]], None] | None = None,
    kept: tuple[dict[str, Any], dict[str, Any]] | None = None,
    keep: Callable[[State], None] | None = None,
) -> None:
    """Train a model in place, ``stage.passes`` times over the examples.

    The rate rises over the first twentieth of the steps and then falls to nothing. ``keep`` is called with
    the state after each pass; with its arrays and facts as ``kept`` a training goes on from there.
    """
    examples = [one for one in examples if one.words > 1]
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(model.parameters(), lr=stage.rate, betas=(0.9, 0.98))
    state = State(model, optimizer, np.random.default_rng(seed))
    if stage.average:
        state.mean = {name: p.detach().clone() for name, p in model.named_parameters()}
    if kept is not None:
        state.put_back(*kept)
    began = time.time()
    while state.number < stage.passes:
        model.train()
        sums, before = torch.zeros((), device=batcher.device), state.seen
        for batch in batcher.batches(examples, stage.batch, stage.edges, state.rng):
            share = state.seen / (stage.passes * len(examples))
            for group in optimizer.param_groups:
                group["lr"] = stage.rate * min(1.0, 20 * share + 0.02) * (1 - share)
            losses = objective(model, batch) / batch.sizes
            optimizer.zero_grad(set_to_none=True)
            losses.mean().backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            state.step += 1
            fading = min(stage.average, state.step / (state.step + 10))
            for name, p in model.named_parameters():
                if name in state.mean:
                    state.mean[name].lerp_(p.detach(), 1 - fading)
            sums += losses.detach().sum()
            state.seen += len(batch.places)
        state.number += 1
        if log is not None:
            mean = float(sums) / max(1, state.seen - before)
            log({"pass": state.number, "loss": mean, "seconds": round(time.time() - began, 1)})
        if keep is not None:
            keep(state)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name in state.mean:
                p.copy_(state.mean[name])
    model.eval()
