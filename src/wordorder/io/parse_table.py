"""A table of dependency parses from CoNLL-U files."""

from __future__ import annotations

from collections.abc import Sequence
from sys import intern

from wordorder.errors import BadSetting
from wordorder.io.read_write import read_records
from wordorder.text.parses import Parse, ParseTable


def read_parses(paths: Sequence[str]) -> ParseTable:
    """Read CoNLL-U files, packed or not; the trees are checked, and bad ones are errors with file and line.

    A parse is found by its comment ``# text = ...``, or without one by the text that its words spell, and
    by its words between blanks. Of two parses of the same text the first counts.
    """
    if isinstance(paths, str):
        raise BadSetting(f"expected a list of files, found {paths!r}")
    table = ParseTable()
    for path in paths:
        for sentence in read_records(path, "conllu"):
            words = sentence.words
            parse = Parse(
                tuple(intern(row.form) for row in words),
                tuple(int(row.head) for row in words),
                tuple(intern(row.deprel) for row in words),
            )
            text = sentence.text
            table.add(parse, text=sentence.surface if text is None else text)
        table.sources.append(path)
    return table
