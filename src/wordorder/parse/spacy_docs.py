"""Documents of spaCy as sentences: their words and trees, without parsing again.

spaCy is not imported: documents and spans are recognised by their class.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wordorder.io.sentence import Row, Sentence


def is_doc(value: object) -> bool:
    """Return whether a value is a ``Doc`` or a ``Span`` of spaCy.

    >>> is_doc("a b")
    False
    """
    cls = type(value)
    return cls.__module__.startswith("spacy.tokens.") and cls.__name__ in ("Doc", "Span")


def sentences_of(doc: Any) -> list[Any]:
    """Return the sentences of a document, or the document itself if it is not split into sentences."""
    return list(doc.sents) if doc.has_annotation("SENT_START") else [doc]


def words_of(tokens: Iterable[Any]) -> list[Any]:
    """Return the tokens that are words: spaCy has tokens for white space, too."""
    return [token for token in tokens if not token.is_space]


def has_tree(doc: Any) -> bool:
    """Return whether a document, or that of a span, is parsed."""
    return bool(getattr(doc, "doc", doc).has_annotation("DEP"))


def tree_of(tokens: Iterable[Any]) -> Sentence:
    """Return the tree of the words among some tokens, with lemmas, tags and features.

    Relations are in lower case and otherwise those of the pipeline, not always of Universal Dependencies.
    Words whose head is not among the tokens depend on the first of them, by ``parataxis``.
    """
    words = words_of(tokens)
    places = {token.i: place for place, token in enumerate(words)}
    heads: list[int | None] = []
    for token in words:
        head = token.head
        while head.is_space and head.head.i != head.i:
            head = head.head
        heads.append(places.get(head.i) if head.i != token.i else None)
    root = heads.index(None) if None in heads else 0
    rows = []
    for place, (token, head_place) in enumerate(zip(words, heads, strict=True)):
        if place == root:
            head, relation = 0, "root"
        elif head_place is None:
            head, relation = root + 1, "parataxis"
        else:
            head, relation = head_place + 1, token.dep_.lower() or "dep"
        tags = token.lemma_ or "_", token.pos_ or "_", token.tag_ or "_", str(token.morph) or "_"
        rows.append(Row(str(place + 1), token.text, *tags, str(head), relation))
    return Sentence(rows)
