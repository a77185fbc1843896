"""The contract of metrics: every registered one keeps it, and broken ones are caught."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from wordorder._version import __version__
from wordorder.core.permutation import Permutations
from wordorder.core.plugins import ContractBroken
from wordorder.errors import BadSetting, UnknownName
from wordorder.metrics import check_metric, from_signature, metric, metric_names, parse_metrics
from wordorder.metrics.flat import Kendall
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.recursive import RecPef
from wordorder.metrics.registry import register, spec_of

OVER_TREES = ["pet_size", "pet_count", "max_operator", "nonbinary"]
VARIANTS = [
    "kendall:scale=tau", "kendall:scale=sqrt", "kendall:agg=micro", "kendall:variant=beer11",
    "spearman:agg=length", "spearman:variant=beer11", "hamming:variant=beer11", "ulam:variant=beer11",
    "fuzzy:joints=boundary", "fuzzy:variant=beer11", "pet_size:agg=micro", "pet_size:variant=beer11",
    "pet_count:variant=beer11", "max_operator:variant=beer11", "mean_operator:variant=beer11",
    "recpet:tree=right", "recpet:tree=flat", "recpet:tree=best", "recpet:variant=beer11",
    "recpet:variant=beer11,tree=flat", "recpet:variant=beer11,tree=best", "recpet:variant=beer11,tree=right",
    "recpef:beta=0.0", "recpef:beta=1.0,gamma=0.5", "recpef:op=ulam", "recpef:mean=trees",
    "recpef:variant=beer11", "recpef:variant=beer11,mean=inferences", "recpef:agg=length",
    "recpef:weights=learned", "recpef:weights=learned,agg=length",
    "anticipation:k=3", "crossings:scale=word", "crossings:scale=share,agg=micro",
    "lag:scale=average", "lag:agg=micro", "chunks:agg=length",
]  # fmt: skip


ALONE = metric_names()


@pytest.mark.parametrize("spec", [*ALONE, *VARIANTS])
def test_every_metric_keeps_the_contract(spec: str) -> None:
    made = metric(spec)
    check_metric(made)
    assert metric(spec_of(made)) == made


def test_names_are_those_of_the_papers() -> None:
    expected = {"kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy", "pet_size", "pet_count",
                "max_operator", "nonbinary", "recpet", "recpef", "anticipation", "crossings", "chunks",
                "lag"}  # fmt: skip
    assert expected <= set(metric_names())


def test_signature_is_known_before_scoring_and_rebuilds_the_metric() -> None:
    made = metric("recpef:beta=0.5,op=kendall")
    assert made.order_signature == (
        f"recpef|mean:inferences|beta:0.5|gamma:0.0|op:kendall|variant:paper|agg:macro|short:1.0|v:{__version__}"
    )
    assert from_signature(made.signature) == from_signature(made.order_signature) == made
    assert from_signature(made.order_signature)([2, 0, 1, 3]) == made([2, 0, 1, 3])


def test_signature_of_another_version_warns() -> None:
    with pytest.warns(UserWarning, match="version 9.9"):
        assert from_signature("hamming|variant:paper|agg:macro|short:1.0|v:9.9") == metric("hamming")


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("hamming|variant", "expected key:value"),
        ("hamming|short:0.5", "does not have short:0.5"),
        ("hamming|foo:1", "does not have foo:1"),
        ("nothing|v:1", "unknown metric"),
        ("kendall|scale:wrong", "one of share, tau, sqrt"),
    ],
)
def test_bad_signatures_are_refused(signature: str, message: str) -> None:
    with pytest.raises((BadSetting, UnknownName), match=message):
        from_signature(signature)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kendal", "Did you mean 'kendall'"),
        ("kendall:scale", "expected key=value, found 'scale'"),
        ("kendall:scale=", "expected key=value"),
        ("kendall:scale=foo", "expected one of share, tau, sqrt"),
        ("kendall:beta=1", "no setting 'beta'. It has: scale, variant, agg"),
        ("recpef:beta=two", "expected a number"),
        ("recpef:beta=1.5", "expected 0 to 1"),
        ("recpef:beta=nan", "expected 0 to 1"),
        ("recpef:beta=0,variant=beer11", "divide by zero"),
        ("recpef:beta=0.5,beta=0.6", "set twice"),
        ("recpef:agg=micro", "Use macro or length"),
        ("kendall:variant=beer11,agg=micro", "no agg=micro"),
        ("kendall:variant=beer11,scale=tau", "knows scale=share only"),
        ("fuzzy:variant=beer11,joints=boundary", "knows joints=inner only"),
        ("recpef:variant=beer11,gamma=0.5", "knows gamma=0.0 only"),
        ("recpet:variant=beer11,op=ulam", "knows op=monotone only"),
        ("anticipation:k=0", "k is 0; expected 1 or more"),
        ("anticipation:k=1.5", "a whole number"),
    ],
)
def test_bad_settings_say_what_to_try(spec: str, message: str) -> None:
    with pytest.raises((BadSetting, UnknownName), match=message):
        metric(spec)


def test_settings_are_checked_in_python_too() -> None:
    with pytest.raises(BadSetting, match="one of share"):
        Kendall(scale="wrong")  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="one of monotone"):
        RecPef(op="wrong")  # type: ignore[arg-type]


def test_comma_lists() -> None:
    made = parse_metrics(["kendall,recpef:beta=0.5,gamma=0.25,fuzzy", "ulam", "recpef"])
    assert [spec_of(m) for m in made] == ["kendall", "recpef:beta=0.5,gamma=0.25", "fuzzy", "ulam", "recpef"]
    assert [spec_of(m) for m in parse_metrics(["kendall,scale=tau"])] == ["kendall:scale=tau"]
    for bad, message in (
        ("beta=1", "no metric before"),
        ("kendall,,ulam", "empty name"),
        ("ulam,ulam", "twice"),
    ):
        with pytest.raises(BadSetting, match=message):
            parse_metrics([bad])


def test_corpus_scores_by_hand() -> None:
    sentences = [[0, 1, 2, 3], [1, 0], [2, 1, 0]]  # pairs in order: 6/6, 0/1, 0/3
    assert metric("kendall").corpus_score_orders(sentences).score == pytest.approx(1 / 3)
    assert metric("kendall:agg=length").corpus_score_orders(sentences).score == pytest.approx(4 / 9)
    assert metric("kendall:agg=micro").corpus_score_orders(sentences).score == pytest.approx(6 / 10)
    assert metric("kendall:agg=micro,scale=tau").corpus_score_orders(sentences).score == pytest.approx(0.2)


def test_nothing_to_order_is_in_order() -> None:
    for agg in ("macro", "micro", "length"):
        assert metric(f"kendall:agg={agg}").corpus_score_orders([[], []]).score == 1.0
        assert metric(f"anticipation:agg={agg}").corpus_score_orders([[], []]).score == 0.0
    assert (
        metric("fuzzy:joints=boundary")([]) == 1.0 and metric("kendall").corpus_score_orders([]).score == 1.0
    )


def test_ranges_are_told() -> None:
    assert metric("recpet:variant=beer11,tree=flat").range == pytest.approx((-0.4 / 0.6, 1.0))
    assert metric("kendall:scale=tau").range == (-1.0, 1.0) and metric("ulam").range == (0.0, 1.0)
    assert from_signature("hamming|variant:paper|agg:macro") == metric("hamming")  # no version: today's


def test_degenerate_sentences_are_counted() -> None:
    score = metric("fuzzy").corpus_score_orders([[], [0], [0, 1], [1, 0]])
    assert (score.segments, score.words, score.empty, score.single) == (4, 5, 1, 1)
    assert score.as_dict()["signature"] == metric("fuzzy").order_signature
    assert score.score == pytest.approx(0.75)


@pytest.mark.parametrize(
    "name",
    ["kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy", "recpet", "recpef", *OVER_TREES],
)
def test_short_sentences_are_in_order(name: str) -> None:
    made = metric(name)
    assert made([]) == made([0]) == made([0, 1]) == 1.0
    if name in OVER_TREES:
        assert made([1, 0]) == 1.0
    else:
        assert made([1, 0]) == 0.0


def test_short_sentences_of_beer11() -> None:
    expected = {  # no words, one word, two in order, two turned
        "kendall": (0, 0, 1, 0), "spearman": (0, 0.5, 1, 0), "hamming": (0, 1, 1, 0), "ulam": (0, 0, 1, 0),
        "fuzzy": (0, 0, 1, 0), "pet_size": (1, 1, 1, 1), "max_operator": (0, 1, 0, 0),
        "pet_count": (0, 1, 1, 0), "recpef": (0, 1, 1, 0), "recpet": (0, 1, 1, 0),
    }  # fmt: skip
    for name, values in expected.items():
        made = metric(f"{name}:variant=beer11")
        assert tuple(made(p) for p in ([], [0], [0, 1], [1, 0])) == pytest.approx(values), name


def test_broken_metrics_are_caught() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Good(OrderingMetric):
        """Always half, but 1 in order."""

        name = "good"

        def counts(self, permutations: Permutations) -> tuple[np.ndarray, np.ndarray]:
            in_order = np.array([p.is_identity() for p in permutations], dtype=float)
            return (1 + in_order) / 2, np.ones(len(permutations))

    check_metric(Good)

    @dataclass(frozen=True, kw_only=True)
    class Nan(Good):
        """NaN for some."""

        def counts(self, permutations: Permutations) -> tuple[np.ndarray, np.ndarray]:
            return np.full(len(permutations), np.nan), np.ones(len(permutations))

    @dataclass(frozen=True, kw_only=True)
    class Wild(Good):
        """Out of its range."""

        def curve(self, quotient: np.ndarray) -> np.ndarray:
            return quotient * 2

    @dataclass(kw_only=True)
    class Loose:
        """Not frozen."""

        name = "loose"
        range = (0.0, 1.0)

    @dataclass(frozen=True, kw_only=True)
    class Blind(Good):
        """The same for every order."""

        def curve(self, quotient: np.ndarray) -> np.ndarray:
            return quotient * 0 + 0.5

    @dataclass(frozen=True, kw_only=True)
    class Sticky(Good):
        """A corpus is not the sum of its parts."""

        def statistics(self, segments: object) -> np.ndarray:
            rows = super().statistics(segments)  # type: ignore[arg-type]
            return rows * [[1.0 / len(rows), 1.0, 1.0]]

    @dataclass(frozen=True, kw_only=True)
    class Growing(Good):
        """The same corpus twice is worth more."""

        def scores(self, sums: np.ndarray) -> np.ndarray:
            return super().scores(sums) * np.where(sums[:, 1] > 250, 0.9, 1.0)

    @dataclass(frozen=True, kw_only=True)
    class Moody(Good):
        """Another score at each call."""

        def counts(self, permutations: Permutations) -> tuple[np.ndarray, np.ndarray]:
            hits, total = super().counts(permutations)
            calls.append(len(permutations))
            return np.where(hits < 1, hits * (0.5 + 0.001 * (len(calls) % 7)), hits), total

    calls: list[int] = []
    with pytest.raises(ContractBroken, match=r"alone scores differently|two results"):
        check_metric(Moody())
    with pytest.raises(ContractBroken, match="the same corpus twice"):
        check_metric(Growing())
    with pytest.raises(ContractBroken, match=r"do not add up|disagree"):
        check_metric(Sticky())

    for broken, message in (
        (Nan, "not finite"),
        (Wild, "above 1.0"),
        (Loose, "frozen"),
        (Blind, "not the best"),
    ):
        with pytest.raises(ContractBroken, match=message):
            check_metric(broken())  # type: ignore[arg-type]


def test_names_cannot_be_taken_twice() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Other(Kendall):
        """Another metric of the same name."""

    with pytest.raises(BadSetting, match="two metrics are called 'kendall'"):
        register(Other)
