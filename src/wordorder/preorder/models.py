"""Preorderers on disk.

A model is a folder with ``model.safetensors`` (arrays), ``model.json`` (all else) and ``README.md`` (a
card). Models that come with the package lie in its data, in ``preorder/NAME``, and are known by that name.
"""

from __future__ import annotations

import json
import os
import typing
from pathlib import Path
from typing import Any

from wordorder.core.plugins import read_settings, split_spec
from wordorder.data import package_file
from wordorder.errors import BadFile, BadSetting, UnknownName, WordOrderError
from wordorder.io.model_folder import ABOUT, check_target, load_folder, read_about, save_folder
from wordorder.preorder.base import Preorderer

FORMAT = "wordorder-preorderer"
VERSION = 1


def shipped_models() -> list[str]:
    """The names of the models that come with the package."""
    home = package_file("preorder")
    return (
        sorted(place.name for place in home.iterdir() if (place / ABOUT).is_file()) if home.is_dir() else []
    )


def find_model(name: str) -> Path:
    """The folder of a model: a folder of that path, or a model of that name that comes with the package."""
    if (Path(name) / ABOUT).is_file() or Path(name).is_dir() or os.sep in name:
        return Path(name)
    if name in shipped_models():
        return package_file("preorder") / name
    raise UnknownName("model (there is no folder of that name either)", name, shipped_models())


def save_model(made: Preorderer, folder: str, *, card: str | None = None) -> None:
    """Write a fitted preorderer into a folder, all of it or nothing; a model that is there is replaced."""
    made.check_fitted()
    about = {
        "method": made.name,
        "settings": made.settings,
        "signature": made.signature,
        "trained": dict(made.trained),
    }
    check_replaceable(folder)
    card = card or plain_card(made, Path(folder).name)
    save_folder(folder, FORMAT, VERSION, about, made.arrays(), card=card)


def check_replaceable(folder: str) -> None:
    """Refuse a place that holds something else than a model; asked before training, not after."""
    check_target(folder, FORMAT)


def load_model(name: str) -> Preorderer:
    """Read a model from a folder, or one that comes with the package by its name."""
    from wordorder.preorder.registry import preorderer_class

    folder = find_model(name)
    about, arrays = load_folder(folder, FORMAT, VERSION)
    _check_about(about, folder)
    cls = preorderer_class(about["method"])
    try:
        fitted = cls(**about["settings"]).restored(arrays, about["trained"])
    except BadSetting as error:
        raise BadFile(f"has settings that this program does not know: {error}", file=str(folder)) from None
    except KeyError as error:
        raise BadFile(f"is damaged: there is no {error}", file=str(folder)) from None
    except (TypeError, ValueError, IndexError) as error:
        raise BadFile(f"is damaged: {error}", file=str(folder)) from None
    if not fitted.is_fitted:
        raise BadFile("is damaged: it says nothing of its training", file=str(folder / ABOUT))
    return fitted


def about_model(name: str) -> dict[str, Any]:
    """What ``model.json`` says, without loading the model."""
    folder = find_model(name)
    about = read_about(folder, FORMAT, VERSION)
    _check_about(about, folder)
    return about


def _check_about(about: dict[str, Any], folder: Path) -> None:
    for key, kind in (("method", str), ("settings", dict), ("trained", dict)):
        if not isinstance(about.get(key), kind):
            raise BadFile(f"is damaged: {key} is {about.get(key)!r}", file=str(folder / ABOUT))


def plain_card(made: Preorderer, name: str) -> str:
    """A card from what the model itself knows; who ships a model writes more (data, licence, figures)."""
    rows = "\n".join(f"| {key} | {_cell(value)} |" for key, value in made.trained.items())
    return (
        f"# {name}\n\nA preorderer of the method `{made.name}`, made by wordorder.\n\n"
        f"Signature: `{made.signature}`\n\n| training | |\n|---|---|\n{rows}\n\n"
        f"Use it: `wordorder preorder apply --model {name} --source FILE --output order`\n"
    )


def _cell(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return (text if len(text) <= 200 else text[:197] + "...").replace("|", "\\|")


def model_or_method(name: str, changes: str = "") -> Preorderer:
    """A model by folder or name, a file of rules, a rule set, or a method: ``identity``, ``rules:set=en-ja``.

    A name that a model and a rule set share is the model's: see :func:`namesake`.
    ``changes`` are settings of how it reorders, ``key=value,key=value``, in place of its own.
    """
    from wordorder.preorder.registry import preorderer, preorderer_names
    from wordorder.preorder.rules.preorderer import Rules
    from wordorder.preorder.rules.sets import shipped_sets

    method = name.partition(":")[0].strip()
    if name.endswith(".toml") and not Path(name).is_dir():
        made: Preorderer = Rules(set=name)
    elif Path(name).exists() or name in shipped_models():
        made = load_model(name)
    elif name in shipped_sets():
        made = Rules(set=name)
    elif method not in preorderer_names():
        if os.sep in name:
            return load_model(name)  # says what is the matter with that path
        what = "model, method or rule set (there is no folder or file of that name either)"
        raise UnknownName(what, name, [*shipped_models(), *preorderer_names(), *shipped_sets()])
    else:
        made = preorderer(name)
        if made.learns:
            raise WordOrderError(
                f"{method} must be trained first: wordorder preorder train --method {method}"
            )
    return made.resettled(**settings_of(made, changes)) if changes else made


def namesake(name: str) -> str | None:
    """What to tell of a name that is a model's and a rule set's, for it means the model; None for others."""
    from wordorder.preorder.rules.sets import shipped_sets

    if Path(name).exists() or name not in shipped_models() or name not in shipped_sets():
        return None
    return f"{name} is the model; the rule set of that name is rules:set={name}"


def settings_of(made: Preorderer, written: str) -> dict[str, Any]:
    """Settings of this preorderer from ``key=value,key=value``."""
    _, given = split_spec(f"{made.name}:{written}")
    return read_settings(made.name, given, typing.get_type_hints(type(made)), made.setting_names())
