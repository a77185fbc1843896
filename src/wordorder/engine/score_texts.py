"""Score translations of many systems with many metrics, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.core.resample import Rows, whole
from wordorder.engine.threads import Runner
from wordorder.metrics.base import Metric, counted_score, tally
from wordorder.metrics.segments import References, Segments
from wordorder.text.segmentation import looks_unsegmented, tokenizer_for

if TYPE_CHECKING:
    from wordorder.metrics.given_alignments import GivenAlignments


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Some segments of all files: reference streams, and one stream per system."""

    numbers: list[int]  # of the segments in their files, from 1; skipped ones are missing
    references: list[list[str]]
    systems: list[list[str]]
    given: list[GivenAlignments] | None = None  # alignments of each system, where the user has them


@dataclass(frozen=True, slots=True)
class ScoredBlock:
    """Statistics and word counts of a block, by system and metric."""

    numbers: list[int]
    rows: list[list[Doubles]]
    words: list[list[Longs]]  # see Metric.word_counts
    empty: list[int]  # hypotheses without a word, by system

    def matched(self, system: int) -> Doubles:
        """Return the share of words matched in each segment, by the first metric that matches words."""
        counts = next((words for words in self.words[system] if words[:, 2].any()), None)
        if counts is None:
            return np.full(len(self.numbers), np.nan)
        return np.where(counts[:, 2] > 0, counts[:, 1] / np.maximum(counts[:, 2], 1), np.nan)

    def shares(self, system: int) -> list[float | None]:
        """Return the same as plain numbers, with None for segments without words to match."""
        return [None if np.isnan(share) else share for share in self.matched(system).tolist()]


@dataclass(frozen=True, slots=True)
class SystemCounts:
    """What is counted for a system: segments and words, by metric, and hypotheses without a word."""

    name: str
    tallies: list[Longs]  # see metrics.base.tally
    empty: int

    @property
    def matched(self) -> float | None:
        """The share of words matched, by the first metric that matches words; None if none does."""
        shares = (self.matched_by(number) for number in range(len(self.tallies)))
        return next((share for share in shares if share is not None), None)

    def matched_by(self, number: int) -> float | None:
        """Return the share of words that one metric matched."""
        return counted_score(0.0, "", self.tallies[number]).matched

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self.tallies[0][0])


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """Everything that is kept of a corpus: a row of statistics of each segment, and counts.

    A row holds the statistics of all systems and metrics side by side, in ``widths[system][metric]``
    columns. There may be several pieces of rows.
    """

    systems: list[SystemCounts]
    widths: list[list[int]]
    rows: Sequence[Doubles] | Sequence[Rows]

    def rows_of(self, system: int) -> list[Doubles]:
        """Return the statistics of one system, by metric."""
        flat = [width for widths in self.widths for width in widths]
        parts = np.split(whole(self.rows), np.cumsum(flat)[:-1], axis=1)
        first = sum(map(len, self.widths[:system]))
        return parts[first : first + len(self.widths[system])]


# Metrics that this process has seen, with what they loaded: blocks bring fresh copies to processes.
_KNOWN: dict[tuple[Metric, ...], tuple[Metric, ...]] = {}


def score_block(block: TextBlock, metrics: tuple[Metric, ...]) -> ScoredBlock:
    """Compute the statistics of a block; references are prepared once for all systems."""
    metrics = _KNOWN.setdefault(metrics, metrics)
    references = References(block.references)
    rows, words, empty = [], [], []
    for k, hypotheses in enumerate(block.systems):
        segments = Segments(hypotheses, references, given=block.given[k] if block.given else None)
        rows.append([metric.statistics(segments) for metric in metrics])
        words.append([metric.word_counts(segments) for metric in metrics])
        empty.append(hypotheses.count("") + sum(map(str.isspace, hypotheses)))
    return ScoredBlock(block.numbers, rows, words, empty)


def score_blocks(
    blocks: Iterable[TextBlock], metrics: Sequence[Metric], run: Runner = map
) -> Iterator[ScoredBlock]:
    """Compute the statistics of all segments, block by block, in order.

    The score of each segment is ``metric.segment_scores(rows)``.
    """
    return run(partial(score_block, metrics=tuple(metrics)), blocks)


def collect(
    blocks: Iterable[TextBlock], metrics: Sequence[Metric], names: Sequence[str], run: Runner = map
) -> CorpusStatistics:
    """Collect the statistics of all segments: a few numbers each, so that a million fit in memory."""
    pieces: list[Doubles] = []
    widths: list[list[int]] = []
    tallies = np.zeros((len(names), len(metrics), 6), dtype=np.int64)
    empty = np.zeros(len(names), dtype=np.int64)
    for scored in score_blocks(blocks, metrics, run):
        tallies += np.array([[tally(words) for words in system] for system in scored.words])
        empty += scored.empty
        pieces.append(np.hstack([rows for system in scored.rows for rows in system]))
        widths = widths or [[rows.shape[1] for rows in system] for system in scored.rows]
    counts = zip(names, tallies, empty.tolist(), strict=True)
    systems = [SystemCounts(name, list(by_metric), without) for name, by_metric, without in counts]
    return CorpusStatistics(systems, widths, pieces)


def resolve_tokenizers(
    metrics: Sequence[Metric], references: Sequence[Sequence[str]]
) -> tuple[list[Metric], list[str]]:
    """Replace ``tokenize=auto`` for the script of the references; return notes on what was found.

    >>> from wordorder.metrics.registry import metric
    >>> metrics, notes = resolve_tokenizers([metric("kendall"), metric("bleu")], [["我爱北京天安门"]])
    >>> [m.tokenize for m in metrics], notes
    (['zh', 'zh'], ['the text has no spaces between words: it is split by tokenize=zh'])
    """
    tokenizer = tokenizer_for(references[0])
    resolved = [metric.with_tokenizer(tokenizer) for metric in metrics]
    notes = []
    if looks_unsegmented(references[0]):
        changed = [after for before, after in zip(metrics, resolved, strict=True) if before is not after]
        if used := " and ".join(dict.fromkeys(metric.settings["tokenize"] for metric in changed)):
            notes.append(f"the text has no spaces between words: it is split by tokenize={used}")
        whole = [m.name for m in resolved if getattr(m, "tokenize", "") in ("none", "13a", "intl")]
        if whole:
            needing = ", ".join(whole)
            notes.append(
                f"the text has no spaces between words, but {needing} would need them; use tokenize=auto"
            )
    return resolved, notes
