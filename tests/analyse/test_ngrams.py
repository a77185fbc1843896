"""N-grams that systems keep, against counting by hand."""

from __future__ import annotations

from collections import Counter

from tests.analyse.corpora import compared, random_texts, shuffled
from wordorder.analyse.ngrams import kept_ngrams


def slow_counts(sentences, longest=4):
    """Count every n-gram of the reference, and how often each system keeps it."""
    count, kept, differs = Counter(), Counter(), {}
    for s, words in enumerate(sentences.reference):
        words = [word.lower() for word in words]
        for n in range(1, longest + 1):
            for j in range(len(words) - n + 1):
                ngram = tuple(words[j : j + n])
                count[ngram] += 1
                marks = []
                for k, system in enumerate(sentences.systems):
                    partners = system.partners[s]
                    runs = [partners[i : i + n] for i in range(len(partners) - n + 1)]
                    marks.append(list(range(j, j + n)) in runs)
                    kept[ngram, k] += marks[-1]
                if len(set(marks)) > 1:
                    differs.setdefault(ngram, []).append(s)
    return count, kept, differs


def test_counts_equal_those_by_hand():
    reference = random_texts(60, 8)
    sentences = compared(
        [reference], [shuffled(reference, 9), shuffled(reference, 10), shuffled(reference, 11)]
    )
    count, kept, differs = slow_counts(sentences)
    found = {one.words: one for one in kept_ngrams(sentences, most=10**6, examples=10**6)}

    def spread(ngram):
        totals = [kept[ngram, k] for k in range(3)]
        return max(totals) - min(totals)

    assert set(found) == {ngram for ngram in count if spread(ngram)}
    for ngram, one in found.items():
        assert one.count == count[ngram] and one.kept == tuple(kept[ngram, k] for k in range(3))
        assert list(one.examples) == sorted(set(differs[ngram]))
    shown = kept_ngrams(sentences, most=5, examples=2)
    assert all(len(one.examples) <= 2 for one in shown)
    for n in range(1, 5):
        best = [spread(one.words) for one in shown if len(one.words) == n]
        every = sorted((spread(ngram) for ngram in found if len(ngram) == n), reverse=True)
        assert best == every[:5]


def test_one_system_shows_what_it_loses():
    found = kept_ngrams(compared([["a b c", "a b"]], [["a c", "b a"]]))
    assert {one.words: one.count - one.kept[0] for one in found} == {
        ("b",): 1, ("a", "b"): 2, ("b", "c"): 1, ("a", "b", "c"): 1,
    }  # fmt: skip


def test_no_words_no_ngrams():
    assert kept_ngrams(compared([[""]], [["a"]])) == []
