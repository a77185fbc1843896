"""Lines of text as numbered words.

``none`` splits at white space; ``13a`` is the tokenisation of mteval-v13a, done by a kernel and
equal to sacrebleu's; ``letters`` takes runs of letters and digits and drops everything else, with each
Han character and kana as one word; ``script`` divides scripts without spaces by rules, and ``ar-clitics``
separates Arabic proclitics (``text/scripts.py``); every other name is a tokenizer of sacrebleu. ``auto``,
which metrics accept, stands for the usual tokenizer of the script. Words are compared as they are written
unless they are normalised (``text/normalisation.py``) or ``lowercase`` is set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from wordorder import _native
from wordorder.arrays import Ints, Longs
from wordorder.errors import BadSetting, WordOrderError
from wordorder.text.normalisation import check_steps, lower, normalised
from wordorder.text.scripts import split_clitics, split_scripts

Tokenizer = Literal[
    "auto", "none", "13a", "letters", "script", "ar-clitics", "intl", "zh", "ja-mecab", "ko-mecab", "char"
]
TOKENIZERS: tuple[str, ...] = get_args(Tokenizer)[1:]
_NATIVE = {"none": 0, "13a": 1, "letters": 2}  # the kernel's numbers (native/text/words.h)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Lines as word numbers. Line s is ``ids[offsets[s]:offsets[s + 1]]``."""

    ids: Ints
    offsets: Longs

    @property
    def lengths(self) -> Longs:
        """The number of words of each line."""
        return self.offsets[1:] - self.offsets[:-1]  # several times as fast as np.diff on a few

    def take(self, lines: Longs) -> Tokens:
        """Return the lines with these numbers, in this order."""
        return Tokens(*_native.take(self.ids, self.offsets, lines))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[list[int]]:
        for begin, end in zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True):
            yield self.ids[begin:end].tolist()


class LineWriter:
    """How lines become what a kernel splits into words.

    They are normalised, tokenised and written in lower case, where this is asked for; ``language`` matters to
    the lower case of Turkish only.
    """

    def __init__(
        self,
        tokenize: str = "none",
        *,
        lowercase: bool = False,
        normalize: str = "none",
        language: str = "en",
    ) -> None:
        if tokenize not in TOKENIZERS:
            raise BadSetting(f"unknown tokenizer {tokenize!r}; expected one of {', '.join(TOKENIZERS)}")
        check_steps(normalize)
        self.tokenize = tokenize
        self.lowercase, self.normalize, self.language = lowercase, normalize, language
        self.splitter = _NATIVE.get(tokenize, 0)  # what the kernel is to do
        self._tokenizer = None if tokenize in _NATIVE else splitter(tokenize)

    def __call__(self, lines: Sequence[str]) -> bytes:
        """Write the lines for a kernel."""
        lines = normalised(as_lines(lines, "lines"), self.normalize)
        text = joined(lines)
        if self._tokenizer is not None:
            text = joined([self._tokenizer(line).replace("\n", " ") for line in lines])
        return self._folded(text)

    def untokenised(self, lines: Sequence[str]) -> bytes:
        """Write lines whose words are separated by white space already."""
        return self._folded(joined(normalised(as_lines(lines, "lines"), self.normalize)))

    def _folded(self, text: str) -> bytes:
        return utf8(lower(text, self.language) if self.lowercase else text)


class Words:
    """A table of words, numbered by their first occurrence.

    >>> table = Words("13a", lowercase=True)
    >>> list(table.encode(["Yes, yes.", "No."]))
    [[0, 1, 0, 2], [3, 2]]
    >>> table.words
    ['yes', ',', '.', 'no']

    ``normalize`` names a normalisation; ``language`` matters to the lower case of Turkish only.
    """

    def __init__(
        self,
        tokenize: str = "none",
        *,
        lowercase: bool = False,
        normalize: str = "none",
        language: str = "en",
    ) -> None:
        self._lines = LineWriter(tokenize, lowercase=lowercase, normalize=normalize, language=language)
        self._table = _native.WordTable()

    @classmethod
    def of(cls, lines: LineWriter) -> Words:
        """Return an empty table of words that are written in some way."""
        table = cls()
        table._lines = lines
        return table

    @property
    def as_written(self) -> Words:
        """An empty table of the same words as they are written, with their capital letters."""
        return Words(self._lines.tokenize, normalize=self._lines.normalize)

    def encode(self, lines: Sequence[str]) -> Tokens:
        """Number the words of some lines."""
        return Tokens(*self._table.encode(self._lines(lines), self._lines.splitter))

    def look_up(self, lines: Sequence[str]) -> Tokens:
        """Number the words of some lines without adding any; unknown words have the number ``len(self)``.

        Words are separated by white space. Several threads may look up words at once.
        """
        return Tokens(*self._table.look_up(self._lines.untokenised(lines)))

    @property
    def words(self) -> list[str]:
        """All words so far; word k has number k."""
        return self._table.words()

    def __len__(self) -> int:
        return len(self._table)


def as_lines(lines: Sequence[str], what: str) -> Sequence[str]:
    """Return any sequence of texts (a list, an array, a column of a table) as a list or tuple."""
    if isinstance(lines, (list, tuple)):
        return lines
    if isinstance(lines, str):
        raise WordOrderError(f"expected a list of {what}, found a string")
    if not hasattr(lines, "__len__") or not hasattr(lines, "__getitem__") or isinstance(lines, Mapping):
        kind = type(lines).__name__
        raise WordOrderError(
            f"expected a list of {what}, found a {kind}; it is read more than once: list(...)"
        )
    return list(lines)


def all_text(lines: Sequence[object]) -> bool:
    """Return whether all items are strings.

    >>> all_text(["a", "b"]), all_text(["a", None])
    (True, False)
    """
    kinds = set(map(type, lines))
    return kinds <= {str} or all(issubclass(kind, str) for kind in kinds)


def joined(lines: Sequence[str]) -> str:
    """Join lines into one text, each ended by a line break; kernels take text in this form.

    >>> joined(["a b", ""])
    'a b\\n\\n'
    """
    text = "\n".join(lines)
    if len(lines) == 0:
        return text
    if text.count("\n") != len(lines) - 1:
        raise WordOrderError("a segment holds a line break; replace it by a space")
    return text + "\n"


def utf8(text: str) -> bytes:
    """Encode text in UTF-8; half a surrogate pair, which no file can hold, is an error."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise WordOrderError(f"text is not valid Unicode: {error.object[error.start]!r}") from None


def sacrebleu_tokenizer(name: str):  # type: ignore[no-untyped-def]
    """Return a tokenizer of sacrebleu by name; explain how to install a missing package."""
    from importlib import import_module

    module, cls = {
        "13a": ("tokenizer_13a", "Tokenizer13a"),
        "intl": ("tokenizer_intl", "TokenizerV14International"),
        "zh": ("tokenizer_zh", "TokenizerZh"),
        "ja-mecab": ("tokenizer_ja_mecab", "TokenizerJaMecab"),
        "ko-mecab": ("tokenizer_ko_mecab", "TokenizerKoMecab"),
        "char": ("tokenizer_char", "TokenizerChar"),
    }[name]
    try:
        return getattr(import_module(f"sacrebleu.tokenizers.{module}"), cls)()
    except (ImportError, RuntimeError):
        extra = name.partition("-")[0]
        raise BadSetting(f"tokenizer {name} needs MeCab: pip install 'wordorder[{extra}]'") from None


@cache
def is_installed(name: str) -> bool:
    """Return whether a tokenizer of sacrebleu can be used: two of them need MeCab."""
    try:
        sacrebleu_tokenizer(name)
    except BadSetting:
        return False
    return True


def spaced(lines: Sequence[str], tokenize: str) -> list[str]:
    """Return lines with single spaces between the words that a tokenizer finds.

    >>> spaced(["Yes, it is."], "13a")
    ['Yes , it is .']
    """
    table = Words(tokenize)
    tokens = table.encode(lines)
    words = table.words
    return [" ".join([words[k] for k in line]) for line in tokens]


def split_letters(line: str) -> str:
    """Return the words of the ``letters`` tokenizer, separated by spaces.

    >>> split_letters("Well-known, 北京!")
    'Well known 北 京'
    """
    return spaced([line], "letters")[0]


# Tokenizers that neither the kernel nor sacrebleu has.
OWN: dict[str, Callable[[str], str]] = {
    "letters": split_letters,
    "script": split_scripts,
    "ar-clitics": split_clitics,
}


def splitter(tokenize: str) -> Callable[[str], str]:
    """Return a function that separates the words of a line by spaces.

    >>> splitter("script")("我爱Python。")
    '我 爱 Python 。'
    """
    if tokenize == "none":
        return str
    return OWN.get(tokenize) or sacrebleu_tokenizer(tokenize)
