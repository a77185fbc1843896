"""Links with probabilities, which awesome-align writes to two files."""

from __future__ import annotations

from collections.abc import Iterator

from wordorder.io.base import Problem
from wordorder.io.lenient import BadLine
from wordorder.io.lines import counted, split_words
from wordorder.io.links import LinkRecord
from wordorder.io.parallel import read_parallel
from wordorder.io.pharaoh import Pharaoh


def read_scored_links(links: str, probabilities: str) -> Iterator[LinkRecord]:
    """Yield the links of each pair (``--output_file``) with their probabilities (``--output_prob_file``).

    The probabilities of a line are in the order of its links, which need not be sorted.
    """
    form = Pharaoh()
    for number, (line, beside) in read_parallel([links, probabilities]):
        words, numbers = split_words(line), split_words(beside)
        if len(words) != len(numbers):
            raise BadLine(
                f"{counted(len(numbers), 'probability', 'probabilities')} for {counted(len(words), 'link')}",
                file=probabilities,
                line=number,
                reason="another number of links",
            )
        try:
            for word in words:
                form.parse(word)  # a fault of the first file
        except Problem as problem:
            raise problem.at(links, number) from None
        try:
            record = form.parse(" ".join(f"{word}:{p}" for word, p in zip(words, numbers, strict=True)))
            if not all(0 <= score <= 1 for score in record.scores.values()):
                raise Problem("a probability is below 0 or above 1", reason="no probability")
            yield record
        except Problem as problem:
            raise problem.at(probabilities, number) from None
