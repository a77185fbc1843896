"""BEER as a metric."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from wordorder.arrays import Doubles
from wordorder.errors import BadSetting
from wordorder.io.model_folder import ABOUT
from wordorder.metrics.base import Metric, mean_of
from wordorder.metrics.beer.beer20_model import Beer20, read_beer20
from wordorder.metrics.beer.explain import ScoreParts, explained, is_linear, weighted_features
from wordorder.metrics.beer.trained_model import Model, read_model
from wordorder.metrics.registry import register
from wordorder.metrics.segments import Segments
from wordorder.metrics.weighted_features import WeightedFeatures
from wordorder.text.normalisation import check_steps, normalised
from wordorder.text.pairs import Pairs

SAME = {"1.0": "0.1"}
RELEASED = ("default", "linear", "linear_self_train")  # models that came with BEER 2.0


@register
@dataclass(frozen=True, kw_only=True)
class Beer(Metric):
    """BEER (Stanojević and Sima'an 2014): similarities with weights learned from human judgments.

    ``version=4.0`` is our own, and ``best`` was the default before: a copy of the reference scores 1. 0.1 to
    3.0 and treepel are those of the thesis, with weights learned here. ``model`` is a folder that
    ``wordorder learn beer`` wrote, or one of the released BEER 2.0 (``version=2.0``), which gives the
    sentence scores of the original program; ``default``, ``linear`` and ``linear_self_train`` name models of
    the BEER 2.0 in the folder BEER_HOME. ``language`` selects stems and function words, where a version has
    those; ``parses`` names CoNLL-U files of all texts, for treepel. The best of several references counts.
    The score of a corpus is the mean over segments (``corpus=mean``), the mean weighted by the characters of
    the references or by their root (``corpus=length``; ``corpus=root``, the default of version 4.0), or the
    score of the mean features, weighted by the words of the references (``corpus=features``, the default of
    1.0). In scores of corpora, unknown words count less and recall more if the model says so.
    ``compat=original`` divides by one segment too many, as BEER 2.0 does. ``normalize`` unifies spellings,
    except for released models.
    """

    name = "beer"
    places: ClassVar[tuple[str, ...]] = ("model", "parses")
    version: Literal["4.0", "best", "0.1", "1.0", "1.1", "2.0", "3.0", "treepel"] = "4.0"
    model: str = ""
    language: str = "en"
    parses: str = ""
    corpus: Literal["auto", "mean", "root", "length", "features"] = "auto"
    compat: Literal["corrected", "original"] = "corrected"
    normalize: str = "auto"

    def __post_init__(self) -> None:
        """Check the settings, and read the model, so that errors come at once."""
        super().__post_init__()
        if self.model and self.version not in ("4.0", "2.0"):
            raise BadSetting("beer: a model brings its own features and output; leave version out")
        trained = self.trained
        if self.language != "en" and not self.has_language:
            raise BadSetting(
                f"beer: language is {self.language!r}, but this version has no stems or function words; "
                "leave language out"
            )
        if self.normalize == "auto":
            self.settle(normalize=self.unnamed["normalize"])
        check_steps(self.normalize)
        if self.corpus == "auto":
            usual = trained.corpus if isinstance(trained, Model) else "mean"
            self.settle(corpus="features" if self.version == "1.0" else usual)
        if self.corpus == "features" and isinstance(trained, Beer20):
            raise BadSetting("beer: corpus=features is not a score of BEER 2.0", suggest={"corpus": "mean"})
        if self.compat == "original" and not isinstance(trained, Beer20):
            raise BadSetting(
                "beer: compat=original is a defect of version=2.0 with a released model; give model=FOLDER"
            )

    @cached_property
    def trained(self) -> Beer20 | Model:
        """The model."""
        if self.version == "2.0" and self.model and not (Path(self.model) / ABOUT).is_file():
            return read_beer20(_released_folder(self.model))
        if self.model and (Path(self.model) / "feature_names_mapping").is_file():
            raise BadSetting(f"beer: {self.model} is a model of BEER 2.0: set version=2.0")
        # Versions 0.1 and 1.0 have the same weights: they differ in the score of a corpus.
        return read_model(self.model, SAME.get(self.version, self.version), self.language, self.parses)

    @property
    def unnamed(self) -> dict[str, Any]:  # type: ignore[override]
        """The usual normalisation (the released program has none), and a language that has no effect."""
        usual = {"normalize": "none" if isinstance(self.trained, Beer20) else "standard"}
        return usual if self.has_language else {**usual, "language": "en"}

    @property
    def reference_is_best(self) -> bool:  # type: ignore[override]
        """Whether a copy of the reference scores 1: scores then measure the distance to it."""
        return isinstance(self.trained, Model) and self.trained.output.relative

    @property
    def constants(self) -> dict[str, Any]:
        """The checksum of the model, and how several references are treated."""
        own = {"recipe": "own"} if self.model and isinstance(self.trained, Model) else {}
        return {"weights": self.trained.tag, **own, "refs": "best"}

    @property
    def has_language(self) -> bool:
        """Whether stems or function words are used, so that the language matters."""
        return isinstance(self.trained, Model) and any(v.prefix == "match" for v in self.trained.views)

    def explain(self, hypothesis: str, reference: str) -> ScoreParts:
        """Return what each group of features adds to a score."""
        texts = normalised([hypothesis, reference], self.normalize)
        return explained(self.trained, texts[:1], texts[1:])[0]

    @property
    def equation(self) -> str:
        """How the weighted sum of features becomes a score; none for models whose parts do not add up."""
        if not is_linear(self.trained):
            return ""
        return self.trained.equation if isinstance(self.trained, Beer20) else self.trained.output.equation

    def weighted_features(self, segments: Segments) -> WeightedFeatures | None:
        """Return the features of each segment with its best reference, and their weights."""
        if not is_linear(self.trained):
            return None
        segments = segments.normalised(self.normalize)
        streams = segments.references.streams
        found = [weighted_features(self.trained, segments.hypotheses, stream) for stream in streams]
        if len(found) == 1:
            return found[0]
        scores = [self.trained.pair_scores(pairs) for pairs in segments.pairs()]
        return WeightedFeatures.chosen(found, np.argmax(scores, axis=0).tolist())

    def statistics(self, segments: Segments) -> Doubles:
        """Compute the score of each segment with its best reference, and 1.

        If a corpus is not scored by the plain mean of these, two more columns are the weight of the segment
        (``corpus=length``: the characters of the reference; ``root``: their root; ``mean``: 1), and its score
        in a corpus times this weight; with ``corpus=features``, the margin times the words of the reference,
        and these words. Lengths are means over the references.
        """
        segments = segments.normalised(self.normalize)
        streams = segments.pairs()
        if isinstance(self.trained, Beer20):
            scores = [self.trained.pair_scores(pairs) for pairs in streams]
            return self._weighted_rows(np.array(scores), np.array(scores), streams)
        if self.corpus != "features":
            both = np.array(
                [self.trained.scaled(self.trained.corpus_margins(pairs), pairs) for pairs in streams]
            )
            return self._weighted_rows(both[:, 0], both[:, -1], streams)
        margins = np.array([self.trained.pair_margins(pairs) for pairs in streams])
        scores = [self.trained.scaled(margin, pairs) for margin, pairs in zip(margins, streams, strict=True)]
        best, each = np.argmax(scores, axis=0), np.arange(len(segments))
        words = _mean_lengths(streams, lambda text: len(text.split()))
        return np.column_stack(
            [np.max(scores, axis=0), np.ones(len(segments)), words * margins[best, each], words]
        )

    def _weighted_rows(self, scores: Doubles, counted: Doubles, streams: Sequence[Pairs]) -> Doubles:
        """Return the rows of statistics; both kinds of scores have one row for each stream of references."""
        rows = np.ones((scores.shape[1], 4 if self._weighted else 2))
        if len(scores) > 1:
            best = np.argmax(scores, axis=0), np.arange(scores.shape[1])
            scores, counted = scores[best][None], counted[best][None]
        rows[:, 0] = scores[0]
        if self._weighted:
            if self.corpus != "mean":
                lengths = np.maximum(_mean_lengths(streams, len), 1)  # empty references count, too
                rows[:, 3] = np.sqrt(lengths) if self.corpus == "root" else lengths
            rows[:, 2] = rows[:, 3] * counted[0]
        return rows

    @cached_property
    def _weighted(self) -> bool:
        """Whether the score of a corpus is anything but the plain mean of the scores of its segments."""
        own_weights = isinstance(self.trained, Model) and self.trained.has_corpus_weights
        return self.corpus != "mean" or own_weights

    def segment_scores(self, rows: Doubles) -> Doubles:
        """Return the scores of segments; the released program computes these correctly."""
        return mean_of(rows[:, :2])

    def scores(self, sums: Doubles) -> Doubles:
        """Compute the scores of corpora; those of the released BEER 2.0 count one segment too many."""
        if self.compat == "original":
            return np.asarray(sums[:, 0] / (sums[:, 1] + 1))
        if not self._weighted:
            return super().scores(sums)
        known = sums[:, 3] > 0  # a corpus without words has no mean weighted by them
        means = sums[:, 2] / np.where(known, sums[:, 3], 1.0)
        if self.corpus == "features" and isinstance(self.trained, Model):
            means = self.trained.output(means)
        return np.where(known, means, mean_of(sums[:, :2]))


def _mean_lengths(streams: Sequence[Pairs], length: Callable[[str], int]) -> Doubles:
    """Return the mean length of the references of each segment."""
    counts = [np.array([length(text) for text in pairs.texts])[pairs.second] for pairs in streams]
    return np.asarray(sum(counts[1:], counts[0]) / len(counts), np.float64)


def _released_folder(model: str) -> str:
    """Return the folder of a model; one that came with BEER 2.0 is looked up by name in BEER_HOME."""
    if model not in RELEASED or os.path.exists(model):
        return model
    home = os.environ.get("BEER_HOME")
    if not home:
        raise BadSetting(
            f"beer: {model} is a model of the released BEER 2.0, which does not come with this package: "
            "set BEER_HOME to its folder (with models/ in it), or give the folder of the model"
        )
    return os.path.join(home, "models", model)
