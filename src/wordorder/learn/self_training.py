"""Pairs of outputs without judgments, labelled by the model that learns from them (thesis 6.3.1).

People judge outputs that are similar and of good quality; the tuning of a system produces others. A model
labels pairs from n-best lists and learns again from its own labels and those of people.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from wordorder.arrays import Doubles, Floats
from wordorder.errors import BadFile, BadSetting
from wordorder.judge.tsv import lines
from wordorder.learn.beer_recipes import BeerRecipe
from wordorder.learn.objectives import PreferenceLoss

if TYPE_CHECKING:
    from wordorder.learn.features import ExampleStore


@dataclass(frozen=True, eq=False)
class UnlabelledPairs:
    """Pairs of outputs with their references; pair k is ``first[k]`` and ``second[k]``."""

    first: Sequence[str]
    second: Sequence[str]
    references: Sequence[str]
    language: str = "en"

    def __len__(self) -> int:
        return len(self.references)

    @property
    def tag(self) -> str:
        """A checksum of the texts."""
        content = repr([self.first, self.second, self.references, self.language])
        return f"{crc32(content.encode('utf-8', 'surrogatepass')):08x}"

    @cached_property
    def _features(self) -> dict[BeerRecipe, Floats]:
        return {}  # computed once for all fits of a training run

    def features(self, store: ExampleStore, recipe: BeerRecipe) -> Floats:
        """Return the features of all first outputs, then of all second ones."""
        if recipe not in self._features:
            texts, references = [*self.first, *self.second], [*self.references, *self.references]
            self._features[recipe] = store.features(recipe, texts, references, self.language)
        return self._features[recipe]

    def loss(self, margins: Doubles, *, start: int, hinge: bool) -> PreferenceLoss:
        """Return the loss of the preferences that these margins express, with items from ``start`` on."""
        n = len(self)
        first = np.arange(start, start + n)
        ahead = margins[:n] - margins[n:]
        weight = np.full(n, 1.0 / max(int((ahead != 0).sum()), 1))
        return PreferenceLoss(first, first + n, weight * (ahead > 0), weight * (ahead < 0), hinge)


def read_nbest(path: str, reference: str, *, language: str, pairs: int, seed: int) -> UnlabelledPairs:
    """Draw pairs from n-best lists, ``NUMBER ||| TEXT ||| ...``; numbers are lines of ``reference``."""
    references = list(lines(reference))
    lists: dict[int, list[str]] = {}
    for line, raw in enumerate(lines(path), start=1):
        fields = [part.strip() for part in raw.split("|||")]
        number = fields[0] if fields[0].isascii() and fields[0].isdigit() else ""
        if len(fields) < 2 or not number or int(number) >= len(references):
            expected = f"NUMBER ||| TEXT with a number below {len(references)}"
            raise BadFile(f"expected {expected}, found {raw.strip()[:60]!r}", file=path, line=line)
        lists.setdefault(int(number), []).append(fields[1])
    usable = [number for number, texts in sorted(lists.items()) if len(set(texts)) > 1]
    if not usable:
        raise BadSetting(f"{path}: no list has two different outputs")
    rng = np.random.default_rng(seed)
    first, second, drawn_references = [], [], []
    for number in rng.choice(usable, size=pairs).tolist():
        texts = sorted(set(lists[number]))
        a, b = rng.choice(len(texts), size=2, replace=False).tolist()
        first.append(texts[a])
        second.append(texts[b])
        drawn_references.append(references[number])
    return UnlabelledPairs(first, second, drawn_references, language)
