"""Whether alignments are usable as a reference for word order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.core.orders import orders_from_links
from wordorder.io.lines import counted


@dataclass(frozen=True, slots=True)
class Usability:
    """Counts over sentences and words, and warnings that follow from them.

    Talbot et al. (2011, 3.1) require that nearly all source and target words are aligned, and that the
    target words of a source word are contiguous. ``apart`` counts source words whose target words are not
    contiguous; ``interrupted``, those with target words of other source words in between; ``grouped``, words
    in groups without inner order; ``contradictory``, sentences in which the first and the last target
    positions give different orders.
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
    target_known: bool = True  # if not, target sizes are those of the last link and mean nothing

    @property
    def coverage(self) -> float:
        """The share of source words that have links."""
        return self.linked / self.words if self.words else 0.0

    @property
    def target_coverage(self) -> float | None:
        """The share of target words that have links; None if their number is unknown."""
        if not self.target_known:
            return None
        return self.target_linked / self.target_words if self.target_words else 0.0

    def warnings(self) -> list[str]:
        """Return reasons to doubt scores against this reference."""
        target = self.target_coverage
        checks = [
            (self.coverage < 0.8, f"only {self.coverage:.0%} of the source words are linked"),
            (target is not None and target < 0.8, f"only {target or 0:.0%} of the target words are linked"),
            (
                self.interrupted > 0.05 * max(self.linked, 1),
                f"{counted(self.interrupted, 'word')} with target words of other words in between",
            ),
            (
                self.contradictory > 0.1 * max(self.sentences, 1),
                f"{counted(self.contradictory, 'sentence')} with links that do not agree on an order",
            ),
            (self.unlinked_sentences > 0, f"{counted(self.unlinked_sentences, 'sentence')} without links"),
        ]
        return [text for holds, text in checks if holds]

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        shares = {"coverage": self.coverage, "target_coverage": self.target_coverage}
        data = {**asdict(self), **shares, "warnings": self.warnings()}
        del data["target_known"]
        return data if self.target_known else data | {"target_words": None}


def usability(alignments: Iterable[Alignment], *, target: bool = True) -> Usability:
    """Examine the alignments of a corpus; ``target`` says whether their target sizes are known.

    >>> usable = usability([Alignment(3, 4, [(0, 0), (0, 3), (1, 1), (1, 2)])])
    >>> usable.linked, usable.apart, usable.interrupted, usable.contradictory
    (2, 1, 1, 1)
    """
    names = [name for name in Usability.__dataclass_fields__ if name != "target_known"]
    total = dict.fromkeys(names, 0)
    batch = list(alignments)
    total["contradictory"] = int((~orders_from_links(batch, "nakagawa").counts).sum())
    for alignment in batch:
        targets = alignment.targets()
        sources: list[list[int]] = [[] for _ in range(alignment.target_size)]
        for i, j in alignment.links:
            sources[j].append(i)
        total["sentences"] += 1
        total["words"] += alignment.source_size
        total["linked"] += sum(map(bool, targets))
        total["target_words"] += alignment.target_size
        total["target_linked"] += sum(map(bool, sources))
        total["unlinked_sentences"] += bool(alignment.source_size and not alignment.links)
        first = Counter(linked[0] for linked in targets if linked)
        total["grouped"] += sum(count for count in first.values() if count > 1)
        for i, linked in enumerate(targets):
            if linked and linked[-1] - linked[0] >= len(linked):  # something is in between
                between = [j for j in range(linked[0], linked[-1]) if j not in linked]
                total["apart"] += 1
                total["interrupted"] += any(k != i for j in between for k in sources[j])
    return Usability(**total, target_known=target)
