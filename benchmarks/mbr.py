"""Minimum Bayes risk beside fastchrf, sacrebleu and, where it is installed, mbrs: CPU time in one run.

``python benchmarks/mbr.py FOLDER`` takes candidates from the n-best lists under a folder; without one, lists
are made up. Times are those of all threads, the best of three runs, in turns; lists are in memory. Expected
scores of chrF are compared with fastchrf's, and choices from aggregated references with exact ones.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import fastchrf
import numpy as np

from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.metrics.registry import metric
from wordorder.report.table import text_table
from wordorder.tune.choice import choose_by_risk
from wordorder.tune.minimum_bayes_risk import aggregate_scores, expected_scores
from wordorder.tune.reading import read_candidates

Lists = list[list[CandidateTranslation]]
EXACT = ("chrf", "bleu", "ribes", "recpef", "beer")
AGGREGATE = ("chrf", "bleu")
FASTER = 3.0  # than fastchrf, at least
MOST = 110.0  # CPU seconds for 1,000 lists of 100 candidates with beer
SLOW = 3  # lists that are enough to time sacrebleu


def read_lists(folder: Path, count: int, size: int) -> Lists:
    """Candidates of the first sentences of all lists under a folder."""
    lists: Lists = []
    for path in sorted(folder.rglob("test*.nbest*")) or sorted(folder.rglob("*.nbest*")):
        for _, candidates in islice(read_candidates([str(path)]), count - len(lists)):
            lists.append(candidates[:size])
    return lists


def made_up(count: int, size: int) -> Lists:
    """Sentences of 25 words, in which candidates replace and move some."""
    rng = np.random.default_rng(1)
    vocabulary = ["".join(map(chr, rng.integers(97, 123, size=rng.integers(2, 9)))) for _ in range(5000)]
    lists = []
    for number in range(count):
        words = [vocabulary[min(int(k), 4999)] for k in 20 * rng.pareto(0.8, size=25)]
        candidates = []
        for rank in range(size):
            text = list(words)
            for place in rng.integers(25, size=6):
                text[place] = vocabulary[int(rng.integers(5000))]
            for place in rng.integers(25, size=3):
                text.insert(int(rng.integers(25)), text.pop(place))
            candidates.append(CandidateTranslation(number, " ".join(text), (), -0.1 * rank))
        lists.append(candidates)
    return lists


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process and of those that it started."""
    before = os.times()
    work()
    return sum(os.times()[:4]) - sum(before[:4])


def sacrebleu_chrf(texts: list[list[str]]) -> None:
    from sacrebleu.metrics import CHRF

    chrf = CHRF()
    for candidates in texts:
        for hypothesis in candidates:
            for reference in candidates:
                chrf.sentence_score(hypothesis, [reference])


def mbrs_chrf(texts: list[list[str]], *, fast: bool) -> None:
    from mbrs.decoders import DecoderMBR
    from mbrs.metrics import MetricChrF

    utility = MetricChrF(MetricChrF.Config(fastchrf=fast, num_workers=1))
    decoder = DecoderMBR(DecoderMBR.Config(), utility)
    for candidates in texts:
        decoder.decode(candidates, candidates)


def pruned_share(lists: Lists, spec: str, temperature: float | None) -> float:
    """The share of pairs that pruning scores."""
    told: list[int] = []
    groups = list(enumerate(lists))
    scored = list(
        choose_by_risk(groups, metric(spec), method="pruned", temperature=temperature, scored=told.append)
    )
    assert len(scored) == len(lists)
    return sum(told) / sum(len({c.text for c in candidates}) ** 2 for candidates in lists)


def main(folder: Path | None) -> list[tuple[str, bool]]:
    made = read_lists(folder, 1000, 100) if folder else made_up(1000, 100)
    few = [candidates[:64] for candidates in made[:100]]
    texts = [[candidate.text for candidate in candidates] for candidates in few]
    chances = [np.full(len(candidates), 1 / len(candidates)) for candidates in texts]
    pairs = sum(len(candidates) ** 2 for candidates in texts)
    work: dict[str, Callable[[], object]] = {
        "fastchrf, exact": lambda: fastchrf.pairwise_chrf(texts, texts),
        "fastchrf, aggregate": lambda: fastchrf.aggregate_chrf(texts, texts),
    }
    for spec in EXACT:
        work[spec] = lambda spec=spec: expected_scores(metric(spec), texts, chances)  # type: ignore[misc]
    for spec in AGGREGATE:
        work[f"{spec}, aggregate"] = lambda spec=spec: aggregate_scores(metric(spec), texts, chances)  # type: ignore[misc]
    for spec in EXACT:
        expected_scores(metric(spec), texts[:1], chances[:1])  # models are read, modules imported
    runs = [{name: seconds(each) for name, each in work.items()} for _ in range(3)]
    times = {name: min(run[name] for run in runs) for name in work}
    share = sum(len(candidates) ** 2 for candidates in texts[:SLOW]) / pairs
    times["sacrebleu chrF, exact"] = seconds(lambda: sacrebleu_chrf(texts[:SLOW])) / share
    if find_spec("mbrs"):  # it needs torch and much else, so that it is not among the extras
        mbrs_chrf(texts[:1], fast=True)  # modules are imported
        times["mbrs chrF with fastchrf"] = seconds(lambda: mbrs_chrf(texts, fast=True))
        times["mbrs chrF"] = seconds(lambda: mbrs_chrf(texts[:SLOW], fast=False)) / share
    table = [[f"{len(texts)} lists, {pairs:,} pairs", "CPU s", "times fastchrf's rate"]]
    peer = times["fastchrf, exact"]
    table += [[name, f"{took:.2f}", f"{peer / took:.1f}"] for name, took in times.items()]
    print(text_table(table))

    theirs = [np.mean(scores, axis=1) for scores in fastchrf.pairwise_chrf(texts, texts)]
    ours = expected_scores(metric("chrf"), texts, chances)
    gap = max(float(np.abs(a - b).max()) for a, b in zip(theirs, ours, strict=True))
    results = [(f"expected chrF: {gap:.1e} from fastchrf's at most (1e-3)", gap < 1e-3)]
    for spec in ("chrf", "ribes", "recpef"):
        rate = peer / times[spec]
        results.append((f"{spec}: {rate:.1f} times fastchrf's rate ({FASTER})", rate >= FASTER))

    for spec in AGGREGATE:
        exact = expected_scores(metric(spec), texts, chances)
        quick = aggregate_scores(metric(spec), texts, chances)
        picks = [(a, int(np.argmax(a)), int(np.argmax(b))) for a, b in zip(exact, quick, strict=True)]
        same = np.mean([first == second for _, first, second in picks])
        lost = np.mean([scores[first] - scores[second] for scores, first, second in picks])
        print(f"{spec}, aggregate: {same:.0%} of choices are the exact ones; expected score -{lost:.3f}")
    for spec in ("chrf", "recpef", "beer"):
        for name, temperature in (("alike", None), ("by model, temperature 1", 1.0)):
            print(f"{spec}, pruned, {name}: {pruned_share(few, spec, temperature):.1%} of pairs scored")

    groups = list(enumerate(made))
    total = sum(len({c.text for c in candidates}) ** 2 for candidates in made)
    took = seconds(lambda: list(choose_by_risk(groups, metric("beer"))))
    told = f"beer: {len(made):,} lists of up to 100, {total:,} pairs, {took:.1f} CPU s ({MOST:.0f})"
    return [*results, (told, took < MOST)]


if __name__ == "__main__":
    results = main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
    for told, good in results:
        print("ok  " if good else "MISS", told)
    sys.exit(not all(good for _, good in results))
