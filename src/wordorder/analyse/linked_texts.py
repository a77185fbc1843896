"""Sources with their translations, linked: by alignments that are given, or by an aligner."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from wordorder.align.bilingual import FEW, BilingualModel, train_aligner
from wordorder.core.alignment import Alignments
from wordorder.core.permutation import Permutation
from wordorder.engine.score_texts import TextBlock
from wordorder.errors import WordOrderError
from wordorder.io.lines import counted, split_words
from wordorder.metrics.given_alignments import GivenAlignments, SourceAlignments
from wordorder.text.segmentation import looks_unsegmented, tokenizer_for
from wordorder.text.tokens import spaced

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class LinkedTexts:
    """Source sentences and their translations by several systems, with links, and how these were made.

    Words are separated by single spaces where texts were tokenised, else as the texts have them.
    """

    block: TextBlock  # the only stream of references is that of the sources
    notes: tuple[str, ...] = ()

    @property
    def sources(self) -> list[str]:
        """The source sentences."""
        return self.block.references[0]

    def links(self, system: int) -> Alignments:
        """Return the links of the sources with the translations of one system."""
        assert self.block.given is not None
        return Alignments.from_alignments(self.block.given[system].hypotheses)

    def with_orders(self, orders: Sequence[Permutation], place: int) -> LinkedTexts:
        """Add the sources in other orders, as a translation word by word; ``place`` is its number."""
        assert self.block.given is not None
        words = [order.apply(split_words(line)) for line, order in zip(self.sources, orders, strict=True)]
        links = [[(word, at) for at, word in enumerate(order.order.tolist())] for order in orders]
        sizes = [len(order) for order in orders]
        one = SourceAlignments(
            hypotheses=Alignments.from_links(links, sizes, sizes), policy=self.block.given[0].policy
        )
        systems, given = list(self.block.systems), list(self.block.given)
        systems.insert(place, list(map(" ".join, words)))
        given.insert(place, one)
        return replace(self, block=replace(self.block, systems=systems, given=given))


def link_texts(
    block: TextBlock,
    *,
    aligner: BilingualModel | None = None,
    tokenize: str = "auto",
    policy: str = "talbot",
    threads: int = 1,
    progress: Progress | None = None,
) -> LinkedTexts:
    """Tokenise and align sources, which are the references of the block, with all translations.

    Without an aligner, one is trained on all pairs of sources and translations together.
    """
    first = block.systems[0] if block.systems else []
    names = [chosen_tokenizer(lines, tokenize) for lines in (block.references[0], first)]
    sources = spaced(block.references[0], names[0])
    systems = [spaced(lines, names[1]) for lines in block.systems]
    left, right = sources * len(systems), [line for lines in systems for line in lines]
    notes = [_words_note(names)]
    if aligner is None:
        aligner = train_aligner(left, right, threads=threads, progress=progress)
        pairs = sum(bool(a and b) for a, b in zip(left, right, strict=True))
        notes.append(f"links by an aligner trained on {_pairs(pairs)}: {aligner.settings.signature}")
        if pairs < FEW:
            notes.append(f"an aligner trained on {_pairs(pairs)} is unreliable; give more text, or links")
    else:
        notes.append(
            f"links by a saved aligner, trained on {_pairs(aligner.pairs)}: {aligner.settings.signature}"
        )
    links = aligner.align(left, right, threads=threads)
    size = len(sources)
    given = [
        SourceAlignments(hypotheses=links[start : start + size], policy=policy)
        for start in range(0, size * len(systems), size)
    ]
    return LinkedTexts(TextBlock(block.numbers, [sources], systems, list(given)), tuple(notes))


def chosen_tokenizer(lines: Sequence[str], tokenize: str) -> str:
    """Return a tokenizer; ``auto`` chooses it by the script of the text, as for metrics."""
    if tokenize == "auto":
        return tokenizer_for(lines) or "13a"
    if tokenize == "none" and looks_unsegmented(lines):
        raise WordOrderError(
            f"{lines[0][:40]!r}: this text seems to have no spaces between words, which tokenize=none needs;"
            " use tokenize=auto"
        )
    return tokenize


def joined_blocks(blocks: Sequence[TextBlock]) -> TextBlock:
    """Put blocks of segments together, whose orders are compared with the source."""
    if len(blocks) == 1:
        return blocks[0]
    references, systems = (
        [list(chain.from_iterable(stream)) for stream in zip(*side, strict=True)]
        for side in ([block.references for block in blocks], [block.systems for block in blocks])
    )
    given: list[GivenAlignments] | None = None
    parts = [block.given for block in blocks if block.given]
    if parts:
        given = [
            SourceAlignments(
                hypotheses=list(chain.from_iterable(part.hypotheses for part in column)),
                policy=column[0].policy,
            )
            for column in zip(*parts, strict=True)
        ]
    return TextBlock([number for block in blocks for number in block.numbers], references, systems, given)


def _words_note(names: Sequence[str]) -> str:
    source, target = names
    if source == target:
        return f"words by tokenize={source}"
    return f"words of the source by tokenize={source}, of the translations by tokenize={target}"


def _pairs(count: int) -> str:
    return counted(count, "pair of sentences", "pairs of sentences")
