"""BEER by name."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.io.model_folder import ABOUT
from wordorder.metrics.beer.beer20_model import Beer20, read_beer20
from wordorder.metrics.beer.explain import Explanation, explained
from wordorder.metrics.beer.trained_model import Model, read_model
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric


@register
@dataclass(frozen=True, kw_only=True)
class Beer(TextMetric):
    """BEER (Stanojević and Sima'an 2014): features of shared pieces, weighted by human rankings.

    ``version=best`` is ours, and a copy of the reference scores 1; 0.1, 1.1, 2.0, 3.0 and treepel are the
    thesis's, with weights learned here. ``model`` is a folder that ``wordorder train-metric`` wrote, or
    one of the released BEER 2.0 (``version=2.0``), which gives the sentence scores of the original program.
    ``language`` is that of stems and function words, where a version has those; ``parses`` are CoNLL-U
    files of all texts, for treepel. Of several references the best counts. A corpus is the mean over
    segments; ``compat=original`` divides by one segment too many, as the program does.
    """

    name = "beer"
    places: ClassVar[tuple[str, ...]] = ("model", "parses")
    version: Literal["best", "0.1", "1.1", "2.0", "3.0", "treepel"] = "best"
    model: str = ""
    language: str = "en"
    parses: str = ""
    compat: Literal["corrected", "original"] = "corrected"

    def __post_init__(self) -> None:
        """Check the settings; models are read at once, for their errors."""
        self.check_choices()
        if self.model and self.version not in ("best", "2.0"):
            raise BadSetting("beer: a model brings its own features and output; leave version out")
        trained = self.trained
        if self.compat == "original" and not isinstance(trained, Beer20):
            raise BadSetting(
                "beer: compat=original is the mistake of version=2.0 with a released model=FOLDER"
            )

    @cached_property
    def trained(self) -> Beer20 | Model:
        """The model."""
        if self.version == "2.0" and self.model and not (Path(self.model) / ABOUT).is_file():
            return read_beer20(self.model)
        if self.model and (Path(self.model) / "feature_names_mapping").is_file():
            raise BadSetting(f"beer: {self.model} is a model of BEER 2.0: say version=2.0")
        return read_model(self.model, self.version, self.language, self.parses)

    @property
    def reference_is_best(self) -> bool:  # type: ignore[override]
        """Whether a copy of the reference scores 1: where scores say how far it is."""
        return isinstance(self.trained, Model) and self.trained.output.relative

    @property
    def range(self) -> tuple[float, float]:
        """0 to 1."""
        return 0.0, 1.0

    @property
    def constants(self) -> dict[str, Any]:
        """Which model it is, wherever it lies, and what becomes of several references."""
        own = {"recipe": "own"} if self.model and isinstance(self.trained, Model) else {}
        return {"weights": self.trained.tag, **own, "refs": "best"}

    @property
    def has_language(self) -> bool:
        """Whether stems or function words are asked for, so that the language matters."""
        return isinstance(self.trained, Model) and any(v.prefix == "match" for v in self.trained.views)

    def explain(self, hypothesis: str, reference: str) -> Explanation:
        """What each group of features adds to a score."""
        return explained(self.trained, [hypothesis], [reference])[0]

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
