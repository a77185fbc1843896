"""Finding, loading and saving parsers; the data of the package has some, in ``parse/NAME``."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from wordorder.data import package_file
from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.io.model_folder import ABOUT, DAMAGED, load_folder, save_folder
from wordorder.parse.network import TrainedParser

FORMAT, VERSION = "wordorder-parser", 1  # of model folders
DEFAULT = "en"  # the parser of sentences that come without trees


def shipped_parsers() -> list[str]:
    """Return the names of the parsers that come with the package."""
    home = package_file("parse")
    return sorted(path.name for path in home.iterdir() if (path / ABOUT).is_file()) if home.is_dir() else []


def load_parser(name: str = DEFAULT) -> TrainedParser:
    """Load a parser: one that comes with the package, or a folder that :func:`save_parser` wrote.

    >>> [row.upos for row in load_parser().parse("the cat sat on the mat").words]
    ['DET', 'NOUN', 'VERB', 'ADP', 'DET', 'NOUN']
    """
    return _loaded(Path(name)) if Path(name).exists() or os.sep in name else _shipped(name)


@cache
def _shipped(name: str) -> TrainedParser:
    if name not in shipped_parsers():
        raise UnknownName("parser", name, shipped_parsers())
    return _loaded(package_file("parse") / name)


def _loaded(folder: Path) -> TrainedParser:
    about, arrays = load_folder(folder, FORMAT, VERSION)
    try:
        return TrainedParser.restored(arrays, about["network"])
    except KeyError as error:
        raise BadFile(f"is damaged: there is no {error}", file=str(folder)) from None
    except (WordOrderError, *DAMAGED) as error:
        raise BadFile(f"is damaged: {error}", file=str(folder)) from None


def save_parser(parser: TrainedParser, folder: str | Path, *, trained: dict[str, Any], card: str) -> None:
    """Write a parser with facts about its training, completely or not at all."""
    about = {"network": parser.facts(), "trained": trained}
    save_folder(folder, FORMAT, VERSION, about, parser.arrays(), card=card)


def plain_card(folder: str, trained: Mapping[str, Any]) -> str:
    """Write a model card from the facts of a training."""
    rows = "\n".join(f"| {key} | {json.dumps(value) if value else '-'} |" for key, value in trained.items())
    return (
        f"# {Path(folder).name}\n\nA tagger and dependency parser, made by wordorder.\n\n"
        f"| training | |\n|---|---|\n{rows}\n\n"
        f"Usage: `wordorder preorder parse --parser {folder} --source FILE`\n"
    )
