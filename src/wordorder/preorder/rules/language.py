"""What a rule says: which heads it is for, and in which order they stand with their children.

A :class:`RuleSet` is a list of rules; for a head the first rule whose condition it meets is the one that
fires. Its slots, from left to right, take the head and its children; what is in one slot keeps its source
order (or is read from right to left). All values are plain and frozen; :mod:`.reading` makes them of
TOML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from wordorder.io.sentence import Row
from wordorder.preorder.rules.ud_labels import covers

HEAD, OTHER, BEFORE, AFTER = "HEAD", "[other]", "[before]", "[after]"
SPECIAL = (HEAD, OTHER, BEFORE, AFTER)
ORDERS = ("keep", "reverse", "head-final", "head-initial")
Side = Literal["before", "after"]

# The columns that a condition may look at, by their names in rules.
COLUMNS = ("upos", "xpos", "lemma", "form", "relation", "feats")


@dataclass(frozen=True, slots=True)
class Values:
    """Values that a column may have, or (``negated``) may not have."""

    known: tuple[str, ...]
    negated: bool = False

    def holds(self, found: str) -> bool:
        """Whether a column with this value is meant."""
        return (found in self.known) != self.negated

    def holds_one(self, found: str) -> bool:
        """The same for features, which may have several values at once: ``PronType=Int,Rel``."""
        return any(one in self.known for one in (found, *found.split(","))) != self.negated

    def covers(self, found: str) -> bool:
        """The same for relations, where a label stands for its subtypes too."""
        return any(covers(label, found) for label in self.known) != self.negated

    def __str__(self) -> str:
        return ("!" if self.negated else "") + "|".join(self.known)


@dataclass(frozen=True, slots=True)
class Around:
    """What a condition sees: a word's row, the tag of its head, its side, the relations below it."""

    row: Row
    parent: str = "_"
    side: Side | None = None
    below: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be true of a word; what is not said may be anything.

    ``feats`` are pairs of a feature and its values; ``parent`` is the tag of the head of the word;
    ``has`` and ``lacks`` are relations of children; ``side`` is where a child stands in the source.
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
        """Whether the word is as it must be."""
        row = word.row
        if self.upos and not self.upos.holds(row.upos):
            return False
        if self.xpos and not self.xpos.holds(row.xpos):
            return False
        if self.lemma and not self.lemma.holds(row.lemma.lower()):
            return False
        if self.form and not self.form.holds(row.form.lower()):
            return False
        if self.relation and not self.relation.covers(row.deprel):
            return False
        if self.parent and not self.parent.holds(word.parent):
            return False
        if self.side and self.side != word.side:
            return False
        if self.feats:
            found = dict(pair.partition("=")[::2] for pair in row.feats.split("|"))
            if not all(values.holds_one(found.get(name, "_")) for name, values in self.feats):
                return False
        if self.has and not any(covers(label, one) for label in self.has for one in word.below):
            return False
        return not any(covers(label, one) for label in self.lacks for one in word.below)

    @property
    def uses(self) -> frozenset[str]:
        """The names of what it looks at."""
        used = {name for name in (*COLUMNS, "parent", "side") if getattr(self, name)}
        return frozenset(used | ({"below"} if self.has or self.lacks else set()))

    def weight(self, relation: str) -> tuple[bool, int]:
        """How special it is for a relation: whether it names it to the letter, and how much it asks."""
        asked = sum(bool(getattr(self, name)) for name in (*COLUMNS, "parent", "has", "lacks", "side"))
        return self.relation is not None and relation in self.relation.known, asked

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
    """A place in an order: of the head, of the children that meet a condition, or of those left over."""

    what: str  # HEAD, [other], [before], [after], or "" for a condition
    child: Condition = ANY
    reverse: bool = False

    def __str__(self) -> str:
        child = self.child
        plain = child.relation is not None and child == Condition(relation=child.relation)
        name = self.what or (str(child.relation) if plain else "{" + str(child) + "}")
        return f"{name} reverse" if self.reverse else name


@dataclass(frozen=True, slots=True)
class Rule:
    """The order of certain heads and their children, and where it was written."""

    name: str
    head: Condition
    slots: tuple[Slot, ...]
    order: str = ""  # the word for it, where the slots were written as one
    about: str = ""
    file: str = field(default="", compare=False, repr=False)
    line: int = field(default=0, compare=False, repr=False)

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}" if self.file else ""


def whole(order: str) -> tuple[Slot, ...]:
    """The slots of an order that has a name.

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


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules, the first that fits first, and what they leave open."""

    name: str
    rules: tuple[Rule, ...] = ()
    default: str = "keep"  # of heads that no rule is for
    punctuation: Literal["phrase", "tree"] = "phrase"
    coordination: Literal["keep", "rules"] = "keep"
    multiword: Literal["whole", "split"] = "whole"
    about: str = ""
    # The relations and tags of a treebank that is not of Universal Dependencies.
    labels: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    file: str = field(default="", compare=False, repr=False)
    # Names for several relations, for sets that extend this one.
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False, repr=False)

    def without(self, name: str) -> RuleSet:
        """The set without one of its rules."""
        kept = tuple(rule for rule in self.rules if rule.name != name)
        return replace(self, rules=kept)

    @property
    def fallback(self) -> Rule:
        """What happens to heads that no rule is for, as a rule."""
        return Rule("default", ANY, whole(self.default), order=self.default, file=self.file)

    @property
    def settings(self) -> Mapping[str, str]:
        """What holds for all rules."""
        names = ("default", "punctuation", "coordination", "multiword")
        return {name: getattr(self, name) for name in names}

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)
