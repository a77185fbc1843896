"""Words that systems put in the wrong place, by form and by part of speech."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordorder.analyse.buckets import Bucket, TestSettings, compare_groups
from wordorder.analyse.sentences import ComparedSentences, SystemSentences
from wordorder.arrays import Doubles
from wordorder.core.permutation import Permutation
from wordorder.core.word_errors import WordErrors, WordGroup, group_errors, word_errors
from wordorder.errors import WordOrderError
from wordorder.metrics.base import mean_of
from wordorder.text.parses import ParseTable

FEW = 200  # segments; of a larger corpus, rare words are left out
RARE = 5


def misordered_words(system: SystemSentences) -> list[WordGroup]:
    """Group the matched words of a system by their form, the most misplaced first."""
    keys = [[word.lower() for word in line] for line in system.words]
    return group_errors(_errors(system), keys, min_count=RARE if len(keys) > FEW else 1)


def _errors(system: SystemSentences) -> list[WordErrors]:
    return [
        word_errors(np.array(line, np.int32), Permutation.identity(len(line))) for line in system.partners
    ]


def reference_tags(sentences: ComparedSentences, texts: Sequence[str], parses: ParseTable) -> list[list[str]]:
    """Return the part of speech of each word of the references, whose ``texts`` have been parsed.

    A word of the reference may be part of a word of the parse, or the other way round: it has the part of
    speech of the parsed word in which it begins.
    """
    return [
        _spread(parses.find(text).forms, parses.tags(text), words, text)
        for text, words in zip(texts, sentences.reference, strict=True)
    ]


def _spread(forms: Sequence[str], tags: Sequence[str], words: Sequence[str], text: str) -> list[str]:
    """Give each word the tag of the form in which its first letter is, spaces left out.

    >>> _spread(["do", "n't", "!"], ["AUX", "PART", "PUNCT"], ["don't", "!"], "don't!")
    ['AUX', 'PUNCT']
    """
    letters = [
        tag for form, tag in zip(forms, tags, strict=True) for tag in [tag] * len("".join(form.split()))
    ]
    found, at = [], 0
    for word in words:
        if at >= len(letters):
            raise WordOrderError(f"the parse of {text[:80]!r} has fewer letters than the text")
        found.append(letters[at])
        at += len(word)
    return found


def compare_tags(
    sentences: ComparedSentences, tags: Sequence[Sequence[str]], settings: TestSettings
) -> list[Bucket]:
    """Compare how well systems place the words of each part of speech.

    ``tags`` are those of the words of the reference. The score of a matched word is the share of the other
    matched words that stand on the right side of it; that of a part of speech is the mean over its words.
    """
    names = {name: k for k, name in enumerate(sorted({tag for line in tags for tag in line}))}
    tables = [_tag_rows(system, tags, names) for system in sentences.systems]
    groups = []
    for name, k in names.items():
        found = np.flatnonzero(np.any([table[:, k, 1] > 0 for table in tables], axis=0))
        groups.append((name, [[table[found, k]] for table in tables]))
    return compare_groups(groups, [mean_of], settings)


def _tag_rows(system: SystemSentences, tags: Sequence[Sequence[str]], names: dict[str, int]) -> Doubles:
    """Return the summed scores and the number of the words of each part of speech, by segment."""
    rows = np.zeros((len(tags), len(names), 2))
    for s, (line, own, errors) in enumerate(zip(tags, system.partners, _errors(system), strict=True)):
        for position, wrong in zip(errors.positions.tolist(), errors.wrong.tolist(), strict=True):
            rows[s, names[line[own[position]]]] += 1.0 - wrong, 1.0
    return rows
