"""The parts of a rule: the heads that it applies to, and the order of a head and its children.

A :class:`RuleSet` is a list of rules; the first rule whose condition a head meets fires. Its slots, from left
to right, hold the head and its children. The contents of a slot keep their source order, or are reversed.
All values are frozen; :mod:`.reading` makes them from TOML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from wordorder.io.sentence import Row
from wordorder.preorder.rules.ud_labels import covers

HEAD, OTHER, BEFORE, AFTER = "HEAD", "[other]", "[before]", "[after]"
SPECIAL = (HEAD, OTHER, BEFORE, AFTER)
ORDERS = ("keep", "reverse", "head-final", "head-initial")
Side = Literal["before", "after"]

# The columns that a condition may test, by their names in rules.
COLUMNS = ("upos", "xpos", "lemma", "form", "relation", "feats")


@dataclass(frozen=True, slots=True)
class Values:
    """Values that a column may have or, if ``negated``, must not have."""

    known: tuple[str, ...]
    negated: bool = False

    def holds(self, value: str) -> bool:
        """Whether a column with this value matches."""
        return (value in self.known) != self.negated

    def holds_one(self, value: str) -> bool:
        """Whether a feature matches, which may have several values at once: ``PronType=Int,Rel``."""
        return any(part in self.known for part in (value, *value.split(","))) != self.negated

    def covers(self, value: str) -> bool:
        """Whether a relation matches; a label also stands for its subtypes."""
        return any(covers(label, value) for label in self.known) != self.negated

    def __str__(self) -> str:
        return ("!" if self.negated else "") + "|".join(self.known)


@dataclass(frozen=True, slots=True)
class Around:
    """What a condition can test: the row of a word, the tag of its head, its side, the relations below it."""

    row: Row
    parent: str = "_"
    side: Side | None = None
    below: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a word; fields that are not set match anything.

    ``feats`` are pairs of a feature and its values; ``parent`` is the tag of the head of the word;
    ``has`` and ``lacks`` are relations of children; ``side`` is the side of a child in the source.
    """

    upos: Values | None = None
    xpos: Values | None = None
    lemma: Values | None = None
    form: Values | None = None
    relation: Values | None = None
    feats: tuple[tuple[str, Values], ...] = ()
    parent: Values | None = None
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    side: Side | None = None

    def meets(self, word: Around) -> bool:
        """Whether the word meets the condition."""
        row = word.row
        tests = (
            (self.upos, row.upos), (self.xpos, row.xpos), (self.parent, word.parent),
            (self.lemma, row.lemma.lower()), (self.form, row.form.lower()),
        )  # fmt: skip
        if any(values and not values.holds(value) for values, value in tests):
            return False
        if self.relation and not self.relation.covers(row.deprel):
            return False
        if self.side and self.side != word.side:
            return False
        if self.feats:
            features = dict(pair.partition("=")[::2] for pair in row.feats.split("|"))
            if not all(values.holds_one(features.get(name, "_")) for name, values in self.feats):
                return False
        if self.has and not any(covers(label, child) for label in self.has for child in word.below):
            return False
        return not any(covers(label, child) for label in self.lacks for child in word.below)

    @property
    def only_relation(self) -> Values | None:
        """The relations, if the condition tests nothing else."""
        return self.relation if self == Condition(relation=self.relation) else None

    @property
    def uses(self) -> frozenset[str]:
        """The names of the fields that the condition tests."""
        used = {name for name in (*COLUMNS, "parent", "side") if getattr(self, name)}
        return frozenset(used | ({"below"} if self.has or self.lacks else set()))

    def weight(self, relation: str) -> tuple[bool, int]:
        """Return how specific it is: whether it names the relation exactly, and the number of its tests."""
        tests = sum(bool(getattr(self, name)) for name in (*COLUMNS, "parent", "has", "lacks", "side"))
        return self.relation is not None and relation in self.relation.known, tests

    def __str__(self) -> str:
        parts = [f"{name}={getattr(self, name)}" for name in (*COLUMNS[:-1], "parent") if getattr(self, name)]
        parts += [f"{name}={values}" for name, values in self.feats]
        parts += [
            f"{name}={'|'.join(getattr(self, name))}" for name in ("has", "lacks") if getattr(self, name)
        ]
        return ", ".join([*parts, *([f"side={self.side}"] if self.side else [])])


ANY = Condition()


@dataclass(frozen=True, slots=True)
class Slot:
    """A place in an order: for the head, for children that meet a condition, or for the other children."""

    what: str  # HEAD, [other], [before], [after], or "" for a condition
    child: Condition = ANY
    reverse: bool = False

    def __str__(self) -> str:
        name = self.what or str(self.child.only_relation or "{" + str(self.child) + "}")
        return f"{name} reverse" if self.reverse else name


@dataclass(frozen=True, slots=True)
class Rule:
    """The order of heads of one kind and their children, and the place of the rule in its file."""

    name: str
    head: Condition
    slots: tuple[Slot, ...]
    order: str = ""  # the name of the order, if it was written as a name
    about: str = ""
    file: str = field(default="", compare=False, repr=False)
    line: int = field(default=0, compare=False, repr=False)

    @property
    def place(self) -> str:
        """The file and line of the rule."""
        return f"{self.file}:{self.line}" if self.file else ""


def whole(order: str) -> tuple[Slot, ...]:
    """Return the slots of an order that has a name.

    >>> [str(slot) for slot in whole("head-final")]
    ['[other]', 'HEAD']
    """
    other, head = Slot(OTHER), Slot(HEAD)
    return {
        "keep": (other,),
        "reverse": (Slot(OTHER, reverse=True),),
        "head-final": (other, head),
        "head-initial": (head, other),
    }[order]


def filled(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """Add slots for the children that no slot names: they stay on their side of the head."""
    slots = list(slots)
    names = [slot.what for slot in slots]
    if OTHER not in names:
        at = names.index(HEAD)
        slots[at + 1 : at + 1] = [] if AFTER in names else [Slot(AFTER)]
        slots[at:at] = [] if BEFORE in names else [Slot(BEFORE)]
    return tuple(slots)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules in order of priority, and settings for everything that they leave open."""

    name: str
    rules: tuple[Rule, ...] = ()
    default: str = "keep"  # the order of heads that no rule applies to
    punctuation: Literal["phrase", "tree"] = "phrase"
    coordination: Literal["keep", "rules"] = "keep"
    multiword: Literal["whole", "split"] = "whole"
    about: str = ""
    # The relations and tags of a treebank that does not follow Universal Dependencies.
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    file: str = field(default="", compare=False, repr=False)
    # Named groups of relations, for sets that extend this one.
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def without(self, name: str) -> RuleSet:
        """Return the set without one of its rules."""
        return replace(self, rules=tuple(rule for rule in self.rules if rule.name != name))

    @property
    def fallback(self) -> Rule:
        """The default order, as a rule."""
        return Rule("default", ANY, whole(self.default), order=self.default, file=self.file)

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings that apply to all rules."""
        return {name: getattr(self, name) for name in ("default", "punctuation", "coordination", "multiword")}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)
