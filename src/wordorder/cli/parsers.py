"""The parser that the options of a command choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from wordorder.parse.base import Parser


def chosen_parser(
    parser: str | None,
    udpipe: str | None,
    spacy: str | None,
    *,
    split: bool = True,
    probabilities: bool = False,
    trees: int = 1,
) -> Parser:
    """Load the parser that was named, else the default; the settings are those of the package's parsers."""
    from dataclasses import replace

    if sum(map(bool, (parser, udpipe, spacy))) > 1:
        raise click.UsageError("choose one parser: --parser, --udpipe or --spacy")
    if udpipe or spacy:
        from wordorder.parse.installed import Spacy, UDPipe

        return UDPipe(udpipe) if udpipe else Spacy(str(spacy))
    from wordorder.parse.models import DEFAULT, load_parser

    return replace(load_parser(parser or DEFAULT), split=split, probabilities=probabilities, trees=trees)
