"""Text for a terminal: the colours of our drawings pass, and nothing else that could steer it."""

from __future__ import annotations

import re

# Similar to the palette of the pictures, and readable on light and dark backgrounds.
BLUE, ORANGE, GREEN = (f"\x1b[38;5;{number}m" for number in (32, 166, 36))
DIM, RESET = "\x1b[2m", "\x1b[0m"

_COLORS = "|".join(re.escape(color[1:]) for color in (BLUE, ORANGE, GREEN, DIM, RESET))
# Control characters, except tabs, line breaks and our colours: others could hide text.
_CONTROLS = re.compile(
    rf"\x1b(?!{_COLORS})|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f]|\xc2[\x80-\x9f]".encode("latin-1")
)


def harmless(line: bytes) -> bytes:
    r"""Replace control characters with U+FFFD, because words of a file must not steer a terminal.

    >>> harmless(b"a\x1b]0;title\x07b \x1b[8mhidden \x1b[2mdim\x1b[0m\n").decode()
    'a�]0;title�b �[8mhidden \x1b[2mdim\x1b[0m\n'
    """
    return _CONTROLS.sub("\N{REPLACEMENT CHARACTER}".encode(), line)
