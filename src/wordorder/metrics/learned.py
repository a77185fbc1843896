"""The learned forest score: five weights, and the score of a permutation under them.

The score is ``exp(-cost / n^length)``. The cost of a span of l words is the cost of its operator, times
l^span, plus the cost of its parts; where the span can be split at several points it is the mean over them.
⟨1,2⟩ costs nothing, ⟨2,1⟩ ``inverted``, an operator of k parts ``prime * (k - 3)^arity``. As a product:
each operator multiplies the score by a factor below 1, a chain takes the geometric mean over its bracketings.

``learn/forest_weights.py`` learns the numbers from human preferences.
"""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass
from functools import cache
from zlib import crc32

import numpy as np
import orjson

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.data import package_file
from wordorder.errors import BadSetting

FILE = "forest_weights.json"


@dataclass(frozen=True, kw_only=True)
class ForestWeights:
    """The costs of operators, and how spans and sentences are weighted by their length.

    >>> ForestWeights(inverted=1, prime=1, arity=0, span=0, length=1).scores(Permutations([[0], [1, 0]]))
    array([1.        , 0.60653066])
    """

    inverted: float
    prime: float
    arity: float
    span: float
    length: float

    def __post_init__(self) -> None:
        """Check that only the perfect order is free, and that the score stays a number."""
        for key, value in asdict(self).items():
            low, high = (1e-6, 1e6) if key in ("inverted", "prime") else (-10.0, 10.0)
            if not low <= value <= high:
                raise BadSetting(f"learned weights: {key} is {value}; expected {low:g} to {high:g}")

    @property
    def tag(self) -> str:
        """A checksum, which tells weights apart in signatures.

        >>> ForestWeights(inverted=1, prime=1, arity=0, span=0, length=1).tag
        '0c79a5ac'
        """
        return f"{crc32(' '.join(repr(float(value)) for value in astuple(self)).encode()):08x}"

    def scores(self, permutations: Permutations) -> Doubles:
        """Score each permutation: 1 for the perfect order, less for any other."""
        cost = _native.forest_cost(
            permutations.values, permutations.offsets, self.inverted, self.prime, self.arity, self.span
        )
        return np.exp(-cost / np.maximum(permutations.lengths, 1.0) ** self.length)


@cache
def forest_weights() -> ForestWeights:
    """Return the weights that come with the package."""
    read = orjson.loads(package_file(FILE).read_bytes())
    return ForestWeights(**read["weights"])
