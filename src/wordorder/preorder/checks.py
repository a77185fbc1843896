"""The contract of preorderers, as a check that runs on any class."""

from __future__ import annotations

import dataclasses
import re
import tempfile
from pathlib import Path

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import ContractBroken
from wordorder.errors import UnknownName
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.base import Preorderer, expected_loss
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.registry import preorderer, preorderer_class
from wordorder.preorder.source import Source
from wordorder.preorder.training import RunOptions, TrainingData

TOLERANCE = 1e-6
NAME = re.compile(r"[a-z][a-z0-9_-]*")


def check_preorderer(subject: Preorderer | type[Preorderer]) -> None:
    """Raise :class:`ContractBroken` with the first part of the contract that the preorderer breaks.

    Takes a preorderer, or a class that can be called without arguments. A preorderer that learns is
    trained on a few sentences, unless it is already fitted.

    >>> from wordorder.preorder import preorderer
    >>> check_preorderer(preorderer("identity"))
    """
    if isinstance(subject, type):
        subject = subject()
    try:
        _check_identity(subject)
        fitted = _check_learning(subject)
        _check_orders(fitted)
        _check_nbest(fitted)
        _check_tables(fitted)
        _check_files(fitted)
    except ContractBroken as broken:
        raise ContractBroken(f"{type(subject).__name__}: {broken}") from None
    except Exception as error:
        raise ContractBroken(
            f"{type(subject).__name__}: fails with {type(error).__name__}: {error}"
        ) from error


def _require(holds: bool, promise: str) -> None:
    if not holds:
        raise ContractBroken(promise)


def _check_identity(subject: Preorderer) -> None:
    _require(isinstance(getattr(subject, "name", None), str), "has no name")
    _require(bool(NAME.fullmatch(subject.name)), f"name {subject.name!r} is not lower-case")
    _require(bool(type(subject).__doc__), "has no docstring")
    frozen = dataclasses.is_dataclass(subject) and subject.__dataclass_params__.frozen  # type: ignore[attr-defined]
    _require(frozen, "is not a frozen dataclass")
    for key, value in subject.settings.items():
        _require(f"|{key}:{value}" in subject.signature, f"setting {key} is not in the signature")
        plain = isinstance(value, str | int | float | bool)
        _require(plain, f"setting {key} is not text, a number or a truth value")
    try:
        known = preorderer_class(subject.name) is type(subject)
    except UnknownName:
        known = False
    if known:
        spec = ",".join(f"{key}={value}" for key, value in subject.settings.items())
        again = preorderer(f"{subject.name}:{spec}" if spec else subject.name)
        _require(again == subject, "name and settings do not rebuild the preorderer")


def sample_sources() -> list[Source]:
    """Return sentences to try: no words, one, two and more, repeated and unseen ones, odd characters."""
    lines = ["", "a", "a b", "b a", "a b c d e f", "c c c c", "never seen before", "( | ) [] \\ %", "ü 木 é"]
    lines += [" ".join("abcdef"[(k * k + 1) % 6] for k in range(n)) for n in (12, 25)]
    return [_annotated(tuple(line.split())) for line in lines]


def _annotated(words: tuple[str, ...]) -> Source:
    """Return a sentence with all annotation: a chain of heads, and links that reverse it."""
    n = len(words)
    rows = [Row(str(i + 1), word, upos="X", head=str(i), deprel="dep") for i, word in enumerate(words)]
    alignment = Alignment(n, n, [(i, n - 1 - i) for i in range(n)])
    return Source(words, parse=Sentence(rows) if rows else None, alignment=alignment)


def _training_data() -> TrainingData:
    rng = np.random.default_rng(6)
    sources, alignments = [], []
    for _ in range(40):
        n = int(rng.integers(0, 8))
        words = tuple("abcdef"[int(k)] for k in rng.integers(6, size=n))
        # a and b change places with the next word; some words have no link
        keys = [i + (1.5 if word in "ab" else 0.0) for i, word in enumerate(words)]
        ranks = np.argsort(np.argsort(keys, kind="stable")).tolist()
        links = [(i, place) for i, place in enumerate(ranks) if rng.random() > 0.1]
        sources.append(_annotated(words))
        alignments.append(Alignment(n, n, links))
    return TrainingData(sources, alignments)


def _check_learning(subject: Preorderer) -> Preorderer:
    if not subject.learns or subject.is_fitted:
        _require(subject.is_fitted, "does not learn, but is not fitted")
        return subject
    data = _training_data()
    records: list[dict[str, object]] = []
    fitted = subject.fit(data, RunOptions(seed=3, log=records.append))
    _require(not subject.is_fitted, "fit changed the preorderer instead of returning a new one")
    is_new = type(fitted) is type(subject) and fitted.is_fitted
    _require(is_new, "fit does not return a fitted preorderer")
    _require(fitted.settings == subject.settings, "fit changed the settings")
    _require(fitted.trained.get("seed") == 3, "the seed is not in `trained`")
    again = subject.fit(data, RunOptions(seed=3))
    first, second = fitted.arrays(), again.arrays()
    same = first.keys() == second.keys() and all(np.array_equal(first[key], second[key]) for key in first)
    _require(same, "the same seed gives different models")
    return fitted


def _check_orders(subject: Preorderer) -> None:
    sources = sample_sources()
    orders = subject.reorder_batch(sources)
    _require(len(orders) == len(sources), "reorder_batch does not return one order per sentence")
    for source, order in zip(sources, orders, strict=True):
        _require(isinstance(order, Permutation), f"reorder_batch returns {type(order).__name__}s")
        _require(len(order) == len(source), f"{len(source)} words get an order of {len(order)}")
    _require(subject.reorder_batch(sources) == orders, "reordering twice gives different results")
    alone = [subject.reorder_batch([source])[0] for source in sources]
    _require(alone == orders, "a sentence gets another order alone than in a batch")
    _require(subject.reorder_batch([]) == [], "an empty list of sentences does not give an empty list")
    plain = [subject.reorder(source).permutation for source in sources]
    _require(plain == orders, "reorder and reorder_batch differ")
    for source, order, tree in zip(sources, orders, subject.trees_batch(sources), strict=True):
        _require(tree.order() == order, f"the tree of {' '.join(source.words)!r} has another order")


def _check_nbest(subject: Preorderer) -> None:
    sources = sample_sources()
    best = subject.reorder_batch(sources)
    tables = subject.precedence_batch(sources)
    for k in (1, 5):
        lists = subject.nbest_batch(sources, k)
        for source, order, table, candidates in zip(sources, best, tables, lists, strict=True):
            what = f"the {k}-best list of {' '.join(source.words)!r}"
            _require(1 <= len(candidates) <= k, f"{what} has {len(candidates)} orders")
            first = candidates[0].order == order
            _require(first, f"{what} does not begin with the order of reorder_batch")
            different = len({candidate.order for candidate in candidates})
            _require(different == len(candidates), f"{what} contains an order twice")
            losses = [candidate.loss for candidate in candidates]
            _require(bool(np.isfinite(losses).all()), f"{what} has a loss that is not finite")
            rising = not subject.ranks_by_loss or bool((np.diff(losses) >= -TOLERANCE).all())
            _require(rising, f"{what} is not sorted by loss")
            for candidate in candidates:
                agrees = abs(candidate.loss - expected_loss(candidate.order, table)) < 1e-3
                _require(agrees, f"{what}: a loss disagrees with the precedence table")
                _require((candidate.log_prob or 0.0) <= TOLERANCE, f"{what}: a probability above 1")


def _check_tables(subject: Preorderer) -> None:
    for source, table in zip(sample_sources(), subject.precedence_batch(sample_sources()), strict=True):
        n = len(source)
        _require(table.shape == (n, n), f"the table of {n} words is {table.shape}")
        _require(bool(np.isfinite(table).all()), "a probability is not finite")
        _require(not np.diagonal(table).any(), "a word precedes itself")
        off = ~np.eye(n, dtype=bool)
        sums = (table + table.T)[off]
        _require(bool((np.abs(sums - 1) < 1e-4).all()), "i before j and j before i do not sum to 1")
        _require(bool((table[off] >= -TOLERANCE).all()), "a probability below 0")


def _check_files(subject: Preorderer) -> None:
    sources = sample_sources()
    with tempfile.TemporaryDirectory() as home:
        folder = str(Path(home) / "model")
        subject.save(folder)
        try:
            again = load_preorderer(folder)
        except UnknownName:  # a class that is not registered cannot be found by its name
            return
        _require(again == subject, "settings are lost when the model is saved and loaded")
        same = again.reorder_batch(sources) == subject.reorder_batch(sources)
        _require(same, "a saved model gives other orders")
        _require(again.signature == subject.signature, "a saved model has another signature")
