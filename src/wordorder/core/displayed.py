"""Values that notebooks show as pictures or tables.

Low layers do not know how their values are drawn. A class only says that it is :class:`Displayed`; higher
layers register a function for it in :func:`display`, and the package names their modules in ``drawers``,
which are imported when a notebook shows the first value.
"""

from __future__ import annotations

from functools import singledispatch
from importlib import import_module

Bundle = dict[str, str]  # from MIME types to contents
drawers: list[str] = []  # modules that register functions


@singledispatch
def display(value: object) -> Bundle:
    """Return what a notebook shows for a value; nothing, if it shows the text of the value."""
    return {}


class Displayed:
    """A value that notebooks show as a picture or table, if it is not too large."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        for module in drawers:
            import_module(module)
        return display(self)
