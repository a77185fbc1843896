"""Lines that cannot be read: errors with their place, or skipped and counted."""

from __future__ import annotations

from collections.abc import Mapping

from wordorder.errors import BadFile


class BadLine(BadFile):
    """One line, or one sentence, of a file that cannot be read; ``reason`` groups similar errors."""

    def __init__(
        self,
        message: str,
        *,
        file: str,
        line: int,
        reason: str,
        suggest: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(message, file=file, line=line, suggest=suggest)
        self.reason = reason


class Lenient:
    """Counts of skipped lines by file and reason; readers that are given one do not stop at bad lines.

    Nothing is repaired: a bad line is skipped, in parallel files with its whole row.

    >>> lenient = Lenient()
    >>> lenient.skip(BadLine("'3+4' is not a link", file="a.align", line=7, reason="bad link"))
    >>> lenient.total
    1
    >>> print(lenient.report())
    a.align: skipped 1 (bad link); the first: a.align:7: '3+4' is not a link
    """

    def __init__(self) -> None:
        self.counts: dict[tuple[str, str], int] = {}
        self.first: dict[tuple[str, str], BadFile] = {}

    def skip(self, problem: BadLine, *, count: int = 1) -> None:
        """Count a bad line, and keep the first of its kind."""
        key = (problem.file, problem.reason)
        self.counts[key] = self.counts.get(key, 0) + count
        self.first.setdefault(key, problem)

    @property
    def total(self) -> int:
        """The number of lines, rows or sentences that were skipped."""
        return sum(self.counts.values())

    def nothing_left(self) -> BadFile:
        """Return the error for input of which every line was skipped: an empty result would look fine."""
        first = next(iter(self.first.values()))
        message = first.message.removeprefix(f"{first.file}:{first.line}: ")
        return BadFile(
            f"{message} (nothing is left: {self.total:,} skipped)",
            file=first.file,
            line=first.line,
            suggest=first.suggest,
        )

    def report(self) -> str:
        """Return one line for each file and reason, or nothing if nothing was skipped."""
        return "\n".join(
            f"{file}: skipped {count:,} ({reason}); the first: {self.first[file, reason]}"
            for (file, reason), count in self.counts.items()
        )
