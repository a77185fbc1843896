"""Finding and loading preorderers: installed models, model folders, rules and methods.

A model is a folder with ``model.safetensors`` (arrays), ``model.json`` (everything else) and
``README.md`` (a card). Installed models have names, which :mod:`wordorder.io.model_store` finds.
:func:`load_preorderer` is the one way from a name to a preorderer, in Python and on the command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordorder.core.plugins import read_settings, split_spec
from wordorder.errors import BadFile, UnknownName, WordOrderError
from wordorder.io.model_folder import ABOUT, card_title, check_target, load_folder, read_about
from wordorder.io.model_store import find_model, installed_models, known_models, model_place
from wordorder.preorder.base import FORMAT, KIND, VERSION, Preorderer, setting_types
from wordorder.preorder.registry import preorderer, preorderer_class, preorderer_names, unpacked
from wordorder.preorder.rules.preorderer import Rules
from wordorder.preorder.rules.sets import shipped_sets


def load_preorderer(name: str | os.PathLike[str], **settings: Any) -> Preorderer:
    """Load a preorderer that is ready to reorder.

    ``name`` is one of

    * an installed model: ``en-ja-crf``;
    * the folder of a trained model;
    * a rule set (``rules:head-final``, or ``head-final`` if no model has this name) or a TOML file of rules;
    * a method that needs no training, with or without settings: ``identity``, ``oracle:attach=left``.

    ``settings`` replace settings of how the preorderer reorders; values may be given as text. They may
    also be written after the name: ``en-multi-crf:language=ja``.

    >>> load_preorderer("identity").reorder("the cat sat").order
    [0, 1, 2]
    """
    loaded, written = _resolve(os.fspath(name))
    changes = {**written, **settings}
    return loaded.with_settings(**typed_settings(loaded, changes)) if changes else loaded


def _resolve(name: str) -> tuple[Preorderer, dict[str, str]]:
    """Return what a name stands for, and the settings written after it that are not applied yet."""
    # A model that is installed under the name of a method does not hide it; a folder that is given does.
    if _is_model(name) and (Path(name).exists() or name not in preorderer_names()):
        return _read_model(name), {}
    if name.endswith(".toml"):
        return Rules(set=name), {}
    method, _, rest = (part.strip() for part in name.partition(":"))
    if method == "rules" and rest and "=" not in rest.partition(",")[0]:
        chosen, _, more = rest.partition(",")
        return preorderer(f"rules:set={chosen}" + (f",{more}" if more else "")), {}
    if method in preorderer_names():
        ready = preorderer(name)
        if ready.learns:
            raise WordOrderError(
                f"{method} is a method that must be trained; expected a trained model."
                f" Models: {', '.join(model_names())}."
            )
        return ready, {}
    if _is_model(method):
        return _read_model(method), split_spec(name)[1]
    if method in shipped_sets():
        return Rules(set=method), split_spec(name)[1]
    if os.sep in name:
        return _read_model(name), {}  # reports what is wrong with this path
    raise _unknown(name)


def _is_model(name: str) -> bool:
    path = Path(name)
    if path.is_dir() or (path.exists() and not name.endswith(".toml")):
        return True
    return find_model(KIND, name) is not None or (KIND, name) in known_models()


def _unknown(name: str) -> UnknownName:
    """Report a name that stands for nothing; for a pair of languages, another pair is not a good guess."""
    models = [f"{model} ({title})" if (title := model_title(model)) else model for model in model_names()]
    methods = preorderer_names()
    ready = [method for method in methods if not preorderer_class(method).learns]
    pair = re.fullmatch(r"[a-z]{2,3}-[a-z]{2,3}(-.*)?", name)
    return UnknownName(
        "model",
        name,
        [*model_names(), *shipped_sets(), *methods],
        guess=not pair,
        listing=f"There is no folder or file of this name either. Models: {', '.join(models)}."
        f" Rule sets: {', '.join(shipped_sets())}. Methods without training: {', '.join(ready)}.",
    )


def typed_settings(preorderer: Preorderer, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Convert settings that are given as text into the types of the fields."""
    texts = {key: value for key, value in settings.items() if isinstance(value, str)}
    types = setting_types(type(preorderer))
    return {**settings, **read_settings(preorderer.name, texts, types, types)}


def same_name_note(name: str) -> str | None:
    """Return a note if a name is that of a model and of a rule set, for then it means the model."""
    if Path(name).exists() or name not in model_names() or name not in shipped_sets():
        return None
    return f"{name} is the model of that name; write rules:{name} for the rule set"


# Model folders


def model_names() -> list[str]:
    """Return the names of the installed models.

    >>> "en-ja" in model_names()
    True
    """
    return list(installed_models(KIND))


def model_folder(name: str) -> Path:
    """Return the folder of a model: an existing path, or that of an installed model."""
    place = model_place(KIND, name)
    if place is None:
        raise _unknown(name)
    return place


def model_title(name: str) -> str:
    """Return what a model does, from the first line of its card; empty without a card."""
    return card_title(model_folder(name))


def check_replaceable(folder: str) -> None:
    """Refuse a folder that holds anything but a model; call this before training, not after."""
    check_target(folder, FORMAT)


def _read_model(name: str) -> Preorderer:
    """Read a model from a folder, or an installed model by its name."""
    folder = model_folder(name)
    about, arrays = load_folder(folder, FORMAT, VERSION)
    _check_about(about, folder)
    return unpacked(about, arrays, str(folder))


def about_model(name: str) -> dict[str, Any]:
    """Return the contents of ``model.json`` without loading the model."""
    folder = model_folder(name)
    about = read_about(folder, FORMAT, VERSION)
    _check_about(about, folder)
    return about


def _check_about(about: dict[str, Any], folder: Path) -> None:
    for key, kind in (("method", str), ("settings", dict), ("trained", dict)):
        if not isinstance(about.get(key), kind):
            raise BadFile(f"is damaged: {key} is {about.get(key)!r}", file=str(folder / ABOUT))
