"""Lines of text as numbered words.

``none`` splits at white space; ``13a`` is the tokenisation of mteval-v13a, done by a kernel and
equal to sacrebleu's; ``letters`` takes runs of letters and digits and drops everything else, with each
Han character and kana as one word; every other name is a tokenizer of sacrebleu. ``auto``, which metrics
accept, stands for the usual tokenizer of the script. Words are compared as they are written unless
``lowercase`` is set.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal, get_args

from wordorder import _native
from wordorder.arrays import Ints, Longs
from wordorder.errors import BadSetting, WordOrderError

Tokenizer = Literal["auto", "none", "13a", "letters", "intl", "zh", "ja-mecab", "ko-mecab", "char"]
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


class Lines:
    """How lines are written for a kernel that splits them: tokenised, in lower case, if this is asked for."""

    def __init__(self, tokenize: str = "none", *, lowercase: bool = False) -> None:
        if tokenize not in TOKENIZERS:
            raise BadSetting(f"unknown tokenizer {tokenize!r}; expected one of {', '.join(TOKENIZERS)}")
        self.tokenize = tokenize
        self.lowercase = lowercase
        self.splitter = _NATIVE.get(tokenize, 0)  # what the kernel is to do
        self._tokenizer = None if tokenize in _NATIVE else sacrebleu_tokenizer(tokenize)

    def __call__(self, lines: Sequence[str]) -> bytes:
        """Write the lines for a kernel."""
        lines = as_lines(lines, "lines")
        text = joined(lines)
        if self._tokenizer is not None:
            text = joined([self._tokenizer(line).replace("\n", " ") for line in lines])
        return utf8(text.lower() if self.lowercase else text)


class Words:
    """A table of words, numbered by their first occurrence.

    >>> table = Words("13a", lowercase=True)
    >>> list(table.encode(["Yes, yes.", "No."]))
    [[0, 1, 0, 2], [3, 2]]
    >>> table.words
    ['yes', ',', '.', 'no']
    """

    def __init__(self, tokenize: str = "none", *, lowercase: bool = False) -> None:
        self.tokenize = tokenize
        self._lines = Lines(tokenize, lowercase=lowercase)
        self._table = _native.WordTable()

    def encode(self, lines: Sequence[str]) -> Tokens:
        """Number the words of some lines."""
        return Tokens(*self._table.encode(self._lines(lines), self._lines.splitter))

    def look_up(self, lines: Sequence[str]) -> Tokens:
        """Number the words of some lines without adding any; unknown words have the number ``len(self)``.

        Words are separated by white space. Several threads may look up words at once.
        """
        text = joined(as_lines(lines, "lines"))
        return Tokens(*self._table.look_up(utf8(text.lower() if self._lines.lowercase else text)))

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


def split_letters(line: str) -> str:
    """Return the words of the ``letters`` tokenizer, separated by spaces.

    >>> split_letters("Well-known, 北京!")
    'Well known 北 京'
    """
    table = Words("letters")
    ids = table.encode([line]).ids.tolist()
    words = table.words
    return " ".join(words[k] for k in ids)
