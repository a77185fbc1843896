"""The text files that a file of judgments refers to: plain text, one segment per line."""

from __future__ import annotations

import os
from dataclasses import dataclass

from wordorder.errors import BadFile, BadSetting
from wordorder.judge.builder import JudgmentsBuilder
from wordorder.judge.tsv import lines

MISSING = "systems without an output file"


@dataclass(frozen=True, kw_only=True)
class TextFiles:
    """Patterns for the names of text files.

    Placeholders are ``{pair}``, ``{src}``, ``{trg}`` and ``{testset}``, and ``{system}`` in the pattern of
    the outputs. Files may be compressed, whether or not the pattern ends in ``.gz``.

    >>> TextFiles(output="out/{testset}.{pair}.{system}").path("{pair}.{src}", "de-en", "news")
    'de-en.de'
    """

    source: str | None = None
    references: tuple[str, ...] = ()
    output: str | None = None

    def path(self, pattern: str, pair: str, testset: str, system: str = "") -> str:
        """Return the name of a file."""
        src, _, trg = pair.partition("-")
        try:
            return pattern.format(pair=pair, src=src, trg=trg, testset=testset, system=system)
        except (KeyError, IndexError, ValueError, AttributeError) as error:
            known = "{pair}, {src}, {trg}, {testset} and {system}"
            raise BadSetting(f"{pattern!r} has an unknown placeholder {error}; known: {known}") from None

    def fill(self, builder: JudgmentsBuilder, pair: str, testset: str) -> None:
        """Read the texts of all segments into a builder; segments are line numbers counted from 1.

        Every system gets an item for every segment, judged or not, so that its corpus score can be
        computed. A system without a file keeps its judged items without a text.
        """
        segments = builder.items.segments
        size: tuple[str, int] | None = None
        for pattern in (self.source, *self.references):
            if pattern is None:
                continue
            path = self.path(pattern, pair, testset)
            size = _same_size(size, path, texts := list(lines(_existing(path) or path)))
            for name in segments:
                text = _line(texts, name, path)
                if pattern is self.source:
                    builder.sources[name] = text
                else:
                    builder.references.setdefault(name, []).append(text)
        if self.output is None:
            return
        for system in builder.items.systems:
            output = _existing(self.path(self.output, pair, testset, system))
            if output is None:
                builder.odd[MISSING] += 1
                continue
            size = _same_size(size, output, texts := list(lines(output)))
            for name in segments:
                builder.outputs[builder.items.add(name, system)] = _line(texts, name, output)


def _existing(path: str) -> str | None:
    """Return the file, plain or compressed, or None if there is none."""
    return next((name for name in (path, f"{path}.gz", f"{path}.zst") if os.path.isfile(name)), None)


def _same_size(size: tuple[str, int] | None, path: str, texts: list[str]) -> tuple[str, int]:
    """Check that a file has as many lines as the first one."""
    if size is not None and size[1] != len(texts):
        raise BadFile(f"has {len(texts)} lines, {size[0]} has {size[1]}", file=path)
    return size or (path, len(texts))


def _line(texts: list[str], segment: str, path: str) -> str:
    if not segment.isdecimal():
        raise BadFile(f"segment {segment} is not the number of a line", file=path)
    if not 1 <= int(segment) <= len(texts):
        raise BadFile(f"has {len(texts)} lines, but segment {segment} was judged or rated", file=path)
    return texts[int(segment) - 1]
