"""A linear ranker over features of shared pieces, scaled so that a copy of the reference scores 1.

With margin m(h, r) = w · (f(h, r) - f(r, r)) the score is 2 / (1 + exp(-m / scale)): with scale 1 twice the
chance p(h > r) that a judge prefers the output to the reference itself, the quasi-probability of the thesis
(chapter 6). A larger scale, learned from ratings, spreads scores as people do. Weights of similarities are
not negative and those of length differences not positive, so no text scores above the reference.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from wordorder.data import package_file
from wordorder.errors import BadFile
from wordorder.metrics.beer.features import BLOCK, FeatureSet
from wordorder.metrics.beer.templates import LENGTHS, Cutting, Template, parse_templates

Doubles = NDArray[np.float64]
FORM = "wordorder beer 1"
FARTHEST = 5.0  # of length disbalance: what is longer still is not worse


@dataclass(frozen=True)
class View:
    """Features of the texts as they are written, or in lower case."""

    templates: tuple[Template, ...]
    lowercase: bool

    @cached_property
    def features(self) -> FeatureSet:
        """The features; words are cut as sacrebleu's 13a cuts them."""
        return FeatureSet(self.templates, Cutting(split="13a"), self.lowercase)

    @property
    def names(self) -> list[str]:
        """The features with the case of their text: ``lower:char3.sf1``."""
        case = "lower" if self.lowercase else "cased"
        return [f"{case}:{name}" for name in self.features.names]

    @property
    def signs(self) -> list[int]:
        """Whether more of a feature is better (1) or worse (-1)."""
        return [-1 if template.pieces.kind in LENGTHS else 1 for template in self.templates]

    def below(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> Doubles:
        """Features less those of the reference with itself; 0 for a copy, a row a pair."""
        found = np.empty((len(hypotheses), len(self.templates)))
        for begin in range(0, len(hypotheses), BLOCK):
            part = slice(begin, begin + BLOCK)
            counts = self.features.counts(hypotheses[part], references[part], threads=threads)
            itself = np.repeat(counts[:, :, 2:], 3, axis=2)  # all pieces of the reference are matched
            for place, pieces in enumerate(self.features.pieces):
                if pieces.kind in LENGTHS:
                    itself[:, place] = 1
                    counts[~counts[:, place, 1:].any(axis=1), place] = 1  # two empty texts are equally long
            found[part] = np.minimum(self.features.values(counts), FARTHEST)
            found[part] -= np.minimum(self.features.values(itself), FARTHEST)
        return found


def views(templates: str) -> tuple[View, View]:
    """Features of cased and of lower-cased text."""
    made = tuple(parse_templates(templates))
    return View(made, False), View(made, True)


@dataclass(frozen=True, eq=False)
class Ranker:
    """Weights of features by name, and what they were learned from."""

    views: tuple[View, ...]
    weights: tuple[Doubles, ...]  # of each view
    card: Mapping[str, Any]
    scale: float = 1.0

    @property
    def tag(self) -> str:
        """A check sum of the weights, for signatures."""
        return f"{zlib.crc32(orjson.dumps([self.as_data()['weights'], self.scale])):08x}"

    def margins(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """w · (f(h, r) - f(r, r)); 0 for a copy of the reference, below 0 otherwise."""
        total = np.zeros(len(hypotheses))
        for view, weights in zip(self.views, self.weights, strict=True):
            total += view.below(hypotheses, references) @ weights
        return total

    def scores(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Between 0 and 1."""
        return scaled(np.minimum(self.margins(hypotheses, references), 0.0), self.scale)

    def as_data(self) -> dict[str, Any]:
        """Plain data for a file; features without weight are left out."""
        named = {
            name: float(weight)
            for view, weights in zip(self.views, self.weights, strict=True)
            for name, weight in zip(view.names, weights, strict=True)
            if weight
        }
        return {"form": FORM, "scale": self.scale, "weights": named, "card": dict(self.card)}


def scaled(margins: Doubles, scale: float) -> Doubles:
    """Margins, 0 or below, as scores.

    >>> scaled(np.array([0.0, -50.0]), 5.0).round(4).tolist()
    [1.0, 0.0001]
    """
    odds = np.exp(margins / scale)
    return np.asarray(2 * odds / (1 + odds))


def ranker_from_data(data: Any, *, file: str) -> Ranker:
    """The ranker of a model file."""
    if not isinstance(data, dict) or data.get("form") != FORM:
        seen = data.get("form") if isinstance(data, dict) else type(data).__name__
        raise BadFile(f"is no BEER model of this version: form is {seen!r}, expected {FORM!r}", file=file)
    weights, scale = data.get("weights"), data.get("scale", 1.0)
    if not isinstance(scale, (int, float)) or not 0 < scale < 1e6:
        raise BadFile(f"scale is {scale!r}; expected a number above 0", file=file)
    if not isinstance(weights, dict) or not weights:
        raise BadFile("has no weights", file=file)
    made, values = [], []
    for case, lowercase in (("cased", False), ("lower", True)):
        mine = {
            name.partition(":")[2]: value for name, value in weights.items() if name.startswith(f"{case}:")
        }
        for name, value in mine.items():
            if not isinstance(value, (int, float)) or not np.isfinite(value):
                raise BadFile(f"weight of {name} is {value!r}; expected a number", file=file)
        templates = tuple(Template.parse(name) for name in mine)
        made.append(View(templates, lowercase))
        values.append(np.array(list(mine.values()), dtype=np.float64))
    odd = [name for name in weights if name.partition(":")[0] not in ("cased", "lower")]
    if odd:
        raise BadFile(f"unknown feature {odd[0]!r}; expected cased:NAME or lower:NAME", file=file)
    for view, numbers in zip(made, values, strict=True):
        for name, sign, value in zip(view.names, view.signs, numbers, strict=True):
            if sign * value < 0:
                raise BadFile(f"weight of {name} is {value}: a text could beat its own reference", file=file)
    return Ranker(tuple(made), tuple(values), data.get("card", {}), float(scale))


@cache
def read_ranker(path: str = "") -> Ranker:
    """A model file; without a path the one that comes with the package."""
    place = Path(path) if path else package_file("beer.json")
    try:
        data = orjson.loads(place.read_bytes())
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=str(place)) from None
    except orjson.JSONDecodeError as error:
        raise BadFile(f"is not JSON: {error}", file=str(place)) from None
    return ranker_from_data(data, file=str(place))
