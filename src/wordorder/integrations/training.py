"""Scores during the training of translation models.

Frameworks that score with sacrebleu's objects take a metric as it is (:mod:`wordorder.metrics.base`). For the
others there are a function for the Trainer of Hugging Face and a score that grows batch by batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from wordorder.arrays import Doubles, Longs
from wordorder.errors import BadSetting, WordOrderError
from wordorder.integrations.texts import (
    Metrics,
    as_numbers,
    labelled_metrics,
    reference_streams,
    score_texts,
    single_spaced,
)
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric, Score, tally
from wordorder.metrics.registry import metric as make_metric
from wordorder.metrics.segments import Segments


def compute_metrics(metrics: Metrics, tokenizer: Any) -> Callable[[Any], dict[str, float]]:
    """Return the function ``compute_metrics`` of a Seq2SeqTrainer of Hugging Face transformers.

    It decodes predictions and labels with ``tokenizer`` and returns the score by each metric, and the share
    of matched words as ``matched``. The trainer must generate (``predict_with_generate=True``). White space
    in decoded text, line breaks included, counts as one space.
    """
    chosen = list(labelled_metrics(metrics).values())  # an unknown name is reported before the training
    if tokenizer.pad_token_id is None:
        raise BadSetting("the tokenizer has no padding token; set tokenizer.pad_token before the training")

    def decoded(ids: Any) -> list[str]:
        padded = np.where(np.asarray(ids) < 0, tokenizer.pad_token_id, ids)  # -100 stands for no token
        return [single_spaced(text) for text in tokenizer.batch_decode(padded, skip_special_tokens=True)]

    def compute(evaluation: Any) -> dict[str, float]:
        predictions = evaluation.predictions
        if isinstance(predictions, tuple):  # some models return more than the tokens
            predictions = predictions[0]
        if np.ndim(predictions) != 2:
            raise WordOrderError(
                f"the predictions have {np.ndim(predictions)} dimensions; expected tokens, one row per"
                " sentence. Set predict_with_generate=True in Seq2SeqTrainingArguments."
            )
        return as_numbers(score_texts(chosen, decoded(predictions), decoded(evaluation.label_ids)))

    return compute


class RunningScore:
    """A score of text that comes batch by batch, as validation loops produce it.

    Metrics are functions of sums of statistics, so only the sums are kept, and scores of processes can be
    merged. The result is that of ``corpus_score`` on all batches together. ``tokenize=auto`` is decided by
    the first batch.

    >>> running = RunningScore("kendall")
    >>> running.update(["b a c"], ["a b c"])
    >>> running.update(["d e"], ["d e"])
    >>> round(running.compute().score, 4)
    0.8333
    """

    def __init__(self, metric: str | Metric) -> None:
        self.metric = metric if isinstance(metric, Metric) else make_metric(metric)
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._resolved: Metric | None = None
        self._sums: Doubles | None = None
        self._counts: Longs = np.zeros(6, dtype=np.int64)
        self._references = 0

    def update(self, hypotheses: Sequence[str], references: Sequence[str | Sequence[str]]) -> None:
        """Add a batch; each hypothesis has one reference, a text, or a list of several."""
        if not len(hypotheses):
            return
        segments = Segments(list(hypotheses), reference_streams(references))
        if self._resolved is None:
            self._resolved, self._references = self.metric.for_segments(segments), len(segments.references)
        if len(segments.references) != self._references:
            raise BadSetting(
                f"this batch has {counted(len(segments.references), 'reference')} for each hypothesis, the"
                f" batches before it have {self._references}"
            )
        self._add(self._resolved.statistics(segments).sum(axis=0))
        self._counts = self._counts + tally(self._resolved.word_counts(segments))

    def merge(self, other: RunningScore) -> None:
        """Add the batches of another score of the same metric, such as that of another process."""
        if other._resolved is None or other._sums is None:
            return
        if self._resolved is None:
            self._resolved, self._references = other._resolved, other._references
        if (self._resolved, self._references) != (other._resolved, other._references):
            raise BadSetting("scores of different metrics or numbers of references cannot be merged")
        self._add(other._sums)
        self._counts = self._counts + other._counts

    def compute(self) -> Score:
        """Return the score of all batches."""
        if self._resolved is None or self._sums is None:
            raise WordOrderError("nothing has been scored yet: update the score with a batch first")
        signature = self._resolved.signature_for(self._references)
        return self._resolved.make_score(self._sums[None, :], self._counts, signature)

    def _add(self, sums: Doubles) -> None:
        self._sums = sums if self._sums is None else self._sums + sums
