"""Features of judged outputs, computed once and kept until the training is finished."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Floats
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.array_file import load_arrays, save_arrays
from wordorder.judge.judgments import Judgments
from wordorder.learn.beer_recipes import BeerRecipe
from wordorder.learn.eras import NOT_SCRAMBLED, ScrambledReferences, scrambled_references
from wordorder.learn.fitting import FittedWeights
from wordorder.learn.lexicons import lexicon, set_vocabulary
from wordorder.metrics.beer.output import ScoreScaling
from wordorder.metrics.beer.trained_model import Hidden
from wordorder.metrics.beer.views import Sources, View, views_of
from wordorder.metrics.segments import Matching
from wordorder.text.function_words import frequent_words
from wordorder.text.lexicon import Lexicon, shipped_lexicon
from wordorder.text.pairs import Pairs
from wordorder.text.stems import stemmer_name

if TYPE_CHECKING:
    from wordorder.text.parses import ParseTable

MARK = "wordorder-training"
LARGEST = 1e30  # of kept weights, which are used in single precision
LEXICON = "en"  # the language of the lexicon: most sets translate from or into it


@dataclass(frozen=True, eq=False)
class Examples:
    """A set of judgments with the features of its items, one row each."""

    judgments: Judgments
    features: Floats
    scrambled: ScrambledReferences = NOT_SCRAMBLED
    scrambled_features: Floats | None = None


@dataclass
class ExampleStore:
    """Intermediate results of a training run, kept in a folder so that an interrupted run can be resumed.

    The name of each file is a checksum of everything that it depends on. Without a folder nothing is kept.
    """

    folder: Path | None = None
    parses: ParseTable | None = None
    function_words: dict[str, list[str]] = field(default_factory=dict)
    lexicon: Lexicon | None = None
    key: str = ""

    @property
    def sources(self) -> Sources:
        """The resources shared by all languages."""
        return Sources(parses=self.parses, lexicon=self.lexicon)

    def prepared(
        self, sets: Sequence[Judgments], recipe: BeerRecipe, *, progress: Callable[[int], None] | None = None
    ) -> list[Examples]:
        """Compute the features of all items, with stems and function words of the target languages."""
        for judgments in sets:
            if (number := len(judgments.references)) != 1:
                raise BadSetting(f"{judgments.name} has {number} references; training needs exactly one")
        self.function_words = function_words(sets) if recipe.has_function_words else {}
        others = self._lexicons(sets, recipe)
        examples, keys = [], []
        for number, judgments in enumerate(sets, start=1):
            hypotheses, references = _texts(judgments, all_items=recipe.objective in ("corpus", "joint"))
            language = judgments.target
            known = others[judgments.year]
            apart = scrambled_references(judgments, recipe.seed) if recipe.scrambled else NOT_SCRAMBLED
            key = digest(
                recipe.features,
                recipe.match,
                recipe.tokenize,
                ScoreScaling(recipe.output).relative,
                self.function_words.get(language),
                (known.words, known.frequent, known.text) if known else None,
                self.parses.tag if self.parses else None,
                hypotheses,
                references,
                apart.texts,
            )
            keys.append(key)
            texts, originals = [*hypotheses, *apart.texts], [*references, *apart.references]
            features = self._features(key, recipe, texts, originals, language, known)
            own, lost = np.split(features, [len(hypotheses)])
            examples.append(Examples(judgments, own, apart, lost if len(apart) else None))
            if progress:
                progress(number)
        preferences = [
            [column.tolist() for column in vars(judgments.compared).values()] for judgments in sets
        ]
        ratings = [judgments.rated.score.tolist() if judgments.rated else [] for judgments in sets]
        # Weights do not depend on how margins become scores, and each is kept by its penalty.
        weights = {**vars(recipe), "penalties": "", "output": "", "scaled": ""}
        self.key = digest(keys, weights, preferences, ratings)
        return examples

    def _lexicons(self, sets: Sequence[Judgments], recipe: BeerRecipe) -> dict[int, Lexicon | None]:
        """Set the lexicon of the model, and return the one for the features of each year."""
        years = {judgments.year for judgments in sets}
        if recipe.has_lexicon and recipe.lexicon == "shipped":
            self.lexicon = shipped_lexicon()
            return dict.fromkeys(years, self.lexicon)
        parts = [set_vocabulary(judgments, LEXICON) for judgments in sets] if recipe.has_lexicon else []
        self.lexicon = lexicon(parts, LEXICON)
        return {year: lexicon(parts, LEXICON, without=year) for year in years}

    def features(
        self,
        recipe: BeerRecipe,
        hypotheses: Sequence[str],
        references: Sequence[str],
        language: str,
        known: Lexicon | None = None,
    ) -> Floats:
        """Compute the features of pairs of texts in the form that the output of the recipe needs."""
        relative = ScoreScaling(recipe.output).relative
        sources = replace(self._sources(recipe, language), lexicon=known or self.lexicon)
        views = views_of(recipe.features, sources)
        pairs = Pairs.of(hypotheses, references)

        def values(view: View) -> Floats:
            compute = view.below if relative else view.raw
            return compute(pairs, threads=os.cpu_count() or 1).astype(np.float32)

        return np.hstack([values(view) for view in views])

    def _features(
        self,
        key: str,
        recipe: BeerRecipe,
        hypotheses: Sequence[str],
        references: Sequence[str],
        language: str,
        known: Lexicon | None,
    ) -> Floats:
        if not self.folder:
            return self.features(recipe, hypotheses, references, language, known)
        place = self.folder / f"{key}.features"
        kept = (load_arrays(place) or {}).get("array")
        if kept is None or kept.dtype != np.float32 or kept.shape[:1] != (len(hypotheses),) or kept.ndim != 2:
            self.open()
            kept = self.features(recipe, hypotheses, references, language, known)
            save_arrays(place, array=kept)
        return np.asarray(kept, np.float32)

    def _sources(self, recipe: BeerRecipe, language: str) -> Sources:
        match = recipe.match
        words = frozenset(self.function_words.get(language, ()))
        try:
            stemmer_name(language)
        except UnknownName:
            language, match = "en", "+".join(s for s in match.split("+") if s != "stem") or "exact"
        matching = Matching(match=match, language=language, tokenize=recipe.tokenize)
        return replace(self.sources, matching=matching, function_words=words)

    def open(self) -> None:
        """Create the folder, or check that it belongs to a training run."""
        if self.folder and not (self.folder / MARK).is_file():
            if self.folder.exists():
                raise BadFile(
                    "exists and is not from a training run; remove or rename it", file=str(self.folder)
                )
            self.folder.mkdir(parents=True)
            (self.folder / MARK).write_text("Intermediate results of wordorder learn beer.\n")

    def close(self) -> None:
        """Remove the folder."""
        if self.folder and (self.folder / MARK).is_file():
            shutil.rmtree(self.folder, ignore_errors=True)

    def kept(self, name: str, width: int, fit: Callable[[], FittedWeights]) -> FittedWeights:
        """Return the weights of so many features kept under a name by an interrupted run, or fit them now."""
        if not self.folder:
            return fit()
        place = self.folder / f"{digest(self.key, name)}.npz"
        if (known := _weights(load_arrays(place) or {}, width)) is not None:
            return known
        fitted = fit()
        arrays: dict[str, Any] = {"weights": fitted.weights, "bias": np.array(fitted.bias)}
        arrays |= vars(fitted.hidden) if fitted.hidden else {}
        self.open()
        save_arrays(place, **arrays)
        return fitted


def _weights(parts: dict[str, Any], width: int) -> FittedWeights | None:
    """Put kept weights together; None if they are not weights of so many features."""
    if not all(array.dtype == np.float64 and (np.abs(array) < LARGEST).all() for array in parts.values()):
        return None
    try:
        weights, bias = parts.pop("weights"), parts.pop("bias")
        hidden = Hidden(**parts) if parts else None
    except (KeyError, TypeError):
        return None
    fits = weights.shape == (width,) and bias.shape == () and (hidden is None or hidden.fits(width))
    return FittedWeights(weights, float(bias), hidden) if fits else None


def _texts(judgments: Judgments, *, all_items: bool) -> tuple[list[str], list[str]]:
    """Return the outputs with their references; texts of items without a judgment are empty unless needed."""
    wanted = np.full(len(judgments.outputs), all_items)
    wanted[judgments.compared.first] = wanted[judgments.compared.second] = True
    if judgments.rated:
        wanted[judgments.rated.item] = True
    hypotheses = [(text or "") if use else "" for text, use in zip(judgments.outputs, wanted, strict=True)]
    segments = zip(judgments.item_segment.tolist(), wanted, strict=True)
    return hypotheses, [judgments.references[0][k] if use else "" for k, use in segments]


def digest(*data: object) -> str:
    """Return a checksum of plain data."""
    return hashlib.sha256(repr((__version__, *data)).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def function_words(sets: Sequence[Judgments]) -> dict[str, list[str]]:
    """Return, by language, the words that make up more than a thousandth of the references."""
    lines: dict[str, set[str]] = {}
    for judgments in sets:
        lines.setdefault(judgments.target, set()).update(judgments.references[0])
    return {language: frequent_words(sorted(texts)) for language, texts in sorted(lines.items())}
