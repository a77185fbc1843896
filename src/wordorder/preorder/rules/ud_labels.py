"""The labels of Universal Dependencies, to find misspelt labels in rules."""

from __future__ import annotations

import difflib

_TAGS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
_RELATIONS = """acl advcl advmod amod appos aux case cc ccomp clf compound conj cop csubj dep det discourse
dislocated expl fixed flat goeswith iobj list mark nmod nsubj nummod obj obl orphan parataxis punct
reparandum root vocative xcomp"""
TAGS = frozenset(_TAGS.split())
RELATIONS = frozenset(_RELATIONS.split())
_FEATURES = """Abbr Animacy Aspect Case Clusivity Definite Degree Deixis DeixisRef Evident ExtPos Foreign
Gender Mood NounClass NumType Number Person Polarity Polite Poss PronType Reflex Tense Typo VerbForm Voice"""
FEATURES = frozenset(_FEATURES.split())


def is_relation(label: str, known: frozenset[str] = RELATIONS) -> bool:
    """Whether a label is known, or is a subtype of a known label.

    >>> is_relation("obl:tmod"), is_relation("dobj")
    (True, False)
    """
    base, colon, subtype = label.partition(":")
    return label in known or (base in known and bool(colon) and bool(subtype))


def near_feature(name: str) -> str | None:
    """Return the universal feature that an unknown feature resembles; treebanks have many of their own.

    >>> near_feature("Verbform"), near_feature("PronTyp"), near_feature("Voice"), near_feature("NameType")
    ('VerbForm', 'PronType', None, None)
    """
    if name in FEATURES:
        return None
    same = [feature for feature in FEATURES if feature.lower() == name.lower()]
    close = same or difflib.get_close_matches(name, FEATURES, n=1, cutoff=0.88)
    return close[0] if close else None


def covers(label: str, relation: str) -> bool:
    """Whether a label in a rule matches a relation in a tree: the same, or one of its subtypes.

    >>> covers("obl", "obl:tmod"), covers("obl:tmod", "obl")
    (True, False)
    """
    return relation == label or relation.startswith(label + ":")
