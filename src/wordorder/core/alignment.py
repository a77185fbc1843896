"""Word alignments between two sentences."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass

from wordorder.errors import InvalidAlignment

Link = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Links between the words of a source and a target sentence, 0-based.

    ``sure`` and ``possible`` follow Och and Ney (2003): every link is possible, some are
    sure. Plain alignments have sure links only. Both are sets, kept sorted: a link given twice
    is one link.

    >>> a = Alignment(3, 2, [(0, 0), (2, 1)], possible=[(1, 1)])
    >>> a.links
    ((0, 0), (1, 1), (2, 1))
    >>> a.inverse().sure
    ((0, 0), (1, 2))
    """

    source_size: int
    target_size: int
    sure: tuple[Link, ...]
    possible: tuple[Link, ...]

    def __init__(
        self,
        source_size: int,
        target_size: int,
        sure: Iterable[Link] = (),
        *,
        possible: Iterable[Link] = (),
    ) -> None:
        try:
            source_size, target_size = operator.index(source_size), operator.index(target_size)
        except TypeError:
            raise InvalidAlignment(
                f"sizes are {source_size!r} and {target_size!r}; expected whole numbers"
            ) from None
        for name, size in (("source", source_size), ("target", target_size)):
            if size < 0:
                raise InvalidAlignment(f"the {name} has {size!r} words; expected 0 or more")
        surely = _links(sure, source_size, target_size)
        perhaps = _links(possible, source_size, target_size)
        both = sorted(set(surely) & set(perhaps))
        if both:
            i, j = both[0]
            raise InvalidAlignment(f"link {i}-{j} is marked both sure and possible; give it once")
        object.__setattr__(self, "source_size", source_size)
        object.__setattr__(self, "target_size", target_size)
        object.__setattr__(self, "sure", surely)
        object.__setattr__(self, "possible", perhaps)

    @classmethod
    def _trusted(
        cls, source_size: int, target_size: int, sure: tuple[Link, ...], possible: tuple[Link, ...]
    ) -> Alignment:
        """Make one of links that are known to be sorted, in range and marked once."""
        new = cls.__new__(cls)
        object.__setattr__(new, "source_size", source_size)
        object.__setattr__(new, "target_size", target_size)
        object.__setattr__(new, "sure", sure)
        object.__setattr__(new, "possible", possible)
        return new

    @property
    def links(self) -> tuple[Link, ...]:
        """All links, sure and possible."""
        return tuple(sorted(self.sure + self.possible)) if self.possible else self.sure

    def inverse(self) -> Alignment:
        """Swap source and target."""
        return Alignment(
            self.target_size,
            self.source_size,
            [(j, i) for i, j in self.sure],
            possible=[(j, i) for i, j in self.possible],
        )

    def targets(self) -> list[list[int]]:
        """For each source word, its target positions in rising order.

        >>> Alignment(2, 2, [(0, 1), (0, 0)]).targets()
        [[0, 1], []]
        """
        found: list[list[int]] = [[] for _ in range(self.source_size)]
        for i, j in self.links:
            found[i].append(j)
        return found

    def __str__(self) -> str:
        marked = [(link, "-") for link in self.sure] + [(link, "p") for link in self.possible]
        return " ".join(f"{i}{mark}{j}" for (i, j), mark in sorted(marked))


def _links(links: Iterable[Link], source_size: int, target_size: int) -> tuple[Link, ...]:
    found: set[Link] = set()
    for link in links:
        try:
            first, second = link
            i, j = operator.index(first), operator.index(second)
        except (TypeError, ValueError):
            raise InvalidAlignment(f"{link!r} is not a link; expected a pair of word positions") from None
        for side, at, size in (("source", i, source_size), ("target", j, target_size)):
            if not 0 <= at < size:
                span = f"0-{size - 1}" if size else "none"
                hint = " Do your links start at 1?" if at == size else ""
                raise InvalidAlignment(
                    f"link {i}-{j}: {side} word {at} does not exist ({size} words, {span}).{hint}"
                )
        found.add((i, j))
    return tuple(sorted(found))
