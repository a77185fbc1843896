"""Learns the weights of ``recpef:weights=learned`` from human preferences.

A score is judged by the segment-level Kendall tau of WMT14, (concordant - discordant) / all, where a pair
that the score ties counts as neither, averaged over language pairs. It is judged *alone*, on matched words,
and as part of the *full* metric with its default settings; the objective is a weighted mean of both taus.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
import orjson

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.metrics.learned import ForestWeights
from wordorder.metrics.lexical_ordering import brevity_penalty, unigram_f1
from wordorder.metrics.segments import Matched, Matching, Segments

# The search uses coordinates that are nearly independent: the logarithm of the cost of a ⟨2,1⟩ that spans a
# whole sentence of TYPICAL words, the logarithm of the ratio of the two costs, and the three exponents.
TYPICAL = 20
LOWEST = np.array([np.log(0.05), np.log(0.7), 0.0, -0.3, 0.6])
HIGHEST = np.array([np.log(0.5), np.log(3.0), 1.2, 0.5, 1.8])
# Weight of the tau alone in the objective: differences between scores are far larger alone than in the full
# metric, where most of the score is lexical.
OBJECTIVES = {"alone": 1.0, "full": 0.0, "both": 1 / 9}
NAMES = tuple(field.name for field in fields(ForestWeights))


@dataclass(frozen=True, kw_only=True, eq=False)
class ForestExamples:
    """The judged pairs of outputs of some sets, and the outputs matched with their references."""

    name: str
    matched: Matched
    first: Longs  # output of each pair
    second: Longs
    lead: Doubles  # judgments for the first output minus those for the second
    judged: Doubles  # the sum of both
    segment: Longs  # of each pair
    set_of: Longs  # number of the set of each segment
    pairs: list[str]  # language pairs of the sets

    @classmethod
    def of(cls, name: str, sets: Sequence[Judgments]) -> ForestExamples:
        """Match the judged outputs of some sets: exact matches, tokenizer 13a, lower case."""
        outputs: list[str] = []
        references: list[str] = []
        columns: list[Longs] = []
        set_of: list[int] = []
        sets = sorted(sets, key=lambda judgments: judgments.pair)
        for number, judgments in enumerate(sets):
            if len(judgments.references) != 1:
                raise BadSetting(f"{judgments.name} has {len(judgments.references)} references; expected one")
            pairs = judgments.compared
            untied = pairs.wins + pairs.losses > 0
            items, numbers = np.unique([pairs.first[untied], pairs.second[untied]], return_inverse=True)
            segments = judgments.item_segment[pairs.first[untied]]
            _, seen_at, segment = np.unique(segments, return_index=True, return_inverse=True)
            order = np.argsort(np.argsort(seen_at))  # segments are numbered in the order of the judgments
            first, second = numbers.reshape(2, -1) + len(outputs)
            votes = pairs.wins[untied], pairs.losses[untied]
            columns.append(np.array([first, second, *votes, order[segment] + len(set_of)]))
            outputs += [judgments.outputs[item] or "" for item in items.tolist()]
            references += [judgments.references[0][s] for s in judgments.item_segment[items].tolist()]
            set_of += [number] * len(seen_at)
        first, second, wins, losses, segment = np.concatenate(columns, axis=1)
        return cls(
            name=name,
            matched=Segments(outputs, [references]).matched(Matching())[0],
            first=first,
            second=second,
            lead=(wins - losses).astype(np.float64),
            judged=(wins + losses).astype(np.float64),
            segment=segment,
            set_of=np.array(set_of),
            pairs=[judgments.pair for judgments in sets],
        )

    @cached_property
    def moved(self) -> Longs:
        """The outputs whose matched words are not in order; all other outputs have a fixed score."""
        values, offsets = self.matched.permutations.values, self.matched.permutations.offsets
        owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        return np.unique(owner[values != np.arange(len(values)) - offsets[owner]])

    @cached_property
    def moved_orders(self) -> Permutations:
        """The permutations of these outputs."""
        return Permutations([self.matched.permutations[k] for k in self.moved.tolist()])

    @cached_property
    def parts(self) -> tuple[Doubles, Doubles, Bools]:
        """The other components of the full metric, and where nothing was matched."""
        matched = self.matched
        penalty = brevity_penalty(matched.matched, matched.reference_lengths)
        return unigram_f1(matched), penalty, (matched.matched == 0) & ~matched.both_empty

    def scores(self, weights: ForestWeights) -> list[Doubles]:
        """Compute the learned score of the outputs, alone and in the full metric."""
        order = np.ones(len(self.matched.permutations))
        order[self.moved] = weights.scores(self.moved_orders)
        lexical, penalty, nothing = self.parts
        ordering = np.where(self.matched.both_empty, 1.0, penalty * order)
        return [np.where(nothing, 0.0, order), 0.5 * lexical + 0.5 * ordering]

    def agreement(self, scores: Doubles) -> Doubles:
        """Count concordant minus discordant judgments of each segment."""
        sign = np.sign(scores[self.first] - scores[self.second])
        return np.bincount(self.segment, sign * self.lead, len(self.set_of)).astype(np.float64)

    @cached_property
    def judgments(self) -> Doubles:
        """The number of judgments of each segment."""
        return np.bincount(self.segment, self.judged).astype(np.float64)

    def taus(self, scores: Doubles) -> Doubles:
        """Compute the tau of each set."""
        agreement = np.bincount(self.set_of, weights=self.agreement(scores))
        return np.asarray(agreement / np.bincount(self.set_of, weights=self.judgments))


def weights_at(point: Doubles) -> ForestWeights:
    """Return the weights at a point of the search space."""
    cost, ratio, arity, span, length = point.tolist()
    inverted = np.exp(cost) * TYPICAL ** (length - span)
    costs = {"inverted": inverted, "prime": inverted * np.exp(ratio)}
    return ForestWeights(
        **{key: round(float(x), 3) for key, x in costs.items()},
        arity=round(arity, 3),
        span=round(span, 3),
        length=round(length, 3),
    )


class ForestSearch:
    """Cross-entropy search: sample, keep the best, sample around them; the result is the mean of the best.

    The mean of many good weights is used instead of the best weights, because taus of single weights are
    noisy. Taus are kept, so that several searches share them. ``span`` adds its exponent to the search.
    """

    def __init__(
        self,
        *,
        starts: int = 300,
        draws: int = 100,
        rounds: int = 3,
        keep: int = 20,
        seed: int = 1,
        span: bool = False,
    ) -> None:
        self.draws, self.rounds, self.keep, self.seed = draws, rounds, keep, seed
        free = [span or name != "span" for name in NAMES]
        self.lowest, self.highest = np.where(free, LOWEST, 0.0), np.where(free, HIGHEST, 0.0)
        self._taus: dict[tuple[str, ForestWeights], list[float]] = {}
        rng = np.random.default_rng(seed)
        self._starts = list(rng.uniform(self.lowest, self.highest, size=(starts, len(NAMES))))

    def taus(self, year: ForestExamples, weights: ForestWeights) -> list[float]:
        """Compute the mean tau over the sets of a year, alone and in the full metric."""
        key = (year.name, weights)
        if key not in self._taus:
            self._taus[key] = [float(year.taus(scores).mean()) for scores in year.scores(weights)]
        return self._taus[key]

    def best(self, years: Sequence[ForestExamples], objective: str = "both") -> ForestWeights:
        """Search for the best weights on these years."""

        def value(point: Doubles) -> float:
            alone, full = np.mean([self.taus(year, weights_at(point)) for year in years], axis=0)
            return float(OBJECTIVES[objective] * alone + (1 - OBJECTIVES[objective]) * full)

        rng = np.random.default_rng([self.seed, 1])
        pool = self._starts
        for _ in range(self.rounds):
            good = np.array(sorted(pool, key=value)[-self.keep :])
            sampled = rng.normal(good.mean(axis=0), good.std(axis=0), size=(self.draws, len(NAMES)))
            pool = [*pool, *np.clip(sampled, self.lowest, self.highest)]
        return weights_at(np.mean(sorted(pool, key=value)[-self.keep :], axis=0))


def save_weights(weights: ForestWeights, path: Path, *, learned_from: Sequence[str], seed: int) -> None:
    """Write weights in the format of the package's own."""
    content = {"weights": asdict(weights), "learned_from": list(learned_from), "seed": seed}
    path.write_bytes(orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
