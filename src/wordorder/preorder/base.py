"""The base class of preorderers.

A preorderer puts the words of a source sentence into the word order of the target language. It is a
frozen dataclass whose fields are its settings. :meth:`Preorderer.fit` learns from word-aligned sentences
and returns a *new*, fitted preorderer. The base class keeps the learned state, converts plain input and
saves models; an author writes the ``..._batch`` methods, which work on lists of :class:`Source`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import check_bounds, check_choices, check_types, field_types
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.model_folder import save_folder
from wordorder.io.model_store import KINDS
from wordorder.preorder.source import Candidate, Reordering, SentenceLike, Source, one_or_several
from wordorder.preorder.training import RunOptions, TrainingData
from wordorder.preorder.trees import SourceTree

KIND = "preorder"  # of models in the store
FORMAT, VERSION = KINDS[KIND]
Arrays = dict[str, NDArray[Any]]
ManySentences = Iterable[Source] | Iterable[Sequence[str]]
SentencesLike = SentenceLike | Iterable[SentenceLike]
R = TypeVar("R")


class OrderExplanation(Protocol):
    """The reasons for the order of a sentence."""

    @property
    def words(self) -> Sequence[str]:
        """The words of the sentence."""

    @property
    def tree(self) -> SourceTree:
        """The tree of its order."""

    @property
    def notes(self) -> Mapping[tuple[int, int], str]:
        """Labels for nodes of the tree, by begin and end."""

    def to_text(self) -> str:
        """Return a readable explanation."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""


@cache
def setting_types(cls: type[Preorderer]) -> dict[str, Any]:
    """Return the types of the settings of a preorderer by name."""
    hints = field_types(cls)
    return {setting.name: hints[setting.name] for setting in fields(cls) if setting.init}


@dataclass(frozen=True, kw_only=True)
class Preorderer(ABC):
    """Base class of all preorderers.

    A subclass defines ``name`` and :meth:`reorder_batch`. A subclass that learns also sets ``learns``
    and defines :meth:`learn`, which returns ``self.fitted(state, facts)``, and the conversions between
    its ``state`` and arrays: :meth:`arrays` and :meth:`restore_state`. The other ``..._batch`` methods
    have defaults that follow from the order. Decoding must be safe to call from several threads.

    The methods without ``_batch`` are for users. They accept one sentence (a string, a list of words or
    a :class:`Source`) and return one result, or a list of sentences and return a list of results.
    """

    name: ClassVar[str]
    learns: ClassVar[bool] = False  # whether the method must be trained
    continues: ClassVar[bool] = False  # whether training can go on from a fitted model
    decoding_settings: ClassVar[tuple[str, ...]] = ()  # settings that may be changed after training

    # Facts about the training, such as the seed and the number of sentences; empty before training.
    trained: Mapping[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    _state: Any = field(default=None, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the settings; subclasses that add conditions call this first."""
        check_choices(self, setting_types(type(self)))
        check_types(self, setting_types(type(self)))

    def check_bounds(self, bounds: Mapping[str, tuple[float, float]]) -> None:
        """Raise an error unless each of these settings is finite and within its bounds."""
        check_bounds(self, bounds)

    @property
    def needs(self) -> tuple[str, ...]:
        """The annotation that each sentence must have: "parse", "alignment"."""
        return ()

    @property
    def target_languages(self) -> tuple[str, ...]:
        """The target languages among which sentences or settings must choose; empty if there is only one."""
        return ()

    # Training

    def fit(self, data: TrainingData, run: RunOptions | None = None) -> Self:
        """Learn from data; return a fitted preorderer and leave this one unchanged."""
        if not self.learns:
            raise BadSetting(f"{self.name} has nothing to learn; use it as it is")
        if data.start is not None:
            self._check_start(data.start)
        return self.learn(data, run or RunOptions())

    def _check_start(self, start: Any) -> None:
        if not self.continues:
            raise BadSetting(
                f"{self.name} cannot go on from a model; it is always trained from the beginning"
            )
        if not isinstance(start, type(self)):
            name = getattr(start, "name", type(start).__name__)
            raise BadSetting(f"{self.name} cannot go on from a model of the method {name}")
        start.check_fitted()

    def learn(self, data: TrainingData, run: RunOptions) -> Self:
        """Learn from data, and return ``self.fitted(state, facts)``; for authors."""
        raise NotImplementedError(f"{type(self).__name__} sets learns=True but does not define learn()")

    def fitted(self, state: Any, facts: Mapping[str, Any]) -> Self:
        """Return a preorderer with the same settings that has learned ``state``.

        ``facts`` are plain facts about the training, among them the seed; they are saved with the model.
        """
        new = replace(self)
        object.__setattr__(new, "trained", dict(facts))
        object.__setattr__(new, "_state", state)
        return new

    @property
    def state(self) -> Any:
        """What was learned; an error if nothing was."""
        self.check_fitted()
        return self._state

    @property
    def is_fitted(self) -> bool:
        """Whether the preorderer can reorder: it is trained, or has nothing to learn."""
        return not self.learns or bool(self.trained)

    def check_fitted(self) -> None:
        """Raise an error unless :attr:`is_fitted`."""
        if not self.is_fitted:
            raise WordOrderError(
                f"{self.name} must be trained before it can reorder: fit it, or load a model"
            )

    def with_settings(self, **settings: Any) -> Self:
        """Return the same preorderer with other settings of how it reorders; what was learned stays."""
        changed = replace(self, **settings)
        if not self.learns:
            return changed
        for key in settings:
            if key not in self.decoding_settings and getattr(changed, key) != getattr(self, key):
                raise BadSetting(
                    f"{self.name}: {key} is {getattr(self, key)} since the training and cannot be changed."
                    f" Settings that can be changed: {', '.join(self.decoding_settings) or 'none'}."
                )
        return changed.fitted(self.state, self.trained)

    # Reordering, for users

    @overload
    def reorder(self, sentences: SentenceLike) -> Reordering: ...  # type: ignore[overload-overlap]
    @overload
    def reorder(self, sentences: ManySentences) -> list[Reordering]: ...
    def reorder(self, sentences: SentencesLike) -> Reordering | list[Reordering]:
        """Put a sentence, or each of several, into the order of the target language.

        >>> from wordorder.preorder import preorderer
        >>> preorderer("identity").reorder("the cat sat").words
        ['the', 'cat', 'sat']
        """

        def batch(sources: list[Source]) -> list[Reordering]:
            orders = self.reorder_batch(sources)
            return [Reordering(source.words, order) for source, order in zip(sources, orders, strict=True)]

        return self._for_each(sentences, batch)

    @overload
    def nbest(self, sentences: SentenceLike, k: int) -> list[Reordering]: ...  # type: ignore[overload-overlap]
    @overload
    def nbest(self, sentences: ManySentences, k: int) -> list[list[Reordering]]: ...
    def nbest(self, sentences: SentencesLike, k: int) -> list[Reordering] | list[list[Reordering]]:
        """Return up to k different orders per sentence, the best first; see :attr:`ranks_by_loss`."""

        def batch(sources: list[Source]) -> list[list[Reordering]]:
            return [
                [Reordering(source.words, order, loss, log_prob) for order, loss, log_prob, _ in candidates]
                for source, candidates in zip(sources, self.nbest_batch(sources, k), strict=True)
            ]

        return self._for_each(sentences, batch)  # type: ignore[return-value]

    @overload
    def precedence(self, sentences: SentenceLike) -> Doubles: ...  # type: ignore[overload-overlap]
    @overload
    def precedence(self, sentences: ManySentences) -> list[Doubles]: ...
    def precedence(self, sentences: SentencesLike) -> Doubles | list[Doubles]:
        """Return tables in which ``[i, j]`` is the probability that word i comes before word j."""
        return self._for_each(sentences, self.precedence_batch)

    @overload
    def trees(self, sentences: SentenceLike) -> SourceTree: ...  # type: ignore[overload-overlap]
    @overload
    def trees(self, sentences: ManySentences) -> list[SourceTree]: ...
    def trees(self, sentences: SentencesLike) -> SourceTree | list[SourceTree]:
        """Return the tree behind the best order of each sentence."""
        return self._for_each(sentences, self.trees_batch)

    @overload
    def log_probability(self, sentences: SentenceLike, orders: Permutation) -> float | None: ...
    @overload
    def log_probability(
        self, sentences: ManySentences, orders: Sequence[Permutation]
    ) -> list[float | None]: ...
    def log_probability(
        self, sentences: SentencesLike, orders: Permutation | Sequence[Permutation]
    ) -> float | list[float | None] | None:
        """Return the log probability of the order of each sentence; None where it is not known."""
        several: Sequence[Permutation] = [orders] if isinstance(orders, Permutation) else list(orders)
        return self._for_each(sentences, lambda sources: self.log_probability_batch(sources, several))

    @overload
    def explain(self, sentences: SentenceLike) -> OrderExplanation: ...  # type: ignore[overload-overlap]
    @overload
    def explain(self, sentences: ManySentences) -> list[OrderExplanation]: ...
    def explain(self, sentences: SentencesLike) -> OrderExplanation | list[OrderExplanation]:
        """Explain the order of each sentence: rules report what fired, models which words mattered."""
        return self._for_each(sentences, self.explain_batch)

    def _for_each(
        self, sentences: SentencesLike, batch: Callable[[list[Source]], Sequence[R]]
    ) -> R | list[R]:
        self.check_fitted()
        sources, single = one_or_several(sentences)
        results = list(batch(sources))
        return results[0] if single else results

    # Reordering, for authors

    @abstractmethod
    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the best order of each sentence."""

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Return up to k different orders per sentence, the best first."""
        return [[Candidate(order, 0.0, 0.0)] for order in self.reorder_batch(sources)]

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders are sorted by expected loss, not by another preference."""
        return True

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """Return the precedence table of each sentence (diagonal 0)."""
        return [precedence_of(order) for order in self.reorder_batch(sources)]

    def trees_batch(self, sources: Sequence[Source]) -> list[SourceTree]:
        """Return the tree of each sentence; by default the flat tree of its order."""
        return [SourceTree.of_order(order) for order in self.reorder_batch(sources)]

    def log_probability_batch(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> Sequence[float | None]:
        """Return the log probability of each order; None where it is not known."""
        return [None] * len(sources)

    def explain_batch(self, sources: Sequence[Source]) -> Sequence[OrderExplanation]:
        """Explain the order of each sentence."""
        raise BadSetting(f"{self.name} cannot explain its orders; rules and models with probabilities can")

    @property
    def glued(self) -> Collection[tuple[str, ...]]:
        """Sentences so far that could not be analysed as a whole; their parts were joined in order."""
        return ()

    # Settings, signature, files

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name."""
        return {key: getattr(self, key) for key in setting_types(type(self))}

    @property
    def signature(self) -> str:
        """All settings: ``name|setting:value|...|v:version``."""
        pairs = {**self.settings, "v": __version__}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in pairs.items())])

    def arrays(self) -> Arrays:
        """Return the learned state as arrays by name, for the file ``model.safetensors``."""
        return {}

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> Any:
        """Return the learned state from arrays: the inverse of :meth:`arrays`."""
        return None

    def restored(self, arrays: Arrays, facts: Mapping[str, Any]) -> Self:
        """Return a preorderer with these settings, fitted from the arrays and facts of a model file."""
        return self.fitted(self.restore_state(arrays, facts), facts)

    def packed(self) -> tuple[dict[str, Any], Arrays]:
        """Return what a model file contains: a description as plain data, and arrays by name."""
        self.check_fitted()
        about = {"method": self.name, "settings": self.settings, "signature": self.signature}
        return {**about, "trained": dict(self.trained)}, self.arrays()

    def save(self, folder: str, *, card: str | None = None) -> None:
        """Write the model into a folder; an existing model there is replaced, whole or not at all."""
        about, arrays = self.packed()
        card = card or _plain_card(self, Path(folder).name)
        save_folder(folder, FORMAT, VERSION, about, arrays, card=card)


def _plain_card(preorderer: Preorderer, name: str) -> str:
    """Write a model card from what the model itself knows."""
    rows = "\n".join(f"| {key} | {_cell(value)} |" for key, value in preorderer.trained.items())
    return (
        f"# {name}\n\nA preorderer of the method `{preorderer.name}`, made by wordorder.\n\n"
        f"Signature: `{preorderer.signature}`\n\n| training | |\n|---|---|\n{rows}\n\n"
        f"Usage: `wordorder preorder apply --model {name} --source FILE`\n"
    )


def _cell(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return (text if len(text) <= 200 else text[:197] + "...").replace("|", "\\|")


def precedence_of(order: Permutation) -> Doubles:
    """Return the precedence table of an order that is certain.

    >>> precedence_of(Permutation.from_order([1, 2, 0])).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    rank = order.ranks
    return (rank[:, None] < rank[None, :]).astype(np.float64)


def expected_loss(order: Permutation, precedence: Doubles) -> float:
    """Return the expected Kendall loss of an order: the mean probability that a pair is in the wrong order.

    >>> expected_loss(Permutation.from_order([1, 0]), np.array([[0.0, 0.25], [0.75, 0.0]]))
    0.25
    """
    n = len(order)
    if n < 2:
        return 0.0
    as_read = precedence[np.ix_(order.order, order.order)]
    return float(np.tril(as_read, -1).sum() / (n * (n - 1) / 2))
