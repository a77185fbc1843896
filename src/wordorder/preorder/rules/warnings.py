"""What should make one doubt rules, or rules on these trees: rules that never fire, labels no rule knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.language import Condition, Rule, RuleSet, Values
from wordorder.preorder.rules.ud_labels import RELATIONS, TAGS, covers, is_relation

MOST = 0.01  # share of words with labels that are not known, above which it is told


def never_fire(rules: RuleSet) -> list[tuple[Rule, Rule]]:
    """Rules that cannot fire, each with the earlier one that takes all its heads.

    >>> from wordorder.preorder.rules.reading import parse_rules
    >>> text = "".join(f'[[rule]]\\nname = "{n}"\\nhead = "{h}"\\norder = "keep"\\n' for n, h in
    ...                [("verbs", "VERB|AUX"), ("aux", "AUX")])
    >>> [(rule.name, by.name) for rule, by in never_fire(parse_rules(text, "x"))]
    [('aux', 'verbs')]
    """
    found = []
    for k, rule in enumerate(rules.rules):
        by = next((one for one in rules.rules[:k] if _wider(one.head, rule.head)), None)
        if by is not None:
            found.append((rule, by))
    return found


def _wider(one: Condition, other: Condition) -> bool:
    """Whether every word that meets the other condition meets this one too, as far as can be told."""
    for name in ("upos", "xpos", "lemma", "form", "parent"):
        if not _holds(getattr(one, name), getattr(other, name)):
            return False
    if one.relation and not _relations(one.relation, other.relation):
        return False
    features = dict(other.feats)
    for name, values in one.feats:
        mine = features.get(name)
        # A feature may have several values at once, so that "not this" never follows from "that".
        if mine is None or mine.negated != values.negated or not _holds(values, mine):
            return False
    if one.has and not (other.has and all(any(covers(a, b) for a in one.has) for b in other.has)):
        return False
    return all(any(covers(b, a) for b in other.lacks) for a in one.lacks)


def _holds(one: Values | None, other: Values | None) -> bool:
    if one is None:
        return True
    if other is None:
        return False
    mine, theirs = set(one.known), set(other.known)
    if one.negated:
        return mine <= theirs if other.negated else not mine & theirs
    return not other.negated and theirs <= mine


def _relations(one: Values, other: Values | None) -> bool:
    if other is None or one.negated or other.negated:
        return one == other
    return all(any(covers(a, b) for a in one.known) for b in other.known)


class Strangers:
    """Counts the labels of trees that a rule set does not know.

    >>> from wordorder.io.sentence import Row
    >>> seen = Strangers()
    >>> seen.add([Sentence([Row("1", "go", upos="VB", head="0", deprel="ROOT")])])
    >>> print(*seen.notes(), sep="\\n")
    100% of the words have relations that are not those of Universal Dependencies: ROOT
    100% of the words have tags that are not those of Universal Dependencies: VB
    """

    def __init__(self, rules: RuleSet | None = None) -> None:
        labels, tags = (rules.labels, rules.tags) if rules else ((), ())
        self.relations, self.tags = frozenset(labels) or RELATIONS, frozenset(tags) or TAGS
        self.whose = {
            "relations": "those that the rules name" if labels else "those of Universal Dependencies",
            "tags": "those that the rules name" if tags else "those of Universal Dependencies",
        }
        self.words = 0
        self.found: dict[str, Counter[str]] = {"relations": Counter(), "tags": Counter()}

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Look at more trees."""
        for sentence in sentences:
            for row in sentence.rows:
                if row.is_word:
                    self.words += 1
                    self.found["relations"][row.deprel] += 1
                    self.found["tags"][row.upos] += 1

    def notes(self) -> list[str]:
        """What to tell, if more than a few words have such labels."""
        told = []
        for what, seen in self.found.items():
            odd = Counter({label: count for label, count in seen.items() if not self._known(what, label)})
            if odd.total() > MOST * self.words:
                some = ", ".join(label for label, _ in odd.most_common(5)) + (", ..." if len(odd) > 5 else "")
                share = odd.total() / self.words
                told.append(f"{share:.0%} of the words have {what} that are not {self.whose[what]}: {some}")
        return told

    def _known(self, what: str, label: str) -> bool:
        return label in self.tags if what == "tags" else is_relation(label, self.relations)


def doubts(rules: RuleSet, sentences: Iterable[Sentence]) -> list[str]:
    """All of it, one line each."""
    seen = Strangers(rules)
    seen.add(sentences)
    return [*rule_notes(rules), *seen.notes()]


def rule_notes(rules: RuleSet) -> list[str]:
    """What there is to tell of rules alone."""
    return [
        f"{rule.place or rules.name}: rule {rule.name!r} never fires: {by.name!r}"
        f" ({by.place}) comes first and takes all its heads"
        for rule, by in never_fire(rules)
    ]
