"""Labels of drawings, and estimates of their widths."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wordorder.core.permutation import Permutation
    from wordorder.core.tree import Node

Notes = Mapping[tuple[int, int], str]  # texts to show after the operators of some spans (begin, end)
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST_OPERATOR = 12  # longer operators are shortened

_BINARY = {"monotone": "⟨1,2⟩", "inverted": "⟨2,1⟩"}  # by far the most frequent ones

# Line and paragraph separators break a drawing; XML 1.0 and terminals reject the others.
_UNSAFE_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}
# Embeddings, overrides and isolates: an unclosed one would reverse everything after the word.
_BIDI_CONTROLS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_NO_WIDTH = {"Mn", "Me", "Cf"}
_STRONG = ("L", "R", "AL")  # directions of letters

_COLUMN, _CAPITAL, _BROAD = 0.56, 0.14, 0.34  # widths relative to the font size


def visible(text: str) -> str:
    """Replace every character that could break the drawing with U+FFFD.

    These are control characters, lone surrogates, line separators, bidirectional embeddings
    and noncharacters. Joiners are kept, because Persian and emoji need them.

    >>> visible("a\\x1b[31mb")
    'a�[31mb'
    """
    if text.isprintable():
        return text
    return "".join(REPLACEMENT if _is_unsafe(character) else character for character in text)


def _is_unsafe(character: str) -> bool:
    code = ord(character)
    return (
        unicodedata.category(character) in _UNSAFE_CATEGORIES
        or code in _BIDI_CONTROLS
        or code & 0xFFFE == 0xFFFE  # U+FFFE, U+FFFF and their counterparts in the higher planes
    )


def columns(text: str) -> int:
    """Return the width in terminal columns: wide East Asian characters take 2, combining marks 0.

    >>> columns("東京"), columns("cafe\\u0301"), columns("you")
    (4, 4, 3)
    """
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def text_width(text: str, size: float) -> float:
    """Estimate the width of a text in a sans-serif font of this size, without reading a font.

    A column takes slightly more than half of the font size, and broad letters and capitals take
    more. The estimate is rather too large than too small.

    >>> text_width("you", 16) < text_width("YOU", 16) < text_width("WWW", 16)
    True
    """
    extra = sum(_BROAD if character in "MWmw@%" else _CAPITAL * character.isupper() for character in text)
    return size * (_COLUMN * columns(text) + extra)


def shortened_text(text: str, size: float, limit: float) -> str:
    """Return the visible text, with … in the middle if it is wider than ``limit`` pixels.

    Both ends are kept, because names with settings often differ only in the last letters.

    >>> shortened_text("word", 16, 100), shortened_text("a long name", 16, 80)
    ('word', 'a lo…ame')
    """
    whole = visible(text)
    if text_width(whole, size) <= limit:
        return whole
    kept = min(len(whole) - 1, 200)  # letters; more do not fit any chart
    while kept and text_width(_ends(whole, kept), size) > limit:
        kept -= 1
    return _ends(whole, kept)


def _ends(text: str, kept: int) -> str:
    last = kept // 2
    return f"{text[: kept - last]}…{text[len(text) - last :]}"


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter with a direction runs from right to left.

    >>> is_right_to_left("(שלום)"), is_right_to_left("word")
    (True, False)
    """
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in _STRONG:
            return direction != "L"
    return False


def runs_right_to_left(words: Iterable[str]) -> bool:
    """Return whether most of the words that have a direction run from right to left.

    >>> runs_right_to_left(["שלום", "NATO", "עולם", "!"]), runs_right_to_left(["a", "שלום"])
    (True, False)
    """
    found = [next((d for c in word if (d := unicodedata.bidirectional(c)) in _STRONG), "") for word in words]
    return 2 * sum(direction in ("R", "AL") for direction in found) > sum(map(bool, found))


def shortened(permutation: Permutation) -> str:
    """Format a permutation as in the papers; a long one as its first numbers and its length.

    >>> from wordorder.core.permutation import Permutation
    >>> shortened(Permutation([1, 3, 0, 2])), shortened(Permutation.identity(13))
    ('⟨2,4,1,3⟩', '⟨1,2,…⟩ (13)')
    """
    if len(permutation) <= LONGEST_OPERATOR:
        return permutation.to_text()
    first, second = permutation[:2]
    return f"⟨{first + 1},{second + 1},…⟩ ({len(permutation)})"


def wrapped(text: str, size: float, width: float) -> list[str]:
    """Divide a text into lines that are not wider than ``width``, if its words are not.

    >>> wrapped("one two three", 10, 50)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def readable_count(count: int) -> str:
    """Write a count for people: all digits, or its magnitude if there are very many.

    >>> readable_count(16796), readable_count(10**300)
    ('16,796', 'about 10^300.0')
    """
    return f"{count:,}" if count < 10**15 else f"about 10^{math.log10(count):.1f}"


def operator_label(node: Node) -> str:
    """Format the operator of a node, with the number of times that a flat chain repeats it.

    >>> from wordorder.core.tree import tree
    >>> operator_label(tree([3, 2, 1, 0]).root)
    '⟨2,1⟩×3'
    """
    operator = _BINARY.get(node.kind) or shortened(node.operator)
    return operator if node.chain == 1 else f"{operator}×{node.chain}"


def node_label(node: Node, notes: Notes) -> str:
    """Format the operator of a node, followed by the note on its span."""
    note = notes.get((node.begin, node.end))
    return operator_label(node) if note is None else f"{operator_label(node)} {visible(note)}"
