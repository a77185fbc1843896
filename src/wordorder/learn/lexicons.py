"""The lexicon that BEER collects from the texts that it is trained on.

Words come from texts in the language: references, and sources of sets that translate from it. A word that
occurs in outputs from three or more source languages, but not in their references, is added too: a word left
untranslated from three languages is most likely a name. The features of a year are computed with the words
of the other years, so that words are as unknown in training as they will be in use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordorder.judge.judgments import Judgments
from wordorder.text.lexicon import Lexicon
from wordorder.text.tokens import Words
from wordorder.text.word_lists import FREQUENT

LANGUAGES = 3  # source languages that a word beyond the references must come from


@dataclass(frozen=True, eq=False)
class SetVocabulary:
    """The vocabulary of one set: how often each word occurs in texts, and words that only outputs have."""

    year: int
    source: str
    texts: dict[str, int]
    added: frozenset[str]


def set_vocabulary(judgments: Judgments, language: str) -> SetVocabulary:
    """Collect the words of a set."""
    source, _, target = judgments.pair.partition("-")
    table = Words("letters", lowercase=True)
    texts: Counter[str] = Counter()
    added: set[str] = set()
    lines = (
        judgments.references[0] if target == language else judgments.sources if source == language else None
    )
    if lines:
        tokens = table.encode(list(lines))
        texts.update(
            dict(zip(table.words, np.bincount(tokens.ids, minlength=len(table)).tolist(), strict=True))
        )
    if target == language:
        references = table.encode(list(judgments.references[0]))
        outputs = table.encode([text or "" for text in judgments.outputs])
        size = len(table)
        line = np.repeat(np.arange(len(references)), references.lengths)
        there = np.unique(line * size + references.ids)
        segment = np.repeat(judgments.item_segment, outputs.lengths)
        beyond = ~np.isin(segment * size + outputs.ids, there)
        words = table.words
        added = {words[k] for k in np.unique(outputs.ids[beyond]).tolist()}
    return SetVocabulary(
        judgments.year,
        source,
        {word: n for word, n in texts.items() if _wanted(word)},
        frozenset(word for word in added if _wanted(word)),
    )


def _wanted(word: str) -> bool:
    return not any("0" <= letter <= "9" for letter in word)


def lexicon(parts: Sequence[SetVocabulary], language: str, *, without: int | None = None) -> Lexicon | None:
    """Build the lexicon of some sets except those of one year; None if there are no texts."""
    texts: Counter[str] = Counter()
    sources: dict[str, set[str]] = {}
    for part in parts:
        if part.year == without:
            continue
        texts.update(part.texts)
        for word in part.added:
            sources.setdefault(word, set()).add(part.source)
    if not texts:
        return None
    ranked = sorted(texts, key=lambda word: (-texts[word], word))
    first = ranked[:FREQUENT]
    rest = sorted(ranked[FREQUENT:])
    more = sorted(word for word, known in sources.items() if len(known) >= LANGUAGES and word not in texts)
    return Lexicon(language, tuple([*first, *rest, *more]), len(first), len(ranked))
