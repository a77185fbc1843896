"""The ways in which orders of source words are scored: which words count, and what is counted.

============  =====================================================================================
``nakagawa``  words with links, in sentences whose links agree on an order (Nakagawa 2015)
``lader``     all words, in blocks of equal rank; counts are summed over sentences (Neubig et al. 2012)
``talbot``    reference orders with groups; repeated words are matched by form (Talbot et al. 2011)
``thesis``    all words against one gold order (Stanojević 2017, 3.4.1)
``file``      reference orders read from a file
============  =====================================================================================

A variant ranks the source words by a policy of :mod:`wordorder.core.orders` and names the scores that
its authors use. Any ordering metric can be computed on the same ranks instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from wordorder._version import __version__
from wordorder.arrays import Doubles, Ints, Longs
from wordorder.core.alignment import Alignment
from wordorder.core.orders import Policy, Words, orders_from_links
from wordorder.core.permutation import Permutation, Permutations
from wordorder.core.plugins import field_types, read_settings, split_spec
from wordorder.errors import BadSetting, UnknownName
from wordorder.evaluate.relative import matched_ranks, relative_orders
from wordorder.metrics.base import mean_of
from wordorder.metrics.flat import Fuzzy, Kendall
from wordorder.metrics.ordering import OrderingMetric

Fraction = Callable[["OrderCounts"], tuple[Longs, Longs]]


@dataclass(frozen=True)
class RankedOrders:
    """Orders of a system beside the reference ranks of the same sentences.

    With ``words``, a word may be matched with any other word of the same form.
    """

    ranks: Sequence[Ints]
    orders: Sequence[Permutation]
    words: Words | None = None

    @cached_property
    def relative(self) -> Permutations:
        """The reference places of the words in the order of the system; ties are resolved in its favour."""
        return relative_orders(self.ranks, self.orders, self.words)

    @cached_property
    def matched(self) -> Sequence[Ints]:
        """The ranks of the reference words with which the source words are matched."""
        return matched_ranks(self.ranks, self.orders, self.words) if self.words is not None else self.ranks

    @cached_property
    def counts(self) -> OrderCounts:
        """Pairs and neighbours, counted."""
        return count_orders(self)


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """Counts for each sentence, over the words that have a rank."""

    words: Longs
    untied: Longs  # pairs of words of different rank
    discordant: Longs  # pairs of words in the wrong order
    steps: Longs  # neighbours of equal rank, or of one rank and the next
    ends: Longs  # sentence boundaries (of two) with a word that belongs there


def count_orders(ranked: RankedOrders) -> OrderCounts:
    """Count pairs and neighbours of all sentences at once."""
    read = [rank[order.order] for rank, order in zip(ranked.matched, ranked.orders, strict=True)]
    read = [row[row >= 0] for row in read]
    words = np.array([len(row) for row in read], dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(words)]).astype(np.int64)
    values = np.concatenate([*read, np.empty(0, np.int32)])
    sentence = np.repeat(np.arange(len(read)), words)
    concordant, pairs = Kendall().counts(ranked.relative)
    step = np.diff(values)
    inside = (np.diff(sentence) == 0) & (step >= 0) & (step <= 1)
    steps = np.bincount(sentence[1:][inside], minlength=len(read))
    some = words > 0
    first, last = offsets[:-1][some], offsets[1:][some] - 1
    tops = np.array([row.max() for row in read if len(row)], dtype=np.int64)
    ends = np.zeros(len(read), dtype=np.int64)
    ends[some] = (values[first] == 0).astype(np.int64) + (values[last] == tops)
    groups = [np.bincount(row) for row in read]
    tied = np.array([int((group * (group - 1) // 2).sum()) for group in groups], dtype=np.int64)
    discordant = np.where(pairs > 0, pairs - concordant, 0).round().astype(np.int64)
    return OrderCounts(words, words * (words - 1) // 2 - tied, discordant, steps, ends)


@dataclass(frozen=True, slots=True)
class CountedScore:
    """A fraction of counts, for scores that know ties; 1 where there is nothing to divide by.

    The score of a corpus is the mean over sentences or, if ``summed``, the quotient of summed counts. The
    ``equation`` is like that of a metric: its terms are the fields of :class:`OrderCounts`.
    """

    equation: str
    fraction: Fraction
    summed: bool = False

    def rows(self, counts: OrderCounts) -> Doubles:
        """Return additive statistics, a numerator and a denominator for each sentence."""
        rows = np.column_stack(self.fraction(counts)).astype(np.float64)
        return rows if self.summed else np.column_stack([mean_of(rows), np.ones(len(rows))])

    def terms(self, counts: OrderCounts) -> dict[str, Doubles]:
        """Return the numbers of each sentence that stand in the equation."""
        numbers = {name: getattr(counts, name) for name in counts.__slots__}
        numbers["numerator"], numbers["denominator"] = self.fraction(counts)
        return {name: values.astype(np.float64) for name, values in numbers.items()}


@dataclass(frozen=True, slots=True)
class OrderScore:
    """A score of orders: an ordering metric, or a fraction of counts where the metric does not know ties."""

    name: str
    by: OrderingMetric | CountedScore

    @property
    def higher_is_better(self) -> bool:
        """Whether a greater value is a better one."""
        return self.by.higher_is_better if isinstance(self.by, OrderingMetric) else True

    @property
    def equation(self) -> str:
        """The equation of a sentence's score, with {names} for its :meth:`terms`; empty if there is none."""
        return self.by.equation

    def rows(self, ranked: RankedOrders) -> Doubles:
        """Return additive statistics, a numerator and a denominator for each sentence."""
        if isinstance(self.by, OrderingMetric):
            return self.by.statistics(ranked.relative)[:, :2]
        return self.by.rows(ranked.counts)

    def scores(self, sums: Doubles) -> Doubles:
        """Return the score of each row, where a row may be a sum of rows; 1 where nothing is counted."""
        if isinstance(self.by, OrderingMetric):
            return self.by.scores(sums)
        return mean_of(sums)

    def terms(self, ranked: RankedOrders) -> dict[str, Doubles]:
        """Return the numbers of each sentence that stand in the equation."""
        if isinstance(self.by, OrderingMetric):
            return self.by.terms(self.by.statistics(ranked.relative), ranked.relative)
        return self.by.terms(ranked.counts)

    def node_scores(self, ranked: RankedOrders) -> list[list[float]]:
        """Return the scores of the nodes of each tree, in postorder, where the score is made of them."""
        if not isinstance(self.by, OrderingMetric) or not self.by.has_node_scores:
            return []
        return [own.tolist() for own in self.by.node_scores(ranked.relative)]


KENDALL, FUZZY = OrderScore("kendall", Kendall()), OrderScore("fuzzy", Fuzzy())
EXACT = OrderScore(
    "exact",
    CountedScore(
        "1 without wrong pairs, otherwise 0; wrong pairs: {discordant}; score",
        lambda c: ((c.discordant == 0).astype(np.int64), np.ones_like(c.words)),
    ),
)
FUZZY_WITH_TIES = CountedScore(
    "neighbours in order / (words − 1) = {steps} / ({words} − 1)",
    lambda c: (c.steps, np.maximum(c.words - 1, 0)),
)
FUZZY_WITH_BOUNDARIES = CountedScore(
    "(neighbours in order + ends in place) / (words + 1) = ({steps} + {ends}) / ({words} + 1)",
    lambda c: (c.steps + c.ends, np.where(c.words > 1, c.words + 1, 0)),
)
CHUNK = CountedScore(
    FUZZY_WITH_BOUNDARIES.equation,
    lambda c: (c.steps + c.ends, np.where(c.words > 0, c.words + 1, 0)),
    summed=True,
)
UNTIED = CountedScore(
    "pairs in order / pairs of different rank = {numerator} / {denominator}",
    lambda c: (c.untied - c.discordant, c.untied),
    summed=True,
)


@dataclass(frozen=True, slots=True)
class Variant:
    """A way to score orders.

    ``about`` says what is compared, ``use`` what the variant is suited to. ``policy`` and ``counting`` are
    the parts of the signature that describe the ranks and the variant's own scores. ``settings`` names
    the fields that may be changed: ``talbot:unaligned=drop,punctuation=pin,match=positions``.
    """

    name: str
    about: str
    use: str
    scores: tuple[OrderScore, ...]
    policy: str
    counting: str
    settings: tuple[str, ...] = ()
    unaligned: Literal["next", "previous", "drop"] = "next"
    inside: Literal["free", "fixed"] = "free"
    punctuation: Literal["words", "pin", "drop"] = "words"
    match: Literal["words", "positions"] = "positions"

    @property
    def spec(self) -> str:
        """The name, and the settings that are not default: ``talbot:unaligned=drop``."""
        usual = VARIANTS[self.name]
        changed = {key: getattr(self, key) for key in self.settings}
        pieces = [f"{key}={value}" for key, value in changed.items() if value != getattr(usual, key)]
        return self.name + (":" + ",".join(pieces) if pieces else "")

    def ranks(
        self, alignments: Sequence[Alignment], words: Words | None = None, *, links: str = "all"
    ) -> list[Ints | None]:
        """Rank the words of each sentence; None for a sentence that is left out.

        Words of equal rank may stand in any order; words of rank -1 do not count. Without ``words``,
        all words are different and none is a bracket or punctuation.
        """
        if self.name == "file":
            raise BadSetting("the variant 'file' takes reference orders from a file, not from links")
        if links == "sure":
            alignments = [Alignment(a.source_size, a.target_size, a.sure) for a in alignments]
        policy = Policy(
            name=self.name,  # type: ignore[arg-type]
            unaligned=self.unaligned,
            inside=self.inside,
            punctuation=self.punctuation,
        )
        orders = orders_from_links(alignments, policy, words=words)
        used = orders.counts.tolist()
        if self.name == "talbot":  # a reference order needs links, and words that count
            used = [a.links and (rank >= 0).any() for a, rank in zip(alignments, orders.ranks, strict=True)]
        return [rank if counts else None for rank, counts in zip(orders.ranks, used, strict=True)]

    def ranked(
        self, ranks: Sequence[Ints | None], orders: Sequence[Permutation], words: Words | None = None
    ) -> RankedOrders:
        """Put orders beside the ranks, without the sentences that are left out."""
        used = [s for s, rank in enumerate(ranks) if rank is not None]
        return RankedOrders(
            [rank for rank in ranks if rank is not None],
            [orders[s] for s in used],
            [words[s] for s in used] if words is not None and self.match == "words" else None,
        )

    def rows(
        self,
        ranks: Sequence[Ints | None],
        orders: Sequence[Permutation],
        scores: Sequence[OrderScore],
        words: Words | None = None,
    ) -> list[Doubles]:
        """Return the statistics of each score, one row per sentence; zeros for sentences left out."""
        used = [s for s, rank in enumerate(ranks) if rank is not None]
        ranked = self.ranked(ranks, orders, words)
        statistics = []
        for score in scores:
            rows = score.rows(ranked)
            full = np.zeros((len(ranks), rows.shape[1]))
            full[used] = rows
            statistics.append(full)
        return statistics

    def signature(
        self, *, links: str = "all", words: bool = True, metric: OrderingMetric | None = None
    ) -> str:
        """Describe everything that affects the variant's own scores, or those of a metric."""
        match = self.match if words else "positions"
        policy = self.policy.format(
            unaligned=self.unaligned,
            inside=self.inside,
            punctuation=self.punctuation,
            match=match,
            brackets="yes" if words else "no",
        )
        head = f"preordering|variant:{self.name}|links:{links}|{policy}"
        return (
            f"{head}|metric:{metric.order_signature}" if metric else f"{head}|{self.counting}|v:{__version__}"
        )


VARIANTS: dict[str, Variant] = {
    variant.name: variant
    for variant in (
        Variant(
            "nakagawa",
            "words with links, in sentences whose links agree on an order; means over sentences",
            "Suited to comparing systems with one another and with published results.",
            (OrderScore("tau", Kendall()), OrderScore("frs", FUZZY_WITH_BOUNDARIES), EXACT),
            "nulls:drop",
            "ties:right|bounds:yes|agg:macro|short:1.0",
        ),
        Variant(
            "lader",
            "all words, in blocks of equal rank; counts summed over sentences",
            "Suited to comparisons with LADER. Long sentences have more weight.",
            (OrderScore("chunk", CHUNK), OrderScore("tau", UNTIED)),
            "nulls:right|blocks:yes|brackets:{brackets}",
            "ties:out|bounds:yes|agg:micro",
        ),
        Variant(
            "talbot",
            "reference orders with groups, repeated words matched by form; means over sentences",
            "Suited to rules and parsers. If many words have no links, use talbot:unaligned=drop.",
            (FUZZY, KENDALL, EXACT),
            "unaligned:{unaligned}|inside:{inside}|punctuation:{punctuation}|match:{match}",
            "agg:macro|short:1.0",
            ("unaligned", "inside", "punctuation", "match"),
            match="words",
        ),
        Variant(
            "thesis",
            "all words against one gold order by mean target position; means over sentences",
            "Suited to comparisons with Stanojević (2017). The reference position of words without links is"
            " a guess, so fuzzy and exact are too low for systems that move such words.",
            (KENDALL, OrderScore("fuzzy", FUZZY_WITH_TIES), EXACT),
            "link:mean|nulls:right",
            "agg:macro|short:1.0",
        ),
        Variant(
            "file",
            "reference orders from a file; means over sentences",
            "Suited to reference orders that people wrote.",
            (FUZZY, KENDALL, EXACT),
            "match:{match}",
            "agg:macro|short:1.0",
            ("match",),
            match="words",
        ),
    )
}
DEFAULT = ("nakagawa", "lader", "talbot", "thesis")


def variant(spec: str) -> Variant:
    """Make the variant that ``name`` or ``name:key=value,key=value`` describes.

    >>> variant("talbot:unaligned=drop").unaligned
    'drop'
    """
    name, settings = split_spec(spec)
    if name not in VARIANTS:
        raise UnknownName("variant", name, VARIANTS)
    known = VARIANTS[name]
    if settings and not known.settings:
        raise BadSetting(f"the variant {name!r} has no settings")
    return replace(known, **read_settings(name, settings, field_types(Variant), known.settings))
