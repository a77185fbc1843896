"""Test sets by name: their sources and references, from the cache of sacrebleu.

sacrebleu keeps them in ``$SACREBLEU``, or in ``~/.sacrebleu``, and downloads what is not there. This is the
only place where the package asks for a download, and only for a test set that was named.
"""

from __future__ import annotations

from typing import NamedTuple

from wordorder.errors import BadFile, BadSetting, UnknownName


class NamedSet(NamedTuple):
    """The files of a test set for one language pair."""

    source: str
    references: list[str]


def find_testset(name: str, pair: str) -> NamedSet:
    """Return the files of a test set, which sacrebleu downloads if they are not in its cache."""
    from sacrebleu.utils import (
        SACREBLEU_DIR,
        get_available_testsets,
        get_langpairs_for_testset,
        get_reference_files,
        get_source_file,
    )

    if name not in get_available_testsets():
        known = get_available_testsets()
        raise UnknownName("test set", name, known, listing="'sacrebleu --list' lists those of sacrebleu.")
    pairs = get_langpairs_for_testset(name)
    if pair not in pairs:
        raise BadSetting(f"test set {name} has no language pair {pair!r}, only {', '.join(pairs)}")
    try:
        found = NamedSet(get_source_file(name, pair), get_reference_files(name, pair))
    # sacrebleu raises whatever the network or an archive does, and exits if a checksum is wrong.
    except (Exception, SystemExit) as error:
        why = " ".join(str(error).split()) or type(error).__name__
        message = f"test set {name} {pair} could not be obtained by sacrebleu: {why}"
        raise BadFile(message, file=SACREBLEU_DIR) from None
    if not found.references:
        raise BadSetting(f"test set {name} has no references for {pair}")
    return found
