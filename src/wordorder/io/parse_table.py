"""Tables of dependency parses from CoNLL-U files."""

from __future__ import annotations

from collections.abc import Sequence
from sys import intern

from wordorder.errors import BadSetting
from wordorder.io.read_write import read_records
from wordorder.text.parses import Parse, ParseTable


def read_parses(paths: Sequence[str]) -> ParseTable:
    """Read CoNLL-U files, packed or not; trees are checked, and errors name file and line.

    A parse is found by its comment ``# text = ...`` (or the text that its words spell) and by its words
    separated by spaces. If a text has two parses, the first one counts.
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
            tags = tuple(intern(row.upos) for row in words)
            table.add(parse, text=sentence.surface if text is None else text, tags=tags)
        table.sources.append(path)
    return table
