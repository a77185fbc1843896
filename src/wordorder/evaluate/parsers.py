"""Parsers on the same sentences: how far they agree, and where their parses lead to different orders.

If the first parser stands for gold trees, agreement with it is accuracy (Talbot et al. 2011, table 8).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from wordorder.arrays import Doubles
from wordorder.engine.compare import Result
from wordorder.errors import WordOrderError
from wordorder.evaluate.columns import ComparisonSettings, mean_or_nan, measured
from wordorder.evaluate.corpus import EvaluatedSystem, EvaluationCorpus
from wordorder.evaluate.evaluation import VariantScores
from wordorder.io.sentence import Sentence


@dataclass(frozen=True, slots=True)
class ParserAgreement:
    """The shares of words, including punctuation, for which a parser agrees with another one."""

    parser: str
    other: str
    words: int
    heads: Result
    labelled: Result  # the same head and the same relation
    tags: Result  # the same universal part of speech
    fine_tags: Result  # the same part of speech of the language; NaN if the other one has none


def parser_agreement(
    parses: Mapping[str, Sequence[Sentence]], settings: ComparisonSettings
) -> list[ParserAgreement]:
    """Compare every parser with the first one, in heads, relations and tags."""
    (first, gold), *others = parses.items()
    found = []
    for parser, trees in others:
        pairs = [list(zip(a.words, b.words, strict=True)) for a, b in zip(gold, trees, strict=True)]
        counts = np.array(
            [
                (
                    sum(a.head == b.head for a, b in words),
                    sum((a.head, a.deprel) == (b.head, b.deprel) for a, b in words),
                    sum(a.upos == b.upos for a, b in words),
                    sum(a.xpos == b.xpos != "_" for a, b in words),
                    sum(a.xpos != "_" for a, _ in words),
                    len(words),
                )
                for words in pairs
            ],
            dtype=np.float64,
        )
        names = ("heads", "labelled", "tags", "fine_tags")
        of = {"fine_tags": 4}  # words that have such a tag
        values = measured(
            {name: (counts[:, [k, of.get(name, -1)]], mean_or_nan) for k, name in enumerate(names)}, settings
        )
        found.append(ParserAgreement(parser, first, int(counts[:, -1].sum()), **values))
    return found


def accuracy(
    gold: Sequence[Sentence], trees: Sequence[Sentence], settings: ComparisonSettings
) -> ParserAgreement:
    """Return the accuracy of trees of the same sentences: their agreement with gold trees.

    >>> from wordorder.io.sentence import Row
    >>> gold = [Sentence([Row("1", "go", upos="VERB", head="0"), Row("2", "home", upos="ADV", head="1")])]
    >>> trees = [Sentence([Row("1", "go", upos="VERB", head="0"), Row("2", "home", upos="NOUN", head="1")])]
    >>> found = accuracy(gold, trees, ComparisonSettings(samples=0))
    >>> found.tags.score, found.heads.score
    (0.5, 1.0)
    """
    return parser_agreement({"gold": gold, "parser": trees}, settings)[0]


@dataclass(frozen=True, slots=True)
class Arc:
    """A word on which two parses disagree: its heads (positions from 0, -1 for the root) and relations."""

    word: int
    form: str
    heads: tuple[int, int]
    relations: tuple[str, str]

    def __str__(self) -> str:
        first, second = (f"{r}({h + 1})" for r, h in zip(self.relations, self.heads, strict=True))
        return f"{self.form}: {first} / {second}"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A sentence whose score depends on the parse."""

    number: int  # from 1
    scores: tuple[float, float]
    arcs: tuple[Arc, ...]

    @property
    def change(self) -> float:
        """The second score minus the first."""
        return self.scores[1] - self.scores[0]


@dataclass(frozen=True, slots=True)
class ArcKind:
    """A kind of disagreement: the two relations, the number of sentences, and the mean change of score."""

    relations: tuple[str, str]
    count: int
    change: float


@dataclass(frozen=True, slots=True)
class ParserComparison:
    """Two parsers: how far they agree, and how their differences change the order."""

    parsers: tuple[str, str]
    sentences: int
    unlabelled: float  # share of words with the same head
    labelled: float  # and the same relation
    better: int  # sentences that the second parse orders better
    worse: int
    disagreements: tuple[Disagreement, ...]  # by size of the change
    arcs: tuple[ArcKind, ...]  # by total change
    higher_is_better: bool = True  # whether a greater score is better


def compare_parsers(
    parsers: tuple[str, str],
    parses: tuple[Sequence[Sentence], Sequence[Sentence]],
    scores: tuple[np.ndarray, np.ndarray],
    numbers: Sequence[int] | None = None,
    *,
    higher_is_better: bool = True,
) -> ParserComparison:
    """Compare two parses of the same sentences and their scores; ``numbers`` count the sentences from 1."""
    sign = 1 if higher_is_better else -1
    same_head = same_label = words = 0
    disagreements: list[Disagreement] = []
    kinds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for s, (first, second) in enumerate(zip(*parses, strict=True)):
        number = numbers[s] if numbers else s + 1
        if first.forms != second.forms:
            raise WordOrderError(f"sentence {number} has different words in the second parse")
        arcs = []
        for i, (a, b) in enumerate(zip(first.words, second.words, strict=True)):
            words += 1
            same_head += a.head == b.head
            same_label += (a.head, a.deprel) == (b.head, b.deprel)
            if (a.head, a.deprel) != (b.head, b.deprel):
                arcs.append(Arc(i, a.form, (int(a.head) - 1, int(b.head) - 1), (a.deprel, b.deprel)))
        pair = float(scores[0][s]), float(scores[1][s])
        if pair[0] != pair[1]:
            disagreements.append(Disagreement(number, pair, tuple(arcs)))
            for relations in {arc.relations for arc in arcs}:
                kinds[relations].append(pair[1] - pair[0])
    disagreements.sort(key=lambda sentence: (-abs(sentence.change), sentence.number))
    table = [
        ArcKind(relations, len(changes), float(np.mean(changes))) for relations, changes in kinds.items()
    ]
    table.sort(key=lambda kind: (-abs(kind.change * kind.count), kind.relations))
    return ParserComparison(
        parsers,
        len(parses[0]),
        same_head / words if words else 1.0,
        same_label / words if words else 1.0,
        sum(sign * sentence.change > 0 for sentence in disagreements),
        sum(sign * sentence.change < 0 for sentence in disagreements),
        tuple(disagreements),
        tuple(table),
        higher_is_better,
    )


def compare_parsed_systems(
    corpus: EvaluationCorpus, systems: Sequence[EvaluatedSystem], scored: VariantScores
) -> list[ParserComparison]:
    """Compare each preorderer on the first parse with the same preorderer on every other parse."""
    first = next(iter(corpus.parses), None)
    numbers = [s + 1 for s in scored.sentences]
    score = scored.scores[0]

    def parsed(system: EvaluatedSystem) -> list[Sentence]:
        return [corpus.parses[str(system.parser)][s] for s in scored.sentences]

    def scores(system: EvaluatedSystem) -> Doubles:
        return scored.sentence_scores[system.name][score.name]

    return [
        compare_parsers(
            (system.name, other.name),
            (parsed(system), parsed(other)),
            (scores(system), scores(other)),
            numbers,
            higher_is_better=score.higher_is_better,
        )
        for system, other in combinations(systems, 2)
        if system.parser == first and system.parser and other.parser and system.preorderer is other.preorderer
    ]
