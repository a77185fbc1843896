"""CoNLL-U: dependency trees of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from wordorder.errors import BadFile
from wordorder.io.base import Format
from wordorder.io.lenient import BadLine
from wordorder.io.lines import read_paragraphs, write_lines
from wordorder.io.registry import register
from wordorder.io.sentence import EMPTY, RANGE, WORD, Row, Sentence, find_problem

__all__ = ["Conllu", "Row", "Sentence"]


@register
@dataclass(frozen=True, kw_only=True)
class Conllu(Format[Sentence]):
    """Sentences of ten columns a word, an empty line after each; comments stand before the words.

    Ids must rise by one, ranges and empty nodes stand where they belong, and heads make a tree:
    in range, one root, no circle. ``trees=False`` leaves the heads unread (text that is only tagged).
    """

    name = "conllu"
    about = "dependency trees, ten columns per word (Universal Dependencies)"
    extensions = (".conllu",)
    unit = "sentence"

    trees: bool = True

    def scan(self, handle: IO[bytes], file: str) -> Iterator[Sentence | BadLine]:
        """Gather the lines of each sentence and check them; a bad line spoils its sentence."""
        for start, lines in read_paragraphs(handle, file):
            yield self._sentence(lines, file, start)

    def _sentence(self, lines: Sequence[str | BadLine], file: str, start: int) -> Sentence | BadLine:
        def bad(at: int, message: str) -> BadLine:
            return BadLine(message, file=file, line=start + at, reason="bad sentence")

        comments: list[str] = []
        rows: list[Row] = []
        for at, line in enumerate(lines):
            if isinstance(line, BadLine):
                return line
            if line.startswith("#") and not rows:
                comments.append(line)
                continue
            columns = line.split("\t")
            if len(columns) != 10:
                late = "a comment after the first word" if line.startswith("#") else f"{len(columns)} columns"
                return bad(at, f"{late}; expected 10 columns separated by tabs")
            if "" in columns:
                return bad(at, f"column {columns.index('') + 1} is empty (write _)")
            rows.append(Row(*columns))
        at, message = find_problem(rows, trees=self.trees)
        if message:
            return bad(at + len(comments) if rows else 0, message)
        return Sentence(rows, comments, line=start)

    def write(self, records: Iterable[Sentence], out: IO[bytes], *, file: str = "output") -> None:
        """Write sentences, each checked as a reader would."""
        write_lines(self._lines(records, file), out, file=file)

    def _lines(self, records: Iterable[Sentence], file: str) -> Iterator[str]:
        for number, sentence in enumerate(records, start=1):
            lines = [*sentence.comments, *("\t".join(row) for row in sentence.rows)]
            again = self._sentence(lines, file, 1)
            if again != sentence:
                why = again if isinstance(again, BadLine) else "comments begin with #, columns hold no tabs"
                raise BadFile(f"sentence {number} cannot be written: {why}", file=file)
            yield from lines
            yield ""

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Ask for ten columns and an id on every line that is neither empty nor a comment."""
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        ids = (WORD, RANGE, EMPTY)
        return float(
            bool(rows) and all(len(row) == 10 and any(kind.fullmatch(row[0]) for kind in ids) for row in rows)
        )

    def examples(self) -> list[Sentence]:
        """A range, an empty node, comments, words with blanks and hashes."""
        heads = [("1", "zu", "3"), ("2", "dem", "3"), ("3", "Haus", "0")]
        words = [Row(number, form, head=head, deprel="dep") for number, form, head in heads]
        one = Sentence(
            [Row("1-2", "zum", misc="SpaceAfter=No"), *words], ["# sent_id = 1", "# text = zumHaus"]
        )
        two = Sentence(
            [Row("0.1", "_"), Row("1", "10 000", head="0"), Row("1.1", "x"), Row("2", "#", head="1")]
        )
        return [one, two]

    def broken(self) -> list[tuple[bytes, int]]:
        """Columns, ids, ranges, empty nodes and comments out of place; an empty sentence."""

        def file(*rows: tuple[str, str]) -> bytes:
            lines = ["\t".join(Row(number, "x", head=head)) for number, head in rows]
            return "".join(line + "\n" for line in [*lines, ""]).encode()

        good = file(("1", "0"))
        bad = [
            (b"1\tx\n\n", 1),
            (good + good.replace(b"x", b""), 3),
            (file(("1", "0"), ("3", "1")), 2),
            (file(("1-2", "_"), ("1", "0")), 1),
            (file(("1", "0"), ("1-2", "_"), ("2", "1")), 2),
            (file(("1", "0"), ("2.1", "_"), ("2", "1")), 2),
            (good[:-1] + b"# late\n\n", 2),
            (good + b"# nothing\n\n", 3),
            (good + b"\n" + good, 3),
        ]
        trees = [(file(("1", "0"), ("2", head)), 2) for head in ("0", "3", "2", "_", "-1")]
        return bad + ([*trees, (file(("1", "0"), ("2", "3"), ("3", "2")), 2)] if self.trees else [])
