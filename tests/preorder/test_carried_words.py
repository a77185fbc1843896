"""Words without a counterpart are carried by others, and a last mark by the end of the sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from wordorder.data import sample
from wordorder.preorder import load_preorderer
from wordorder.preorder.crf.carried_words import carry
from wordorder.preorder.crf.decoding import ScoredPiece, ScoredWindows


def test_words_of_windows_are_carried_by_words_that_stay_and_the_last_mark_by_the_end() -> None:
    nothing = np.zeros(20, np.float32)
    first, last = ScoredPiece(4, nothing, {1: 2, 3: 4}), ScoredPiece(4, nothing, {0: 1, 3: 4})
    windows = ScoredWindows(6, [(0, first), (2, last)])
    # Word 2 carries word 1 in the first window, and is carried in the last one. The first has no end.
    assert windows.carried == {1: 3, 2: 3, 5: 6}
    assert carry([5, 3, 0, 1, 2, 4], windows.carried) == [1, 2, 3, 0, 4, 5]


@pytest.mark.parametrize("settings", [{}, {"window": 20}, {"piece": 20, "window": 0}, {"min_linked": 0.6}])
def test_a_shipped_network_leaves_the_last_mark_at_the_end(settings: dict[str, Any]) -> None:
    lines = sample("text.en").read_text("utf-8").lower().splitlines()
    text = [line.split() for line in lines if line.endswith((" .", " ?", " !"))]
    text.append([*" , and ".join(" ".join(words[:-1]) for words in text).split(), "."])
    model = load_preorderer("en-multi-crf", language="ko", **settings)
    for words, reordered in zip(text, model.reorder(text), strict=True):
        assert reordered.words[-1] == words[-1] and sorted(reordered.words) == sorted(words)
    assert len(text) > 5 and len(text[-1]) > 40


@pytest.mark.parametrize("settings", [{}, {"min_linked": 0.6}, {"decoding": "probable"}])
def test_lists_are_as_long_as_wanted_although_orders_become_one(settings: dict[str, Any]) -> None:
    words = "i have seen the man who lives in the big house near the river ."
    text = words.split()
    for name in ("en-multi-crf", "en-multi-average"):
        own = {} if name == "en-multi-average" else settings
        model = load_preorderer(name, language="ja", **own)
        found = [reordering.words for reordering in model.nbest(text, k=10)]
        assert len({tuple(words) for words in found}) == 10
        assert all(words[-1] == "." for words in found) and found[0] == model.reorder(text).words
