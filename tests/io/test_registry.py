"""Formats by name: settings, other packages, names that are taken."""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass

import pytest

from wordorder.errors import BadSetting, UnknownName
from wordorder.io import registry
from wordorder.io.registry import file_format, format_class, format_names, register
from wordorder.io.text import Text


def test_specs() -> None:
    assert file_format(" pharaoh : base = 1 , reverse = True ") == format_class("pharaoh")(
        base=1, reverse=True
    )
    made = file_format("wpt")
    assert file_format(made) is made
    for bad, message in (
        ("pharaoh:base=2", "pharaoh: base is '2'; expected one of 0, 1"),
        ("pharaoh:base", "expected key=value, found 'base'"),
        ("pharaoh:base=1,base=0", "base is set twice"),
        ("pharaoh:bsae=1", "pharaoh has no setting 'bsae'. It has: base, reverse, mark."),
        ("text:base=1", "text has no setting 'base'. It has none."),
    ):
        with pytest.raises(BadSetting, match=message):
            file_format(bad)
    with pytest.raises(BadSetting, match="base is 2; expected one of 0, 1"):
        format_class("pharaoh")(base=2)
    with pytest.raises(
        UnknownName, match=r"unknown format 'faraoh'\. Did you mean 'pharaoh'\? Known: annotation, c"
    ):
        file_format("faraoh")


def test_names_cannot_be_taken_twice() -> None:
    with pytest.raises(BadSetting, match="two formats are called 'text'"):
        register(type("Other", (Text,), {}))


def test_formats_of_other_packages_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True, kw_only=True)
    class Shout(Text):
        """Text that is shouted."""

        name = "shout"

    class Point:
        name = "shout"
        value = "other:Shout"

        def load(self) -> type[Shout]:
            return Shout

    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda group: [Point()] if group == "wordorder.formats" else []
    )
    monkeypatch.setattr(registry.REGISTRY, "found", {"own": True, "entry points": False})
    monkeypatch.setattr(registry.REGISTRY, "classes", dict(registry.REGISTRY.classes))
    assert isinstance(file_format("shout"), Shout) and "shout" in format_names()
    monkeypatch.setattr(Point, "name", "whisper")
    monkeypatch.setattr(registry.REGISTRY, "found", {"own": True, "entry points": False})
    with pytest.warns(
        UserWarning, match="format 'whisper' of other:Shout cannot be used: it is called 'shout'"
    ):
        format_names()
