"""Two parsers on the same sentences: where another parse gives another order, and which arcs did it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wordorder.errors import WordOrderError
from wordorder.io.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Arc:
    """A word on which two parses do not agree: its heads (positions from 0, -1 the root) and relations."""

    word: int
    form: str
    heads: tuple[int, int]
    relations: tuple[str, str]

    def __str__(self) -> str:
        one, other = (f"{r}({h + 1})" for r, h in zip(self.relations, self.heads, strict=True))
        return f"{self.form}: {one} / {other}"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A sentence whose scores differ with the parse."""

    number: int  # from 1
    scores: tuple[float, float]
    arcs: tuple[Arc, ...]

    @property
    def change(self) -> float:
        """The second score less the first."""
        return self.scores[1] - self.scores[0]


@dataclass(frozen=True, slots=True)
class ArcKind:
    """A kind of disagreement: the two relations, in how many sentences, and their mean change of score."""

    relations: tuple[str, str]
    count: int
    change: float


@dataclass(frozen=True, slots=True)
class ParserComparison:
    """Two parsers: how far they agree, and what their differences cost in order."""

    names: tuple[str, str]
    sentences: int
    unlabelled: float  # share of words with the same head
    labelled: float  # and the same relation
    better: int  # sentences that the second parse orders better
    worse: int
    disagreements: tuple[Disagreement, ...]  # by size of the change
    kinds: tuple[ArcKind, ...]  # by what they cost or gain in all

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {
            "parsers": list(self.names),
            "sentences": self.sentences,
            "unlabelled": self.unlabelled,
            "labelled": self.labelled,
            "better": self.better,
            "worse": self.worse,
            "arcs": [
                {"relations": list(k.relations), "count": k.count, "change": k.change} for k in self.kinds
            ],
            "disagreements": [
                {
                    "number": one.number,
                    "scores": list(one.scores),
                    "arcs": [
                        {
                            "word": a.word,
                            "form": a.form,
                            "heads": list(a.heads),
                            "relations": list(a.relations),
                        }
                        for a in one.arcs
                    ],
                }
                for one in self.disagreements
            ],
        }


def compare_parsers(
    names: tuple[str, str],
    parses: tuple[Sequence[Sentence], Sequence[Sentence]],
    scores: tuple[np.ndarray, np.ndarray],
    numbers: Sequence[int] | None = None,
) -> ParserComparison:
    """Set two parses of the same sentences beside their scores; ``numbers`` count the sentences from 1."""
    same_head = same_label = words = 0
    found: list[Disagreement] = []
    kinds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for s, (one, other) in enumerate(zip(*parses, strict=True)):
        number = numbers[s] if numbers else s + 1
        if one.forms != other.forms:
            raise WordOrderError(f"sentence {number} has other words in the second parse")
        arcs = []
        for i, (a, b) in enumerate(zip(one.words, other.words, strict=True)):
            words += 1
            same_head += a.head == b.head
            same_label += (a.head, a.deprel) == (b.head, b.deprel)
            if (a.head, a.deprel) != (b.head, b.deprel):
                arcs.append(Arc(i, a.form, (int(a.head) - 1, int(b.head) - 1), (a.deprel, b.deprel)))
        pair = float(scores[0][s]), float(scores[1][s])
        if pair[0] != pair[1]:
            found.append(Disagreement(number, pair, tuple(arcs)))
            for relations in {arc.relations for arc in arcs}:
                kinds[relations].append(pair[1] - pair[0])
    found.sort(key=lambda one: (-abs(one.change), one.number))
    table = [ArcKind(relations, len(some), float(np.mean(some))) for relations, some in kinds.items()]
    table.sort(key=lambda kind: (-abs(kind.change * kind.count), kind.relations))
    return ParserComparison(
        names,
        len(parses[0]),
        same_head / words if words else 1.0,
        same_label / words if words else 1.0,
        sum(one.change > 0 for one in found),
        sum(one.change < 0 for one in found),
        tuple(found),
        tuple(table),
    )
