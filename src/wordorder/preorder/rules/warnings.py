"""Warnings about rules and trees: rules that never fire, and labels that the rules do not know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.language import Condition, Rule, RuleSet, Values
from wordorder.preorder.rules.ud_labels import RELATIONS, TAGS, covers, is_relation

MOST = 0.01  # share of words with unknown labels above which a warning is given


def never_fire(rules: RuleSet) -> list[tuple[Rule, Rule]]:
    """Return the rules that cannot fire, each with the earlier rule that matches all its heads.

    >>> from wordorder.preorder.rules.reading import parse_rules
    >>> text = "".join(f'[[rule]]\\nname = "{n}"\\nhead = "{h}"\\norder = "keep"\\n' for n, h in
    ...                [("verbs", "VERB|AUX"), ("aux", "AUX")])
    >>> [(rule.name, by.name) for rule, by in never_fire(parse_rules(text, "x"))]
    [('aux', 'verbs')]
    """
    pairs = []
    for k, rule in enumerate(rules):
        pairs += [(rule, by) for by in rules.rules[:k] if _wider(by.head, rule.head)][:1]
    return pairs


def _wider(wide: Condition, narrow: Condition) -> bool:
    """Whether every word that meets the narrow condition is known to meet the wide one."""
    for name in ("upos", "xpos", "lemma", "form", "parent"):
        if not _includes(getattr(wide, name), getattr(narrow, name)):
            return False
    if wide.relation and not _includes_relations(wide.relation, narrow.relation):
        return False
    features = dict(narrow.feats)
    for name, values in wide.feats:
        own = features.get(name)
        # A feature may have several values at once, so that "not this" never follows from "that".
        if own is None or own.negated != values.negated or not _includes(values, own):
            return False
    if wide.has and not (narrow.has and all(any(covers(a, b) for a in wide.has) for b in narrow.has)):
        return False
    return all(any(covers(b, a) for b in narrow.lacks) for a in wide.lacks)


def _includes(wide: Values | None, narrow: Values | None) -> bool:
    if wide is None:
        return True
    if narrow is None:
        return False
    many, few = set(wide.known), set(narrow.known)
    if wide.negated:
        return many <= few if narrow.negated else not many & few
    return not narrow.negated and few <= many


def _includes_relations(wide: Values, narrow: Values | None) -> bool:
    if narrow is None or wide.negated or narrow.negated:
        return wide == narrow
    return all(any(covers(a, b) for a in wide.known) for b in narrow.known)


class UnknownLabels:
    """Counts the labels of trees that a rule set does not know.

    >>> from wordorder.io.sentence import Row
    >>> labels = UnknownLabels()
    >>> labels.add([Sentence([Row("1", "go", upos="VB", head="0", deprel="ROOT")])])
    >>> print(*labels.warnings(), sep="\\n")
    100% of the words have relations that are not those of Universal Dependencies: ROOT
    100% of the words have tags that are not those of Universal Dependencies: VB
    """

    def __init__(self, rules: RuleSet | None = None) -> None:
        own = {"relations": rules.labels if rules else (), "tags": rules.tags if rules else ()}
        self.expected = {
            kind: "those that the rules name" if names else "those of Universal Dependencies"
            for kind, names in own.items()
        }
        self.relations, self.tags = frozenset(own["relations"]) or RELATIONS, frozenset(own["tags"]) or TAGS
        self.words = 0
        self.counts: dict[str, Counter[str]] = {"relations": Counter(), "tags": Counter()}

    def add(self, sentences: Iterable[Sentence]) -> None:
        """Look at more trees."""
        for sentence in sentences:
            for row in sentence.rows:
                if row.is_word:
                    self.words += 1
                    self.counts["relations"][row.deprel] += 1
                    self.counts["tags"][row.upos] += 1

    def warnings(self) -> list[str]:
        """Return a warning for each kind of label if more than a few words have unknown ones."""
        warnings = []
        for what, seen in self.counts.items():
            odd = Counter({label: count for label, count in seen.items() if not self._known(what, label)})
            if odd.total() > MOST * self.words:
                some = ", ".join(label for label, _ in odd.most_common(5)) + (", ..." if len(odd) > 5 else "")
                share = f"{odd.total() / self.words:.0%} of the words have {what}"
                warnings.append(f"{share} that are not {self.expected[what]}: {some}")
        return warnings

    def _known(self, what: str, label: str) -> bool:
        return label in self.tags if what == "tags" else is_relation(label, self.relations)


def all_warnings(rules: RuleSet, sentences: Iterable[Sentence]) -> list[str]:
    """Return all warnings about rules on these trees, one line each."""
    labels = UnknownLabels(rules)
    labels.add(sentences)
    return [*rule_warnings(rules), *labels.warnings()]


def rule_warnings(rules: RuleSet) -> list[str]:
    """Return the warnings about the rules alone."""
    return [
        f"{rule.place or rules.name}: rule {rule.name!r} never fires: {by.name!r}"
        f" ({by.place}) comes first and takes all its heads"
        for rule, by in never_fire(rules)
    ]
