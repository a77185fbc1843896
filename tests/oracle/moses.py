"""The readers of the decoder Moses, written again from its rules, and as strict as they can be.

Where Moses stops reading, skips an arc, or takes a word for something else, these readers raise an error.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

Arc = tuple[str, list[float], dict[str, float], int]


def parse_lattice(line: str) -> list[list[Arc]]:
    """Read PLF character by character: plain numbers come first, then name=number, and a step at the end."""
    at = 0

    def take(expected: str) -> None:
        nonlocal at
        assert line[at] == expected, (at, line[at : at + 20])
        at += 1

    def word() -> str:
        nonlocal at
        take("'")
        letters = ""
        while True:
            letter = line[at]
            at += 1
            if letter == "\\":
                letters += line[at]
                at += 1
            else:
                letters += letter
            if line[at] == "'":
                break
        take("'")
        return letters

    def arc() -> Arc:
        nonlocal at
        take("(")
        text = word()
        tokens = []
        while line[at] == ",":
            at += 1
            end = min(line.index(",", at) if "," in line[at:] else len(line), line.index(")", at))
            tokens.append(line[at:end])
            at = end
        take(")")
        *numbers, step = tokens
        plain = [number for number in numbers if "=" not in number]
        assert all("=" in number for number in numbers[len(plain) :])
        named = dict(number.split("=") for number in numbers[len(plain) :])
        return text, [float(x) for x in plain], {key: float(x) for key, x in named.items()}, int(step)

    states = []
    take("(")
    while line[at] != ")":
        take("(")
        arcs = []
        while line[at] != ")":
            arcs.append(arc())
            take(",")
        take(")")
        take(",")
        states.append(arcs)
    take(")")
    assert at == len(line)
    return states


def read_lattices(text: str, *, longest: int = 20, numbers: int = 1) -> list[list[list[Arc]]]:
    """Read a file of lattices with the settings -max-phrase-length and num-input-features."""
    assert text.endswith("\n"), "the last line is incomplete"
    lattices = []
    for line in text.split("\n")[:-1]:
        assert line.startswith("("), "Moses stops here without a word"
        states = parse_lattice(line)
        assert states, "Moses stops at a lattice without states"
        reached = {0}
        for state, arcs in enumerate(states):
            assert arcs, "Moses stops at a state without arcs"
            assert state in reached, "no arc leads to the state"
            for word, plain, _, step in arcs:
                check_word(word)
                assert len(plain) == numbers, "Moses stops at another number of weights"
                assert all(0 < struct.unpack("f", struct.pack("f", weight))[0] <= 1 for weight in plain)
                assert 1 <= step <= len(states) - state, "an arc leads nowhere"
                assert step <= longest, "Moses stops at the jump, or ignores the arc"
                reached.add(state + step)
        lattices.append(states)
    return lattices


def check_word(word: str) -> None:
    """Check that Moses takes text for one word without factors, markup and nonterminals."""
    assert word and not set(word) & set(" \t|<>[]"), word
    assert word != "*EPS*", "Moses stops at the word of no word"


def paths(states: list[list[Arc]], state: int = 0) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the words and the sum of the logarithms of each path."""
    if state == len(states):
        yield (), 0.0
        return
    for word, (weight,), _, step in states[state]:
        for words, total in paths(states, state + step):
            yield (word, *words), total + math.log(weight)


# escape-special-chars.perl and deescape-special-chars.perl: one replacement after another.
_RULES = [("&", "&amp;"), ("|", "&#124;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&apos;"), ('"', "&quot;"),
          ("[", "&#91;"), ("]", "&#93;")]  # fmt: skip


def escape(text: str) -> str:
    """Escape the special characters of a text."""
    for character, escaped in _RULES:
        text = text.replace(character, escaped)
    return text


def unescape(text: str) -> str:
    """Undo the escapes; the & comes last."""
    for character, escaped in [*_RULES[1:], _RULES[0]]:
        text = text.replace(escaped, character)
    return text
