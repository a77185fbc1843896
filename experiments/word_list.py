"""Make the lists of words by which ``beer`` recognises words that are not of the language of a reference.

    pip install wordfreq==3.1.1
    python -m experiments.word_list TREEBANKS

Frequencies of words are those of wordfreq (Speer 2022), from up to 8 kinds of text; its data may be
redistributed under CC BY-SA 4.0, and so may these lists. A word is left out if another language uses it more
than 30 times as often, or 60 times if it is frequent in its own language. English has exceptions: ordinary
words of the English treebanks in the folder TREEBANKS (CoNLL-U, all files ``*/train.conllu.gz``), and names
in them that no language uses more than 300 times as often. In other languages, rare compounds of two frequent
words are left out, since they are recognised by their parts.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from wordorder.data import package_file
from wordorder.text.word_lists import (
    CLASSES,
    COMMON,
    COMMON_FILE,
    FREQUENT,
    LANGUAGES,
    PARTS,
    RELATED,
    WordList,
    list_file,
    write_words,
)

LEAST = {"en": 1e-7}  # frequency of a word
LEAST_ELSEWHERE, MOST_WORDS = 2e-7, 110_000  # in other languages, which have more forms of words
FOREIGN, FOREIGN_NAME = 30, 300  # how many times as often another language may use a word, or a name
FREQUENT_WORD, FOREIGN_FREQUENT = 1e-5, 60  # the same for a word that is frequent in its own language
ORDINARY = 2  # occurrences in the treebanks as anything but a name, a symbol or a foreign word
LATIN, CYRILLIC = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u024f]+"), re.compile("[а-яё]+")
NAME_LETTERS = 4


def treebank_words(folder: Path) -> tuple[Counter[str], set[str]]:
    """Count ordinary words, and collect names."""
    ordinary: Counter[str] = Counter()
    names = set()
    for path in sorted(folder.glob("*/train.conllu.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                fields = line.split("\t")
                if len(fields) != 10:
                    continue
                word, tag = fields[1].lower(), fields[3]
                if tag == "PROPN" and len(word) >= NAME_LETTERS:
                    names.add(word)
                elif tag not in ("PROPN", "X", "SYM", "PUNCT", "NUM"):
                    ordinary[word] += 1
    return ordinary, names


def used_elsewhere(language: str, frequencies: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the greatest frequency that each word of a language has in another one."""
    own, elsewhere = frequencies[language], dict[str, float]()
    for other, words in frequencies.items():
        if other != language:
            for word in own.keys() & words.keys():
                elsewhere[word] = max(words[word], elsewhere.get(word, 0.0))
    return elsewhere


def words_of(language: str, frequencies: dict[str, dict[str, float]], folder: Path) -> list[str]:
    """List the words of a language, the most frequent first."""
    own, elsewhere = frequencies[language], used_elsewhere(language, frequencies)
    ordinary, names = treebank_words(folder) if language == "en" else (Counter[str](), set[str]())
    letters = CYRILLIC if language == "ru" else LATIN
    least = LEAST.get(language, LEAST_ELSEWHERE)
    kept = []
    for word, frequency in sorted(own.items(), key=lambda item: (-item[1], item[0])):
        if frequency < least or not letters.fullmatch(word):
            continue
        ratio = elsewhere.get(word, 0.0) / frequency
        most = FOREIGN_FREQUENT if frequency >= FREQUENT_WORD else FOREIGN
        if ratio <= most or ordinary[word] >= ORDINARY or (word in names and ratio <= FOREIGN_NAME):
            kept.append(word)
    if language == "en":
        return kept
    parts = WordList.of(language, kept[:PARTS])
    rare = [word for word in kept[PARTS:] if not parts.is_compound(word)]
    return [*kept[:PARTS], *rare][:MOST_WORDS]


def main() -> None:
    """Write the lists into the package."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    import wordfreq

    languages = sorted(wordfreq.available_languages("best"))
    frequencies = {language: wordfreq.get_frequency_dict(language, "best") for language in languages}
    for language in LANGUAGES:
        words = words_of(language, frequencies, Path(sys.argv[1]))
        ordered = words[:FREQUENT]
        ends = [*(end for end in CLASSES if end >= FREQUENT), PARTS, len(words)]
        for begin, end in pairwise(ends):
            ordered += sorted(words[begin:end])
        place = package_file(list_file(language))
        write_words(ordered, place)
        print(f"{language}: {len(words):,} words, {place.stat().st_size / 1000:.0f} kB")
    common: list[str] = []
    for language in (*LANGUAGES, *RELATED):
        own, elsewhere = frequencies[language], used_elsewhere(language, frequencies)
        kept = [word for word in own if word.isalpha() and elsewhere.get(word, 0.0) <= FOREIGN * own[word]]
        common += sorted(sorted(kept, key=lambda word: (-own[word], word))[:COMMON])
    write_words(common, package_file(COMMON_FILE))
    print(f"frequent words of {len(common) // COMMON} languages")


if __name__ == "__main__":
    main()
