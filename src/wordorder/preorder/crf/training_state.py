"""The state of a network's training between two passes: all that the next one needs, bit for bit."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

MOMENTS = ("exp_avg", "exp_avg_sq")  # what Adam keeps of each weight


@dataclass
class State:
    """A training under way: what it changes, and how far it is."""

    model: nn.Module
    optimizer: torch.optim.Optimizer
    rng: np.random.Generator  # of the order of sentences; dropout has torch's
    mean: dict[str, Tensor] = field(default_factory=dict)  # the running mean of weights, if there is one
    number: int = 0  # passes done
    step: int = 0
    seen: int = 0  # sentences

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights, their mean, the optimizer's moments, and the state of torch's random numbers."""
        found = {"random": torch.get_rng_state().numpy()}
        if torch.cuda.is_available():
            found["random.cuda"] = torch.cuda.get_rng_state().numpy()
        for name, p in self.model.named_parameters():
            found[f"weight.{name}"] = _array(p)
            for key in MOMENTS:
                if p in self.optimizer.state:
                    found[f"{key}.{name}"] = _array(self.optimizer.state[p][key])
        return found | {f"mean.{name}": _array(kept) for name, kept in self.mean.items()}

    def facts(self) -> dict[str, Any]:
        """The rest, as JSON can hold it."""
        named = self.model.named_parameters()
        taken = {n: float(self.optimizer.state[p]["step"]) for n, p in named if p in self.optimizer.state}
        own = {"number": self.number, "step": self.step, "seen": self.seen}
        return {**own, "taken": taken, "rng": self.rng.bit_generator.state}

    def put_back(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        """Go on from what :meth:`arrays` and :meth:`facts` gave."""
        self.number, self.step, self.seen = facts["number"], facts["step"], facts["seen"]
        self.rng.bit_generator.state = facts["rng"]
        with torch.no_grad():
            for name, p in self.model.named_parameters():
                p.copy_(torch.from_numpy(arrays[f"weight.{name}"]))
                if name in self.mean:
                    self.mean[name].copy_(torch.from_numpy(arrays[f"mean.{name}"]))
                if name in facts["taken"]:
                    moments = {key: torch.from_numpy(arrays[f"{key}.{name}"]).to(p.device) for key in MOMENTS}
                    self.optimizer.state[p] = {"step": torch.tensor(facts["taken"][name]), **moments}
        torch.set_rng_state(torch.from_numpy(arrays["random"]))
        if torch.cuda.is_available() and "random.cuda" in arrays:
            torch.cuda.set_rng_state(torch.from_numpy(arrays["random.cuda"]))


def _array(tensor: Tensor) -> NDArray[Any]:
    made: NDArray[Any] = tensor.detach().cpu().numpy().copy()
    return made
