"""Scores of the translations in a data frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from wordorder.engine.runners import runner
from wordorder.engine.score_texts import TextBlock, collect, resolve_tokenizers, score_blocks
from wordorder.engine.text_blocks import SEGMENTS
from wordorder.engine.threads import Runner, available_threads
from wordorder.errors import BadSetting, WordOrderError
from wordorder.integrations.frames import LIBRARIES, column, extended, frame_of, library_of
from wordorder.integrations.texts import Metrics, labelled_metrics, reference_streams
from wordorder.metrics.base import Metric
from wordorder.report.system_table import compared_systems, matches_words, scores_table

SYSTEM = "system"


def score(
    frame: Any,
    metrics: Metrics,
    *,
    hypothesis: str | list[str] = "hypothesis",
    reference: str | list[str] = "reference",
    system: str | None = SYSTEM,
    level: Literal["corpus", "sentence"] = "corpus",
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
    baseline: str | None = None,
    threads: int | None = None,
) -> Any:
    """Score the translations in a data frame; the result is a frame of the same library.

    ``hypothesis`` and ``reference`` name columns of text. There may be several columns of references, or a
    column of lists. Systems are told apart by the column ``system`` (if the frame has none, there is one
    system), or each has a column of its own in ``hypothesis``. With a column ``system``, the rows of all
    systems must be in the same order.

    ``level="corpus"`` returns one row per system and metric, with the columns of ``wordorder score``: the
    score, its 95 % interval (``samples`` > 1), the difference from ``baseline`` (by default the first system)
    with its p-value if ``paired`` names a test, the share of matched words, and the signature.
    ``level="sentence"`` returns the given frame with one more column per metric, and the share of matched
    words in the column ``matched`` if a metric matches words.

    >>> frame = {"hypothesis": ["b a c", "d e"], "reference": ["a b c", "d e"]}
    >>> score(frame, "kendall", level="sentence")["kendall"]
    [0.6666666666666666, 1.0]
    >>> scores = score(frame, "kendall,ulam", samples=0)
    >>> scores["metric"], scores["score"]
    (['kendall', 'ulam'], [0.8333333333333333, 0.75])
    """
    chosen = labelled_metrics(metrics)
    if level not in ("corpus", "sentence"):
        raise BadSetting(f"level is {level!r}; expected 'corpus' or 'sentence'")
    if level == "sentence" and (paired or baseline):
        raise BadSetting("single sentences are not tested; paired and baseline are for level='corpus'")
    texts = _read(frame, hypothesis, reference)
    with runner(threads=threads or available_threads()) as run:
        if level == "sentence":
            return extended(frame, _sentence_columns(texts, chosen, run))
        texts = _by_system(texts, frame, system)
        chosen = texts.resolved(chosen)
        table = compared_systems(
            collect(texts.blocks(), list(chosen.values()), list(texts.systems), run),
            chosen,
            len(texts.references),
            samples=samples,
            seed=seed,
            paired=paired,
            baseline=_baseline(list(texts.systems), baseline, paired),
            run=run,
        )
    return frame_of(scores_table(table, "tsv").records, library_of(frame))


def _baseline(names: list[str], baseline: str | None, paired: str | None) -> int:
    """Return the number of the system that the others are compared with."""
    if baseline is not None and baseline not in names:
        raise BadSetting(f"baseline is {baseline!r}; the systems are {', '.join(names)}")
    if paired and len(names) < 2:
        raise BadSetting("a test needs two systems")
    return names.index(baseline) if baseline is not None else 0


@dataclass(frozen=True, slots=True)
class _Texts:
    """Reference streams and the hypotheses of systems by name."""

    references: list[list[str]]
    systems: dict[str, list[str]]

    def blocks(self) -> Iterator[TextBlock]:
        """Yield blocks of segments, as they are read from files."""
        size = len(self.references[0])
        for start in range(0, size, SEGMENTS):
            end = min(start + SEGMENTS, size)
            references = [stream[start:end] for stream in self.references]
            systems = [texts[start:end] for texts in self.systems.values()]
            yield TextBlock(list(range(start + 1, end + 1)), references, systems)

    def resolved(self, metrics: dict[str, Metric]) -> dict[str, Metric]:
        """Return the metrics with the tokenizer of the references."""
        first = [stream[:SEGMENTS] for stream in self.references]
        return dict(zip(metrics, resolve_tokenizers(list(metrics.values()), first)[0], strict=True))

    def taken(self, rows: Sequence[int]) -> _Texts:
        """Return some of the segments."""
        references = [[stream[row] for row in rows] for stream in self.references]
        return _Texts(references, {name: [own[row] for row in rows] for name, own in self.systems.items()})


def _read(frame: Any, hypothesis: str | list[str], reference: str | list[str]) -> _Texts:
    """Read the columns of hypotheses and references."""
    hypotheses = list(hypothesis) if isinstance(hypothesis, list | tuple) else [hypothesis]
    references = list(reference) if isinstance(reference, list | tuple) else [reference]
    if not hypotheses or not references:
        raise BadSetting("name at least one column of hypotheses and one of references")
    streams: list[list[str]] = []
    for name in references:
        values = column(frame, name)
        several = any(hasattr(value, "__len__") and not isinstance(value, str) for value in values)
        streams += [_texts(stream, name) for stream in (reference_streams(values) if several else [values])]
    systems = {name: _texts(column(frame, name), name) for name in hypotheses}
    if not streams[0]:
        raise WordOrderError("the frame has no rows; there is nothing to score")
    return _Texts(streams, systems)


def _texts(values: Sequence[Any], name: str) -> list[str]:
    """Check that values are text on one line each."""
    for row, value in enumerate(values):
        if not isinstance(value, str):
            raise WordOrderError(f"row {row} (from 0): {name!r} is {value!r}; expected text")
        if "\n" in value:
            raise WordOrderError(f"row {row} (from 0): {name!r} holds a line break; replace it by a space")
    return list(values)


def _by_system(texts: _Texts, frame: Any, system: str | None) -> _Texts:
    """Separate the rows of the systems that a column names; all must have the same references."""
    absent = system == SYSTEM and SYSTEM not in LIBRARIES[library_of(frame)].names(frame)
    if system is None or absent:
        return texts
    if len(texts.systems) > 1:
        raise BadSetting(f"systems are told apart by the column {system!r} or by columns; set system=None")
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(column(frame, system)):
        if not isinstance(name, str | int):
            raise WordOrderError(f"row {row} (from 0): {system!r} is {name!r}; expected the name of a system")
        rows.setdefault(str(name), []).append(row)
    parts = {name: texts.taken(own) for name, own in rows.items()}
    first, shared = next(iter(parts.items()))
    for name, part in parts.items():
        _check_same_segments(part.references, shared.references, name, first)
    hypotheses = {name: next(iter(part.systems.values())) for name, part in parts.items()}
    return _Texts(shared.references, hypotheses)


def _check_same_segments(mine: list[list[str]], theirs: list[list[str]], name: str, first: str) -> None:
    """Raise an error unless two systems have the same references in the same order."""
    if len(mine[0]) != len(theirs[0]):
        raise WordOrderError(
            f"system {name!r} has {len(mine[0])} rows, {first!r} has {len(theirs[0])}; all systems must"
            " translate the same segments"
        )
    pairs = zip(zip(*mine, strict=True), zip(*theirs, strict=True), strict=True)
    for number, (own, other) in enumerate(pairs, start=1):
        if own != other:
            raise WordOrderError(
                f"segment {number} of system {name!r} has another reference than that of {first!r}:"
                f" {own[0][:40]!r}, {other[0][:40]!r}. Sort the rows of each system in the same way."
            )


def _sentence_columns(texts: _Texts, metrics: dict[str, Metric], run: Runner) -> dict[str, list[Any]]:
    """Return the scores of segments by the names of their columns."""
    metrics = texts.resolved(metrics)
    several, matching = len(texts.systems) > 1, matches_words(metrics.values())
    labels = [*metrics, "matched"] if matching else [*metrics]
    keys = [[f"{system} {label}" if several else label for label in labels] for system in texts.systems]
    columns: dict[str, list[Any]] = {key: [] for own in keys for key in own}
    for block in score_blocks(texts.blocks(), list(metrics.values()), run):
        for k, own in enumerate(keys):
            for key, m, rows in zip(own[: len(metrics)], metrics.values(), block.rows[k], strict=True):
                columns[key] += m.segment_scores(rows).tolist()
            if matching:
                columns[own[-1]] += block.shares(k)
    return columns
