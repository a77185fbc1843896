"""Automatic links for training, made by the package's own aligner from all parallel text of a language."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from experiments.parallel import Corpus, read_lines, target_language
from wordorder.align.bilingual import train_aligner
from wordorder.preorder import Source


def own_links(
    folder: Path,
    names: Iterable[str],
    *,
    into_english: bool = False,
    limit: int | None = None,
    threads: int = 1,
) -> dict[str, Corpus]:
    """Align sets named set/pair/split, those of a language together; returns a corpus for each name.

    Sentences are lower-cased. The source side is English, or the other language with ``into_english``.
    """
    by_language: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        by_language[target_language(name)].append(name)
    corpora = {}
    for language, sets in by_language.items():
        sides: tuple[list[str], list[str]] = ([], [])
        sizes = []
        for name in sets:
            texts = [read_lines(folder, name, ending, limit) for ending in ("en", language)]
            for side, lines in zip(sides, texts[::-1] if into_english else texts, strict=True):
                side.extend(line.lower() for line in lines)
            sizes.append(len(texts[0]))
        links = train_aligner(*sides, threads=threads).align(*sides, threads=threads)
        start = 0
        for name, size in zip(sets, sizes, strict=True):
            lines = sides[0][start : start + size]
            sources = [Source(tuple(line.split())) for line in lines]
            corpora[name] = Corpus(sources, [links[s] for s in range(start, start + size)])
            start += size
    return corpora
