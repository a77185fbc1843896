"""Features of judged outputs, made once and kept while a training lasts."""

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
from wordorder.judge.judgments import Judgments
from wordorder.metrics.beer.output import Output
from wordorder.metrics.beer.trained_model import Hidden
from wordorder.metrics.beer.views import Sources, View, views_of
from wordorder.metrics.segments import Matching
from wordorder.text.lexicon import Lexicon
from wordorder.text.stems import stemmer_name
from wordorder.text.tokens import Words
from wordorder.tune.fitting import Fitted
from wordorder.tune.lexicons import gathered, lexicon
from wordorder.tune.recipes import Recipe

if TYPE_CHECKING:
    from wordorder.text.parses import ParseTable

MARK = "wordorder-training"
LEXICON = "en"  # the language that most sets have on one side
FREQUENT = 1e-3  # of all words of a language: METEOR's line between function and content words


@dataclass(frozen=True, eq=False)
class Examples:
    """A set of judgments with the features of its items."""

    judgments: Judgments
    features: Floats


@dataclass
class Workshop:
    """What training makes on its way, kept in a folder where one is given, so that it can go on after a stop.

    Everything kept is named by a check sum of all that it depends on.
    """

    folder: Path | None = None
    parses: ParseTable | None = None
    function_words: dict[str, list[str]] = field(default_factory=dict)
    lexicon: Lexicon | None = None
    key: str = ""

    @property
    def sources(self) -> Sources:
        """What all languages share."""
        return Sources(parses=self.parses, lexicon=self.lexicon)

    def prepared(
        self,
        sets: Sequence[Judgments],
        recipe: Recipe,
        *,
        progress: Callable[[int], None] | None = None,
    ) -> list[Examples]:
        """Features of all items; stems and function words are those of the target language."""
        for one in sets:
            if len(one.references) != 1:
                raise BadSetting(f"{one.name} has {len(one.references)} references; training takes one")
        self.function_words = function_words(sets) if recipe.has_function_words else {}
        parts = [gathered(one, LEXICON) for one in sets] if recipe.has_lexicon else []
        self.lexicon = lexicon(parts, LEXICON)
        others = {one.year: lexicon(parts, LEXICON, without=one.year) for one in sets}
        found, keys = [], []
        for number, one in enumerate(sets, start=1):
            hypotheses, references = _texts(one, all_items=recipe.objective in ("corpus", "joint"))
            language = one.pair.rpartition("-")[2]
            known = others[one.year]
            key = digest(
                recipe.features,
                recipe.match,
                recipe.output,
                self.function_words.get(language),
                (known.words, known.frequent, known.text) if known else None,
                self.parses.tag if self.parses else None,
                hypotheses,
                references,
            )
            keys.append(key)
            features = self._features(key, recipe, hypotheses, references, language, known)
            found.append(Examples(one, features))
            if progress:
                progress(number)
        said = [[column.tolist() for column in vars(one.compared).values()] for one in sets]
        rated = [one.rated.score.tolist() if one.rated else [] for one in sets]
        self.key = digest(keys, {**vars(recipe), "penalties": ""}, said, rated)
        return found

    def features(
        self,
        recipe: Recipe,
        hypotheses: Sequence[str],
        references: Sequence[str],
        language: str,
        known: Lexicon | None = None,
    ) -> Floats:
        """Features of pairs of texts as the recipe's output wants them."""
        relative = Output(recipe.output).relative
        sources = replace(self._sources(recipe, language), lexicon=known or self.lexicon)
        made = views_of(recipe.features, sources)

        def values(view: View) -> Floats:
            how = view.below if relative else view.raw
            return how(hypotheses, references, threads=os.cpu_count() or 1).astype(np.float32)

        return np.hstack([values(view) for view in made])

    def _features(
        self,
        key: str,
        recipe: Recipe,
        hypotheses: Sequence[str],
        references: Sequence[str],
        language: str,
        known: Lexicon | None,
    ) -> Floats:
        place = self.folder / f"{key}.npy" if self.folder else None
        if place and (kept := _loaded(place)) is not None:
            return np.asarray(kept["array"], np.float32)
        made = self.features(recipe, hypotheses, references, language, known)
        if place:
            self.open()
            with open(part := place.with_suffix(".part"), "wb") as out:
                np.save(out, made)
            part.replace(place)
        return made

    def _sources(self, recipe: Recipe, language: str) -> Sources:
        match = recipe.match
        words = frozenset(self.function_words.get(language, ()))
        try:
            stemmer_name(language)
        except UnknownName:
            language, match = "en", "+".join(s for s in match.split("+") if s != "stem") or "exact"
        return replace(self.sources, matching=Matching(match=match, language=language), function_words=words)

    def open(self) -> None:
        """Make the folder, or see that it is one of ours."""
        if self.folder and not (self.folder / MARK).is_file():
            if self.folder.exists():
                raise BadFile("exists and is not from a training; remove or rename it", file=str(self.folder))
            self.folder.mkdir(parents=True)
            (self.folder / MARK).write_text("Kept by wordorder train-metric while it works.\n")

    def close(self) -> None:
        """Remove what was kept."""
        if self.folder and (self.folder / MARK).is_file():
            shutil.rmtree(self.folder, ignore_errors=True)

    def kept(self, what: str, make: Callable[[], Fitted]) -> Fitted:
        """Weights that were found before this training was stopped, or new ones."""
        if not self.folder:
            return make()
        place = self.folder / f"{digest(self.key, what)}.npz"
        if (parts := _loaded(place)) is not None:
            weights, bias = parts.pop("weights"), float(parts.pop("bias"))
            return Fitted(weights, bias, Hidden(**parts) if parts else None)
        fitted = make()
        arrays: dict[str, Any] = {"weights": fitted.weights, "bias": np.array(fitted.bias)}
        arrays |= vars(fitted.hidden) if fitted.hidden else {}
        self.open()
        with open(part := place.with_suffix(".part"), "wb") as out:
            np.savez(out, **arrays)
        part.replace(place)
        return fitted


def _texts(one: Judgments, *, all_items: bool) -> tuple[list[str], list[str]]:
    """Outputs with their references; what nobody judged is empty where only judgments are learned from."""
    wanted = np.full(len(one.outputs), all_items)
    wanted[one.compared.first] = wanted[one.compared.second] = True
    if one.rated:
        wanted[one.rated.item] = True
    hypotheses = [(text or "") if use else "" for text, use in zip(one.outputs, wanted, strict=True)]
    segments = zip(one.item_segment.tolist(), wanted, strict=True)
    return hypotheses, [one.references[0][k] if use else "" for k, use in segments]


def _loaded(place: Path) -> dict[str, Any] | None:
    """Kept arrays; None where there are none, or none that are whole."""
    try:
        found = np.load(place, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    if isinstance(found, np.ndarray):
        return {"array": found}
    with found:
        return dict(found)


def digest(*what: object) -> str:
    """A check sum of plain data."""
    return hashlib.sha256(repr((__version__, *what)).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def function_words(sets: Sequence[Judgments]) -> dict[str, list[str]]:
    """Words that are more than one in a thousand of a language's references, by language."""
    lines: dict[str, set[str]] = {}
    for one in sets:
        lines.setdefault(one.pair.rpartition("-")[2], set()).update(one.references[0])
    found = {}
    for language, texts in sorted(lines.items()):
        words = Words("13a", lowercase=True)
        tokens = words.encode(sorted(texts))
        share = np.bincount(tokens.ids, minlength=len(words)) / max(len(tokens.ids), 1)
        found[language] = sorted(
            word for word, much in zip(words.words, share, strict=True) if much > FREQUENT
        )
    return found
