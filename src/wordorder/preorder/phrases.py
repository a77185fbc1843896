"""Phrases of aligned sentences as training sentences of their own.

Real text has headings, captions and fragments; training text has mostly sentences. A phrase is a subtree of
the dependency tree whose words are adjacent in the source and whose links are separate from those of all
other words: no word outside it has a link between its first and its last target word. (These are the
consistent phrases of phrase-based translation, Koehn et al. 2003, restricted to syntactic constituents.)
"""

from __future__ import annotations

from collections.abc import Iterator

from wordorder.core.alignment import Alignment
from wordorder.preorder.long_sentences import section
from wordorder.preorder.parses import with_parses
from wordorder.preorder.source import Source
from wordorder.preorder.training import AlignedText


def linked_phrases(source: Source, alignment: Alignment, longest: int) -> Iterator[tuple[Source, Alignment]]:
    """Yield the phrases of 2 to ``longest`` words with two linked words or more, with their links.

    The sentence must have a tree; the sentence itself is not one of its phrases.

    >>> from wordorder.io.sentence import Row, Sentence
    >>> words, heads = ("the", "history", "of", "Kyoto", "ends"), (2, 5, 4, 2, 0)
    >>> tree = Sentence([Row(str(i + 1), w, head=str(heads[i])) for i, w in enumerate(words)])
    >>> links = Alignment(5, 4, [(3, 0), (2, 1), (1, 2), (4, 3)])
    >>> for phrase, own in linked_phrases(Source(words, parse=tree), links, 5):
    ...     print(" ".join(phrase.words), own)
    the history of Kyoto 1-2 2-1 3-0
    of Kyoto 0-1 1-0
    """
    for begin, end in subtree_spans(source.parse.heads if source.parse else []):
        if not 2 <= end - begin <= min(longest, len(source) - 1):
            continue
        inside = [(i - begin, j) for i, j in alignment.links if begin <= i < end]
        if len({i for i, _ in inside}) < 2:
            continue
        first, last = min(j for _, j in inside), max(j for _, j in inside)
        if any(first <= j <= last for i, j in alignment.links if not begin <= i < end):
            continue
        links = [(i, j - first) for i, j in inside]
        yield section(source, begin, end), Alignment(end - begin, last - first + 1, links)


def with_phrases(text: AlignedText, longest: int) -> AlignedText:
    """Return the sentences and, behind them, their phrases of up to ``longest`` words; 0: none.

    Sentences without a tree are parsed.
    """
    sources, alignments = list(text[0]), list(text[1])
    if longest:
        for source, alignment in zip(with_parses(text[0]), text[1], strict=True):
            for phrase, links in linked_phrases(source, alignment, longest):
                sources.append(phrase)
                alignments.append(links)
    return sources, alignments


def subtree_spans(heads: list[int]) -> list[tuple[int, int]]:
    """Return begin and end of each subtree whose words are adjacent, by the position of its head.

    >>> subtree_spans([2, 0, 4, 2]), subtree_spans([3, 4, 0, 3])
    ([(0, 1), (0, 4), (2, 3), (2, 4)], [(0, 1), (1, 2), (0, 4)])
    """
    low, high, size = list(range(len(heads))), [i + 1 for i in range(len(heads))], [1] * len(heads)
    for word in range(len(heads)):
        above, steps = heads[word] - 1, 0
        while above >= 0 and steps < len(heads):  # a tree of a file may have a cycle
            low[above], high[above] = min(low[above], word), max(high[above], word + 1)
            size[above] += 1
            above, steps = heads[above] - 1, steps + 1
    return [(low[i], high[i]) for i in range(len(heads)) if size[i] == high[i] - low[i]]
