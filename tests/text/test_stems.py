"""Stems of several languages."""

from __future__ import annotations

import pytest

from wordorder.errors import UnknownName
from wordorder.text.stems import STEMMERS, Stems, stemmer_name
from wordorder.text.tokens import Words

SAME = {
    "en": ("translation", "translations"),
    "de": ("häuser", "häusern"),
    "fr": ("continuer", "continué"),
    "es": ("trabajo", "trabajos"),
    "ru": ("красота", "красоту"),
    "tr": ("evler", "ev"),
    "fi": ("talossa", "talo"),
}


@pytest.mark.parametrize("language", sorted(SAME))
def test_inflected_words_share_a_stem(language: str) -> None:
    table = Words()
    table.encode([" ".join((*SAME[language], "xyzzy"))])
    one, two, other = Stems(language).numbers(table).tolist()
    assert one == two != other


def test_words_are_stemmed_once_and_numbers_stay() -> None:
    table, stems = Words(), Stems("english")
    assert stems.numbers(table).tolist() == []
    table.encode(["dog cat"])
    before = stems.numbers(table).tolist()
    assert stems.numbers(table) is stems.numbers(table)
    table.encode(["dogs bird"])
    assert stems.numbers(table).tolist() == [*before, before[0], 2]
    other = Words()
    other.encode(["cats"])
    assert stems.numbers(other).tolist() == [0]


def test_unknown_languages_list_the_known() -> None:
    assert stemmer_name("de") == stemmer_name("german") == "german" and len(STEMMERS) > 20
    with pytest.raises(UnknownName, match="Known: "):
        Stems("klingon")
