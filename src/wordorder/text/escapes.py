"""Words as a decoder must see them: characters that its readers take for something else are escaped."""

from __future__ import annotations

import re

ESCAPES = ("none", "moses")

# As in escape-special-chars.perl of Moses. A | separates factors, brackets are nonterminals, < and > are XML.
_MOSES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
_TABLE = str.maketrans(_MOSES)
_CHARACTERS = {escape: character for character, escape in _MOSES.items()}
_EPSILON = "*EPS*"  # Moses' name of no word: as a word of a lattice, it stops the decoder
_ESCAPED_EPSILON = "&#42;EPS*"
_ANY = re.compile("|".join(map(re.escape, [*_CHARACTERS, "&#42;"])))

# What stands for an empty sentence where a reader needs a word. No word becomes this by escaping.
EMPTY = "&empty;"


def escaped(word: str, how: str = "moses") -> str:
    """Return a word as a decoder must see it; ``none`` leaves it as it is.

    >>> escaped("[he's]"), escaped("R&D|x"), escaped("&amp;"), escaped("*EPS*")
    ('&#91;he&apos;s&#93;', 'R&amp;D&#124;x', '&amp;amp;', '&#42;EPS*')
    """
    if how == "none":
        return word
    return _ESCAPED_EPSILON if word == _EPSILON else word.translate(_TABLE)


def unescaped(word: str) -> str:
    """Return the word that was escaped for Moses.

    >>> unescaped("&#91;he&apos;s&#93;"), unescaped("&amp;amp;"), unescaped("R&D")
    ("[he's]", '&amp;', 'R&D')
    """
    return _ANY.sub(lambda match: _CHARACTERS.get(match[0], "*"), word)
