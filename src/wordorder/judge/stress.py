"""What metrics can be fooled by: manipulated references against real outputs, and manipulated outputs.

A *forgery* is made of a reference (or copies the source) and stands in for a translation; it succeeds where
it scores at least as high as the real output of a system. A *change* is made to a real output; the question
is how far its score moves. Outputs are drawn at random from all systems and segments, the same ones for all
metrics.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wordorder.arrays import Bools, Doubles, Longs
from wordorder.core.displayed import Displayed
from wordorder.core.resample import bootstrap_sums, interval
from wordorder.engine.score_texts import TextBlock, score_blocks
from wordorder.engine.threads import Runner
from wordorder.errors import BadSetting
from wordorder.judge.judgments import Judgments
from wordorder.judge.manipulations import CHANGES, FORGERIES, Change, Surroundings, changed
from wordorder.judge.target_language import suited_metrics
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import labels
from wordorder.text.scripts import cut

ITEMS = 500
SAME = 1e-9  # scores that differ by less are equal
BLOCK = 64  # items that are scored at a time, with all manipulations
OTHERS = 200  # outputs from which words are drawn to lengthen a text
_KINDS: dict[str, dict[str, Change]] = {"forgery": FORGERIES, "change": CHANGES}
_MANIPULATIONS = [(kind, name, change) for kind, named in _KINDS.items() for name, change in named.items()]


@dataclass(frozen=True, slots=True)
class StressOutcome:
    """What a manipulation does to the scores of a metric.

    ``share`` is the share of items where the manipulated text scores at least as high as the real output,
    ``change`` the mean difference of the two in standard deviations of the scores of real outputs. Both are
    None where the manipulation applies to no item, and ``change`` where all outputs have the same score.
    """

    metric: str
    kind: str  # forgery or change
    manipulation: str
    items: int
    share: float | None = None
    low: float | None = None
    high: float | None = None
    change: float | None = None
    change_low: float | None = None
    change_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stress(Displayed):
    """The outcomes of all metrics and manipulations."""

    outcomes: list[StressOutcome]
    labels: list[str]
    signatures: list[list[str]]  # by metric and set
    sets: list[str]
    items: int
    segments: int
    samples: int
    seed: int
    notes: list[str]

    def outcome(self, metric: str, kind: str, manipulation: str) -> StressOutcome:
        """Return one of the outcomes."""
        keys = (metric, kind, manipulation)
        return next(o for o in self.outcomes if (o.metric, o.kind, o.manipulation) == keys)

    def __repr__(self) -> str:
        return f"<Stress test of {', '.join(self.labels)} on {self.items} outputs>"


def set_of_texts(
    references: Sequence[Sequence[str]],
    outputs: Mapping[str, Sequence[str]],
    *,
    sources: Sequence[str] | None = None,
    language: str = "en",
) -> Judgments:
    """Return texts without judgments: streams of references, and the outputs of systems by name."""
    segments = len(references[0])
    places = np.indices((segments, len(outputs))).reshape(2, -1)
    return Judgments(
        collection=", ".join(outputs),
        pair=f"-{language}",
        testset="",
        segments=[str(k + 1) for k in range(segments)],
        sources=sources,
        references=references,
        systems=list(outputs),
        item_segment=places[0],
        item_system=places[1],
        outputs=[text for row in zip(*outputs.values(), strict=True) for text in row],
    )


def stress(
    sets: Sequence[Judgments],
    metrics: Sequence[Metric],
    *,
    items: int = ITEMS,
    samples: int = 1000,
    seed: int = 12345,
    run: Runner = map,
) -> Stress:
    """Manipulate references and outputs of some sets, and score them; ``items`` of each set, 0 for all."""
    named = labels(metrics)
    suited = suited_metrics(metrics, sets)
    tests = [_SetTest(judgments, items, seed) for judgments in sets]
    scored = [
        test.outcomes([metric for metric, _ in row], run)
        for test, row in zip(tests, suited, strict=True)
        if len(test.items)
    ]
    if not scored:
        raise BadSetting("there are no outputs of systems to compare with")
    table = np.concatenate(scored)
    drawn = bootstrap_sums(table.reshape(len(table), -1), samples=samples, seed=seed)
    drawn = drawn.reshape(-1, *table.shape[1:])
    totals = table.sum(axis=0)
    outcomes = [
        StressOutcome(label, kind, name, int(totals[1, m, k]), *_mean(totals[:2, m, k], drawn[:, :2, m, k]),
                *_mean(totals[2:, m, k], drawn[:, 2:, m, k]))
        for m, label in enumerate(named)
        for k, (kind, name, _) in enumerate(_MANIPULATIONS)
    ]  # fmt: skip
    return Stress(
        outcomes=outcomes,
        labels=named,
        signatures=[
            [
                row[m][0].signature_for(len(s.references), segment=True)
                for row, s in zip(suited, sets, strict=True)
            ]
            for m in range(len(metrics))
        ],
        sets=[judgments.name if judgments.source else judgments.collection for judgments in sets],
        items=sum(len(test.items) for test in tests),
        segments=len(table),
        samples=samples,
        seed=seed,
        notes=list(dict.fromkeys(note for row in suited for _, note in row if note)),
    )


def _mean(sums: Doubles, drawn: Doubles) -> tuple[float | None, float | None, float | None]:
    """Divide a sum by its count, with an interval from the sums of samples; None without a count."""
    drawn = drawn[drawn[:, 1] > 0]
    if not sums[1]:
        return None, None, None
    around = interval(drawn[:, 0] / drawn[:, 1]) if len(drawn) > 1 else None
    return float(sums[0] / sums[1]), around.low if around else None, around.high if around else None


class _SetTest:
    """The items that are drawn from one set, and their manipulated texts."""

    def __init__(self, judgments: Judgments, items: int, seed: int) -> None:
        if not judgments.references:
            raise BadSetting(f"{judgments.name} has no references")
        self.judgments, self.seed = judgments, seed
        usable = np.flatnonzero(judgments.usable)
        rng = np.random.default_rng([seed, zlib.crc32(judgments.name.encode())])
        size = min(items or len(usable), len(usable))
        self.items: Longs = np.sort(rng.choice(usable, size=size, replace=False))
        others: Longs = rng.choice(usable, size=min(OTHERS, len(usable)), replace=False)
        self.words = [word for k in others.tolist() for word in cut(judgments.outputs[k] or "")]

    @cached_property
    def texts(self) -> tuple[list[list[str]], Bools]:
        """The real outputs and all manipulations, one list each, and where manipulations apply."""
        judgments = self.judgments
        columns: list[list[str]] = [[] for _ in range(1 + len(_MANIPULATIONS))]
        applies = np.zeros((len(_MANIPULATIONS), len(self.items)), dtype=np.bool_)
        for place, item in enumerate(self.items.tolist()):
            real, segment = judgments.outputs[item] or "", int(judgments.item_segment[item])
            source = judgments.sources[segment] if judgments.sources else None
            around = Surroundings(judgments.target, source, self.words)
            origins = {"forgery": judgments.references[0][segment], "change": real}
            columns[0].append(real)
            for k, (kind, _, change) in enumerate(_MANIPULATIONS):
                text = changed(origins[kind], change, around, seed=self.seed)
                applies[k, place] = text is not None and (kind == "forgery" or text != real)
                columns[1 + k].append(text or "")
        return columns, applies

    def outcomes(self, metrics: Sequence[Metric], run: Runner) -> Doubles:
        """Add up by segment: successes and their count, differences and their count.

        The result has the axes segments, these four, metrics, manipulations.
        """
        columns, applies = self.texts
        scores = self._scores(columns, metrics, run)  # metrics x texts x items
        real, others = scores[:, :1], scores[:, 1:]
        spread = real.std(axis=2, keepdims=True)
        moved = applies & (spread > SAME)
        hits = (others >= real - SAME) & applies
        moves = np.where(moved, (others - real) / np.where(spread > SAME, spread, 1.0), 0.0)
        segments, place = np.unique(self.judgments.item_segment[self.items], return_inverse=True)
        found = np.stack([hits, np.broadcast_to(applies, hits.shape), moves, moved]).transpose(3, 0, 1, 2)
        sums = np.zeros((len(segments), *found.shape[1:]))
        np.add.at(sums, place, found)
        return sums

    def _scores(self, columns: list[list[str]], metrics: Sequence[Metric], run: Runner) -> Doubles:
        """Score all texts; higher is better."""
        parts = [
            [[metric.segment_scores(rows) for rows, metric in zip(by_metric, metrics, strict=True)]
             for by_metric in block.rows]
            for block in score_blocks(self._blocks(columns), metrics, run)
        ]  # fmt: skip
        scores = np.concatenate([np.array(part) for part in parts], axis=2).transpose(1, 0, 2)
        signs = np.array([1.0 if metric.higher_is_better else -1.0 for metric in metrics])
        return np.asarray(signs[:, None, None] * scores)

    def _blocks(self, columns: list[list[str]]) -> Iterator[TextBlock]:
        segments = self.judgments.item_segment[self.items].tolist()
        for start in range(0, len(segments), BLOCK):
            part = slice(start, start + BLOCK)
            references = [[stream[s] for s in segments[part]] for stream in self.judgments.references]
            numbers = [s + 1 for s in segments[part]]
            yield TextBlock(numbers, references, [column[part] for column in columns])
