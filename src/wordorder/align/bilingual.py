"""Aligning the words of two languages, with nothing but the text.

Two methods, both trained by expectation maximisation in both directions, in C++ on all cores, with the same
result for any number of threads and no randomness:

- ``ibm1``: IBM model 1 (Brown et al. 1993), plain; Talbot et al. (2011) evaluate reordering with it.
- ``hmm``, the default: the HMM model (Vogel et al. 1996; Och and Ney 2003) made to agree in both
  directions (Liang et al. 2006), started by model 1. Word probabilities have a sparse Dirichlet prior
  which knows two things beside: words spelled alike, and what words with the same beginning go with.

Pairs with more than 256 words on a side are not trained on, and aligned within a window of 256
words about the diagonal, so that memory and time grow linearly with their length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields

import numpy as np

from wordorder import _native
from wordorder._version import __version__
from wordorder.align.symmetrise import symmetry_number
from wordorder.core.alignment import Alignments
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.io.lines import as_split
from wordorder.text.tokens import Tokens, Words

METHODS = ("hmm", "ibm1")
Progress = Callable[[int, int], None]  # iterations done, of how many


@dataclass(frozen=True, slots=True)
class AlignerSettings:
    """What is learned, and how; see :meth:`for_method` for the two usual ways.

    ``alpha`` is the imaginary count of every pair of words, ``spelling`` that of a pair of equal words
    (less for words that begin alike), ``classes`` those shared out by what words with the same first
    ``prefix`` letters go with. ``null`` is the probability of a word that comes from nothing.
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
        for name in (
            "model1_iterations",
            "hmm_iterations",
            "alpha",
            "jump_prior",
            "spelling",
            "prefix",
            "classes",
        ):
            if getattr(self, name) < 0:
                raise BadSetting(f"{name} is {getattr(self, name)}; expected 0 or more")
        if not 0 < self.null < 1:
            raise BadSetting(f"null is {self.null}; expected a probability between 0 and 1")

    @classmethod
    def for_method(cls, method: str) -> AlignerSettings:
        """The settings of a method by name."""
        if method == "ibm1":
            return cls("ibm1", 5, 0, agree=False, alpha=0.0, spelling=0.0, prefix=0, classes=0.0)
        return cls(method)

    @property
    def iterations(self) -> int:
        """All iterations."""
        return self.model1_iterations + self.hmm_iterations

    @property
    def signature(self) -> str:
        """Every setting, and the version."""
        parts = [f"{f.name}:{getattr(self, f.name)}" for f in fields(self) if f.name != "method"]
        return "|".join([f"aligner:{self.method}", *parts, f"version:{__version__}"])

    def as_dict(self) -> dict[str, object]:
        """The settings by name."""
        return asdict(self)


class BilingualModel:
    """A trained aligner: made by :func:`train`, or loaded (:mod:`wordorder.align.aligner_files`)."""

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
        self._sizes = len(source), len(target)  # words met later are not of the model
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
        links of both directions, or ``posterior``: all links whose score, the geometric mean of
        their posteriors in both directions, reaches the threshold.
        """
        if not 0 <= threshold <= 1:
            raise BadSetting(f"threshold is {threshold}; expected a number from 0 to 1")
        number = symmetry_number(symmetrise)
        one, other = _encode(self._words, source, target)
        pairs, offsets, scores = self._native.align(
            one.ids, one.offsets, other.ids, other.offsets,
            hmm=self.settings.hmm_iterations > 0, null=self.settings.null, symmetry=number,
            threshold=threshold, trained=self._is_training_text(one, other), threads=threads,
        )  # fmt: skip
        return Alignments(pairs, offsets, one.lengths, other.lengths, scores=scores)

    @property
    def words(self) -> tuple[list[str], list[str]]:
        """The words of the model, source and target."""
        (source, target), (n, m) = self._words, self._sizes
        return source.words[:n], target.words[:m]

    def _is_training_text(self, source: Tokens, target: Tokens) -> bool:
        """Whether the cells of these sentences are at hand; then they need no search."""
        return self._text is not None and all(
            np.array_equal(a.offsets, b.offsets) and np.array_equal(a.ids, b.ids)
            for a, b in zip(self._text, (source, target), strict=True)
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
    one, other = _encode(words, source, target)
    native = _native.Aligner()
    arrays = one.ids, one.offsets, other.ids, other.offsets
    native.start(*arrays, len(words[0]), len(words[1]), threads)
    if settings.alpha or settings.spelling or settings.classes:
        counts = [np.bincount(t.ids, minlength=len(w)) for t, w in zip((one, other), words, strict=True)]
        native.set_prior(
            words[0].words, words[1].words, counts[0], counts[1], settings.alpha, settings.prefix,
            settings.spelling, settings.classes, threads,
        )  # fmt: skip
    for done in range(settings.iterations):
        if progress:
            progress(done, settings.iterations)
        hmm = done >= settings.model1_iterations
        native.iterate(
            *arrays, hmm=hmm, agree=hmm and settings.agree, alpha=settings.alpha, null=settings.null,
            jump_prior=settings.jump_prior, threads=threads,
        )  # fmt: skip
    if progress:
        progress(settings.iterations, settings.iterations)
    model = BilingualModel(settings, words[0], words[1], native, _text_signature(source, target))
    model._text = one, other
    return model


def _encode(
    words: tuple[Words, Words], source: Sequence[str], target: Sequence[str]
) -> tuple[Tokens, Tokens]:
    if len(source) != len(target):
        raise WordOrderError(f"the source has {len(source)} lines, the target {len(target)}; expected pairs")
    # Words are those between spaces and tabs, as for all who read links; the kernel cuts at more.
    one, other = ([as_split(line) for line in lines] for lines in (source, target))
    return words[0].encode(one), words[1].encode(other)


def _text_signature(source: Sequence[str], target: Sequence[str]) -> str:
    """The text by its size and a hash."""
    import hashlib

    digest = hashlib.sha256()
    for side in (source, target):
        for line in side:
            digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
        digest.update(b"\0")
    return f"pairs:{len(source)}|sha256:{digest.hexdigest()[:16]}"
