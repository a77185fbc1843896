"""The order of translations compared with that of their source, without a reference.

Metrics of word order score the order in which a translation takes up the words of its source: how monotone
it is, how much a simultaneous translator would have to guess or wait. A language pair needs some reordering;
translations by people and preorderers say how much (:mod:`wordorder.analyse.needed_order`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from wordorder.align.bilingual import BilingualModel
from wordorder.analyse.buckets import TestSettings
from wordorder.analyse.linked_texts import LinkedTexts, link_texts
from wordorder.analyse.needed_order import (
    NeededOrder,
    OrderStandard,
    compare_needs,
    places_by_links,
    predict,
    standard_of_translation,
)
from wordorder.core.alignment import Alignment
from wordorder.core.displayed import Displayed
from wordorder.engine.compare import Comparison, Result, compare_table
from wordorder.engine.runners import runner
from wordorder.engine.score_texts import CorpusStatistics, SystemCounts, TextBlock, collect
from wordorder.engine.threads import Runner, available_threads
from wordorder.errors import BadSetting, InvalidAlignment, WordOrderError
from wordorder.io.lines import split_words
from wordorder.io.links import LinkRecord
from wordorder.metrics.base import Metric
from wordorder.metrics.given_alignments import GivenAlignments, SourceAlignments
from wordorder.metrics.matched import labels
from wordorder.metrics.monotonicity import Anticipation
from wordorder.metrics.registry import parse_source_metrics
from wordorder.preorder.base import Preorderer
from wordorder.text.tokens import all_text, as_lines

Links = Sequence[Alignment] | Sequence[LinkRecord]
METRICS = "kendall,fuzzy,crossings,chunks,lag,anticipation:k=3"
LAGS = tuple(range(1, 11))  # of the anticipation curve


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceOrder(Displayed):
    """How monotone translations are to their source.

    The comparison has the results of the metrics; ``curves`` has those of ``anticipation`` at each lag of
    ``lags``, by system, if it is among the metrics. ``needed`` compares with what the language pair needs.
    """

    metrics: Mapping[str, Metric]  # by label
    comparison: Comparison
    lags: tuple[int, ...]
    curves: Mapping[str, list[Result]]
    needed: list[NeededOrder]
    statistics: CorpusStatistics  # of the metrics
    texts: LinkedTexts
    settings: TestSettings

    @property
    def systems(self) -> list[SystemCounts]:
        """The names of the translations, and how many words of the source they link."""
        return self.statistics.systems

    def scores(self, metric: str) -> dict[str, Result]:
        """Return the results of one metric, by system."""
        if metric not in self.metrics:
            raise BadSetting(f"{metric!r} was not computed; there are {', '.join(self.metrics)}")
        number = list(self.metrics).index(metric)
        both = zip(self.systems, self.comparison.results, strict=True)
        return {system.name: results[number] for system, results in both}

    def __repr__(self) -> str:
        return f"<SourceOrder of {len(self.systems)} systems by {len(self.metrics)} metrics>"


def source_order(
    sources: Sequence[str],
    translations: Mapping[str, Sequence[str]] | Sequence[str],
    *,
    references: Mapping[str, Sequence[str]] | Sequence[str] = (),
    alignments: Mapping[str, Links] | Links | None = None,
    aligner: BilingualModel | None = None,
    model: Preorderer | None = None,
    metrics: str = METRICS,
    policy: str = "talbot",
    tokenize: str = "auto",
    samples: int = 1000,
    seed: int = 12345,
    paired: str | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    threads: int | None = None,
) -> SourceOrder:
    """Compare the order of translations with that of their source.

    ``translations`` are lines of text by name of the system, or those of one system. ``references`` are
    translations by people; they and a preordering ``model`` show how much reordering is needed. Links are
    ``alignments``, by the same names, between words that are separated by spaces, also as ``read_records``
    returns them; else an aligner computes them, by default one that is trained on these texts.

    >>> sources, translations = ["das ist neu", "es ist neu"], {"a": ["new is that", "it is new"]}
    >>> turned, straight = [(0, 2), (1, 1), (2, 0)], [(0, 0), (1, 1), (2, 2)]
    >>> links = {"a": [Alignment(3, 3, turned), Alignment(3, 3, straight)]}
    >>> found = source_order(sources, translations, alignments=links, samples=0)
    >>> found.scores("kendall")["a"].score, [point.score for point in found.curves["a"]][:3]
    (0.5, [0.16666666666666666, 0.16666666666666666, 0.0])
    """
    people, others = _named(references, "reference"), _named(translations, "translation")
    systems = {name: as_lines(lines, "translations") for name, lines in (people | others).items()}
    lines = as_lines(sources, "sources")
    _check(lines, systems)
    if not others or not lines:
        raise WordOrderError("there are no translations; expected lines of text by name")
    if len(systems) < len(people) + len(others):
        raise WordOrderError("a reference and a translation have the same name")
    names = [*people, *([model.name] if model else []), *others]
    if baseline is not None and baseline not in names:
        raise BadSetting(f"baseline is {baseline!r}; the systems are {', '.join(names)}")
    settings = TestSettings(
        samples=samples,
        seed=seed,
        paired=paired or ("bootstrap" if baseline or all_pairs else None),
        baseline=names.index(baseline) if baseline is not None else 0,
        all_pairs=all_pairs,
    )
    count = threads or available_threads()
    block = TextBlock(list(range(1, len(lines) + 1)), [list(lines)], list(map(list, systems.values())))
    if alignments is None:
        linked = link_texts(block, aligner=aligner, tokenize=tokenize, policy=policy, threads=count)
    elif aligner is not None:
        raise WordOrderError("alignments are given, so the aligner would have no effect")
    else:
        given = _given(lines, systems, _named(alignments, "translation"), policy)
        linked = LinkedTexts(replace(block, given=given))
    with runner(threads=count) as run:
        return compare_with_source(
            linked,
            names,
            parse_source_metrics([metrics], policy),
            settings,
            people=len(people),
            model=model,
            run=run,
        )


def compare_with_source(
    texts: LinkedTexts,
    names: Sequence[str],
    metrics: Sequence[Metric],
    settings: TestSettings,
    *,
    people: int = 0,
    model: Preorderer | None = None,
    run: Runner = map,
) -> SourceOrder:
    """Compare linked translations with their source; the first ``people`` of them are references.

    The order that a model predicts is scored as if it were a further translation, after the references; the
    names include that of the model.
    """
    assert texts.block.given is not None
    policy = texts.block.given[0].policy
    translations = [name for k, name in enumerate(names) if k != people or model is None]
    places = {name: places_by_links(texts.links(k), policy) for k, name in enumerate(translations)}
    standards = [standard_of_translation(name, places[name]) for name in names[:people]]
    if model is not None:
        texts, standard = with_model(texts, people, model, names[people], run)
        standards.append(standard)
    statistics = collect([texts.block], metrics, names, run)
    curve = anticipation_curve(metrics)
    curves: dict[str, list[Result]] = {}
    if curve:
        points = _compared(collect([texts.block], curve, names, run), curve, settings, run)
        curves = dict(zip(names, points.results, strict=True))
    return SourceOrder(
        metrics=dict(zip(labels(metrics), metrics, strict=True)),
        comparison=_compared(statistics, metrics, settings, run),
        lags=LAGS if curve else (),
        curves=curves,
        needed=[
            compare_needs(standard, others, samples=settings.samples, seed=settings.seed, run=run)
            for standard in standards
            if (others := {name: own for name, own in places.items() if name != standard.name})
        ],
        statistics=statistics,
        texts=texts,
        settings=settings,
    )


def with_model(
    texts: LinkedTexts, place: int, model: Preorderer, name: str, run: Runner
) -> tuple[LinkedTexts, OrderStandard]:
    """Add the orders that a model predicts as a translation; also return what the model expects."""
    standard, orders = predict(name, model, texts.sources, run)
    note = f"{name}: the order that the model expects ({model.signature})"
    return replace(texts.with_orders(orders, place), notes=(*texts.notes, note)), standard


def _compared(
    scored: CorpusStatistics, metrics: Sequence[Metric], settings: TestSettings, run: Runner
) -> Comparison:
    scorers = [metric.scores for metric in metrics]
    return compare_table(
        scored.rows, scored.widths, scorers,
        samples=settings.samples, seed=settings.seed, paired=settings.paired, baseline=settings.baseline,
        all_pairs=settings.all_pairs, run=run,
    )  # fmt: skip


def anticipation_curve(metrics: Sequence[Metric]) -> list[Anticipation]:
    """Return the first metric of anticipation at all lags; nothing if there is none."""
    first = next((metric for metric in metrics if isinstance(metric, Anticipation)), None)
    return [replace(first, k=k) for k in LAGS] if first else []


def _named(texts: Any, what: str) -> dict[str, Any]:
    """Return texts by name; a single list has the name of what it holds."""
    if isinstance(texts, Mapping):
        return {str(name): lines for name, lines in texts.items()}
    return {what: texts} if len(texts) else {}


def _check(sources: Sequence[str], systems: Mapping[str, Sequence[str]]) -> None:
    if not all_text(sources):
        raise WordOrderError("a source is not text")
    for name, lines in systems.items():
        if len(lines) != len(sources):
            raise WordOrderError(f"{len(sources)} sources, but {len(lines)} lines of {name!r}")
        if not all_text(lines):
            raise WordOrderError(f"a line of {name!r} is not text")


def _given(
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    alignments: Mapping[str, Links],
    policy: str,
) -> list[GivenAlignments]:
    """Return the alignments of each system, which are of as many words as its texts have."""
    for name in (*systems, *alignments):
        if name not in alignments or name not in systems:
            where = "alignments" if name not in alignments else "translation"
            raise WordOrderError(f"there is no {where} of {name!r}; both have the same names")
    found: list[GivenAlignments] = []
    for name, lines in systems.items():
        links = _fitted(alignments[name], name, sources, lines)
        one = SourceAlignments(hypotheses=links, policy=policy)
        one.check_texts(lines, [sources])
        found.append(one)
    return found


def _fitted(
    links: Sequence[Any], name: str, sources: Sequence[str], lines: Sequence[str]
) -> Sequence[Alignment]:
    """Return alignments; records of a file of links, which have no sizes, get those of their texts."""
    if not isinstance(links, (list, tuple)) or not any(isinstance(one, LinkRecord) for one in links):
        return links
    if len(links) != len(lines):
        raise WordOrderError(f"{len(lines)} lines of {name!r}, but {len(links)} alignments of them")
    fitted = []
    for number, (one, source, line) in enumerate(zip(links, sources, lines, strict=True), start=1):
        if isinstance(one, LinkRecord):
            sizes = len(split_words(source)), len(split_words(line))
            try:
                one = Alignment(*sizes, one.sure, possible=one.possible)
            except InvalidAlignment as error:
                raise InvalidAlignment(f"segment {number} of {name!r}: {error}") from None
        fitted.append(one)
    return fitted
