"""Learning to read from raw text: the network guesses hidden words from the words around them.

What the LSTM learns by this it need not learn from the few sentences that have links. The guess is made from
the states on both sides of a hidden word, against the vectors of the words themselves.

This module needs torch and nothing of the package, so that it can run where that is not built.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from wordorder.preorder.crf.lexicon import END
from wordorder.preorder.crf.network import EdgeScorer
from wordorder.preorder.crf.training import Batcher, Example

HIDDEN = 0.2  # share of the words


class Guesser(nn.Module):
    """The logits of all words for each state."""

    def __init__(self, model: EdgeScorer) -> None:
        super().__init__()
        self.turn = nn.Linear(2 * model.shape.units, model.shape.word_size)
        self.bias = nn.Parameter(torch.zeros(model.shape.words))

    def forward(self, states: Tensor, vectors: Tensor) -> Tensor:
        """Of states ``[word, 2 units]``."""
        return self.turn(states) @ vectors.T + self.bias


def learn_to_read(
    model: EdgeScorer,
    batcher: Batcher,
    examples: Sequence[Example],
    *,
    passes: int,
    seed: int,
    rate: float = 1e-3,
    batch: int = 128,
    until: float = math.inf,
    log: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Train the words and the LSTM of a model in place; links are not looked at."""
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    guess = Guesser(model).to(batcher.device)
    weights = [*model.parameters(), *guess.parameters()]
    optimizer = torch.optim.Adam(weights, lr=rate, betas=(0.9, 0.98))
    began, done = time.time(), 0
    allowed = max(until - began, 1e-3)
    model.train()
    for number in range(passes):
        sums, seen = torch.zeros((), device=batcher.device), 0
        for some in batcher.batches(examples, batch, 4_000_000, rng):
            share = max(done / (passes * len(examples)), (time.time() - began) / allowed)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = rate * min(1.0, 20 * share + 0.02) * (1 - share)
            hide = (torch.rand(some.numbers.shape, device=batcher.device) < HIDDEN) & (some.numbers > END)
            states = model.read(
                some.numbers.masked_fill(hide, 0),
                some.pieces.masked_fill(hide[..., None], 0),
                some.lengths,
                some.tags,
            )
            logits = guess(model.drop(states[hide]), model.word.weight)
            losses = nn.functional.cross_entropy(logits, some.numbers[hide], reduction="sum")
            (losses / hide.sum().clamp(min=1)).backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            sums += losses.detach()
            seen = seen + hide.sum()
            done += len(some.places)
        if log is not None and done:
            log({"pass": number + 1, "guess": float(sums / seen), "seconds": round(time.time() - began, 1)})
        if time.time() >= until:
            break
    model.eval()
