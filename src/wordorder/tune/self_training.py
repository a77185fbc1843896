"""Pairs of outputs that nobody judged, labelled by the model that learns from them (thesis 6.3.1).

People judged outputs that are much alike and of good quality; a tuner meets others. A model labels pairs from
n-best lists and learns again from its own labels beside the people's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_binary
from wordorder.tune.objectives import Sentences
from wordorder.tune.recipes import Recipe

if TYPE_CHECKING:
    from wordorder.tune.examples import Workshop

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Unlabelled:
    """Pairs of outputs with their references; pair k is ``first[k]``, ``second[k]``."""

    first: Sequence[str]
    second: Sequence[str]
    references: Sequence[str]
    language: str = "en"

    def __len__(self) -> int:
        return len(self.references)

    def features(self, workshop: Workshop, recipe: Recipe) -> Floats:
        """Features of all first outputs, then of all second ones."""
        texts = [*self.first, *self.second]
        return workshop.features(recipe, texts, [*self.references, *self.references], self.language)

    def loss(self, margins: Doubles, *, start: int, hinge: bool) -> Sentences:
        """Preferences as these margins have them; items are numbered from ``start``."""
        n = len(self)
        first = np.arange(start, start + n)
        ahead = margins[:n] - margins[n:]
        weight = np.full(n, 1.0 / max(int((ahead != 0).sum()), 1))
        return Sentences(first, first + n, weight * (ahead > 0), weight * (ahead < 0), hinge)


def read_nbest(path: str, reference: str, *, language: str, pairs: int, seed: int) -> Unlabelled:
    """Draw pairs from n-best lists, ``number ||| text ||| ...``, by lines of ``reference`` from 0."""
    with open_binary(reference) as stream:
        references = stream.read().decode("utf-8").splitlines()
    lists: dict[int, list[str]] = {}
    with open_binary(path) as stream:
        for line, raw in enumerate(stream, start=1):
            fields = [part.strip() for part in raw.decode("utf-8").split("|||")]
            if len(fields) < 2 or not fields[0].isdigit() or int(fields[0]) >= len(references):
                expected = f"NUMBER ||| TEXT with a number below {len(references)}"
                raise BadFile(
                    f"expected {expected}, found {raw.decode('utf-8').strip()[:60]!r}", file=path, line=line
                )
            lists.setdefault(int(fields[0]), []).append(fields[1])
    usable = [number for number, texts in sorted(lists.items()) if len(set(texts)) > 1]
    if not usable:
        raise BadSetting(f"{path}: no list has two different outputs")
    rng = np.random.default_rng(seed)
    first, second, beside = [], [], []
    for number in rng.choice(usable, size=pairs).tolist():
        texts = sorted(set(lists[number]))
        a, b = rng.choice(len(texts), size=2, replace=False).tolist()
        first.append(texts[a])
        second.append(texts[b])
        beside.append(references[number])
    return Unlabelled(first, second, beside, language)
