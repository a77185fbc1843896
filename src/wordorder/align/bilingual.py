"""Word alignment of two languages, trained on the text alone.

There are two methods. Both are trained by expectation maximisation in both directions, in C++ on all cores,
deterministically and with the same result for any number of threads:

- ``ibm1``: plain IBM model 1 (Brown et al. 1993); Talbot et al. (2011) evaluate reordering with it.
- ``hmm``, the default: the HMM model (Vogel et al. 1996; Och and Ney 2003) with agreement of both directions
  (Liang et al. 2006), initialised by model 1. Word probabilities have a sparse Dirichlet prior that favours
  words with similar spelling, and links that words with the same prefix have.

Pairs with more than 256 words on a side are not used for training. They are aligned within a window of 256
words around the diagonal, so that memory and time grow linearly with their length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder import _native
from wordorder._version import __version__
from wordorder.align.symmetrise import symmetry_number
from wordorder.arrays import Ints, Longs
from wordorder.core.alignment import Alignments
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.io.lines import as_split
from wordorder.text.tokens import Tokens, Words, as_lines

METHODS = ("hmm", "ibm1")
FEW = 100  # pairs of sentences, below which an aligner that is trained on them is not reliable
Progress = Callable[[int, int], None]  # iterations done, of how many


@dataclass(frozen=True, slots=True)
class AlignerSettings:
    """The settings of an aligner; :meth:`for_method` returns the usual ones.

    ``alpha`` is the pseudocount of every pair of words, ``spelling`` that of a pair of equal words (less for
    words with the same beginning), ``classes`` the pseudocounts distributed over the links of words with the
    same first ``prefix`` letters. ``null`` is the probability of a word without a counterpart.
    """

    method: str = "hmm"
    model1_iterations: int = 3
    hmm_iterations: int = 4
    agree: bool = True
    alpha: float = 0.0005
    null: float = 0.2
    jump_prior: float = 0.5
    spelling: float = 1.0
    prefix: int = 4
    classes: float = 2.0
    lowercase: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UnknownName("aligner", self.method, METHODS)
        for name, value in asdict(self).items():
            if name != "method" and value < 0:
                raise BadSetting(f"{name} is {value}; expected 0 or more")
        if not 0 < self.null < 1:
            raise BadSetting(f"null is {self.null}; expected a probability between 0 and 1")

    @classmethod
    def for_method(cls, method: str) -> AlignerSettings:
        """Return the settings of a method."""
        if method == "ibm1":
            return cls("ibm1", 5, 0, agree=False, alpha=0.0, spelling=0.0, prefix=0, classes=0.0)
        return cls(method)

    @property
    def iterations(self) -> int:
        """The number of all iterations."""
        return self.model1_iterations + self.hmm_iterations

    @property
    def signature(self) -> str:
        """All settings and the version."""
        parts = {"aligner": self.method, **asdict(self), "version": __version__}
        return "|".join(f"{name}:{value}" for name, value in parts.items() if name != "method")


class BilingualModel:
    """A trained aligner: the result of :func:`train_aligner`, or loaded by ``aligner_files.load_model``."""

    def __init__(
        self,
        settings: AlignerSettings,
        source: Words,
        target: Words,
        native: _native.Aligner,
        trained_on: str,
    ) -> None:
        self.settings = settings
        self.trained_on = trained_on
        self._words = source, target
        self._native = native
        self._text: tuple[Tokens, Tokens] | None = None

    def align(
        self,
        source: Sequence[str],
        target: Sequence[str],
        *,
        symmetrise: str = "grow-diag-final-and",
        threshold: float = 0.3,
        threads: int = 1,
    ) -> Alignments:
        """Align lines of text; words are separated by white space.

        ``symmetrise`` is a heuristic of :mod:`wordorder.align.symmetrise`, applied to the most probable
        links of both directions, or ``posterior``, which keeps all links whose score reaches the threshold.
        The score of a link is the geometric mean of its posteriors in both directions.
        """
        if not 0 <= threshold <= 1:
            raise BadSetting(f"threshold is {threshold}; expected a number from 0 to 1")
        number = symmetry_number(symmetrise)
        sides = _encoded(self._words[0].look_up, self._words[1].look_up, source, target)
        pairs, offsets, scores = self._native.align(
            *_arrays(sides), hmm=self.settings.hmm_iterations > 0, null=self.settings.null, symmetry=number,
            threshold=threshold, trained=self._is_training_text(sides), threads=threads,
        )  # fmt: skip
        return Alignments(pairs, offsets, sides[0].lengths, sides[1].lengths, scores=scores)

    @property
    def pairs(self) -> int:
        """The number of pairs of sentences that the aligner was trained on."""
        return int(self.trained_on.partition("|")[0].removeprefix("pairs:") or 0)

    @property
    def words(self) -> tuple[list[str], list[str]]:
        """The words of the model, source and target."""
        return self._words[0].words, self._words[1].words

    def _is_training_text(self, sides: tuple[Tokens, Tokens]) -> bool:
        """Return whether the model was trained on these sentences; their cells are then still in memory."""
        return self._text is not None and all(
            np.array_equal(a.offsets, b.offsets) and np.array_equal(a.ids, b.ids)
            for a, b in zip(self._text, sides, strict=True)
        )


def train_aligner(
    source: Sequence[str],
    target: Sequence[str],
    *,
    settings: AlignerSettings | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> BilingualModel:
    """Train an aligner on lines of text, words separated by white space.

    >>> model = train_aligner(["the house", "the book", "a book"], ["das haus", "das buch", "ein buch"])
    >>> print(model.align(["a house"], ["ein haus"])[0])
    0-0 1-1
    """
    settings = settings or AlignerSettings()
    words = Words(lowercase=settings.lowercase), Words(lowercase=settings.lowercase)
    sides = _encoded(words[0].encode, words[1].encode, source, target)
    native = _native.Aligner()
    arrays = _arrays(sides)
    native.start(*arrays, len(words[0]), len(words[1]), threads)
    counts = [np.bincount(t.ids, minlength=len(w)) for t, w in zip(sides, words, strict=True)]
    set_prior(native, settings, words, counts, threads)
    for done in range(settings.iterations):
        if progress:
            progress(done, settings.iterations)
        update(native, expected(native, arrays, settings, done, threads), settings, done, threads)
    if progress:
        progress(settings.iterations, settings.iterations)
    model = BilingualModel(settings, words[0], words[1], native, text_signature(source, target))
    model._text = sides
    return model


TextArrays = tuple[Ints, Longs, Ints, Longs]  # word numbers and offsets of the source, and of the target
Counts = dict[str, NDArray[Any]]  # expected counts by name; integers, which add up over parts of a corpus


def set_prior(
    native: _native.Aligner,
    settings: AlignerSettings,
    words: tuple[Words, Words],
    counts: Sequence[Longs],
    threads: int,
) -> None:
    """Start from the prior of word probabilities, if there is one; ``counts`` are those of the words."""
    if settings.alpha or settings.spelling or settings.classes:
        native.set_prior(
            words[0].words, words[1].words, counts[0], counts[1], settings.alpha, settings.prefix,
            settings.spelling, settings.classes, threads,
        )  # fmt: skip


def expected(
    native: _native.Aligner,
    arrays: TextArrays,
    settings: AlignerSettings,
    iteration: int,
    threads: int,
) -> Counts:
    """Run the E-step of an iteration on the text that the aligner was started with."""
    hmm = iteration >= settings.model1_iterations
    agree = hmm and settings.agree
    return native.expect(*arrays, hmm=hmm, agree=agree, null=settings.null, threads=threads)


def update(
    native: _native.Aligner, counts: Counts, settings: AlignerSettings, iteration: int, threads: int
) -> None:
    """Run the M-step of an iteration."""
    native.update(
        counts["cells"], counts["target_nulls"], counts["source_nulls"], counts["steps"],
        hmm=iteration >= settings.model1_iterations, alpha=settings.alpha, jump_prior=settings.jump_prior,
        threads=threads,
    )  # fmt: skip


def encoded_pairs(words: tuple[Words, Words], source: Sequence[str], target: Sequence[str]) -> TextArrays:
    """Number the words of a text, as in training; new words are added."""
    return _arrays(_encoded(words[0].encode, words[1].encode, source, target))


Encode = Callable[[Sequence[str]], Tokens]


def _encoded(
    first: Encode, second: Encode, source: Sequence[str], target: Sequence[str]
) -> tuple[Tokens, Tokens]:
    source, target = as_lines(source, "source sentences"), as_lines(target, "target sentences")
    if len(source) != len(target):
        raise WordOrderError(f"the source has {len(source)} lines, the target {len(target)}; expected pairs")
    # Words are separated by spaces and tabs, as for all readers of links; the kernel splits at more.
    return first(list(map(as_split, source))), second(list(map(as_split, target)))


def _arrays(sides: tuple[Tokens, Tokens]) -> TextArrays:
    return sides[0].ids, sides[0].offsets, sides[1].ids, sides[1].offsets


def text_signature(source: Iterable[str], target: Iterable[str]) -> str:
    """Return the size and a hash of the text."""
    import hashlib

    digest, size = hashlib.sha256(), 0
    for side in (source, target):
        size = 0
        for line in side:
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
            size += 1
        digest.update(b"\0")
    return f"pairs:{size}|sha256:{digest.hexdigest()[:16]}"
