"""The sizes of the parser's network, and the case of words, which is one of its inputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wordorder.errors import WordOrderError

LARGEST_SIZE, MOST_LAYERS = 1 << 30, 100
NO_LETTERS, LOWER, TITLE, UPPER, MIXED = range(5)
CASES = 5


def case_of(word: str) -> int:
    """Return how a word is written.

    >>> [case_of(word) for word in ("42", "cat", "Cat", "I", "NATO", "iPhone")]
    [0, 1, 2, 2, 3, 4]
    """
    if word == word.lower():
        return LOWER if word != word.upper() else NO_LETTERS
    if word[1:] == word[1:].lower():
        return TITLE
    return UPPER if word == word.upper() else MIXED


def cases_of(words: Sequence[str]) -> list[int]:
    """Return the cases of the words of a sentence with its boundaries."""
    return [NO_LETTERS, *map(case_of, words), NO_LETTERS]


@dataclass(frozen=True, kw_only=True)
class ParserShape:
    """The sizes of a network; ``upos``, ``xpos`` and ``relations`` are numbers of labels."""

    words: int
    buckets: int  # of character n-grams
    upos: int
    xpos: int
    relations: int
    word_size: int = 100
    piece_size: int = 64  # of vectors of character n-grams
    case_size: int = 8
    units: int = 256  # of the LSTM, in each direction
    layers: int = 2
    arc_size: int = 200
    relation_size: int = 64

    def __post_init__(self) -> None:
        """Check that sizes are numbers, because a model file may say anything."""
        for name, size in vars(self).items():
            largest = LARGEST_SIZE if name != "layers" else MOST_LAYERS
            if type(size) is not int or not 0 < size <= largest:
                raise WordOrderError(f"the parser's size {name} is {size!r}; expected 1 to {largest:,}")

    @property
    def input_size(self) -> int:
        """The size of the vector of a word."""
        return self.word_size + self.piece_size + self.case_size

    def arrays(self) -> dict[str, tuple[int, ...]]:
        """Return the names and shapes of all arrays, as torch names them."""
        both, pair = 2 * self.units, self.relation_size + 1
        shapes: dict[str, tuple[int, ...]] = {
            "word.weight": (self.words, self.word_size),
            "piece.weight": (self.buckets, self.piece_size),
            "case.weight": (CASES, self.case_size),
            "upos.weight": (self.upos, both),
            "upos.bias": (self.upos,),
            "xpos.weight": (self.xpos, both),
            "xpos.bias": (self.xpos,),
            "arc.weight": (2 * self.arc_size, both),
            "arc.bias": (2 * self.arc_size,),
            "arc_pair.weight": (self.arc_size, self.arc_size),
            "arc_pair.bias": (self.arc_size,),
            "relation.weight": (2 * self.relation_size, both),
            "relation.bias": (2 * self.relation_size,),
            "relation_pair": (self.relations, pair, pair),
        }
        size = self.input_size
        for layer in range(self.layers):
            for direction in ("", "_reverse"):
                end = f"l{layer}{direction}"
                shapes[f"lstm.weight_ih_{end}"] = (4 * self.units, size)
                shapes[f"lstm.weight_hh_{end}"] = (4 * self.units, self.units)
                shapes |= {f"lstm.bias_{kind}_{end}": (4 * self.units,) for kind in ("ih", "hh")}
            size = both
        return shapes
