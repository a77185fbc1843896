"""The contract of a format of judgments, and the registry of all formats.

A format is a frozen dataclass in a file of its own in this package, marked :func:`register`; its fields are
its options. Other packages offer their own formats through the entry point group ``wordorder.judgments``.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from wordorder.core.plugins import Registry
from wordorder.judge.judgments import Judgments


@dataclass(frozen=True, kw_only=True)
class JudgmentFormat(ABC):
    """A file or folder layout that judgments can be read from."""

    name: ClassVar[str]
    about: ClassVar[str]  # one line for people
    stored_as: ClassVar[Literal["file", "folder"]]

    @classmethod
    @abstractmethod
    def recognises(cls, path: str) -> bool:
        """Return whether a file (or folder) has this format, judged by its header (or its contents)."""

    @abstractmethod
    def read(self, path: str) -> list[Judgments]:
        """Read all language pairs and test sets of a file or folder."""

    @classmethod
    def option_names(cls) -> list[str]:
        """Return the names of the options."""
        return [field.name for field in dataclasses.fields(cls)]


REGISTRY: Registry[JudgmentFormat] = Registry(
    "format of judgments", package="wordorder.judge.formats", group="wordorder.judgments"
)
register = REGISTRY.register
