"""Read and check what requests hold: permutations, links, metrics, numbers of words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from wordorder.core.alignment import Alignment
from wordorder.core.permutation import Permutation
from wordorder.core.plugins import split_spec
from wordorder.errors import BadSetting, WordOrderError
from wordorder.io.base import Problem
from wordorder.io.lines import split_words
from wordorder.io.links import LinkRecord
from wordorder.io.pharaoh import Pharaoh
from wordorder.metrics.base import Metric
from wordorder.metrics.matched import labels
from wordorder.metrics.registry import (
    REGISTRY,
    parse_metrics,
    parse_ordering_metrics,
)
from wordorder.web import limits
from wordorder.web.schemas import (
    LinksRequest,
    PermutationLike,
)

Answer = dict[str, Any]  # plain data for JSON


@lru_cache(maxsize=64)
def parsed(specs: tuple[str, ...], *, permutations: bool = False) -> dict[str, Metric]:
    """Make metrics by their names, but none whose settings name a file of this machine."""
    for spec in specs:
        name, settings = split_spec(spec)
        for key in set(settings) & set(REGISTRY.get(name).places):
            raise BadSetting(f"{spec!r}: {key} names a file, which requests may not")
    metrics = parse_ordering_metrics(specs) if permutations else parse_metrics(specs)
    return dict(zip(labels(metrics), metrics, strict=True))


def permutation(numbers: PermutationLike, *, order: bool) -> Permutation:
    """Read a permutation from text or numbers, whose base is read off them."""
    if isinstance(numbers, str):
        read = Permutation.parse(numbers, base=None) if numbers.strip() else Permutation.identity(0)
        check_size(len(read))
    else:
        base = 0 if 0 in numbers else 1
        read = Permutation([number - base for number in numbers])
    return read.inverse() if order else read


def alignment(request: LinksRequest) -> Alignment:
    """Read the links of two sentences."""
    sizes = [len(split_words(side)) for side in (request.source, request.target)]
    for size in sizes:
        check_size(size)
    if request.text is None:
        pairs = [[(i, j) for i, j in side or ()] for side in (request.sure, request.possible)]
        record = LinkRecord(pairs[0], possible=pairs[1])
    else:
        record = _parsed_links(request.text, request.base)
    try:
        return Pharaoh(base=request.base).fit(record, *sizes)
    except Problem as problem:
        raise WordOrderError(str(problem), suggest=problem.suggest) from None


def _parsed_links(text: str, base: int) -> LinkRecord:
    try:
        return Pharaoh(base=base).parse(" ".join(text.split()))  # type: ignore[arg-type]
    except Problem as problem:
        raise WordOrderError(str(problem), suggest=problem.suggest) from None


def check_words(texts: Sequence[str]) -> None:
    """Refuse sentences of too many words."""
    for text in texts:
        check_size(len(split_words(text)))


def check_size(words: int) -> None:
    """Refuse a sentence of too many words."""
    if words > limits.WORDS:
        raise BadSetting(
            f"a sentence has {words} words; this page takes {limits.WORDS}. Use the command line."
        )
