"""Packages that are not among the dependencies."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from wordorder.errors import BadSetting


def need(package: str) -> Any:
    """Import a package that the user has to install; the error says how.

    >>> need("no_such_package")
    Traceback (most recent call last):
    wordorder.errors.BadSetting: this needs the package no_such_package: pip install no_such_package
    """
    try:
        return import_module(package)
    except ImportError:
        raise BadSetting(f"this needs the package {package}: pip install {package}") from None
