"""Learn the weights of ``recpef:weights=learned`` from human rankings, and say what they are worth.

python benchmarks/learn_forest.py JUDGMENTS           cross-validate over years and print the tables
python benchmarks/learn_forest.py JUDGMENTS --write   also learn from all years and write the weights

JUDGMENTS holds a folder a year with pairs.tsv.gz, outputs.tsv.gz and segments.tsv.gz. A score is judged by
Kendall's tau of segments as at WMT14, (concordant - discordant) / all, where a pair that the score ties
counts as neither; the mean over language pairs. It is judged *alone*, on the matched words as
``text_metric`` does it, and in the *full* metric with its default settings.

The objective is a weighted mean of both taus. A held-out year has no part in learning the weights that it is
judged with; the form of the score, the objective and the search were chosen with all years in sight.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from wordorder.core.permutation import Permutations
from wordorder.data import package_file
from wordorder.metrics.learned import FILE, ForestWeights
from wordorder.metrics.lexical_ordering import brevity_penalty, unigram_f1
from wordorder.metrics.segments import Matched, Matching, Segments
from wordorder.metrics.text import MatchedMetric, text_metric
from wordorder.report.table import text_table

Doubles = NDArray[np.float64]
YEARS = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
TO_BEAT = ("kendall", "ulam", "fuzzy")
RIVALS = (*TO_BEAT, "recpef", "recpet", "spearman", "hamming", "pet_size")
WAYS = ("alone", "full")
WITHOUT_ORDER = {"alone": "number of matched words", "full": "F1 of matched words"}
# The search moves in coordinates that hardly depend on each other: the logarithm of what a ⟨2,1⟩ over all of
# a sentence of TYPICAL words costs there, that of the ratio of the two costs, and the three powers.
TYPICAL = 20
LEAST = np.array([np.log(0.05), np.log(0.7), 0.0, -0.3, 0.6])
MOST = np.array([np.log(0.5), np.log(3.0), 1.2, 0.5, 1.8])
# Share of the tau alone in the objective: differences between scores are far larger alone than in the full
# metric, where most of a score is lexical.
AIMS = {"alone": 1.0, "full": 0.0, "both": 1 / 9}
NAMES = tuple(field.name for field in fields(ForestWeights))


def rows(path: Path) -> Iterator[list[str]]:
    """The lines below the header, cut at tabs."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").split("\t")


@dataclass(frozen=True, kw_only=True)
class Year:
    """Judged pairs of outputs, and the outputs matched with their references."""

    name: str
    matched: Matched
    first: NDArray[np.int64]  # of each pair, the number of the output
    second: NDArray[np.int64]
    lead: Doubles  # judgments for the first less those for the second
    judged: Doubles  # both together
    segment: NDArray[np.int64]
    language_of: NDArray[np.int64]  # of each segment
    languages: list[str]

    @cached_property
    def moved(self) -> NDArray[np.int64]:
        """The outputs whose matched words are not in order: no other can change its score."""
        values, offsets = self.matched.permutations.values, self.matched.permutations.offsets
        owner = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        return np.unique(owner[values != np.arange(len(values)) - offsets[owner]])

    @cached_property
    def moved_orders(self) -> Permutations:
        """Their permutations."""
        return Permutations([self.matched.permutations[k] for k in self.moved.tolist()])

    @cached_property
    def parts(self) -> tuple[Doubles, Doubles, NDArray[np.bool_]]:
        """What else the full metric is made of, and where nothing was matched."""
        matched = self.matched
        penalty = brevity_penalty(matched.matched, matched.reference_lengths)
        return unigram_f1(matched), penalty, (matched.matched == 0) & ~matched.both_empty

    def learned(self, weights: ForestWeights) -> list[Doubles]:
        """Scores of the outputs, alone and in the full metric."""
        order = np.ones(len(self.matched.permutations))
        order[self.moved] = weights.scores(self.moved_orders)
        lexical, penalty, nothing = self.parts
        ordering = np.where(self.matched.both_empty, 1.0, penalty * order)
        return [np.where(nothing, 0.0, order), 0.5 * lexical + 0.5 * ordering]

    def rival(self, spec: str) -> list[Doubles]:
        """The same of another ordering score."""
        found = []
        for one in (spec, f"full:order={spec}"):
            made = text_metric(one)
            assert isinstance(made, MatchedMetric)
            found.append(made.rows(self.matched)[1])
        return found

    def agreement(self, scores: Doubles) -> Doubles:
        """Concordant less discordant judgments of each segment."""
        sign = np.sign(scores[self.first] - scores[self.second])
        return np.bincount(self.segment, sign * self.lead, len(self.language_of)).astype(np.float64)

    @cached_property
    def judgments(self) -> Doubles:
        """How many each segment has."""
        return np.bincount(self.segment, self.judged).astype(np.float64)

    def taus(self, scores: Doubles) -> Doubles:
        """Tau of each language pair."""
        above = np.bincount(self.language_of, weights=self.agreement(scores))
        return np.asarray(above / np.bincount(self.language_of, weights=self.judgments))

    def resampled(self, scores: Sequence[Doubles], samples: int, seed: list[int]) -> Doubles:
        """Taus over samples of segments, the same for all scores: (samples, language pairs, scores)."""
        rng = np.random.default_rng(seed)
        columns = np.column_stack([*map(self.agreement, scores), self.judgments])
        found = np.empty((samples, len(self.languages), len(scores)))
        for number in range(len(self.languages)):
            these = columns[self.language_of == number]
            for sample in range(samples):
                drawn = np.bincount(rng.integers(len(these), size=len(these)), minlength=len(these)) @ these
                found[sample, number] = drawn[:-1] / drawn[-1]
        return found


def load(folder: Path) -> Year:
    """Read a year and match its words: exact, 13a, lower case."""
    references = {tuple(row[:3]): row[4] for row in rows(folder / "segments.tsv.gz")}
    outputs = {tuple(row[:4]): row[4] for row in rows(folder / "outputs.tsv.gz")}
    items: dict[tuple[str, ...], int] = {}
    segments: dict[tuple[str, ...], int] = {}
    pairs = []
    for *segment, one, two, for_one, for_two, _ in rows(folder / "pairs.tsv.gz"):
        if int(for_one) + int(for_two):
            numbers = [items.setdefault((*segment, system), len(items)) for system in (one, two)]
            pairs.append(
                (*numbers, int(for_one), int(for_two), segments.setdefault((*segment,), len(segments)))
            )
    first, second, for_one, for_two, segment_of = np.array(pairs).T
    languages = sorted({segment[0] for segment in segments})
    text = Segments([outputs[key] for key in items], [[references[key[:3]] for key in items]])
    return Year(
        name=folder.name,
        matched=text.matched(Matching())[0],
        first=first,
        second=second,
        lead=(for_one - for_two).astype(np.float64),
        judged=(for_one + for_two).astype(np.float64),
        segment=segment_of,
        language_of=np.array([languages.index(segment[0]) for segment in segments]),
        languages=languages,
    )


def placed(place: Doubles) -> ForestWeights:
    """The weights at a place of the search."""
    cost, ratio, arity, span, length = place.tolist()
    inverted = np.exp(cost) * TYPICAL ** (length - span)
    costs = {"inverted": inverted, "prime": inverted * np.exp(ratio)}
    return ForestWeights(
        **{key: round(float(x), 3) for key, x in costs.items()},
        arity=round(arity, 3),
        span=round(span, 3),
        length=round(length, 3),
    )


class Search:
    """The cross-entropy method: draw, keep the best, draw around them, and take their mean in the end.

    The mean of many good weights, not the best, for taus of single weights are noisy. What was computed for
    one fold serves the others.
    """

    def __init__(
        self, years: Sequence[Year], *, starts: int, draws: int, rounds: int, keep: int, seed: int, span: bool
    ) -> None:
        self.years, self.draws, self.rounds, self.keep, self.seed = years, draws, rounds, keep, seed
        free = [span or name != "span" for name in NAMES]
        self.least, self.most = np.where(free, LEAST, 0.0), np.where(free, MOST, 0.0)
        self._taus: dict[tuple[str, ForestWeights], list[float]] = {}
        rng = np.random.default_rng(seed)
        self._starts = list(rng.uniform(self.least, self.most, size=(starts, len(NAMES))))

    def taus(self, year: Year, weights: ForestWeights) -> list[float]:
        """Tau of a year alone and in the full metric, the mean over its language pairs."""
        key = (year.name, weights)
        if key not in self._taus:
            self._taus[key] = [float(year.taus(s).mean()) for s in year.learned(weights)]
        return self._taus[key]

    def best(self, years: Sequence[Year], aim: str = "both") -> ForestWeights:
        """The best weights found on these years."""

        def value(at: Doubles) -> float:
            alone, full = np.mean([self.taus(year, placed(at)) for year in years], axis=0)
            return float(AIMS[aim] * alone + (1 - AIMS[aim]) * full)

        rng = np.random.default_rng([self.seed, 1])
        pool = self._starts
        for _ in range(self.rounds):
            good = np.array(sorted(pool, key=value)[-self.keep :])
            drawn = rng.normal(good.mean(axis=0), good.std(axis=0), size=(self.draws, len(NAMES)))
            pool = [*pool, *np.clip(drawn, self.least, self.most)]
        return placed(np.mean(sorted(pool, key=value)[-self.keep :], axis=0))


def written(weights: ForestWeights) -> list[str]:
    return [f"{getattr(weights, name):.3f}" for name in NAMES]


def marked(difference: float, samples: Doubles) -> str:
    """A difference of taus; with a star where 95% of the samples are on one side of 0."""
    low, high = np.quantile(samples, [0.025, 0.975])
    return f"{difference:+.4f}{'*' if low > 0 or high < 0 else ' '}"


def show(rows: Sequence[Sequence[str]]) -> None:
    print(text_table(rows), flush=True)


def ties(years: Sequence[Year]) -> None:
    """How much of the judgments a score of order alone can decide.

    Words in order get 1 from every score, so a pair of outputs in order is a tie for all of them, and which
    of two outputs comes first is settled where one is in order.
    """
    table = [["share of judgments", "both in order", "one in order, tau there", "none in order"]]
    for year in years:
        moved = np.isin(np.arange(len(year.matched.permutations)), year.moved)
        many = moved[year.first].astype(int) + moved[year.second]
        share = [year.judged[many == k].sum() / year.judged.sum() for k in range(3)]
        ahead = np.where(moved[year.first], -1, 1)[many == 1] @ year.lead[many == 1]
        one = f"{share[1]:.3f}, {ahead / year.judged[many == 1].sum():+.3f}"
        table.append([year.name, f"{share[0]:.3f}", one, f"{share[2]:.3f}"])
    show(table)


def aims(years: Sequence[Year], search: Search) -> None:
    """How far the same score gets on held-out years where it need not serve both uses."""
    table = [["learned for", *(f"{how}, mean tau" for how in WAYS)]]
    for aim in AIMS:
        found = [search.taus(y, search.best([o for o in years if o is not y], aim)) for y in years]
        table.append([aim, *(f"{mean:.4f}" for mean in np.mean(found, axis=0))])
    show(table)


@dataclass(frozen=True)
class HeldOut:
    """Taus of the learned score (first) and of its rivals on years that the weights have not seen."""

    years: Sequence[Year]
    taus: list[Doubles]  # a year: (language pairs, scores)
    samples: list[Doubles]  # a year: (samples, language pairs, scores)

    def show_taus(self, how: str, plain: list[float]) -> None:
        means = np.array([taus.mean(axis=0) for taus in self.taus]).T
        named = [*zip(("learned", *RIVALS), means, strict=True), (WITHOUT_ORDER[how], np.array(plain))]
        head = [f"{how}: tau held out", *(year.name for year in self.years), "mean"]
        show([head, *([name, *(f"{t:.4f}" for t in row), f"{row.mean():.4f}"] for name, row in named)])

    def show_differences(self, how: str) -> None:
        table = [[f"{how}: learned less", *(year.name for year in self.years), "mean"]]
        for k, name in enumerate(RIVALS, start=1):
            gaps = [float((taus[:, 0] - taus[:, k]).mean()) for taus in self.taus]
            drawn = [(some[:, :, 0] - some[:, :, k]).mean(axis=1) for some in self.samples]
            by_year = [marked(gap, one) for gap, one in zip(gaps, drawn, strict=True)]
            table.append([name, *by_year, marked(float(np.mean(gaps)), np.mean(drawn, axis=0))])
        show(table)

    def show_languages(self, how: str) -> None:
        table = [[f"{how}: year", "languages", "learned", *(f"less {rival}" for rival in TO_BEAT)]]
        for year, taus, some in zip(self.years, self.taus, self.samples, strict=True):
            for row, language in enumerate(year.languages):
                gaps = [
                    marked(taus[row, 0] - taus[row, k], some[:, row, 0] - some[:, row, k])
                    for k in range(1, len(TO_BEAT) + 1)
                ]
                table.append([year.name, language, f"{taus[row, 0]:.4f}", *gaps])
        show(table)


def cross_validate(years: Sequence[Year], search: Search, samples: int, seed: int) -> None:
    """Learn without each year in turn, and print what the weights are worth there."""
    weights = [search.best([other for other in years if other is not year]) for year in years]
    named = zip((year.name for year in years), map(written, weights), strict=True)
    show([["learned without", *NAMES], *([name, *texts] for name, texts in named)])
    for way, how in enumerate(WAYS):
        found = HeldOut(years, [], [])
        for number, (year, learned) in enumerate(zip(years, weights, strict=True)):
            scores = [year.learned(learned)[way], *(year.rival(spec)[way] for spec in RIVALS)]
            found.taus.append(np.column_stack([year.taus(one) for one in scores]))
            found.samples.append(year.resampled(scores, samples, [seed, number]))
        words = [(year.matched.matched.astype(np.float64), year.parts[0])[way] for year in years]
        found.show_taus(how, [float(y.taus(one).mean()) for y, one in zip(years, words, strict=True)])
        found.show_differences(how)
        found.show_languages(how)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("judgments", type=Path, help=f"folder with {', '.join(YEARS)}")
    parser.add_argument("--write", action="store_true", help="learn from all years and write the weights")
    for name, default in (("starts", 300), ("draws", 100), ("rounds", 3), ("keep", 20)):
        parser.add_argument(f"--{name}", type=int, default=default, help=f"of the search (default {default})")
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--span", action="store_true", help="also learn the power of the span")
    given = parser.parse_args()
    years = [load(given.judgments / name) for name in YEARS]
    numbers = {name: getattr(given, name) for name in ("starts", "draws", "rounds", "keep", "seed", "span")}
    search = Search(years, **numbers)
    cross_validate(years, search, given.samples, given.seed)
    ties(years)
    aims(years, search)
    whole = search.best(years)
    show([["learned from", *NAMES, "check sum"], ["all years", *written(whole), whole.tag]])
    if given.write:
        found = {"weights": asdict(whole), "learned_from": YEARS, "seed": given.seed}
        package_file(FILE).write_bytes(
            orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )


if __name__ == "__main__":
    main()
