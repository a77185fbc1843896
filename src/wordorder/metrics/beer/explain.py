"""Explain scores: what each feature, and each group of features, adds to the margin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.core.displayed import Displayed
from wordorder.core.rounding import decimals
from wordorder.errors import BadSetting
from wordorder.metrics.beer.beer20_model import Beer20
from wordorder.metrics.beer.trained_model import Model


@dataclass(frozen=True)
class ScoreParts(Displayed):
    """A score with its parts; the parts of a margin add up to it.

    Where scores measure the distance to a copy of the reference (``relative``), parts are losses.
    """

    score: float
    margin: float
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
        longest = max((abs(value) for value in self.groups.values()), default=0.0) or 1.0
        room = max((len(name) for name in self.groups), default=0)
        lines = [f"score {self.score:.{decimals([self.score], 4)}f}, margin {self.margin:.4f}"]
        for name, value in sorted(self.groups.items(), key=lambda item: -abs(item[1])):
            bar = "█" * round(width * abs(value) / longest)
            lines.append(f"  {name:<{room}}  {value:7.4f}  {bar}".rstrip())
        return "\n".join(lines)


def explained(
    model: Model | Beer20, hypotheses: Sequence[str], references: Sequence[str]
) -> list[ScoreParts]:
    """Split scores into their parts."""
    if isinstance(model, Beer20):
        values = model.features.matrix(hypotheses, references)
        templates, names = model.features.templates, model.features.names
        if len(model.weights) != len(names):
            raise BadSetting("a model with a kernel has no parts that add up; it cannot be explained")
        parts, relative = model.weights * (values - model.least) / model.width, False
    elif model.hidden:
        raise BadSetting("a model with a hidden layer has no parts that add up; it cannot be explained")
    else:
        templates, names = tuple(t for view in model.views for t in view.templates), model.names
        parts, relative = model.features(hypotheses, references) * model.weights, model.output.relative
    margins, scores = model.margins(hypotheses, references), model.scores(hypotheses, references)
    explanations = []
    for row, margin, score in zip((parts + 0.0).tolist(), margins.tolist(), scores.tolist(), strict=True):
        groups: dict[str, float] = {}
        for template, part in zip(templates, row, strict=True):
            groups[template.pieces.group] = groups.get(template.pieces.group, 0.0) + part
        explanations.append(ScoreParts(score, margin, relative, groups, dict(zip(names, row, strict=True))))
    return explanations
