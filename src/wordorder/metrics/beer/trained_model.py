"""Trained models: features by name, weights, and how margins become scores.

On disk a model is a folder: ``model.json`` names the features and the data they were learned from,
``model.safetensors`` has the weights, ``README.md`` is the card.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import orjson
from numpy.typing import NDArray

from wordorder import _native
from wordorder.arrays import Doubles
from wordorder.errors import BadFile, BadSetting, WordOrderError
from wordorder.io.model_folder import ABOUT, ARRAYS, DAMAGED, load_folder, save_folder
from wordorder.io.model_store import KINDS, find_model, model_place
from wordorder.metrics.beer.output import ScoreScaling
from wordorder.metrics.beer.views import LISTED_VIEWS, Sources, View, views_of
from wordorder.metrics.segments import Matching
from wordorder.text.lexicon import Lexicon, shipped_lexicon
from wordorder.text.pairs import Pairs
from wordorder.text.word_lists import lists_tag

KIND = "beer"  # of models in the store
FORMAT, VERSION = KINDS[KIND]
CorpusMean = Literal[
    "mean", "root", "length"
]  # over segments: plain, or weighted by the (root of the) length of references


@dataclass(frozen=True, eq=False)
class Hidden:
    """A layer of units between features and margin: v · tanh(W f / spread + c), 0 where f is 0."""

    spread: Doubles
    inner: Doubles  # units x features
    shift: Doubles
    outer: Doubles

    def margins(self, features: Doubles) -> Doubles:
        """Compute one margin per row."""
        units = np.tanh((features / self.spread) @ self.inner.T + self.shift)
        return np.asarray((units - np.tanh(self.shift)) @ self.outer)

    def fits(self, width: int) -> bool:
        """Return whether the arrays fit each other and features of this number."""
        units = self.outer.size
        shapes = [tuple(a.shape) for a in vars(self).values()]
        return shapes == [(width,), (units, width), (units,), (units,)] and bool((self.spread > 0).all())


@dataclass(frozen=True, eq=False)
class Model:
    """Weights of features, and what they were learned from."""

    views: tuple[View, ...]
    weights: Doubles  # of all features, view by view; of a hidden layer: all 1
    output: ScoreScaling
    card: Mapping[str, Any]
    function_words: Mapping[str, Sequence[str]]  # by language
    hidden: Hidden | None = None
    corpus: CorpusMean = "mean"
    corpus_words: float = 1.0  # the share of the weights of unknown words that counts in scores of corpora
    corpus_recall: float = 0.0  # the share of the weights of symmetric F1 that counts as recall there

    @property
    def names(self) -> list[str]:
        """All features."""
        return [name for view in self.views for name in view.names]

    @property
    def tag(self) -> str:
        """A checksum of everything that determines a score, for signatures."""
        content = orjson.dumps([self.names, asdict(self.output)]) + self.weights.tobytes()
        if self.views and self.views[0].sources.matching.tokenize != "13a":
            content += self.views[0].sources.matching.tokenize.encode()
        if self.views and (lexicon := self.views[0].sources.lexicon):
            content += "\n".join(lexicon.words).encode()
        for view in self.views:
            if view.prefix == "match":
                content += orjson.dumps([view.sources.matching.match, sorted(view.sources.function_words)])
            if view.prefix == "parse" and view.sources.parses:
                content += view.sources.parses.tag.encode()
        if any(view.prefix in LISTED_VIEWS for view in self.views):
            content += lists_tag().encode()
        if self.corpus_words != 1:
            content += orjson.dumps(self.corpus_words)
        if self.corpus_recall:
            content += orjson.dumps(["recall", self.corpus_recall])
        if self.hidden:
            content += b"".join(a.tobytes() for a in vars(self.hidden).values())
        return f"{zlib.crc32(content):08x}"

    def features(self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int = 1) -> Doubles:
        """Compute the features: one row per pair; relative to a copy of the reference if the output is."""
        pairs = Pairs.of(hypotheses, references)
        return np.hstack([compute(pairs, threads=threads) for compute in self._computed])

    @property
    def _computed(self) -> list[Callable[..., Doubles]]:
        return [view.below if self.output.relative else view.raw for view in self.views]

    def raw(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Compute the features as they are, whatever the output."""
        pairs = Pairs.of(hypotheses, references)
        return np.hstack([view.raw(pairs) for view in self.views])

    def margins(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Compute the number that ranks outputs; relative to a copy of the reference if the output is."""
        return self.pair_margins(Pairs.of(hypotheses, references))

    def pair_margins(self, pairs: Pairs) -> Doubles:
        """Compute the margin of each pair."""
        return np.asarray(self._margins(pairs, [self.weights])[0])

    def corpus_margins(self, pairs: Pairs) -> Doubles:
        """Compute the margin of each pair and, in the last row, the one that counts in scores of corpora."""
        weights = [self.weights, self.corpus_weights] if self.has_corpus_weights else [self.weights]
        return self._margins(pairs, weights)

    @property
    def has_corpus_weights(self) -> bool:
        """Whether features have other weights in scores of corpora."""
        return self.corpus_words != 1 or self.corpus_recall != 0

    @cached_property
    def corpus_weights(self) -> Doubles:
        """The weights of features in scores of corpora."""
        return corpus_weights(self.names, self.weights, words=self.corpus_words, recall=self.corpus_recall)

    def _margins(self, pairs: Pairs, weights: Sequence[Doubles]) -> Doubles:
        """Compute margins with each of some weights, one row each."""
        if self.hidden:
            return self.hidden.margins(np.hstack([compute(pairs) for compute in self._computed]))[None, :]
        margins = np.empty((len(weights), len(pairs)))
        for part, block in pairs.blocks():  # for all views, which share what they need of its texts
            features = [
                (view.block_below(block, 1) if self.output.relative else view.block(block, 1)).T
                for view in self.views
            ]
            for column, own in zip(margins, weights, strict=True):
                column[part] = _native.weighted_rows(features, own)
        return margins

    def scores(self, hypotheses: Sequence[str], references: Sequence[str]) -> Doubles:
        """Compute scores between 0 and 1; 0 where only one side is empty."""
        return self.pair_scores(Pairs.of(hypotheses, references))

    def pair_scores(self, pairs: Pairs) -> Doubles:
        """Compute the score of each pair."""
        return self.scaled(self.pair_margins(pairs), pairs)

    def scaled(self, margins: Doubles, pairs: Pairs) -> Doubles:
        """Turn the margins of pairs, in one row or in several, into their scores."""
        scores = self.output(margins)
        blank = [not text or text.isspace() for text in pairs.texts]
        if any(blank):
            empty = np.array(blank, np.bool_)
            scores[..., empty[pairs.first] != empty[pairs.second]] = 0.0
        return scores


def corpus_weights(names: Sequence[str], weights: Doubles, *, words: float, recall: float) -> Doubles:
    """Return the weights of features in scores of corpora, where unknown words count less, and recall more.

    Of the weight of a symmetric F1, the share ``recall`` goes to the recall of the same pieces, if there is
    such a feature.

    >>> names = ["solid:char2.sf1", "solid:char3.sf1", "solid:char2.r", "other:nonword.n0.5"]
    >>> corpus_weights(names, np.array([2.0, 1.0, 3.0, -4.0]), words=0.5, recall=1.0).tolist()
    [0.0, 1.0, 5.0, -2.0]
    """
    unknown = [name.startswith(("english:", "other:")) for name in names]
    found = np.where(unknown, words * weights, weights)
    places = {name: place for place, name in enumerate(names)}
    for name, place in places.items():
        pieces = name.removesuffix(".sf1")
        if pieces != name and (other := places.get(f"{pieces}.r")) is not None:
            found[other] += recall * weights[place]
            found[place] -= recall * weights[place]
    return found


def without_zeros(model: Model) -> Model:
    """Return the model without the features of weight 0, which need not be counted."""
    kept = [name for name, weight in zip(model.names, model.weights, strict=True) if weight]
    sources = model.views[0].sources if model.views else Sources()
    return replace(model, views=views_of(kept, sources), weights=model.weights[model.weights != 0])


def save_model(model: Model, folder: str | Path, *, card: str = "") -> None:
    """Write a model, all or nothing."""
    matching = model.views[0].sources.matching
    about = {
        "features": model.names,
        "output": asdict(model.output),
        "match": matching.match,
        "tokenize": matching.tokenize,
        "function_words": {language: list(words) for language, words in model.function_words.items()},
        "corpus": model.corpus,
        "corpus_words": model.corpus_words,
        "corpus_recall": model.corpus_recall,
        "card": dict(model.card),
    }
    arrays: dict[str, NDArray[Any]] = {"weights": model.weights}
    if any(view.prefix in LISTED_VIEWS for view in model.views):
        about["word_lists"] = lists_tag()
    lexicon = model.views[0].sources.lexicon
    if lexicon == shipped_lexicon():
        about["lexicon"] = {"shipped": lexicon.tag}
    elif lexicon:
        about["lexicon"], arrays["lexicon"] = lexicon.packed()
    if model.hidden:
        arrays |= {name: np.asarray(a) for name, a in vars(model.hidden).items()}
    save_folder(folder, FORMAT, VERSION, about, arrays, card=card)


def load_model(folder: str | Path, *, language: str = "en", sources: Sources | None = None) -> Model:
    """Read a model; ``language`` selects stems and function words, ``none`` no stems and all lists."""
    about, arrays = load_folder(folder, FORMAT, VERSION)
    file = str(Path(folder) / ABOUT)
    try:
        lists = {str(key): [str(word) for word in words] for key, words in about["function_words"].items()}
        match = str(about["match"])
        if language == "none":
            match = "+".join(stage for stage in match.split("+") if stage != "stem") or "exact"
        wanted = lists if language == "none" else {language: lists.get(language, [])}
        known = frozenset(word for words in wanted.values() for word in words)
        tokenize = str(about.get("tokenize", "13a"))
        if tokenize not in ("13a", "none"):
            raise ValueError(f"tokenize is {tokenize!r}; expected 13a or none")
        matching = Matching(match=match, language="en" if language == "none" else language, tokenize=tokenize)
        matching.matcher  # noqa: B018 (checks the name)
        lexicon = _lexicon(about.get("lexicon"), arrays)
        corpus = about.get("corpus", "mean")
        if corpus not in get_args(CorpusMean):
            raise ValueError(f"corpus is {corpus!r}; expected one of {', '.join(get_args(CorpusMean))}")
        corpus_words = float(about.get("corpus_words", 1.0))
        corpus_recall = float(about.get("corpus_recall", 0.0))
        for key, share in (("corpus_words", corpus_words), ("corpus_recall", corpus_recall)):
            if not 0 <= share <= 1:
                raise ValueError(f"{key} is {share}; expected a number from 0 to 1")
        if (own := about.get("word_lists")) not in (None, lists_tag()):
            raise ValueError(f"its word lists are {own!r}, but this package comes with {lists_tag()!r}")
        sources = replace(sources or Sources(), matching=matching, function_words=known, lexicon=lexicon)
        views = views_of([str(name) for name in about["features"]], sources)
        output = ScoreScaling(**{key: about["output"][key] for key in ("kind", "a", "b")})
    except (*DAMAGED, WordOrderError) as error:
        raise BadFile(f"is damaged: {error}", file=file) from None
    try:
        weights = np.asarray(arrays.pop("weights"), np.float64)
        hidden = Hidden(**{k: np.asarray(a, np.float64) for k, a in arrays.items()}) if arrays else None
    except DAMAGED as error:
        raise BadFile(f"is damaged: {error}", file=str(Path(folder) / ARRAYS)) from None
    card = about.get("card", {})
    model = Model(views, weights, output, card, lists, hidden, corpus, corpus_words, corpus_recall)
    if model.names != list(about["features"]):
        raise BadFile("features are not grouped by view", file=file)
    _check(model, str(Path(folder) / ARRAYS))
    return model


def _lexicon(about: Any, arrays: dict[str, NDArray[Any]]) -> Lexicon | None:
    """Return the lexicon of a model: its own, or the one that comes with the package."""
    if about is None:
        return None
    if "shipped" not in about:
        return Lexicon.unpacked(about, arrays.pop("lexicon"))
    lexicon = shipped_lexicon()
    if about["shipped"] != lexicon.tag:
        raise ValueError(f"its words are {about['shipped']!r}, but this package comes with {lexicon.tag!r}")
    return lexicon


def _check(model: Model, file: str) -> None:
    width = len(model.names)
    if model.weights.shape != (width,) or not width:
        raise BadFile(f"{model.weights.size} weights for {width} features", file=file)
    if model.hidden and not model.hidden.fits(width):
        raise BadFile(f"arrays of the hidden layer do not fit {width} features", file=file)
    arrays = (model.weights, *(vars(model.hidden).values() if model.hidden else ()))
    if not all(np.isfinite(array).all() for array in arrays):
        raise BadFile("a weight is not finite", file=file)


def read_model(path: str = "", version: str = "4.0", language: str = "en", parses: str = "") -> Model:
    """Read a model folder or an installed model by name; without either, the one of a version.

    The folder is read once, and again when its files, or those of the parses, change.
    """
    found = None if path else find_model(KIND, version)
    folder = found.folder if found else model_place(KIND, path or version) or Path(path)
    files = [*folder.glob("*"), *(Path(path) for path in parses.split(":") if parses)]
    known = tuple((str(f), f.stat().st_mtime_ns, f.stat().st_size) for f in files if f.exists())
    return _read_model(str(folder), language, parses, known)


@cache
def _read_model(folder: str, language: str, parses: str, files: tuple[tuple[str, int, int], ...]) -> Model:
    sources = Sources()
    if parses:
        from wordorder.io.parse_table import read_parses

        sources = Sources(parses=read_parses(parses.split(":")))
    model = load_model(folder, language=language, sources=sources)
    if parses and not any(view.prefix == "parse" for view in model.views):
        raise BadSetting("beer: parses would have no effect: the model has no features of trees")
    return model
