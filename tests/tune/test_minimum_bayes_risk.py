"""Expected scores: long lists in chunks, pruning, aggregated references, threads, and the command."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.cli.calls import call
from tests.tune.lists import WORDS
from wordorder.arrays import Doubles
from wordorder.core.candidate_translation import CandidateTranslation
from wordorder.engine.threads import ordered_map
from wordorder.errors import BadSetting
from wordorder.metrics.registry import metric
from wordorder.metrics.segments import Segments
from wordorder.tune.choice import Choice, choose_by_risk
from wordorder.tune.minimum_bayes_risk import CHUNK, aggregate_scores, expected_scores


def texts_like(rng: np.random.Generator, size: int, *, changes: int = 4) -> list[str]:
    """Return variants of a sentence, some of them equal, some empty."""
    words = rng.choice(WORDS, size=9).tolist()
    texts = [""]
    for _ in range(size - 1):
        variant = list(words)
        for place in rng.integers(len(words), size=rng.integers(changes)):
            variant[place] = str(rng.choice(WORDS))
        texts.append(" ".join(variant))
    return texts


def table(spec: str, texts: list[str]) -> Doubles:
    """Score every candidate against every reference, as other segments are scored."""
    utility = metric(spec)
    hypotheses = [text for text in texts for _ in texts]
    scores = utility.segment_scores(utility.statistics(Segments(hypotheses, [texts * len(texts)])))
    return scores.reshape(len(texts), len(texts))


@pytest.mark.parametrize("spec", ["chrf:words=2", "bleu", "recpef", "beer", "beer:version=3.0"])
def test_lists_longer_than_a_chunk_are_whole(spec: str) -> None:
    rng = np.random.default_rng(7)
    lists = [texts_like(rng, size, changes=9) for size in (CHUNK + 40, 5)]
    assert len(set(lists[0])) > CHUNK
    chances = [rng.dirichlet(np.ones(len(texts))) for texts in lists]
    told: list[int] = []
    found = expected_scores(metric(spec), lists, chances, scored=told.append)
    for mine, texts, chance in zip(found, lists, chances, strict=True):
        assert mine == pytest.approx(table(spec, texts) @ chance, abs=1e-9)
    different = [len(set(texts)) for texts in lists]
    assert sum(told) == sum(n * n for n in different) + different[0] + different[1]  # the diagonals twice


@pytest.mark.parametrize("spec", ["chrf", "recpef", "ribes", "kendall", "beer"])
@pytest.mark.parametrize("peak", [0.02, 1.0, 100.0])
def test_pruning_changes_no_choice(spec: str, peak: float) -> None:
    rng = np.random.default_rng(3)
    lists = [texts_like(rng, size) for size in (60, 33, 17, 16, 2, 1)]
    lists.append(["a b", "b a"] * 20)  # all equally good, whatever the order of additions
    chances = [rng.dirichlet(np.full(len(texts), peak)) for texts in lists]
    chances[-1] = np.full(40, 1 / 40)
    whole = expected_scores(metric(spec), lists, chances)
    told: list[int] = []
    pruned = expected_scores(metric(spec), lists, chances, prune=True, scored=told.append)
    for mine, full in zip(pruned, whole, strict=True):
        left = ~np.isnan(mine)
        assert mine[left].tolist() == full[left].tolist()
        assert left[full == full.max()].all()
    if peak < 1:
        assert np.isnan(np.concatenate(pruned)).any() and sum(told) < sum(len(set(x)) ** 2 for x in lists)


def test_pruning_needs_a_range() -> None:
    with pytest.raises(BadSetting, match="ter has no worst score"):
        expected_scores(metric("ter"), [["a"]], [np.ones(1)], prune=True)


def expected_counts(texts: list[list[str]], chances: Doubles, n: int) -> Counter[tuple[str, ...]]:
    total: Counter[tuple[str, ...]] = Counter()
    for symbols, chance in zip(texts, chances, strict=True):
        for i in range(len(symbols) - n + 1):
            total[tuple(symbols[i : i + n])] += chance  # type: ignore[assignment]
    return total


def slow_aggregate(texts: list[list[str]], chances: Doubles, orders: int) -> list[tuple[Doubles, ...]]:
    """Return matched n-grams, those of the text and expected ones by order, for each text."""
    rows = []
    for symbols in texts:
        counts = []
        for n in range(1, orders + 1):
            expected = expected_counts(texts, chances, n)
            mine = expected_counts([symbols], np.ones(1), n)
            shared = sum(min(count, expected[ngram]) for ngram, count in mine.items())
            counts.append([shared, sum(mine.values()), sum(expected.values())])
        rows.append(tuple(np.array(counts).T))
    return rows


def test_aggregated_chrf_is_the_formula() -> None:
    rng = np.random.default_rng(5)
    lists = [texts_like(rng, 7), ["ab", "abc"], [""]]
    chances = [rng.dirichlet(np.ones(len(texts))) for texts in lists]
    found = aggregate_scores(metric("chrf"), lists, chances)
    for mine, texts, chance in zip(found, lists, chances, strict=True):
        letters = [list(text.replace(" ", "")) for text in texts]
        for value, (shared, own, other) in zip(mine, slow_aggregate(letters, chance, 6), strict=True):
            used = (own > 0) & (other > 0)
            precision = (shared[used] / own[used]).sum() / max(used.sum(), 1)
            recall = (shared[used] / other[used]).sum() / max(used.sum(), 1)
            score = 500 * precision * recall / (4 * precision + recall) if precision + recall else 0.0
            assert value == pytest.approx(score, abs=1e-9)


def test_aggregated_bleu_is_the_formula() -> None:
    rng = np.random.default_rng(6)
    texts = [text for text in texts_like(rng, 9, changes=3) if text]
    chances = rng.dirichlet(np.ones(len(texts)))
    (found,) = aggregate_scores(metric("bleu:smooth=none"), [texts], [chances])
    words = [text.split() for text in texts]
    length = float(chances @ [len(line) for line in words])
    for value, line, (shared, own, _) in zip(found, words, slow_aggregate(words, chances, 4), strict=True):
        brevity = min(1.0, np.exp(1 - length / len(line)))
        assert value == pytest.approx(100 * brevity * np.exp(np.log(shared / own).mean()), abs=1e-9)


def test_aggregate_of_equal_references_is_exact() -> None:
    texts = ["the cat sat on the mat", "a cat sat there"]
    for spec in ("chrf", "chrf:words=2", "bleu"):
        (found,) = aggregate_scores(metric(spec), [texts], [np.array([1.0, 0.0])])
        assert found == pytest.approx([metric(spec).sentence_score(t, texts[:1]).score for t in texts])


def test_metrics_without_aggregates_name_those_that_have_them() -> None:
    with pytest.raises(BadSetting, match=r"recpef is not computed from n-gram counts.*: bleu, chrf"):
        aggregate_scores(metric("recpef"), [["a"]], [np.ones(1)])


def chosen(spec: str, **settings: object) -> list[Choice]:
    rng = np.random.default_rng(11)
    lists = [
        (s, [CandidateTranslation(s, text, (), float(-k)) for k, text in enumerate(texts_like(rng, 30))])
        for s in range(150)
    ]
    return list(choose_by_risk(lists, metric(spec), temperature=3.0, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["exact", "pruned", "aggregate"])
def test_threads_give_the_same_choices(method: str) -> None:
    several = chosen("chrf", method=method, run=partial(ordered_map, threads=3))
    assert several == chosen("chrf", method=method) and len(several) == 150


def test_command_refuses_what_has_no_meaning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "list"
    file.write_text("0 ||| a b ||| LM= 1 ||| 1\n0 ||| a c ||| LM= 1 ||| 1\n0 ||| a b ||| LM= 2 ||| 0\n")

    def told(*arguments: str) -> str:
        done = call(capsys, monkeypatch, "choose", str(file), *arguments)
        return done.stderr if done.returncode else done.stdout

    assert "is of the format nbest" in told("--risk", "chrf", "--per-sentence", "3")
    assert "finds only the best candidate" in told("--risk", "chrf", "--method", "pruned", "--top", "2")
    assert "it is about --risk" in told("--method", "pruned")
    assert "bleu, chrf" in told("--risk", "recpef", "--method", "aggregate")
    assert told("--risk", "chrf", "--top", "3") == told("--top", "3") == "a b\na c\n"
    assert told("--risk", "chrf", "--method", "pruned") == "a b\n"
    file.write_text('{"candidates": ["a"]}\n')
    assert "is of the format jsonl" in told("--risk", "chrf", "--per-sentence", "1")
