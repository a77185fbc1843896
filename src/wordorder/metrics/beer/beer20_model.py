"""Model folders of BEER 2.0 (Stanojević 2016), scored as the released program scores.

A folder holds ``feature_template.yaml``, ``feature_names_mapping``, ``feature_values_scaling``,
``core_model``, ``kernel.properties`` and either ``output_scaling`` or ``platt_scaling.properties``.
The score of a pair is a weighted sum of scaled features, scaled again:

- linear: (w0 + w1 x sum) / 100, cut off at 0 and 1, for it was fitted to judgments of 0 to 100;
- Platt: 1 / (1 + exp(A x sum + B)).

With a kernel of degree 2 or 3 the sum is over products of scaled features (``beer20_kernel``).

Quirks of the program that are kept: its character n-grams are one shorter than their name says and miss the
last one; word n-grams have two pieces more, for the beginning and the end; characters are UTF-16 units;
a space at the beginning of a line makes an empty word; the reference itself does not score 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Literal
from zlib import crc32

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadFile
from wordorder.metrics.beer.beer20_kernel import Expansion, expansion
from wordorder.metrics.beer.features import FeatureSet
from wordorder.metrics.beer.output import scaling_equation
from wordorder.metrics.beer.reading import (
    property_number,
    read_linear,
    read_names,
    read_properties,
    read_scaling,
    read_symmetry,
    template_of,
)
from wordorder.metrics.beer.templates import BEER20
from wordorder.text.pairs import Pairs

FILES = (
    "feature_template.yaml",
    "feature_names_mapping",
    "feature_values_scaling",
    "core_model",
    "kernel.properties",
)
PLATT, LINEAR = "platt_scaling.properties", "output_scaling"


@dataclass(frozen=True, eq=False)
class Beer20:
    """A model: features, their scaling and weights, and the scaling of the sum."""

    features: FeatureSet
    least: Doubles
    width: Doubles
    weights: Doubles  # of the features, or of their products
    kernel: Expansion | None  # None: degree 1
    output: tuple[Literal["linear", "platt"], float, float]
    tag: str  # a checksum of the files, which tells models apart in signatures

    @property
    def equation(self) -> str:
        """How the margin becomes a score."""
        kind, first, second = self.output
        return (
            scaling_equation(kind, second / 100, first / 100)
            if kind == "linear"
            else (scaling_equation(kind, -first, -second))
        )

    def scores(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Compute the score of each pair, 0 to 1."""
        return self.pair_scores(Pairs.of(hypotheses, references))

    def pair_scores(self, pairs: Pairs) -> Doubles:
        """Compute the score of each pair, 0 to 1."""
        kind, first, second = self.output
        raw = self.pair_margins(pairs)
        if kind == "linear":
            return np.clip((first + second * raw) / 100, 0.0, 1.0)
        power = raw * first + second
        small = np.exp(-np.abs(power))  # what the program raises: it never overflows
        return np.where(power >= 0, small, 1.0) / (1.0 + small)

    def margins(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Compute the weighted sums, before they are scaled to scores."""
        return self.pair_margins(Pairs.of(hypotheses, references))

    def pair_margins(self, pairs: Pairs) -> Doubles:
        """Compute the weighted sums block by block."""
        total = np.empty(len(pairs))
        for part, block in pairs.blocks():
            total[part] = self._sums(self.features.values(self.features.counts(block)))
        return total

    def _sums(self, matrix: Doubles) -> Doubles:
        # Feature by feature in the program's order, so that sums are rounded as the program's are.
        if self.kernel is not None:
            return self.kernel.sums((matrix - self.least) / self.width, self.weights)
        total = np.zeros(len(matrix))
        for k, weight in enumerate(self.weights):
            total += weight * ((matrix[:, k] - self.least[k]) / self.width[k])
        return total


def read_beer20(folder: str | Path) -> Beer20:
    """Read a model folder."""
    folder = Path(folder)
    _check_folder(folder)
    paths = [folder / name for name in FILES]
    template, mapping, values, core, kernel = paths
    symmetry = read_symmetry(template)
    templates = tuple(template_of(name, symmetry, mapping, at) for name, at in read_names(mapping))
    scaling = read_scaling(values)
    if len(scaling) != len(templates):
        message = f"{len(scaling)} lines for {len(templates)} features of {mapping.name}"
        raise BadFile(message, file=str(values), line=len(scaling))
    degree, gamma = _kernel(kernel)
    weights = _weights(core, comb(len(templates) + degree, degree) if degree > 1 else len(templates))
    platt = folder / PLATT  # the program prefers it where both are there
    last = platt if platt.exists() else folder / LINEAR
    bounds = np.array(scaling)
    return Beer20(
        features=FeatureSet(templates, BEER20),
        least=bounds[:, 0],
        width=bounds[:, 1] - bounds[:, 0],
        weights=np.array(weights),
        kernel=expansion(degree, gamma, len(templates)) if degree > 1 else None,
        output=_platt(last) if last is platt else _linear(last),
        tag=f"{crc32(b'|'.join(path.read_bytes() for path in [*paths, last])):08x}",
    )


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise BadFile("no such folder; expected one with a BEER 2.0 model", file=str(folder))
    if (folder / "featureMapping").exists():
        raise BadFile("is a model of BEER 1.1; only models of BEER 2.0 can be read", file=str(folder))
    missing = [name for name in FILES if not (folder / name).is_file()]
    if not any((folder / name).is_file() for name in (PLATT, LINEAR)):
        missing.append(f"{LINEAR} or {PLATT}")
    if missing:
        raise BadFile(f"is not a model of BEER 2.0: {', '.join(missing)} missing", file=str(folder))


def _kernel(path: Path) -> tuple[int, float]:
    """Read the degree of the kernel, and gamma, which degree 1 does not use."""
    properties = read_properties(path)
    degree, at = properties.get("polynomialDegree", ("", None))
    if degree not in ("1", "2", "3"):
        raise BadFile(f"polynomialDegree is {degree!r}; expected 1, 2 or 3", file=str(path), line=at)
    if degree == "1":
        return 1, 1.0
    gamma = property_number(properties, "gamma", path, f", which degree {degree} needs")
    if gamma <= 0:
        at = properties["gamma"][1]
        raise BadFile(f"gamma is {gamma}; expected a number above 0", file=str(path), line=at)
    return int(degree), gamma


def _weights(path: Path, features: int) -> list[float]:
    """Read the weights of the classifier: one per feature, for the first of its two labels."""
    head, weights = read_linear(path)
    if head.get("label") != "1 -1":
        raise BadFile(f"labels are {head.get('label')!r}; expected '1 -1'", file=str(path))
    if len(weights) != features:
        raise BadFile(f"{len(weights)} weights for {features} features or products", file=str(path))
    return weights


def _linear(path: Path) -> tuple[Literal["linear"], float, float]:
    _, weights = read_linear(path)
    if len(weights) != 2:
        raise BadFile(f"{len(weights)} weights; expected 2", file=str(path))
    return "linear", weights[0], weights[1]


def _platt(path: Path) -> tuple[Literal["platt"], float, float]:
    properties = read_properties(path)
    return "platt", property_number(properties, "A", path), property_number(properties, "B", path)
