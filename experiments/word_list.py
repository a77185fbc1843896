"""Make the list of English words by which ``beer`` recognises words that are not English.

    pip install wordfreq==3.1.1
    python -m experiments.word_list TREEBANKS

Frequencies of words are those of wordfreq (Speer 2022), from 8 kinds of text; its data may be redistributed
under CC BY-SA 4.0, and so may this list. A word is left out if another language uses it more than 30 times as
often, unless it is an ordinary word of the English treebanks in the folder TREEBANKS (CoNLL-U, all files
``*/train.conllu.gz``), or a name in them that no language uses more than 300 times as often.
"""

from __future__ import annotations

import gzip
import re
import sys
from collections import Counter
from pathlib import Path

from wordorder.data import package_file
from wordorder.text.lexicon import FREQUENT, SHIPPED, Lexicon

LEAST = 1e-7  # frequency of a word in English
FOREIGN, FOREIGN_NAME = 30, 300  # how many times as often another language may use a word, or a name
ORDINARY = 2  # occurrences in the treebanks as anything but a name, a symbol or a foreign word
TEXT = 20_000  # most frequent words, which count as English in texts of other languages
LETTERS = re.compile(r"[a-z\u00df-\u00f6\u00f8-\u024f]+")
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


def english_words(folder: Path) -> list[str]:
    """List English words, the most frequent first."""
    import wordfreq

    english = wordfreq.get_frequency_dict("en", "large")
    elsewhere: dict[str, float] = {}
    for language in sorted(set(wordfreq.available_languages("best")) - {"en"}):
        for word, frequency in wordfreq.get_frequency_dict(language, "best").items():
            if word in english:
                elsewhere[word] = max(frequency, elsewhere.get(word, 0.0))
    ordinary, names = treebank_words(folder)
    kept = []
    for word, frequency in sorted(english.items(), key=lambda item: (-item[1], item[0])):
        if frequency < LEAST or not LETTERS.fullmatch(word):
            continue
        ratio = elsewhere.get(word, 0.0) / frequency
        if ratio <= FOREIGN or ordinary[word] >= ORDINARY or (word in names and ratio <= FOREIGN_NAME):
            kept.append(word)
    return kept


def main() -> None:
    """Write the list into the package."""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    words = english_words(Path(sys.argv[1]))
    ordered = [*words[:FREQUENT], *sorted(words[FREQUENT:TEXT]), *sorted(words[TEXT:])]
    place = package_file(SHIPPED)
    Lexicon("en", tuple(ordered), FREQUENT, TEXT).write(place)
    print(f"{len(words):,} words, {place.stat().st_size / 1000:.0f} kB: {SHIPPED}")


if __name__ == "__main__":
    main()
