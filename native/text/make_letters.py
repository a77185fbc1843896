"""Write ``letters_table.h``: the code points that separate words, by Unicode's general categories.

Run ``python native/text/make_letters.py > native/text/letters_table.h`` to move to a new version of Unicode.
"""

import sys
import unicodedata

JOINERS = (0x200C, 0x200D)  # inside words of Persian and of Indian languages


def other(point: int) -> bool | None:
    """Whether it is punctuation, a symbol, white space or a control; None where it is nothing yet."""
    category = unicodedata.category(chr(point))
    if category in ("Cn", "Co", "Cs"):
        return None
    return point not in JOINERS and category[0] not in "LMN"


ranges: list[list[int]] = []
for point in range(0x80, sys.maxunicode + 1):
    kind = other(point)
    if kind and ranges and ranges[-1][2]:
        ranges[-1][1] = point
    elif kind:
        ranges.append([point, point, 1])
    elif kind is False and ranges:
        ranges[-1][2] = 0  # closed: the next one begins another range

contents = "all but letters, marks and numbers"
print(f"// Written by make_letters.py from Unicode {unicodedata.unidata_version}: {contents}.")
row = ""
for first, last, _ in ranges:
    cell = f"{{0x{first:X}, 0x{last:X}}}, "
    if len(row) + len(cell) > 115:
        print(row.rstrip())
        row = ""
    row += cell
print(row.rstrip())
