"""Groups of verbs that are imported only when they run."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from wordorder.errors import UnknownName


class LazyGroup(click.Group):
    """A group whose verb ``x-y`` is the ``command`` of the module ``modules`` + ``x_y``."""

    def __init__(self, *args: Any, verbs: Mapping[str, str], modules: str, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.verbs, self.modules = verbs, modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in alphabetical order."""
        return sorted(self.verbs)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one verb."""
        if name not in self.verbs:
            return None
        command: click.Command = import_module(self.modules + name.replace("-", "_")).command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve a verb; an unknown one gets the closest name as a hint."""
        if args and args[0] not in self.verbs:
            raise UnknownName("command", args[0], self.verbs)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from their table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(sorted(self.verbs.items()))
