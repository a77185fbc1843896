"""The average of several preorderers: one order from all their probabilities.

Each member says how probable it is that a word comes before another one, and that it directly follows
another one. The order is found in the weighted mean of these tables, with the decoder of the forest CRFs. A
member that only knows an order, such as rules, is certain of it. This is the consensus of a mixture: with a
probability in proportion to its weight, each member draws the order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import zip_longest
from typing import Any, NamedTuple, Self

import numpy as np

from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.model_store import known_models
from wordorder.preorder.base import KIND, Arrays, Preorderer
from wordorder.preorder.crf.carried_words import without_chains
from wordorder.preorder.crf.decoding import (
    SentenceTables,
    apply_min_gain,
    averaged,
    carried_orders,
    expectations_of_order,
)
from wordorder.preorder.crf.forest_crf import ForestCRF
from wordorder.preorder.long_sentences import candidates, precedence_table
from wordorder.preorder.parses import with_parses
from wordorder.preorder.probabilistic import Probabilistic
from wordorder.preorder.registry import register, unpacked
from wordorder.preorder.rules.preorderer import Rules
from wordorder.preorder.rules.sets import shipped_sets
from wordorder.preorder.rules.writing import to_toml
from wordorder.preorder.source import Candidate, Source

NONE = "none"  # no language


class NamedMember(NamedTuple):
    """A member as it is written: ``0.5*rules:en-ja@ja``, where weight and languages may be missing."""

    name: str
    weight: float = 1.0
    languages: tuple[str, ...] = ()  # the target languages that it is for; empty: all

    @classmethod
    def parse(cls, text: str) -> NamedMember:
        """Read a member.

        >>> NamedMember.parse("0.5*rules:en-ja@ja/ko")
        NamedMember(name='rules:en-ja', weight=0.5, languages=('ja', 'ko'))
        """
        weight, star, rest = text.partition("*")
        name, at, languages = (rest if star else text).strip().rpartition("@")
        if not at:
            name, languages = languages, ""
        try:
            number = float(weight) if star else 1.0
        except ValueError:
            raise BadSetting(f"average: {weight!r} is no weight, in {text!r}") from None
        known = tuple(language.strip() for language in languages.split("/")) if at else ()
        if not name or not all(known) or not 0 < number < float("inf"):
            raise BadSetting(
                f"average: cannot read the member {text!r}; expected MODEL, WEIGHT*MODEL or MODEL@LANGUAGE, "
                "with a weight above 0"
            )
        return cls(name, number, known)

    def __str__(self) -> str:
        weight = "" if self.weight == 1 else f"{self.weight:.12g}*"
        return f"{weight}{self.name}" + (f"@{'/'.join(self.languages)}" if self.languages else "")


@dataclass(frozen=True)
class Member:
    """A preorderer that takes part in the average, for some target languages or for all."""

    named: NamedMember
    load: Callable[[], Preorderer]

    @cached_property
    def preorderer(self) -> Preorderer:
        """The preorderer, loaded when it is first used: most members are for other languages."""
        return self.load()

    @property
    def languages(self) -> tuple[str, ...]:
        """The target languages that it is for."""
        return self.named.languages or self.preorderer.target_languages

    def serves(self, language: str) -> bool:
        """Return whether it takes part in the order of sentences with this target language."""
        return not self.named.languages or language in self.named.languages

    def tables(self, sources: Sequence[Source]) -> list[SentenceTables]:
        """Return the tables of each sentence, and the words that are carried along."""
        if isinstance(self.preorderer, ForestCRF | Average):
            return self.preorderer.sentence_tables(sources)
        certain = [expectations_of_order(order) for order in self.preorderer.reorder_batch(sources)]
        if not isinstance(self.preorderer, Probabilistic):
            return [SentenceTables(tables) for tables in certain]
        precedence = self.preorderer.precedence_batch(sources)  # its neighbours are those of its best order
        pairs = zip(certain, precedence, strict=True)
        return [SentenceTables(tables._replace(inverted=np.triu(table.T, 1))) for tables, table in pairs]

    def probabilities(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> Sequence[float | None]:
        """Return the log probabilities of orders; a member that only knows its own order is certain of it."""
        if isinstance(self.preorderer, Probabilistic):
            return self.preorderer.log_probability_batch(sources, orders)
        own = self.preorderer.reorder_batch(sources)
        return [0.0 if one == order else -np.inf for one, order in zip(own, orders, strict=True)]


@register
@dataclass(frozen=True, kw_only=True)
class Average(Probabilistic):
    """Averages the probabilities of several models, rule sets or methods, and finds the best order.

    ``members`` are separated by ``+``, each with a weight if it is not 1: ``en-multi-crf+0.5*rules:en-ja``.
    A member may be for some target languages alone (``rules:en-ja@ja``). ``language`` is the target language
    of sentences that do not have one of their own (none: all have, or no member asks for it). Sentences are
    parsed once, if a member needs trees.

    *Decoding*: the exact consensus order for word pairs (``adjacency=0``), for neighbours (1) or for a
    mixture. A sentence is reordered only if the expected gain is at least ``min_gain``.

    A saved average contains its members, except for installed models, which it finds by their names.
    """

    name = "average"

    members: str = "identity"
    adjacency: float = 0.3
    min_gain: float = 0.0
    language: str = NONE

    def __post_init__(self) -> None:
        """Check the settings; members are loaded when they are needed."""
        super().__post_init__()
        self.check_bounds({"adjacency": (0, 1), "min_gain": (0, 1)})
        self.named  # noqa: B018 (errors in the text are reported now)

    @cached_property
    def named(self) -> tuple[NamedMember, ...]:
        """The members as they are written."""
        return tuple(NamedMember.parse(text.strip()) for text in self.members.split("+"))

    @cached_property
    def joined(self) -> tuple[Member, ...]:
        """The members."""
        from wordorder.preorder.models import load_preorderer

        stored: Mapping[int, Callable[[], Preorderer]] = self._state or {}
        members = []
        for k, one in enumerate(self.named):
            # A model may come from anybody, so that it cannot name files.
            if self._state is not None and k not in stored and not _is_known(one.name):
                raise WordOrderError(
                    f"average: the member {one.name} is neither stored nor an installed model"
                )
            members.append(Member(one, stored.get(k) or partial(load_preorderer, one.name)))
        return tuple(members)

    @property
    def target_languages(self) -> tuple[str, ...]:
        """The languages of all members."""
        return tuple(sorted({own for member in self.joined for own in member.languages}))

    @property
    def needs(self) -> tuple[str, ...]:
        """What any member for the language needs."""
        members = self.joined if self.language == NONE else self._members_for(self.language)
        return tuple(dict.fromkeys(need for member in members for need in member.preorderer.needs))

    @property
    def longest_piece(self) -> int:
        """No limit: members may read a sentence in pieces, but the order is found in one table."""
        return 0

    @property
    def ranks_by_loss(self) -> bool:
        """Whether n-best orders are sorted by expected loss: only if nothing but word pairs counts.

        With ``min_gain``, the source order may be first although others have a smaller loss.
        """
        return self.adjacency == 0 and self.min_gain == 0

    def with_settings(self, **settings: Any) -> Self:
        """Return the same average with other settings; members that it contains stay."""
        changed = super().with_settings(**settings)
        if self._state is None:
            return changed
        if changed.members != self.members:
            raise BadSetting("average: the members of a saved average cannot be changed; make another one")
        return changed.fitted(self._state, self.trained)

    # Files

    def packed(self) -> tuple[dict[str, Any], Arrays]:
        """Return the description and the arrays of all members that are not installed models."""
        about, arrays = super().packed()
        stored = {}
        for k, (one, member) in enumerate(zip(self.named, self.joined, strict=True)):
            if _is_installed(one.name) and k not in (self._state or {}):
                continue
            described, own = _alone(member.preorderer).packed()
            del described["signature"]  # that of rules would contain them once more
            stored[str(k)] = described
            arrays |= {f"{k}.{name}": array for name, array in own.items()}
        facts = {"members": stored, "languages": list(self.target_languages)}
        return {**about, "trained": facts}, arrays

    def restore_state(self, arrays: Arrays, facts: Mapping[str, Any]) -> dict[int, Callable[[], Preorderer]]:
        """Return what unpacks the members that the model contains, by their number."""
        state: dict[int, Callable[[], Preorderer]] = {}
        for number, about in facts["members"].items():
            begin = f"{number}."
            own = {key.removeprefix(begin): array for key, array in arrays.items() if key.startswith(begin)}
            name = self.named[int(number)]
            state[int(number)] = partial(unpacked, about, own, f"the member {name} of an average")
        return state

    # Reordering

    def _in_language(self, sources: Sequence[Source]) -> list[Source]:
        """Return the sentences with their target languages, parsed if a member needs trees."""
        if self.language != NONE:
            self._check_language(self.language)
            sources = [
                source if source.target else replace(source, target=self.language) for source in sources
            ]
        languages = {source.target for source in sources}
        parsed = {
            language
            for language in languages
            if any("parse" in member.preorderer.needs for member in self._members_for(language))
        }
        trees = iter(with_parses([source for source in sources if source.target in parsed]))
        return [next(trees) if source.target in parsed else source for source in sources]

    def _check_language(self, language: str) -> None:
        """Raise an error unless a member is for this target language."""
        known = ", ".join(self.target_languages)
        if not known:
            raise BadSetting(f"language is {language!r}, but no member has a named target language")
        if language not in self.target_languages:
            raise BadSetting(f"language is {language!r}; the model knows {known}")

    def _members_for(self, language: str) -> list[Member]:
        chosen = [member for member in self.joined if member.serves(language)]
        if not chosen and language:
            self._check_language(language)
        if not chosen:
            raise BadSetting(
                f"the model knows several target languages: {', '.join(self.target_languages)}. Choose one.",
                suggest={"language": self.target_languages[0]},
            )
        return chosen

    def _groups(self, sources: Sequence[Source]) -> Iterator[tuple[list[int], list[Member]]]:
        """Yield the places of the sentences of each target language, and its members."""
        targets = [source.target for source in sources]
        for language in dict.fromkeys(targets):
            yield [s for s, own in enumerate(targets) if own == language], self._members_for(language)

    def sentence_tables(self, sources: Sequence[Source]) -> list[SentenceTables]:
        """Return the mean tables of each sentence, and the words that any member carries along."""
        sources = self._in_language(sources)
        found: list[SentenceTables] = [None] * len(sources)  # type: ignore[list-item]
        for own, members in self._groups(sources):
            tables = [member.tables([sources[s] for s in own]) for member in members]
            weights = [member.named.weight for member in members]
            for s, each in zip(own, zip(*tables, strict=True), strict=True):
                carried = {word: carrier for one in reversed(each) for word, carrier in one.carried.items()}
                free = averaged([one.free for one in each], weights)
                found[s] = SentenceTables(free, without_chains(carried))
        return found

    def reorder_batch(self, sources: Sequence[Source]) -> list[Permutation]:
        """Return the best order of each sentence."""
        return [best.order for (best,) in self._ranked(sources, 1)]

    def nbest_batch(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        """Return the k best different orders of each sentence with their probabilities."""
        if k < 1:
            raise BadSetting(f"k is {k}; expected 1 or more")
        sources = self._in_language(sources)
        lists = self._ranked(sources, k)
        repeated = [source for source, orders in zip(sources, lists, strict=True) for _ in orders]
        known = iter(self.log_probability_batch(repeated, [one.order for orders in lists for one in orders]))
        return [[one._replace(log_prob=next(known)) for one in orders] for orders in lists]

    def _ranked(self, sources: Sequence[Source], k: int) -> list[list[Candidate]]:
        lists = []
        for tables in self.sentence_tables(sources):
            orders = carried_orders(tables, k, adjacency=self.adjacency, moves=False)
            if self.min_gain:
                orders = apply_min_gain(
                    orders, tables.final, adjacency=self.adjacency, min_gain=self.min_gain
                )
            lists.append(candidates([tables.inverted], [orders], k))
        return lists

    def precedence_batch(self, sources: Sequence[Source]) -> list[Doubles]:
        """Return tables in which ``[i, j]`` is the probability that word i comes before word j."""
        return [precedence_table([tables.inverted]) for tables in self.sentence_tables(sources)]

    def log_probability_batch(
        self, sources: Sequence[Source], orders: Sequence[Permutation]
    ) -> list[float | None]:
        """Return the log of the mean probability of each order; None if a member does not know it."""
        # A sentence that is repeated remains one object, which members score once.
        same = {id(source): source for source in sources}
        ready = dict(zip(same, self._in_language([*same.values()]), strict=True))
        sources = [ready[id(source)] for source in sources]
        found: list[float | None] = [None] * len(sources)
        for own, members in self._groups(sources):
            shares = np.log([member.named.weight for member in members])
            shares -= np.logaddexp.reduce(shares)
            asked = [sources[s] for s in own], [orders[s] for s in own]
            rows = [member.probabilities(*asked) for member in members]
            for s, known in zip(own, zip(*rows, strict=True), strict=True):
                if None not in known:
                    found[s] = float(np.logaddexp.reduce(shares + np.array(known, np.float64)))
        return found


def member_list(names: Sequence[str], weights: Sequence[float] = ()) -> str:
    """Return the setting ``members`` for these models with these weights (1 where there are none).

    >>> member_list(["en-multi-crf", "rules:en-ja@ja"], [2])
    '2*en-multi-crf+rules:en-ja@ja'
    """
    for name in names:
        if "+" in name or "," in name:
            raise BadSetting(f"average: {name!r} contains + or a comma, which separate members and settings")
    if len(weights) > len(names):
        raise BadSetting(f"average: {len(weights)} weights, but {len(names)} members")
    pairs = zip_longest(map(NamedMember.parse, names), weights)
    return "+".join(str(one if weight is None else one._replace(weight=weight)) for one, weight in pairs)


def _is_installed(name: str) -> bool:
    """Return whether a member is an installed model, with or without settings."""
    from wordorder.preorder.models import model_names

    return name.partition(":")[0] in model_names()


def _is_known(name: str) -> bool:
    """Return whether a member is an installed model, or one of a package that may have to be installed."""
    return _is_installed(name) or (KIND, name.partition(":")[0]) in known_models()


def _alone(member: Preorderer) -> Preorderer:
    """Return a member that does not depend on files: its rules, as text, instead of the file of the rules."""
    if not isinstance(member, Rules) or member.set in shipped_sets():
        return member
    return replace(member, set=to_toml(member.rules), without="-")
