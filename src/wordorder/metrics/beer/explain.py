"""Explain scores: what each feature, and each group of features, adds to the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.core.displayed import Displayed
from wordorder.core.rounding import decimals
from wordorder.errors import BadSetting
from wordorder.metrics.beer.beer20_model import Beer20
from wordorder.metrics.beer.trained_model import Model
from wordorder.metrics.weighted_features import WeightedFeatures


@dataclass(frozen=True)
class ScoreParts(Displayed):
    """A score with its parts; the parts of a margin add up to it.

    Where scores measure the distance to a copy of the reference (``relative``), parts are losses. Where only
    one of the texts is empty, the score is 0 for that reason: there is no margin, and there are no parts.
    """

    score: float
    margin: float | None
    relative: bool
    groups: dict[str, float]
    features: dict[str, float]

    def text(self, *, width: int = 30) -> str:
        """Draw bars, the longest as wide as ``width``.

        >>> print(ScoreParts(0.5, -3.0, True, {"words": -2.0, "length": -1.0}, {}).text(width=4))
        score 0.5000, margin -3.0000
          words   -2.0000  ████
          length  -1.0000  ██
        """
        if self.margin is None:
            return f"score {self.score:.4f}, one text is empty"
        longest = max((abs(value) for value in self.groups.values()), default=0.0) or 1.0
        room = max((len(name) for name in self.groups), default=0)
        lines = [f"score {self.score:.{decimals([self.score], 4)}f}, margin {self.margin:.4f}"]
        for name, value in sorted(self.groups.items(), key=lambda item: -abs(item[1])):
            bar = "█" * round(width * abs(value) / longest)
            lines.append(f"  {name:<{room}}  {value:7.4f}  {bar}".rstrip())
        return "\n".join(lines)


def is_linear(model: Model | Beer20) -> bool:
    """Return whether margins are weighted sums of features, without a kernel or a hidden layer."""
    return model.kernel is None if isinstance(model, Beer20) else model.hidden is None


def weighted_features(
    model: Model | Beer20, hypotheses: Sequence[str], references: Sequence[str]
) -> WeightedFeatures:
    """Compute the features behind scores, with their weights."""
    if not is_linear(model):
        what = "kernel" if isinstance(model, Beer20) else "hidden layer"
        raise BadSetting(f"a model with a {what} has no parts that add up; it cannot be explained")
    if isinstance(model, Beer20):
        names = model.features.names
        values = (model.features.matrix(hypotheses, references) - model.least) / model.width
    else:
        names, values = model.names, model.features(hypotheses, references)
    empty = np.array([[not text.strip() for text in texts] for texts in (hypotheses, references)], np.bool_)
    scaled = empty[0] == empty[1] if isinstance(model, Model) else np.ones(len(hypotheses), np.bool_)
    return WeightedFeatures(names, model.weights, values, scaled)


def explained(
    model: Model | Beer20, hypotheses: Sequence[str], references: Sequence[str]
) -> list[ScoreParts]:
    """Split scores into their parts."""
    found = weighted_features(model, hypotheses, references)
    if isinstance(model, Beer20):
        templates, relative = model.features.templates, False
    else:
        templates = tuple(t for view in model.views for t in view.templates)
        relative = model.output.relative
    margins, scores = model.margins(hypotheses, references), model.scores(hypotheses, references)
    explanations = []
    rows = zip(found.parts.tolist(), margins.tolist(), scores.tolist(), found.explained.tolist(), strict=True)
    for row, margin, score, scaled in rows:
        if not scaled:
            explanations.append(ScoreParts(score, None, relative, {}, {}))
            continue
        groups: dict[str, float] = {}
        for template, part in zip(templates, row, strict=True):
            groups[template.pieces.group] = groups.get(template.pieces.group, 0.0) + part
        features = dict(zip(found.names, row, strict=True))
        explanations.append(ScoreParts(score, margin, relative, groups, features))
    return explanations
