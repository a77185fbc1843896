"""Weights of features, and the files in which decoders keep them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wordorder.errors import BadFile
from wordorder.io.lines import shown

LARGEST = 1e100  # of a weight or feature, either way: sums of their products and squares must stay finite


@dataclass(frozen=True)
class Weights:
    """Weights by feature, one for each value of the feature."""

    values: tuple[tuple[str, tuple[float, ...]], ...] = ()

    @cached_property
    def by_name(self) -> dict[str, tuple[float, ...]]:
        """The weights of each feature."""
        return dict(self.values)

    def __str__(self) -> str:
        """Write the weights as Moses does."""
        return "".join(f"{name}= {' '.join(f'{v:.10g}' for v in values)}\n" for name, values in self.values)

    def as_dict(self) -> dict[str, list[float]]:
        """Return plain data for JSON."""
        return {name: list(values) for name, values in self.values}


def read_weights(lines: Iterable[str], file: str = "weights") -> Weights:
    """Read ``name= value value`` lines, as in the [weight] section of moses.ini; other sections are skipped.

    Lines with the same name are values of one feature. Lines ``name value``, as cdec writes them, and a JSON
    file as written by tuning are read, too.

    >>> read_weights(["[weight]", "LM0= 0.5", "TM0= 0.2 0.3", "[input-factors]", "0"]).as_dict()
    {'LM0': [0.5], 'TM0': [0.2, 0.3]}
    >>> read_weights(["LanguageModel 0.5", "WordPenalty -1"]).as_dict()
    {'LanguageModel': [0.5], 'WordPenalty': [-1.0]}
    """
    rows = list(lines)
    if rows and "".join(rows).lstrip().startswith("{"):
        return _read_json("\n".join(rows), file)
    inside = all(row.strip() != "[weight]" for row in rows)
    found: dict[str, list[float]] = {}
    for number, row in enumerate(rows, start=1):
        text = row.strip() if inside else row.partition("#")[0].strip()
        if text.startswith("[") and text.endswith("]"):
            if text.startswith("[weight-"):
                message = f"{text} is a section of an old moses.ini, whose weights have no names"
                raise BadFile(
                    f"{message}; expected [weight] with lines such as LM0= 0.5", file=file, line=number
                )
            inside = text == "[weight]"
        elif inside and text and not text.startswith("#"):
            name, values = _weight(text)
            if not name or not values:
                raise BadFile(f"{shown(text)}; expected a weight such as LM0= 0.5", file=file, line=number)
            found.setdefault(name, []).extend(values)
    if not found:
        raise BadFile("no weights; expected lines such as LM0= 0.5", file=file, line=max(len(rows), 1))
    return Weights(tuple((name, tuple(values)) for name, values in found.items()))


def _weight(text: str) -> tuple[str, list[float]]:
    """Read ``name= value value``, ``name = value`` or ``name value``; no values if it is anything else."""
    name, equals, rest = text.rpartition("=")
    words = text.split()
    if equals and len(name.split()) == 1 and (values := _numbers(rest.split())):
        return name.strip(), values
    return words[0], _numbers(words[1:]) if len(words) == 2 and not words[0].endswith("=") else []


def _numbers(words: Sequence[str]) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        return []
    return values if all(abs(value) <= LARGEST for value in values) else []


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is not a number")
    return float(value)


def _read_json(text: str, file: str) -> Weights:
    import orjson

    try:
        data = orjson.loads(text)
        values = data.get("weights", data)
        pairs = tuple(
            (name, tuple(map(_number, v if isinstance(v, list) else [v]))) for name, v in values.items()
        )
    except (orjson.JSONDecodeError, AttributeError, TypeError, ValueError) as error:
        raise BadFile(f"not weights as JSON: {error}", file=file, line=1) from None
    if not all(abs(value) <= LARGEST for _, values in pairs for value in values):
        raise BadFile(f"a weight is not a number from {-LARGEST:g} to {LARGEST:g}", file=file, line=1)
    return Weights(pairs)
