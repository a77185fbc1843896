"""Training examples of the network: sentences with links, and text without."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Longs
from wordorder.core.alignment import Alignments
from wordorder.core.orders import target_spans
from wordorder.errors import BadSetting
from wordorder.neural.words import InputVocabulary
from wordorder.parse.examples import ParserLabels, numbered_tree
from wordorder.preorder.crf.network import TrainedNetwork
from wordorder.preorder.crf.word_inputs import WordTypes
from wordorder.preorder.parses import with_parses
from wordorder.preorder.source import Source
from wordorder.preorder.training import AlignedText, TrainingData
from wordorder.preorder.word_labels import labels_of

if TYPE_CHECKING:
    from wordorder.preorder.crf.neural_crf import NeuralCRF

NGRAM_BUCKETS = 8192


class Example(NamedTuple):
    """A sentence: types of its words and boundaries, signs of its word pairs, target language."""

    types: Longs
    signs: NDArray[np.float16] | None = None  # see :func:`pair_signs`; None: no links
    language: int = 0
    strength: float = 2.0  # lambda: the cost of a pair in the wrong order
    linked: NDArray[np.bool_] | None = None  # which words have links; None: not to be learned
    tree: NDArray[np.int16] | None = None  # [4, words]: tags, head and relation of each word; None: no tree

    @property
    def words(self) -> int:
        """The number of words."""
        return len(self.types) - 2


def pair_signs(links: Longs, words: int, stay: float, *, attach: bool = False) -> NDArray[np.float16]:
    """Return the preferred order of each pair of words a < b, ``[a, b]``: 1 in place, -1 swapped, 0 either.

    A pair is ordered if its first and last target positions agree (Nakagawa 2015), otherwise by the mean sign
    over its pairs of links. Pairs with an unaligned word prefer, with weight ``stay``, to remain in place;
    with ``attach`` the unaligned word goes where the next aligned word goes, if there is one.
    """
    first, last = target_spans(Alignments.from_links([links.tolist()], [words]))
    linked = first >= 0
    ahead = np.sign(first[None] - first[:, None]).astype(np.float64)  # 1: b is after a
    behind = np.sign(last[None] - last[:, None])
    sign = np.sign(ahead + behind)
    both = linked[:, None] & linked[None]
    for a, b in np.argwhere(np.triu(ahead * behind < 0, 1) & both):
        left, right = links[links[:, 0] == a, 1], links[links[:, 0] == b, 1]
        sign[a, b] = np.sign(right[None] - left[:, None]).mean()
    weak = np.full((words, words), stay)
    if attach and linked.any():
        numbers = np.where(linked, np.arange(words), words)
        near = np.minimum.accumulate(numbers[::-1])[::-1]
        near = np.where(near == words, np.flatnonzero(linked)[-1], near)
        gone = np.sign(ahead + behind)[near[:, None], near[None]]
        same = (ahead == 0) & (behind == 0)
        weak = stay * np.where(same[near[:, None], near[None]], 1.0, gone)
    return np.triu(np.where(both, sign, weak), 1).astype(np.float16)


class TrainingText:
    """All text of a training: its vocabulary, labels and target languages, and examples made from it.

    The vocabulary, labels and languages are those of the network that the training goes on from, if any.
    """

    def __init__(self, settings: NeuralCRF, data: TrainingData) -> None:
        self.settings = settings
        self.start: TrainedNetwork | None = data.start.state if data.start is not None else None
        parsed = with_parses if settings.learns_trees else list
        self.manual: AlignedText = (parsed(data.sources), data.alignments)
        automatic = data.automatic or ((), ())
        self.automatic: AlignedText = (parsed(automatic[0]), automatic[1])
        linked = [*self.manual[0], *self.automatic[0]]
        seen = {source.words for source in linked}
        self.raw = parsed([source for source in data.raw if source.words not in seen])
        self.languages = _target_languages(linked, settings.language, self.start)
        self.sentences = [source.words for source in (*linked, *self.raw)]
        self.vocabulary = self.start.vocabulary if self.start else self._vocabulary()
        labels = self.start.labels if self.start else {la for source in linked for la in labels_of(source)}
        self.labels = sorted({*labels} - {""})
        self.types = WordTypes.of(self.vocabulary, [*linked, *self.raw], self.labels)
        every = [*linked, *self.raw] if settings.learns_trees else []
        self.tree_labels = ParserLabels.of(source.parse for source in every if source.parse)

    def _vocabulary(self) -> InputVocabulary:
        # With much text, a word that occurs once does not get a vector of its own.
        least = 2 if self.has_more_text else 1
        return InputVocabulary.of(
            self.sentences, min_count=least, max_words=self.settings.max_words, buckets=NGRAM_BUCKETS
        )

    @property
    def has_more_text(self) -> bool:
        """Whether there is more text than the sentences with manual links."""
        return bool(self.raw or self.automatic[0])

    def linked(self, text: AlignedText, strength: float, *, manual: bool) -> list[Example]:
        """Make examples of sentences with links, for soft forests of this strength.

        Which words have links is learned from manual links alone.
        """
        stay, attach = self.settings.stay, self.settings.attach
        examples = []
        for place, (source, alignment) in enumerate(zip(*text, strict=True)):
            links = np.array(alignment.links, np.int64).reshape(-1, 2)
            signs = pair_signs(links, len(source), stay, attach=attach)
            types, language = self.types.encode(source), self._language(source, place)
            known = np.isin(np.arange(len(source)), links[:, 0]) if manual else None
            examples.append(Example(types, signs, language, strength, known, self._tree(source)))
        return examples

    def unlinked(self, limit: int | None = None, *, raw: bool = True) -> list[Example]:
        """Make examples of all text without its links, with up to ``limit`` sentences beside the manual ones.

        Sentences without a target language are assigned to all languages in turn.
        """
        others = [*self.automatic[0], *(self.raw if raw else [])]
        step = -(-len(others) // limit) if limit and others else 1
        chosen = [*self.manual[0], *others[::step]]
        return [self.unlinked_example(source, place) for place, source in enumerate(chosen)]

    def unlinked_example(self, source: Source, place: int = 0) -> Example:
        """Make an example of one sentence without its links; ``place`` chooses a language if it has none."""
        language = self._language(source, place)
        return Example(self.types.encode(source), None, language, tree=self._tree(source))

    def _tree(self, source: Source) -> NDArray[np.int16] | None:
        if source.parse is None or not self.settings.learns_trees:
            return None
        return numbered_tree(source.parse, self.tree_labels)

    def _language(self, source: Source, place: int) -> int:
        target = source.target or self.settings.language
        if target in self.languages:
            return self.languages.index(target)
        return place % max(1, len(self.languages))


def _target_languages(
    sources: Sequence[Source], language: str, start: TrainedNetwork | None = None
) -> list[str]:
    """Return the target languages, if there are several; those of the network that training goes on from."""
    names = sorted({source.target for source in sources})
    if start is not None:
        for name in names:
            start.check_target(name or ("" if language == "none" else language))
        return list(start.languages)
    if len(names) > 1 and not names[0]:
        raise BadSetting(
            f"some sentences have a target language ({', '.join(names[1:])}) and others have none"
        )
    if len(names) > 1 and language not in ("none", *names):
        raise BadSetting(f"language is {language!r}; the sentences have {', '.join(names)}")
    return names if len(names) > 1 else []
