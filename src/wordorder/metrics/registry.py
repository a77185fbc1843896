"""Metrics by name.

A metric is written ``name`` or ``name:key=value,key=value`` everywhere. A new metric is one
file in this folder with one class marked :func:`register`; a package outside offers its
own through the entry point group ``wordorder.metrics``.
"""

from __future__ import annotations

import typing
import warnings
from collections.abc import Iterable

from wordorder._version import __version__
from wordorder.core.plugins import Registry, read_setting, read_settings, split_spec
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.base import Metric, OrderingMetric

REGISTRY: Registry[Metric] = Registry("metric", package="wordorder.metrics", group="wordorder.metrics")
register = REGISTRY.register


def metric_names() -> list[str]:
    """The names of all metrics, those of other packages included."""
    return REGISTRY.names()


def metric_class(name: str) -> type[Metric]:
    """The class of that name."""
    return REGISTRY.get(name)


def metric(spec: str) -> Metric:
    """Make a metric from ``name`` or ``name:key=value,key=value``.

    >>> metric("kendall:scale=tau").signature
    'kendall|scale:tau|variant:paper|agg:macro|short:1.0|v:0.1.0'
    """
    return build(*split_spec(spec))


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
        settings = {key: read_setting(name, key, rest.pop(key), hints[key]) for key in names}
        return OnText(ordering=made, **settings), rest
    return made, rest


def build(name: str, given: dict[str, str]) -> Metric:
    """Make a metric from settings written as text."""
    cls = metric_class(name)
    return cls(**read_settings(name, given, typing.get_type_hints(cls), cls.setting_names()))


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
