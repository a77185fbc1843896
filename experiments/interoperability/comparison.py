"""What a comparison with another program found, as a row of the page."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

HEAD = ("program", "version", "compared", "cases", "equal", "how, and why not", "command")


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """The results of one comparison: how many cases there are, and how many are equal."""

    program: str
    version: str
    compared: str
    cases: int
    equal: int
    how: str  # the tolerance, and the reason of differences
    command: str

    @property
    def cells(self) -> tuple[str, ...]:
        """The cells of the row."""
        equal = "all" if self.equal == self.cases else f"{self.equal:,}"
        columns = (self.program, self.version, self.compared, f"{self.cases:,}", equal, self.how)
        return (*columns, f"`{self.command}`")

    def row(self) -> str:
        """Write the row of a Markdown table."""
        return f"| {' | '.join(self.cells)} |"


def installed(package: str) -> str | None:
    """Return the version of a package, or None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
