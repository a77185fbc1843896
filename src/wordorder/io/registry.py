"""File formats by name.

A format is written ``name`` or ``name:key=value,key=value`` everywhere. To add a format, put one file with
one class marked :func:`register` into this folder; other packages use the entry point group
``wordorder.formats``.
"""

from __future__ import annotations

from typing import Any

from wordorder.core.plugins import Registry, field_types, read_settings, split_spec
from wordorder.io.base import Format

REGISTRY: Registry[Format[Any]] = Registry(
    "format", package="wordorder.io", group="wordorder.formats", homes={"column": "columns"}
)
register = REGISTRY.register


def format_names() -> list[str]:
    """Return the names of all formats, including those of other packages.

    >>> "pharaoh" in format_names()
    True
    """
    return REGISTRY.names()


def format_class(name: str) -> type[Format[Any]]:
    """Return the format class of that name."""
    return REGISTRY.get(name)


def file_format(spec: str | Format[Any]) -> Format[Any]:
    """Make a format from ``name`` or ``name:key=value,key=value``; a format is returned as it is.

    >>> file_format("pharaoh:base=1,reverse=true")
    Pharaoh(base=1, reverse=True, mark='p')
    """
    if isinstance(spec, Format):
        return spec
    name, settings = split_spec(spec)
    cls = format_class(name)
    return cls(**read_settings(cls.name, settings, field_types(cls), cls.choices()))
