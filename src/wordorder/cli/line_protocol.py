"""A metric that answers the requests of :mod:`wordorder.cli.line_requests`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import BinaryIO

import numpy as np

from wordorder.arrays import Doubles
from wordorder.cli.line_requests import Request, as_java, is_exit, read_request
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting, WordOrderError
from wordorder.metrics.base import Metric
from wordorder.metrics.beer import Beer
from wordorder.metrics.beer.beer20_model import Beer20
from wordorder.metrics.segments import Segments
from wordorder.text.segmentation import looks_unsegmented, tokenizer_for

CHUNK = 1 << 16
BLOCK = 64  # requests that one thread answers together: a full pipe holds a few hundred
MOSES_WIDTH = 23  # the number of statistics that Moses stores for METEOR
MOSES_LARGEST = 2**31 - 1


def serve(server: Server, requests: BinaryIO, out: BinaryIO, run: Runner = map) -> None:
    """Answer until ``EXIT`` or the end of the input.

    Lines that have arrived by the time one is answered are answered together, which is much faster, but
    the server does not wait for them: a client that reads each answer before it asks again gets it at once.
    """
    parts: list[bytes] = []
    done = False
    while not done:
        chunk = requests.read1(CHUNK)  # type: ignore[attr-defined]  # only what is available
        parts.append(chunk)
        if chunk and b"\n" not in chunk:
            continue
        *lines, rest = b"".join(parts).split(b"\n")
        parts = [rest]
        if not chunk and rest:
            lines.append(rest)
        end = next((at for at, line in enumerate(lines) if is_exit(line)), len(lines))
        done = not chunk or end < len(lines)
        blocks = [lines[at : min(at + BLOCK, end)] for at in range(0, end, BLOCK)]
        # A single block is answered here: starting threads takes longer than a request.
        for replies in (run if len(blocks) > 1 else map)(server.answers, blocks):
            out.write("".join(f"{answer}\n" for answer in replies).encode("utf-8", "backslashreplace"))
        out.flush()


@dataclass(frozen=True)
class Server:
    """A metric that answers requests.

    With ``integers``, statistics are laid out for Moses, which stores METEOR's 23 integers: the words of the
    hypothesis and of the references, the statistics times ``integers``, rounded, and zeros.
    """

    metric: Metric
    integers: int = 0

    def __post_init__(self) -> None:
        """Score an empty text, so that a metric that cannot be served is refused before the first request."""
        width, room = self.width, MOSES_WIDTH - 2
        if self.integers and width > room:
            raise BadSetting(f"{self.metric.name} has {width} statistics; Moses has room for {room}")

    @cached_property
    def width(self) -> int:
        """The number of statistics."""
        return len(self._rows([("", ("",))])[0])

    def answers(self, lines: Sequence[bytes]) -> list[str]:
        """Answer each line, all together; a request that cannot be answered gets an error in its own line."""
        replies = [""] * len(lines)
        kinds: dict[Callable[[Sequence[Request]], list[str]], list[int]] = defaultdict(list)
        requests: dict[int, Request] = {}
        for at, line in enumerate(lines):
            try:
                requests[at] = read_request(line)
                kinds[self._answering(requests[at])].append(at)
            except WordOrderError as error:
                replies[at] = _error(error)
        for answering, mine in kinds.items():
            together = _together(answering, [requests[at] for at in mine])
            for at, answer in zip(mine, together, strict=True):
                replies[at] = answer
        return replies

    def _answering(self, request: Request) -> Callable[[Sequence[Request]], list[str]]:
        """Return what answers requests of this kind."""
        if request.command == "SCORE":
            return self._statistics
        if request.command in ("MARGIN", "FACTORS"):
            if not isinstance(self.metric, Beer):
                raise WordOrderError(f"{request.command} is only for beer; the metric is {self.metric.name}")
            return self._margins if request.command == "MARGIN" else self._features
        return self._scores if request.references else self._corpus_scores

    def _statistics(self, requests: Sequence[Request]) -> list[str]:
        rows = self._rows([(request.hypothesis, request.references) for request in requests])
        if not self.integers:
            return [" ".join(map(as_java, row)) for row in rows.tolist()]
        scaled = np.rint(rows * self.integers)
        if np.abs(scaled).max(initial=0.0) > MOSES_LARGEST:
            raise WordOrderError(f"a statistic is too large to be multiplied by {self.integers}")
        padding = [0] * (MOSES_WIDTH - 2 - self.width)
        return [
            " ".join(map(str, (*_lengths(request), *map(int, row), *padding)))
            for request, row in zip(requests, scaled.tolist(), strict=True)
        ]

    def _corpus_scores(self, requests: Sequence[Request]) -> list[str]:
        expected = MOSES_WIDTH if self.integers else self.width
        for request in requests:
            if len(request.sums) != expected:
                raise WordOrderError(f"expected {expected} statistics, found {len(request.sums)}")
        sums = np.array([request.sums for request in requests])
        if self.integers:
            sums = sums[:, 2 : 2 + self.width] / self.integers
        with np.errstate(over="ignore"):  # tuners may send any sums
            qualities = self._qualities(self.metric.scores(sums))
        if not np.isfinite(qualities).all():
            raise WordOrderError("the statistics are no sums of those of segments: their score is not finite")
        return [as_java(score) for score in qualities]

    def _scores(self, requests: Sequence[Request]) -> list[str]:
        rows = self._rows(_pairs(requests))
        return _by_reference(requests, self._qualities(self.metric.segment_scores(rows)))

    def _margins(self, requests: Sequence[Request]) -> list[str]:
        assert isinstance(self.metric, Beer)
        return _by_reference(requests, self.metric.trained.margins(*_two_sides(requests)).tolist())

    def _features(self, requests: Sequence[Request]) -> list[str]:
        """Return the features as the model names them, before any scaling."""
        assert isinstance(self.metric, Beer)
        model, sides = self.metric.trained, _two_sides(requests)
        if isinstance(model, Beer20):
            names, rows = model.features.names, model.features.matrix(*sides)
        else:
            names, rows = model.names, model.raw(*sides)
        each = (
            " ".join(f"{name}={as_java(value)}" for name, value in zip(names, row, strict=True))
            for row in rows.tolist()
        )
        return [" ||| ".join(next(each) for _ in request.references) for request in requests]

    def _rows(self, pairs: Sequence[tuple[str, Sequence[str]]]) -> Doubles:
        """Return a row of statistics for each hypothesis with its references."""
        groups: dict[int, list[int]] = defaultdict(list)  # by the number of references
        for at, (_, references) in enumerate(pairs):
            groups[len(references)].append(at)
            if self._auto and looks_unsegmented(references):
                suited = self.metric.with_tokenizer(tokenizer_for(references))
                raise WordOrderError(
                    "a reference has no spaces between words, and a single line is too little to choose how"
                    " to split it: set tokenize=none if other lines have spaces between words, else"
                    f" tokenize={suited.settings['tokenize']}"
                )
        parts = []
        for mine in groups.values():
            streams = list(zip(*(pairs[at][1] for at in mine), strict=True))
            segments = Segments([pairs[at][0] for at in mine], streams)
            parts.append(self.metric.with_tokenizer(None).statistics(segments))
        order = np.argsort(np.concatenate([np.array(mine) for mine in groups.values()]))
        return np.asarray(np.concatenate(parts)[order], dtype=np.float64)

    @property
    def _auto(self) -> bool:
        return getattr(self.metric, "tokenize", "") == "auto"

    def _qualities(self, scores: Doubles) -> list[float]:
        """Turn scores into what tuners maximise: percentages into shares, errors into 1 - error."""
        shares = scores / 100 if self.metric.percent else scores
        qualities: list[float] = (shares if self.metric.higher_is_better else 1 - shares).tolist()
        return qualities


def _together(answering: Callable[[Sequence[Request]], list[str]], requests: Sequence[Request]) -> list[str]:
    """Answer requests of one kind; a bad one does not affect the others."""
    try:
        return answering(requests)
    except Exception as error:  # one request must not end the service
        if len(requests) == 1:
            return [_error(error)]
    return [_together(answering, [request])[0] for request in requests]


def _pairs(requests: Sequence[Request]) -> list[tuple[str, tuple[str, ...]]]:
    """Return each hypothesis with each of its references alone."""
    return [(request.hypothesis, (reference,)) for request in requests for reference in request.references]


def _two_sides(requests: Sequence[Request]) -> tuple[list[str], list[str]]:
    pairs = _pairs(requests)
    return [hypothesis for hypothesis, _ in pairs], [reference for _, (reference,) in pairs]


def _by_reference(requests: Sequence[Request], numbers: Sequence[float]) -> list[str]:
    """Write the numbers of each request's references, or only the greatest."""
    each = iter(numbers)
    replies = []
    for request in requests:
        mine = [next(each) for _ in request.references]
        replies.append(" ||| ".join(map(as_java, [max(mine)] if request.command == "EVAL BEST" else mine)))
    return replies


def _lengths(request: Request) -> tuple[int, int]:
    """Count the words of the hypothesis and, on average, of the references."""
    words = [len(reference.split()) for reference in request.references]
    return len(request.hypothesis.split()), round(sum(words) / len(words))


def _error(error: BaseException) -> str:
    return "ERROR ||| " + (" ".join(str(error).split()) or type(error).__name__)
