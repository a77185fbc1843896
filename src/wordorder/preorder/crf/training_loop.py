"""Training the network: batches, stages of training, and checkpoints that resume bit for bit."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from wordorder.parse.syntax_torch import IGNORED
from wordorder.preorder.crf.examples import Example
from wordorder.preorder.crf.inside_torch import Edges, edges_of
from wordorder.preorder.crf.network_torch import Batch, EdgeNetwork
from wordorder.preorder.crf.objectives import Objective
from wordorder.preorder.crf.word_inputs import WordTypes

MAX_EDGES = 1_200_000  # in a batch, to limit memory
LARGEST_FACTOR, MIN_STEPS = 8, 200  # of scaled batches: how much larger they are, and steps that remain
ADAM_MOMENTS = ("exp_avg", "exp_avg_sq")


class Batcher:
    """Makes batches of sentences of similar length, in random order."""

    def __init__(
        self, types: WordTypes, device: str, *, edges: Callable[[int, str], Edges] = edges_of
    ) -> None:
        self.edges = edges
        self.numbers = torch.from_numpy(types.numbers).to(device)
        self.ngrams = torch.from_numpy(types.ngrams).to(device)
        self.labels = torch.from_numpy(types.labels).to(device)
        self.device = device

    def batches(
        self, examples: Sequence[Example], size: int, edges: int, rng: np.random.Generator | None = None
    ) -> Iterator[Batch]:
        """Yield all sentences once, up to ``size`` per batch and in random order; sorted without ``rng``."""
        noise = rng.uniform(0, 3, len(examples)) if rng is not None else np.zeros(len(examples))
        lengths = np.array([example.words for example in examples])
        groups: list[list[int]] = []
        longest = 0  # sentence of the last group
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
        """Return these sentences as tensors."""
        places = sorted(places, key=lambda place: -examples[place].words)
        chosen = [examples[place] for place in places]
        n = chosen[0].words
        types = np.ones((len(chosen), n + 2), dtype=np.int64)
        signs = np.zeros((len(chosen), n, n), dtype=np.float32)
        linked = np.full((len(chosen), n), -1, dtype=np.int64)
        trees = np.full((4, len(chosen), n), IGNORED, dtype=np.int64)
        for row, example in enumerate(chosen):
            types[row, : len(example.types)] = example.types
            if example.signs is not None:
                signs[row, : example.words, : example.words] = example.signs
                signs[row] *= example.strength
            if example.linked is not None:
                linked[row, : example.words] = example.linked
            if example.tree is not None:
                trees[:, row, : example.words] = example.tree
        lengths = torch.tensor([example.words for example in chosen])
        at, signed = self._send(torch.from_numpy(types)), self._send(torch.from_numpy(signs))
        return Batch(
            self.numbers[at],
            self.ngrams[at],
            self.labels[at],
            self._send(lengths),
            self._send(torch.tensor([example.language for example in chosen])),
            torch.stack([-signed, signed], dim=1).clamp(min=0),
            self._send(torch.from_numpy(linked)),
            self._send(torch.from_numpy(trees)),
            self.edges(n, self.device),
            lengths,
            places,
        )

    def _send(self, tensor: Tensor) -> Tensor:
        """Copy to the device without waiting for it."""
        if not self.device.startswith("cuda"):
            return tensor
        return tensor.pin_memory().to(self.device, non_blocking=True)


@dataclass(frozen=True, kw_only=True)
class Stage:
    """A stage of training: some epochs over some examples with one objective."""

    name: str = ""  # for the log
    objective: Objective
    examples: Callable[[], Sequence[Example]]  # called when the stage begins
    epochs: int
    learning_rate: float = 1e-3
    batch_size: int = 32
    scale_batches: bool = False  # use larger batches if there are many examples
    average: float = 0.0  # decay of the running mean of weights that is kept at the end; 0: the last weights
    extend: Callable[[EdgeNetwork], nn.Module] | None = None  # adds layers that only this stage needs


@dataclass
class TrainingState:
    """The state of a training between two epochs: all that the next epoch needs."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    rng: np.random.Generator  # for the order of sentences; dropout uses the generator of torch
    mean: dict[str, Tensor] = field(default_factory=dict)  # running mean of the weights, if any
    epoch: int = 0  # epochs completed
    step: int = 0
    seen: int = 0  # sentences

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights, their mean, the moments of the optimizer and the random states of torch."""
        arrays = {"random": torch.get_rng_state().numpy()}
        if torch.cuda.is_available():
            arrays["random.cuda"] = torch.cuda.get_rng_state().numpy()
        for name, p in self.model.named_parameters():
            arrays[f"weight.{name}"] = _array(p)
            for key in ADAM_MOMENTS:
                if p in self.optimizer.state:
                    arrays[f"{key}.{name}"] = _array(self.optimizer.state[p][key])
        return arrays | {f"mean.{name}": _array(mean) for name, mean in self.mean.items()}

    def facts(self) -> dict[str, Any]:
        """Return the rest as plain data."""
        named = self.model.named_parameters()
        steps = {n: float(self.optimizer.state[p]["step"]) for n, p in named if p in self.optimizer.state}
        counts = {"epoch": self.epoch, "step": self.step, "seen": self.seen}
        return {**counts, "steps": steps, "rng": self.rng.bit_generator.state}

    def restore(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        """Continue from :meth:`arrays` and :meth:`facts`."""
        self.epoch, self.step, self.seen = facts["epoch"], facts["step"], facts["seen"]
        self.rng.bit_generator.state = facts["rng"]
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(torch.from_numpy(arrays[f"weight.{name}"]))
                if name in self.mean:
                    self.mean[name].copy_(torch.from_numpy(arrays[f"mean.{name}"]))
                if name in facts["steps"]:
                    moments = {
                        key: torch.from_numpy(arrays[f"{key}.{name}"]).to(p.device) for key in ADAM_MOMENTS
                    }
                    self.optimizer.state[p] = {"step": torch.tensor(facts["steps"][name]), **moments}
        torch.set_rng_state(torch.from_numpy(arrays["random"]))
        if torch.cuda.is_available() and "random.cuda" in arrays:
            torch.cuda.set_rng_state(torch.from_numpy(arrays["random.cuda"]))


def _array(tensor: Tensor) -> NDArray[Any]:
    array: NDArray[Any] = tensor.detach().cpu().numpy().copy()
    return array


def run_stage(
    model: EdgeNetwork,
    batcher: Batcher,
    stage: Stage,
    *,
    seed: int,
    log: Callable[[dict[str, Any]], None] | None = None,
    checkpoint: tuple[dict[str, Any], dict[str, Any]] | None = None,
    on_epoch: Callable[[TrainingState], None] | None = None,
) -> None:
    """Train a network in place.

    The learning rate rises over the first twentieth of the steps and then falls to zero. ``on_epoch`` is
    called with the state after each epoch; given its arrays and facts as ``checkpoint``, training continues
    from there.
    """
    every = stage.examples()
    batch_size = stage.batch_size
    if stage.scale_batches:
        batch_size = min(LARGEST_FACTOR * batch_size, max(batch_size, len(every) // MIN_STEPS))
    examples = [example for example in every if example.words > 1]
    learner = (stage.extend(model) if stage.extend else model).to(batcher.device)
    torch.manual_seed(seed)
    optimizer = torch.optim.Adam(learner.parameters(), lr=stage.learning_rate, betas=(0.9, 0.98))
    state = TrainingState(learner, optimizer, np.random.default_rng(seed))
    if stage.average:
        state.mean = {name: p.detach().clone() for name, p in learner.named_parameters()}
    if checkpoint is not None:
        state.restore(*checkpoint)
    began = time.time()
    while state.epoch < stage.epochs:
        learner.train()
        total, before = torch.zeros((), device=batcher.device), state.seen
        for batch in batcher.batches(examples, batch_size, MAX_EDGES, state.rng):
            progress = state.seen / (stage.epochs * len(examples))
            for group in optimizer.param_groups:
                group["lr"] = stage.learning_rate * min(1.0, 20 * progress + 0.02) * (1 - progress)
            losses = stage.objective(learner, batch) / batch.sizes
            optimizer.zero_grad(set_to_none=True)
            losses.mean().backward()
            torch.nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
            optimizer.step()
            state.step += 1
            decay = min(stage.average, state.step / (state.step + 10))
            for name, p in learner.named_parameters():
                if name in state.mean:
                    state.mean[name].lerp_(p.detach(), 1 - decay)
            total += losses.detach().sum()
            state.seen += len(batch.places)
        state.epoch += 1
        if log is not None:
            loss = float(total) / max(1, state.seen - before)
            log({"epoch": state.epoch, "loss": loss, "seconds": round(time.time() - began, 1)})
        if on_epoch is not None:
            on_epoch(state)
    with torch.no_grad():
        for name, p in learner.named_parameters():
            if name in state.mean:
                p.copy_(state.mean[name])
    learner.eval()
