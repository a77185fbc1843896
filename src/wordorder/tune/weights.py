"""Weights of features, and the files in which decoders keep them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from wordorder.errors import BadFile

_LINE = re.compile(r"\s*([^\s=]+)\s*=\s*(.*)")


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights by feature, one for each value of the feature."""

    values: tuple[tuple[str, tuple[float, ...]], ...] = ()

    def __str__(self) -> str:
        """Write the weights as Moses does."""
        return "".join(f"{name}= {' '.join(f'{v:.10g}' for v in values)}\n" for name, values in self.values)

    def as_dict(self) -> dict[str, list[float]]:
        """Return plain data for JSON."""
        return {name: list(values) for name, values in self.values}


def read_weights(lines: Iterable[str], file: str = "weights") -> Weights:
    """Read ``name= value value`` lines, as in the [weight] section of moses.ini; other sections are skipped.

    Lines with the same name are values of one feature. A JSON file as written by tuning is read, too.

    >>> read_weights(["[weight]", "LM0= 0.5", "TM0= 0.2 0.3", "[input-factors]", "0"]).as_dict()
    {'LM0': [0.5], 'TM0': [0.2, 0.3]}
    """
    rows = list(lines)
    if rows and "".join(rows).lstrip().startswith("{"):
        return _read_json("\n".join(rows), file)
    has_section = any(row.strip() == "[weight]" for row in rows)
    inside = not has_section
    found: dict[str, list[float]] = {}
    for number, row in enumerate(rows, start=1):
        text = row.partition("#")[0].strip() if not inside else row.strip()
        if text.startswith("[") and text.endswith("]"):
            inside = text == "[weight]"
            continue
        if not inside or not text or text.startswith("#"):
            continue
        match = _LINE.fullmatch(text)
        try:
            values = [float(word) for word in match[2].split()] if match else []
        except ValueError:
            values = []
        if match is None or not values or not all(map(math.isfinite, values)):
            raise BadFile(f"{text!r}; expected a weight such as LM0= 0.5", file=file, line=number)
        found.setdefault(match[1], []).extend(values)
    if not found:
        raise BadFile("no weights; expected lines such as LM0= 0.5", file=file, line=max(len(rows), 1))
    return Weights(tuple((name, tuple(values)) for name, values in found.items()))


def _read_json(text: str, file: str) -> Weights:
    import orjson

    try:
        data = orjson.loads(text)
        values = data.get("weights", data)
        pairs = tuple(
            (name, tuple(map(float, v)) if isinstance(v, list) else (float(v),)) for name, v in values.items()
        )
    except (orjson.JSONDecodeError, AttributeError, TypeError, ValueError) as error:
        raise BadFile(f"not weights as JSON: {error}", file=file, line=1) from None
    if not all(math.isfinite(value) for _, values in pairs for value in values):
        raise BadFile("a weight is not finite", file=file, line=1)
    return Weights(pairs)
