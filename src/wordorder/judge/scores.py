"""Scores of all items of a set of judgments, computed once and kept on disk by content.

A file of the cache is named by what went into it: the texts, the metric's signature, and the code of the
package. Another text, setting or version is another name, so nothing is ever stale.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import wordorder
from wordorder.arrays import Doubles
from wordorder.errors import BadFile, BadSetting, UnknownName
from wordorder.io.files import open_output
from wordorder.judge.judgments import Judgments
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import MatchedMetric, labels
from wordorder.metrics.segments import Matching, References, Segments
from wordorder.text.segmentation import tokenizer_for

SEGMENTS = 128  # of a block, each with the outputs of all systems
TOKENIZERS = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}  # of languages that are written without blanks
MAGIC = b"wordorder scores 2\n"


@dataclass(frozen=True, eq=False)
class Scored:
    """A metric's scores of all items: for segments, and statistics that add up to scores of systems.

    ``combine`` turns sums of statistics, one a row, into scores. Items without a text have zeros.
    """

    label: str
    signature: str
    segment_signature: str
    higher_is_better: bool
    segment: Doubles
    stats: Doubles
    combine: Callable[[Doubles], Doubles]
    metric: Metric | None = None  # None: the scores were computed elsewhere

    def signature_at(self, level: str) -> str:
        """The signature of scores of segments, or of systems."""
        return self.segment_signature if level == "segment" else self.signature

    @property
    def oriented(self) -> Doubles:
        """Segment scores of which higher is better."""
        return self.segment if self.higher_is_better else -self.segment

    def oriented_with(self, settings: Mapping[str, float]) -> Doubles:
        """The same under other values of settings that do not touch the statistics."""
        if self.metric is None or not set(settings) <= set(self.metric.late):
            raise BadSetting(f"{self.label}: {', '.join(settings)} cannot be changed without scoring again")
        made = replace(self.metric, **settings)
        scores = made.segment_scores(self.stats)
        return scores if self.higher_is_better else -scores


def suited(metric: Metric, judgments: Judgments, matching: Matching) -> Metric:
    """The metric for the target language: its stems, and words where no blanks are written."""
    target = judgments.pair.replace("_", "-").split("-")[1] if "-" in judgments.pair else matching.language
    cut = TOKENIZERS.get(target) if matching.tokenize == "13a" else None
    language = (
        target
        if {"stem", "synonym", "paraphrase"} & set(matching.match.partition("@")[0].split("+"))
        else "en"
    )
    made = metric
    if isinstance(metric, MatchedMetric):
        shared = {key: getattr(matching, key) for key in ("lowercase", "match", "wordnet", "paraphrases")}
        defaults = {field.name: field.default for field in fields(metric)}
        same = {
            key: value
            for key, value in {**shared, "language": language}.items()
            if getattr(metric, key) == defaults[key] and key not in metric.fixed
        }
        made = replace(metric, **same)
        if matching.tokenize != "13a":
            made = made.with_tokenizer(matching.tokenize)
    if getattr(made, "has_language", False) and made.language == "en":  # type: ignore[attr-defined]
        made = replace(made, language=_stemmed(target))  # type: ignore[call-arg]
    references = judgments.references[0] if judgments.references else ()
    return made.with_tokenizer(cut or tokenizer_for(references))


def _stemmed(language: str) -> str:
    """The language where its words can be stemmed, else none."""
    from wordorder.text.stems import stemmer_name

    try:
        stemmer_name(language)
    except UnknownName:
        return "none"
    return language


def score_sets(
    sets: Sequence[Judgments],
    metrics: Sequence[Metric],
    *,
    matching: Matching | None = None,
    folder: str | None = None,
    processes: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[list[Scored]]:
    """Score every item of every set with every metric; what the ``folder`` has already is read from there.

    ``progress`` is told how many segments of how many are done. More than one process is for programs that
    may be started again in each (``if __name__ == "__main__"``).
    """
    made = [[suited(metric, one, matching or Matching()) for metric in metrics] for one in sets]
    places = [
        [_place(folder, content, metric, len(one.references)) for metric in suitable]
        for one, suitable in zip(sets, made, strict=True)
        for content in [content_digest(one) if folder else b""]
    ]
    found = [
        [_load(place, len(one)) if place else None for place in row]
        for one, row in zip(sets, places, strict=True)
    ]
    wanted = [[k for k, arrays in enumerate(row) if arrays is None] for row in found]
    total = sum(len(one.segments) for one, missing in zip(sets, wanted, strict=True) if missing)
    done = 0
    with _mapping(processes if total else 1) as mapped:
        for number, (one, missing) in enumerate(zip(sets, wanted, strict=True)):
            if not missing:
                continue
            for more in _compute(one, [made[number][k] for k in missing], mapped):
                if isinstance(more, int):
                    done += more
                    if progress:
                        progress(done, total)
                    continue
                for k, arrays in zip(missing, more, strict=True):
                    found[number][k] = arrays
                    if place := places[number][k]:
                        _save(place, *arrays)
    return [
        [
            Scored(
                name,
                metric.signature_for(len(one.references)),
                metric.segment_signature_for(len(one.references)),
                metric.higher_is_better,
                *arrays,
                metric.scores,
                metric,
            )
            for name, metric, arrays in zip(labels(suitable), suitable, row, strict=True)
            if arrays is not None
        ]
        for one, suitable, row in zip(sets, made, found, strict=True)
    ]


# References, outputs by system, metrics.
Block = tuple[list[list[str]], list[list[str]], tuple[Metric, ...]]
Arrays = tuple[Doubles, Doubles]  # segment scores and statistics
Mapped = Callable[[Iterable[Block]], Iterable[list[Arrays]]]


def _compute(judgments: Judgments, metrics: Sequence[Metric], mapped: Mapped) -> Iterator[int | list[Arrays]]:
    """Yield how many segments were done, again and again, and in the end the arrays of each metric.

    Blocks are some segments with the outputs of all systems, so that references are prepared once.
    """
    segments, systems = len(judgments.segments), len(judgments.systems)
    item = np.full((segments, systems), -1, dtype=np.int64)
    item[judgments.item_segment, judgments.item_system] = np.arange(len(judgments))

    def blocks() -> Iterator[Block]:
        for start in range(0, segments, SEGMENTS):
            rows = item[start : start + SEGMENTS]
            outputs = [[judgments.outputs[i] or "" if i >= 0 else "" for i in column] for column in rows.T]
            references = [list(stream[start : start + SEGMENTS]) for stream in judgments.references]
            yield references, outputs, tuple(metrics)

    segment = [np.zeros(len(judgments)) for _ in metrics]
    stats: list[Doubles] = []
    for number, results in enumerate(mapped(blocks())):
        rows = item[number * SEGMENTS : (number + 1) * SEGMENTS]
        there = rows.T.ravel() >= 0
        where = rows.T.ravel()[there]
        if not stats:
            stats = [np.zeros((len(judgments), new.shape[1])) for _, new in results]
        for k, (scores, new) in enumerate(results):
            segment[k][where] = scores[there]
            stats[k][where] = new[there]
        yield len(rows)
    for k in range(len(metrics)):
        segment[k][judgments.missing] = 0.0
        stats[k][judgments.missing] = 0.0
    yield list(zip(segment, stats, strict=True))


# Metrics that this process has had, with what they loaded: each block brings fresh copies.
_known: dict[tuple[Metric, ...], tuple[Metric, ...]] = {}


def score_block(block: Block) -> list[tuple[Doubles, Doubles]]:
    """Segment scores and statistics of a block by metric: all segments of the first system, and so on."""
    streams, outputs, metrics = block
    metrics = _known.setdefault(metrics, metrics)
    references = References(streams)
    parts: list[list[tuple[Doubles, Doubles]]] = [[] for _ in metrics]
    for hypotheses in outputs:
        segments = Segments(hypotheses, references)
        for k, metric in enumerate(metrics):
            stats = metric.statistics(segments)
            parts[k].append((metric.segment_scores(stats), stats))
    return [(np.concatenate([a for a, _ in some]), np.concatenate([b for _, b in some])) for some in parts]


@contextmanager
def _mapping(processes: int) -> Iterator[Mapped]:
    """A map over blocks: in processes, for sacrebleu's metrics are Python and threads would wait."""
    if processes <= 1:
        yield lambda blocks: map(score_block, blocks)
        return
    # Spawned ones share nothing with the threads of this process.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            yield lambda blocks: pool.map(score_block, blocks)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def default_folder() -> str:
    """Where scores are kept: ``$XDG_CACHE_HOME/wordorder/scores``."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "wordorder", "scores")


@cache
def code_digest() -> bytes:
    """A digest of the package's own code: other code may give other scores."""
    digest = hashlib.sha256()
    root = Path(wordorder.__file__).parent
    files = [
        path
        for name in ("core", "text", "align", "metrics", "data")
        for path in sorted((root / name).rglob("*.py"))
    ]
    native = Path(wordorder._native.__file__ or "")
    for path in [*files, *sorted((root / "data").rglob("*.json")), native]:
        digest.update(path.name.encode() + path.read_bytes())
    return digest.digest()


def content_digest(judgments: Judgments) -> bytes:
    """A digest of the texts that are scored."""
    digest = hashlib.sha256()
    for stream in judgments.references:
        digest.update("\n".join(stream).encode() + b"\0")
    digest.update(judgments.item_segment.tobytes() + judgments.item_system.tobytes())
    digest.update("\n".join("\1" if text is None else text for text in judgments.outputs).encode())
    return digest.digest()


def _place(folder: str | None, content: bytes, metric: Metric, references: int) -> Path | None:
    if not folder:
        return None
    digest = hashlib.sha256(code_digest() + content)
    digest.update(metric.signature_for(references).encode())
    digest.update(metric.segment_signature_for(references).encode())
    digest.update(repr(metric).encode())  # sacrebleu's signatures do not tell all settings
    return Path(folder) / f"{digest.hexdigest()[:40]}.scores"


def _save(place: Path, segment: Doubles, stats: Doubles) -> None:
    """Plain bytes behind one line that tells the shape; written whole or not at all."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        data = segment.astype("<f8").tobytes() + stats.astype("<f8").tobytes()
        shape = f"{stats.shape[0]} {stats.shape[1]} {hashlib.sha256(data).hexdigest()}\n"
        with open_output(str(place)) as out:
            out.write(MAGIC + shape.encode() + data)
    except (OSError, BadFile):
        return  # a cache that cannot be written costs time, not results


def _load(place: Path, items: int) -> tuple[Doubles, Doubles] | None:
    try:
        data = place.read_bytes()
    except OSError:
        return None
    head, _, rest = data[len(MAGIC) :].partition(b"\n")
    shape = head.split()
    if not data.startswith(MAGIC) or len(shape) != 3 or not all(part.isdigit() for part in shape[:2]):
        return None
    rows, columns = map(int, shape[:2])
    if rows != items or len(rest) != 8 * rows * (columns + 1):
        return None
    if hashlib.sha256(rest).hexdigest().encode() != shape[2]:
        return None  # damaged: compute it again
    values = np.frombuffer(rest, dtype="<f8").astype(np.float64)
    return values[:rows], values[rows:].reshape(rows, columns)
