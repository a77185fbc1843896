"""The question that a judging run answers, as a value that names itself."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from wordorder.errors import BadSetting

Level = Literal["segment", "system"]
Test = Literal["bootstrap", "randomisation", "williams", "t-test"]
FEWEST_HYBRIDS = 4
HYBRID_HUMAN = ("auto", "mean", "win_ratio")  # human scores that add up over segments


@dataclass(frozen=True, kw_only=True)
class Task:
    """How well do metrics agree with people on some judgments, at one level?

    A task heads its results, so that they can be computed again. ``measure`` is None for the default of the
    level and of the kind of judgments. ``baselines`` are labels of metrics that all others are tested
    against. With ``hybrids`` > 0, systems are replaced by that many random mixtures of them.

    >>> print(Task(data=("wmt13-rr",), metrics=("kendall", "full"), level="system", samples=0))
    data=wmt13-rr; metrics=kendall full; level=system; human=auto; seed=12345
    """

    data: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()  # language pairs; all if empty
    metrics: tuple[str, ...] = ()
    level: Level = "segment"
    measure: str | None = None
    human: str = "auto"
    baselines: tuple[str, ...] = ()
    paired: Test = "bootstrap"
    samples: int = 1000
    seed: int = 12345
    hybrids: int = 0

    def __post_init__(self) -> None:
        for key, choices in (("level", get_args(Level)), ("paired", get_args(Test))):
            if getattr(self, key) not in choices:
                raise BadSetting(f"{key} is {getattr(self, key)!r}; expected one of {', '.join(choices)}")
        if self.level == "segment" and self.hybrids:
            raise BadSetting("hybrids are systems.", suggest={"level": "system"})
        if 0 < self.hybrids < FEWEST_HYBRIDS:
            raise BadSetting(f"{self.hybrids} hybrids are too few; expected {FEWEST_HYBRIDS} or more")
        if self.hybrids and self.human not in HYBRID_HUMAN:
            raise BadSetting(
                f"hybrids have no {self.human} scores, since no one ranked them.", suggest={"human": "auto"}
            )
        if self.baselines and self.resampled and self.samples < 2:
            raise BadSetting(f"the test {self.paired!r} needs samples.", suggest={"samples": 1000})

    @property
    def resampled(self) -> bool:
        """Whether differences are tested by resampling rather than by a formula."""
        return self.paired != "williams" and not self.hybrids

    def as_dict(self) -> dict[str, Any]:
        """Return the task as plain data, with its name; what does not apply is None or 0."""
        test = "williams" if self.hybrids else self.paired
        data = {"task": str(self), **asdict(self), "paired": test if self.baselines else None}
        return {**data, "samples": 0 if self.hybrids else self.samples}

    @property
    def names(self) -> list[str]:
        """The names of the data, without the folders they are in."""
        return [os.path.basename(os.path.abspath(path)) for path in self.data]

    def __str__(self) -> str:
        shown: dict[str, Any] = self.__dict__ | {
            "data": self.names,
            "paired": self.paired if self.baselines and not self.hybrids else None,
            "human": self.human if self.level == "system" else None,
            "samples": 0 if self.hybrids else self.samples,
        }
        parts = ((key, " ".join(v) if isinstance(v, (tuple, list)) else v) for key, v in shown.items())
        return "; ".join(f"{key}={value}" for key, value in parts if value)
