"""Translations with their references, and what metrics on text share.

Words are tokenised, numbered and matched once for all metrics that want it the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordorder.align.matcher import Matcher
from wordorder.align.ribes import RibesMatcher
from wordorder.arrays import Longs
from wordorder.core.permutation import Permutations
from wordorder.errors import BadSetting, WordOrderError
from wordorder.text.tokens import Tokens, Words, as_lines

if TYPE_CHECKING:
    from wordorder.metrics.given_alignments import Given


def given_policy(match: str) -> str | None:
    """The policy of ``alignments(policy)``; None where words are matched.

    >>> given_policy("alignments(birch)"), given_policy("exact+stem")
    ('birch', None)
    """
    return match[len("alignments(") : -1] if match.startswith("alignments(") else None


@dataclass(frozen=True, kw_only=True)
class Matching:
    """How two texts become permutations: what is a word, and which words are the same."""

    tokenize: str = "13a"
    lowercase: bool = True
    match: str = "exact"
    language: str = "en"
    wordnet: str = ""  # folder; empty: in the usual places
    paraphrases: str = ""  # file; empty: in the usual places

    @cached_property
    def matcher(self) -> Matcher | RibesMatcher:
        """The matcher with these stages, ``exact+stem``, or ``ribes``.

        ``exact@first`` settles ties as METEOR's program does, not by distance.
        """
        if self.match == "ribes":
            return RibesMatcher()
        stages, _, ties = self.match.partition("@")
        if ties not in ("", "distance", "first"):
            raise BadSetting(f"ties are settled by {ties!r}; expected distance or first")
        return Matcher(
            stages=tuple(stages.split("+")),
            language=self.language,
            ties="first" if ties == "first" else "distance",
            wordnet=self.wordnet or None,
            paraphrases=self.paraphrases or None,
        )


@dataclass(frozen=True)
class Matched:
    """Segments against one reference: permutations of matched words, and lengths."""

    permutations: Permutations  # reference positions in the order of the hypothesis
    hypothesis_lengths: Longs
    reference_lengths: Longs
    linked: Longs | None = None  # of given alignments: source words linked on both sides

    @property
    def matched(self) -> Longs:
        """How many words were matched, per segment."""
        return self.permutations.lengths if self.linked is None else self.linked

    @cached_property
    def both_empty(self) -> NDArray[np.bool_]:
        """Where there is nothing to translate and nothing was."""
        return np.asarray((self.hypothesis_lengths == 0) & (self.reference_lengths == 0))


class References:
    """Reference streams; what is made of them is made once, however many systems are scored."""

    def __init__(self, streams: Sequence[Sequence[str]]) -> None:
        streams = as_lines(streams, "reference streams")  # type: ignore[arg-type]
        self.streams = [as_lines(stream, "reference segments") for stream in streams]
        if not self.streams:
            raise WordOrderError("no references: expected a list of reference streams, [references]")
        for stream in self.streams:
            if any(not isinstance(line, str) for line in stream):
                raise WordOrderError("a reference segment is not text")
        self._encoded: dict[tuple[str, bool], tuple[Words, list[Tokens]]] = {}
        self._prepared: dict[Any, list[Any]] = {}

    def encoded(self, matching: Matching) -> tuple[Words, list[Tokens]]:
        """The references as numbered words, and their table of words."""
        key = (matching.tokenize, matching.lowercase)
        if key not in self._encoded:
            words = Words(matching.tokenize, lowercase=matching.lowercase)
            self._encoded[key] = words, [words.encode(stream) for stream in self.streams]
        return self._encoded[key]

    def prepared(self, peer: Any) -> list[Any]:
        """What a metric of sacrebleu makes of the references: its n-grams."""
        if peer not in self._prepared:  # by identity
            self._prepared[peer] = peer._cache_references(self.streams)
        return self._prepared[peer]

    def __len__(self) -> int:
        return len(self.streams)


class Segments:
    """Some hypotheses with one or more reference streams.

    Each stream is as long as ``hypotheses``. Where the user has alignments, ``given`` replaces
    matching.
    """

    def __init__(
        self,
        hypotheses: Sequence[str],
        references: References | Sequence[Sequence[str]],
        *,
        given: Given | None = None,
    ) -> None:
        hypotheses = as_lines(hypotheses, "hypotheses")
        if any(not isinstance(line, str) for line in hypotheses):
            raise WordOrderError("a hypothesis is not text")
        self.hypotheses = hypotheses
        self._references = references if isinstance(references, References) else References(references)
        self.references = self._references.streams
        for number, stream in enumerate(self.references, start=1):
            if len(stream) != len(hypotheses):
                raise WordOrderError(
                    f"{len(hypotheses)} hypotheses but {len(stream)} segments in reference {number}."
                    " References are given as streams: [references] for one, [first, second] for two."
                )
        if given is not None:
            given.check_texts(hypotheses, self.references)
        self.given = given
        self._matched: dict[Matching, list[Matched]] = {}

    def matched(self, matching: Matching) -> list[Matched]:
        """The segments against each reference."""
        if matching not in self._matched:
            self._matched[matching] = self._found(matching)
        return self._matched[matching]

    def _found(self, matching: Matching) -> list[Matched]:
        if (policy := given_policy(matching.match)) is not None:
            if self.given is None or self.given.policy != policy:
                raise WordOrderError(f"the metric is for {matching.match}: give those, given=Given(...)")
            return self.given.matched()
        words, streams = self._references.encoded(matching)
        hypotheses = words.encode(self.hypotheses)
        return [
            Matched(
                matching.matcher.match(hypotheses, stream, words).permutations(),
                hypotheses.lengths,
                stream.lengths,
            )
            for stream in streams
        ]

    def prepared(self, peer: Any) -> list[Any]:
        """What a metric of sacrebleu makes of the references."""
        return self._references.prepared(peer)

    def __len__(self) -> int:
        return len(self.hypotheses)
