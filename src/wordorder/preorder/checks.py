"""The contract of a preorderer, as a check that runs on anyone's class."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.errors import UnknownName
from wordorder.io.sentence import Row, Sentence
from wordorder.preorder.base import Preorderer, Source, Training, expected_loss

TOLERANCE = 1e-6


class ContractBroken(AssertionError):
    """A preorderer does not keep the contract."""


def check_preorderer(made: Preorderer | type[Preorderer]) -> None:
    """Raise :class:`ContractBroken`, naming the first promise that the preorderer does not keep.

    Takes a preorderer, or a class that can be made without arguments. One that learns is trained on a
    few sentences, unless it is fitted already.

    >>> from wordorder.preorder import preorderer
    >>> check_preorderer(preorderer("identity"))
    """
    if isinstance(made, type):
        made = made()
    try:
        _check_identity(made)
        fitted = _check_learning(made)
        _check_orders(fitted)
        _check_nbest(fitted)
        _check_tables(fitted)
        _check_files(fitted)
    except ContractBroken:
        raise
    except Exception as error:
        raise ContractBroken(f"{type(made).__name__}: fails with {type(error).__name__}: {error}") from error


def _require(holds: bool, made: Preorderer, promise: str) -> None:
    if not holds:
        raise ContractBroken(f"{type(made).__name__}: {promise}")


def _check_identity(made: Preorderer) -> None:
    from wordorder.preorder.registry import preorderer, preorderer_class

    _require(isinstance(getattr(made, "name", None), str), made, "has no name")
    _require(made.name.isidentifier() and made.name.islower(), made, f"name {made.name!r} is not lower_case")
    _require(bool(type(made).__doc__), made, "has no docstring to say what it does")
    frozen = dataclasses.is_dataclass(made) and made.__dataclass_params__.frozen  # type: ignore[attr-defined]
    _require(frozen, made, "is not a frozen dataclass: settings could change under a model")
    for key, value in made.settings.items():
        _require(f"|{key}:{value}" in made.signature, made, f"setting {key} is not in the signature")
        plain = isinstance(value, str | int | float | bool)
        _require(plain, made, f"setting {key} is not text, a number or yes/no: it cannot be written down")
    try:
        known = preorderer_class(made.name) is type(made)
    except UnknownName:
        known = False
    if known:
        spec = ",".join(f"{key}={value}" for key, value in made.settings.items())
        again = preorderer(f"{made.name}:{spec}" if spec else made.name)
        _require(again == made, made, "name and settings do not rebuild it")


def sample_sources() -> list[Source]:
    """Sentences to try: none, one, two and more words, repeated and unseen ones, odd characters."""
    lines = ["", "a", "a b", "b a", "a b c d e f", "c c c c", "never seen before", "( | ) [] \\ %", "ü 木 é"]
    lines += [" ".join("abcdef"[(k * k + 1) % 6] for k in range(n)) for n in (12, 25)]
    return [_known(tuple(line.split())) for line in lines]


def _known(words: tuple[str, ...]) -> Source:
    """A sentence with all that a preorderer may need: a chain of heads, and links that turn it round."""
    n = len(words)
    rows = [Row(str(i + 1), word, upos="X", head=str(i), deprel="dep") for i, word in enumerate(words)]
    alignment = Alignment(n, n, [(i, n - 1 - i) for i in range(n)])
    return Source(words, parse=Sentence(rows) if rows else None, alignment=alignment)


def _training_data() -> tuple[list[Source], list[Alignment]]:
    rng = np.random.default_rng(6)
    sources, alignments = [], []
    for _ in range(40):
        n = int(rng.integers(0, 8))
        words = tuple("abcdef"[int(k)] for k in rng.integers(6, size=n))
        # a and b turn round with what follows; some words have no link
        keys = [i + (1.5 if word in "ab" else 0.0) for i, word in enumerate(words)]
        rank = Permutation.standardise(keys)
        links = [(i, place) for i, place in enumerate(rank) if rng.random() > 0.1]
        sources.append(_known(words))
        alignments.append(Alignment(n, n, links))
    return sources, alignments


def _check_learning(made: Preorderer) -> Preorderer:
    if not made.learns or made.is_fitted:
        _require(made.is_fitted, made, "learns nothing and yet is not fitted")
        return made
    sources, alignments = _training_data()
    records: list[dict[str, object]] = []
    fitted = made.fit(sources, alignments, training=Training(seed=3, log=records.append))
    _require(not made.is_fitted, made, "fit changed the preorderer instead of returning a new one")
    _require(type(fitted) is type(made) and fitted.is_fitted, made, "fit does not return a fitted preorderer")
    _require(fitted.settings == made.settings, made, "fit changed the settings")
    _require(fitted.trained.get("seed") == 3, made, "the seed is not in `trained`")
    again = made.fit(sources, alignments, training=Training(seed=3))
    one, other = fitted.arrays(), again.arrays()
    same = one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)
    _require(same, made, "the same seed gives two models")
    return fitted


def _check_orders(made: Preorderer) -> None:
    sources = sample_sources()
    orders = made.reorder(sources)
    _require(len(orders) == len(sources), made, "reorder does not give one order a sentence")
    for source, order in zip(sources, orders, strict=True):
        _require(isinstance(order, Permutation), made, f"reorder gives {type(order).__name__}s")
        _require(len(order) == len(source), made, f"{len(source)} words get an order of {len(order)}")
    _require(made.reorder(sources) == orders, made, "reordering twice gives two results")
    alone = [made.reorder([source])[0] for source in sources]
    _require(alone == orders, made, "a sentence alone is ordered differently from in a batch")
    _require(made.reorder([]) == [], made, "no sentences do not give no orders")
    for source, order, tree in zip(sources, orders, made.trees(sources), strict=True):
        _require(tree.order() == order, made, f"the tree of {' '.join(source.words)!r} is of another order")


def _check_nbest(made: Preorderer) -> None:
    sources = sample_sources()
    best: Sequence[Permutation] = made.reorder(sources)
    tables = made.precedence(sources)
    for k in (1, 5):
        for source, order, table, found in zip(sources, best, tables, made.nbest(sources, k), strict=True):
            what = f"the {k}-best of {' '.join(source.words)!r}"
            _require(1 <= len(found) <= k, made, f"{what} are {len(found)}")
            _require(found[0].order == order, made, f"{what} do not begin with what reorder gives")
            _require(len({one.order for one in found}) == len(found), made, f"{what} hold an order twice")
            losses = [one.loss for one in found]
            _require(bool(np.isfinite(losses).all()), made, f"{what} have a loss that is not finite")
            rising = not made.ranks_by_loss or bool((np.diff(losses) >= -TOLERANCE).all())
            _require(rising, made, f"{what} do not rise in loss")
            for one in found:
                told = abs(one.loss - expected_loss(one.order, table)) < 1e-3
                _require(told, made, f"{what}: a loss is not what the precedence table says")
                _require((one.log_prob or 0.0) <= TOLERANCE, made, f"{what}: a probability above 1")


def _check_tables(made: Preorderer) -> None:
    for source, table in zip(sample_sources(), made.precedence(sample_sources()), strict=True):
        n = len(source)
        _require(table.shape == (n, n), made, f"the table of {n} words is {table.shape}")
        _require(bool(np.isfinite(table).all()), made, "a probability is not finite")
        _require(not np.diagonal(table).any(), made, "a word precedes itself")
        off = ~np.eye(n, dtype=bool)
        sums = (table + table.T)[off]
        _require(bool((np.abs(sums - 1) < 1e-4).all()), made, "i before j and j before i do not sum to 1")
        _require(bool((table[off] >= -TOLERANCE).all()), made, "a probability below 0")


def _check_files(made: Preorderer) -> None:
    sources = sample_sources()
    with tempfile.TemporaryDirectory() as home:
        folder = str(Path(home) / "model")
        made.save(folder)
        try:
            again = type(made).load(folder)
        except UnknownName:  # a class that is not registered cannot be found by its name
            return
        _require(again == made, made, "settings are lost on the way to disk and back")
        _require(again.reorder(sources) == made.reorder(sources), made, "a saved model orders differently")
        _require(again.signature == made.signature, made, "a saved model has another signature")
