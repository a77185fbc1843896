"""File formats by name.

A format is written ``name`` or ``name:key=value,key=value`` everywhere. A new format is one file in
this folder with one class marked :func:`register`; a package outside offers its own through the
entry point group ``wordorder.formats``.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, TypeVar

from wordorder.errors import BadSetting, UnknownName
from wordorder.io.base import Format

F = TypeVar("F", bound=type[Format[Any]])
_classes: dict[str, type[Format[Any]]] = {}
_found = {"own": False, "entry points": False}


def register(cls: F) -> F:
    """Make a format class known by its ``name``."""
    if _classes.setdefault(cls.name, cls) is not cls:
        raise BadSetting(f"two formats are called {cls.name!r}")
    return cls


def format_names() -> list[str]:
    """The names of all formats, those of other packages included.

    >>> "pharaoh" in format_names()
    True
    """
    _discover(outside=True)
    return sorted(_classes)


def format_class(name: str) -> type[Format[Any]]:
    """The class of that name."""
    _discover(outside=False)
    if name not in _classes:
        _discover(outside=True)
    if name not in _classes:
        raise UnknownName("format", name, _classes)
    return _classes[name]


def file_format(spec: str | Format[Any]) -> Format[Any]:
    """Make a format from ``name`` or ``name:key=value,key=value``; a format is returned as it is.

    >>> file_format("pharaoh:base=1,reverse=true")
    Pharaoh(base=1, reverse=True, mark='p')
    """
    if isinstance(spec, Format):
        return spec
    name, _, rest = spec.strip().partition(":")
    cls = format_class(name.strip())
    choices = cls.choices()
    settings: dict[str, Any] = {}
    for piece in rest.split(",") if rest else []:
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not key or not value:
            raise BadSetting(f"{spec!r}: expected key=value, found {piece!r}")
        if key in settings:
            raise BadSetting(f"{spec!r}: {key} is set twice")
        if key not in choices:
            has = f"It has: {', '.join(choices)}." if choices else "It has none."
            raise BadSetting(f"{cls.name} has no setting {key!r}. {has}")
        by_text = {str(choice).lower(): choice for choice in choices[key]}
        if value.lower() not in by_text:
            raise BadSetting(f"{cls.name}: {key} is {value!r}; expected one of {', '.join(by_text)}")
        settings[key] = by_text[value.lower()]
    return cls(**settings)


def _discover(*, outside: bool) -> None:
    """Import the files of this folder, and the entry points if asked, once."""
    if not _found["own"]:
        _found["own"] = True
        package = import_module("wordorder.io")
        for module in pkgutil.iter_modules(package.__path__):
            import_module(f"wordorder.io.{module.name}")
    if outside and not _found["entry points"]:
        _found["entry points"] = True
        for point in entry_points(group="wordorder.formats"):
            cls = point.load()
            if point.name != cls.name:
                raise BadSetting(f"entry point {point.name!r} offers a format called {cls.name!r}")
            register(cls)
