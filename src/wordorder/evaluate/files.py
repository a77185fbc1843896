"""What is evaluated, from files: links of people, orders of systems, and models that are run."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.engine.threads import ordered_map
from wordorder.errors import BadFile, BadSetting
from wordorder.evaluate.preordering import IDENTITY
from wordorder.io.aligned import alignment_format, fitted
from wordorder.io.lines import counted
from wordorder.io.order import Order
from wordorder.io.parallel import Source as FileSource
from wordorder.io.parallel import batches, read_parallel
from wordorder.preorder.corpus import NumberedSource, read_sources, target_size
from wordorder.preorder.models import load_preorderer
from wordorder.preorder.source import Source


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """Alignments, the orders of each system by name, and the source words where they are known."""

    alignments: list[Alignment]
    systems: dict[str, list[Permutation]]
    words: list[tuple[str, ...]] | None


def read_evaluation(
    gold: str,
    orders: Sequence[str],
    *,
    source: str | None = None,
    parse: str | None = None,
    models: Sequence[str] = (),
    form: str = "pharaoh",
    threads: int = 1,
) -> EvaluationData:
    """Read everything and check that it goes together; errors name file and line.

    Files of links do not say how long a sentence is: the source does, else the orders.
    """
    if not source and not parse and not orders:
        raise BadSetting("nothing tells how long the sentences are: give orders, or the source")
    names = system_names([*orders, *models])
    beside = [(path, Order(empty=True)) for path in orders]
    rows: Iterator[NumberedSource]
    if source or parse:
        rows = read_sources(source, parse=parse, align=gold, form=form, beside=beside)
    else:
        rows = _without_words(gold, form, beside)
    whose = source or parse or orders[0]
    sources: list[Source] = []
    found: list[list[Permutation]] = [[] for _ in orders]
    for row in rows:
        assert row.source.alignment is not None
        size = row.source.alignment.source_size
        sources.append(row.source)
        for path, mine, order in zip(orders, found, row.beside, strict=True):
            if len(order) != size:
                what = f"the order has {counted(len(order), 'word')}; the sentence has {size} in {whose}"
                raise BadFile(what, file=path, line=row.number)
            mine.append(order)
    if not sources:
        raise BadFile("is empty; expected links, a sentence a line", file=gold)
    systems = dict(zip(names, found, strict=False))
    for name, model in zip(names[len(orders) :], models, strict=True):
        systems[name] = run_model(model, sources, threads=threads)
    words = [one.words for one in sources] if source or parse else None
    return EvaluationData([one.alignment for one in sources if one.alignment], systems, words)


def _without_words(gold: str, form: str, beside: Sequence[FileSource]) -> Iterator[NumberedSource]:
    """Sentences of which only the length is known, from the first file of orders."""
    made = alignment_format(form)
    for number, (record, *orders) in read_parallel([(gold, made), *beside]):
        size = len(orders[0])
        alignment = fitted(record, size, target_size(record), path=gold, form=made, number=number)
        yield NumberedSource(number, Source((), alignment=alignment), tuple(orders))


def run_model(name: str, sources: Sequence[Source], *, threads: int = 1) -> list[Permutation]:
    """The orders that a model gives, on all cores."""
    made = load_preorderer(name)
    if "parse" in made.needs and any(one.parse is None for one in sources):
        raise BadSetting(f"{made.name} needs the dependency trees of the sentences: --parse FILE")
    parts = ordered_map(made.reorder_batch, batches(sources, 64), threads=threads)
    return [order for part in parts for order in part]


def system_names(paths: Sequence[str]) -> list[str]:
    """Short names of files and models, all different: the last part of the path, or all of it.

    >>> system_names(["runs/a.order", "runs/b.order", "c/b.order"])
    ['a.order', 'runs/b.order', 'c/b.order']
    """
    short = [os.path.basename(path.rstrip("/")) or path for path in paths]
    names = [
        one if short.count(one) == 1 and one != IDENTITY else path
        for one, path in zip(short, paths, strict=True)
    ]
    for name in names:
        if names.count(name) > 1:
            raise BadSetting(f"{name} is given twice")
        if name == IDENTITY:
            raise BadSetting("identity is the baseline, and always there")
    return names
