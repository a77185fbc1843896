"""Finding rule sets: shipped sets by name, others by the path of their file."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from wordorder.data import package_file
from wordorder.errors import BadFile, UnknownName
from wordorder.preorder.rules.language import RuleSet
from wordorder.preorder.rules.reading import parse_rules


def shipped_sets() -> list[str]:
    """Return the names of the shipped rule sets.

    >>> "head-final" in shipped_sets()
    True
    """
    return sorted(path.stem for path in package_file("rules").glob("*.toml"))


def rule_set(name: str) -> RuleSet:
    """Load a shipped rule set by name, a rule set by the path of its file, or one that is given as text.

    >>> rule_set("reverse").default
    'reverse'
    """
    if "\n" in name:
        return _of_text(name)
    path = _path_of(name, "")
    if path is None:
        raise UnknownName("rule set (there is no file of this name either)", name, shipped_sets())
    return _read(path, ())


@lru_cache(maxsize=32)
def _of_text(text: str) -> RuleSet:
    """Read rules that a model contains; a model with the same settings is made several times."""
    return parse_rules(text, "rules", find=_find)


def _path_of(name: str, beside: str) -> str | None:
    """Return the file of a set; a relative path is relative to the file that names it."""
    if os.sep not in name and not name.endswith(".toml") and name in shipped_sets():
        return str(package_file("rules") / f"{name}.toml")
    place = os.path.join(os.path.dirname(beside), name) if beside else name
    return place if os.path.isfile(place) else None


def _read(path: str, above: tuple[str, ...]) -> RuleSet:
    real = os.path.realpath(path)
    try:
        text = Path(real).read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise BadFile("is not UTF-8", file=path, line=line) from None
    except OSError as error:
        raise BadFile(f"cannot be read: {error.strerror}", file=path) from None
    return parse_rules(text, path, find=_find, above=(*above, real))


def _find(name: str, beside: str, above: tuple[str, ...]) -> RuleSet:
    """Return a set that another one extends; a set that extends itself, directly or not, is an error.

    A file of rules may come from anybody, so that it can only name shipped sets and files in its own folder.
    """
    if os.path.isabs(name) or os.pardir in name.replace(os.sep, "/").split("/"):
        raise LookupError("expected a shipped set, or a file in the same folder or below it")
    path = _path_of(name, beside)
    if path is None:
        raise LookupError(f"no such file, and no set of that name (known: {', '.join(shipped_sets())})")
    real = os.path.realpath(path)
    if real in above:
        names = [os.path.basename(file) for file in (*above[above.index(real) :], real)]
        raise LookupError(f"sets that extend each other in a circle: {' > '.join(names)}")
    return _read(path, above)
