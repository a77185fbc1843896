"""BLEU, chrF and TER through sacrebleu: same values, same signatures.

Statistics come from sacrebleu too, so that intervals and tests treat all metrics alike. Settings that
sacrebleu's signatures leave out follow them where they are not the usual ones: ``|order:2``.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.aggregate import AggregatesReferences
from wordorder.metrics.base import Metric
from wordorder.metrics.ngram_rows import aggregate_bleu_rows, aggregate_chrf_rows, bleu_rows, chrf_rows
from wordorder.metrics.registry import register
from wordorder.metrics.sacrebleu_rows import (
    bleu_of_rows,
    brevity_of_rows,
    chrf_of_rows,
    chrf_parts,
    make_bleu,
    statistics,
    ter_of_rows,
)
from wordorder.metrics.segments import Segments
from wordorder.text.normalisation import check_steps, normalised
from wordorder.text.tokens import Tokens, Words, splitter
from wordorder.text.weighted_lists import WeightedLists

Spelling = dict[str, tuple[str, dict[str, str]]]
LONGEST_TER = 5_000  # words of a segment, whose table of edits takes half a gigabyte
CASE: Spelling = {"case": ("lowercase", {"mixed": "false", "lc": "true"})}


@dataclass(frozen=True, kw_only=True)
class SacrebleuMetric(Metric):
    """A metric of sacrebleu, 0 to 100."""

    percent: ClassVar[bool] = True
    theirs: ClassVar[Spelling]  # sacrebleu's names of settings in its signatures, and of their values
    unnamed: ClassVar[dict[str, Any]] = {"normalize": "none"}  # settings that its signatures do not have
    normalize: str = "none"

    def __post_init__(self) -> None:
        """Check the settings."""
        super().__post_init__()
        check_steps(self.normalize)

    @abstractmethod
    def make(self) -> Any:
        """Make sacrebleu's own object."""

    @staticmethod
    @abstractmethod
    def formula(rows: Doubles, peer: Any) -> Doubles:
        """Compute scores from many sums of statistics, with the settings of sacrebleu's object."""

    @cached_property
    def peer(self) -> Any:
        """Sacrebleu's own object, made once."""
        try:
            return self.make()
        except KeyError as unknown:
            raise BadSetting(f"{self.name}: sacrebleu has no tokenizer {unknown}") from None
        except (ImportError, RuntimeError) as error:  # a tokenizer that needs another package
            raise BadSetting(f"{self.name}: {' '.join(str(error).split())}") from None

    @property
    def segment_peer(self) -> Any:
        """Sacrebleu's object for the score of one segment."""
        return self.peer

    @property
    def tokenizer(self) -> str:
        """The tokenizer; the standard one as long as ``auto`` has not met any text."""
        name: str = getattr(self, "tokenize", "none")
        return self.standard_tokenizer if name == "auto" else name

    def with_tokenizer(self, tokenizer: str | None) -> Self:
        """Replace ``tokenize=auto`` by a tokenizer that sacrebleu users know: its own."""
        return super().with_tokenizer({"script": "char", "intl": None}.get(str(tokenizer), tokenizer))

    @property
    def range(self) -> tuple[float, float]:
        """0 to 100, as sacrebleu reports."""
        return 0.0, 100.0

    @cached_property
    def signature(self) -> str:
        """The signature of a score, but for the number of references."""
        return self.signature_for(1).replace("|nrefs:1|", "|")

    def signature_for(self, references: int, *, segment: bool = False) -> str:
        """Return sacrebleu's signature behind the name, and what it leaves out."""
        peer = self.segment_peer if segment else self.peer
        peer.num_refs = references
        theirs = peer.get_signature().format()
        if getattr(self, "tokenize", "") == "auto":
            theirs = theirs.replace(f"|tok:{self.tokenizer}|", "|tok:auto|")
        pairs = {key: getattr(self, key) for key in self.unnamed}
        more = [f"{key}:{value}" for key, value in pairs.items() if value != self.unnamed[key]]
        return "|".join([self.name, theirs, *more])

    @property
    def constants(self) -> dict[str, Any]:
        """What sacrebleu's signature says beyond our settings."""
        pairs = dict(pair.split(":", 1) for pair in self.signature.split("|")[1:])
        return {key: value for key, value in pairs.items() if key not in {*self.theirs, *self.unnamed}}

    @classmethod
    def read_signature(cls, pairs: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Read sacrebleu's names of settings and values."""
        import sacrebleu

        rest = dict(pairs)
        version = rest.pop("version", sacrebleu.__version__)
        if version != sacrebleu.__version__:
            message = f"signature of sacrebleu {version} rebuilt with version {sacrebleu.__version__}"
            warnings.warn(message, stacklevel=3)
        settings = {key: rest.pop(key, str(usual)) for key, usual in cls.unnamed.items()}
        for key, (setting, words) in cls.theirs.items():
            if key in rest:
                value = rest.pop(key)
                if words and value not in words:
                    known = ", ".join(words)
                    raise BadSetting(f"{cls.name}: {key} is {value!r}; expected one of {known}")
                settings[setting] = words.get(value, value)
        return settings, rest

    def statistics(self, segments: Segments) -> Doubles:
        """Compute sacrebleu's statistics, one row per segment."""
        segments = segments.normalised(self.normalize)
        metric = self.tokenized_for(segments)
        rows = metric.kernel_rows(segments)
        if rows is not None:
            return rows
        return statistics(metric.peer, segments.hypotheses, segments.references.prepared(metric.peer))

    def kernel_rows(self, segments: Segments) -> Doubles | None:
        """Compute the same statistics by a kernel, or return None where there is none."""
        return None

    def scores(self, sums: Doubles) -> Doubles:
        """Compute scores from sums; a single one is left to sacrebleu, so that no digit differs."""
        if len(sums) == 1:
            return np.array([self.peer._aggregate_and_compute([sums[0].tolist()]).score])
        return self.formula(sums, self.peer)


@register
@dataclass(frozen=True, kw_only=True)
class Bleu(SacrebleuMetric, AggregatesReferences):
    """BLEU (Papineni et al. 2002) as sacrebleu computes it, 0 to 100."""

    name = "bleu"
    tokenize: str = "auto"
    lowercase: bool = False
    order: int = 4
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    effective: bool = False
    theirs: ClassVar[Spelling] = {
        **CASE,
        "eff": ("effective", {"no": "false", "yes": "true"}),
        "tok": ("tokenize", {}),
        "smooth": (
            "smooth",
            {"exp": "exp", "floor[0.10]": "floor", "add-k[1.00]": "add-k", "none": "none"},
        ),
    }
    unnamed: ClassVar[dict[str, Any]] = {"order": 4, "normalize": "none"}
    bounds: ClassVar[dict[str, tuple[float, float]]] = {"order": (1, float("inf"))}
    formula = staticmethod(bleu_of_rows)

    def make(self) -> Any:
        """Make sacrebleu.BLEU with these settings."""
        return self._bleu(self.effective)

    @cached_property
    def segment_peer(self) -> Any:
        """BLEU of one segment: with effective order, as sacrebleu advises."""
        return self._bleu(True)

    def _bleu(self, effective: bool) -> Any:
        return make_bleu(
            self.tokenizer,
            lowercase=self.lowercase,
            max_ngram_order=self.order,
            smooth_method=self.smooth,
            effective_order=effective,
        )

    def kernel_rows(self, segments: Segments) -> Doubles | None:
        """Count n-grams by a kernel, for one reference."""
        if len(segments.references) > 1:
            return None
        (pairs,) = segments.pairs()
        return bleu_rows(pairs, self._words(pairs.texts), self.order)

    def aggregate_statistics(self, lists: WeightedLists) -> Doubles:
        """Count n-grams, for expected counts and an expected length of references."""
        return aggregate_bleu_rows(lists, self._words(normalised(lists.texts, self.normalize)), self.order)

    def _words(self, texts: Sequence[str]) -> Tokens:
        if self.tokenizer in ("none", "13a", "letters"):  # the kernel's tokenizers are equal to sacrebleu's
            cased = [text.lower() for text in texts] if self.lowercase else texts  # as sacrebleu does
            return Words(self.tokenizer).encode(cased)
        return Words("none").encode([self.peer._preprocess_segment(text) for text in texts])

    def segment_scores(self, rows: Doubles) -> Doubles:
        """Compute sentence BLEU."""
        return bleu_of_rows(rows, self.segment_peer)

    @property
    def equation(self) -> str:
        """The two factors, and the n-grams found."""
        found = ", ".join(f"{{found{n}}}/{{total{n}}}" for n in range(1, self.order + 1))
        smoothed = "" if self.smooth == "none" else f", smoothed by {self.smooth}"
        return (
            f"100 · brevity penalty · geometric mean of n-gram precisions ({found}{smoothed}) = "
            "100 · {brevity} · {precision}"
        )

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return both factors, and the numbers of n-grams by length, found and in all."""
        brevity = brevity_of_rows(rows)
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = np.where(brevity > 0, self.segment_scores(rows) / brevity / 100, 0.0)
        counts = zip(rows[:, 2 : 2 + self.order].T, rows[:, 2 + self.order :].T, strict=True)
        named = {
            f"{name}{n}": own
            for n, pair in enumerate(counts, start=1)
            for name, own in zip(("found", "total"), pair, strict=True)
        }
        return {**named, "brevity": brevity, "precision": precision}


@register
@dataclass(frozen=True, kw_only=True)
class Chrf(SacrebleuMetric, AggregatesReferences):
    """chrF (Popović 2015) as sacrebleu computes it, 0 to 100; ``words=2`` is chrF++.

    It compares characters, so it has no tokenizer.
    """

    name = "chrf"
    chars: int = 6
    words: int = 0
    beta: int = 2
    lowercase: bool = False
    theirs: ClassVar[Spelling] = {**CASE, "nc": ("chars", {}), "nw": ("words", {})}
    unnamed: ClassVar[dict[str, Any]] = {"beta": 2, "normalize": "none"}
    bounds: ClassVar[dict[str, tuple[float, float]]] = {
        "chars": (1, float("inf")), "words": (0, float("inf")), "beta": (0, float("inf")),
    }  # fmt: skip
    formula = staticmethod(chrf_of_rows)

    def make(self) -> Any:
        """Make sacrebleu.CHRF with these settings."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(char_order=self.chars, word_order=self.words, beta=self.beta, lowercase=self.lowercase)

    def kernel_rows(self, segments: Segments) -> Doubles | None:
        """Count n-grams by a kernel, for one reference."""
        if len(segments.references) > 1:
            return None
        (pairs,) = segments.pairs()
        return chrf_rows(pairs, self.peer._preprocess_segment, self.chars, self.words)

    def aggregate_statistics(self, lists: WeightedLists) -> Doubles:
        """Count n-grams, for expected counts of references."""
        lists = replace(lists, texts=normalised(lists.texts, self.normalize))
        return aggregate_chrf_rows(lists, self.peer._preprocess_segment, self.chars, self.words)

    @property
    def equation(self) -> str:
        """The weighted harmonic mean of precision and recall."""
        factor = self.beta**2
        return (
            f"100 · (1 + β²) · P · R / (β² · P + R), with the mean precision P and recall R of n-grams = "
            f"100 · {1 + factor} · {{precision}} · {{recall}} / {{denominator}}"
        )

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return precision and recall, and what their product is divided by."""
        precision, recall = chrf_parts(rows)
        return {
            "precision": precision,
            "recall": recall,
            "denominator": self.beta**2 * precision + recall,
        }


@register
@dataclass(frozen=True, kw_only=True)
class Ter(SacrebleuMetric):
    """TER (Snover et al. 2006) as sacrebleu computes it; lower is better.

    Words are separated by spaces unless ``tokenize`` names a tokenizer. ``asian`` is sacrebleu's
    ``asian_support``: with ``normalized``, characters of Chinese and Japanese are words; without
    ``punctuation``, their punctuation is removed, too. No other tokenizer is then chosen by itself.
    """

    name = "ter"
    higher_is_better = False
    standard_tokenizer: ClassVar[str] = "none"
    normalized: bool = False
    punctuation: bool = True
    lowercase: bool = True
    asian: bool = False
    tokenize: str = "auto"
    theirs: ClassVar[Spelling] = {
        **CASE,
        "norm": ("normalized", {"no": "false", "yes": "true"}),
        "punct": ("punctuation", {"no": "false", "yes": "true"}),
        "asian": ("asian", {"no": "false", "yes": "true"}),
    }
    unnamed: ClassVar[dict[str, Any]] = {"tokenize": "none", "normalize": "none"}
    formula = staticmethod(ter_of_rows)

    @property
    def equation(self) -> str:
        """Edits by words."""
        return "100 · edits / words of the reference = 100 · {numerator} / {denominator}"

    def terms(self, rows: Doubles, permutations: Permutations | None = None) -> dict[str, Doubles]:
        """Return the numbers of edits and of words."""
        return {"numerator": rows[:, 0], "denominator": rows[:, 1]}

    @property
    def range(self) -> tuple[float, float]:
        """0 up; more edits than words are possible."""
        return 0.0, float("inf")

    def with_tokenizer(self, tokenizer: str | None) -> Self:
        """Replace ``tokenize=auto``; words of Asian text are those of sacrebleu if it is asked for them."""
        return super().with_tokenizer(None if self.asian else tokenizer)

    def make(self) -> Any:
        """Make sacrebleu.TER with these settings, behind the tokenizer."""
        from sacrebleu.metrics.ter import TER

        peer: Any = TER(
            normalized=self.normalized,
            no_punct=not self.punctuation,
            case_sensitive=not self.lowercase,
            asian_support=self.asian,
        )
        split, tercom = splitter(self.tokenizer), peer.tokenizer

        def words(line: str) -> str:
            text: str = tercom(split(line) if self.tokenizer != "none" else line)
            count = text.count(" ") + 1
            if count > LONGEST_TER:
                raise WordOrderError(
                    f"ter: a segment has {count:,} words; expected {LONGEST_TER:,} at most, because it takes"
                    " memory by their square"
                )
            return text

        peer.tokenizer = words
        return peer
