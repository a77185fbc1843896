"""Registries of metrics, formats and preorderers, and the settings of what they hold.

A registered class has a ``name`` and a file of its own, and is marked with :meth:`Registry.register`; other
packages offer theirs through an entry point group. A spec is ``name`` or ``name:key=value,key=value``
everywhere, and the keys are the fields of a frozen dataclass.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from wordorder.errors import BadSetting, UnknownName

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

C = TypeVar("C", bound=type[Any])
K = TypeVar("K")


class ContractBroken(AssertionError):
    """A class breaks the contract of its kind; raised by the checks of metrics, preorderers and formats."""


class Registry(Generic[K]):
    """Classes by name: those of one of our packages, and those that other packages offer.

    A class that is asked for by name is looked for in the file of its name, or in the one that ``homes``
    says, so that the other files need not be imported. All of them are, where this does not find it.
    """

    def __init__(
        self, what: str, *, package: str, group: str, homes: Mapping[str, str] | None = None
    ) -> None:
        self.what, self.package, self.group = what, package, group
        self.homes = homes or {}
        self.classes: dict[str, type[K]] = {}
        self.found = {"own": False, "entry points": False}
        self._lock = threading.RLock()  # re-entrant: importing one may look up another

    def register(self, cls: C) -> C:
        """Make a class known by its ``name``."""
        if self.classes.setdefault(cls.name, cls) is not cls:
            raise BadSetting(f"two {self.what}s are called {cls.name!r}")
        return cls  # type: ignore[return-value]

    def names(self) -> list[str]:
        """Return all names, including those of other packages."""
        self._discover(outside=True)
        return sorted(self.classes)

    def get(self, name: str) -> type[K]:
        """Return the class of that name; the error for an unknown name lists the known ones."""
        for look in (self._look_at_home, self._discover_own, self._discover_all):
            if name not in self.classes:
                look(name)
        if name not in self.classes:
            raise UnknownName(self.what, name, self.classes)
        return self.classes[name]

    def _look_at_home(self, name: str) -> None:
        """Import the file that should have the class, if there is one."""
        home = self.homes.get(name, name)
        with self._lock:
            if home.isidentifier() and find_spec(f"{self.package}.{home}"):
                import_module(f"{self.package}.{home}")

    def _discover_own(self, name: str) -> None:
        self._discover(outside=False)

    def _discover_all(self, name: str) -> None:
        self._discover(outside=True)

    def _path(self) -> list[str]:
        return list(import_module(self.package).__path__)

    def _discover(self, *, outside: bool) -> None:
        """Import the files of the package, and the entry points if asked, once."""
        with self._lock:
            if not self.found["own"]:
                import pkgutil

                for module in pkgutil.iter_modules(self._path()):
                    import_module(f"{self.package}.{module.name}")
                self.found["own"] = True
            if outside and not self.found["entry points"]:
                from importlib.metadata import entry_points  # slow to import, and seldom needed

                self.found["entry points"] = True
                for point in entry_points(group=self.group):
                    self._load(point)

    def _load(self, point: EntryPoint) -> None:
        """Register a class of another package; a broken one must not hide the others."""
        try:
            cls = point.load()
            if point.name != cls.name:
                raise BadSetting(f"it is called {cls.name!r}")
            self.register(cls)
        except Exception as error:
            message = f"{self.what} {point.name!r} of {point.value} cannot be used: {error}"
            warnings.warn(message, stacklevel=2)


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split ``name:key=value,key=value`` into the name and the settings as text.

    >>> split_spec("grammar: states = 30, arity=5")
    ('grammar', {'states': '30', 'arity': '5'})
    """
    if not isinstance(spec, str):
        raise BadSetting(f"expected a name such as 'kendall' or 'kendall:scale=tau', found {spec!r}")
    name, _, rest = spec.strip().partition(":")
    settings: dict[str, str] = {}
    for piece in rest.split(",") if rest else []:
        key, equals, value = (part.strip() for part in piece.partition("="))
        if not equals or not key or not value:
            raise BadSetting(f"{spec!r}: expected key=value, found {piece!r}")
        if key in settings:
            raise BadSetting(f"{spec!r}: {key} is set twice")
        settings[key] = value
    return name.strip(), settings


def read_settings(
    name: str, texts: dict[str, str], hints: dict[str, Any], names: Iterable[str]
) -> dict[str, Any]:
    """Convert settings to the types of the fields of a class."""
    known = list(names)
    settings = {}
    for key, text in texts.items():
        if key not in known:
            has = f"It has: {', '.join(known)}." if known else "It has none."
            raise BadSetting(f"{name} has no setting {key!r}. {has}")
        settings[key] = read_setting(name, key, text, hints[key])
    return settings


@cache
def field_types(cls: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a class; finding them takes longer than making an instance."""
    return get_type_hints(cls)


def read_setting(name: str, key: str, text: str, hint: Any) -> Any:
    """Convert one setting to a choice, true or false, a number or text."""
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


def check_types(instance: Any, hints: dict[str, Any]) -> None:
    """Check that settings are of the types of their fields, and that numbers are finite."""
    wanted = {int: "a whole number", float: "a finite number", bool: "true or false", str: "text"}
    for key, hint in hints.items():
        value = getattr(instance, key)
        if hint not in wanted:
            continue
        odd = isinstance(value, bool) and hint is not bool  # in Python, True is a whole number
        if odd or not isinstance(value, hint) or (hint is float and not math.isfinite(value)):
            raise BadSetting(f"{instance.name}: {key} is {value!r}; expected {wanted[hint]}")


def check_choices(instance: Any, hints: dict[str, Any]) -> None:
    """Check that each setting with named choices has one of them; numbers are kept as floats."""
    for key, hint in hints.items():
        if hint is float and type(getattr(instance, key)) is int:
            object.__setattr__(instance, key, float(getattr(instance, key)))
        choices = get_args(hint) if get_origin(hint) is Literal else None
        if choices and getattr(instance, key) not in choices:
            known = ", ".join(map(str, choices))
            raise BadSetting(f"{instance.name}: {key} is {getattr(instance, key)!r}; expected one of {known}")


def check_bounds(owner: Any, bounds: Mapping[str, tuple[float, float]]) -> None:
    """Check that each of these settings is finite and within its bounds."""
    for key, (low, high) in bounds.items():
        value = getattr(owner, key)
        if not (low <= value <= high and value < float("inf")):
            # The largest int32 limits what kernels can count; it is not worth printing.
            expected = f"{low:g} or more" if high >= 2**31 - 1 else f"{low:g} to {high:g}"
            raise BadSetting(f"{owner.name}: {key} is {value}; expected {expected}")
