"""Ratings by people: means, tests, agreement of raters, correlation with scores."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tests.oracle.rating import alpha, resampled_correlations
from wordorder.core.permutation import Permutation
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.columns import Column, ComparisonSettings
from wordorder.evaluate.evaluation import Evaluation, ReferenceOrders, score_systems
from wordorder.evaluate.rating_correlation import RatingCorrelation, correlate
from wordorder.evaluate.ratings import (
    RatedSystems,
    alpha_of_sums,
    alpha_rows,
    rater_agreement,
    rating_column,
    read_ratings,
)
from wordorder.evaluate.translations import score_translations, translation_files
from wordorder.evaluate.variants import variant
from wordorder.io.ratings import HEADER
from wordorder.metrics import metric
from wordorder.metrics.registry import parse_metrics

FEW = ComparisonSettings(samples=200)
NONE = ComparisonSettings(samples=0)
NAN = np.nan

# Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
    [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
]


def made(seed: int, *, sentences: int = 30, missing: float = 0.2, systems: str = "abc") -> RatedSystems:
    rng = np.random.default_rng(seed)
    tables = {}
    for name in systems:
        table = rng.integers(0, 7, (sentences, 1)) + rng.integers(-1, 2, (sentences, 3)).astype(float)
        table[rng.random(table.shape) < missing] = NAN
        tables[name] = table
    return RatedSystems(("r1", "r2", "r3"), tables)


def test_alpha_of_the_published_example() -> None:
    table = np.array(OBSERVERS).T[None]
    found = float(alpha_of_sums(alpha_rows(table).sum(axis=0, keepdims=True))[0])
    assert found == pytest.approx(0.849, abs=0.0005)


@pytest.mark.parametrize("seed", range(8))
def test_alpha_is_its_definition(seed: int) -> None:
    ratings = made(seed, missing=0.3)
    agreement = rater_agreement(ratings, NONE)
    assert agreement is not None
    rows = np.concatenate(list(ratings.by_system.values()))
    items = [row[np.isfinite(row)].tolist() for row in rows]
    assert agreement.alpha.score == pytest.approx(alpha(items), abs=1e-12)
    assert agreement.items == sum(len(item) > 1 for item in items)
    shifted = RatedSystems(ratings.raters, {k: 3 * v + 1e6 for k, v in ratings.by_system.items()})
    again = rater_agreement(shifted, NONE)
    assert again is not None and again.alpha.score == pytest.approx(agreement.alpha.score, abs=1e-8)


def test_pairs_of_raters_on_what_both_rated() -> None:
    ratings = made(3)
    agreement = rater_agreement(ratings, FEW)
    assert agreement is not None
    rows = np.concatenate(list(ratings.by_system.values()))
    assert [pair.raters for pair in agreement.pairs] == [("r1", "r2"), ("r1", "r3"), ("r2", "r3")]
    for pair, (a, b) in zip(agreement.pairs, ((0, 1), (0, 2), (1, 2)), strict=True):
        x, y = rows[np.isfinite(rows[:, [a, b]]).all(axis=1)][:, [a, b]].T
        assert pair.items == len(x)
        assert pair.exact.score == pytest.approx((x == y).mean())
        assert pair.pearson.score == pytest.approx(stats.pearsonr(x, y)[0])
        for result in (pair.exact, pair.pearson):
            assert result.interval and result.interval.low <= result.score <= result.interval.high
    assert [rater.ratings for rater in agreement.raters] == np.isfinite(rows).sum(axis=0).tolist()
    assert [rater.mean for rater in agreement.raters] == pytest.approx(np.nanmean(rows, axis=0))


def test_agreement_that_is_not_defined() -> None:
    assert rater_agreement(RatedSystems(("r1",), {"a": np.ones((4, 1))}), FEW) is None
    same = rater_agreement(RatedSystems(("r1", "r2"), {"a": np.full((4, 2), 0.1)}), FEW)
    assert same is not None and np.isnan(same.alpha.score) and same.pairs[0].exact.score == 1.0
    apart = RatedSystems(("r1", "r2"), {"a": np.array([[1, NAN], [NAN, 2], [3, NAN]])})
    found = rater_agreement(apart, FEW)
    assert found is not None and found.items == 0 and found.pairs[0].items == 0
    assert np.isnan(found.alpha.score) and np.isnan(found.pairs[0].exact.score)
    whole = np.repeat(np.arange(4.0)[:, None], 2, axis=1)
    full = rater_agreement(RatedSystems(("r1", "r2"), {"a": whole}), NONE)
    assert full is not None and full.alpha.score == 1.0


def test_means_of_sentences_and_systems() -> None:
    table = np.array([[1, 2, NAN], [NAN, NAN, NAN], [6, 6, 6], [0, NAN, NAN]])
    other = np.array([[2, 2, 2], [5, 5, 5], [6, 6, NAN], [NAN, NAN, 1]])
    ratings = RatedSystems(("x", "y", "z"), {"identity": table, "b": other})
    column = rating_column(ratings, ComparisonSettings(samples=300, all_pairs=True))
    assert column.cells["identity"].score == pytest.approx((1.5 + 6 + 0) / 3)
    assert column.cells["b"].score == pytest.approx((2 + 5 + 6 + 1) / 4)
    assert column.cells["b"].difference == pytest.approx(3.5 - 2.5)
    assert column.cells["b"].p_value == column.pairs["identity", "b"].p_value
    assert np.isnan(column.sentence_scores["identity"]).tolist() == [False, True, False, False]


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_ratings_tell_systems_apart_if_they_differ(paired: str) -> None:
    ratings = made(5, sentences=60, systems="a")
    better = {"identity": ratings.by_system["a"], "same": ratings.by_system["a"].copy()}
    better["up"] = ratings.by_system["a"] + np.random.default_rng(2).integers(0, 3, (60, 3))
    found = rating_column(
        RatedSystems(ratings.raters, better), ComparisonSettings(samples=300, paired=paired, all_pairs=True)
    )
    assert found.cells["same"].p_value == 1.0
    assert found.cells["up"].p_value is not None and found.cells["up"].p_value < 0.01
    assert found.pairs["same", "up"].corrected < 0.05 < found.pairs["identity", "same"].corrected


def test_without_ratings_of_the_baseline_nothing_is_tested_against_it() -> None:
    column = rating_column(made(6), FEW)
    assert all(cell.p_value is None and cell.difference is None for cell in column.cells.values())
    assert all(cell.interval is not None for cell in column.cells.values())
    pairs = rating_column(made(6), ComparisonSettings(samples=100, all_pairs=True))
    assert list(pairs.pairs) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert pairs.cells["b"].p_value is None


def evaluation(
    ratings: Column, spec: str = "fuzzy", *, settings: ComparisonSettings = FEW, left_out: int | None = None
) -> Evaluation:
    rng = random.Random(8)
    sizes = [rng.randrange(2, 12) for _ in range(30)]
    ranks = [np.array(rng.sample(range(n), n), dtype=np.int32) for n in sizes]
    systems = {name: [Permutation.from_order(rng.sample(range(n), n)) for n in sizes] for name in "abc"}
    systems["b"] = [Permutation.from_order(np.roll(np.argsort(rank), 1)) for rank in ranks]
    made = metric(spec)
    shown = [None if s == left_out else rank for s, rank in enumerate(ranks)]
    references = [ReferenceOrders(variant("file:match=positions"), shown)]
    return score_systems(references, sizes, systems, settings, metrics=[made], ratings=ratings)  # type: ignore[list-item]


def test_correlation_over_sentences_and_systems() -> None:
    ratings = made(1)
    column = rating_column(ratings, FEW)
    found = evaluation(column, left_out=4)
    sentence, system = correlate(found)
    used = [s for s in range(30) if s != 4]
    scores = found.variants[0].sentence_scores
    x = np.column_stack([scores[name]["fuzzy"] for name in "abc"])
    y = np.column_stack([ratings.means()[name][used] for name in "abc"])
    there = np.isfinite(y)
    assert (sentence.level, sentence.items, sentence.variant) == (
        "sentence",
        there.sum(),
        "file:match=positions",
    )
    assert sentence.pearson == pytest.approx(stats.pearsonr(x[there], y[there])[0])
    assert sentence.spearman == pytest.approx(stats.spearmanr(x[there], y[there])[0])
    for value, around in (
        (sentence.pearson, sentence.pearson_interval),
        (sentence.spearman, sentence.spearman_interval),
    ):
        assert value is not None and around is not None and around.low < value < around.high
    # over systems, ratings of all sentences count
    means = [np.nanmean(ratings.means()[name]) for name in "abc"]
    assert (system.level, system.items) == ("system", 3)
    assert system.pearson == pytest.approx(stats.pearsonr(x.mean(axis=0), means)[0])
    assert system.spearman == pytest.approx(stats.spearmanr(x.mean(axis=0), means)[0])


def test_intervals_over_systems_are_those_of_resampled_sentences() -> None:
    ratings = made(2, missing=0.05)
    found = evaluation(rating_column(ratings, FEW))
    scores = found.variants[0].sentence_scores
    x = np.column_stack([scores[name]["fuzzy"] for name in "abc"])
    y = np.column_stack([ratings.means()[name] for name in "abc"])
    pearson, spearman = resampled_correlations(x, y, FEW.samples, FEW.seed)
    system = correlate(found)[1]
    for around, expected in ((system.pearson_interval, pearson), (system.spearman_interval, spearman)):
        assert around is not None
        assert [around.low, around.high] == pytest.approx(np.quantile(expected, [0.025, 0.975]).tolist())


def test_scores_that_are_better_when_lower_are_negated() -> None:
    column = rating_column(made(1), NONE)
    down = correlate(evaluation(column, "crossings", settings=NONE))[0]
    found = evaluation(column, "crossings", settings=NONE).variants[0].sentence_scores
    x = np.concatenate([found[name]["crossings"] for name in "abc"])
    y = np.concatenate([column.sentence_scores[name] for name in "abc"])
    assert down.pearson == pytest.approx(-stats.pearsonr(x[np.isfinite(y)], y[np.isfinite(y)])[0])


def test_correlation_that_is_not_defined() -> None:
    flat = rating_column(RatedSystems(("x",), {"a": np.ones((30, 1))}), FEW)
    (sentence,) = correlate(evaluation(flat))
    assert sentence == RatingCorrelation("", "file:match=positions", "fuzzy", "sentence", 30, None, None)
    three = rating_column(RatedSystems(("x",), {name: np.ones((30, 1)) for name in "abc"}), FEW)
    assert correlate(evaluation(three))[1].pearson is None


def test_ratings_are_read_by_system_sentence_and_rater(tmp_path: Path) -> None:
    path = tmp_path / "ratings.tsv"

    def read(text: str, sentences: int = 3) -> RatedSystems:
        path.write_text(f"{HEADER}\n{text}")
        return read_ratings(str(path), ["identity", "a"], sentences)

    found = read("a\t1\tbo\t2.5\na\t1\tann\t3\na\t3\tann\t-\nother\t1\tann\t1\na\t2\tann\t0\n")
    assert (found.raters, found.others, list(found.by_system)) == (("ann", "bo"), ("other",), ["a"])
    np.testing.assert_array_equal(found.by_system["a"], [[3, 2.5], [0, NAN], [NAN, NAN]])
    for text, told in (
        ("a\t4\tann\t1\n", r"ratings\.tsv:2: a rating of sentence 4; there are 3"),
        ("a\t1\tann\t1\na\t1\tann\t2\n", r":3: a second rating of sentence 1 of a by ann"),
        ("b\t1\tann\t1\n", r"has no ratings of identity, a; its systems are b"),
        ("a\t1\tann\tgood\n", r":2: rating is 'good'; expected a number"),
    ):
        with pytest.raises(BadFile, match=told):
            read(text)
    path.write_text("a\t1\tann\t1\n")
    with pytest.raises(BadFile, match=r":1: the header is .* expected 'system"):
        read_ratings(str(path), ["a"], 3)


def test_translations_get_the_scores_of_their_metrics(tmp_path: Path) -> None:
    texts = {"identity": ["the cat sat down", "a b c d"], "b": ["the cat sat up", "d c b a"]}
    for name, lines in texts.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "ref").write_text("the cat sat down\na b d c\n")
    pattern = str(tmp_path / "{system}.txt")
    files = translation_files(pattern, ["identity", "b", "gone"])
    assert list(files) == ["identity", "b"]
    metrics = parse_metrics(["bleu,kendall"])
    columns, _ = score_translations(files, [str(tmp_path / "ref")], metrics, 2, FEW)
    references = [(tmp_path / "ref").read_text().splitlines()]
    for column, one in zip(columns, metrics, strict=True):
        for name, lines in texts.items():
            assert column.cells[name].score == pytest.approx(one.corpus_score(lines, references).score)
            assert column.sentence_scores[name] == pytest.approx(
                [one.sentence_score(h, [r]).score for h, r in zip(lines, references[0], strict=True)]
            )
    assert columns[0].cells["b"].difference is not None
    with pytest.raises(BadFile, match="ref:2: has 2 lines; there are 3 sentences"):
        score_translations(files, [str(tmp_path / "ref")], metrics, 3, FEW)
    with pytest.raises(BadSetting, match="the same file for all systems"):
        translation_files(str(tmp_path / "ref"), ["a"])
    with pytest.raises(BadSetting, match="there are no translations"):
        translation_files(pattern, ["gone"])
