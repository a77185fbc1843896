"""English tokens as the words of the treebanks, and trees over those words as trees over the tokens.

The English treebanks of Universal Dependencies write ``do n't``, ``well - known`` and ``45 %``; other corpora
write ``don 't``, ``don't``, ``well-known``, ``&apos;s`` or ``-LRB-``. A token is split into the words that
the parser has learned. Afterwards, the word whose head lies outside the token stands for the token.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from wordorder.io.sentence import Row

WRITTEN = {
    "&apos;": "'", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&#91;": "[", "&#93;": "]",
    "&#124;": "|", "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}",
    "``": '"', "''": '"',
}  # fmt: skip
ENTITY = re.compile(r"&(?:apos|quot|amp|lt|gt|#91|#93|#124);")
# Written before "'t": the word, and how the treebanks write it before "n't".
BEFORE_T = {
    **{f"{verb}n": verb for verb in (
        "ai", "are", "could", "did", "do", "does", "had", "has", "have", "is", "might", "must", "need",
        "should", "was", "were", "would",
    )},
    "can": "ca", "won": "wo", "shan": "sha",
}  # fmt: skip
# The apostrophe is part of these words, not a quotation mark.
WHOLE = re.compile(r"['’](?:t|s|m|re|ve|ll|d|clock|em|n|til|cause|[0-9]0s)", re.I)
CLITIC = re.compile(r"(.*\w)(n['’]t|['’](?:s|m|re|ve|ll|d))", re.I)
JOINED = {"cannot": 3, "gonna": 3, "gotta": 3, "wanna": 3}  # where to split
OPENING, CLOSING = "([{\"'“‘«¿¡<#$£€*", ")]}\"'”’»,;:?!>*%…"
PREFIXES = frozenset({
    "anti", "bi", "co", "counter", "cyber", "de", "e", "eco", "ex", "extra", "hyper", "inter", "intra",
    "macro", "mega", "meta", "micro", "mid", "mini", "multi", "neo", "non", "over", "post", "pre",
    "pro", "pseudo", "quasi", "re", "semi", "sub", "super", "trans", "tri", "ultra", "un", "under",
    "vice",
})  # fmt: skip
ABBREVIATION = re.compile(
    r"(?:\w\.)+|(?:mr|mrs|ms|dr|prof|st|jr|sr|inc|ltd|co|corp|no|vs|etc|gen|sen|rep|gov|u\.s|a\.m|p\.m)\.?",
    re.I,
)


def split_tokens(tokens: Sequence[str]) -> list[list[str]]:
    """Return the words that each token of a sentence stands for, one or more.

    >>> split_tokens("He don 't like well-known films , 45% &apos;s".split())
    [['He'], ['do'], ["n't"], ['like'], ['well', '-', 'known'], ['films'], [','], ['45', '%'], ["'s"]]
    """
    words = [_split(token, last=at == len(tokens) - 1) for at, token in enumerate(tokens)]
    for at in range(1, len(words)):
        (verb, *more), (t, *rest) = words[at - 1], words[at]
        if t.lower() in ("'t", "’t") and not rest and not more and verb.lower() in BEFORE_T:
            words[at - 1], words[at] = [verb[: len(BEFORE_T[verb.lower()])]], ["n" + t]
    return words


def _split(token: str, *, last: bool) -> list[str]:
    if token in WRITTEN:
        return [WRITTEN[token]]
    token = ENTITY.sub(lambda found: WRITTEN[found[0]], token)
    if not any(c.isalnum() for c in token):
        return [token]
    before: list[str] = []
    after: list[str] = []
    while len(token) > 1 and token[0] in OPENING and not WHOLE.fullmatch(token):
        before.append(token[0])
        token = token[1:]
    while len(token) > 1 and token[-1] in CLOSING:
        after.insert(0, token[-1])
        token = token[:-1]
    if last and not after and len(token) > 1 and token.endswith(".") and not ABBREVIATION.fullmatch(token):
        after, token = ["."], token[:-1]
    return [*before, *_inside(token), *after]


def _inside(token: str) -> list[str]:
    """Split clitics and compounds."""
    place = JOINED.get(token.lower())
    if place:
        return [token[:place], token[place:]]
    clitic = CLITIC.fullmatch(token)
    if clitic:
        return [*_inside(clitic[1]), clitic[2]]
    for sign in ("_", "-", "–", "/"):
        parts = token.split(sign)
        if len(parts) == 1 or not all(parts) or not any(c.isalpha() for c in token):
            continue
        if "@" in token or "//" in token or "www." in token.lower():
            break
        if sign in "-–" and parts[0].lower() in PREFIXES:
            if len(parts) == 2:
                break
            parts = [sign.join(parts[:2]), *parts[2:]]
        words = _inside(parts[0])
        for part in parts[1:]:
            words += [*([] if sign == "_" else [sign]), *_inside(part)]
        return words
    return [token]


def merged_rows(rows: Sequence[Row], tokens: Sequence[str], sizes: Sequence[int]) -> list[Row]:
    """Return the rows of a tree over tokens, each of which covers some words of a tree (``sizes``).

    The word of a token that is nearest to the root stands for the token; if several words have heads outside
    the token, the first of them does.
    """
    owner = [token for token, size in enumerate(sizes) for _ in range(size)]
    heads = [int(row.head) for row in rows]
    merged: list[Row] = []
    start = 0
    for token, size in enumerate(sizes):
        outside = [w for w in range(start, start + size) if heads[w] == 0 or owner[heads[w] - 1] != token]
        word = min(outside, key=lambda w: (_depth(heads, w), w))
        head = heads[word]
        merged.append(
            rows[word]._replace(
                id=str(token + 1), form=tokens[token], head=str(owner[head - 1] + 1 if head else 0)
            )
        )
        start += size
    return merged


def _depth(heads: Sequence[int], word: int) -> int:
    depth = 0
    while heads[word]:
        word, depth = heads[word] - 1, depth + 1
    return depth
