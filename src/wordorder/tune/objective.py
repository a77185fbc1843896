"""What a tuner maximises: the score of the chosen candidates by a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.engine.threads import Runner
from wordorder.metrics.base import Metric
from wordorder.metrics.segments import References, Segments, TextPairs
from wordorder.text.pairs import Pairs
from wordorder.tune.candidate_lists import CandidateLists

BLOCK = 2000  # candidates that are scored at a time


@dataclass(frozen=True, eq=False)
class Objective:
    """The statistics of all candidates by a metric; higher values are better, whatever the metric."""

    metric: Metric
    starts: Longs
    rows: Doubles  # one per candidate

    def take(self, order: Longs) -> Objective:
        """Return the objective with the candidates in another order, in which sentences stay together."""
        return replace(self, rows=self.rows[order])

    def values(self, sums: Doubles) -> Doubles:
        """Return the values of corpora with these summed statistics."""
        scores = self.metric.scores(sums)
        return scores if self.metric.higher_is_better else -scores

    def value(self, choice: Longs) -> float:
        """Return the value of the corpus that consists of the chosen candidates, one per sentence."""
        return float(self.values(self.rows[choice].sum(axis=0, keepdims=True))[0])

    def score(self, choice: Longs) -> float:
        """Return the score of the chosen candidates by the metric."""
        return float(self.metric.scores(self.rows[choice].sum(axis=0, keepdims=True))[0])

    def segment_values(self) -> Doubles:
        """Return the value of each candidate alone."""
        scores = self.metric.segment_scores(self.rows)
        return scores if self.metric.higher_is_better else -scores

    def gains(self, choice: Longs) -> Doubles:
        """Return what each candidate would change if it replaced the choice in its sentence.

        The change of the value of the corpus is multiplied by the number of sentences. For a mean over
        sentences it is the difference of two sentence scores; for others, such as BLEU, it is what the
        sentence contributes in the context of all others.
        """
        rows, sentence, place = self._distinct
        chosen = self.rows[choice]
        total = chosen.sum(axis=0)
        value = self.values(total[None, :])[0]
        others = self.values((total - chosen)[sentence] + rows)
        return np.asarray(len(chosen) * (others - value)[place])

    @cached_property
    def sentence(self) -> Longs:
        """The sentence of each candidate."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @cached_property
    def _distinct(self) -> tuple[Doubles, Longs, Longs]:
        """The distinct rows of statistics of each sentence, their sentences, and the row of each candidate.

        Many candidates of a sentence have the same statistics, which saves most of the time for gains.
        """
        keys = np.column_stack([self.sentence, self.rows])
        bytes_of = keys.view(np.dtype((np.void, keys.itemsize * keys.shape[1]))).ravel()
        _, first, place = np.unique(bytes_of, return_index=True, return_inverse=True)
        return self.rows[first], self.sentence[first], place

    def scaled_gains(self, choice: Longs, spread: float) -> Doubles:
        """Return the gains with this standard deviation within sentences, so that units do not matter."""
        gains = self.gains(choice)
        sizes = np.diff(self.starts)
        means = np.add.reduceat(gains, self.starts[:-1]) / sizes
        deviation = float(np.sqrt(((gains - np.repeat(means, sizes)) ** 2).mean()))
        return gains * (spread / deviation) if deviation > 0 else gains


def objective(
    metric: Metric, lists: CandidateLists, references: Sequence[Sequence[str]], run: Runner = map
) -> Objective:
    """Compute the statistics of all candidates; equal texts of a sentence are scored once."""
    whole = References(references)
    resolved = metric.for_segments(Segments(list(references[0]), whole))
    sentence = np.zeros(len(lists.texts), dtype=np.int64)
    sentence[lists.text] = lists.sentence

    def statistics(first: int) -> Doubles:
        texts = lists.texts[first : first + BLOCK]
        segments = _block(texts, sentence[first : first + BLOCK], references)
        segments.references.tokenizer = whole.tokenizer  # that of all references, found once
        return resolved.statistics(segments)

    rows = np.concatenate(list(run(statistics, range(0, len(lists.texts), BLOCK))))
    return Objective(resolved, lists.starts, rows.astype(np.float64)[lists.text])


def _block(texts: list[str], sentence: Longs, references: Sequence[Sequence[str]]) -> Segments:
    """Pair texts with the references of their sentences; a single reference is split into words once."""
    if len(references) > 1:
        return Segments(texts, [[stream[s] for s in sentence.tolist()] for stream in references])
    numbers, second = np.unique(sentence, return_inverse=True)
    needed = [references[0][s] for s in numbers.tolist()]
    return TextPairs(Pairs([*texts, *needed], np.arange(len(texts)), second + len(texts)))
