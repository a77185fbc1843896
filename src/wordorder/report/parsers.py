"""The accuracy of a parser as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.evaluate.columns import ComparisonSettings
from wordorder.evaluate.parsers import ParserAgreement, accuracy
from wordorder.io.parallel import batches
from wordorder.io.sentence import Sentence
from wordorder.parse.base import BLOCK, Parser
from wordorder.report.table import Table

NAMES = {"UPOS": "tags", "XPOS": "fine_tags", "UAS": "heads", "LAS": "labelled"}


@dataclass(frozen=True)
class ParserTest:
    """The accuracy of a parser on one file of gold trees, as it is and in lower case."""

    file: str
    sentences: int
    results: dict[str, ParserAgreement]


def tested(file: str, gold: Sequence[Sentence], parser: Parser, settings: ComparisonSettings) -> ParserTest:
    """Parse the words of gold trees, as they are and in lower case, and compare."""
    forms = [tree.forms for tree in gold]
    texts = {"as it is": forms, "lower case": [[word.lower() for word in words] for words in forms]}
    results = {}
    for name, text in texts.items():
        lists = (trees for block in batches(text, BLOCK) for trees in parser.trees_batch(block))
        results[name] = accuracy(gold, [trees[0] for trees in lists], settings)
    return ParserTest(file, len(gold), results)


def accuracy_table(tests: Sequence[ParserTest], *, title: str = "") -> Table:
    """Return the accuracy of one parser in percent; all words count, also punctuation."""
    rows, records = [], []
    for test in tests:
        for text, found in test.results.items():
            cells = []
            record = {"file": test.file, "text": text, "sentences": test.sentences, "words": found.words}
            for name, field in NAMES.items():
                result = getattr(found, field)
                around = result.interval
                known = not math.isnan(result.score)
                half = f" ±{50 * (around.high - around.low):.2f}" if around and known else ""
                cells.append(f"{100 * result.score:.2f}{half}" if known else "-")
                record[name] = result.score if known else None
                record |= {f"{name}_low": around.low, f"{name}_high": around.high} if around else {}
            rows.append([test.file, text, f"{test.sentences:,}", f"{found.words:,}", *cells])
            records.append(record)
    return Table(
        title=title,
        head=["trees", "text", "sentences", "words", *NAMES],
        rows=rows,
        records=records,
        notes=["percent of words, including punctuation, with the words of the trees"],
        left=2,
    )
