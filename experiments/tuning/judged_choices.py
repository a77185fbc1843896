"""Choices among the outputs of all systems of a shared task, by what people said about these outputs.

A way to choose takes one output for each segment. It wins a judgment if people preferred its choice to
another output of the segment, and loses it if they preferred the other; ties are left out, as in WMT's ratio
of wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from experiments.reproduction.judged import Row, table
from experiments.tuning.kept_results import KeptResults
from experiments.tuning.scored_outputs import mark
from wordorder.arrays import Doubles, Longs
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.core.resample import bootstrap_sums
from wordorder.engine.compare import Entries, Result, bootstrap_test, results_against
from wordorder.judge.judgments import Judgments
from wordorder.judge.metric_scores import MetricScores, Scorer
from wordorder.judge.read import read_sets
from wordorder.judge.score_cache import ScoreCache
from wordorder.judge.system_scores import system_scores
from wordorder.metrics.base import mean_of
from wordorder.metrics.registry import metric
from wordorder.tune.choice import choose_by_risk

YEARS = {
    "WMT12": "wmt12-rr",
    "WMT13": "wmt13-rr",
    "WMT14": "wmt14-rr",
    "WMT15": "wmt15-rr",
    "WMT19": "wmt19-darr",
    "WMT21": "wmt21-da",
}
UTILITIES = {
    "chrF": "chrf",
    "BLEU": "bleu",
    "RIBES": "ribes:tokenize=13a",
    "recpef": "recpef",
    "BEER": "beer",
}
FOLDS = 10
SAMPLES = 1000
SEED = 12345
RANDOM = "an output at random"
BEST = "best system by people, on other segments"
ORACLE = "best system by people, on the same segments"


def judged_tables(folder: Path, kept: KeptResults) -> dict[str, str]:
    """Compare ways to choose on all language pairs into English."""
    entries: dict[str, list[Entries]] = {}
    names: list[str] = []
    for year, name in YEARS.items():
        for judgments in read_sets([str(folder / "judgments" / name)]):
            if judgments.target == "en":
                ways = ways_to_choose(judgments, kept)
                names = list(ways)
                seed = SEED + sum(map(len, entries.values()))  # sets are resampled independently
                entries.setdefault(year, []).append(win_rates(judgments, ways, seed))
    every = [one for some in entries.values() for one in some]
    columns = [_results(some, names) for some in (*entries.values(), every)]
    rows: dict[str, Row] = {}
    for way, name in enumerate(names):
        last = columns[-1][way]
        ahead = sum(float(one.values[way]) > float(one.values[names.index(BEST)]) for one in every)
        tested = ["", ""] if last.p_value is None else [f"{last.p_value:.3f}", f"{ahead} of {len(every)}"]
        rows[name] = [name, *(_cell(column[way]) for column in columns), *tested]
    head: Row = ["", *entries, "mean of all pairs", "p against the best system", "pairs above it"]
    blind = [name for name in names if "reference" not in name]
    return {
        "judged": table([head, *(rows[name] for name in blind)]),
        "judged_references": table([head, *(rows[name] for name in names if name not in blind)]),
        "judged_sets": str(len(every)),
    }


def ways_to_choose(judgments: Judgments, kept: KeptResults) -> dict[str, Doubles]:
    """Return for each way to choose how much of its choice each item is: 1 or 0, or a share of it."""
    sizes = np.bincount(judgments.item_segment[judgments.usable], minlength=len(judgments.segments))
    ways = {
        RANDOM: 1 / np.maximum(sizes, 1)[judgments.item_segment],
        BEST: best_by_people(judgments, FOLDS),
        ORACLE: best_by_people(judgments, 1),
    }
    for label, utility in UTILITIES.items():
        ways[f"MBR, {label}"] = by_risk(judgments, utility, kept)
    scorer = Scorer(cache=ScoreCache(str(kept.folder / "scores") if kept.folder else None))
    (scored,) = scorer([judgments], [metric(spec) for spec in UTILITIES.values()])
    for label, scores in zip(UTILITIES, scored, strict=True):
        ways[f"best system by {label} with the reference"] = best_by_metric(judgments, scores)
    for label, scores in zip(UTILITIES, scored, strict=True):
        ways[f"best output by {label} with the reference"] = best_outputs(judgments, scores.oriented)
    return ways


def best_by_people(judgments: Judgments, folds: int) -> Doubles:
    """Choose the system with the highest ratio of wins on the other folds, or everywhere for a single one.

    Folds are consecutive segments, so that few documents are in two of them.
    """
    count = len(judgments.segments)
    in_text = sorted(range(count), key=lambda k: (len(judgments.segments[k]), judgments.segments[k]))
    fold = np.empty(count, dtype=np.int64)
    fold[in_text] = np.arange(count) * folds // count
    counted = np.array([(fold != k) | (folds == 1) for k in range(folds)], dtype=np.float64)
    best = np.nanargmax(system_scores(judgments, "win_ratio", counted), axis=1)
    return np.asarray(judgments.item_system == best[fold[judgments.item_segment]], dtype=np.float64)


def by_risk(judgments: Judgments, utility: str, kept: KeptResults) -> Doubles:
    """Choose by minimum Bayes risk; systems with the same output as the chosen one are chosen, too."""

    def choose() -> list[str]:
        groups: dict[int, list[CandidateTranslation]] = {}
        for item in np.flatnonzero(judgments.usable).tolist():
            segment = int(judgments.item_segment[item])
            text = judgments.outputs[item] or ""
            groups.setdefault(segment, []).append(CandidateTranslation(segment, text))
        chosen = {one.sentence: one.ranked[0].text for one in choose_by_risk(groups.items(), metric(utility))}
        return [chosen.get(segment, "") for segment in range(len(judgments.segments))]

    texts = kept.result(f"judged {judgments.name} {utility}", choose)
    segments = judgments.item_segment.tolist()
    same = [text == texts[k] for text, k in zip(judgments.outputs, segments, strict=True)]
    return np.array(same, dtype=np.float64)


def best_by_metric(judgments: Judgments, scores: MetricScores) -> Doubles:
    """Choose the system with the best score of its corpus by a metric."""
    systems = len(judgments.systems)
    sums = np.zeros((systems, scores.stats.shape[1]))
    np.add.at(sums, judgments.item_system, scores.stats)
    values = scores.combine(sums) * (1 if scores.higher_is_better else -1)
    return np.asarray(judgments.item_system == int(values.argmax()), dtype=np.float64)


def best_outputs(judgments: Judgments, scores: Doubles) -> Doubles:
    """Choose the output with the highest score in each segment, the first of equal ones."""
    order: Longs = np.lexsort((-scores, judgments.item_segment))
    firsts = np.unique(judgments.item_segment[order], return_index=True)[1]
    chosen = np.zeros(len(judgments))
    chosen[order[firsts]] = 1.0
    return chosen


def outcomes(judgments: Judgments, chosen: Doubles) -> Doubles:
    """Count judgments won, and judgments won or lost, by segment; both outputs chosen counts as neither."""
    pairs = judgments.compared
    first = chosen[pairs.first] * (1 - chosen[pairs.second])
    second = chosen[pairs.second] * (1 - chosen[pairs.first])
    won = pairs.wins * first + pairs.losses * second
    lost = pairs.losses * first + pairs.wins * second
    segment, count = judgments.item_segment[pairs.first], len(judgments.segments)
    return np.column_stack(
        [np.bincount(segment, part, minlength=count).astype(np.float64) for part in (won, won + lost)]
    )


def win_rates(judgments: Judgments, ways: Mapping[str, Doubles], seed: int = SEED) -> Entries:
    """Return the share of judgments that each way wins, also on resampled segments."""
    rows = np.hstack([outcomes(judgments, chosen) for chosen in ways.values()])

    def rates(sums: Doubles) -> Doubles:
        return np.column_stack([mean_of(sums[:, k : k + 2]) for k in range(0, sums.shape[1], 2)])

    resampled = rates(bootstrap_sums(rows, samples=SAMPLES, seed=seed))
    return Entries(rates(rows.sum(axis=0, keepdims=True))[0], resampled)


def _results(some: Sequence[Entries], names: Sequence[str]) -> list[Result]:
    """Average over language pairs, and test each way against the best system."""
    values = np.mean([one.values for one in some], axis=0)
    resampled = np.mean([one.resampled for one in some], axis=0)
    return results_against(Entries(values, resampled), names.index(BEST), bootstrap_test)


def _cell(result: Result) -> str:
    half = (result.interval.high - result.interval.low) / 2 if result.interval else 0.0
    around = f" ± {100 * half:.1f}" if half > 1e-6 else ""  # a choice at random always wins half
    return f"{100 * result.score:.1f}{around}{mark(result)}"
