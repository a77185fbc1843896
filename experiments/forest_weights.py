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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from wordorder.arrays import Doubles
from wordorder.data import package_file
from wordorder.judge.read import read_judgments
from wordorder.learn.forest_weights import NAMES, OBJECTIVES, ForestExamples, ForestSearch, save_weights
from wordorder.metrics.learned import FILE, ForestWeights
from wordorder.metrics.matched import MatchedMetric
from wordorder.metrics.registry import metric
from wordorder.report.table import text_table

YEARS = ("wmt12-rr", "wmt13-rr", "wmt14-rr", "wmt15-rr", "wmt19-darr")
BASELINES = ("kendall", "ulam", "fuzzy")
OTHERS = (*BASELINES, "recpef", "recpet", "spearman", "hamming", "pet_size")
USES = ("alone", "full")
WITHOUT_ORDER = {"alone": "number of matched words", "full": "F1 of matched words"}


def other_scores(year: ForestExamples, spec: str) -> list[Doubles]:
    """Compute another ordering score, alone and in the full metric."""
    scores = []
    for name in (spec, f"full:order={spec}"):
        ordering = metric(name)
        assert isinstance(ordering, MatchedMetric)
        scores.append(ordering.reference_statistics(year.matched)[1])
    return scores


def resampled(year: ForestExamples, scores: Sequence[Doubles], samples: int, seed: list[int]) -> Doubles:
    """Compute taus on bootstrap samples of segments: (samples, language pairs, scores)."""
    rng = np.random.default_rng(seed)
    columns = np.column_stack([*map(year.agreement, scores), year.judgments])
    taus = np.empty((samples, len(year.pairs), len(scores)))
    for number in range(len(year.pairs)):
        these = columns[year.set_of == number]
        for sample in range(samples):
            drawn = np.bincount(rng.integers(len(these), size=len(these)), minlength=len(these)) @ these
            taus[sample, number] = drawn[:-1] / drawn[-1]
    return taus


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


def ties(years: Sequence[ForestExamples]) -> None:
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


def compare_objectives(years: Sequence[ForestExamples], search: ForestSearch) -> None:
    """Show held-out taus of weights that are learned for only one of the two uses."""
    table = [["learned for", *(f"{use}, mean tau" for use in USES)]]
    for objective in OBJECTIVES:
        taus = [search.taus(y, search.best([o for o in years if o is not y], objective)) for y in years]
        table.append([objective, *(f"{mean:.4f}" for mean in np.mean(taus, axis=0))])
    show(table)


@dataclass(frozen=True)
class HeldOut:
    """Taus of the learned score (first) and of other scores on held-out years."""

    years: Sequence[ForestExamples]
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
            for row, language in enumerate(year.pairs):
                gaps = [
                    marked(taus[row, 0] - taus[row, k], drawn[:, row, 0] - drawn[:, row, k])
                    for k in range(1, len(BASELINES) + 1)
                ]
                table.append([year.name, language, f"{taus[row, 0]:.4f}", *gaps])
        show(table)


def cross_validate(years: Sequence[ForestExamples], search: ForestSearch, samples: int, seed: int) -> None:
    """Learn without each year in turn, and print the scores of that year."""
    weights = [search.best([other for other in years if other is not year]) for year in years]
    named = zip((year.name for year in years), map(cells, weights), strict=True)
    show([["learned without", *NAMES], *([name, *texts] for name, texts in named)])
    for column, use in enumerate(USES):
        held_out = HeldOut(years, [], [])
        for number, (year, learned) in enumerate(zip(years, weights, strict=True)):
            scores = [year.scores(learned)[column], *(other_scores(year, spec)[column] for spec in OTHERS)]
            held_out.taus.append(np.column_stack([year.taus(each) for each in scores]))
            held_out.samples.append(resampled(year, scores, samples, [seed, number]))
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
    years = [ForestExamples.of(name, read_judgments(str(options.judgments / name))) for name in YEARS]
    names = ("starts", "draws", "rounds", "keep", "seed", "span")
    search = ForestSearch(**{name: getattr(options, name) for name in names})
    cross_validate(years, search, options.samples, options.seed)
    ties(years)
    compare_objectives(years, search)
    whole = search.best(years)
    show([["learned from", *NAMES, "check sum"], ["all years", *cells(whole), whole.tag]])
    if options.write:
        save_weights(whole, Path(str(package_file(FILE))), learned_from=YEARS, seed=options.seed)


if __name__ == "__main__":
    main()
