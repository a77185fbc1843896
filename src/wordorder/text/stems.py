"""Words with equal stems, by the Snowball stemmers of PyStemmer."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from wordorder.arrays import Ints
from wordorder.errors import UnknownName
from wordorder.text.tokens import Words

# Languages by ISO code; a stemmer's own name is accepted too.
_NAMES = (
    "ar=arabic ca=catalan cs=czech da=danish de=german el=greek en=english eo=esperanto es=spanish "
    "et=estonian eu=basque fa=persian fi=finnish fr=french ga=irish hi=hindi hu=hungarian hy=armenian "
    "id=indonesian it=italian lt=lithuanian ne=nepali nl=dutch no=norwegian pl=polish pt=portuguese "
    "ro=romanian ru=russian sr=serbian sv=swedish ta=tamil tr=turkish yi=yiddish"
)
STEMMERS = dict(pair.split("=") for pair in _NAMES.split())


def stemmer_name(language: str) -> str:
    """Return the name of the stemmer of a language.

    >>> stemmer_name("de")
    'german'
    """
    import Stemmer  # type: ignore[import-not-found,unused-ignore]

    installed = set(Stemmer.algorithms())
    name = STEMMERS.get(language, language)
    if name not in installed:
        known = {code for code, name in STEMMERS.items() if name in installed} | installed
        raise UnknownName("language of stems", language, known)
    return name


class Stems:
    """Stem numbers of the words of a table; each word is stemmed once.

    >>> table = Words()
    >>> _ = table.encode(["run house houses runs"])
    >>> Stems("en").numbers(table).tolist()
    [0, 1, 1, 0]
    """

    def __init__(self, language: str) -> None:
        import Stemmer

        self._stemmer = Stemmer.Stemmer(stemmer_name(language))
        self._known: WeakKeyDictionary[Words, tuple[dict[str, int], Ints]] = WeakKeyDictionary()

    def numbers(self, words: Words) -> Ints:
        """Return a number for each word of the table, equal for words with equal stems."""
        numbers_of, done = self._known.get(words, ({}, np.empty(0, np.int32)))
        if len(done) < len(words):
            new = self._stemmer.stemWords(words.words[len(done) :])
            more = [numbers_of.setdefault(stem, len(numbers_of)) for stem in new]
            done = np.concatenate([done, np.array(more, np.int32)])
            self._known[words] = (numbers_of, done)
        return done
