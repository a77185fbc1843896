"""Word alignments of the sources of judgments with their references and outputs.

Birch and Osborne (2010) see both the reference and the translation as permutations of the source, and compare
these. The links come from an aligner that is trained on all sources with their references and outputs, or
from a table::

    lp testset segment system source_words target_words links

``system`` is the name of a system, or ``reference``, ``reference2`` ... as in ``segments.tsv``. The numbers
of words say how the texts were split; links are written ``0-0 1-2``, source-target.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from wordorder.align.bilingual import train_aligner
from wordorder.core.alignment import Alignment, Alignments
from wordorder.engine.threads import available_threads
from wordorder.errors import BadFile, BadSetting
from wordorder.io.base import Problem
from wordorder.io.pharaoh import Pharaoh
from wordorder.judge.judgments import Judgments, SourceLinks
from wordorder.judge.target_language import usual_tokenizer
from wordorder.judge.tsv import rows, whole
from wordorder.text.tokens import spaced

COLUMNS = ("lp", "testset", "segment", "system", "source_words", "target_words", "links")
Align = Callable[[list[str], list[str]], Alignments]  # aligns lines whose words are separated by spaces


def train_and_align(source: list[str], target: list[str]) -> Alignments:
    """Train an aligner on some texts, and align them."""
    threads = available_threads()
    return train_aligner(source, target, threads=threads).align(source, target, threads=threads)


def align_sets(
    sets: Sequence[Judgments], align: Align = train_and_align, *, tokenize: str = "auto"
) -> list[Judgments]:
    """Align the sources of judgments; ``align`` is called once per language pair, with all its texts.

    A source is aligned with all its references and outputs. ``auto`` is the tokenizer that metrics use:
    13a, or one for languages that are written without spaces.
    """
    by_pair: dict[str, list[int]] = defaultdict(list)
    for number, judgments in enumerate(sets):
        if not judgments.sources or not any(judgments.sources):
            raise BadSetting(f"{judgments.name} has no sources to align")
        for system in judgments.systems:
            if re.fullmatch("reference[0-9]*", system):
                raise BadSetting(f"{judgments.name}: the system {system!r} has the name of a reference")
        by_pair[judgments.pair].append(number)
    linked = list(sets)
    for numbers in by_pair.values():
        texts = [_texts(sets[number]) for number in numbers]
        first = sets[numbers[0]]
        sides = [
            _split([text for pairs in texts for text in pairs[side]], language, tokenize)
            for side, language in enumerate((first.source, first.target))
        ]
        links, start = align(*sides), 0
        for number, (sources, _) in zip(numbers, texts, strict=True):
            own = links[start : start + len(sources)]
            linked[number] = replace(sets[number], links=_sorted(sets[number], own))
            start += len(sources)
    return linked


def _reference_name(number: int) -> str:
    return f"reference{number + 1 if number else ''}"


def _texts(judgments: Judgments) -> tuple[list[str], list[str]]:
    """Return pairs of texts: the source with each stream of references, then with each item."""
    sources = list(judgments.sources or ())
    streams = len(judgments.references)
    left = sources * streams + [sources[segment] for segment in judgments.item_segment.tolist()]
    right = [text for stream in judgments.references for text in stream]
    return left, right + [text or "" for text in judgments.outputs]


def _sorted(judgments: Judgments, links: Alignments) -> SourceLinks:
    segments = len(judgments.segments)
    *starts, end = (segments * stream for stream in range(len(judgments.references) + 1))
    return SourceLinks([links[start : start + segments] for start in starts], links[end:])


def _split(lines: list[str], language: str, tokenize: str) -> list[str]:
    """Separate words by spaces."""
    if tokenize == "auto":
        tokenize = usual_tokenizer(language, lines) or "13a"
    return spaced(lines, tokenize)


def links_table(sets: Sequence[Judgments]) -> Iterator[str]:
    """Yield the lines of a table of links."""
    yield "\t".join(COLUMNS)
    for judgments in sets:
        if judgments.links is None:
            raise BadSetting(f"{judgments.name} has no word alignments")
        for number, batch in enumerate(judgments.links.references):
            name = _reference_name(number)
            yield from _lines(judgments, batch, [(segment, name) for segment in judgments.segments])
        places = zip(judgments.item_segment.tolist(), judgments.item_system.tolist(), strict=True)
        items = [(judgments.segments[segment], judgments.systems[system]) for segment, system in places]
        yield from _lines(judgments, judgments.links.items, items)


def _lines(judgments: Judgments, batch: Alignments, keys: Sequence[tuple[str, str]]) -> Iterator[str]:
    links = Pharaoh().to_text(batch).split("\n")[:-1]
    sizes = zip(batch.source_sizes.tolist(), batch.target_sizes.tolist(), strict=True)
    for (segment, system), (source, target), text in zip(keys, sizes, links, strict=True):
        yield f"{judgments.pair}\t{judgments.testset}\t{segment}\t{system}\t{source}\t{target}\t{text}"


def with_links(sets: Sequence[Judgments], path: str) -> list[Judgments]:
    """Return the sets with the links of a table; each text of a set must have some row."""
    wanted = {(judgments.pair, judgments.testset) for judgments in sets}
    read: dict[tuple[str, str], dict[tuple[str, str], Alignment]] = {key: {} for key in wanted}
    form = Pharaoh()
    for row, line in rows(path, COLUMNS):
        key = row["lp"], row["testset"]
        if key not in wanted:
            continue
        sizes = (whole(row[name], name, path, line) for name in ("source_words", "target_words"))
        try:
            alignment = form.fit(form.parse(row["links"]), *sizes)
        except Problem as problem:
            raise problem.at(path, line) from None
        place = row["segment"], row["system"]
        if read[key].setdefault(place, alignment) != alignment:
            message = f"other links of {row['system']}, segment {row['segment']}, stand above"
            raise BadFile(message, file=path, line=line)
    return [
        replace(judgments, links=_links_of(judgments, read[judgments.pair, judgments.testset], path))
        for judgments in sets
    ]


def _links_of(judgments: Judgments, read: Mapping[tuple[str, str], Alignment], path: str) -> SourceLinks:
    def found(segment: int, system: str) -> Alignment:
        place = judgments.segments[segment], system
        if place not in read:
            message = f"has no links of {judgments.pair} {judgments.testset}, segment {place[0]}, {system}"
            raise BadFile(message, file=path)
        return read[place]

    segments = range(len(judgments.segments))
    streams = [
        Alignments.from_alignments([found(segment, _reference_name(number)) for segment in segments])
        for number in range(len(judgments.references))
    ]
    items = []
    places = zip(judgments.item_segment.tolist(), judgments.item_system.tolist(), strict=True)
    for (segment, system), text in zip(places, judgments.outputs, strict=True):
        empty = Alignment(int(streams[0].source_sizes[segment]), 0)
        items.append(empty if text is None else found(segment, judgments.systems[system]))
    return SourceLinks(streams, Alignments.from_alignments(items))
