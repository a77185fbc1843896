"""Rules on trees, slowly: recursion over lists of words, straight from the description of the language."""

from __future__ import annotations

from dataclasses import dataclass, field

from wordorder.io.sentence import Sentence
from wordorder.preorder.rules.language import AFTER, BEFORE, HEAD, OTHER, Around, RuleSet

OPENING, CLOSING = "([{“«", ")]}”»"


@dataclass
class Phrase:
    """Words that stand together: in source order, and with marks put around."""

    first: int
    last: int
    items: list[Phrase]
    word: int = -1
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)

    def read(self) -> list[int]:
        inside = [self.word] if self.word >= 0 else [i for item in self.items for i in item.read()]
        return [*self.before, *inside, *self.after]

    def all(self) -> list[Phrase]:
        return [self, *(one for item in self.items for one in item.all())]


def reorder(rules: RuleSet, sentence: Sentence) -> list[int]:
    """The order of a sentence without multiword tokens; brackets are of one character."""
    rows = sentence.words
    n = len(rows)
    heads = [head - 1 for head in sentence.heads]
    marks = []
    if rules.punctuation == "phrase":
        marks = [i for i in range(n) if rows[i].deprel == "punct" and i not in heads and heads[i] >= 0]
    words = [i for i in range(n) if i not in marks]
    project(heads, words)
    top = build(rules, sentence, heads, words, heads.index(-1))
    place_marks(top, [row.form for row in rows], marks, words)
    return top.read()


def project(heads: list[int], words: list[int]) -> None:
    """Lift the shortest crossing arc, the first of equally short ones, until there is none."""

    def above(i: int) -> list[int]:
        return [i, *above(heads[i])] if i >= 0 else []

    at = {word: k for k, word in enumerate(words)}
    while True:
        crossing = []
        for word in words:
            head = heads[word]
            if head < 0:
                continue
            low, high = sorted((at[word], at[head]))
            if any(head not in above(words[k]) for k in range(low + 1, high)):
                crossing.append((high - low, word))
        if not crossing:
            return
        word = min(crossing)[1]
        heads[word] = heads[heads[word]]


def build(rules: RuleSet, sentence: Sentence, heads: list[int], words: list[int], head: int) -> Phrase:
    rows = sentence.words
    children = [i for i in words if heads[i] == head]
    phrases = {i: build(rules, sentence, heads, words, i) for i in children}
    own = Phrase(head, head, [], word=head)
    tail: list[int] = []
    last = -1
    if rules.coordination == "keep":
        after = [i for i in children if i > head]
        joined = [i for i in after if rows[i].deprel.split(":")[0] in ("conj", "cc")]
        conjuncts = [i for i in after if rows[i].deprel.split(":")[0] == "conj"]
        if conjuncts:
            last = conjuncts[-1]
            tail = [i for i in after if joined[0] <= i <= last]
    inner = [i for i in children if not tail or i < tail[0]]
    outer = [i for i in children if tail and i > last]

    def slot_of(child: int) -> tuple[int, bool]:
        rule = rule_of(rules, sentence, heads, head)
        word = Around(rows[child], "_", "before" if child < head else "after", frozenset())
        best = None
        for k, slot in enumerate(rule.slots):
            if not slot.what and slot.child.meets(word):
                exact = slot.child.relation is not None and rows[child].deprel in slot.child.relation.known
                asked = len(slot.child.uses)
                if best is None or (exact, asked) > best[0]:
                    best = ((exact, asked), k)
        names = [slot.what for slot in rule.slots]
        if best is not None:
            at = best[1]
        elif OTHER in names:
            at = names.index(OTHER)
        else:
            at = names.index(BEFORE if child < head else AFTER)
        return at, rule.slots[at].reverse

    def sort(block: Phrase, some: list[int]) -> Phrase:
        if not some:
            return block
        rule = rule_of(rules, sentence, heads, head)
        names = [slot.what for slot in rule.slots]
        at = names.index(HEAD) if HEAD in names else names.index(OTHER)
        items = [(block, at, rule.slots[at].reverse)] + [(phrases[i], *slot_of(i)) for i in some]
        items.sort(key=lambda item: item[0].first)
        keyed = [
            ((at, -place if reverse else place), item) for place, (item, at, reverse) in enumerate(items)
        ]
        read = [item for _, item in sorted(keyed, key=lambda pair: pair[0])]
        return Phrase(items[0][0].first, items[-1][0].last, read)

    phrase = sort(own, inner)
    if tail:
        items = [phrase, *(phrases[i] for i in tail)]
        phrase = Phrase(items[0].first, items[-1].last, items)
        phrase = sort(phrase, outer)
    return phrase


def rule_of(rules: RuleSet, sentence: Sentence, heads: list[int], head: int):
    rows = sentence.words
    below = frozenset(rows[i].deprel for i in range(len(rows)) if heads[i] == head)
    parent = rows[heads[head]].upos if heads[head] >= 0 else "_"
    word = Around(rows[head], parent, None, below)
    return next((rule for rule in rules if rule.head.meets(word)), rules.fallback)


def place_marks(top: Phrase, forms: list[str], marks: list[int], words: list[int]) -> None:
    pairs = []
    opened: list[int] = []
    for m in marks:
        if forms[m] in OPENING:
            opened.append(m)
        elif forms[m] in CLOSING:
            kind = OPENING[CLOSING.index(forms[m])]
            found = [o for o in opened if forms[o] == kind]
            if found:
                opened = opened[: opened.index(found[-1])]
                if any(found[-1] < word < m for word in words):
                    pairs.append((found[-1], m))
    forward = False
    before = None
    for m in marks:
        left = [word for word in words if word < m]
        right = [word for word in words if word > m]
        if left and left[-1] != before:
            forward = False
        before = left[-1] if left else None
        low = max((a for a, b in pairs if a < m <= b), default=-1)
        high = min((b for a, b in pairs if a <= m < b), default=len(forms))
        can_left, can_right = bool(left) and left[-1] > low, bool(right) and right[0] < high
        opens = any(a == m for a, _ in pairs)
        lone = forms[m] in OPENING and not opens
        forward = can_right and (opens or lone or forward or not can_left)
        if forward:
            fits = [one for one in top.all() if one.first == right[0] and one.last < high]
            max(fits, key=lambda one: one.last).before.append(m)
        else:
            fits = [one for one in top.all() if one.last == left[-1] and one.first > low]
            min(fits, key=lambda one: one.first).after.append(m)
