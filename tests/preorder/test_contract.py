"""The contract of preorderers: every registered one keeps it, and broken ones are caught."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pytest

from tests.preorder.toy import Toy
from wordorder import check_preorderer
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import ContractBroken
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.preorder.base import expected_loss
from wordorder.preorder.identity import Identity
from wordorder.preorder.oracle import Oracle
from wordorder.preorder.registry import REGISTRY, preorderer, preorderer_names
from wordorder.preorder.source import Candidate, Source, as_sources
from wordorder.preorder.training import RunOptions, TrainingData
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

        def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
            return [Permutation.identity(max(len(s) - 1, 0)) for s in sources]

    class Moody(Toy):
        """Orders differently in company."""

        def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
            orders = [Permutation.identity(len(s)) for s in sources]
            return (
                orders if len(sources) > 1 else [Permutation.from_order(range(len(s))[::-1]) for s in sources]
            )

    class Doubling(Toy):
        """Has the same order twice."""

        def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
            return [found * 2 if k > 1 else found for found in super().nbest_batch(sources, 1)]

    class Liar(Toy):
        """Tells losses that are not so."""

        def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
            return [[one._replace(loss=0.25) for one in found] for found in super().nbest_batch(sources, k)]

    class Unsure(Toy):
        """Has a table whose probabilities do not sum to 1."""

        def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
            return [table * 0.9996 for table in super().precedence_batch(sources)]

    class Grafter(Toy):
        """Has trees of another order."""

        def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
            return [SourceTree.of_order(Permutation.from_order(range(len(s))[::-1])) for s in sources]


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (Broken.Short, "1 words get an order of 0"),
        (Broken.Moody, "gets another order alone"),
        (Broken.Doubling, "contains an order twice"),
        (Broken.Liar, "disagrees with the precedence table"),
        (Broken.Unsure, "do not sum to 1"),
        (Broken.Grafter, "has another order"),
    ],
)
def test_broken_ones_are_caught(toy: type[Toy], cls: type[Toy], said: str) -> None:
    made = dataclass(frozen=True, kw_only=True)(cls)
    with pytest.raises(ContractBroken, match=said):
        check_preorderer(made)


def test_learning_must_be_repeatable_and_leave_the_learner_alone(toy: type[Toy]) -> None:
    class Dice(Toy):
        """Learns something else each time."""

        def learn(self, data: TrainingData, run: RunOptions) -> Self:
            fitted = super().learn(data, run)
            moves = {word: np.random.default_rng().random() for word in fitted.state}
            return self.fitted(moves, fitted.trained)

    class Changing(Toy):
        """Learns in place."""

        def learn(self, data: TrainingData, run: RunOptions) -> Self:
            object.__setattr__(self, "trained", {"seed": 3})
            return self

    for cls, said in (
        (Dice, "the same seed gives different models"),
        (Changing, "instead of returning a new one"),
    ):
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
        Identity().fit(TrainingData([], []))
    with pytest.raises(WordOrderError, match="must be trained before it can reorder"):
        Toy().reorder([])
    assert replace(Oracle(), attach="left") != Oracle()


def test_two_of_one_name_are_refused(toy: type[Toy]) -> None:
    with pytest.raises(BadSetting, match="two preorderers are called 'toy'"):
        REGISTRY.register(type("Other", (Toy,), {}))


def test_oracle_reads_the_source_as_the_target_does() -> None:
    # a b c d, target order c d a, b without a link
    source = Source(tuple("abcd"), alignment=Alignment(4, 3, [(0, 2), (2, 0), (3, 1)]))
    assert preorderer("oracle").reorder_batch([source])[0].apply("abcd") == ["b", "c", "d", "a"]
    assert preorderer("oracle:attach=left").reorder_batch([source])[0].apply("abcd") == ["c", "d", "a", "b"]
    several = Source(tuple("ab"), alignment=Alignment(2, 5, [(0, 0), (0, 4), (1, 1)]))
    assert preorderer("oracle:link=mean").reorder_batch([several]) == [Permutation.from_order([1, 0])]
    assert preorderer("oracle:link=first").reorder_batch([several]) == [Permutation.identity(2)]
    with pytest.raises(WordOrderError, match="needs the word alignment"):
        preorderer("oracle").reorder_batch(as_sources([["a"]]))
    with pytest.raises(WordOrderError, match="1 words, but its alignment has 2"):
        preorderer("oracle").reorder_batch([Source(("a",), alignment=Alignment(2, 2))])


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


def test_plain_input_is_taken_by_every_method(toy: type[Toy]) -> None:
    """One sentence gives one result, whatever it is written as; a list of sentences gives a list."""
    data = TrainingData(["a b c"], [Alignment(3, 3, [(0, 2), (1, 0), (2, 1)])])  # type: ignore[list-item]
    fitted = toy().fit(data)
    for sentence in ("a b c", ["a", "b", "c"], ("a", "b", "c"), Source(("a", "b", "c"))):
        result = fitted.reorder(sentence)
        assert (result.words, result.order, str(result)) == (["b", "c", "a"], [1, 2, 0], "b c a")
        assert result.permutation.apply("abc") == ["b", "c", "a"]
        assert [best.words for best in fitted.nbest(sentence, 2)] == [["b", "c", "a"], ["c", "b", "a"]]
        assert fitted.nbest(sentence, 2)[1].loss == pytest.approx(1 / 3)
        assert fitted.precedence(sentence)[1, 0] == 1
        assert fitted.trees(sentence).order() == result.permutation
        assert fitted.log_probability(sentence, result.permutation) is None
        with pytest.raises(BadSetting, match="toy cannot explain its orders"):
            fitted.explain(sentence)
    several = [["a", "b", "c"], ["b"]]
    assert [result.words for result in fitted.reorder(several)] == [["b", "c", "a"], ["b"]]
    assert [len(table) for table in fitted.precedence(as_sources(several))] == [3, 1]
    assert [len(best) for best in fitted.nbest(several, 5)] == [3, 1]
    assert fitted.log_probability(several, [Permutation.identity(3), Permutation.identity(1)]) == [None, None]
    assert fitted.reorder([]) == [] and fitted.reorder("").words == []
    with pytest.raises(BadSetting, match="'b c' is not a word"):
        fitted.reorder(["a", "b c"])


@pytest.mark.parametrize(
    "more",
    ["", "decoding=viterbi", "decoding=sample,samples=50", "piece=5,decoding=viterbi", "arity=2,unit=words"],
)
def test_the_grammar_keeps_the_contract(more: str) -> None:
    check_preorderer(preorderer(f"grammar:binary=3,nary=1,iterations=2{',' if more else ''}{more}"))
