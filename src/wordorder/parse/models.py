"""Finding, loading and saving parsers; installed ones have names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.io.model_folder import DAMAGED, load_folder, save_folder
from wordorder.io.model_store import KINDS, installed_models, model_place
from wordorder.parse.network import TrainedParser

KIND = "parse"  # of models in the store
FORMAT, VERSION = KINDS[KIND]
DEFAULT = "en"  # the parser of sentences that come without trees


def load_parser(name: str = DEFAULT) -> TrainedParser:
    """Load a parser: an installed one by name, or a folder that :func:`save_parser` wrote.

    >>> [row.upos for row in load_parser().parse("the cat sat on the mat").words]
    ['DET', 'NOUN', 'VERB', 'ADP', 'DET', 'NOUN']
    """
    place = model_place(KIND, name)
    if place is None:
        raise UnknownName("parser", name, installed_models(KIND))
    return _loaded(place) if place == Path(name) else _kept(place)


@cache
def _kept(folder: Path) -> TrainedParser:
    """Load an installed parser once."""
    return _loaded(folder)


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
