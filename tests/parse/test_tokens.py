"""Tokens of other corpora as words of the treebanks, and trees over words as trees over tokens."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wordorder.io.sentence import Row
from wordorder.parse.tokens import merged_rows, split_tokens


@pytest.mark.parametrize(
    ("corpus", "text", "words"),
    [
        # The treebanks' own tokens stay as they are.
        ("ewt", "I do n't think he 's well - known .", "I do n't think he 's well - known ."),
        ("ewt", "45 % of $ 3.50 , e.g. Mr. Smith 's", "45 % of $ 3.50 , e.g. Mr. Smith 's"),
        ("ewt", "http://a-b.com/x_y me@here-now.org", "http://a-b.com/x_y me@here-now.org"),
        ("ewt", ":-) ... -- !!! '' `` 's", ':-) ... -- !!! " " \'s'),
        # KFTT: lower case, entities, apostrophes apart.
        ("kftt", "he didn 't write the &quot; genji &quot;", 'he did n\'t write the " genji "'),
        ("kftt", "-LRB- 1336-1573 -RRB- emperor go-daigo", "( 1336-1573 ) emperor go - daigo"),
        ("kftt", "won 't can 't don 't", "wo n't ca n't do n't"),
        # Tatoeba: contractions and punctuation as written.
        ("tatoeba", "Don't worry, it's Tom's book.", "Do n't worry , it 's Tom 's book ."),
        ("tatoeba", "I'd've gone \"home\", wouldn't you?", "I 'd 've gone \" home \" , would n't you ?"),
        ("tatoeba", "We cannot; they’re gonna win!", "We can not ; they ’re gon na win !"),
        # XL-WA and others: compounds as one token.
        ("xlwa", "well-known state-of-the-art", "well - known state - of - the - art"),
        ("xlwa", "and/or 45% $3 (maybe)", "and / or 45 % $ 3 ( maybe )"),
        ("xlwa", "ex-wife co-operate e-mail U.S.", "ex-wife co-operate e-mail U.S."),
        ("moses", "John &apos;s &amp; Mary &apos;s &#91; 1 &#93; &lt;b&gt;", "John 's & Mary 's [ 1 ] < b >"),
    ],
)
def test_words_of_corpora(corpus: str, text: str, words: str) -> None:
    assert [word for own in split_tokens(text.split()) for word in own] == words.split()


def test_only_the_last_full_stop_is_cut_off() -> None:
    assert split_tokens(["St.", "home.", "U.S.", "end."]) == [["St."], ["home."], ["U.S."], ["end", "."]]
    assert split_tokens(["etc."]) == [["etc."]] and split_tokens(["."]) == [["."]]


HOSTILE = st.one_of(
    st.text("aZßİ日🙂0…", min_size=1, max_size=6),
    st.text("-–/_.'’\"()&;#%$nt'sa0@", min_size=1, max_size=14),
    st.sampled_from(
        ["n't", "'t", "can", "won", "''", "``", "&apos;", "-", "--", "_", "a_b-c/d", "---a", "a-", "'s", "s'",
         "-LRB-", "&#124;", "cannot", "'", "🙂", "日本語", "\u0301", "a" * 300, "-".join("ab" * 40)]
    ),
)  # fmt: skip


def is_tree(heads: list[int]) -> bool:
    for word in range(1, len(heads) + 1):
        seen = set()
        while word and word not in seen:
            seen.add(word)
            word = heads[word - 1]
        if word:
            return False
    return heads.count(0) == 1


@settings(max_examples=300, deadline=None)
@given(st.lists(HOSTILE, min_size=1, max_size=8), st.integers(0, 999))
def test_every_token_has_words_and_trees_stay_trees(tokens: list[str], seed: int) -> None:
    rng = random.Random(seed)
    groups = split_tokens(tokens)
    assert len(groups) == len(tokens) and all(word for own in groups for word in own) and all(groups)
    words = [word for own in groups for word in own]
    n = len(words)
    # A random tree: every word is attached to one that is in the tree already.
    order = list(range(1, n + 1))
    rng.shuffle(order)
    heads = [0] * n
    for at, word in enumerate(order[1:], start=1):
        heads[word - 1] = rng.choice(order[:at])
    rows = [
        Row(str(w + 1), word, upos=f"T{w}", head=str(head), deprel="root" if not head else f"r{w}")
        for w, (word, head) in enumerate(zip(words, heads, strict=True))
    ]
    merged = merged_rows(rows, tokens, [len(own) for own in groups])
    assert [row.form for row in merged] == tokens
    assert [row.id for row in merged] == [str(t + 1) for t in range(len(tokens))]
    assert is_tree([int(row.head) for row in merged])
    assert all((row.head == "0") == (row.deprel == "root") for row in merged)


def test_the_word_nearest_to_the_root_stands_for_a_token() -> None:
    rows = [
        Row("1", "a", upos="DET", head="4", deprel="det"),
        Row("2", "well", upos="ADV", head="4", deprel="advmod"),
        Row("3", "-", upos="PUNCT", head="4", deprel="punct"),
        Row("4", "known", upos="ADJ", head="5", deprel="amod"),
        Row("5", "man", upos="NOUN", head="0", deprel="root"),
    ]
    found = merged_rows(rows, ["a", "well-known", "man"], [1, 3, 1])
    assert [(row.form, row.upos, row.head, row.deprel) for row in found] == [
        ("a", "DET", "2", "det"),
        ("well-known", "ADJ", "3", "amod"),
        ("man", "NOUN", "0", "root"),
    ]
