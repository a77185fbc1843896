"""Reading rule sets from TOML (docs/rules.md describes the language). Every error names file and line."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from wordorder.errors import BadFile
from wordorder.preorder.rules.language import (
    AFTER,
    BEFORE,
    COLUMNS,
    HEAD,
    ORDERS,
    OTHER,
    SPECIAL,
    Condition,
    Rule,
    RuleSet,
    Slot,
    Values,
    filled,
    whole,
)
from wordorder.preorder.rules.toml_lines import Lines, Path
from wordorder.preorder.rules.ud_labels import RELATIONS, TAGS, is_relation, near_feature

CHOICES = {
    "default": ORDERS,
    "punctuation": ("phrase", "tree"),
    "coordination": ("keep", "rules"),
    "multiword": ("whole", "split"),
}
_TOP = ("name", "about", "extends", "drop", "labels", "tags", "classes", "rule", *CHOICES)
_RULE = ("name", "about", "head", "order")
_HEAD = (*COLUMNS, "parent", "has", "lacks")
_SLOT = (*COLUMNS, "has", "lacks", "side", "reverse")
_NAME = re.compile(r"[\w.+:-]+( [\w.+:-]+)*")
_NOT = re.compile(r"\s*!\s*\w")

FindSet = Callable[[str, str, tuple[str, ...]], RuleSet]  # name, file that extends it, files above


@dataclass
class Reader:
    """Reads one file."""

    file: str
    lines: Lines
    relations: frozenset[str] = RELATIONS
    tags: frozenset[str] = TAGS
    classes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def fail(self, message: str, path: Path, text: str | None = None) -> NoReturn:
        """Raise an error with its line."""
        raise BadFile(message, file=self.file, line=self.lines.of(path, text))

    def check_keys(self, table: Any, known: Sequence[str], path: Path) -> None:
        """Refuse unknown keys."""
        if not isinstance(table, dict):
            self.fail(f"expected a table, found {table!r}", path)
        for key in table:
            if key not in known:
                self.fail(f"unknown key {key!r}{_near(key, known)}", (*path, key), key)

    def text(self, value: Any, path: Path) -> str:
        """Return a value that must be text."""
        if not isinstance(value, str) or not value:
            self.fail(f"expected text, found {value!r}", path)
        return value

    def optional(self, table: dict[str, Any], key: str, path: Path = (), default: str = "") -> str:
        """Return the text of a key that may be missing."""
        return self.text(table[key], (*path, key)) if key in table else default

    def texts(self, value: Any, path: Path) -> tuple[str, ...]:
        """Read text with alternatives separated by bars, or a list of texts."""
        texts = value.split("|") if isinstance(value, str) else value
        plain = isinstance(texts, list) and all(isinstance(x, str) and x.strip() for x in texts)
        if not plain or not texts:
            self.fail(f"expected text or a list of texts, found {value!r}", path)
        known = self.relations | self.tags
        for text in texts if path[0] not in ("labels", "tags") else ():
            if _NOT.match(text) and text not in known:
                why = 'a ! stands before all alternatives, as in "!NOUN|VERB", not before one'
                self.fail(f"{text!r}: {why}", path, text)
        return tuple(x.strip() for x in texts)

    def labels(self, value: Any, path: Path) -> tuple[str, ...]:
        """Read relations, and replace the names of classes by their members."""
        labels: list[str] = []
        for label in self.texts(value, path):
            if label.startswith("@") and label not in self.relations:
                if label[1:] not in self.classes:
                    self.fail(f"unknown class {label!r}{_near(label[1:], self.classes)}", path, label)
                labels += self.classes[label[1:]]
            elif not is_relation(label, self.relations):
                hint = _near(label, [*self.relations, *SPECIAL])
                self.fail(f"unknown relation {label!r}{hint}", path, label)
            else:
                labels.append(label)
        return tuple(labels)

    def values(self, name: str, value: Any, path: Path) -> Values:
        """Read the values that a column may have; a leading ``!`` negates them."""
        negated = isinstance(value, str) and value.startswith("!")
        value = value[1:] if negated else value
        if name == "relation":
            return Values(self.labels(value, path), negated)
        texts = self.texts(value, path)
        if name in ("upos", "parent"):
            for tag in texts:
                if tag not in self.tags:
                    self.fail(f"unknown tag {tag!r}{_near(tag, self.tags)}", path, tag)
        if name in ("lemma", "form"):
            texts = tuple(x.lower() for x in texts)
        return Values(texts, negated)

    def condition(self, table: Any, known: Sequence[str], path: Path) -> Condition:
        """Read a condition."""
        self.check_keys(table, known, path)
        fields: dict[str, Any] = {}
        for name, value in table.items():
            at = (*path, name)
            if name == "feats":
                fields[name] = self.features(value, at)
            elif name in ("has", "lacks"):
                fields[name] = self.labels(value, at)
            elif name == "side":
                if value not in ("before", "after"):
                    expected = "expected 'before' or 'after' (the head, in the source)"
                    self.fail(f"side is {value!r}; {expected}", at)
                fields[name] = value
            elif name != "reverse":
                fields[name] = self.values(name, value, at)
        return Condition(**fields)

    def features(self, value: Any, path: Path) -> tuple[tuple[str, Values], ...]:
        """Read a table of features and their values."""
        if not isinstance(value, dict) or not value:
            self.fail(f'feats is {value!r}; expected a table, such as {{ VerbForm = "Part" }}', path)
        for key in value:
            if meant := near_feature(key):
                self.fail(f"unknown feature {key!r}; did you mean {meant!r}?", (*path, key), key)
        return tuple(
            (key, self.values("feats", values, (*path, key))) for key, values in sorted(value.items())
        )

    def slot(self, value: Any, path: Path) -> Slot:
        """Read a slot."""
        if isinstance(value, dict):
            reverse = value.get("reverse", False)
            if not isinstance(reverse, bool):
                self.fail(f"reverse is {reverse!r}; expected true or false", path)
            child = self.condition(value, _SLOT, path)
            if not child.uses:
                self.fail("a slot without a condition; write [other]", path)
            return Slot("", child, reverse)
        text = self.text(value, path)
        name, _, last = text.rpartition(" ")
        reverse = last == "reverse" and bool(name)
        name = (name if reverse else text).strip()
        if name in SPECIAL:
            if reverse and name == HEAD:
                self.fail("HEAD is one word: there is nothing to reverse", path, text)
            return Slot(name, reverse=reverse)
        if name.startswith("["):
            self.fail(f"unknown slot {name!r}{_near(name, SPECIAL)}", path, text)
        if name.upper() == HEAD:
            self.fail(f"unknown slot {name!r}; the head is written HEAD", path, text)
        return Slot("", Condition(relation=Values(self.labels(name, path))), reverse)

    def slots(self, value: Any, path: Path) -> tuple[tuple[Slot, ...], str]:
        """Read an order, a list of slots or a name; return the slots and the name."""
        if isinstance(value, str):
            if value not in ORDERS:
                self.fail(f"unknown order {value!r}{_near(value, ORDERS)}", path)
            return whole(value), value
        if not isinstance(value, list) or not value:
            self.fail(f"order is {value!r}; expected a list of slots, or one of {', '.join(ORDERS)}", path)
        slots = [self.slot(item, (*path, at)) for at, item in enumerate(value)]
        seen: dict[object, int] = {}
        for at, slot in enumerate(slots):
            for key in _keys(slot):
                if key in seen:
                    what = key[1] if isinstance(key, tuple) else str(slot)
                    self.fail(
                        f"{what} stands twice, as slots {seen[key] + 1} and {at + 1}:"
                        " it cannot come before and after itself",
                        (*path, at),
                        what.removesuffix(" reverse"),
                    )
                seen[key] = at
        if HEAD not in seen:
            self.fail("an order without HEAD; add the place of the head", path)
        if OTHER in seen and (BEFORE in seen or AFTER in seen):
            last = max(seen[name] for name in (OTHER, BEFORE, AFTER) if name in seen)
            self.fail("[other] is all other children: it leaves none for [before] or [after]", (*path, last))
        return filled(slots), ""

    def rule(self, table: Any, path: Path) -> Rule:
        """Read a rule."""
        self.check_keys(table, _RULE, path)
        for key in ("name", "head", "order"):
            if key not in table:
                self.fail(f"a rule without {key}", path)
        name = self.text(table["name"], (*path, "name"))
        why = ""
        if not _NAME.fullmatch(name):
            why = f"name {name!r}: expected letters, digits, . + : - _ and single blanks"
        elif name == "default":
            why = "no rule can be called 'default': that is the order of heads that no rule applies to"
        if why:
            self.fail(why, (*path, "name"))
        head = {"upos": table["head"]} if isinstance(table["head"], str | list) else table["head"]
        condition = self.condition(head, _HEAD, (*path, "head"))
        slots, order = self.slots(table["order"], (*path, "order"))
        about = self.optional(table, "about", path)
        return Rule(name, condition, slots, order, about, self.file, self.lines.of(path))

    def read_classes(self, table: Any) -> None:
        """Read classes of relations; a class may contain other classes, but not itself."""
        if not isinstance(table, dict):
            self.fail(f"classes is {table!r}; expected a table", ("classes",))
        raw = {name: self.texts(value, ("classes", name)) for name, value in table.items()}
        self.classes = {name: labels for name, labels in self.classes.items() if name not in raw}

        def open_class(name: str, above: tuple[str, ...]) -> None:
            if name in above:
                self.fail(
                    f"classes that contain each other: {' > '.join('@' + x for x in (*above, name))}",
                    ("classes", name),
                )
            for label in raw[name]:
                if label.startswith("@") and label[1:] in raw:
                    open_class(label[1:], (*above, name))
            self.classes.setdefault(name, self.labels(list(raw[name]), ("classes", name)))

        for name in raw:
            open_class(name, ())


def parse_rules(text: str, file: str, *, find: FindSet | None = None, above: tuple[str, ...] = ()) -> RuleSet:
    """Read a rule set from the text of a file; ``find`` returns the sets that it extends.

    >>> rules = parse_rules('''
    ... name = "verbs-last"
    ... [[rule]]
    ... name = "verb"
    ... head = "VERB"
    ... order = ["nsubj", "[other]", "obj", "HEAD"]
    ... ''', "verbs-last.toml")
    >>> [str(slot) for slot in rules.rules[0].slots]
    ['nsubj', '[other]', 'obj', 'HEAD']
    """
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise BadFile("is not a set of rules: its values are nested too deep", file=file) from None
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        line = re.search(r"line (\d+)", place)
        raise BadFile(
            f"is not TOML: {message or error}", file=file, line=int(line[1]) if line else text.count("\n") + 1
        ) from None
    except ValueError as error:  # a number of thousands of digits
        raise BadFile(f"is not TOML: {error}", file=file) from None
    reader = Reader(file, Lines(text))
    reader.check_keys(data, _TOP, ())
    bases = _bases(data, reader, find, above)
    own: dict[str, Any] = {
        key: reader.texts(data[key], (key,))
        if key in data
        else next((getattr(base, key) for base in bases if getattr(base, key)), ())
        for key in ("labels", "tags")
    }
    reader.relations = frozenset(own["labels"]) or reader.relations
    reader.tags = frozenset(own["tags"]) or reader.tags
    for base in reversed(bases):
        reader.classes |= base.classes
    if "classes" in data:
        reader.read_classes(data["classes"])
    for key, known in CHOICES.items():
        if key in data and data[key] not in known:
            reader.fail(f"{key} is {data[key]!r}; expected one of {', '.join(known)}", (key,))
    raw = data.get("rule", [])
    if not isinstance(raw, list):
        reader.fail("rules are written [[rule]], in double brackets", ("rule",))
    rules = [reader.rule(table, ("rule", at)) for at, table in enumerate(raw)]
    names = [rule.name for rule in rules]
    for at, name in enumerate(names):
        if name in names[:at]:
            first = rules[names.index(name)].line
            reader.fail(f"rule {name!r} is already defined on line {first}", ("rule", at, "name"))
    kept = [rule for base in bases for rule in base.rules]
    for name in reader.texts(data["drop"], ("drop",)) if "drop" in data else ():
        if name not in [rule.name for rule in kept]:
            reader.fail(f"no rule {name!r} to drop{_near(name, [r.name for r in kept])}", ("drop",), name)
        kept = [rule for rule in kept if rule.name != name]
    rules = _merged(rules, kept)
    settings: dict[str, Any] = {
        key: data[key] if key in data else next((getattr(base, key) for base in bases), known[0])
        for key, known in CHOICES.items()
    }
    name, about = reader.optional(data, "name", default=file), reader.optional(data, "about")
    return RuleSet(name, tuple(rules), about=about, file=file, classes=reader.classes, **own, **settings)


def _merged(rules: Sequence[Rule], inherited: Sequence[Rule]) -> list[Rule]:
    """Put new rules first; a rule with the name of an inherited rule replaces it."""
    own = {rule.name: rule for rule in rules}
    below: dict[str, Rule] = {}
    for rule in inherited:  # if several sets define the same rule, the first one wins
        below.setdefault(rule.name, own.get(rule.name, rule))
    return [*(rule for rule in rules if rule.name not in below), *below.values()]


def _bases(
    data: dict[str, Any], reader: Reader, find: FindSet | None, above: tuple[str, ...]
) -> list[RuleSet]:
    bases = []
    for name in reader.texts(data["extends"], ("extends",)) if "extends" in data else ():
        if find is None:
            reader.fail("extends: other sets cannot be found from here", ("extends",))
        try:
            bases.append(find(name, reader.file, above))
        except LookupError as error:
            reader.fail(f"extends {name!r}: {error.args[0]}", ("extends",), name)
    return bases


def _keys(slot: Slot) -> list[object]:
    """Return what may occur only once in an order: special slots, each plain relation, whole conditions."""
    if slot.what:
        return [slot.what]
    relation = slot.child.only_relation
    if relation and not relation.negated:
        return [("relation", label) for label in relation.known]
    return [slot.child]


def _near(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; expected one of {', '.join(names)}" if len(names) <= 12 else ""
