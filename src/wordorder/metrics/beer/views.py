"""Views of two texts, each with features of its own.

=========== =========================================================================================
``cased``    pieces of the text as it is written, words cut as sacrebleu's 13a cuts them, or at spaces
``lower``    the same in lower case
``solid``    pieces of characters of the text as it is written, without its spaces
``begin``    the first four letters of words in lower case, that is, words without their endings
``lexicon``  words that a lexicon does not know
``english``  words that are not in the English list, where the reference is in English
``other``    words that are not in the list of another language, where the reference is in that language
``listed``   words weighted by their rarity in the list of the reference's language
``match``    links of the matcher, stage by stage, and the order of the linked words
``parse``    pieces of dependency trees that the user gives
=========== =========================================================================================

``raw`` are features of output and reference; ``below`` subtracts the features of a copy, and is 0 for one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting
from wordorder.metrics.beer.features import FeatureSet, counted_pieces, measured, overlaps, pieces_to_count
from wordorder.metrics.beer.links import link_counts, order_values
from wordorder.metrics.beer.similarities import ONE, Similarities, has_kernel
from wordorder.metrics.beer.templates import (
    FOREIGN,
    LENGTHS,
    LISTED,
    LOST,
    ONE_SIDED,
    OPERATORS,
    Cutting,
    Pieces,
    Template,
    parse_templates,
)
from wordorder.metrics.segments import Matching
from wordorder.text.pairs import Pairs
from wordorder.text.word_lists import ListedShares

if TYPE_CHECKING:
    from wordorder.text.lexicon import Lexicon
    from wordorder.text.parses import ParseTable

FARTHEST = 5.0  # greatest length disbalance


@dataclass(frozen=True, kw_only=True)
class Sources:
    """The data that features need besides the texts."""

    matching: Matching = field(default_factory=Matching)
    function_words: frozenset[str] = frozenset()
    lexicon: Lexicon | None = None
    parses: ParseTable | None = None


@dataclass(frozen=True)
class View(ABC):
    """Features of one kind."""

    templates: tuple[Template, ...]
    sources: Sources
    prefix: ClassVar[str]

    @property
    def names(self) -> list[str]:
        """The features with their view: ``lower:char3.sf1``."""
        return [f"{self.prefix}:{template.name}" for template in self.templates]

    @property
    def signs(self) -> list[int]:
        """Whether more of a feature is better (1) or worse (-1); 0 where a copy is not the extreme."""
        return [_sign(template.pieces) for template in self.templates]

    @cached_property
    def pieces(self) -> tuple[Pieces, ...]:
        """The kinds of pieces, each once however many features use it."""
        return tuple(dict.fromkeys(template.pieces for template in self.templates))

    @abstractmethod
    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs."""

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features minus those of the reference with itself."""
        copies = replace(pairs, first=pairs.second, mirrored=False)
        return self.block(pairs, threads) - self.block(copies, threads)

    def raw(self, pairs: Pairs, *, threads: int = 1) -> Doubles:
        """Compute the features: one row per pair, one column per feature."""
        return self._all(self.block, pairs, threads)

    def below(self, pairs: Pairs, *, threads: int = 1) -> Doubles:
        """Compute the features minus those of a copy of the reference."""
        return self._all(self.block_below, pairs, threads)

    def _all(self, compute: Callable[[Pairs, int], Doubles], pairs: Pairs, threads: int) -> Doubles:
        columns = np.empty((len(self.templates), len(pairs)))
        for part, block in pairs.blocks():
            columns[:, part] = compute(block, threads).T
        return columns.T


def _sign(pieces: Pieces) -> int:
    if pieces.kind in ("stem", "synonym", "paraphrase"):
        return 0
    return -1 if pieces.kind in (*LENGTHS, *ONE_SIDED, *LOST, *OPERATORS[1:], *FOREIGN, *LISTED) else 1


class CasedView(View):
    """Pieces of the text as it is written."""

    prefix = "cased"
    cutting: ClassVar[Cutting] = Cutting(split="13a")
    lowercase: ClassVar[bool] = False
    written: ClassVar[Cutting] = Cutting()  # with tokenize=none

    @cached_property
    def features(self) -> FeatureSet:
        """The counter."""
        cutting = self.written if self.sources.matching.tokenize == "none" else self.cutting
        return FeatureSet(self.templates, cutting, self.lowercase)

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs."""
        return self._values(self._counts(pairs, threads))

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Subtract a copy without counting again: all pieces of the reference are matched in it."""
        counts = self._counts(pairs, threads)
        itself = np.repeat(counts[:, :, 2:], 3, axis=2)
        itself[:, self._lengths] = 1
        return self._values(counts) - self._values(itself)

    def _values(self, counts: Longs) -> Doubles:
        return np.minimum(self.features.values(counts), FARTHEST)

    @cached_property
    def _lengths(self) -> list[int]:
        return [k for k, p in enumerate(self.features.pieces) if p.kind in (*LENGTHS, *ONE_SIDED)]

    def _counts(self, pairs: Pairs, threads: int) -> Longs:
        counts = self.features.counts(pairs, threads=threads)
        for place in self._lengths:
            counts[~counts[:, place, 1:].any(axis=1), place] = 1  # two empty texts are equally long
        return counts


class LowerView(CasedView):
    """Pieces of the text in lower case."""

    prefix = "lower"
    lowercase = True


class BackOffView(CasedView):
    """Pieces that are replaced by shorter ones where both texts are too short to have any.

    So a similarity is 1 only for equal pieces, 0 where one side alone has some, and 1 in a copy.
    """

    @cached_property
    def counted(self) -> tuple[Pieces, ...]:
        """All pieces and those that may replace them, shorter ones first."""
        kinds = set(pieces_to_count(self.templates))
        for kind in tuple(kinds):
            while (below := _shorter(kind)) is not None:
                kinds.add(below)
                kind = below
        return tuple(sorted(kinds, key=lambda pieces: (pieces.kind == "skip", pieces.kind, pieces.size)))

    @cached_property
    def instead(self) -> list[int]:
        """What replaces each kind of pieces where neither text has any."""
        shorter = [_shorter(kind) for kind in self.counted]
        return [ONE if kind is None else self.counted.index(kind) for kind in shorter]

    @cached_property
    def copies(self) -> list[float]:
        """The features of a copy: 1 of similarities, 0 of lengths and lost order."""
        zero = (*LENGTHS, *ONE_SIDED, *LOST)
        return [0.0 if template.pieces.kind in zero else 1.0 for template in self.templates]

    @cached_property
    def similarities(self) -> Similarities | None:
        """The kernel, if it knows all features."""
        if not all(map(has_kernel, self.templates)):
            return None
        return Similarities(self.templates, self.counted, self.instead, self.copies, FARTHEST)

    @cached_property
    def kernels(self) -> list[tuple[int, int, int]]:
        """The counted pieces, as the kernel takes them."""
        return [kind.kernel(self.cutting) for kind in self.counted]

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs."""
        return self._computed(pairs, threads, below=False)

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Subtract those of a copy."""
        return self._computed(pairs, threads, below=True)

    def _computed(self, pairs: Pairs, threads: int, *, below: bool) -> Doubles:
        counts = counted_pieces(pairs, self.kernels, self.cutting, lowercase=self.lowercase, threads=threads)
        if self.similarities:
            return self.similarities(counts, below=below).T
        counts = counts.transpose(2, 0, 1)
        for place, other in enumerate(self.instead):
            nothing = ~counts[:, place, 1:].any(axis=1)
            counts[nothing, place] = 1 if other == ONE else counts[nothing, other]
        values = np.minimum(measured(self.templates, self.counted, counts), FARTHEST)
        return values - np.array(self.copies) if below else values


def _shorter(pieces: Pieces) -> Pieces | None:
    """Return the pieces that replace these where neither text has any."""
    if pieces.kind == "skip":
        return Pieces("ngram", 1)
    return (
        None
        if pieces.kind in (*LENGTHS, *ONE_SIDED) or pieces.size == 1
        else Pieces(pieces.kind, pieces.size - 1)
    )


class SolidView(BackOffView):
    """Pieces of the text without spaces."""

    prefix = "solid"
    cutting = Cutting(solid=True)


class BeginView(BackOffView):
    """Pieces of words cut to four letters, punctuation left out."""

    prefix = "begin"
    cutting = Cutting(split="letters", most=4)
    lowercase = True


class LexiconView(View):
    """Words that a lexicon does not know."""

    prefix = "lexicon"

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs; 0 for a copy."""
        if self.sources.lexicon is None:
            return np.zeros((len(pairs), len(self.templates)))
        shares = self.sources.lexicon.foreign(pairs, threads=threads).shares
        return shares[[FOREIGN.index(template.pieces.kind) for template in self.templates]].T

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the same: a copy has no words beyond the reference."""
        return self.block(pairs, threads)


class EnglishView(View):
    """Words that are not in the English list, where the reference is in English."""

    prefix = "english"
    english: ClassVar[bool] = True

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs; 0 for a copy."""
        shares = pairs.once(ListedShares.of).counted(english=self.english)
        if shares is None:
            return np.zeros((len(pairs), len(self.templates)))
        places, powers = self._columns
        return (np.sqrt(shares[places]) if powers is None else shares[places] ** powers).T

    @cached_property
    def _columns(self) -> tuple[list[int], Doubles | None]:
        """The share of each feature, and its power; None if all are roots, which numpy computes faster."""
        powers = np.array([template.weight for template in self.templates])
        places = [LISTED.index(template.pieces.kind) for template in self.templates]
        return places, None if (powers == 0.5).all() else powers[:, None]

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the same: a copy has no words beyond the reference."""
        return self.block(pairs, threads)


class OtherView(EnglishView):
    """Words that are not in the list of another language, where the reference is in that language."""

    prefix = "other"
    english = False


class ListedView(View):
    """Reference words that the hypothesis has, weighted by their rarity."""

    prefix = "listed"

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs; 1 for a copy."""
        return pairs.once(ListedShares.of).shares[-1:].T

    def block_below(self, pairs: Pairs, threads: int) -> Doubles:
        """Subtract those of a copy."""
        return self.block(pairs, threads) - 1.0


class MatchView(View):
    """Links of the matcher, and the order of the linked words."""

    prefix = "match"

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs."""
        links = link_counts(pairs, self.sources.matching, self.sources.function_words)
        kinds = [pieces for pieces in self.pieces if pieces.family == "match"]
        plain = [template for template in self.templates if template.pieces.family == "match"]
        shares = measured(plain, kinds, links.counts([pieces.kind for pieces in kinds]))
        values = np.empty((len(pairs), len(self.templates)))
        column = iter(shares.T)
        for place, template in enumerate(self.templates):
            if template.pieces.family == "match":
                values[:, place] = next(column)
                continue
            value = order_values(links.permutations, template.pieces.kind)
            values[:, place] = value if template.measure == "v" else (value * links.recall) ** template.weight
        return values


class ParseView(View):
    """Pieces of dependency trees, found by the texts."""

    prefix = "parse"

    def block(self, pairs: Pairs, threads: int) -> Doubles:
        """Compute the features of a block of pairs."""
        from wordorder.text.parses import pieces_lines

        table = self.sources.parses
        if table is None:
            raise BadSetting(
                "features of trees need parses of all texts: beer:version=treepel,parses=FILE.conllu"
            )
        counts = np.empty((len(pairs), len(self.pieces), 3), np.int64)
        for place, pieces in enumerate(self.pieces):
            lines = replace(pairs, texts=pieces_lines(table, pairs.texts, pieces.name))
            counts[:, place] = overlaps(lines, [Pieces("ngram", 1)], threads=threads)[:, 0]
        return measured(self.templates, self.pieces, counts)


VIEWS: dict[str, type[View]] = {
    view.prefix: view
    for view in (
        CasedView,
        LowerView,
        SolidView,
        BeginView,
        LexiconView,
        EnglishView,
        OtherView,
        ListedView,
        MatchView,
        ParseView,
    )
}

LISTED_VIEWS = ("english", "other", "listed")  # those that need the lists of words of the package
HOMES = {
    "text": ("cased", "lower", "solid", "begin"),
    "match": ("match",),
    "order": ("match",),
    "lexicon": ("lexicon",),
    "listed": ("english", "other"),
    "rarity": ("listed",),
    "parse": ("parse",),
}


def views_of(names: Iterable[str], sources: Sources) -> tuple[View, ...]:
    """Make views with these features, ``cased:char3.sf1``, in the order of :data:`VIEWS`, then of names."""
    mine: dict[str, list[Template]] = {}
    for name in names:
        prefix, _, rest = name.partition(":")
        if prefix not in VIEWS:
            raise BadSetting(f"unknown feature {name!r}; expected {', '.join(f'{v}:NAME' for v in VIEWS)}")
        template = Template.parse(rest)
        home = HOMES[template.pieces.family]
        if prefix not in home:
            raise BadSetting(f"feature {name!r} belongs to {' or '.join(home)}, not {prefix}")
        mine.setdefault(prefix, []).append(template)
    return tuple(VIEWS[p](tuple(mine[p]), sources) for p in VIEWS if p in mine)


def feature_names(templates: str) -> list[str]:
    """List the features of templates, ``view:pieces.measure``.

    Without a view, features of text are used in both cases, and the others in the view that has them.

    >>> feature_names("char1-2.sf1 kendall.v solid:char3.p")[2:]
    ['lower:char1.sf1', 'lower:char2.sf1', 'solid:char3.p', 'match:kendall.v']
    """
    mine: dict[str, list[str]] = {}
    for word in templates.split():
        prefix, _, rest = word.rpartition(":")
        for template in parse_templates(rest):
            homes = HOMES[template.pieces.family]
            for view in (prefix,) if prefix else homes[:2]:
                mine.setdefault(view, []).append(f"{view}:{template.name}")
    names = [name for view in (*VIEWS, *(v for v in mine if v not in VIEWS)) for name in mine.get(view, [])]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"feature {name!r} is asked for twice")
    return names
