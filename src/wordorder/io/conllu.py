"""CoNLL-U: dependency trees of Universal Dependencies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.io.base import ParagraphFormat
from wordorder.io.lenient import BadLine
from wordorder.io.registry import register
from wordorder.io.sentence import EMPTY, RANGE, WORD, Row, Sentence, find_problem

__all__ = ["Conllu", "Row", "Sentence"]


@register
@dataclass(frozen=True, kw_only=True)
class Conllu(ParagraphFormat[Sentence]):
    """Sentences with ten columns per word and comments before the words; an empty line ends each.

    Ids must increase by one, ranges and empty nodes must be in their place, and heads must form a tree:
    in range, one root, no cycle. ``trees=False`` does not read the heads (for text that is only tagged).
    """

    name = "conllu"
    about = "dependency trees, ten columns per word (Universal Dependencies)"
    extensions = (".conllu",)
    unit = "sentence"
    reserved = "comments begin with #, columns hold no tabs"

    trees: bool = True

    def parse_lines(self, lines: Sequence[str | BadLine], file: str, start: int) -> Sentence | BadLine:
        """Read a sentence and check it."""

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

    def to_lines(self, record: Sentence) -> list[str]:
        """Write comments and columns."""
        return [*record.comments, *("\t".join(row) for row in record.rows)]

    @classmethod
    def likeness(cls, lines: Sequence[str]) -> float:
        """Require ten columns and an id on every line that is neither empty nor a comment."""
        rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
        ids = (WORD, RANGE, EMPTY)
        return float(
            bool(rows) and all(len(row) == 10 and any(kind.fullmatch(row[0]) for kind in ids) for row in rows)
        )

    def examples(self) -> list[Sentence]:
        """Return a range, empty nodes, comments, words with spaces and hashes."""
        heads = [("1", "zu", "3"), ("2", "dem", "3"), ("3", "Haus", "0")]
        words = [Row(number, form, head=head, deprel="dep") for number, form, head in heads]
        span = Row("1-2", "zum", misc="SpaceAfter=No")
        empty = [Row("0.1", "_"), Row("1", "10 000", head="0"), Row("1.1", "x"), Row("2", "#", head="1")]
        return [Sentence([span, *words], ["# sent_id = 1", "# text = zumHaus"]), Sentence(empty)]

    def broken(self) -> list[tuple[bytes, int]]:
        """Return columns, ids, ranges, empty nodes and comments out of place, and an empty sentence."""

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
