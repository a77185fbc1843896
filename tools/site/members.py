"""Signatures and members of the public names, which the site adds to the page of the API."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator

import wordorder
from tools.pages import markdown_table

NAMED = re.compile(r"\*\*`(\w+)`\*\*")


def with_members(page: str) -> str:
    """Put a heading above every paragraph that introduces public names, and a block for each name below."""
    paragraphs = []
    for paragraph in page.split("\n\n"):
        names = [name for name in NAMED.findall(paragraph) if name in wordorder.__all__]
        if names:
            paragraphs.append(f"### {', '.join(names)}")
        paragraphs += [paragraph, *map(block, names)]
    return "\n\n".join(paragraphs)


def block(name: str) -> str:
    """Describe a name in a block that is folded away until it is opened."""
    thing = getattr(wordorder, name)
    pieces = [f"```python\n{signature(name, thing)}\n```", docstring(thing)]
    if inspect.isclass(thing) and (rows := list(members(thing))):
        pieces.append(markdown_table([("member", "meaning"), *rows]))
    title = f'??? abstract "Signature{" and members" if inspect.isclass(thing) else ""} of `{name}`"'
    return f"{title}\n" + textwrap.indent("\n\n".join(pieces), "    ")


def signature(name: str, thing: object) -> str:
    """Write the call with its arguments, one to a line if they do not fit into one."""
    try:
        found = inspect.signature(thing)  # type: ignore[arg-type]
    except (TypeError, ValueError):  # an exception, or a class of C
        return name
    found = found.replace(
        parameters=[readable(argument) for argument in found.parameters.values()],
        return_annotation=found.empty if inspect.isclass(thing) else as_written(found.return_annotation),
    )
    line = f"{name}{found}"
    if len(line) <= 90:
        return line
    arguments = "".join(f"    {argument},\n" for argument in spelled(found))
    returned = "" if found.return_annotation is found.empty else f" -> {found.return_annotation!r}"
    return f"{name}(\n{arguments}){returned}"


class Written(str):
    """Text that is shown without quotes in a signature."""

    __repr__ = str.__str__


def as_written(annotation: object) -> object:
    """Return a type as the code writes it."""
    return Written(annotation) if isinstance(annotation, str) else annotation


def readable(argument: inspect.Parameter) -> inspect.Parameter:
    """Shorten a default that is not a plain value."""
    plain = (
        isinstance(argument.default, str | int | float | tuple | None) or argument.default is argument.empty
    )
    default = argument.default if plain else Written("...")
    return argument.replace(annotation=as_written(argument.annotation), default=default)


def spelled(found: inspect.Signature) -> Iterator[str]:
    """List the arguments as they are written, with the star before those that need their names."""
    starred = False
    for argument in found.parameters.values():
        if argument.kind is argument.KEYWORD_ONLY and not starred:
            starred = True
            yield "*"
        starred |= argument.kind is argument.VAR_POSITIONAL
        yield str(argument)


def docstring(thing: object) -> str:
    """Turn a docstring into Markdown: examples become blocks of code."""
    paragraphs = []
    for paragraph in (inspect.getdoc(thing) or "").split("\n\n"):
        example = paragraph.lstrip().startswith(">>>")
        paragraphs.append(f"```python\n{paragraph}\n```" if example else as_markdown(paragraph))
    return "\n\n".join(paragraphs)


def as_markdown(text: str) -> str:
    """Write the marks of a docstring as those of Markdown.

    >>> as_markdown("The inverse of :attr:`ranks`, as in ``[1, 0]``.")
    'The inverse of `ranks`, as in `[1, 0]`.'
    """
    return re.sub(r":\w+:(?=`)", "", text).replace("``", "`")


def members(cls: type) -> Iterator[tuple[str, str]]:
    """List public methods and properties that this package defines, with the first sentence about each."""
    seen = set()
    for owner in cls.__mro__:
        if not owner.__module__.startswith("wordorder"):
            continue
        for name, member in vars(owner).items():
            plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            about = as_markdown((inspect.getdoc(plain) or "").split("\n\n")[0].replace("\n", " "))
            if name.startswith("_") or name in seen or not about:
                continue
            if inspect.isfunction(plain):
                seen.add(name)
                yield f"`{name}{shown_arguments(plain)}`", about
            elif isinstance(plain, property) or hasattr(plain, "func"):
                seen.add(name)
                yield f"`{name}`", about


def shown_arguments(function: object) -> str:
    """Write the names of the arguments, without types and without ``self``.

    >>> shown_arguments(lambda self, sizes, *, base=0: None)
    '(sizes, *, base=0)'
    """
    found = inspect.signature(function)  # type: ignore[arg-type]
    bare = [
        argument.replace(annotation=argument.empty)
        for argument in found.parameters.values()
        if argument.name not in ("self", "cls")
    ]
    return str(inspect.Signature(bare))
