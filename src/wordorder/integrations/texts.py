"""Hypotheses and references as other libraries hold them, and their scores by the names of metrics."""

from __future__ import annotations

from collections.abc import Sequence

from wordorder.errors import BadSetting
from wordorder.io.lines import counted
from wordorder.metrics.base import Metric, Score
from wordorder.metrics.matched import labels
from wordorder.metrics.registry import parse_metrics

Metrics = str | Metric | Sequence[str | Metric]


def labelled_metrics(metrics: Metrics) -> dict[str, Metric]:
    """Return metrics by short names; they are given as comma lists of specs, as metrics, or as both.

    >>> list(labelled_metrics("kendall,full:alpha=0.3"))
    ['kendall', 'full:alpha=0.3']
    """
    given = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    chosen: list[Metric] = []
    for one in given:
        chosen += [one] if isinstance(one, Metric) else parse_metrics([one])
    if not chosen:
        raise BadSetting("no metrics; expected names such as 'kendall,recpef'")
    return dict(zip(labels(chosen), chosen, strict=True))


def single_spaced(text: str) -> str:
    r"""Return a text with single spaces; models may write line breaks, which would end a segment.

    >>> single_spaced(" a\nb ")
    'a b'
    """
    return " ".join(text.split())


def reference_streams(references: Sequence[str | Sequence[str]]) -> list[list[str]]:
    """Return streams of references from one text, or one list of texts, for each hypothesis.

    >>> reference_streams(["a", "b"])
    [['a', 'b']]
    >>> reference_streams([["a", "A"], ["b", "B"]])
    [['a', 'b'], ['A', 'B']]
    """
    if all(isinstance(one, str) for one in references):
        return [list(references)]  # type: ignore[arg-type]
    for row, one in enumerate(references):
        if not hasattr(one, "__len__"):
            raise BadSetting(
                f"row {row} (from 0): the reference is {one!r}; expected text or a list of texts"
            )
    lists = [[one] if isinstance(one, str) else list(one) for one in references]
    sizes = {len(one) for one in lists}
    if sizes == {0} or len(sizes) > 1:
        at = next(k for k, one in enumerate(lists) if len(one) != len(lists[0]) or not one)
        raise BadSetting(
            f"row {at} (from 0) has {counted(len(lists[at]), 'reference')}, row 0 has {len(lists[0])};"
            " expected the same number, at least one, for each hypothesis"
        )
    return [list(stream) for stream in zip(*lists, strict=True)]


def score_texts(
    metrics: Metrics, hypotheses: Sequence[str], references: Sequence[str | Sequence[str]]
) -> dict[str, Score]:
    """Score hypotheses, each against its text or list of texts, by all metrics.

    >>> round(score_texts("kendall", ["b a c"], [["a b c", "x y z"]])["kendall"].score, 4)
    0.6667
    """
    streams = reference_streams(references)
    return {
        label: metric.corpus_score(list(hypotheses), streams)
        for label, metric in labelled_metrics(metrics).items()
    }


def as_numbers(scores: dict[str, Score]) -> dict[str, float]:
    """Return the values of scores by name, and as ``matched`` the share of matched words if there is one."""
    numbers = {label: score.score for label, score in scores.items()}
    shares = [score.matched for score in scores.values() if score.matched is not None]
    return {**numbers, **({"matched": shares[0]} if shares else {})}
