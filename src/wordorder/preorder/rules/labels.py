"""The labels of Universal Dependencies, so that a slip of the pen in a rule is found."""

from __future__ import annotations

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
_RELATIONS = """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct
reparandum root vocative xcomp"""
TAGS = frozenset(_TAGS.split())
RELATIONS = frozenset(_RELATIONS.split())


def is_relation(label: str, known: frozenset[str] = RELATIONS) -> bool:
    """Whether a label is known, or is a subtype of one that is.

    >>> is_relation("obl:tmod"), is_relation("dobj")
    (True, False)
    """
    base, colon, subtype = label.partition(":")
    return label in known or (base in known and bool(colon) and bool(subtype))


def covers(label: str, found: str) -> bool:
    """Whether a label in a rule means a label in a tree: the same, or one of its subtypes.

    >>> covers("obl", "obl:tmod"), covers("obl:tmod", "obl")
    (True, False)
    """
    return found == label or found.startswith(label + ":")
