"""BEER by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadSetting
from wordorder.metrics.beer.model20 import Beer20, read_beer20
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric

Doubles = NDArray[np.float64]


@register
@dataclass(frozen=True, kw_only=True)
class Beer(TextMetric):
    """BEER (Stanojević and Sima'an 2014): features of shared pieces, weighted by human rankings.

    ``version=2.0`` with ``model``, the folder of a released or self-trained BEER 2.0 model, gives the
    sentence scores of the original program. Text is cut at spaces and compared as it is written; the
    reference itself scores below 1. Of several references the best counts. A corpus is the mean over
    segments; ``compat=original`` divides by one segment too many, as the program does.
    """

    name = "beer"
    places: ClassVar[tuple[str, ...]] = ("model",)
    reference_is_best: ClassVar[bool] = False
    version: Literal["2.0"] = "2.0"
    model: str = ""
    compat: Literal["corrected", "original"] = "corrected"

    def __post_init__(self) -> None:
        """Check the settings; a folder that is given is read at once, for its errors."""
        self.check_choices()
        if self.model:
            _ = self.trained

    @cached_property
    def trained(self) -> Beer20:
        """The model."""
        if not self.model:
            raise BadSetting(
                "beer: version 2.0 comes without weights; give the folder of a model: beer:model=FOLDER"
            )
        return read_beer20(self.model)

    @property
    def range(self) -> tuple[float, float]:
        """0 to 1."""
        return 0.0, 1.0

    @property
    def constants(self) -> dict[str, Any]:
        """Which model it is, wherever it lies, and what becomes of several references."""
        return {"weights": self.trained.tag if self.model else "none", "refs": "best"}

    def segment_stats(self, segments: Segments) -> Doubles:
        """The score of each segment with its best reference, and 1."""
        scores = [self.trained.scores(segments.hypotheses, stream) for stream in segments.references]
        return np.column_stack([np.max(scores, axis=0), np.ones(len(segments))])

    def rows_alone(self, rows: Doubles) -> Doubles:
        """The scores of segments: the program counts those right."""
        return np.asarray(rows[:, 0] / rows[:, 1])

    def score_from_stats(self, total: Doubles) -> float:
        """The mean; the program's has one segment more."""
        return float(self.scores_from_sums(total[None, :])[0])

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """The means of many sums."""
        scores, segments = totals.T
        if self.compat == "original":
            return np.asarray(scores / (segments + 1))
        return np.asarray(np.divide(scores, segments, out=np.ones(len(totals)), where=segments != 0))
