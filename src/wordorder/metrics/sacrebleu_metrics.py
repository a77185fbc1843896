"""The metrics that everybody knows, through sacrebleu: same values, same signatures.

Statistics come from sacrebleu too, so that intervals and tests treat all metrics alike. Settings that
sacrebleu's signatures do not tell stand behind them where they are not the usual ones: ``|order:2``.
"""

from __future__ import annotations

import warnings
from abc import abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.metrics.registry import register
from wordorder.metrics.sacrebleu_rows import bleu_of_rows, chrf_of_rows, statistics, ter_of_rows
from wordorder.metrics.segments import Segments
from wordorder.metrics.text import TextMetric

Spelling = dict[str, tuple[str, dict[str, str]]]


@dataclass(frozen=True, kw_only=True)
class SacrebleuMetric(TextMetric):
    """A metric of sacrebleu, 0 to 100."""

    # What sacrebleu calls a setting in its signatures, and its words for our values.
    theirs: ClassVar[Spelling]
    untold: ClassVar[tuple[str, ...]] = ()  # settings that are not in its signatures

    least: ClassVar[dict[str, int]] = {}  # of settings that are numbers

    def __post_init__(self) -> None:
        """Check the settings: sacrebleu takes numbers that have no meaning."""
        self.check_choices()
        for key, least in self.least.items():
            if getattr(self, key) < least:
                raise BadSetting(f"{self.name}: {key} is {getattr(self, key)}; expected {least} or more")

    @abstractmethod
    def make(self) -> Any:
        """Sacrebleu's own object."""

    @cached_property
    def peer(self) -> Any:
        """Sacrebleu's own object, made once."""
        try:
            return self.make()
        except KeyError as unknown:
            raise BadSetting(f"{self.name}: sacrebleu has no tokeniser {unknown}") from None
        except (ImportError, RuntimeError) as error:  # a tokeniser that needs another package
            raise BadSetting(f"{self.name}: {' '.join(str(error).split())}") from None

    @property
    def range(self) -> tuple[float, float]:
        """0 to 100, as sacrebleu reports."""
        return 0.0, 100.0

    @cached_property
    def signature(self) -> str:
        """That of a score, but for how many references there were."""
        return self.signature_for(1).replace("|nrefs:1|", "|")

    def signature_for(self, references: int) -> str:
        """Sacrebleu's signature behind the name, and what it leaves out."""
        return self._signature(self.peer, references)

    def _signature(self, peer: Any, references: int) -> str:
        peer.num_refs = references
        usual = {field.name: field.default for field in fields(self)}
        more = [f"{key}:{getattr(self, key)}" for key in self.untold if getattr(self, key) != usual[key]]
        return "|".join([self.name, peer.get_signature().format(), *more])

    @property
    def constants(self) -> dict[str, Any]:
        """What sacrebleu's signature tells beyond our settings."""
        pairs = dict(pair.split(":", 1) for pair in self.signature.split("|")[1:])
        return {key: value for key, value in pairs.items() if key not in {*self.theirs, *self.untold}}

    @classmethod
    def read_signature(cls, pairs: dict[str, str]) -> tuple[dict[str, str], dict[str, str]]:
        """Read sacrebleu's words."""
        import sacrebleu

        settings, rest = {}, dict(pairs)
        version = rest.pop("version", sacrebleu.__version__)
        if version != sacrebleu.__version__:
            message = f"signature of sacrebleu {version} rebuilt with version {sacrebleu.__version__}"
            warnings.warn(message, stacklevel=4)
        for key in cls.untold:
            if key in rest:
                settings[key] = rest.pop(key)
        for key, (setting, words) in cls.theirs.items():
            if key in rest:
                value = rest.pop(key)
                if words and value not in words:
                    known = ", ".join(words)
                    raise BadSetting(f"{cls.name}: {key} is {value!r}; expected one of {known}")
                settings[setting] = words.get(value, value)
        return settings, rest

    def segment_stats(self, segments: Segments) -> Doubles:
        """Sacrebleu's statistics, a row a segment."""
        return statistics(self.peer, segments.hypotheses, segments.prepared(self.peer))

    def score_from_stats(self, total: Doubles) -> float:
        """Sacrebleu's score of summed statistics."""
        return float(self.peer._aggregate_and_compute([total.tolist()]).score)


@register
@dataclass(frozen=True, kw_only=True)
class Bleu(SacrebleuMetric):
    """BLEU (Papineni et al. 2002) as sacrebleu computes it, 0 to 100."""

    name = "bleu"
    tokenize: str = "13a"
    lowercase: bool = False
    order: int = 4
    smooth: Literal["exp", "floor", "add-k", "none"] = "exp"
    effective: bool = False
    theirs: ClassVar[Spelling] = {
        "case": ("lowercase", {"mixed": "false", "lc": "true"}),
        "eff": ("effective", {"no": "false", "yes": "true"}),
        "tok": ("tokenize", {}),
        "smooth": (
            "smooth",
            {"exp": "exp", "floor[0.10]": "floor", "add-k[1.00]": "add-k", "none": "none"},
        ),
    }
    untold = ("order",)
    least: ClassVar[dict[str, int]] = {"order": 1}

    def make(self) -> Any:
        """sacrebleu.BLEU with these settings."""
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.order,
            smooth_method=self.smooth,
            effective_order=self.effective,
            force=True,  # its advice on tokenised text would come with every block
        )

    @cached_property
    def alone(self) -> Any:
        """The same for one segment: with effective order, as sacrebleu advises."""
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            tokenize=self.tokenize,
            lowercase=self.lowercase,
            max_ngram_order=self.order,
            smooth_method=self.smooth,
            effective_order=True,
            force=True,
        )

    def segment_signature_for(self, references: int) -> str:
        """Sacrebleu's signature with effective order."""
        return self._signature(self.alone, references)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """BLEU of many sums."""
        return bleu_of_rows(totals, self.peer)

    def rows_alone(self, rows: Doubles) -> Doubles:
        """Sentence BLEU."""
        return bleu_of_rows(rows, self.alone)


@register
@dataclass(frozen=True, kw_only=True)
class Chrf(SacrebleuMetric):
    """chrF (Popović 2015) as sacrebleu computes it, 0 to 100; ``words=2`` is chrF++."""

    name = "chrf"
    chars: int = 6
    words: int = 0
    beta: int = 2
    lowercase: bool = False
    theirs: ClassVar[Spelling] = {
        "case": ("lowercase", {"mixed": "false", "lc": "true"}),
        "nc": ("chars", {}),
        "nw": ("words", {}),
    }
    untold = ("beta",)
    least: ClassVar[dict[str, int]] = {"chars": 1, "words": 0, "beta": 0}

    def make(self) -> Any:
        """sacrebleu.CHRF with these settings."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(char_order=self.chars, word_order=self.words, beta=self.beta, lowercase=self.lowercase)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """ChrF of many sums."""
        return chrf_of_rows(totals, self.peer)


@register
@dataclass(frozen=True, kw_only=True)
class Ter(SacrebleuMetric):
    """TER (Snover et al. 2006) as sacrebleu computes it; lower is better."""

    name = "ter"
    higher_is_better = False
    normalized: bool = False
    punctuation: bool = True
    cased: bool = False
    theirs: ClassVar[Spelling] = {
        "case": ("cased", {"mixed": "true", "lc": "false"}),
        "norm": ("normalized", {"no": "false", "yes": "true"}),
        "punct": ("punctuation", {"no": "false", "yes": "true"}),
    }

    @property
    def range(self) -> tuple[float, float]:
        """0 up; more edits than words are possible."""
        return 0.0, float("inf")

    def make(self) -> Any:
        """sacrebleu.TER with these settings."""
        from sacrebleu.metrics.ter import TER

        return TER(normalized=self.normalized, no_punct=not self.punctuation, case_sensitive=self.cased)

    def scores_from_sums(self, totals: Doubles) -> Doubles:
        """TER of many sums."""
        return ter_of_rows(totals)
