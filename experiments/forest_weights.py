"""Learn the weights of ``recpef:weights=learned`` from human rankings, and evaluate them.

    python -m experiments.forest_weights JUDGMENTS           cross-validate over years and print the tables
    python -m experiments.forest_weights JUDGMENTS --write   also learn from all years and write the weights

JUDGMENTS holds one folder per year with pairs.tsv.gz, outputs.tsv.gz and segments.tsv.gz. A score is judged
by the segment-level Kendall tau of WMT14, (concordant - discordant) / all, where a pair that the score ties
counts as neither, averaged over language pairs. It is judged *alone*, on the matched words of a text metric,
and as part of the *full* metric with its default settings.

The objective is a weighted mean of both taus. A held-out year is not used to learn the weights that it is
scored with; the form of the score, the objective and the search were chosen with all years in view.
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

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.permutation import Permutations
from wordorder.data import package_file
from wordorder.metrics.learned import FILE, ForestWeights
from wordorder.metrics.lexical_ordering import brevity_penalty, unigram_f1
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Matched, Matching, Segments
from wordorder.report.table import text_table

YEARS = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
BASELINES = ("kendall", "ulam", "fuzzy")
OTHERS = (*BASELINES, "recpef", "recpet", "spearman", "hamming", "pet_size")
USES = ("alone", "full")
WITHOUT_ORDER = {"alone": "number of matched words", "full": "F1 of matched words"}
# The search uses coordinates that are nearly independent: the logarithm of the cost of a ⟨2,1⟩ that spans a
# whole sentence of TYPICAL words, the logarithm of the ratio of the two costs, and the three exponents.
TYPICAL = 20
LOWEST = np.array([np.log(0.05), np.log(0.7), 0.0, -0.3, 0.6])
HIGHEST = np.array([np.log(0.5), np.log(3.0), 1.2, 0.5, 1.8])
# Weight of the tau alone in the objective: differences between scores are far larger alone than in the full
# metric, where most of the score is lexical.
OBJECTIVES = {"alone": 1.0, "full": 0.0, "both": 1 / 9}
NAMES = tuple(field.name for field in fields(ForestWeights))


def rows(path: Path) -> Iterator[list[str]]:
    """Yield the lines below the header, split at tabs."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        next(file)
        for line in file:
            yield line.rstrip("\n").split("\t")


@dataclass(frozen=True, kw_only=True)
class Year:
    """The judged pairs of outputs of a year, and the outputs matched with their references."""

    name: str
    matched: Matched
    first: Longs  # index of the first output of each pair
    second: Longs
    lead: Doubles  # judgments for the first less those for the second
    judged: Doubles  # the sum of both
    segment: Longs
    language_of: Longs  # index of the language pair of each segment
    languages: list[str]

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

    def learned(self, weights: ForestWeights) -> list[Doubles]:
        """Compute the learned score of the outputs, alone and in the full metric."""
        order = np.ones(len(self.matched.permutations))
        order[self.moved] = weights.scores(self.moved_orders)
        lexical, penalty, nothing = self.parts
        ordering = np.where(self.matched.both_empty, 1.0, penalty * order)
        return [np.where(nothing, 0.0, order), 0.5 * lexical + 0.5 * ordering]

    def other(self, spec: str) -> list[Doubles]:
        """Compute another ordering score, alone and in the full metric."""
        scores = []
        for name in (spec, f"full:order={spec}"):
            ordering = metric(name)
            assert isinstance(ordering, MatchedMetric)
            scores.append(ordering.reference_statistics(self.matched)[1])
        return scores

    def agreement(self, scores: Doubles) -> Doubles:
        """Count concordant minus discordant judgments of each segment."""
        sign = np.sign(scores[self.first] - scores[self.second])
        return np.bincount(self.segment, sign * self.lead, len(self.language_of)).astype(np.float64)

    @cached_property
    def judgments(self) -> Doubles:
        """The number of judgments of each segment."""
        return np.bincount(self.segment, self.judged).astype(np.float64)

    def taus(self, scores: Doubles) -> Doubles:
        """Compute the tau of each language pair."""
        agreement = np.bincount(self.language_of, weights=self.agreement(scores))
        return np.asarray(agreement / np.bincount(self.language_of, weights=self.judgments))

    def resampled(self, scores: Sequence[Doubles], samples: int, seed: list[int]) -> Doubles:
        """Compute taus on bootstrap samples of segments: (samples, language pairs, scores)."""
        rng = np.random.default_rng(seed)
        columns = np.column_stack([*map(self.agreement, scores), self.judgments])
        taus = np.empty((samples, len(self.languages), len(scores)))
        for number in range(len(self.languages)):
            these = columns[self.language_of == number]
            for sample in range(samples):
                drawn = np.bincount(rng.integers(len(these), size=len(these)), minlength=len(these)) @ these
                taus[sample, number] = drawn[:-1] / drawn[-1]
        return taus


def load(folder: Path) -> Year:
    """Read a year and match its words: exact matches, tokenizer 13a, lower case."""
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


class Search:
    """Cross-entropy search: sample, keep the best, sample around them; the result is the mean of the best.

    The mean of many good weights is used instead of the best weights, because taus of single weights are
    noisy. Taus are kept, so that the folds share them.
    """

    def __init__(
        self, years: Sequence[Year], *, starts: int, draws: int, rounds: int, keep: int, seed: int, span: bool
    ) -> None:
        self.years, self.draws, self.rounds, self.keep, self.seed = years, draws, rounds, keep, seed
        free = [span or name != "span" for name in NAMES]
        self.least, self.most = np.where(free, LOWEST, 0.0), np.where(free, HIGHEST, 0.0)
        self._taus: dict[tuple[str, ForestWeights], list[float]] = {}
        rng = np.random.default_rng(seed)
        self._starts = list(rng.uniform(self.least, self.most, size=(starts, len(NAMES))))

    def taus(self, year: Year, weights: ForestWeights) -> list[float]:
        """Compute the mean tau over language pairs of a year, alone and in the full metric."""
        key = (year.name, weights)
        if key not in self._taus:
            self._taus[key] = [float(year.taus(scores).mean()) for scores in year.learned(weights)]
        return self._taus[key]

    def best(self, years: Sequence[Year], objective: str = "both") -> ForestWeights:
        """Search for the best weights on these years."""

        def value(point: Doubles) -> float:
            alone, full = np.mean([self.taus(year, weights_at(point)) for year in years], axis=0)
            return float(OBJECTIVES[objective] * alone + (1 - OBJECTIVES[objective]) * full)

        rng = np.random.default_rng([self.seed, 1])
        pool = self._starts
        for _ in range(self.rounds):
            good = np.array(sorted(pool, key=value)[-self.keep :])
            drawn = rng.normal(good.mean(axis=0), good.std(axis=0), size=(self.draws, len(NAMES)))
            pool = [*pool, *np.clip(drawn, self.least, self.most)]
        return weights_at(np.mean(sorted(pool, key=value)[-self.keep :], axis=0))


def cells(weights: ForestWeights) -> list[str]:
    """Format weights as cells of a table."""
    return [f"{getattr(weights, name):.3f}" for name in NAMES]


def marked(difference: float, samples: Doubles) -> str:
    """Format a difference of taus, with a star if 95% of the samples are on one side of 0."""
    low, high = np.quantile(samples, [0.025, 0.975])
    return f"{difference:+.4f}{'*' if low > 0 or high < 0 else ' '}"


def show(rows: Sequence[Sequence[str]]) -> None:
    """Print a table."""
    print(text_table(rows), flush=True)


def ties(years: Sequence[Year]) -> None:
    """Show the share of judgments that a score of word order alone can decide.

    Every score gives 1 to words in order, so a pair of outputs that are both in order is tied, and if only
    one of them is in order, it is always preferred.
    """
    table = [["share of judgments", "both in order", "one in order, tau there", "none in order"]]
    for year in years:
        moved = np.isin(np.arange(len(year.matched.permutations)), year.moved)
        many = moved[year.first].astype(int) + moved[year.second]
        share = [year.judged[many == k].sum() / year.judged.sum() for k in range(3)]
        ahead = np.where(moved[year.first], -1, 1)[many == 1] @ year.lead[many == 1]
        decided = f"{share[1]:.3f}, {ahead / year.judged[many == 1].sum():+.3f}"
        table.append([year.name, f"{share[0]:.3f}", decided, f"{share[2]:.3f}"])
    show(table)


def compare_objectives(years: Sequence[Year], search: Search) -> None:
    """Show held-out taus of weights that are learned for only one of the two uses."""
    table = [["learned for", *(f"{use}, mean tau" for use in USES)]]
    for objective in OBJECTIVES:
        taus = [search.taus(y, search.best([o for o in years if o is not y], objective)) for y in years]
        table.append([objective, *(f"{mean:.4f}" for mean in np.mean(taus, axis=0))])
    show(table)


@dataclass(frozen=True)
class HeldOut:
    """Taus of the learned score (first) and of other scores on held-out years."""

    years: Sequence[Year]
    taus: list[Doubles]  # for each year: (language pairs, scores)
    samples: list[Doubles]  # for each year: (samples, language pairs, scores)

    def show_taus(self, use: str, lexical: list[float]) -> None:
        """Show the taus of all scores, and of a score without word order."""
        means = np.array([taus.mean(axis=0) for taus in self.taus]).T
        named = [*zip(("learned", *OTHERS), means, strict=True), (WITHOUT_ORDER[use], np.array(lexical))]
        head = [f"{use}: tau held out", *(year.name for year in self.years), "mean"]
        show([head, *([name, *(f"{t:.4f}" for t in row), f"{row.mean():.4f}"] for name, row in named)])

    def show_differences(self, use: str) -> None:
        """Show the difference of the learned score from the others by year."""
        table = [[f"{use}: learned less", *(year.name for year in self.years), "mean"]]
        for k, name in enumerate(OTHERS, start=1):
            gaps = [float((taus[:, 0] - taus[:, k]).mean()) for taus in self.taus]
            drawn = [(taus[:, :, 0] - taus[:, :, k]).mean(axis=1) for taus in self.samples]
            by_year = [marked(gap, year) for gap, year in zip(gaps, drawn, strict=True)]
            table.append([name, *by_year, marked(float(np.mean(gaps)), np.mean(drawn, axis=0))])
        show(table)

    def show_languages(self, use: str) -> None:
        """Show the difference of the learned score from the baselines by language pair."""
        table = [[f"{use}: year", "languages", "learned", *(f"less {name}" for name in BASELINES)]]
        for year, taus, drawn in zip(self.years, self.taus, self.samples, strict=True):
            for row, language in enumerate(year.languages):
                gaps = [
                    marked(taus[row, 0] - taus[row, k], drawn[:, row, 0] - drawn[:, row, k])
                    for k in range(1, len(BASELINES) + 1)
                ]
                table.append([year.name, language, f"{taus[row, 0]:.4f}", *gaps])
        show(table)


def cross_validate(years: Sequence[Year], search: Search, samples: int, seed: int) -> None:
    """Learn without each year in turn, and print the scores of that year."""
    weights = [search.best([other for other in years if other is not year]) for year in years]
    named = zip((year.name for year in years), map(cells, weights), strict=True)
    show([["learned without", *NAMES], *([name, *texts] for name, texts in named)])
    for column, use in enumerate(USES):
        held_out = HeldOut(years, [], [])
        for number, (year, learned) in enumerate(zip(years, weights, strict=True)):
            scores = [year.learned(learned)[column], *(year.other(spec)[column] for spec in OTHERS)]
            held_out.taus.append(np.column_stack([year.taus(each) for each in scores]))
            held_out.samples.append(year.resampled(scores, samples, [seed, number]))
        lexical = [(year.matched.matched.astype(np.float64), year.parts[0])[column] for year in years]
        held_out.show_taus(
            use, [float(y.taus(words).mean()) for y, words in zip(years, lexical, strict=True)]
        )
        held_out.show_differences(use)
        held_out.show_languages(use)


def main(arguments: Sequence[str] | None = None) -> None:
    """Cross-validate, learn from all years, and write the weights if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judgments", type=Path, help=f"folder with {', '.join(YEARS)}")
    parser.add_argument("--write", action="store_true", help="learn from all years and write the weights")
    parser.add_argument("--starts", type=int, default=300, help="points to start from")
    parser.add_argument("--draws", type=int, default=100, help="points to sample in each round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of the search")
    parser.add_argument("--keep", type=int, default=20, help="points to keep in each round")
    parser.add_argument("--samples", type=int, default=1000, help="bootstrap samples")
    parser.add_argument("--seed", type=int, default=1, help="random seed of the search and the bootstrap")
    parser.add_argument("--span", action="store_true", help="also learn the exponent of the span")
    options = parser.parse_args(arguments)
    years = [load(options.judgments / name) for name in YEARS]
    names = ("starts", "draws", "rounds", "keep", "seed", "span")
    search = Search(years, **{name: getattr(options, name) for name in names})
    cross_validate(years, search, options.samples, options.seed)
    ties(years)
    compare_objectives(years, search)
    whole = search.best(years)
    show([["learned from", *NAMES, "check sum"], ["all years", *cells(whole), whole.tag]])
    if options.write:
        content = {"weights": asdict(whole), "learned_from": YEARS, "seed": options.seed}
        package_file(FILE).write_bytes(
            orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        )


if __name__ == "__main__":
    main()
