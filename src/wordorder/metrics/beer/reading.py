"""Read the small text files of a BEER 2.0 model folder; errors name file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from wordorder.errors import BadFile, BadSetting
from wordorder.io.numbers import SMALLEST_RANGE, read_number
from wordorder.metrics.beer.templates import LENGTHS, Template

# What feature_template.yaml calls the pieces, and the key that holds their size.
_FAMILIES = {
    "char-ngram": ("char", "order"),
    "ngram": ("ngram", "order"),
    "skip-bigram": ("skip", "maxSkipSize"),
}


def lines_of(path: Path) -> list[str]:
    """Read the lines of a text file."""
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=str(path)) from None
    except UnicodeDecodeError:
        raise BadFile("is not text in UTF-8", file=str(path)) from None


def number(text: str, path: Path, line: int) -> float:
    """Read a number."""
    try:
        return read_number(text)
    except ValueError as error:
        raise BadFile(f"{error}, found {text[:40]!r}", file=str(path), line=line) from None


def read_linear(path: Path) -> tuple[dict[str, str], list[float]]:
    """Read a model of liblinear: a head of keys, and weights."""
    lines = lines_of(path)
    head: dict[str, str] = {}
    for begin, line in enumerate(lines, start=1):
        key, _, value = line.strip().partition(" ")
        if key == "w":
            break
        if key not in ("solver_type", "nr_class", "label", "nr_feature", "bias"):
            raise BadFile(f"{key[:40]!r} is not a key of a liblinear model", file=str(path), line=begin)
        head[key] = value.strip()
    else:
        raise BadFile("no line 'w' followed by weights", file=str(path), line=len(lines))
    filled = [(at, line.strip()) for at, line in enumerate(lines[begin:], start=begin + 1) if line.strip()]
    return head, [number(text, path, at) for at, text in filled]


def read_properties(path: Path) -> dict[str, tuple[str, int]]:
    """Read ``key=value`` lines: values, and their line numbers."""
    properties: dict[str, tuple[str, int]] = {}
    for at, line in enumerate(lines_of(path), start=1):
        if not line.strip() or line.lstrip()[0] in "#!":
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise BadFile(f"expected key=value, found {line[:40]!r}", file=str(path), line=at)
        properties[key.strip()] = value.strip(), at
    return properties


def property_number(properties: dict[str, tuple[str, int]], key: str, path: Path, why: str = "") -> float:
    """Return a number that must be among the properties."""
    if key not in properties:
        raise BadFile(f"no line {key}=NUMBER{why}", file=str(path))
    text, line = properties[key]
    return number(text, path, line)


def read_names(path: Path) -> list[tuple[str, int]]:
    """Read ``number name`` lines: names by number, and their line numbers."""
    names: list[tuple[str, int]] = []
    for at, line in enumerate(lines_of(path), start=1):
        fields = line.split()
        if len(fields) != 2 or fields[0] != str(len(names)):
            wanted = f"expected '{len(names)} NAME', found {line[:40]!r}"
            raise BadFile(wanted, file=str(path), line=at)
        names.append((fields[1], at))
    if not names:
        raise BadFile("no features", file=str(path))
    return names


def read_scaling(path: Path) -> list[tuple[float, float]]:
    """Read ``least greatest`` lines, one per feature."""
    bounds: list[tuple[float, float]] = []
    for at, line in enumerate(lines_of(path), start=1):
        fields = line.split()
        if len(fields) != 2:
            raise BadFile(f"expected two numbers, found {line[:40]!r}", file=str(path), line=at)
        low, high = (number(field, path, at) for field in fields)
        if not high - low >= SMALLEST_RANGE:
            raise BadFile(f"{low} to {high} is not a range to scale by", file=str(path), line=at)
        bounds.append((low, high))
    return bounds


def read_symmetry(path: Path) -> dict[str, bool]:
    """Read the list of templates: their pieces, and whether measures are of min and max.

    The file is YAML, of which it uses a list of plain ``key: value`` blocks.
    """
    symmetric: dict[str, bool] = {}
    for at, block in _blocks(path):
        name = block.get("name", "")
        if name == "length-disbalance":
            exponential = _flag(block, "exponential", path, at)
            symmetric |= {kind: False for kind in LENGTHS if ("_exp_" in kind) == exponential}
            continue
        if name not in _FAMILIES:
            known = ", ".join([*_FAMILIES, "length-disbalance"])
            raise BadFile(f"unknown template {name!r}; expected one of {known}", file=str(path), line=at)
        kind, key = _FAMILIES[name]
        symmetric[f"{kind}{block.get(key, '')}"] = _flag(block, "symmetry", path, at)
    return symmetric


def _flag(block: dict[str, str], key: str, path: Path, at: int) -> bool:
    if block.get(key) not in ("true", "false"):
        raise BadFile(f"{key} is {block.get(key)!r}; expected true or false", file=str(path), line=at)
    return block[key] == "true"


def _blocks(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the blocks of the list, each with its first line."""
    begin = 0
    block: dict[str, str] = {}
    for at, line in enumerate(lines_of(path), start=1):
        text = line.split(" #")[0].strip()
        if text.startswith("-"):
            if block:
                yield begin, block
            begin, block, text = at, {}, text[1:].strip()
        if not text or text.startswith("#") or text == "features:":
            continue
        key, colon, value = text.partition(":")
        if not colon or not begin:
            raise BadFile(f"expected 'key: value' in a list, found {line[:40]!r}", file=str(path), line=at)
        block[key.strip()] = value.strip()
    if block:
        yield begin, block


def template_of(name: str, symmetry: dict[str, bool], path: Path, line: int) -> Template:
    """Make the feature of a BEER name; its template decides if ``a`` and ``b`` are least and greatest."""
    try:
        template = Template.parse(name)
    except BadSetting as error:
        raise BadFile(str(error), file=str(path), line=line) from None
    if template.measure not in ("a", "b", "f", "g", "d"):
        raise BadFile(f"{name!r}: BEER 2.0 has no measure {template.measure!r}", file=str(path), line=line)
    if template.pieces.name not in symmetry:
        raise BadFile(f"{name!r} is not in feature_template.yaml", file=str(path), line=line)
    symmetric = {"f": "sf", "g": "sg"} if symmetry[template.pieces.name] else {"a": "p", "b": "r"}
    return Template(template.pieces, symmetric.get(template.measure, template.measure), template.weight)
