"""The result of training: expected counts of all rules, from which the probabilities follow.

A model stores counts rather than probabilities because they are sparse, and because smoothing, which makes
every word possible in every slot, can then be done when the model is loaded.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordorder.arrays import Doubles, Longs
from wordorder.errors import WordOrderError
from wordorder.preorder.grammar.operators import OPERATORS, Layout
from wordorder.preorder.grammar.tables import Tables, normalise
from wordorder.preorder.grammar.vocabulary import UNKNOWN, Vocabulary

COUNTS = ("rules", "lexical_values", "lexical_slots", "lexical_sizes")  # arrays of a grammar, words aside
_BY_NAME = {operator.name: operator for operator in OPERATORS}


@dataclass(frozen=True)
class GrammarCounts:
    """Counts of rules (slot, state), and of words: entry e of word w, ``ends[w] <= e < ends[w + 1]``."""

    layout: Layout
    vocabulary: Vocabulary
    rules: NDArray[Any]  # float32, or float16 times `scale`
    values: NDArray[Any]
    slots: NDArray[np.uint16]
    ends: Longs
    scale: float = 1.0

    @classmethod
    def of_counts(
        cls, layout: Layout, vocabulary: Vocabulary, rules: Doubles, lexical: Doubles
    ) -> GrammarCounts:
        """Make sparse counts from dense expected counts."""
        table = lexical.astype(np.float32)
        words, slots = np.nonzero(table)
        values, ends = table[words, slots], _ends(words, vocabulary)
        return cls(layout, vocabulary, rules.astype(np.float32), values, slots.astype(np.uint16), ends)

    def compact(self, least: float) -> GrammarCounts:
        """Return the counts in half precision, without counts of words below ``least``, for a small file."""
        keep = self.values * self.scale >= least
        ends = _ends(self.words[keep], self.vocabulary)
        top = max(float(self.rules.max()), float(self.values.max())) * self.scale
        scale = float(2.0 ** max(0, np.ceil(np.log2(top / 30000))))
        rules, values = (
            (array * (self.scale / scale)).astype(np.float16) for array in (self.rules, self.values[keep])
        )
        return replace(self, rules=rules, values=values, slots=self.slots[keep], ends=ends, scale=scale)

    @property
    def words(self) -> Longs:
        """The word of each entry."""
        return np.repeat(np.arange(len(self.vocabulary)), np.diff(self.ends))

    def tables(self, *, state_smoothing: float, word_smoothing: float, class_smoothing: float) -> Tables:
        """Return the probabilities.

        ``class_smoothing`` is a pseudo-count for each class of unknown words, distributed over slots like
        the counts of all unknown words. ``word_smoothing`` is a pseudo-count for each word, distributed
        like the counts of its class (rare words that look like it), which are themselves smoothed slightly
        towards the counts of all words.
        """
        rules = self.rules.astype(np.float64) * self.scale
        lexical = np.zeros((len(self.vocabulary), self.layout.slot_count))
        lexical[self.words, self.slots] = self.values.astype(np.float64) * self.scale
        within = lexical[:, :-1]  # without ROOT
        classes = self.vocabulary.classes
        within[classes] = _drawn(within[classes], within[classes].sum(axis=0)[None], class_smoothing)
        if word_smoothing:
            profiles = _drawn(within, within.sum(axis=0)[None], 1.0)
            known = [i for i, word in enumerate(self.vocabulary.words) if not word.startswith(" ")]
            likes = [self.vocabulary.class_of(self.vocabulary.words[i].split(" ")[-1]) for i in known]
            within[known] = _drawn(within[known], profiles[likes], word_smoothing)
        if not lexical[self.vocabulary.numbers[UNKNOWN]].any():
            # There were no rare words in training: an unknown word behaves like an average word.
            lexical[self.vocabulary.numbers[UNKNOWN]] = lexical.sum(axis=0) * 1e-6
        return normalise(self.layout, rules, lexical, smoothing=state_smoothing)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the counts as arrays by name."""
        words = np.frombuffer("\n".join(self.vocabulary.words).encode("utf-8"), dtype=np.uint8)
        return {
            "rules": self.rules,
            "lexical_values": self.values,
            "lexical_slots": self.slots,
            "lexical_sizes": np.diff(self.ends).astype(np.uint16),
            "words": words,
        }

    def facts(self) -> dict[str, Any]:
        """Return the facts that the arrays do not contain."""
        return {
            "operators": [op.name for op in self.layout.operators],
            "states": list(self.layout.states),
            "scale": self.scale,
        }

    @classmethod
    def restored(
        cls, arrays: Mapping[str, NDArray[Any]], facts: Mapping[str, Any], *, back_off: bool
    ) -> GrammarCounts:
        """Rebuild the counts: the inverse of :meth:`arrays` and :meth:`facts`."""
        layout = Layout(tuple(_BY_NAME[name] for name in facts["operators"]), tuple(facts["states"]))
        vocabulary = Vocabulary(tuple(arrays["words"].tobytes().decode("utf-8").split("\n")), back_off)
        counts = cls(
            layout,
            vocabulary,
            arrays["rules"],
            arrays["lexical_values"],
            arrays["lexical_slots"],
            np.concatenate([[0], np.cumsum(arrays["lexical_sizes"], dtype=np.int64)]).astype(np.int64),
            float(facts["scale"]),
        )
        counts.check()
        return counts

    def check(self) -> None:
        """Raise an error unless the arrays are consistent."""
        layout, ends = self.layout, self.ends
        fits = (
            self.rules.shape == (layout.slot_count, layout.state_count)
            and math.isfinite(self.scale)
            and self.scale > 0
            and UNKNOWN in self.vocabulary.numbers
            and len(self.vocabulary.numbers) == len(self.vocabulary)
            and len(ends) == len(self.vocabulary) + 1
            and ends[0] == 0
            and ends[-1] == len(self.values) == len(self.slots)
            and bool((np.diff(ends) >= 0).all())
            and bool((self.slots < layout.slot_count).all())
            and all(bool(np.isfinite(a).all() and (a >= 0).all()) for a in (self.rules, self.values))
        )
        if not fits:
            raise WordOrderError("the arrays of the grammar do not fit each other")


def _ends(words: Longs, vocabulary: Vocabulary) -> Longs:
    return np.searchsorted(words, np.arange(len(vocabulary) + 1)).astype(np.int64)


def _drawn(counts: Doubles, towards: Doubles, strength: float) -> Doubles:
    """Smooth counts towards others with ``strength`` pseudo-counts; the sum of each row is kept."""
    sizes = np.maximum(counts.sum(axis=1, keepdims=True), 1e-3)
    shares = towards / np.maximum(towards.sum(axis=1, keepdims=True), 1e-300)
    drawn: Doubles = (counts + strength * shares) * (sizes / (sizes + strength))
    return drawn
