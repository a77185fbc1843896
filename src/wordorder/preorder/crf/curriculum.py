"""What a network can learn from, as examples: sentences with links, and all text without."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from wordorder.core.alignment import Alignment
from wordorder.errors import BadSetting
from wordorder.preorder.base import Source, Training
from wordorder.preorder.crf.lexicon import Lexicon, Types
from wordorder.preorder.crf.training import Example, pair_signs
from wordorder.preorder.word_labels import labels_of

WORDS, BUCKETS = 12_000, 8192
Linked = tuple[Sequence[Source], Sequence[Alignment]]


class Lessons:
    """The text of a training, its words, their labels and its target languages."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        sources: Sequence[Source],
        alignments: Sequence[Alignment],
        training: Training,
    ) -> None:
        self.settings = settings
        self.trusted: Linked = (sources, alignments)
        self.automatic: Linked = training.automatic or ((), ())
        linked = [*sources, *self.automatic[0]]
        seen = {one.words for one in linked}
        self.raw = [Source(words) for one in training.raw if (words := tuple(one)) not in seen]
        self.languages = _languages(linked, settings["language"])
        self.text = [one.words for one in (*linked, *self.raw)]
        # A word that is seen once among a lot of text is not worth a vector of its own.
        least = 2 if self.is_rich else 1
        self.lexicon = Lexicon.of(self.text, least=least, most=WORDS, buckets=BUCKETS)
        self.labels = sorted({label for one in linked for label in labels_of(one)} - {""})
        self.types = Types.of(self.lexicon, [*linked, *self.raw], self.labels)

    @property
    def is_rich(self) -> bool:
        """Whether there is more text than the sentences with trusted links."""
        return bool(self.raw or self.automatic[0])

    def linked(self, links: Linked, strength: float) -> list[Example]:
        """Sentences with links, a pair of words that is out of order costing so much."""
        stay, attach = self.settings["stay"], self.settings["attach"]
        made = []
        for place, (source, one) in enumerate(zip(*links, strict=True)):
            pairs = np.array(one.links, np.int64).reshape(-1, 2)
            signs = pair_signs(pairs, len(source), stay, attach=attach)
            made.append(Example(self.types.encode(source), signs, self._tag(source, place), strength))
        return made

    def unlinked(self, most: int | None = None, *, raw: bool = True) -> list[Example]:
        """All text without its links; of what has no trusted ones so many sentences at most.

        What does not say its target language is given to all of them in turn.
        """
        others = [*self.automatic[0], *(self.raw if raw else [])]
        step = -(-len(others) // most) if most and others else 1
        chosen = [*self.trusted[0], *others[::step]]
        return [
            Example(self.types.encode(one), tag=self._tag(one, place)) for place, one in enumerate(chosen)
        ]

    def _tag(self, source: Source, place: int) -> int:
        if self.languages and source.target:
            return self.languages.index(source.target)
        return place % max(1, len(self.languages))


def _languages(sources: Sequence[Source], wanted: str) -> list[str]:
    """The target languages, if there are several."""
    names = sorted({one.target for one in sources})
    if len(names) > 1 and not names[0]:
        raise BadSetting(f"some sentences have a target language ({', '.join(names[1:])}), others have none")
    if len(names) > 1 and wanted not in ("any", *names):
        raise BadSetting(f"language is {wanted!r}; the sentences have {', '.join(names)}")
    return names if len(names) > 1 else []
