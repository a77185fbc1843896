"""Features as data: which pieces are counted, how text is split, what is computed from the counts.

A feature is written ``pieces.measure``: ``char3.f1``, ``skip2.a``, ``ngram4.g``, ``len_disbalance_char.d``.
Pieces of text, of the matcher's links, of the order of matched words and of dependency trees are families:
they differ in what is counted, not in what is computed from the counts.

======================== ==========================================================================
pieces
``charK``                 K characters in a row; the words are joined by one space, which counts
``ngramK``                K words in a row
``skipK``, ``skip``       two words in order with at most K words between them, or any number
``len_disbalance_char``   no pieces: the lengths in characters; ``_word`` in words, ``_exp_`` exponential
``short_char``            no pieces: by how much the hypothesis is too short; ``long_char``: too long
``lost_neighbours``       shared words that are no longer next to each other; ``lost_order``: in another order
``exact`` ... ``phrase``  words that this stage of the matcher linked; ``linked``: that any stage did
``function``, ``content`` linked words that are function words, that are not
``kendall`` ...           no pieces: a score of the order of linked words, or a share of its operators
``unknown`` ...           words that the reference lacks and a lexicon too
``chain2``, ``arc`` ...   dependency trees: words with their heads, labelled arcs
measure
``p``, ``r``              share of the pieces of the hypothesis, of the reference, that were matched
``a``, ``b``              the lesser and the greater of the two, whichever side it is
``fB``, ``sfB``           F with beta B of p and r, of a and b: (1 + B²)pr / (B²p + r)
``gB``, ``sgB``           geometric mean (p r^B)^(1/(1 + B)); B is 1 where it is not written
``dN``                    length disbalance to the power N
``n``                     of a lexicon: so many for each word of the reference, 1 at most; of orders: lost
``v``, ``sN``             of orders: the value, and (value x recall of linked words) to the power N
======================== ==========================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from wordorder.errors import BadSetting
from wordorder.text.parses import KINDS as PARSES

UNBOUNDED = -1
MEASURES = ("p", "r", "a", "b", "f", "sf", "g", "sg")
LENGTHS = ("len_disbalance_char", "len_disbalance_word", "len_disbalance_exp_char", "len_disbalance_exp_word")
ONE_SIDED = ("short_char", "long_char")  # lengths, too
LOST = ("lost_neighbours", "lost_order")  # order of shared words, computed from counts of other pieces
LINKS = ("linked", "exact", "stem", "synonym", "paraphrase", "function", "content")
FOREIGN = ("unknown", "strange", "strangeness", "misspelt", "foreign")  # words that a lexicon does not know
# Words that are not in the list of the reference's language, and begin like a word of the reference or not.
LISTED = ("nonword", "nonword_name", "variant", "variant_name", "strange_nonword", "derived")
RARITY = "rarity"  # the reference words that the hypothesis has, weighted by their rarity
OPERATORS = ("monotone", "inverted", "four", "larger")  # shares of the operators of a permutation tree
ORDERS = ("kendall", "pet_size", "pet_count", "max_operator", "recpef", *OPERATORS)
_COUNTED = {"char": 0, "ngram": 1, "skip": 2}  # the kernel's numbers (native/overlap/overlap.h)
_GROUPS = {
    "char": "characters",
    "ngram": "words",
    "skip": "pairs of words",
    "match": "linked words",
    "order": "word order",
    "lexicon": "foreign words",
    "listed": "unknown words",
    "rarity": "words",
    "parse": "dependencies",
}
_SPLITS = {"blanks": 0, "13a": 1, "spaces": 2, "letters": 3}
_NAME = re.compile(
    r"(?P<pieces>[a-z_]*[a-z])(?P<size>[0-9]*)\.(?P<measure>[a-z]+)(\.?(?P<weight>[0-9]+(\.[0-9]+)?))?",
    re.ASCII,
)
FARTHEST_SKIP = 2**30  # distances beyond have no meaning and do not fit the kernel
LONGEST_PIECE = 100  # all shorter pieces may be counted, too


@dataclass(frozen=True, slots=True)
class Cutting:
    """What is a word, a character and a piece at the edge of a text.

    The defaults, :data:`PLAIN`, are what the names say; :data:`BEER20` is what the released program does.
    """

    # spaces: a leading one leaves an empty word; letters: runs of them, and each Han character and kana
    split: Literal["blanks", "13a", "spaces", "letters"] = "blanks"
    utf16: bool = False  # characters beyond U+FFFF count as two
    shorter: int = 0  # subtracted from the size of character n-grams
    dropped: int = 0  # number of character n-grams left out at the end
    most: int = 0  # characters kept of words that are runs of letters; 0 for all
    solid: bool = False  # no space between words when characters are counted
    edges: bool = False  # word n-grams: also a piece for the beginning and one for the end of the text

    @property
    def split_number(self) -> int:
        """The kernel's number of the way of splitting."""
        return _SPLITS[self.split]


PLAIN = Cutting()
BEER20 = Cutting(split="spaces", utf16=True, shorter=1, dropped=1, edges=True)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A kind of pieces, counted on both sides."""

    kind: str
    size: int = 0

    @property
    def name(self) -> str:
        """``char3``, ``skip``, ``len_disbalance_word``."""
        has_size = self.size > 0 or (self.kind == "skip" and self.size == 0)
        return f"{self.kind}{self.size}" if has_size else self.kind

    @property
    def family(self) -> str:
        """What must be known of two texts to count the pieces: their links, a lexicon, their parses ..."""
        families = {
            "match": LINKS,
            "order": ORDERS,
            "lexicon": FOREIGN,
            "listed": LISTED,
            "rarity": (RARITY,),
        }
        own = next((family for family, kinds in families.items() if self.kind in kinds), None)
        return own or ("parse" if self.name in PARSES else "text")

    @property
    def counted(self) -> tuple[Pieces, ...]:
        """The pieces to count: these, or those that lost order is computed from."""
        if self.kind not in LOST:
            return (self,)
        pairs = Pieces("ngram", 2) if self.kind == "lost_neighbours" else Pieces("skip", UNBOUNDED)
        return Pieces("ngram", 1), pairs

    @property
    def group(self) -> str:
        """What the pieces look at, in the words of explanations."""
        if self.kind in (*LENGTHS, *ONE_SIDED):
            return "length"
        if self.kind in LOST:
            return _GROUPS["order"]
        return _GROUPS.get(self.kind) or _GROUPS[self.family]

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures that can be computed from the counts."""
        if self.kind in (*LENGTHS, *ONE_SIDED):
            return ("d",)
        if self.kind in LOST:
            return ("n",)
        own = {"order": ("v", "s"), "lexicon": ("n",), "listed": ("n",), "rarity": ("r",)}
        return own.get(self.family, MEASURES)

    def kernel(self, cutting: Cutting) -> tuple[int, int, int]:
        """Return the pieces as the kernel takes them: kind, size, rule."""
        if self.kind in (*LENGTHS, *ONE_SIDED):
            return (3 if self.kind.endswith("char") else 4), 0, 0
        if self.kind == "char":
            return 0, self.size - cutting.shorter, cutting.dropped
        return _COUNTED[self.kind], self.size, int(cutting.edges and self.kind == "ngram")


@dataclass(frozen=True, slots=True)
class Template:
    """One feature: pieces, and a measure of their counts.

    >>> Template.parse("char3.f1"), Template.parse("skip.sg").name
    (Template(pieces=Pieces(kind='char', size=3), measure='f', weight=1.0), 'skip.sg')
    """

    pieces: Pieces
    measure: str
    weight: float = 1.0

    @property
    def name(self) -> str:
        """The feature as it is written; the same text always means the same feature."""
        usual = "1" if self.measure in ("f", "sf") else ""  # char3.f1, but char3.g
        weight = int(self.weight) if self.weight.is_integer() else self.weight
        return f"{self.pieces.name}.{self.measure}{usual if weight == 1 else weight}"

    @classmethod
    def parse(cls, text: str) -> Template:
        """Read a feature; ``char3.f.1.0``, as BEER 2.0 writes it, is ``char3.f1``."""
        parts = _NAME.fullmatch(text.strip())
        if not parts:
            raise BadSetting(
                f"{text!r} is not a feature; expected pieces.measure such as char3.f1 or skip2.a"
            )
        pieces = _pieces(parts["pieces"], parts["size"], text)
        measure, weight = parts["measure"], parts["weight"]
        if measure not in pieces.measures:
            known = ", ".join(pieces.measures)
            raise BadSetting(f"{text!r}: unknown measure {measure!r}; {pieces.name} has {known}")
        if weight and measure in ("p", "r", "a", "b", "v", "n") and pieces.family != "listed":
            raise BadSetting(f"{text!r}: {measure} takes no number")
        if weight and not 0.001 <= float(weight) <= 1000:
            raise BadSetting(f"{text!r}: the number after {measure} is {weight}; expected 0.001 to 1000")
        return cls(pieces, measure, float(weight) if weight else 1.0)


def _pieces(kind: str, size: str, text: str) -> Pieces:
    """Return the pieces that a name asks for."""
    plain = (*LENGTHS, *ONE_SIDED, *LOST, *LINKS, *ORDERS, *FOREIGN, *LISTED, RARITY, *PARSES)
    if not size and kind in plain:
        return Pieces(kind)
    if kind + size in PARSES:
        return Pieces(kind, int(size))
    if kind not in _COUNTED:
        known = ", ".join([*(f"{name}K" for name in _COUNTED), *plain])
        raise BadSetting(f"{text!r}: unknown pieces {kind + size!r}; expected one of {known}")
    if kind == "skip" and not size:
        return Pieces(kind, UNBOUNDED)
    least, most = (0, FARTHEST_SKIP) if kind == "skip" else (1, LONGEST_PIECE)
    if not size or len(size) > 10 or not least <= int(size) <= most:
        raise BadSetting(f"{text!r}: {kind} needs a size of {least} to {most:,}")
    return Pieces(kind, int(size))


def parse_templates(text: str) -> tuple[Template, ...]:
    """Read features separated by spaces; ``char1-6.f1`` stands for six of them.

    >>> [t.name for t in parse_templates("ngram1-2.p skip.a")]
    ['ngram1.p', 'ngram2.p', 'skip.a']
    """
    templates = [template for word in text.split() for template in _ranged(word)]
    for template in templates:
        if templates.count(template) > 1:
            raise BadSetting(f"feature {template.name!r} is asked for twice")
    return tuple(templates)


def _ranged(word: str) -> list[Template]:
    """Return the features of one word: several where it has a range of sizes."""
    span = re.match(r"([a-z_]+)([0-9]+)-([0-9]+)(\..*)", word)
    if not span:
        return [Template.parse(word)]
    if max(len(span[2]), len(span[3])) > 9 or not 0 <= int(span[3]) - int(span[2]) < 1000:
        raise BadSetting(f"{word!r}: {span[2]}-{span[3]} is not a range of sizes")
    return [Template.parse(f"{span[1]}{k}{span[4]}") for k in range(int(span[2]), int(span[3]) + 1)]
