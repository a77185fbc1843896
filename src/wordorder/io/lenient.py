"""What happens to a line that cannot be read: an error with its place, or a counted skip."""

from __future__ import annotations

from collections.abc import Mapping

from wordorder.errors import BadFile


class BadLine(BadFile):
    """One line, or one sentence, of a file that cannot be read; ``reason`` groups alike ones."""

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
    """Counts what is skipped, by file and reason; readers that get one do not stop at bad lines.

    Nothing is repaired: a bad line is left out, and in parallel files its whole row.

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
        """Count a bad line; only the first of its kind is remembered whole."""
        key = (problem.file, problem.reason)
        self.counts[key] = self.counts.get(key, 0) + count
        self.first.setdefault(key, problem)

    @property
    def total(self) -> int:
        """How many lines, rows or sentences were skipped."""
        return sum(self.counts.values())

    def nothing_left(self) -> BadFile:
        """The error for input of which every line was skipped: a result of nothing would look fine."""
        first = next(iter(self.first.values()))
        message = first.message.removeprefix(f"{first.file}:{first.line}: ")
        return BadFile(
            f"{message} (nothing is left: {self.total:,} skipped)",
            file=first.file,
            line=first.line,
            suggest=first.suggest,
        )

    def report(self) -> str:
        """One line for each file and reason; empty if nothing was skipped."""
        return "\n".join(
            f"{file}: skipped {count:,} ({reason}); the first: {self.first[file, reason]}"
            for (file, reason), count in self.counts.items()
        )
