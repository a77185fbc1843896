"""Make the lists of words by which ``beer`` recognises words that are not of the language of a reference.

    pip install wordfreq==3.1.1
    python -m experiments.word_list TREEBANKS

Frequencies of words are those of wordfreq (Speer 2022), from up to 8 kinds of text; its data may be
redistributed under CC BY-SA 4.0, and so may these lists. A word is left out if another language uses it much
more often: over 60 times as often if it is frequent in its own language, 30 times if it is not, and 3 times
if it is rare. Foreign names and titles occur everywhere, so a word that another language uses over 10 times
as often (single letters apart) must also be at home in its own: used over 3 times as often as in the median
of the other languages.

English has exceptions, since treebanks tell its words from foreign ones (CoNLL-U, all files
``TREEBANKS/*/train.conllu.gz``). Words that are tagged as ordinary ones, other than interjections and parts
of contracted words, stay if they are at home, or ordinary five times. Names stay if no language uses them
over 300 times as often, unless they are common words of another language and not at home. In other
languages, rare compounds of two frequent words are left out, since they are recognised by their parts.

Czech, Finnish and Russian have more forms of words than lists can hold; their endings are learned from their
lists (experiments/word_endings.py).
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from itertools import pairwise
from pathlib import Path
from statistics import median

from experiments.word_endings import STEM, Endings, accepted, endings_of
from wordorder.data import package_file
from wordorder.text.word_lists import (
    CLASSES,
    COMMON,
    COMMON_FILE,
    ENDINGS_FILE,
    FREQUENT,
    INFLECTED,
    LANGUAGES,
    PARTS,
    RELATED,
    WordList,
    folded,
    list_file,
    write_endings,
    write_words,
)

# The least frequency of a word. Languages with many forms of words need rarer ones.
LEAST = {"en": 1e-7, "de": 5e-8, "es": 5e-8, "fr": 5e-8, "cs": 2e-8, "ru": 2e-8, "fi": 1e-8}
FREQUENT_WORD, RARE_WORD = 1e-5, 1e-6
FOREIGN_FREQUENT, FOREIGN, FOREIGN_RARE = 60, 30, 3  # how many times as often another language may use a word
FOREIGN_NAME, COMMON_ELSEWHERE = 300, 500  # the same for names; how many words of a language are no names
SUSPECT, AT_HOME = 10, 3  # from where on a word must be at home; how many times the median of other languages
ELSEWHERE = 20_000  # most frequent words of other languages, which endings must not fit
LARGE = 150_000  # words of a language by which words are found to be at home
ORDINARY, OFTEN = 2, 5  # occurrences in the treebanks as an ordinary word
LATIN, CYRILLIC = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u024f]+"), re.compile("[а-яё]+")
NAME_LETTERS = 4
NOT_ORDINARY = ("PROPN", "X", "SYM", "PUNCT", "NUM", "INTJ")  # tags
Frequencies = dict[str, dict[str, float]]  # of words, by language


def treebank_words(folder: Path) -> tuple[Counter[str], set[str]]:
    """Count ordinary words, and collect names."""
    ordinary: Counter[str] = Counter()
    names = set()
    parts = range(0)  # numbers of the words of a contracted word
    for path in sorted(folder.glob("*/train.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                fields = line.split("\t")
                if len(fields) != 10:
                    parts = range(0)  # another sentence begins
                    continue
                first, _, last = fields[0].partition("-")
                if last:
                    parts = range(int(first), int(last) + 1)
                    continue
                form, tag = fields[1].lower(), fields[3]
                word = form.lstrip("'’")  # lists are for runs of letters, such as the ve of I've
                if tag == "PROPN" and len(word) >= NAME_LETTERS:
                    names.add(word)
                elif tag not in NOT_ORDINARY and (word != form or int(first) not in parts):
                    ordinary[word] += 1
    return ordinary, names


@dataclass(frozen=True)
class Usage:
    """How often each word of a language is used in it and in other languages."""

    language: str
    frequencies: Frequencies
    letters: re.Pattern[str]

    @property
    def own(self) -> dict[str, float]:
        """The words of the language."""
        return self.frequencies[self.language]

    @cached_property
    def greatest(self) -> dict[str, tuple[float, str]]:
        """The language that uses each word most often, of the others, and how often."""
        found: dict[str, tuple[float, str]] = {}
        for other, words in self.frequencies.items():
            if other != self.language:
                for word in self.own.keys() & words.keys():
                    found[word] = max((words[word], other), found.get(word, (0.0, "")))
        return found

    @cached_property
    def large(self) -> list[str]:
        """Other languages that have many words, and are written with these letters."""

        def is_alike(words: dict[str, float]) -> bool:
            frequent = nlargest(100, words, key=words.__getitem__)
            return sum(bool(self.letters.fullmatch(word)) for word in frequent) > len(frequent) / 2

        others = {other: words for other, words in self.frequencies.items() if other != self.language}
        return [other for other, words in others.items() if len(words) >= LARGE and is_alike(words)]

    def ratio(self, word: str) -> float:
        """How many times as often another language uses a word."""
        return self.greatest.get(word, (0.0, ""))[0] / self.own[word]

    def is_at_home(self, word: str) -> bool:
        """Whether a word is used more often than where it is foreign as well."""
        most = self.greatest.get(word, (0.0, ""))[1]
        abroad = [self.frequencies[other].get(word, 0.0) for other in self.large if other != most]
        return self.own[word] > AT_HOME * median(abroad)

    def is_foreign(self, word: str) -> bool:
        """Whether a word is another language's."""
        own, ratio = self.own[word], self.ratio(word)
        most = FOREIGN_FREQUENT if own >= FREQUENT_WORD else FOREIGN if own >= RARE_WORD else FOREIGN_RARE
        if self.language == "en":
            most = max(most, FOREIGN)  # its list is shorter, and has rare words that are names
        return ratio > most or (ratio > SUSPECT and len(word) > 1 and not self.is_at_home(word))

    def is_common_elsewhere(self, word: str) -> bool:
        """Whether a word is common in the language that uses it most often."""
        frequency, language = self.greatest.get(word, (0.0, ""))
        return frequency > 0 and frequency >= self.least_common[language]

    @cached_property
    def least_common(self) -> dict[str, float]:
        """The frequency of the least frequent of the common words of each language."""
        return {
            other: nlargest(COMMON_ELSEWHERE, words.values())[-1] for other, words in self.frequencies.items()
        }


def words_of(language: str, frequencies: Frequencies, folder: Path) -> list[str]:
    """List the words of a language, the most frequent first."""
    usage = Usage(language, frequencies, letters_of(language))
    ordinary, names = treebank_words(folder) if language == "en" else (Counter[str](), set[str]())

    def is_exception(word: str) -> bool:
        if ordinary[word] >= ORDINARY and (ordinary[word] >= OFTEN or usage.is_at_home(word)):
            return True
        own_name = usage.is_at_home(word) or not usage.is_common_elsewhere(word)
        return word in names and usage.ratio(word) <= FOREIGN_NAME and own_name

    kept = [
        word
        for word, frequency in sorted(usage.own.items(), key=lambda item: (-item[1], item[0]))
        if frequency >= LEAST[language]
        and usage.letters.fullmatch(word)
        and (not usage.is_foreign(word) or is_exception(word))
    ]
    kept = list(dict.fromkeys(map(folded, kept)))
    if language == "en":
        return kept
    parts = WordList.of(language, kept[:PARTS])
    rare = [word for word in kept[PARTS:] if not parts.is_compound(word)]
    return [*kept[:PARTS], *rare]


def inflection(language: str, words: Sequence[str], frequencies: Frequencies) -> Endings:
    """Learn the endings of a language, and print how many words of other languages they accept."""
    letters, listed = letters_of(language), WordList.of(language, words)
    abroad = {
        folded(word)
        for other, own in frequencies.items()
        if other != language
        for word in nlargest(ELSEWHERE, own, key=own.__getitem__)
        if len(word) > STEM and letters.fullmatch(word)
    }
    foreign = sorted(word for word in abroad if not listed.is_known(word))
    half, every = endings_of(words, PARTS, foreign[::2]), frozenset(words)
    share = accepted(foreign[1::2], half, every)
    print(f"{language}: endings learned with half of the foreign words accept {share:.2f} % of the others")
    return endings_of(words, PARTS, foreign)


def letters_of(language: str) -> re.Pattern[str]:
    """Return the pattern of words of a language."""
    return CYRILLIC if language == "ru" else LATIN


def main() -> None:
    """Write the lists into the package."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import wordfreq

    languages = sorted(wordfreq.available_languages("best"))
    frequencies = {language: wordfreq.get_frequency_dict(language, "best") for language in languages}
    endings = {}
    for language in LANGUAGES:
        words = words_of(language, frequencies, Path(sys.argv[1]))
        ordered = words[:FREQUENT]
        ends = [*(end for end in CLASSES if end >= FREQUENT), PARTS, len(words)]
        for begin, end in pairwise(ends):
            ordered += sorted(words[begin:end])
        place = package_file(list_file(language))
        write_words(ordered, place)
        print(f"{language}: {len(words):,} words, {place.stat().st_size / 1000:.0f} kB")
        if language in INFLECTED:
            endings[language] = inflection(language, ordered, frequencies)
    write_endings(endings, package_file(ENDINGS_FILE))
    common: list[str] = []
    for language in (*LANGUAGES, *RELATED):
        usage = Usage(language, frequencies, LATIN)
        own = usage.own
        kept = [word for word in own if word.isalpha() and usage.ratio(word) <= FOREIGN]
        common += sorted(sorted(kept, key=lambda word: (-own[word], word))[:COMMON])
    write_words(common, package_file(COMMON_FILE))
    print(f"frequent words of {len(common) // COMMON} languages")


if __name__ == "__main__":
    main()
