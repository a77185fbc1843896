"""What a preorderer is.

A preorderer puts the words of a source sentence into the order of the target language. It is a frozen
dataclass: its fields are its settings. :meth:`Preorderer.fit` learns from word-aligned sentences and
returns a *new*, fitted preorderer; what was learned is no field. Everything it says about a sentence
is in terms of source positions, 0-based.
"""

from __future__ import annotations

import typing
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from wordorder._version import __version__
from wordorder.arrays import Doubles
from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import check_choices, check_types
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.sentence import Sentence
from wordorder.preorder.trees import SourceTree

Arrays = dict[str, NDArray[Any]]
Facts = dict[str, Any]  # what JSON can hold
Record = dict[str, Any]  # a line of the training log


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence to reorder: its words, and what else may be known of it.

    ``parse`` is its dependency tree (rules need one), ``alignment`` its links to a translation (the
    oracle needs them), ``layers`` are rows of labels as long as the words (the first one is for methods
    that look at labels), ``target`` is the language of its translation, for methods that know several.
    """

    words: tuple[str, ...]
    parse: Sentence | None = None
    alignment: Alignment | None = None
    layers: tuple[tuple[str, ...], ...] = ()
    target: str = ""

    def __len__(self) -> int:
        return len(self.words)


class Candidate(NamedTuple):
    """One of several orders of a sentence.

    ``loss`` is the expected Kendall loss: the share of pairs of words, from 0 to 1, that are expected to
    stand the wrong way round. ``log_prob`` is the logarithm of the probability of the order, where the
    method knows it. ``unaligned`` are source positions that the method takes for words without a
    counterpart in the target.
    """

    order: Permutation
    loss: float
    log_prob: float | None = None
    unaligned: tuple[int, ...] = ()


class Explanation(Protocol):
    """Why a sentence is in the order that it is in."""

    @property
    def words(self) -> Sequence[str]:
        """The sentence."""
        ...

    @property
    def tree(self) -> SourceTree:
        """The tree of its order."""
        ...

    @property
    def notes(self) -> Mapping[tuple[int, int], str]:
        """What to write at nodes of the tree, by begin and end."""
        ...

    def to_text(self) -> str:
        """For people."""
        ...

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        ...


# An ordered map: applies a function that can be pickled to items that can be pickled, wherever.
Runner = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]


@dataclass(frozen=True, kw_only=True)
class Training:
    """How to train, as far as it is not a setting of the method: none of this may change the result.

    The exceptions are the seed, which is written into the model, and further text to learn from: ``raw``
    sentences without links (for classes of words), and ``automatic`` links that are less sure than those
    that a model is fitted to. Methods that have no use for them leave them alone. Networks are trained on a
    ``device`` and are the same only where that is.
    """

    seed: int = 1
    raw: Sequence[Sequence[str]] = ()
    automatic: tuple[Sequence[Source], Sequence[Alignment]] | None = None
    threads: int = 1
    device: str = "auto"  # where a network is trained: cpu, cuda, ...; auto: a GPU if there is one
    held_out: tuple[Sequence[Source], Sequence[Alignment]] | None = None
    log: Callable[[Record], None] | None = None  # called once an iteration with plain data
    checkpoint: str | None = None  # a folder to keep the state in, written atomically each iteration
    resume: bool = False  # go on from the checkpoint, to the same model bit for bit
    run: Runner | None = None  # where to do the work, such as a cluster; None: threads here

    def __post_init__(self) -> None:
        """Check the numbers."""
        for key, least in (("seed", 0), ("threads", 1)):
            value = getattr(self, key)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise BadSetting(f"training: {key} is {value!r}; expected a whole number, {least} or more")


@cache
def _hints(cls: type) -> dict[str, Any]:
    """The types of the settings."""
    hints = typing.get_type_hints(cls)
    return {name: hints[name] for name in cls.setting_names()}  # type: ignore[attr-defined]


@dataclass(frozen=True, kw_only=True)
class Preorderer(ABC):
    """Base of all preorderers.

    A subclass gives ``name`` and ``reorder``. One that learns sets ``learns``, gives ``fit``, ``arrays`` and
    ``restored``, and calls ``self.check_fitted()`` before it decodes. What it has beyond one order each
    (n-best, precedence, trees) it overrides; the defaults follow from ``reorder``.
    """

    name: ClassVar[str]
    learns: ClassVar[bool] = False  # whether there is something to fit, and so a model to save
    needs: ClassVar[tuple[str, ...]] = ()  # of a sentence beside its words: "parse", "alignment"

    # What is known of the training, told by `fit`: sentences, seed, perplexity, ...; empty if not fitted.
    trained: Mapping[str, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check the settings; subclasses that add conditions call this first."""
        check_choices(self, _hints(type(self)))
        check_types(self, _hints(type(self)))

    def check_bounds(self, bounds: Mapping[str, tuple[float, float]]) -> None:
        """Raise an error unless each of these settings is finite and from one number to another."""
        for key, (low, high) in bounds.items():
            value = getattr(self, key)
            if not (low <= value <= high and value < float("inf")):
                wanted = f"{low:g} or more" if high == float("inf") else f"{low:g} to {high:g}"
                raise BadSetting(f"{self.name}: {key} is {value}; expected {wanted}")

    # Learning

    def fit(
        self, sources: Sequence[Source], alignments: Sequence[Alignment], *, training: Training | None = None
    ) -> Self:
        """Learn from aligned sentences; returns a fitted preorderer and leaves this one as it is."""
        raise BadSetting(f"{self.name} has nothing to learn; use it as it is")

    def arrays(self) -> Arrays:
        """What was learned, as arrays by name; for the file ``model.safetensors``."""
        return {}

    def restored(self, arrays: Arrays, trained: Mapping[str, Any]) -> Self:
        """A preorderer with these settings that has learned this; the inverse of :meth:`arrays`."""
        new = type(self)(**self.settings)
        object.__setattr__(new, "trained", dict(trained))
        return new

    def resettled(self, **settings: Any) -> Self:
        """The same with other settings of how it reorders; what was learned stays."""
        changed = replace(self, **settings)
        return changed.restored(self.arrays(), self.trained) if self.learns else changed

    @property
    def is_fitted(self) -> bool:
        """Whether it can reorder: it has learned, or has nothing to learn."""
        return not self.learns or bool(self.trained)

    def check_fitted(self) -> None:
        """Raise an error unless :attr:`is_fitted`."""
        if not self.is_fitted:
            raise WordOrderError(
                f"{self.name} must be trained before it can reorder: fit it, or load a model"
            )

    # Reordering

    @abstractmethod
    def reorder(self, sources: Sequence[Source]) -> list[Permutation]:
        """The best order of each sentence; :attr:`Permutation.order` lists its source positions as read."""

    def nbest(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Up to k different orders of each sentence, the best first; see :attr:`ranks_by_loss`."""
        return [[Candidate(order, 0.0, 0.0)] for order in self.reorder(sources)]

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders come with rising expected loss, not in another order of preference."""
        return True

    def precedence(self, sources: Sequence[Source]) -> list[Doubles]:
        """For each sentence, ``[i, j]``: the probability that word i comes before word j (diagonal 0)."""
        return [precedence_of(order) for order in self.reorder(sources)]

    def trees(self, sources: Sequence[Source]) -> list[SourceTree]:
        """The tree behind the best order of each sentence; by default the flat tree of the order."""
        return [SourceTree.of_order(order) for order in self.reorder(sources)]

    def log_probability(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> Sequence[float | None]:
        """The logarithm of the probability of each order given its sentence; None where it is not known."""
        return [None] * len(sources)

    def explain(self, sources: Sequence[Source]) -> Sequence[Explanation]:
        """Why each sentence is in its order: rules tell what fired, probabilities which words mattered."""
        raise BadSetting(f"{self.name} has no reasons to tell; rules, grammar and crf have")

    @property
    def glued(self) -> Collection[tuple[str, ...]]:
        """Sentences so far that it could not analyse, and ordered by a makeshift."""
        return ()

    # Settings, signature, files

    @classmethod
    def setting_names(cls) -> list[str]:
        """The names of the settings."""
        return [one.name for one in fields(cls) if one.init]

    @property
    def settings(self) -> dict[str, Any]:
        """Every setting by name."""
        return {key: getattr(self, key) for key in self.setting_names()}

    @property
    def signature(self) -> str:
        """All settings: ``name|setting:value|...|v:version``."""
        pairs = {**self.settings, "v": __version__}
        return "|".join([self.name, *(f"{key}:{value}" for key, value in pairs.items())])

    def save(self, folder: str, *, card: str | None = None) -> None:
        """Write the model into a folder, all of it or nothing; see :mod:`wordorder.preorder.models`."""
        from wordorder.preorder.models import save_model

        save_model(self, folder, card=card)

    @classmethod
    def load(cls, folder: str) -> Preorderer:
        """Read a model that :meth:`save` wrote, or one that comes with the package, by its name."""
        from wordorder.preorder.models import load_model

        made = load_model(folder)
        if not isinstance(made, cls):
            raise BadSetting(f"{folder} is a model of {made.name}, not of {cls.name}")
        return made


def as_sources(sentences: Iterable[Source | Sequence[str]]) -> list[Source]:
    """Sentences as they are, or made of words, which :func:`check_words` sees to.

    >>> as_sources([["a", "b"]])[0].words
    ('a', 'b')
    """
    made: list[Source] = []
    for sentence in sentences:
        if isinstance(sentence, str):
            raise BadSetting(f"{sentence[:40]!r} is text; expected a list of words (cut it: line.split())")
        one = sentence if isinstance(sentence, Source) else Source(tuple(sentence))
        if one is not sentence:
            check_words(one, len(made) + 1)
        made.append(one)
    return made


def check_words(source: Source, number: int) -> None:
    """Raise an error unless every word is text without blanks; ``number``: of the sentence, from 1."""
    for word in source.words:
        if not isinstance(word, str) or not word or " " in word or "\t" in word or "\n" in word:
            raise BadSetting(
                f"sentence {number}: {word!r} is no word; expected text that is not empty,"
                " without blanks and line ends"
            )


def precedence_of(order: Permutation) -> Doubles:
    """The table of an order that is certain.

    >>> precedence_of(Permutation.from_order([1, 2, 0])).tolist()
    [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    """
    rank = order.ranks
    return (rank[:, None] < rank[None, :]).astype(np.float64)


def expected_loss(order: Permutation, precedence: Doubles) -> float:
    """The expected Kendall loss of an order: the mean of what the table has against it, over all pairs.

    >>> expected_loss(Permutation([1, 0]), np.array([[0.0, 0.25], [0.75, 0.0]]))
    0.25
    """
    n = len(order)
    if n < 2:
        return 0.0
    as_read = precedence[np.ix_(order.order, order.order)]
    return float(np.tril(as_read, -1).sum() / (n * (n - 1) / 2))
