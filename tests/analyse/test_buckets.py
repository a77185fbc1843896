"""Buckets and their tests."""

from __future__ import annotations

import numpy as np
import pytest

from tests.analyse.corpora import compared, random_texts, shuffled
from wordorder.analyse.buckets import TestSettings as Settings
from wordorder.analyse.buckets import compare_buckets, compare_groups, properties
from wordorder.engine.compare import compare, holm

SETTINGS = Settings(samples=200, seed=3)


@pytest.fixture(scope="module")
def sentences():
    reference = random_texts(80, 5)
    return compared([reference], [shuffled(reference, 6), shuffled(reference, 7)], "kendall,fuzzy")


def test_every_segment_is_in_one_bucket_whose_name_holds_its_value(sentences):
    for kind in properties(sentences):
        members = [s for _, chosen in kind.members for s in chosen.tolist()]
        assert sorted(members) == list(range(80))
        for label, chosen in kind.members:
            ends = label.rstrip("+").split("–")
            low, high = float(ends[0]), float(ends[-1])
            for s in chosen.tolist():
                value = kind.values[s]
                assert low <= value and (label.endswith("+") or value <= high or not kind.whole), (
                    kind.name,
                    label,
                )


def test_properties_do_not_favour_a_system(sentences):
    reference = random_texts(80, 5)
    turned = compared([reference], [shuffled(reference, 7), shuffled(reference, 6)], "kendall,fuzzy")
    for one, other in zip(properties(sentences), properties(turned), strict=True):
        assert np.allclose(one.values, other.values)


def test_a_bucket_is_a_comparison_of_its_segments(sentences):
    rows = [system.rows for system in sentences.systems]
    scorers = [metric.scores for metric in sentences.metrics.values()]
    kind = properties(sentences)[0]
    buckets = compare_buckets(rows, scorers, kind.members, SETTINGS)
    filled = {label: chosen for label, chosen in kind.members if len(chosen)}
    assert [bucket.label for bucket in buckets] == list(filled)
    for bucket in buckets:
        chosen = filled[bucket.label]
        alone = compare(
            [[block[chosen] for block in system] for system in rows],
            scorers,
            samples=200,
            seed=3,
            paired="bootstrap",
        )
        assert bucket.segments == len(chosen) and bucket.results == alone.results
    tested = [bucket for bucket in buckets if bucket.results[1][0].p_value is not None]
    assert [bucket.corrected[1][0] for bucket in tested] == holm([b.results[1][0].p_value for b in tested])
    assert all(bucket.corrected[0] == [None, None] for bucket in buckets)  # the baseline is not tested


def test_one_segment_or_one_system_is_not_tested():
    row = np.array([[1.0, 1.0]])
    mean = lambda sums: sums[:, 0] / sums[:, 1]  # noqa: E731
    (bucket,) = compare_groups([("x", [[row], [row]]), ("none", [[row[:0]], [row[:0]]])], [mean], SETTINGS)
    assert bucket.label == "x" and bucket.results[1][0].p_value is None
    (alone,) = compare_groups([("x", [[np.vstack([row, row])]])], [mean], SETTINGS)
    assert alone.results[0][0].score == 1.0 and alone.corrected == [[None]]
