"""Writing rule sets as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from wordorder.preorder.rules.language import COLUMNS, HEAD, Condition, Rule, RuleSet, Slot, Values

WIDTH = 100


def to_toml(rules: RuleSet, *, notes: Mapping[str, str] | None = None) -> str:
    """Return a rule set as TOML; ``notes`` are comments by name of rule.

    >>> from wordorder.preorder.rules.sets import rule_set
    >>> print(to_toml(rule_set("none")), end="")
    name = "none"
    about = "No reordering (R1 of Talbot et al. 2011)."
    default = "keep"
    punctuation = "phrase"
    coordination = "keep"
    multiword = "split"
    """
    lines = [f"name = {_text(rules.name)}"]
    if rules.about:
        lines.append(f"about = {_text(rules.about)}")
    lines += [f"{key} = {_text(value)}" for key, value in rules.settings.items()]
    for key, labels in (("labels", rules.labels), ("tags", rules.tags)):
        if labels:
            lines += _wrapped(f"{key} = [", [_text(label) for label in labels])
    for rule in rules:
        lines += ["", *(f"# {line}" for line in (notes or {}).get(rule.name, "").splitlines()), "[[rule]]"]
        lines += _rule_lines(rule)
    return "\n".join(lines) + "\n"


def _rule_lines(rule: Rule) -> list[str]:
    lines = [f"name = {_text(rule.name)}"]
    if rule.about:
        lines.append(f"about = {_text(rule.about)}")
    tags = rule.head.upos if rule.head == Condition(upos=rule.head.upos) else None
    lines.append(f"head = {_values(tags) if tags else _table(rule.head)}")
    if rule.order:
        return [*lines, f"order = {_text(rule.order)}"]
    return [*lines, *_wrapped("order = [", [_slot(slot) for slot in rule.slots])]


def _wrapped(begin: str, members: Sequence[str]) -> list[str]:
    """Write a list on one line, or on several."""
    short = f"{begin}{', '.join(members)}]"
    if len(short) <= WIDTH:
        return [short]
    lines = [begin]
    line = " "
    for member in members:
        if len(line) + len(member) + 2 > WIDTH and line.strip():
            lines.append(line)
            line = " "
        line += f" {member},"
    return [*lines, line, "]"]


def _slot(slot: Slot) -> str:
    tail = " reverse" if slot.reverse else ""
    relation = slot.child.only_relation
    if slot.what:
        return _text(slot.what + tail)
    if relation and not relation.negated and not any(map(_odd, relation.known)):
        return _text(f"{relation}{tail}")
    return _table(slot.child, reverse=slot.reverse)


def _table(condition: Condition, *, reverse: bool = False) -> str:
    parts = []
    for name in (*COLUMNS, "parent"):
        value = getattr(condition, name)
        if name == "feats" and value:
            parts.append(
                "feats = { " + ", ".join(f"{_key(key)} = {_values(feature)}" for key, feature in value) + " }"
            )
        elif value:
            parts.append(f"{name} = {_values(value)}")
    for name in ("has", "lacks"):
        if labels := getattr(condition, name):
            parts.append(f"{name} = {_text('|'.join(labels))}")
    if condition.side:
        parts.append(f"side = {_text(condition.side)}")
    parts += ["reverse = true"] if reverse else []
    return "{ " + ", ".join(parts) + " }" if parts else "{}"


def _values(values: Values) -> str:
    if any(map(_odd, values.known)) and not values.negated:
        return "[" + ", ".join(_text(value) for value in values.known) + "]"
    return _text(str(values))


def _odd(label: str) -> bool:
    """Whether a label would be misread in a text with several labels."""
    return "|" in label or " " in label or label[:1] in "!@[" or label.upper() == HEAD


def _key(name: str) -> str:
    return name if name.replace("_", "").replace("-", "").isalnum() and name.isascii() else _text(name)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)  # TOML uses the escapes of JSON
