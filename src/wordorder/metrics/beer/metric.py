"""BEER by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadSetting
from wordorder.metrics.beer.model20 import Beer20, read_beer20
from wordorder.metrics.beer.ranker import Ranker, read_ranker
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric

Doubles = NDArray[np.float64]


@register
@dataclass(frozen=True, kw_only=True)
class Beer(TextMetric):
    """BEER (Stanojević and Sima'an 2014): features of shared pieces, weighted by human rankings.

    ``version=best`` has the weights that come with the package, or ``model``, a file that ``wordorder
    train-metric`` wrote; a copy of the reference scores 1. ``version=2.0`` with ``model``, the folder of a
    released or self-trained BEER 2.0 model, gives the sentence scores of the original program. Of several
    references the best counts. A corpus is the mean over segments; ``compat=original`` (of 2.0) divides by
    one segment too many, as the program does.
    """

    name = "beer"
    places: ClassVar[tuple[str, ...]] = ("model",)
    version: Literal["best", "2.0"] = "best"
    model: str = ""
    compat: Literal["corrected", "original"] = "corrected"

    def __post_init__(self) -> None:
        """Check the settings; a folder that is given is read at once, for its errors."""
        self.check_choices()
        if self.version == "best" and self.compat == "original":
            raise BadSetting("beer: compat=original is the mistake of version=2.0")
        if self.model or self.version == "best":
            _ = self.trained

    @cached_property
    def trained(self) -> Beer20 | Ranker:
        """The model."""
        if self.version == "best":
            return read_ranker(self.model)
        if not self.model:
            raise BadSetting(
                "beer: version 2.0 comes without weights; give a folder: beer:version=2.0,model=FOLDER"
            )
        return read_beer20(self.model)

    @property
    def reference_is_best(self) -> bool:  # type: ignore[override]
        """BEER 2.0 has no room for a perfect score."""
        return self.version == "best"

    @property
    def range(self) -> tuple[float, float]:
        """0 to 1."""
        return 0.0, 1.0

    @property
    def constants(self) -> dict[str, Any]:
        """Which model it is, wherever it lies, and what becomes of several references."""
        known = self.model or self.version == "best"
        return {"weights": self.trained.tag if known else "none", "refs": "best"}

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
