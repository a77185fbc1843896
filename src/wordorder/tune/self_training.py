"""Pairs of outputs that nobody judged, labelled by the model that learns from them (thesis 6.3.1).

People judged outputs that are much alike and of good quality; a tuner meets others. A model labels pairs from
n-best lists and learns again from its own labels beside the people's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from wordorder.arrays import Doubles, Floats
from wordorder.errors import BadFile, BadSetting
from wordorder.io.files import open_binary
from wordorder.tune.objectives import Sentences
from wordorder.tune.recipes import Recipe

if TYPE_CHECKING:
    from wordorder.tune.examples import Workshop


@dataclass(frozen=True, eq=False)
class Unlabelled:
    """Pairs of outputs with their references; pair k is ``first[k]``, ``second[k]``."""

    first: Sequence[str]
    second: Sequence[str]
    references: Sequence[str]
    language: str = "en"

    def __len__(self) -> int:
        return len(self.references)

    @property
    def tag(self) -> str:
        """A check sum."""
        told = repr([self.first, self.second, self.references, self.language])
        return f"{crc32(told.encode('utf-8', 'surrogatepass')):08x}"

    def features(self, workshop: Workshop, recipe: Recipe) -> Floats:
        """Features of all first outputs, then of all second ones."""
        if not hasattr(self, "_features"):  # once for all fits of a training
            texts = [*self.first, *self.second]
            found = workshop.features(recipe, texts, [*self.references, *self.references], self.language)
            object.__setattr__(self, "_features", found)
        made: Floats = self._features  # type: ignore[attr-defined]
        return made

    def loss(self, margins: Doubles, *, start: int, hinge: bool) -> Sentences:
        """Preferences as these margins have them; items are numbered from ``start``."""
        n = len(self)
        first = np.arange(start, start + n)
        ahead = margins[:n] - margins[n:]
        weight = np.full(n, 1.0 / max(int((ahead != 0).sum()), 1))
        return Sentences(first, first + n, weight * (ahead > 0), weight * (ahead < 0), hinge)


def _lines(path: str) -> Iterator[str]:
    with open_binary(path) as stream:
        for number, raw in enumerate(stream, start=1):
            try:
                yield raw.decode("utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                raise BadFile("is not text in UTF-8", file=path, line=number) from None


def read_nbest(path: str, reference: str, *, language: str, pairs: int, seed: int) -> Unlabelled:
    """Draw pairs from n-best lists, ``number ||| text ||| ...``, by lines of ``reference`` from 0."""
    references = list(_lines(reference))
    lists: dict[int, list[str]] = {}
    for line, raw in enumerate(_lines(path), start=1):
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
    first, second, beside = [], [], []
    for number in rng.choice(usable, size=pairs).tolist():
        texts = sorted(set(lists[number]))
        a, b = rng.choice(len(texts), size=2, replace=False).tolist()
        first.append(texts[a])
        second.append(texts[b])
        beside.append(references[number])
    return Unlabelled(first, second, beside, language)
