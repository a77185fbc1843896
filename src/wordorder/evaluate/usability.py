"""How usable alignments are as a reference for word order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.evaluate.gold import nakagawa_ranks


@dataclass(frozen=True, slots=True)
class Usability:
    """Counts over sentences and words, and what they mean.

    Talbot et al. (2011, 3.1) ask that nearly all words are aligned, source and target, and that the target
    words of a source word stand together. ``apart``: words whose target words do not; ``interrupted``: those
    of them with words of others in between. ``grouped``: words in groups without inner order.
    ``contradictory``: sentences in which the first and the last target words give different orders.
    """

    sentences: int
    words: int
    linked: int
    target_words: int
    target_linked: int
    apart: int
    interrupted: int
    grouped: int
    unlinked_sentences: int
    contradictory: int

    @property
    def coverage(self) -> float:
        """The share of source words that have links."""
        return self.linked / self.words if self.words else 0.0

    @property
    def target_coverage(self) -> float:
        """The share of target words that have links."""
        return self.target_linked / self.target_words if self.target_words else 0.0

    def warnings(self, *, target: bool = True) -> list[str]:
        """What should make one doubt scores against this reference; ``target``: its length is known."""
        checks = [
            (self.coverage < 0.8, f"only {self.coverage:.0%} of the source words are linked"),
            (
                target and self.target_coverage < 0.8,
                f"only {self.target_coverage:.0%} of the target words are linked",
            ),
            (
                self.interrupted > 0.05 * max(self.linked, 1),
                f"{self.interrupted:,} words are linked to target words with those of others in between",
            ),
            (
                self.contradictory > 0.1 * max(self.sentences, 1),
                f"{self.contradictory:,} sentences have no order that all links agree on",
            ),
            (self.unlinked_sentences > 0, f"{self.unlinked_sentences:,} sentences have no links at all"),
        ]
        return [text for holds, text in checks if holds]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        shares = {"coverage": self.coverage, "target_coverage": self.target_coverage}
        return {**asdict(self), **shares, "warnings": self.warnings()}


def usability(alignments: Iterable[Alignment]) -> Usability:
    """Look at the alignments of a corpus.

    >>> found = usability([Alignment(3, 4, [(0, 0), (0, 3), (1, 1), (1, 2)])])
    >>> found.linked, found.apart, found.interrupted, found.contradictory
    (2, 1, 1, 1)
    """
    names = list(Usability.__dataclass_fields__)
    total = dict.fromkeys(names, 0)
    for one in alignments:
        targets = one.targets()
        sources: list[list[int]] = [[] for _ in range(one.target_size)]
        for i, j in one.links:
            sources[j].append(i)
        total["sentences"] += 1
        total["words"] += one.source_size
        total["linked"] += sum(map(bool, targets))
        total["target_words"] += one.target_size
        total["target_linked"] += sum(map(bool, sources))
        total["unlinked_sentences"] += bool(one.source_size and not one.links)
        total["contradictory"] += nakagawa_ranks(one) is None
        first = Counter(found[0] for found in targets if found)
        total["grouped"] += sum(count for count in first.values() if count > 1)
        for i, found in enumerate(targets):
            if found and found[-1] - found[0] >= len(found):  # something is in between
                between = [j for j in range(found[0], found[-1]) if j not in found]
                total["apart"] += 1
                total["interrupted"] += any(k != i for j in between for k in sources[j])
    return Usability(**total)
