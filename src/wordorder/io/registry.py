"""File formats by name.

A format is written ``name`` or ``name:key=value,key=value`` everywhere. A new format is one file in
this folder with one class marked :func:`register`; a package outside offers its own through the
entry point group ``wordorder.formats``.
"""

from __future__ import annotations

from typing import Any

from wordorder.core.plugins import Registry, split_spec
from wordorder.errors import BadSetting
from wordorder.io.base import Format

REGISTRY: Registry[Format[Any]] = Registry("format", package="wordorder.io", group="wordorder.formats")
register = REGISTRY.register


def format_names() -> list[str]:
    """The names of all formats, those of other packages included.

    >>> "pharaoh" in format_names()
    True
    """
    return REGISTRY.names()


def format_class(name: str) -> type[Format[Any]]:
    """The class of that name."""
    return REGISTRY.get(name)


def file_format(spec: str | Format[Any]) -> Format[Any]:
    """Make a format from ``name`` or ``name:key=value,key=value``; a format is returned as it is.

    >>> file_format("pharaoh:base=1,reverse=true")
    Pharaoh(base=1, reverse=True, mark='p')
    """
    if isinstance(spec, Format):
        return spec
    name, given = split_spec(spec)
    cls = format_class(name)
    choices = cls.choices()
    settings: dict[str, Any] = {}
    for key, value in given.items():
        if key not in choices:
            has = f"It has: {', '.join(choices)}." if choices else "It has none."
            raise BadSetting(f"{cls.name} has no setting {key!r}. {has}")
        by_text = {str(choice).lower(): choice for choice in choices[key]}
        if value.lower() not in by_text:
            raise BadSetting(f"{cls.name}: {key} is {value!r}; expected one of {', '.join(by_text)}")
        settings[key] = by_text[value.lower()]
    return cls(**settings)
