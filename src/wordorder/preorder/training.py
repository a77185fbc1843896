"""What a preorderer learns from, and how the training is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.source import Source, as_sources

Record = dict[str, Any]  # a line of the training log
AlignedText = tuple[Sequence[Source], Sequence[Alignment]]

# An ordered map: applies a picklable function to picklable items, here or on other machines.
Runner = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@dataclass(frozen=True)
class TrainingData:
    """Sentences with word alignments, and optional further text. Methods ignore what they cannot use.

    ``sources`` and ``raw`` may be given as strings or lists of words. ``raw`` are sentences without links,
    ``automatic`` are sentences with links that are less reliable than those of ``alignments``, and
    ``held_out`` are sentences on which the training is monitored. ``start`` is a fitted preorderer of the
    same method that the training goes on from, for methods that can (networks).
    """

    sources: Sequence[Source]
    alignments: Sequence[Alignment]
    raw: Sequence[Source] = ()
    automatic: AlignedText | None = None
    held_out: AlignedText | None = None
    start: Any = None  # a fitted Preorderer, which is defined in terms of this class

    def __post_init__(self) -> None:
        """Convert plain sentences, and check that there is one alignment per sentence."""
        object.__setattr__(self, "sources", as_sources(self.sources))
        object.__setattr__(self, "raw", as_sources(self.raw))
        for name, part in (
            ("", (self.sources, self.alignments)),
            ("automatic: ", self.automatic),
            ("held-out: ", self.held_out),
        ):
            if part is not None and len(part[0]) != len(part[1]):
                raise BadSetting(f"training data: {name}{len(part[0])} sentences, {len(part[1])} alignments")


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How to run a training. Apart from ``seed``, no option changes the learned model.

    ``device`` is where a network is trained (cpu, cuda; auto: a GPU if there is one); networks trained on
    different devices differ slightly. ``log`` is called once per iteration with plain data, in which
    ``iteration`` is its number and ``of`` the planned number of iterations. ``checkpoint`` is a folder
    in which the state of the training is saved after each iteration; with ``resume`` the training
    continues from there, to the same model bit for bit. ``runner`` distributes the work, for example
    over a cluster; by default the work is done by threads of this process.
    """

    seed: int = 12345
    threads: int = 1
    device: str = "auto"
    log: Callable[[Record], None] | None = None
    checkpoint: str | None = None
    resume: bool = False
    runner: Runner | None = None

    def __post_init__(self) -> None:
        """Check the numbers."""
        for key, least in (("seed", 0), ("threads", 1)):
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise BadSetting(f"training: {key} is {value!r}; expected a whole number, {least} or more")
