"""Metrics by name.

A metric is written ``name`` or ``name:key=value,key=value`` everywhere. A new metric is one
file in this folder with one class marked :func:`register`; a package outside offers its
own through the entry point group ``wordorder.metrics``.
"""

from __future__ import annotations

import pkgutil
import threading
import typing
import warnings
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, TypeVar, get_args, get_origin

from wordorder._version import __version__
from wordorder.errors import BadSetting, UnknownName, WordOrderError
from wordorder.metrics.base import Metric, OrderingMetric

M = TypeVar("M", bound=type[Metric])
_classes: dict[str, type[Metric]] = {}
_found = {"own": False, "entry points": False}
_lock = threading.RLock()  # re-entrant: importing a metric may look up another


def register(cls: M) -> M:
    """Make a metric class known by its ``name``."""
    if _classes.setdefault(cls.name, cls) is not cls:
        raise BadSetting(f"two metrics are called {cls.name!r}")
    return cls


def metric_names() -> list[str]:
    """The names of all metrics, those of other packages included."""
    _discover(outside=True)
    return sorted(_classes)


def metric_class(name: str) -> type[Metric]:
    """The class of that name."""
    _discover(outside=False)
    if name not in _classes:
        _discover(outside=True)
    if name not in _classes:
        raise UnknownName("metric", name, _classes)
    return _classes[name]


def metric(spec: str) -> Metric:
    """Make a metric from ``name`` or ``name:key=value,key=value``.

    >>> metric("kendall:scale=tau").signature
    'kendall|scale:tau|variant:paper|agg:macro|short:1.0|v:0.1.0'
    """
    name, _, rest = spec.strip().partition(":")
    given: dict[str, str] = {}
    for piece in rest.split(",") if rest else []:
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not key or not value:
            raise BadSetting(f"{spec!r}: expected key=value, found {piece!r}")
        if key in given:
            raise BadSetting(f"{spec!r}: {key} is set twice")
        given[key] = value
    return build(name.strip(), given)


def parse_metrics(specs: Iterable[str]) -> list[Metric]:
    """Make metrics from comma lists; ``key=value`` pieces belong to the metric before them.

    >>> [m.name for m in parse_metrics(["kendall,recpef:beta=0.5,gamma=0.2,fuzzy", "ulam"])]
    ['kendall', 'recpef', 'fuzzy', 'ulam']
    """
    written: list[str] = []
    for spec in specs:
        for number, piece in enumerate(spec.split(",")):
            is_setting = "=" in piece and ":" not in piece.partition("=")[0]
            if not piece.strip():
                raise BadSetting(f"{spec!r}: empty name between commas")
            if is_setting and number == 0:
                raise BadSetting(f"{spec!r}: {piece!r} has no metric before it")
            if is_setting:
                written[-1] += ("," if ":" in written[-1] else ":") + piece
            else:
                written.append(piece)
    metrics = [metric(one) for one in written]
    signatures = [m.signature for m in metrics]
    for one, signature in zip(written, signatures, strict=True):
        if signatures.count(signature) > 1:
            raise BadSetting(f"metric {one.strip()!r} is asked for twice")
    return metrics


def parse_ordering_metrics(specs: Iterable[str]) -> list[OrderingMetric]:
    """The same where only permutations are scored; metrics of text are refused."""
    metrics = []
    for made in parse_metrics(specs):
        if not isinstance(made, OrderingMetric):
            raise BadSetting(f"{made.name} scores text, not permutations")
        metrics.append(made)
    return metrics


def from_signature(signature: str) -> Metric:
    """Rebuild the metric that a signature describes.

    >>> from_signature(metric("kendall:scale=tau").signature)([1, 0])
    -1.0
    """
    name, *pairs = signature.split("|")
    given: dict[str, str] = {}
    for pair in pairs:
        key, colon, value = pair.partition(":")
        if not colon:
            raise BadSetting(f"bad signature {signature!r}: expected key:value, found {pair!r}")
        given[key] = value
    version = given.pop("v", __version__)
    given.pop("nrefs", None)  # of what was scored, not of the metric
    made, constants = _rebuilt(name, given)
    for key, value in constants.items():
        if str(made.constants.get(key)) != value:
            raise BadSetting(f"bad signature {signature!r}: {name} does not have {key}:{value}")
    if version != __version__:
        warnings.warn(f"signature of version {version} rebuilt with version {__version__}", stacklevel=2)
    return made


def _rebuilt(name: str, given: dict[str, str]) -> tuple[Metric, dict[str, str]]:
    """The metric of a signature, and the pairs that are not its settings."""
    settings_given, rest = metric_class(name).read_signature(given)
    made = build(name, settings_given)
    if isinstance(made, OrderingMetric) and "tokenize" in rest:
        from wordorder.metrics.text import OnText

        hints = typing.get_type_hints(OnText)
        names = [key for key in OnText.setting_names() if key in rest]
        settings = {key: _read(name, key, rest.pop(key), hints[key]) for key in names}
        return OnText(ordering=made, **settings), rest
    return made, rest


def build(name: str, given: dict[str, str]) -> Metric:
    """Make a metric from settings written as text."""
    cls = metric_class(name)
    hints = typing.get_type_hints(cls)
    names = cls.setting_names()
    settings = {}
    for key, text in given.items():
        if key not in names:
            raise BadSetting(f"{name} has no setting {key!r}. It has: {', '.join(names)}.")
        settings[key] = _read(name, key, text, hints[key])
    return cls(**settings)


def spec_of(made: Metric) -> str:
    """The shortest way to write a metric: its name and the settings that are not default.

    >>> spec_of(metric("recpef:gamma=0.5,beta=0.6"))
    'recpef:gamma=0.5'
    """
    settings = made.settings
    for key in list(settings):
        fewer = {other: value for other, value in settings.items() if other != key}
        try:
            same = type(made)(**fewer) == made
        except WordOrderError:  # it does not stand without the setting
            continue
        if same:
            settings = fewer
    return made.name + (
        ":" + ",".join(f"{key}={value}" for key, value in settings.items()) if settings else ""
    )


def _read(name: str, key: str, text: str, hint: Any) -> Any:
    if get_origin(hint) is Literal:
        choices = {str(choice): choice for choice in get_args(hint)}
        if text not in choices:
            raise BadSetting(f"{name}: {key} is {text!r}; expected one of {', '.join(choices)}")
        return choices[text]
    if hint is bool:
        if text.lower() not in ("true", "false", "yes", "no"):
            raise BadSetting(f"{name}: {key} is {text!r}; expected true or false")
        return text.lower() in ("true", "yes")
    try:
        return hint(text)
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}.get(hint, hint.__name__)
        raise BadSetting(f"{name}: {key} is {text!r}; expected {wanted}") from None


def _discover(*, outside: bool) -> None:
    """Import the files of this folder, and the entry points if asked, once."""
    with _lock:
        if not _found["own"]:
            package = import_module("wordorder.metrics")
            for module in pkgutil.iter_modules(package.__path__):
                import_module(f"wordorder.metrics.{module.name}")
            _found["own"] = True
        if outside and not _found["entry points"]:
            _found["entry points"] = True
            for point in entry_points(group="wordorder.metrics"):
                _load(point)


def _load(point: EntryPoint) -> None:
    """Register what another package offers; one that is broken must not hide the others."""
    try:
        cls = point.load()
        if point.name != cls.name:
            raise BadSetting(f"it is called {cls.name!r}")
        register(cls)
    except Exception as error:
        warnings.warn(f"metric {point.name!r} of {point.value} cannot be used: {error}", stacklevel=2)
