"""Word lattices as Moses reads them (PLF)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from wordorder.io.base import LineFormat, Problem
from wordorder.io.lines import shown
from wordorder.io.links import read_score
from wordorder.io.registry import register

_WORD = re.compile(r"'((?:[^'\\]|\\.)*)'")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_VALUE = re.compile(r"[^,()\s]+")
_TOKEN = re.compile(r"\s*(?:([(),])|('(?:[^'\\]|\\.)*')|([^\s,()']+))")


class PlfArc(NamedTuple):
    """A word, its features (names and values; a plain number has no name), and the states to advance."""

    word: str
    features: tuple[tuple[str, float], ...]
    step: int


PlfLattice = tuple[tuple[PlfArc, ...], ...]  # the arcs that leave each state except the last


@register
@dataclass(frozen=True, kw_only=True)
class Plf(LineFormat[PlfLattice]):
    r"""Lattices, one per line: for each state except the last, the arcs ``('word', features, step)``.

    A feature is a number or ``name=number``. Quotes and backslashes in words are escaped by a backslash. An
    empty line is the lattice of no words.

    >>> Plf().parse("((('a',0.5,1),('b',0.5,2),),(('c',1.0,1),),)")[1]
    (PlfArc(word='c', features=(('', 1.0),), step=1),)
    """

    name = "plf"
    about = "word lattices, one per line: ((('a',1.0,1),),(('b',1.0,1),),) (Moses)"
    extensions = (".plf", ".lattice")

    def parse(self, line: str) -> PlfLattice:
        """Read the states of a line."""
        if not line.strip():
            return ()
        tokens = _tokens(line)
        states = _states(tokens)
        if next(tokens, None) is not None:
            raise Problem("there is text after the lattice", reason="bad lattice")
        for state, arcs in enumerate(states):
            for arc in arcs:
                if not 0 < arc.step <= len(states) - state:
                    raise Problem(
                        f"{shown(arc.word)} of state {state} advances {arc.step} states;"
                        f" expected 1 to {len(states) - state}",
                        reason="bad lattice",
                    )
        return states

    def to_line(self, record: PlfLattice) -> str:
        """Write without spaces, with a comma after every state and arc."""
        if not record:
            return ""
        states = []
        for arcs in record:
            if not arcs:
                raise Problem("a state without arcs", reason="bad lattice")
            states.append("".join(f"({_quoted(arc.word)},{_features(arc)}{arc.step})," for arc in arcs))
        return f"({''.join(f'({arcs}),' for arcs in states)})"

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require lattices only, and at least one."""
        some = [line for line in lines if line.strip()]
        # The last line of a sample may be cut; the beginning of a lattice is sufficient.
        return 0.97 if some and all(re.match(r"\s*\(\s*\(\s*\(\s*'", line) for line in some) else 0.0

    def examples(self) -> list[PlfLattice]:
        """Return no words, one path, two paths, unusual words, named features."""
        plain = (("", 1.0),)
        return [
            ((PlfArc("a", plain, 1),), (PlfArc("b", plain, 1),)),
            (),
            ((PlfArc("it's", (("", 0.25),), 1), PlfArc("\\('", (("", 0.75),), 2)), (PlfArc("木", plain, 1),)),
            ((PlfArc("x", (("index", 3.0), ("KTau", -1.5e-07)), 1),),),
        ]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return open brackets, bad words, numbers and steps, text after the end."""
        good = b"((('a',1.0,1),),)\n"
        return [
            (good + b"((('a',1.0,1),)\n", 2),
            (b"((('a),1.0,1),),)\n", 1),
            (b"(((a,1.0,1),),)\n", 1),
            (b"((('',1.0,1),),)\n", 1),
            (b"((('a',x,1),),)\n", 1),
            (b"((('a',1.0,2),),)\n", 1),
            (b"((('a',1.0,0),),)\n", 1),
            (good + good[:-1] + b" x\n", 2),
            (b"((),)\n", 1),
        ]


def _tokens(line: str) -> Iterator[str]:
    at = 0
    end = len(line.rstrip())
    while at < end:
        match = _TOKEN.match(line, at)
        if not match:
            raise Problem(f"{shown(line[at:])}: a quote without a partner", reason="bad lattice")
        at = match.end()
        yield match[1] or match[2] or match[3]


def _unexpected(token: str | None, expected: str) -> Problem:
    seen = "the line ends" if token is None else shown(token)
    return Problem(f"{seen} where {expected} was expected", reason="bad lattice")


def _states(tokens: Iterator[str]) -> PlfLattice:
    if (token := next(tokens, None)) != "(":
        raise _unexpected(token, "'('")
    states: list[tuple[PlfArc, ...]] = []
    for _ in _items(tokens, "a state"):
        arcs = tuple(_arc(tokens) for _ in _items(tokens, "an arc"))
        if not arcs:
            raise Problem(f"state {len(states)} has no arcs", reason="bad lattice")
        states.append(arcs)
    return tuple(states)


def _items(tokens: Iterator[str], what: str) -> Iterator[None]:
    """Walk over bracketed items separated by commas, up to the closing bracket."""
    while (token := next(tokens, None)) != ")":
        if token != "(":
            raise _unexpected(token, f"{what} or ')'")
        yield
        if (token := next(tokens, None)) == ")":
            return
        if token != ",":
            raise _unexpected(token, f"',' or ')' after {what}")


def _arc(tokens: Iterator[str]) -> PlfArc:
    quoted = next(tokens, "")
    match = _WORD.fullmatch(quoted)
    if not match or not match[1]:
        raise _unexpected(quoted, "a word in quotes")
    word = re.sub(r"\\(.)", r"\1", match[1])
    values: list[str] = []
    while (token := next(tokens, None)) == ",":
        values.append(next(tokens, ""))
    if token != ")" or not values:
        raise Problem(f"the arc of {shown(word)} is not ('word', features, step)", reason="bad lattice")
    *features, step = values
    if not re.fullmatch("[0-9]{1,9}", step):
        raise Problem(f"step {shown(step)} of {shown(word)} is not a whole number", reason="bad lattice")
    return PlfArc(word, tuple(_feature(text, word) for text in features), int(step))


def _feature(text: str, word: str) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    number = read_score(value)
    if number is None or (equals and not _NAME.fullmatch(name)):
        raise Problem(f"{shown(text)} of {shown(word)} is not a number or name=number", reason="bad lattice")
    return name, number


def _features(arc: PlfArc) -> str:
    return "".join(f"{name}={value!r}," if name else f"{value!r}," for name, value in arc.features)


def _quoted(word: str) -> str:
    if not word or "\n" in word:
        raise Problem(f"{shown(word)} cannot be a word of a lattice", reason="bad word")
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"
