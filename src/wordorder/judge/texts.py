"""Where the texts stand that a file of judgments is about: plain files, one segment a line."""

from __future__ import annotations

import os
from dataclasses import dataclass

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import Draft
from wordorder.judge.tsv import lines

MISSING = "systems without an output file"


@dataclass(frozen=True, kw_only=True)
class Texts:
    """Names of text files, with places to fill in: ``{pair}``, ``{src}``, ``{trg}``, ``{testset}``, and
    ``{system}`` in that of the outputs. A file may be packed, with or without ``.gz`` in the name.

    >>> Texts(output="out/{testset}.{pair}.{system}").path("{pair}.{src}", "de-en", "news")
    'de-en.de'
    """

    source: str | None = None
    references: tuple[str, ...] = ()
    output: str | None = None

    def path(self, pattern: str, pair: str, testset: str, system: str = "") -> str:
        """The name of a file."""
        src, _, trg = pair.partition("-")
        try:
            return pattern.format(pair=pair, src=src, trg=trg, testset=testset, system=system)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            known = "{pair}, {src}, {trg}, {testset} and {system}"
            raise BadSetting(f"{pattern!r} has a place {error} that is not known; known: {known}") from None

    def fill(self, draft: Draft, pair: str, testset: str) -> None:
        """Put the texts of all segments of a draft where they belong; segments are lines from 1.

        Every system gets an item for every segment, judged or not, so that its corpus score can be
        computed. A system without a file keeps what was judged, without a text.
        """
        segments = draft.items.segments
        size: tuple[str, int] | None = None
        for pattern in (self.source, *self.references):
            if pattern is None:
                continue
            path = self.path(pattern, pair, testset)
            size = _same(size, path, texts := list(lines(_packed(path) or path)))
            for name in segments:
                text = _line(texts, name, path)
                if pattern is self.source:
                    draft.sources[name] = text
                else:
                    draft.references.setdefault(name, []).append(text)
        if self.output is None:
            return
        for system in draft.items.systems:
            found = _packed(self.path(self.output, pair, testset, system))
            if found is None:
                draft.odd[MISSING] += 1
                continue
            size = _same(size, found, texts := list(lines(found)))
            for name in segments:
                draft.outputs[draft.items.add(name, system)] = _line(texts, name, found)


def _packed(path: str) -> str | None:
    return next((name for name in (path, f"{path}.gz", f"{path}.zst") if os.path.isfile(name)), None)


def _same(size: tuple[str, int] | None, path: str, texts: list[str]) -> tuple[str, int]:
    """All files have as many lines as the first."""
    if size is not None and size[1] != len(texts):
        raise BadFile(f"has {len(texts)} lines, {size[0]} has {size[1]}", file=path)
    return size or (path, len(texts))


def _line(texts: list[str], segment: str, path: str) -> str:
    if not 1 <= int(segment) <= len(texts):
        raise BadFile(f"has {len(texts)} lines, but segment {segment} was judged", file=path)
    return texts[int(segment) - 1]
