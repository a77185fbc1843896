"""Metrics by name.

A metric is written ``name`` or ``name:key=value,key=value`` everywhere. A new metric is one
file in this folder with one class marked :func:`register`; another package offers its
own through the entry point group ``wordorder.metrics``.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from wordorder._version import __version__
from wordorder.core.plugins import Registry, field_types, read_settings, split_spec
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.base import Metric
from wordorder.metrics.ordering import OrderingMetric
from wordorder.metrics.segments import given_policy

# Files with several metrics; the others are called like theirs.
_HOMES = {
    "flat": ("kendall", "spearman", "footrule", "hamming", "ulam", "fuzzy"),
    "lexical_ordering": ("full",),
    "monotonicity": ("anticipation", "crossings"),
    "recursive": ("recpet", "recpef"),
    "sacrebleu_metrics": ("bleu", "chrf", "ter"),
    "tree": ("pet_size", "max_operator", "mean_operator", "nonbinary", "pet_count"),
}
REGISTRY: Registry[Metric] = Registry(
    "metric",
    package="wordorder.metrics",
    group="wordorder.metrics",
    homes={name: home for home, names in _HOMES.items() for name in names},
)
register = REGISTRY.register


def metric_names() -> list[str]:
    """Return the names of all metrics, those of other packages included."""
    return REGISTRY.names()


def metric(spec: str, **settings: Any) -> Metric:
    """Make a metric from ``name`` or ``name:key=value,key=value``, and settings as keywords.

    >>> metric("kendall", scale="tau") == metric("kendall:scale=tau")
    True
    >>> metric("kendall", tokenize="none").corpus_score(["b a c"], [["a b c"]]).score
    0.6666666666666666
    """
    name, written = split_spec(spec)
    cls = REGISTRY.get(name)
    for key in settings:
        if key in written:
            raise BadSetting(f"{spec!r}: {key} is set twice")
        if key not in cls.setting_names():
            raise BadSetting(f"{name} has no setting {key!r}. It has: {', '.join(cls.setting_names())}.")
    texts = {key: value for key, value in settings.items() if isinstance(value, str)}
    others = {key: value for key, value in settings.items() if key not in texts}
    return build(name, {**written, **texts}, **others)


def parse_metrics(specs: Iterable[str], shared: Mapping[str, Any] | None = None) -> list[Metric]:
    """Make metrics from comma lists; ``key=value`` pieces belong to the metric before them.

    Settings that are ``shared`` reach all metrics that have them and do not set them themselves; a shared
    language skips those whose scores do not depend on it.

    >>> [m.name for m in parse_metrics(["kendall,recpef:beta=0.5,gamma=0.2,fuzzy", "ulam"])]
    ['kendall', 'recpef', 'fuzzy', 'ulam']
    >>> parse_metrics(["bleu,chrf"], {"lowercase": True, "tokenize": "none"})[0].tokenize
    'none'
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
    metrics = []
    for spec in written:
        name, own = split_spec(spec)
        cls = REGISTRY.get(name)
        taken = set(cls.setting_names()) - set(own) - set(cls.fixed)
        given = {key: value for key, value in (shared or {}).items() if key in taken}
        if "language" in given:
            plain = metric(spec, **{key: value for key, value in given.items() if key != "language"})
            if "language" in plain.unnamed:  # which has no effect, and would be refused
                metrics.append(plain)
                continue
        metrics.append(metric(spec, **given))
    signatures = [m.signature for m in metrics]
    for spec, signature in zip(written, signatures, strict=True):
        if signatures.count(signature) > 1:
            raise BadSetting(f"metric {spec.strip()!r} is asked for twice")
    return metrics


def parse_ordering_metrics(specs: Iterable[str]) -> list[OrderingMetric]:
    """Make metrics that score permutations; metrics that only score text are refused."""
    metrics = []
    for candidate in parse_metrics(specs):
        if not isinstance(candidate, OrderingMetric):
            raise BadSetting(f"{candidate.name} scores text, not permutations")
        metrics.append(candidate)
    return metrics


def parse_source_metrics(specs: Iterable[str], policy: str = "talbot") -> list[OrderingMetric]:
    """Make metrics that compare the order of a translation with that of its source.

    >>> parse_source_metrics(["kendall", "lag"])[0].match
    'source(talbot)'
    """
    metrics = []
    for candidate in parse_metrics(specs):
        if not isinstance(candidate, OrderingMetric):
            raise BadSetting(f"{candidate.name} compares words with a reference; the source has none of them")
        fitted = candidate.on_alignments(policy, "source")
        if given_policy(candidate.match) is not None and candidate.match != fitted.match:
            raise BadSetting(f"{candidate.name} is for match={candidate.match}; here it is {fitted.match}")
        metrics.append(fitted)
    return metrics


def from_signature(signature: str) -> Metric:
    """Rebuild the metric that a signature describes.

    >>> from_signature(metric("kendall:scale=tau").order_signature)([1, 0])
    -1.0
    """
    name, *pairs = signature.split("|")
    values: dict[str, str] = {}
    for pair in pairs:
        key, colon, value = pair.partition(":")
        if not colon:
            raise BadSetting(f"bad signature {signature!r}: expected key:value, found {pair!r}")
        values[key] = value
    version = values.pop("v", __version__)
    values.pop("nrefs", None)  # describes what was scored, not the metric
    settings, constants = REGISTRY.get(name).read_signature(values)
    rebuilt = build(name, settings)
    known = {**rebuilt.constants, **getattr(rebuilt, "resources", {})}
    for key, value in constants.items():
        if str(known.get(key)) != value:
            raise BadSetting(f"bad signature {signature!r}: {name} does not have {key}:{value}")
    if version != __version__:
        warnings.warn(f"signature of version {version} rebuilt with version {__version__}", stacklevel=2)
    return rebuilt


def build(name: str, written: dict[str, str], **settings: Any) -> Metric:
    """Make a metric from settings written as text, and settings as values."""
    cls = REGISTRY.get(name)
    read = read_settings(name, written, field_types(cls), cls.setting_names())
    return cls(**read, **settings)


def spec_of(metric: Metric, *, without: Collection[str] = ()) -> str:
    """Write a metric in its shortest form: its name and the settings that are not default.

    Settings ``without`` which it is to be written are left out.

    >>> spec_of(metric("recpef:gamma=0.5,beta=0.6"))
    'recpef:gamma=0.5'
    """
    settings = metric.settings
    for key in list(settings):
        fewer = {other: value for other, value in settings.items() if other != key}
        try:
            same = type(metric)(**fewer) == metric
        except WordOrderError:  # the metric does not exist without the setting
            continue
        if same:
            settings = fewer
    pieces = [f"{key}={value}" for key, value in settings.items() if key not in without]
    return metric.name + (":" + ",".join(pieces) if pieces else "")
