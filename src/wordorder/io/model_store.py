"""Models by name: where they are looked for, and what is known of each.

A home of models is a folder with one folder per kind (``preorder``, ``parse``, ``beer``), which has one
folder per model. Homes are searched in this order, and the first model of a name is used:

1. the folders that the environment variable ``WORDORDER_MODELS`` lists;
2. the folder of the user, into which ``wordorder models install`` writes;
3. the data of this package;
4. other packages, such as ``wordorder-models``: each names a module in the entry point group
   ``wordorder.models``. The module is located but not imported, because models are data.

Models that belong to ``wordorder-models`` are known here even where it is not installed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import orjson

from wordorder._version import __version__
from wordorder.data import package_file
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.model_folder import ABOUT, ARRAYS, CARD, card_title, read_card

# The kinds of models that have names, with the format and the version of their folders.
KINDS = {
    "preorder": ("wordorder-preorderer", 1),
    "parse": ("wordorder-parser", 1),
    "beer": ("wordorder-beer", 1),
}
VARIABLE, GROUP, CATALOGUE = "WORDORDER_MODELS", "wordorder.models", "models.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_LICENCE = re.compile(r"The model is available under\s+(.+?)(?:[;,]|\.?\s*$|\.\s)", re.M | re.S)


@dataclass(frozen=True)
class ModelFacts:
    """What is listed of a model, whether it is installed or only known."""

    kind: str
    name: str
    title: str
    size: int  # bytes
    sha256: str  # of model.json, which has the checksum of the arrays
    licence: str
    origin: str  # a package with its version, or a folder

    @property
    def label(self) -> str:
        """The kind and the name, which are unambiguous together."""
        return f"{self.kind}/{self.name}"


@dataclass(frozen=True)
class Home:
    """A folder of models, and the package that it belongs to, if any."""

    folder: Path
    package: str = ""
    version: str = ""

    @property
    def origin(self) -> str:
        """Where its models come from, in words."""
        return f"{self.package} {self.version}" if self.package else str(self.folder)


@dataclass(frozen=True)
class StoredModel:
    """A model that is installed."""

    kind: str
    name: str
    home: Home

    @property
    def label(self) -> str:
        """The kind and the name, which are unambiguous together."""
        return f"{self.kind}/{self.name}"

    @property
    def folder(self) -> Path:
        """The folder of the model."""
        return self.home.folder / self.kind / self.name

    @property
    def title(self) -> str:
        """What the model does, by the first line of its card; empty without a card."""
        return card_title(self.folder)

    @property
    def licence(self) -> str:
        """The licence that the card names, or that of the package; empty if there is neither."""
        named = _LICENCE.search(read_card(self.folder))
        return " ".join(named[1].split()) if named else _licence_of(self.home.package)

    def facts(self) -> ModelFacts:
        """Read what is listed of the model."""
        files = [self.folder / name for name in (ABOUT, ARRAYS, CARD)]
        try:
            size = sum(file.stat().st_size for file in files if file.is_file())
            digest = hashlib.sha256((self.folder / ABOUT).read_bytes()).hexdigest()
        except OSError as error:
            raise BadFile(f"cannot be read: {error.strerror}", file=str(self.folder)) from None
        return ModelFacts(self.kind, self.name, self.title, size, digest, self.licence, self.home.origin)


# Finding models


def model_place(kind: str, name: str) -> Path | None:
    """Return the folder that a name stands for; None if it stands for nothing.

    It is a path with a separator, a model folder here, an installed model, or another file or folder here,
    in this order: a folder of data that has the name of a model does not hide the model. For a model of a
    package that is not installed, the error says which package has it.
    """
    path = Path(name)
    if any(mark in name for mark in (os.sep, os.altsep) if mark) or (path / ABOUT).is_file():
        return path
    if found := find_model(kind, name):
        return found.folder
    if missing := known_models().get((kind, name)):
        raise _missing(missing)
    return path if path.exists() else None


def _missing(model: ModelFacts) -> BadSetting:
    return BadSetting(
        f"the model {model.name} is not installed. It is in the package {model.origin}: pip install "
        f"{model.origin} (or, in a clone of the project, pip install ./models)"
    )


def find_model(kind: str, name: str) -> StoredModel | None:
    """Return the installed model of this name, or None."""
    if NAME.fullmatch(name):
        for home in homes():
            if (home.folder / kind / name / ABOUT).is_file():
                return StoredModel(kind, name, home)
    return None


def installed_models(kind: str) -> dict[str, StoredModel]:
    """Return the installed models of a kind, by name.

    >>> "en-ja" in installed_models("preorder")
    True
    """
    found: dict[str, StoredModel] = {}
    for model in all_models(kind):
        found.setdefault(model.name, model)
    return dict(sorted(found.items()))


def all_models(kind: str) -> Iterator[StoredModel]:
    """Yield all models of a kind, home by home, including those that an earlier home hides."""
    for home in homes():
        try:
            names = sorted(entry.name for entry in os.scandir(home.folder / kind))
        except OSError:
            continue  # this home has no models of this kind
        for name in names:
            if NAME.fullmatch(name) and (home.folder / kind / name / ABOUT).is_file():
                yield StoredModel(kind, name, home)


def named_model(name: str) -> StoredModel:
    """Return an installed model by ``KIND/NAME``, or by its name if no other kind has one of this name."""
    kind, slash, rest = name.partition("/")
    places = [(kind, rest)] if slash else [(any_kind, name) for any_kind in KINDS]
    found = [model for place in places if (model := find_model(*place))]
    if len(found) > 1:
        labels = ", ".join(model.label for model in found)
        raise BadSetting(f"several models are called {name}: {labels}")
    if found:
        return found[0]
    for place in places:
        if missing := known_models().get(place):
            raise _missing(missing)
    raise UnknownName(
        "model", name, [f"{kind}/{known}" for kind in KINDS for known in installed_models(kind)]
    )


@cache
def known_models() -> dict[tuple[str, str], ModelFacts]:
    """Return the models of ``wordorder-models`` by kind and name, as they were when this version was made."""
    listed = orjson.loads(package_file(CATALOGUE).read_bytes())["models"]
    return {(entry["kind"], entry["name"]): ModelFacts(**entry) for entry in listed}


# Homes


def homes() -> Iterator[Home]:
    """Yield the homes of models in the order in which they are searched; other packages are found last."""
    seen = set()
    for home in _candidates():
        real = os.path.realpath(home.folder)
        if real not in seen:
            seen.add(real)
            yield home


def _candidates() -> Iterator[Home]:
    for folder in os.environ.get(VARIABLE, "").split(os.pathsep):
        if folder:
            yield Home(Path(folder))
    yield Home(user_home())
    yield Home(package_file(""), "wordorder", __version__)
    yield from _homes_of_packages()


def user_home() -> Path:
    """Return the folder of the user: ``$XDG_DATA_HOME/wordorder/models``."""
    standard = os.environ.get("LOCALAPPDATA") if os.name == "nt" else None
    base = os.environ.get("XDG_DATA_HOME") or standard or os.path.expanduser("~/.local/share")
    return Path(base) / "wordorder" / "models"


@cache
def _homes_of_packages() -> tuple[Home, ...]:
    from importlib.metadata import entry_points  # slow to import, and seldom needed

    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            spec = find_spec(point.module)
        except (ImportError, ValueError):
            spec = None  # a package that was removed halfway has no models
        if spec and spec.submodule_search_locations and point.dist:
            folder = Path(next(iter(spec.submodule_search_locations)))
            found.append(Home(folder, point.dist.name, point.dist.version))
    return tuple(found)


@cache
def _licence_of(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, metadata

    if not package:
        return ""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return ""
    return about["License-Expression"] if "License-Expression" in about else ""  # noqa: SIM401 (has no get)
