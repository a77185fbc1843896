"""Write the list of models in ``wordorder-models`` that the package knows without having them.

    python -m tools.model_catalogue [--check]

It is read off the folders in models/wordorder_models, and is to be written again when one of them changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import orjson

from tools.pages import ROOT, generator_main
from wordorder.io.model_store import CATALOGUE, KINDS, Home, ModelFacts, StoredModel

PACKAGE = "wordorder-models"
MODELS = ROOT / "models" / "wordorder_models"
FILE = ROOT / "src" / "wordorder" / "data" / CATALOGUE


def catalogue() -> list[ModelFacts]:
    """Return the facts of all models of the package, by kind and name."""
    home = Home(MODELS, PACKAGE)
    found = [
        StoredModel(kind, place.name, home) for kind in KINDS for place in sorted((MODELS / kind).glob("*"))
    ]
    return [replace(model.facts(), origin=PACKAGE) for model in found]


def pages() -> dict[Path, str]:
    """Return the content of the file."""
    about = {"package": PACKAGE, "models": [asdict(facts) for facts in catalogue()]}
    return {FILE: orjson.dumps(about, option=orjson.OPT_INDENT_2).decode() + "\n"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the file."""
    return generator_main(arguments, str(__doc__), pages)


if __name__ == "__main__":
    sys.exit(main())
