"""Translations with their references, and what metrics of text share.

Words are tokenised, numbered and matched once for all metrics that want it the same way.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from wordorder.align.matcher import TIES, Matcher
from wordorder.align.matches import MatchedOrders, Matches
from wordorder.arrays import Bools, Longs
from wordorder.core.alignment import Alignments
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting, WordOrderError
from wordorder.text.normalisation import folding, normalised
from wordorder.text.pairs import Pairs
from wordorder.text.segmentation import tokenizer_for
from wordorder.text.tokens import LineWriter, Tokens, Words, all_text, as_lines

if TYPE_CHECKING:
    from wordorder.align.ribes import RibesMatcher
    from wordorder.metrics.given_alignments import GivenAlignments


# Where alignments are given, the order of a translation is compared with those of the references, or with
# that of the source itself.
GivenKind = Literal["alignments", "source"]


def on_given(policy: str, kind: GivenKind = "alignments") -> str:
    """Write a policy as the ``match`` of metrics on given alignments, as it may stand in signatures.

    >>> on_given("thesis:link=first,attach=left")
    'alignments(thesis.link-first.attach-left)'
    >>> on_given("talbot", "source")
    'source(talbot)'
    """
    return f"{kind}({policy.translate(str.maketrans(':,=', '..-'))})"


def given_policy(match: str) -> str | None:
    """Return the policy of ``alignments(policy)`` or ``source(policy)``, or None where words are matched.

    >>> given_policy("alignments(birch)"), given_policy("exact+stem")
    ('birch', None)
    >>> given_policy("source(thesis.link-first.attach-left)")
    'thesis:link=first,attach=left'
    """
    kind, opened, policy = match.partition("(")
    if not opened or not policy.endswith(")") or kind not in get_args(GivenKind):  # most have no bracket
        return None
    return policy[:-1].replace(".", ":", 1).translate(str.maketrans(".-", ",="))


@dataclass(frozen=True, kw_only=True)
class Matching:
    """How two texts become permutations: what is a word, and which words are the same."""

    tokenize: str = "13a"
    lowercase: bool = True
    match: str = "exact"
    language: str = "en"
    wordnet: str = ""  # folder; empty: the usual places
    paraphrases: str = ""  # file; empty: the usual places
    normalize: str = "standard"

    @cached_property
    def written(self) -> tuple[str, bool, str, str]:
        """What words depend on, however they are matched."""
        return self.tokenize, self.lowercase, self.normalize, folding(self.language)

    def __hash__(self) -> int:
        return hash(self.match)  # a string keeps its hash; few of these are ever in one table

    @cached_property
    def lines(self) -> LineWriter:
        """How lines are written for a matcher."""
        tokenize, lowercase, normalize, language = self.written
        return LineWriter(tokenize, lowercase=lowercase, normalize=normalize, language=language)

    def table(self) -> Words:
        """Return an empty table of words as they are matched."""
        return Words.of(self.lines)

    @property
    def stages(self) -> set[str]:
        """The stages of the matcher, such as exact and stem."""
        return set(self.match.partition("@")[0].split("+"))

    @cached_property
    def matcher(self) -> Matcher | RibesMatcher:
        """The matcher with these stages, ``exact+stem``, or ``ribes``.

        ``exact@first`` breaks ties as METEOR's program does, not by distance; ``exact+stem@meteor`` also
        compares alignments as the program does.
        """
        return _matcher(self.match, self.language, self.wordnet or None, self.paraphrases or None)


@lru_cache(maxsize=16)
def _matcher(
    match: str, language: str, wordnet: str | None, paraphrases: str | None
) -> Matcher | RibesMatcher:
    if match == "ribes":
        from wordorder.align.ribes import RibesMatcher

        return RibesMatcher()
    stages, _, ties = match.partition("@")
    if ties not in ("", *TIES):
        raise BadSetting(f"match={match} breaks ties by {ties!r}; expected one of {', '.join(TIES)}")
    return Matcher(
        stages=tuple(stages.split("+")),
        language=language,
        ties=ties or "distance",  # type: ignore[arg-type]
        wordnet=wordnet,
        paraphrases=paraphrases,
    )


@dataclass(frozen=True)
class MatchedTexts:
    """The words of segments and of one reference, and the links between them."""

    words: Words
    hypotheses: Tokens
    references: Tokens
    matches: Matches
    stages: tuple[str, ...]  # the stages of the matches, by number

    def matched(self) -> Matched:
        """Return the orders of the linked words."""
        lengths = self.hypotheses.lengths, self.references.lengths
        orders = self.matches.permutations()
        return Matched(orders, *lengths, stages=self.stages, make_texts=lambda: self)


@dataclass(frozen=True)
class Matched:
    """Segments against one reference: permutations of matched words, and lengths."""

    permutations: Permutations  # reference positions in the order of the hypothesis
    hypothesis_lengths: Longs
    reference_lengths: Longs
    linked: Longs | None = None  # of given alignments: source words linked on both sides
    links: Alignments | None = None  # of the source with the hypotheses, where their order is compared
    stages: tuple[str, ...] = ()  # of the matcher; none for given alignments
    make_texts: Callable[[], MatchedTexts] | None = None  # None for given alignments

    @classmethod
    def of_orders(
        cls, orders: MatchedOrders, stages: tuple[str, ...], make_texts: Callable[[], MatchedTexts]
    ) -> Matched:
        """Take over what a matcher knows already."""
        made = cls.__new__(cls)
        made.__dict__.update(  # several times as fast as the constructor, and some need not be computed
            permutations=orders.permutations, hypothesis_lengths=orders.counts[:, 0],
            reference_lengths=orders.reference_lengths, linked=None, links=None, stages=stages,
            make_texts=make_texts, word_counts=orders.counts, unmatched=orders.unmatched,
        )  # fmt: skip
        return made

    @cached_property
    def texts(self) -> MatchedTexts | None:
        """The words and the links between them, which few metrics need; None for given alignments."""
        return self.make_texts() if self.make_texts else None

    @property
    def matched(self) -> Longs:
        """The number of matched words of each segment."""
        return self.permutations.lengths if self.linked is None else self.linked

    @cached_property
    def both_empty(self) -> Bools:
        """Whether both sides of a segment are empty."""
        return np.asarray((self.hypothesis_lengths == 0) & (self.reference_lengths == 0))

    @cached_property
    def unmatched(self) -> list[int]:
        """The numbers of the segments with words, none of which is matched."""
        return np.flatnonzero((self.matched == 0) & ~self.both_empty).tolist()

    @cached_property
    def common(self) -> Longs:
        """The size of the intersection of both sides as bags of words, whichever words were matched."""
        if self.stages == ("exact",):
            return self.matched  # equal words are matched as long as there are any
        if self.texts is None:
            raise WordOrderError("given alignments have no words in common")
        return common_words(self.texts.hypotheses, self.texts.references, len(self.texts.words))

    @cached_property
    def word_counts(self) -> Longs:
        """Count words of the hypothesis, and words matched and words to match on both sides, in this order.

        The last two are counts of source words, where alignments are given.
        """
        if self.linked is None:
            matched, to_match = 2 * self.matched, self.hypothesis_lengths + self.reference_lengths
        else:
            matched = self.linked
            to_match = self.permutations.lengths if self.links is None else self.reference_lengths
        return np.column_stack([self.hypothesis_lengths, matched, to_match])


def common_words(first: Tokens, second: Tokens, words: int) -> Longs:
    """Count the words that two lines have in common, each as often as both have it.

    >>> table = Words()
    >>> lines = table.encode(["the cat the dog"]), table.encode(["the the the cat"])
    >>> common_words(*lines, len(table)).tolist()
    [3]
    """
    bags = []
    for side in (first, second):
        line = np.repeat(np.arange(len(side)), side.lengths)
        bags.append(np.unique(line * words + side.ids, return_counts=True))
    (keys, counts), (other_keys, other_counts) = bags
    shared, mine, theirs = np.intersect1d(keys, other_keys, assume_unique=True, return_indices=True)
    both = np.minimum(counts[mine], other_counts[theirs])
    return np.bincount(shared // max(words, 1), weights=both, minlength=len(first)).astype(np.int64)


class References:
    """Reference streams; what is computed from them is computed once, however many systems are scored."""

    def __init__(self, streams: Sequence[Sequence[str]]) -> None:
        streams = as_lines(streams, "reference streams")  # type: ignore[arg-type]
        self.streams = [as_lines(stream, "reference segments") for stream in streams]
        if not self.streams:
            raise WordOrderError("no references: expected a list of reference streams, [references]")
        for stream in self.streams:
            if not all_text(stream):
                raise WordOrderError("a reference segment is not text")
        self._encoded: dict[tuple[str, bool, str, str], tuple[Words, list[Tokens]]] = {}
        self._written: dict[tuple[str, bool, str, str], tuple[LineWriter, list[bytes]]] = {}
        self._prepared: dict[Any, list[Any]] = {}
        self._normalised: dict[str, References | None] = {}
        self._tokenizer: list[str | None] = []

    @property
    def tokenizer(self) -> str | None:
        """The tokenizer that the script of the references needs; None for text with spaces."""
        if not self._tokenizer:  # functools.cached_property takes longer than looking at a sentence
            self._tokenizer.append(tokenizer_for(self._sample()))
        return self._tokenizer[0]

    @tokenizer.setter
    def tokenizer(self, name: str | None) -> None:
        self._tokenizer = [name]

    def _sample(self) -> Sequence[str]:
        """Return the texts whose script counts."""
        return self.streams[0]

    def encoded(self, matching: Matching) -> tuple[Words, list[Tokens]]:
        """Return the references as numbered words, and their table of words."""
        key = matching.written
        if key not in self._encoded:
            words = matching.table()
            self._encoded[key] = words, [words.encode(stream) for stream in self.streams]
        return self._encoded[key]

    def normalised(self, steps: str) -> References:
        """Return the references after normalisation; the same object if nothing changes."""
        if steps not in self._normalised:
            streams = [normalised(stream, steps) for stream in self.streams]
            same = all(new is old for new, old in zip(streams, self.streams, strict=True))
            self._normalised[steps] = None if same else References(streams)
        return self._normalised[steps] or self

    def written(self, matching: Matching) -> tuple[LineWriter, list[bytes]]:
        """Return the references as text for the matcher, and how to write other lines in the same way."""
        key = matching.written
        if key not in self._written:
            write = matching.lines
            self._written[key] = write, [write(stream) for stream in self.streams]
        return self._written[key]

    def prepared(self, peer: Any) -> list[Any]:
        """Return what a metric of sacrebleu extracts from the references: its n-grams."""
        if peer not in self._prepared:  # by identity
            self._prepared[peer] = peer._cache_references(self.streams)
        return self._prepared[peer]

    def __len__(self) -> int:
        return len(self.streams)


class TextsToMatch(ABC):
    """The texts of segments, as a matcher takes them."""

    @abstractmethod
    def encoded(self, matching: Matching) -> tuple[Words, Tokens, list[Tokens]]:
        """Return the table of words, the hypotheses and the references as numbered words."""

    @abstractmethod
    def match_lines(self, matching: Matching, matcher: Matcher) -> list[MatchedOrders]:
        """Match equal words with each reference."""

    def all_linked(self, matching: Matching) -> list[MatchedTexts]:
        """Match words with each reference, and keep words and links."""
        words, hypotheses, streams = self.encoded(matching)
        matcher = matching.matcher
        return [
            MatchedTexts(words, hypotheses, stream, matcher.match(hypotheses, stream, words), matcher.stages)
            for stream in streams
        ]

    def linked(self, matching: Matching, number: int) -> MatchedTexts:
        """Do this for one reference."""
        return self.all_linked(matching)[number]


class SegmentTexts(TextsToMatch):
    """Hypotheses, and references that may be those of other hypotheses, too."""

    def __init__(self, hypotheses: Sequence[str], references: References) -> None:
        self.hypotheses, self.references = hypotheses, references

    def encoded(self, matching: Matching) -> tuple[Words, Tokens, list[Tokens]]:
        """Number the words."""
        words, streams = self.references.encoded(matching)
        return words, words.encode(self.hypotheses), streams

    def match_lines(self, matching: Matching, matcher: Matcher) -> list[MatchedOrders]:
        """Match equal words of the lines."""
        write, streams = self.references.written(matching)
        hypotheses = write(self.hypotheses)
        return [matcher.match_lines(hypotheses, stream, write.splitter) for stream in streams]


class PairTexts(TextsToMatch):
    """Texts that are hypotheses and references of each other."""

    def __init__(self, pairs: Pairs) -> None:
        self.pairs = pairs

    def encoded(self, matching: Matching) -> tuple[Words, Tokens, list[Tokens]]:
        """Number the words."""
        words = matching.table()
        texts = words.encode(self.pairs.texts)
        return words, texts.take(self.pairs.first), [texts.take(self.pairs.second)]

    def match_lines(self, matching: Matching, matcher: Matcher) -> list[MatchedOrders]:
        """Match equal words of the lines."""
        write = matching.lines
        lines = write(self.pairs.texts)
        return [matcher.match_pairs(lines, self.pairs.first, self.pairs.second, write.splitter)]


class Segments:
    """Hypotheses with one or more reference streams, each as long as ``hypotheses``.

    Alignments that are ``given`` replace matching.
    """

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: References | Sequence[Sequence[str]],
        *,
        given: GivenAlignments | None = None,
    ) -> None:
        hypotheses = as_lines(hypotheses, "hypotheses")
        if not all_text(hypotheses):
            raise WordOrderError("a hypothesis is not text")
        self.hypotheses = hypotheses
        self.references = references if isinstance(references, References) else References(references)
        for number, stream in enumerate(self.references.streams, start=1):
            if len(stream) != len(hypotheses):
                raise WordOrderError(
                    f"{len(hypotheses)} hypotheses but {len(stream)} segments in reference {number}."
                    " References are given as streams: [references] for one, [first, second] for two."
                )
        if given is not None:
            if not hasattr(given, "check_texts"):
                raise WordOrderError(
                    f"given is a {type(given).__name__}; expected GivenAlignments(hypotheses=, references=)"
                )
            given.check_texts(hypotheses, self.references.streams)
        self.given = given
        self._matched: dict[Matching, list[Matched]] = {}
        self._word_counts: dict[Matching, Longs] = {}

    def normalised(self, steps: str) -> Segments:
        """Return the segments after normalisation, for metrics of whole texts; the same if nothing changes.

        Matched words are normalised by their :class:`Matching`; alignments are of the words as they are.
        """
        hypotheses, references = normalised(self.hypotheses, steps), self.references.normalised(steps)
        if hypotheses is self.hypotheses and references is self.references:
            return self
        return Segments(hypotheses, references)

    def matched(self, matching: Matching) -> list[Matched]:
        """Match the segments with each reference."""
        matched = self._matched.get(matching)
        if matched is None:
            matched = self._matched[matching] = self._match(matching)
        return matched

    def pairs(self) -> list[Pairs]:
        """Return the pairs of hypotheses and references, for each reference."""
        return [Pairs.of(self.hypotheses, stream) for stream in self.references.streams]

    def word_counts(self, matching: Matching) -> Longs:
        """Return :meth:`Metric.word_counts` of all metrics that match words in this way."""
        counts = self._word_counts.get(matching)
        if counts is None:
            streams = self.matched(matching)
            counts = streams[0].word_counts
            if len(streams) > 1:
                every = np.stack([stream.word_counts for stream in streams])
                best = (every[:, :, 1] / np.maximum(every[:, :, 2], 1)).argmax(axis=0)
                counts = every[best, np.arange(len(self))]
            self._word_counts[matching] = counts
        return counts

    @cached_property
    def words(self) -> Longs:
        """The number of words of each hypothesis, separated by spaces."""
        return np.array([len(line.split()) for line in self.hypotheses], dtype=np.int64)

    def _match(self, matching: Matching) -> list[Matched]:
        if given_policy(matching.match) is not None:
            if self.given is None or on_given(self.given.policy, self.given.kind) != matching.match:
                needed = "SourceAlignments" if matching.match.startswith("source") else "GivenAlignments"
                raise WordOrderError(f"the metric is for {matching.match}: pass them as given={needed}(...)")
            return self.given.matched()
        texts, matcher = self._texts(), matching.matcher
        if isinstance(matcher, Matcher) and matcher.needs_only_lines:
            return [
                # What is kept here must not refer to the segments: a cycle would outlive them.
                Matched.of_orders(orders, matcher.stages, partial(texts.linked, matching, number))
                for number, orders in enumerate(texts.match_lines(matching, matcher))
            ]
        return [linked.matched() for linked in texts.all_linked(matching)]

    def _texts(self) -> TextsToMatch:
        return SegmentTexts(self.hypotheses, self.references)

    def __len__(self) -> int:
        return len(self.hypotheses)


class TextPairs(Segments):
    """Segments that pair some texts with each other, such as all candidates for a sentence."""

    def __init__(self, pairs: Pairs) -> None:
        # The lists of hypotheses and references repeat the texts many times: they are made only if asked for.
        self._pairs, self.references, self.given = pairs, PairReferences(pairs), None
        self._matched, self._word_counts = {}, {}

    def normalised(self, steps: str) -> Segments:
        """Return the pairs after normalisation; the same object if nothing changes."""
        texts = normalised(self._pairs.texts, steps)
        return self if texts is self._pairs.texts else TextPairs(replace(self._pairs, texts=texts))

    @cached_property
    def hypotheses(self) -> Sequence[str]:  # type: ignore[override]
        """The first text of each pair."""
        return [self._pairs.texts[k] for k in self._pairs.first.tolist()]

    def pairs(self) -> list[Pairs]:
        """Return the pairs."""
        return [self._pairs]

    def _texts(self) -> PairTexts:
        return PairTexts(self._pairs)

    def __len__(self) -> int:
        return len(self._pairs)


class PairReferences(References):
    """The second texts of pairs."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._encoded, self._written, self._prepared, self._normalised, self._tokenizer = {}, {}, {}, {}, []

    @cached_property
    def streams(self) -> list[Sequence[str]]:  # type: ignore[override]
        """One stream: the second text of each pair."""
        return [[self._pairs.texts[k] for k in self._pairs.second.tolist()]]

    def _sample(self) -> Sequence[str]:
        return self._pairs.texts

    def __len__(self) -> int:
        return 1
