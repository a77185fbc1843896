"""Translations with their references, and what metrics of text share.

Words are tokenised, numbered and matched once for all metrics that want it the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from wordorder.align.matcher import TIES, Matcher
from wordorder.align.matches import Matches
from wordorder.align.ribes import RibesMatcher
from wordorder.arrays import Bools, Longs
from wordorder.core.alignment import Alignments
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting, WordOrderError
from wordorder.text.normalisation import folding, normalised
from wordorder.text.pairs import Pairs
from wordorder.text.segmentation import tokenizer_for
from wordorder.text.tokens import Tokens, Words, all_text, as_lines

if TYPE_CHECKING:
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
    if kind not in get_args(GivenKind) or not opened or not policy.endswith(")"):
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

    @property
    def written(self) -> tuple[str, bool, str, str]:
        """What words depend on, however they are matched."""
        return self.tokenize, self.lowercase, self.normalize, folding(self.language)

    def table(self) -> Words:
        """Return an empty table of words as they are matched."""
        tokenize, lowercase, normalize, language = self.written
        return Words(tokenize, lowercase=lowercase, normalize=normalize, language=language)

    @property
    def stages(self) -> set[str]:
        """The stages of the matcher, such as exact and stem."""
        return set(self.match.partition("@")[0].split("+"))

    @property
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


@dataclass(frozen=True)
class Matched:
    """Segments against one reference: permutations of matched words, and lengths."""

    permutations: Permutations  # reference positions in the order of the hypothesis
    hypothesis_lengths: Longs
    reference_lengths: Longs
    linked: Longs | None = None  # of given alignments: source words linked on both sides
    texts: MatchedTexts | None = None  # None for given alignments
    links: Alignments | None = None  # of the source with the hypotheses, where their order is compared

    @property
    def matched(self) -> Longs:
        """The number of matched words of each segment."""
        return self.permutations.lengths if self.linked is None else self.linked

    @cached_property
    def both_empty(self) -> Bools:
        """Whether both sides of a segment are empty."""
        return np.asarray((self.hypothesis_lengths == 0) & (self.reference_lengths == 0))

    @cached_property
    def common(self) -> Longs:
        """The size of the intersection of both sides as bags of words, whichever words were matched."""
        if self.texts is None:
            raise WordOrderError("given alignments have no words in common")
        if self.texts.stages == ("exact",):
            return self.matched  # equal words are matched as long as there are any
        return common_words(self.texts.hypotheses, self.texts.references, len(self.texts.words))

    @property
    def shared(self) -> Longs:
        """The number of matched words on both sides; of given alignments, of linked source words."""
        return 2 * self.matched if self.linked is None else self.linked

    @property
    def to_match(self) -> Longs:
        """The number of words on both sides; of given alignments, of source words."""
        if self.linked is None:
            return np.asarray(self.hypothesis_lengths + self.reference_lengths)
        return self.permutations.lengths if self.links is None else self.reference_lengths


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
        self._prepared: dict[Any, list[Any]] = {}
        self._normalised: dict[str, References | None] = {}

    @cached_property
    def tokenizer(self) -> str | None:
        """The tokenizer that the script of the references needs; None for text with spaces."""
        return tokenizer_for(self.streams[0])

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

    def prepared(self, peer: Any) -> list[Any]:
        """Return what a metric of sacrebleu extracts from the references: its n-grams."""
        if peer not in self._prepared:  # by identity
            self._prepared[peer] = peer._cache_references(self.streams)
        return self._prepared[peer]

    def __len__(self) -> int:
        return len(self.streams)


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
        if matching not in self._matched:
            self._matched[matching] = self._match(matching)
        return self._matched[matching]

    def pairs(self) -> list[Pairs]:
        """Return the pairs of hypotheses and references, for each reference."""
        return [Pairs.of(self.hypotheses, stream) for stream in self.references.streams]

    def word_counts(self, matching: Matching) -> Longs:
        """Return :meth:`Metric.word_counts` of all metrics that match words in this way."""
        if matching not in self._word_counts:
            streams = self.matched(matching)
            matched = np.stack([stream.shared for stream in streams])
            to_match = np.stack([stream.to_match for stream in streams])
            best = (matched / np.maximum(to_match, 1)).argmax(axis=0), np.arange(matched.shape[1])
            columns = [streams[0].hypothesis_lengths, matched[best], to_match[best]]
            self._word_counts[matching] = np.column_stack(columns)
        return self._word_counts[matching]

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
        words, hypotheses, streams = self._encoded(matching)
        matcher, matched = matching.matcher, []
        for stream in streams:
            texts = MatchedTexts(
                words, hypotheses, stream, matcher.match(hypotheses, stream, words), matcher.stages
            )
            orders = texts.matches.permutations()
            matched.append(Matched(orders, hypotheses.lengths, stream.lengths, texts=texts))
        return matched

    def _encoded(self, matching: Matching) -> tuple[Words, Tokens, list[Tokens]]:
        words, streams = self.references.encoded(matching)
        return words, words.encode(self.hypotheses), streams

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

    def _encoded(self, matching: Matching) -> tuple[Words, Tokens, list[Tokens]]:
        words = matching.table()
        texts = words.encode(self._pairs.texts)
        return words, texts.take(self._pairs.first), [texts.take(self._pairs.second)]

    def __len__(self) -> int:
        return len(self._pairs)


class PairReferences(References):
    """The second texts of pairs."""

    def __init__(self, pairs: Pairs) -> None:
        self._pairs = pairs
        self._encoded, self._prepared, self._normalised = {}, {}, {}

    @cached_property
    def streams(self) -> list[Sequence[str]]:  # type: ignore[override]
        """One stream: the second text of each pair."""
        return [[self._pairs.texts[k] for k in self._pairs.second.tolist()]]

    @cached_property
    def tokenizer(self) -> str | None:
        """The tokenizer that the script of the texts needs."""
        return tokenizer_for(self._pairs.texts)

    def __len__(self) -> int:
        return 1
