"""Preorderers by name.

A preorderer is written ``name`` or ``name:key=value,key=value``. A new preorderer is one file, or folder, of
this package with one class marked :func:`register`; other packages offer theirs through the entry point
group ``wordorder.preorderers``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from wordorder.core.plugins import Registry, read_settings, split_spec
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.model_folder import DAMAGED
from wordorder.preorder.base import Arrays, Preorderer, setting_types

REGISTRY: Registry[Preorderer] = Registry(
    "preorderer", package="wordorder.preorder", group="wordorder.preorderers"
)
register = REGISTRY.register
preorderer_class = REGISTRY.get


def preorderer_names() -> list[str]:
    """Return the names of all preorderers, including those of other packages.

    >>> "identity" in preorderer_names()
    True
    """
    return REGISTRY.names()


def preorderer(spec: str, **settings: Any) -> Preorderer:
    """Make an untrained preorderer from ``name`` or ``name:key=value,key=value``, and settings.

    >>> preorderer("oracle:attach=left").signature
    'oracle|policy:thesis|link:mean|attach:left|v:0.1.0'
    """
    name, written = split_spec(spec)
    cls = preorderer_class(name)
    types = setting_types(cls)
    return cls(**{**read_settings(name, written, types, types), **settings})


def unpacked(about: Mapping[str, Any], arrays: Arrays, file: str) -> Preorderer:
    """Return the preorderer of a description and arrays: the inverse of :meth:`Preorderer.packed`.

    ``file`` is named in errors.
    """
    try:
        with np.errstate(all="ignore"):  # what is not finite is found by the checks
            fitted = preorderer_class(about["method"])(**about["settings"]).restored(arrays, about["trained"])
    except UnknownName as error:
        raise BadFile(f"is of a method that this program does not have: {error}", file=file) from None
    except BadSetting as error:
        raise BadFile(f"has settings that this program does not know: {error}", file=file) from None
    except KeyError as error:
        raise BadFile(f"is damaged: there is no {error}", file=file) from None
    except DAMAGED as error:
        raise BadFile(f"is damaged: {error}", file=file) from None
    if not fitted.is_fitted:
        raise BadFile("is damaged: it has no facts about its training", file=file)
    return fitted
