"""Score translations of many systems with many metrics, block by block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.engine.threads import Runner
from wordorder.metrics.base import Metric, Score, counted_score, tally
from wordorder.metrics.given_alignments import GivenAlignments
from wordorder.metrics.segments import References, Segments
from wordorder.text.segmentation import looks_unsegmented, tokenizer_for


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


@dataclass(frozen=True, slots=True)
class SystemStatistics:
    """Everything that is kept of a system: statistics of all segments and counts, by metric."""

    name: str
    rows: list[Doubles]
    tallies: list[Longs]  # see metrics.base.tally
    empty: int  # hypotheses without a word

    @property
    def matched(self) -> float | None:
        """The share of words matched, by the first metric that matches words; None if none does."""
        shares = (counted_score(0.0, "", counts).matched for counts in self.tallies)
        return next((share for share in shares if share is not None), None)

    def score(self, metric: Metric, number: int, references: int) -> Score:
        """Return the score of one metric; ``number`` says which one it was."""
        signature = metric.signature_for(references)
        return metric.make_score(self.rows[number], self.tallies[number], signature)


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
) -> list[SystemStatistics]:
    """Collect the statistics of all segments: a few numbers each, so that a million fit in memory."""
    rows: list[list[list[Doubles]]] = [[[] for _ in metrics] for _ in names]
    tallies = np.zeros((len(names), len(metrics), 6), dtype=np.int64)
    empty = np.zeros(len(names), dtype=np.int64)
    for scored in score_blocks(blocks, metrics, run):
        tallies += np.array([[tally(words) for words in system] for system in scored.words])
        empty += scored.empty
        for kept, new in zip(rows, scored.rows, strict=True):
            for parts, more in zip(kept, new, strict=True):
                parts.append(more)
    return [
        SystemStatistics(name, [np.concatenate(parts) for parts in kept], list(counts), int(without))
        for name, kept, counts, without in zip(names, rows, tallies, empty, strict=True)
    ]


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
        if any(before is not after for before, after in zip(metrics, resolved, strict=True)):
            notes.append(f"the text has no spaces between words: it is split by tokenize={tokenizer}")
        whole = [m.name for m in resolved if getattr(m, "tokenize", "") in ("none", "13a", "intl")]
        if whole:
            needing = ", ".join(whole)
            notes.append(
                f"the text has no spaces between words, but {needing} would need them; use tokenize=auto"
            )
    return resolved, notes
