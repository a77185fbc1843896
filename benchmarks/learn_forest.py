"""Learn the weights of ``recpef:weights=learned`` from human rankings, and say what they are worth.

python benchmarks/learn_forest.py JUDGMENTS           cross-validate over years and print the tables
python benchmarks/learn_forest.py JUDGMENTS --write   also learn from all years and write the weights

JUDGMENTS holds a folder a year with pairs.tsv.gz, outputs.tsv.gz and segments.tsv.gz. A score is judged by
Kendall's tau of segments as at WMT14, (concordant - discordant) / all, where a pair that the score ties
counts as neither; the mean over language pairs. It is judged *alone*, on the matched words as
``text_metric`` does it, and in the *full* metric with its default settings.

The objective is the lesser of two margins over the best rival on the same years: half the margin alone,
and the margin in the full metric (the first varies about twice as much over samples). A held-out year is
seen by nothing but the table; the form of the score itself was chosen on all years.
"""

from __future__ import annotations

import argparse
import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import orjson
from numpy.typing import NDArray

from wordorder.core.permutation import Permutations
from wordorder.data import package_file
from wordorder.metrics.full import brevity_penalty, unigram_f1
from wordorder.metrics.learned import FILE, ForestWeights
from wordorder.metrics.segments import Matched, Matching, Segments
from wordorder.metrics.text import MatchedMetric, text_metric
from wordorder.report.table import text_table

Doubles = NDArray[np.float64]
YEARS = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
TO_BEAT = ("kendall", "ulam", "fuzzy")
RIVALS = (*TO_BEAT, "recpef", "recpet", "spearman", "hamming", "pet_size")
WAYS = ("alone", "full")
WITHOUT_ORDER = {"alone": "number of matched words", "full": "F1 of matched words"}
# Where the search draws from; costs on a logarithmic scale.
LEAST = ForestWeights(inverted=0.2, prime=0.2, arity=0.0, span=-0.5, length=0.0)
MOST = ForestWeights(inverted=20.0, prime=20.0, arity=1.5, span=1.0, length=2.0)
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


class Search:
    """Random starts, then hill climbing; what was computed for one fold serves the others."""

    def __init__(self, years: Sequence[Year], *, starts: int, steps: int, seed: int) -> None:
        self.years, self.steps, self.seed = years, steps, seed
        self._taus: dict[tuple[str, ForestWeights], list[float]] = {}
        self._rivals = {
            year.name: np.array([[year.taus(s).mean() for s in year.rival(r)] for r in TO_BEAT])
            for year in years
        }
        rng = np.random.default_rng(seed)
        self._starts = [self._drawn(rng) for _ in range(starts)]

    @staticmethod
    def _drawn(rng: np.random.Generator) -> ForestWeights:
        drawn = {}
        for name in NAMES:
            low, high = getattr(LEAST, name), getattr(MOST, name)
            at = rng.uniform()
            costs = name in ("inverted", "prime")
            drawn[name] = round(low * (high / low) ** at if costs else low + (high - low) * at, 3)
        return ForestWeights(**drawn)

    @staticmethod
    def _near(weights: ForestWeights, size: float, rng: np.random.Generator) -> ForestWeights:
        changed = {}
        for name in rng.choice(NAMES, size=rng.integers(1, 4), replace=False).tolist():
            low, high, now = (getattr(one, name) for one in (LEAST, MOST, weights))
            step = size * rng.normal()
            costs = name in ("inverted", "prime")
            changed[name] = round(float(np.clip(now * np.exp(step) if costs else now + step, low, high)), 3)
        return replace(weights, **changed)

    def taus(self, year: Year, weights: ForestWeights) -> list[float]:
        """Tau of a year alone and in the full metric, the mean over its language pairs."""
        key = (year.name, weights)
        if key not in self._taus:
            self._taus[key] = [float(year.taus(s).mean()) for s in year.learned(weights)]
        return self._taus[key]

    def objective(self, years: Sequence[Year], weights: ForestWeights, aim: str) -> float:
        """The margin over the best rival: alone, in the full metric, or the lesser of both."""
        best = np.mean([self._rivals[year.name] for year in years], axis=0).max(axis=0)
        alone, full = np.mean([self.taus(year, weights) for year in years], axis=0) - best
        return float({"alone": alone, "full": full, "both": min(alone / 2, full)}[aim])

    def best(self, years: Sequence[Year], aim: str = "both", *, climbs: int = 3) -> ForestWeights:
        """The best weights found on these years."""

        def value(weights: ForestWeights) -> float:
            return self.objective(years, weights, aim)

        rng = np.random.default_rng(self.seed + 1)
        starts = sorted(self._starts, key=value, reverse=True)[:climbs]
        return max((self._climbed(value, start, rng) for start in starts), key=value)

    def _climbed(
        self, value: Callable[[ForestWeights], float], start: ForestWeights, rng: np.random.Generator
    ) -> ForestWeights:
        at, height, size, failed = start, value(start), 0.3, 0
        for _ in range(self.steps):
            there = self._near(at, size, rng)
            if (found := value(there)) > height:
                at, height, failed = there, found, 0
            elif (failed := failed + 1) == 15:
                size, failed = max(0.6 * size, 0.02), 0
        return at


def written(weights: ForestWeights) -> list[str]:
    return [f"{getattr(weights, name):.3f}" for name in NAMES]


def marked(difference: float, samples: Doubles) -> str:
    """A difference of taus; with a star where 95% of the samples are on one side of 0."""
    low, high = np.quantile(samples, [0.025, 0.975])
    return f"{difference:+.4f}{'*' if low > 0 or high < 0 else ' '}"


def show(rows: Sequence[Sequence[str]]) -> None:
    print(text_table(rows), flush=True)


def aims(years: Sequence[Year], search: Search) -> None:
    """How far the same score gets on held-out years where it need not serve both uses."""
    table = [["learned for", *(f"{how}, mean tau" for how in WAYS)]]
    for aim in (*WAYS, "both"):
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
    parser.add_argument("--starts", type=int, default=200)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--samples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    years = [load(given.judgments / name) for name in YEARS]
    search = Search(years, starts=given.starts, steps=given.steps, seed=given.seed)
    cross_validate(years, search, given.samples, given.seed)
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
