"""The vocabulary of a grammar: known words, phrases, and classes of rare words.

The class of a rare word depends on its form: digits, capitals, hyphens, and its last letters. It belongs
to the finest class that is frequent enough among the rare words of the training text. Without back-off, all
rare words are one class, as in the thesis. Names of classes begin with a blank, which no word does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

UNKNOWN = " unknown"
UNKNOWN_PHRASE = " unknown phrase"
LEAST = 10  # smallest number of rare words in a class


def looks(word: str) -> Iterator[str]:
    """Yield the classes of a word from the finest to the coarsest, which contains all words.

    >>> list(looks("Re-counting"))
    [' unknown A- ing', ' unknown A- ng', ' unknown A- g', ' unknown A-', ' unknown']
    """
    shape = ""
    if any(c.isdigit() for c in word):
        shape += "0"
    if word[:1].isupper():
        shape += "AA" if len(word) > 1 and word.isupper() else "A"
    if "-" in word[1:-1]:
        shape += "-"
    if not any(c.isalnum() for c in word):
        shape += "."
    name = f"{UNKNOWN} {shape}" if shape else f"{UNKNOWN} a"
    for size in (3, 2, 1):
        if len(word) > size and word[-size:].isalpha():
            yield f"{name} {word[-size:].lower()}"
    yield name
    yield UNKNOWN


def folded(words: Sequence[str], lowercase: bool) -> list[str]:
    """Return the words, lower-cased if asked for."""
    return [word.lower() for word in words] if lowercase else list(words)


@dataclass(frozen=True)
class Vocabulary:
    """All words, phrases (words joined by blanks) and classes, by number."""

    words: tuple[str, ...]
    back_off: bool

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: i for i, word in enumerate(self.words)}

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest phrase."""
        return max((w.count(" ") + 1 for w in self.words if not w.startswith(" ")), default=1)

    @classmethod
    def learn(cls, sentences: Iterable[Sequence[str]], *, rare: int, back_off: bool) -> Vocabulary:
        """Collect words that occur more than ``rare`` times, and classes for the others.

        >>> Vocabulary.learn([["a", "b", "a"]], rare=1, back_off=False).words
        (' unknown', 'a')
        """
        counts = Counter(word for sentence in sentences for word in sentence)
        known = sorted(word for word, count in counts.items() if count > rare)
        classes = {UNKNOWN}
        if back_off:
            sizes: Counter[str] = Counter()
            for word, count in counts.items():
                if count <= rare and " " not in word:
                    for look in looks(word):
                        sizes[look] += count
            classes |= {look for look, size in sizes.items() if size >= LEAST}
        if any(count <= rare and " " in word for word, count in counts.items()):
            classes.add(UNKNOWN_PHRASE)
        return cls((*sorted(classes), *known), back_off)

    def number(self, word: str) -> int:
        """Return the number of a word or phrase, or of its class."""
        number = self.numbers.get(word)
        if number is not None:
            return number
        if " " in word:
            return self.numbers.get(UNKNOWN_PHRASE, self.numbers[UNKNOWN])
        return self.class_of(word)

    def class_of(self, word: str) -> int:
        """Return the number of the class that a word would belong to if it were rare."""
        names = looks(word) if self.back_off else [UNKNOWN]
        return next(self.numbers[name] for name in names if name in self.numbers)

    @property
    def classes(self) -> list[int]:
        """The numbers of the classes of unknown words."""
        return [i for i, w in enumerate(self.words) if w.startswith(UNKNOWN) and w != UNKNOWN_PHRASE]

    def phrases(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """Yield the known phrases of a sentence: begin, end, number."""
        for size in range(2, self.longest + 1):
            for begin in range(len(words) - size + 1):
                number = self.numbers.get(" ".join(words[begin : begin + size]))
                if number is not None:
                    yield begin, begin + size, number

    def __len__(self) -> int:
        return len(self.words)
