"""The contract of preorderers: every registered one keeps it, and broken ones are caught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.preorder.toy import Toy
from wordorder import check_preorderer
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.preorder.base import Candidate, Doubles, Preorderer, Source, as_sources, expected_loss
from wordorder.preorder.checks import ContractBroken
from wordorder.preorder.identity import Identity
from wordorder.preorder.oracle import Oracle
from wordorder.preorder.registry import REGISTRY, preorderer, preorderer_names
from wordorder.preorder.trees import SourceTree


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Toy]]:
    preorderer_names()
    monkeypatch.setattr(REGISTRY, "classes", dict(REGISTRY.classes))
    REGISTRY.register(Toy)
    yield Toy


@pytest.mark.parametrize(
    "spec", ["identity", "oracle", "oracle:policy=phrases,attach=left", "oracle:policy=talbot"]
)
def test_those_that_learn_nothing_keep_the_contract(spec: str) -> None:
    check_preorderer(preorderer(spec))


def test_one_that_learns_keeps_it_too(toy: type[Toy]) -> None:
    check_preorderer(toy)
    check_preorderer(toy(bend=0.5))


class Broken:
    """Ways to break the contract, each with what is said of it."""

    class Short(Toy):
        """Forgets a word."""

        def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
            return [Permutation.identity(max(len(s) - 1, 0)) for s in sources]

    class Moody(Toy):
        """Orders differently in company."""

        def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
            orders = [Permutation.identity(len(s)) for s in sources]
            return orders if len(sources) > 1 else [Permutation(range(len(s))[::-1]) for s in sources]

    class Doubling(Toy):
        """Has the same order twice."""

        def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
            return [found * 2 if k > 1 else found for found in super().nbest(sources, 1)]

    class Liar(Toy):
        """Tells losses that are not so."""

        def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
            return [[one._replace(loss=0.25) for one in found] for found in super().nbest(sources, k)]

    class Unsure(Toy):
        """Has a table whose probabilities do not sum to 1."""

        def precedence(self, sources: Sequence[Source]) -> list[Doubles]:
            return [table * 0.9996 for table in super().precedence(sources)]

    class Grafter(Toy):
        """Has trees of another order."""

        def trees(self, sources: Sequence[Source]) -> list[SourceTree]:
            return [SourceTree.of_order(Permutation(range(len(s))[::-1])) for s in sources]


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (Broken.Short, "1 words get an order of 0"),
        (Broken.Moody, "alone is ordered differently"),
        (Broken.Doubling, "hold an order twice"),
        (Broken.Liar, "not what the precedence table says"),
        (Broken.Unsure, "do not sum to 1"),
        (Broken.Grafter, "is of another order"),
    ],
)
def test_broken_ones_are_caught(toy: type[Toy], cls: type[Toy], said: str) -> None:
    made = dataclass(frozen=True, kw_only=True)(cls)
    with pytest.raises(ContractBroken, match=said):
        check_preorderer(made)


def test_learning_must_be_repeatable_and_leave_the_learner_alone(toy: type[Toy]) -> None:
    class Dice(Toy):
        """Learns something else each time."""

        def fit(self, *args: object, **more: object) -> Toy:  # type: ignore[override]
            fitted = super().fit(*args, **more)  # type: ignore[arg-type]
            object.__setattr__(fitted, "moves", {w: np.random.default_rng().random() for w in fitted.moves})
            return fitted

    class Changing(Toy):
        """Learns in place."""

        def fit(self, *args: object, **more: object) -> Toy:  # type: ignore[override]
            object.__setattr__(self, "trained", {"seed": 3})
            return self

    for cls, said in ((Dice, "the same seed gives two models"), (Changing, "instead of returning a new one")):
        with pytest.raises(ContractBroken, match=said):
            check_preorderer(dataclass(frozen=True, kw_only=True)(cls))


def test_settings_are_read_and_checked() -> None:
    assert preorderer("oracle: attach = left").settings["attach"] == "left"
    for spec, said in [
        ("orakle", "Did you mean 'oracle'"),
        ("oracle:attach=up", "attach is 'up'; expected one of right, left"),
        ("oracle:side=left", "has no setting 'side'. It has: policy, link, attach"),
        ("identity:a=1", "It has none"),
        ("oracle:attach=left,attach=left", "set twice"),
    ]:
        with pytest.raises((BadSetting, UnknownName), match=said):
            preorderer(spec)
    with pytest.raises(BadSetting, match="attach is 'up'"):
        Oracle(attach="up")  # type: ignore[arg-type]
    with pytest.raises(BadSetting, match="nothing to learn"):
        Identity().fit([], [])
    with pytest.raises(WordOrderError, match="must be trained before it can reorder"):
        Toy().reorder([])
    assert replace(Oracle(), attach="left") != Oracle()


def test_two_of_one_name_are_refused(toy: type[Toy]) -> None:
    with pytest.raises(BadSetting, match="two preorderers are called 'toy'"):
        REGISTRY.register(type("Other", (Toy,), {}))


def test_oracle_reads_the_source_as_the_target_does() -> None:
    # a b c d, target order c d a, b without a link
    source = Source(tuple("abcd"), alignment=Alignment(4, 3, [(0, 2), (2, 0), (3, 1)]))
    assert preorderer("oracle").reorder([source])[0].apply("abcd") == ["b", "c", "d", "a"]
    assert preorderer("oracle:attach=left").reorder([source])[0].apply("abcd") == ["c", "d", "a", "b"]
    several = Source(tuple("ab"), alignment=Alignment(2, 5, [(0, 0), (0, 4), (1, 1)]))
    assert preorderer("oracle:link=mean").reorder([several]) == [Permutation.from_order([1, 0])]
    assert preorderer("oracle:link=first").reorder([several]) == [Permutation.from_order([0, 1])]
    with pytest.raises(WordOrderError, match="needs the links"):
        preorderer("oracle").reorder(as_sources([["a"]]))
    with pytest.raises(WordOrderError, match="1 words and its alignment 2"):
        preorderer("oracle").reorder([Source(("a",), alignment=Alignment(2, 2))])


def test_expected_loss_is_the_mean_over_all_orders() -> None:
    rng = np.random.default_rng(0)
    orders = [Permutation.from_order(rng.permutation(5)) for _ in range(6)]
    shares = rng.dirichlet(np.ones(6))
    ranks = [order.ranks for order in orders]
    table = sum(p * (r[:, None] < r[None, :]) for p, r in zip(shares, ranks, strict=True))
    for one in orders:
        slow = 0.0
        for p, r in zip(shares, ranks, strict=True):
            wrong = sum(r[one.order[a]] > r[one.order[b]] for a in range(5) for b in range(a + 1, 5))
            slow += p * wrong / 10
        assert expected_loss(one, np.asarray(table)) == pytest.approx(slow)


def test_text_is_not_taken_for_words() -> None:
    with pytest.raises(BadSetting, match="is text"):
        as_sources(["a b"])
    assert isinstance(preorderer("identity"), Preorderer)


@pytest.mark.parametrize(
    "more",
    ["", "decoding=viterbi", "decoding=sample,samples=50", "piece=5,decoding=viterbi", "arity=2,unit=words"],
)
def test_the_grammar_keeps_the_contract(more: str) -> None:
    check_preorderer(preorderer(f"grammar:binary=3,nary=1,iterations=2{',' if more else ''}{more}"))
