"""The exceptions of the package.

::

    WordOrderError (ValueError)
    ├── InvalidPermutation    numbers that are not 0 .. n-1 in some order
    ├── InvalidAlignment      links outside the sentences, or marks that contradict
    ├── InvalidTree           text or spans that are not a permutation tree
    ├── BadSetting            a setting out of its range, or a signature that cannot be rebuilt
    ├── UnknownName           no metric of that name; the message lists the known ones
    └── BadFile               a file that cannot be read as asked; carries file and line
        └── io.lenient.BadLine    one line of it, which --lenient would skip and count

Messages say in one line what was seen, where, and what to try. A setting that would help is kept apart, in
``suggest``: Python shows it as ``Try base=1.``, the command line as ``Try --base 1.``
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 2000  # characters of a message, which may quote a line of any length


def one_line(text: str) -> str:
    r"""Escape line breaks and other invisible characters of a message, and cut a long one in the middle.

    >>> one_line("there is no file 'a\nb'")
    "there is no file 'a\\nb'"
    """
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} ... {text[-LONGEST // 4 :]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class WordOrderError(ValueError):
    """Base of every error that the package raises on purpose; its message is made one line.

    >>> str(WordOrderError("link 3-4 is past the last word.", suggest={"base": 1}))
    'link 3-4 is past the last word. Try base=1.'
    """

    def __init__(self, message: str, *, suggest: Mapping[str, object] | None = None) -> None:
        self.message = one_line(message)
        self.suggest = dict(suggest or {})
        tries = " ".join(f"Try {name}={value}." for name, value in self.suggest.items())
        super().__init__(one_line(f"{self.message} {tries}") if tries else self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        # Errors of other processes arrive as they were: the arguments of __init__ are not kept.
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[WordOrderError], args: tuple[object, ...], state: Mapping[str, object]
) -> WordOrderError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class InvalidPermutation(WordOrderError):
    """The numbers are not a permutation."""


class InvalidAlignment(WordOrderError):
    """The links are not an alignment of the two sentences."""


class InvalidTree(WordOrderError):
    """The text or the spans are not a permutation tree."""


class BadSetting(WordOrderError):
    """A setting is out of range, or a signature cannot be read."""


class UnknownName(WordOrderError):
    """A name that is not registered.

    The message suggests the closest name, unless ``guess`` is false, and lists the known names, or says
    ``listing`` instead.
    """

    def __init__(
        self, what: str, name: str, known: Iterable[str], *, guess: bool = True, listing: str = ""
    ) -> None:
        names = sorted(known)
        import difflib  # seldom needed, and slow to import

        close = difflib.get_close_matches(name, names, n=1) if guess else []
        hint = f" Did you mean {close[0]!r}?" if close else ""
        listing = listing or f"Known: {', '.join(names)}."
        super().__init__(f"unknown {what} {name!r}.{hint} {listing}")


class BadFile(WordOrderError):
    """A file that cannot be read as asked."""

    def __init__(
        self,
        message: str,
        *,
        file: str,
        line: int | None = None,
        suggest: Mapping[str, object] | None = None,
    ) -> None:
        self.file = file
        self.line = line
        place = file if line is None else f"{file}:{line}"
        super().__init__(f"{place}: {message}", suggest=suggest)
