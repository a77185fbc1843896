"""Permutations from given alignments, where no words are matched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from wordorder.arrays import Longs
from wordorder.core.alignment import Alignment, Alignments
from wordorder.core.orders import orders_from_links, policy_of
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.lines import counted, split_words
from wordorder.metrics.segments import GivenKind, Matched
from wordorder.text.tokens import Tokenizer, Words

POLICIES = ("birch", "talbot", "thesis", "phrases")
POLICY_NAMES = "birch, talbot, thesis or phrases"


@dataclass(frozen=True, kw_only=True)
class GivenAlignments:
    """Alignments of the source with the hypotheses, and with each stream of references.

    Both order the words of the source, those without a link included, by ``policy``. The permutation
    of a segment is the order of the hypothesis in terms of that of the reference; it is as long as
    the source. Lengths of texts are those that the alignments have. ``tokenize`` says what is a word of
    the hypotheses and the references; by default, words are separated by spaces.

    >>> swapped, straight = Alignment(2, 2, [(0, 1), (1, 0)]), Alignment(2, 2, [(0, 0), (1, 1)])
    >>> given = GivenAlignments(hypotheses=[swapped], references=[[straight], [swapped]])
    >>> [list(matched.permutations[0]) for matched in given.matched()]
    [[1, 0], [0, 1]]
    """

    hypotheses: Sequence[Alignment]
    references: Sequence[Sequence[Alignment]]
    policy: str = "talbot"
    tokenize: Tokenizer = "none"
    kind: ClassVar[GivenKind] = "alignments"

    def __post_init__(self) -> None:
        self._check_policy()
        _check_stream(self.hypotheses, "hypotheses")
        if isinstance(self.references, (str, Alignment)) or not hasattr(self.references, "__len__"):
            raise WordOrderError(f"references are {_kind(self.references)}; expected lists of alignments")
        if any(isinstance(stream, Alignment) for stream in self.references):
            raise WordOrderError(
                "references are one list of alignments; expected a list for each reference: [alignments]"
            )
        for number, stream in enumerate(self.references, start=1):
            _check_stream(stream, f"reference {number}")
            if len(stream) != len(self.hypotheses):
                raise WordOrderError(
                    f"{len(self.hypotheses)} alignments of hypotheses, {len(stream)} of reference {number}"
                )
            mine, other = (
                Alignments.from_alignments(side).source_sizes for side in (self.hypotheses, stream)
            )
            for segment in np.flatnonzero(mine != other).tolist():
                raise WordOrderError(
                    f"segment {segment + 1}: the source has {mine[segment]} words where it is aligned "
                    f"with the hypothesis, {other[segment]} with reference {number}"
                )

    def _check_policy(self) -> None:
        policy = policy_of(self.policy)
        if policy.name not in POLICIES or {"drop", "pin"} & set(policy.settings.values()):
            raise BadSetting(
                f"policy is {self.policy!r}; expected one that places every word by its links alone:"
                f" {POLICY_NAMES}, without dropped words and rules for punctuation"
            )

    def check_texts(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> None:
        """Check that there is one alignment per text, of as many words as the text has."""
        if len(self.hypotheses) != len(hypotheses):
            raise WordOrderError(
                f"{len(hypotheses)} hypotheses, but {len(self.hypotheses)} alignments of them"
            )
        if len(self.references) != len(references):
            raise WordOrderError(f"{len(references)} references, but alignments of {len(self.references)}")
        self._check_words(self.hypotheses, hypotheses, "the hypothesis")
        for number, (stream, texts) in enumerate(zip(self.references, references, strict=True), start=1):
            self._check_words(stream, texts, f"reference {number}")

    def _check_words(self, alignments: Sequence[Alignment], texts: Sequence[str], what: str) -> None:
        sizes = Alignments.from_alignments(alignments).target_sizes.tolist()
        if self.tokenize == "none":
            words, rule = [len(split_words(text)) for text in texts], "between spaces"
        else:
            words, rule = Words(self.tokenize).encode(texts).lengths.tolist(), f"by tokenize={self.tokenize}"
        for segment, (size, own) in enumerate(zip(sizes, words, strict=True), start=1):
            if size != own:
                raise WordOrderError(
                    f"segment {segment}: {what} has {counted(own, 'word')} {rule},"
                    f" but {size} in its alignment"
                )

    def matched(self) -> list[Matched]:
        """Compare the segments with each reference."""
        system = orders_from_links(self.hypotheses, self.policy)
        lengths = Alignments.from_alignments(self.hypotheses).target_sizes
        streams = []
        for stream in self.references:
            reference = orders_from_links(stream, self.policy)
            sizes = Alignments.from_alignments(stream).target_sizes
            orders, linked = system.relative_to(reference), system.linked_in_both(reference)
            streams.append(Matched(orders, lengths, sizes, linked))
        return streams


@dataclass(frozen=True, kw_only=True)
class SourceAlignments(GivenAlignments):
    """Alignments of the source with the hypotheses, whose order is compared with that of the source itself.

    The stream of references is that of the sources. The permutation of a segment says for each source word,
    in the order in which the hypothesis translates them, its place in the source. With the policy
    ``talbot:unaligned=drop``, words without links are left out.

    >>> given = SourceAlignments(hypotheses=[Alignment(3, 3, [(0, 1), (1, 2), (2, 0)])])
    >>> list(given.matched()[0].permutations[0])
    [2, 0, 1]
    """

    references: Sequence[Sequence[Alignment]] = field(init=False, repr=False)
    kind: ClassVar[GivenKind] = "source"

    def __post_init__(self) -> None:
        _check_stream(self.hypotheses, "hypotheses")
        sizes = Alignments.from_alignments(self.hypotheses).source_sizes
        object.__setattr__(self, "references", [monotone_links(sizes)])
        super().__post_init__()

    def _check_policy(self) -> None:
        policy = policy_of(self.policy)
        if policy.name not in POLICIES or policy.punctuation != "words":
            raise BadSetting(
                f"policy is {self.policy!r}; expected one that goes by links alone: {POLICY_NAMES},"
                " without rules for punctuation"
            )

    def matched(self) -> list[Matched]:
        """Compare the segments with their sources."""
        links = Alignments.from_alignments(self.hypotheses)
        orders = orders_from_links(links, self.policy)
        linked = np.bincount(orders.sentence[orders.aligned], minlength=len(links)).astype(np.int64)
        return [Matched(orders.in_source(), links.target_sizes, links.source_sizes, linked, links=links)]


def monotone_links(sizes: Longs) -> Alignments:
    """Link sentences of these lengths with themselves, word by word.

    >>> print(monotone_links(np.array([2]))[0])
    0-0 1-1
    """
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    words = (np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)).astype(np.int32)
    return Alignments(np.column_stack([words, words]), offsets, sizes, sizes)


def _check_stream(stream: object, what: str) -> None:
    if isinstance(stream, (str, Alignment)) or not hasattr(stream, "__len__"):
        raise WordOrderError(f"alignments of {what} are {_kind(stream)}; expected a list of Alignment")
    if isinstance(stream, Alignments):
        return
    for segment, alignment in enumerate(stream, start=1):  # type: ignore[var-annotated, arg-type]
        if not isinstance(alignment, Alignment):
            raise WordOrderError(f"segment {segment} of {what} is {_kind(alignment)}; expected an Alignment")


def _kind(value: object) -> str:
    return f"a {type(value).__name__}" if value is not None else "None"
