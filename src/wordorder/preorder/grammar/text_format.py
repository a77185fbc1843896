"""Grammars as text, in the form of the original Reordering Grammar program.

::

    NONTERMS ||| ROOT P12 P12_0 P12*1_0 ...
    RULE ||| P12_0 -> P12*1_0 P12*2_0 ||| 1.0
    RULE ||| P12*1_0 -> P21_3 ||| 0.25
    RULE ||| P12*1_0 -> tag_house ||| 0.001
    RULE ||| tag_house -> 'house' ||| 1.0
    RULE ||| tag_[[[a___b]]] -> tag_a tag_b ||| 1.0
    SPLIT ||| P12 ||| P12_0 P12_1 ...
    SETTING ||| lowercase ||| true

The last line is an extension, written only if words are lower-cased. Rules of probability 0 are omitted.
The word ``*`` is written STAR in tags, and the unknown word ``XXX_UNKNOWN_XXX``; classes of unknown words
append their features to this name, separated by colons.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np

from wordorder.errors import BadFile
from wordorder.io.files import open_binary, open_output
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_lines
from wordorder.preorder.grammar.operators import OPERATORS, Layout, Operator
from wordorder.preorder.grammar.tables import Tables
from wordorder.preorder.grammar.vocabulary import UNKNOWN, Vocabulary

_UNKNOWN = "XXX_UNKNOWN_XXX"
MOST_STATES = 2000  # of all operators together, because tables have a cell for every pair of slot and state
_SLOT = re.compile(r"(P[0-9]+)\*([0-9])(?:_([0-9]{1,9}))?")
_STATE = re.compile(r"(P[0-9]+)(?:_([0-9]{1,9}))?")
_BY_NAME = {operator.name: operator for operator in OPERATORS}
_LOWERCASE = "SETTING ||| lowercase ||| true"


def write_grammar(tables: Tables, vocabulary: Vocabulary, path: str, *, lowercase: bool = False) -> None:
    """Write a grammar; the file appears only when it is complete."""
    with open_output(path) as out:
        for line in chain(grammar_lines(tables, vocabulary), [_LOWERCASE] if lowercase else []):
            out.write(f"{line}\n".encode("utf-8", "surrogatepass"))


def grammar_lines(tables: Tables, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the lines of a grammar."""
    layout = tables.layout
    states = [f"{op.name}_{a}" for op, s in _sized(layout) for a in range(s)]
    slots = [f"{op.name}*{k + 1}_{a}" for op, s in _sized(layout) for k in range(op.arity) for a in range(s)]
    tags = [f"tag_{tag_of(word)}" for word in vocabulary.words]
    names = ["ROOT", *(op.name for op in layout.operators), *states, *slots, *tags]
    yield f"NONTERMS ||| {' '.join(names)}"
    for op, s in _sized(layout):
        for a in range(s):
            children = " ".join(f"{op.name}*{k + 1}_{a}" for k in range(op.arity))
            yield f"RULE ||| {op.name}_{a} -> {children} ||| 1.0"
    by_slot = np.ascontiguousarray(tables.lexical.T)
    for slot, name in enumerate([*slots, "ROOT"]):
        for row, heads in ((tables.rules[slot], states), (by_slot[slot], tags)):
            for at in np.flatnonzero(row).tolist():
                yield f"RULE ||| {name} -> {heads[at]} ||| {float(row[at])!r}"
    for word, tag in zip(vocabulary.words, tags, strict=True):
        if " " in word.strip() and not word.startswith(" "):
            yield f"RULE ||| {tag} -> {' '.join(f'tag_{tag_of(w)}' for w in word.split(' '))} ||| 1.0"
        else:
            yield f"RULE ||| {tag} -> '{word if not word.startswith(' ') else tag_of(word)}' ||| 1.0"
    for op, s in _sized(layout):
        yield f"SPLIT ||| {op.name} ||| {' '.join(f'{op.name}_{a}' for a in range(s))}"


def _sized(layout: Layout) -> Iterator[tuple[Operator, int]]:
    return zip(layout.operators, layout.states, strict=True)


def tag_of(word: str) -> str:
    """Return a word, phrase or class as it is written in a tag.

    >>> tag_of("new york"), tag_of("*"), tag_of(" unknown a ing")
    ('[[[new___york]]]', 'STAR', 'XXX_UNKNOWN_XXX:a:ing')
    """
    if word.startswith(UNKNOWN):
        return _UNKNOWN + word[len(UNKNOWN) :].replace(" ", ":")
    if " " in word:
        return f"[[[{'___'.join(word.split(' '))}]]]"
    return "STAR" if word == "*" else word


def word_of(tag: str) -> str:
    """Return the word of a tag: the inverse of :func:`tag_of`.

    >>> [word_of(tag) for tag in ("[[[new___york]]]", "STAR", "XXX_UNKNOWN_XXX")]
    ['new york', '*', ' unknown']
    """
    if tag == _UNKNOWN or tag.startswith(_UNKNOWN + ":"):
        return UNKNOWN + tag[len(_UNKNOWN) :].replace(":", " ")
    if tag.startswith("[[[") and tag.endswith("]]]"):
        return " ".join(tag[3:-3].split("___"))
    return "*" if tag == "STAR" else tag


class _Rule(NamedTuple):
    left: str
    right: str
    probability: float


def read_grammar(path: str) -> tuple[Tables, Vocabulary, bool]:
    """Return a grammar, split or not, its vocabulary, and whether words are lower-cased."""
    lowercase = False
    rules: list[_Rule] = []
    states: dict[str, int] = {}
    words: set[str] = {UNKNOWN}
    with open_binary(path) as handle:
        for number, line in enumerate(read_lines(handle, path), start=1):
            if isinstance(line, BadLine):
                raise line
            lowercase |= line.strip() == _LOWERCASE
            rule = _parsed(line, path, number)
            if rule is None:
                continue
            for name in (rule.left, rule.right):
                match = _SLOT.fullmatch(name) or _STATE.fullmatch(name)
                if match:
                    operator = _BY_NAME.get(match[1])
                    if not operator or (match.re is _SLOT and not 1 <= int(match[2]) <= operator.arity):
                        raise BadFile(f"operator {name[:40]} is not known", file=path, line=number)
                    states[match[1]] = max(states.get(match[1], 0), int(match[match.re.groups] or 0) + 1)
            if rule.right.startswith("tag_"):
                words.add(word_of(rule.right.removeprefix("tag_")))
            rules.append(rule)
    operators = [op for op in OPERATORS if op.name in states]
    if not operators:
        raise BadFile("no rules of a Reordering Grammar; expected RULE ||| P12*1_0 -> ... ||| p", file=path)
    layout = Layout(tuple(operators), tuple(states[op.name] for op in operators))
    if layout.state_count > MOST_STATES:
        raise BadFile(f"{layout.state_count:,} states; expected {MOST_STATES:,} at most", file=path)
    back_off = any(word.startswith(UNKNOWN + " ") for word in words)
    vocabulary = Vocabulary(tuple(sorted(words, key=lambda w: (not w.startswith(" "), w))), back_off)
    return _filled(layout, vocabulary, rules), vocabulary, lowercase


def _filled(layout: Layout, vocabulary: Vocabulary, rules: list[_Rule]) -> Tables:
    table = np.zeros((layout.slot_count, layout.state_count), dtype=np.float32)
    lexical = np.zeros((len(vocabulary), layout.slot_count), dtype=np.float32)
    first_state, first_slot = {}, {}
    state = slot = 0
    for op, s in _sized(layout):
        first_state[op.name], first_slot[op.name] = state, (slot, s)
        state, slot = state + s, slot + op.arity * s
    for left, right, probability in rules:
        match = _SLOT.fullmatch(left)
        if match:
            start, s = first_slot[match[1]]
            at = start + (int(match[2]) - 1) * s + int(match[3] or 0)
        else:
            at = layout.slot_count - 1
        if right.startswith("tag_"):
            lexical[vocabulary.numbers[word_of(right.removeprefix("tag_"))], at] = probability
        else:
            to = _STATE.fullmatch(right)
            assert to is not None
            table[at, first_state[to[1]] + int(to[2] or 0)] = probability
    return Tables(layout, table, lexical)


def _parsed(line: str, path: str, number: int) -> _Rule | None:
    """Return the rule of a slot or of ROOT on a line; None for other lines."""
    fields = line.split(" ||| ")
    if fields[0] in ("NONTERMS", "SPLIT", "SETTING") or not line.strip():
        return None
    left, arrow, right = fields[1].partition(" -> ") if len(fields) == 3 else ("", "", "")
    try:
        probability = float(fields[2]) if arrow else -1.0
    except ValueError:
        probability = -1.0
    if fields[0] != "RULE" or not 0 <= probability <= 1.000001:
        raise BadFile(f"{line[:60]!r} is not RULE ||| A -> B ||| probability", file=path, line=number)
    if left != "ROOT" and not _SLOT.fullmatch(left):
        return None
    if not right.startswith("tag_") and not _STATE.fullmatch(right):
        raise BadFile(f"{right[:60]!r} is neither a state nor a tag", file=path, line=number)
    return _Rule(left, right, probability)
