"""Words that are not in the list of a language, and languages by their frequent words, against slow twins."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.word_endings import accepted, endings_of, fitting
from wordorder import _native
from wordorder.metrics.registry import metric
from wordorder.text.pairs import Pairs
from wordorder.text.word_lists import (
    CLASSES,
    LANGUAGES,
    PARTS,
    ListedShares,
    WordList,
    language_of,
    languages_of,
    word_list,
    write_words,
)

ENDINGS = {"est": ["en", "er", "et"], "ern": ["", "er"], "s": ["", "es"]}
SMALL = WordList.of(
    "de",
    (
        *("die", "katze", "sitzt", "haus", "tür", "arbeit", "platz", "strasse", "bahn"),
        *("arbeiten", "arbeiter", "platzes"),
    ),
    "est en er et\nern - er\ns - es\n",
)
# Words of other languages that texts quote, or that are in names, and words that only look like them.
INTRUDERS = {
    "en": "con para lo notre er na und das auf que van petit grande los",
    "cs": "the and world best business games house school white",
    "de": "the and world best business games house school white",
    "es": "the and world best business games house school white",
    "fi": "the and world best business games house school white",
    "fr": "the and world best business games house school white",
    "ru": "що але який від",
}
ORDINARY = {
    "en": "die war was bet inn door hay dove pie coup era visa no do ve pour",
    "cs": "most rad byl let pan my sama",
    "de": "hat war die man also arm rate art brief kind",
    "es": "son dice pan red mar sin once sale",
    "fi": "on se me he hän sade laki sana",
    "fr": "on me nous hier cap mer but pour coin",
    "ru": "он она время день что",
}
LINKS = ("", "s", "es", "n", "en", "er", "e")
# Function words that no other of the languages has, of the language and of its neighbours.
TYPICAL = {
    "en": ("the", "which", "should", "because", "through"),
    "cs": ("jsem", "také", "protože", "který", "však"),
    "de": ("und", "oder", "sind", "gibt", "etwas", "machen", "nicht"),
    "es": ("pero", "también", "porque", "ellos", "muy"),
    "fi": ("että", "mutta", "kanssa", "myös", "jälkeen"),
    "fr": ("avec", "cette", "leur", "toujours", "être"),
    "ru": ("что", "который", "также", "если", "чтобы"),
}


def is_form(words: tuple[str, ...], word: str) -> bool:
    """Whether two words are listed that a stem of five letters makes with related endings."""
    return any(
        sum(word[:k] + other in words for other in ENDINGS.get(word[k:], [])) >= 2
        for k in range(5, len(word))
    )


def is_divided(word: str, is_first: Callable[[str], bool], is_last: Callable[[str], bool]) -> bool:
    return any(
        is_last(word[k:]) and word[:k].endswith(link) and is_first(word[: k - len(link)])
        for k in range(4, len(word) - 3)
        for link in LINKS
    )


def is_compound(words: tuple[str, ...], word: str) -> bool:
    def is_part(part: str) -> bool:
        return len(part) >= 4 and part in words[:PARTS]

    return is_divided(word, is_part, is_part)


def is_derived(words: tuple[str, ...], word: str) -> bool:
    def is_part(part: str) -> bool:
        return len(part) >= 5 and part in words

    return is_form(words, word) or is_divided(
        word, is_part, lambda last: is_part(last) or is_form(words, last)
    )


def slow(words: tuple[str, ...], hypothesis: str, reference: str) -> list[float]:
    """The shares of the kernel, one word after the other."""
    fours = {f"^{word}$"[k : k + 4] for word in words for k in range(len(word) - 1)}
    rarity = {word: 1 + sum(place >= end for end in CLASSES) for place, word in enumerate(words)}
    rarest = len(CLASSES) + 1
    theirs = [word.lower().replace("ß", "ss") for word in re.findall(r"[^\W_]+", reference)]
    left, begins = Counter(theirs), {word[:4] for word in theirs}
    counts, found = [0.0] * 6, 0

    def looked_up(word: str) -> str:
        """The word without digits; nothing is left of numbers and units."""
        letters = re.sub("[0-9]", "", word)
        return letters if letters == word or len(letters) >= 4 else ""

    for written in re.findall(r"[^\W_]+", hypothesis):
        word = written.lower().replace("ß", "ss")
        if left[word] > 0:
            left[word] -= 1
            found += rarity.get(looked_up(word) or word, rarest)
            continue
        own = looked_up(word)
        if not own or own in words or is_compound(words, own):
            continue
        if is_derived(words, own):
            counts[5] += 1
        else:
            name, like = written[0] != word[0], word[:4] in begins
            counts[2 * like + name] += 1
            new = any(f"^{own}$"[k : k + 4] not in fours for k in range(len(own) - 1))
            counts[4] += new and not like
    plain = max(sum(looked_up(word) != "" for word in theirs), 1)
    every = sum(rarity.get(looked_up(word) or word, rarest) for word in theirs)
    empty = 0.0 if re.search(r"[^\W_]", hypothesis) else 1.0
    return [*(min(count / plain, 1.0) for count in counts), found / every if every else empty]


VOCABULARY = [
    "die", "Die", "Katze", "katze", "katzen", "Katzenhaus", "arbeitsplatz", "Straßenbahn", "strasse",
    "Straße", "тарелка", "Xqzt", "xq", "12", "a1", "katze1", "x1qzt", "haus", "Hause", "tür",
    "Türplatz", "arbeitest", "Arbeitern", "hausarbeitest", "arbeitestplatz", "platzs", "katzes", "…", "-",
]  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(*[st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)] * 2)
def test_shares(hypothesis: str, reference: str) -> None:
    shares = SMALL.shares(Pairs.of([hypothesis], [reference]))[:, 0]
    assert shares.tolist() == pytest.approx(slow(SMALL.words, hypothesis, reference))


def test_words_of_any_length_take_linear_time() -> None:
    def seconds(letters: int) -> float:
        begin = time.process_time()
        assert metric("beer").sentence_score("q" * letters, ["q" * (letters - 1)]).score < 1
        return time.process_time() - begin

    seconds(100)  # what is only done once
    short, long = (min(seconds(letters) for _ in range(3)) for letters in (100_000, 400_000))
    assert long < 10 * short  # 4 times as long, or 16 times if quadratic


@pytest.mark.parametrize(
    "word",
    [
        *(
            "arbeitsplatz",
            "strassenbahn",
            "katzenhaus",
            "türhaus",
            "haushaus",
            "arbeits",
            "",
            "bahnarbeitest",
        ),
        *("arbeitestbahn", "hausplatzes", "hausplatzs", "platzesbahn"),
    ],
)
def test_compounds(word: str) -> None:
    assert SMALL.is_compound(word) == is_compound(SMALL.words, word)
    assert SMALL.is_derived(word) == is_derived(SMALL.words, word)
    rare = _native.ListedWords(SMALL.lines, [], 0, SMALL.endings)
    assert not rare.is_compound(word)
    assert rare.is_derived(word) == is_derived(SMALL.words, word)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("arbeitest", True),  # beside arbeiten and arbeiter
        ("arbeitern", True),  # beside arbeit and arbeiter
        ("platzs", True),  # beside platz and platzes
        ("katzes", False),  # beside katze only
        ("hauss", False),  # the stem is too short
        ("arbeitestest", False),
        ("arbeit", False),  # without an ending
        ("est", False),
        ("", False),
    ],
)
def test_forms_of_listed_words(word: str, expected: bool) -> None:
    assert SMALL.is_form(word) is expected is is_form(SMALL.words, word)
    assert not WordList.of("de", SMALL.words).is_form(word)


def test_endings_learned_from_a_list() -> None:
    """Endings that fit words of other languages as well are left out."""
    stems = ["laatikko", "kirjasto", "tunturi", "asunto", "sanakirja", "opettaja"]
    words = [stem + ending for stem in stems for ending in ("", "n", "ssa", "lla", "sta")]
    endings = endings_of([*words[:5], *words * 3], 5, ["vaccinen", "tomaton", "laatikkon"])
    assert endings.keys() == {"ssa", "lla", "sta"}
    assert set(endings["ssa"]) == {"", "n", "lla", "sta"}
    listed = frozenset(words)
    assert fitting("laatikkolla", endings, listed) == ["lla"]
    assert fitting("laatikkolla", endings, listed - {"laatikko", "laatikkon", "laatikkossa"}) == []
    assert accepted(["laatikkolla", "vaccinelle"], endings, listed) == 50


@pytest.mark.parametrize(
    ("language", "forms", "others"),
    [
        ("fi", "kasarmeilleen kertaamisesta kanadalaisnäyttelijä", "government international business"),
        ("cs", "nedostatečnostech vystresovalo zvykovému", "government international business slovenčina"),
        ("ru", "подстриженной", "правителството държавата"),
    ],
)
def test_forms_that_are_not_listed(language: str, forms: str, others: str) -> None:
    listed = word_list(language)
    assert [form for form in forms.split() if listed.is_known(form) or not listed.is_derived(form)] == []
    assert [word for word in others.split() if listed.is_known(word) or listed.is_derived(word)] == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Tom bir mektup yazacak.", None),  # one common word of English, and one of Turkish
        ("Bu kitabı değil, şu diğer kitabı istiyorum, to the.", None),  # letters that English does not have
        ("They met Erdoğan in the city of Ankara and then went home .", "en"),  # one may be a name
        ("The café in the old town is open .", "en"),
    ],
)
def test_languages_that_are_like_others(text: str, language: str | None) -> None:
    assert language_of(text) == language


def test_references_in_several_languages() -> None:
    """Each pair is compared with the list of its own language, and with none where there is no list."""
    references = ["Das ist nicht das Haus .", "This is not the house .", "Dette er ikke huset ."]
    hypotheses = ["Das ist xqzt Haus .", "This is xqzt house .", "Dette er xqzt huset ."]
    together = ListedShares.of(Pairs.of(hypotheses, references))
    apart = [ListedShares.of(Pairs.of([h], [r])) for h, r in zip(hypotheses, references, strict=True)]
    assert together.shares.tolist() == np.hstack([one.shares for one in apart]).tolist()
    english, other = together.counted(english=True), together.counted(english=False)
    assert english is not None and english[0].tolist() == [0, 0.2, 0]
    assert other is not None and other[0].tolist() == [0.2, 0, 0]
    assert apart[0].counted(english=True) is None and apart[1].counted(english=False) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_hold_words_of_their_language_only(language: str) -> None:
    words = word_list(language).words
    assert len(set(words)) == len(words) > PARTS
    assert all(word == word.lower() and word.isalpha() for word in words)
    for other, typical in TYPICAL.items():
        assert set(typical) & set(words) == (set(typical) if other == language else set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_lists_are_clean_but_whole(language: str) -> None:
    words = set(word_list(language).words)
    assert [word for word in INTRUDERS[language].split() if word in words] == []
    assert [word for word in ORDINARY[language].split() if word not in words] == []


def test_stored_words(tmp_path: Path) -> None:
    words = ["haus", "hausen", "häuser", "häusern", "h" * 100, "h" * 101, "дом", "дома"]
    write_words(words, tmp_path / "words.zst")
    stored = zstandard.decompress((tmp_path / "words.zst").read_bytes())
    assert stored.startswith(b" haus" + bytes([32 + 4]) + b"en")
    assert _native.front_decoded(stored).decode().splitlines() == words
    for damaged in (b"haus", b"!haus", b" haus%en", b"\n", b" haus\x1f"):
        with pytest.raises(ValueError, match="not stored as expected"):
            _native.front_decoded(damaged)


def test_neighbours_whose_words_are_not_known() -> None:
    """Letters tell languages of which no words are known from those with a list."""
    for text in (
        "Ён сказаў, што не ведае, і пайшоў да хаты.",  # Belarusian
        "Он је рекао да не зна и да је то на њему.",  # Serbian
        "Ta ütles õhtul, mida ei tohi öelda, ja läks siis üksi koju oma õe juurde.",  # Estonian
    ):
        assert language_of(text) is None
    assert language_of("Он сказал, что не знает, и пошёл домой (ўсё, усё роўна).") is None
    assert language_of("Hän sanoi, ettei tiedä, ja lähti illalla kotiin Tšekistä.") == "fi"
    assert language_of("Hän on Tõnu") == "fi"  # one name
    words = "Hän sanoi, että se on hyvä asia, ja hän ei ole nähnyt sitä"
    assert language_of(f"{words} Tõnu Õnnepalu") is None
    assert language_of(f"{words} {words} {words} {words} Tõnu Õnnepalu") == "fi"


def test_recognised_languages() -> None:
    texts = {
        "en": "He did not say what he had seen .",
        "cs": "Neřekl , co viděl , protože nechtěl .",
        "de": "Er sagte nicht , was er gesehen hatte .",
        "es": "No dijo lo que había visto .",
        "fi": "Hän ei sanonut , mitä oli nähnyt .",
        "fr": "Il n'a pas dit ce qu'il avait vu .",
        "ru": "Он не сказал , что он видел .",
        None: "Ele não disse o que tinha visto .",
    }
    assert {language: language_of(text) for language, text in texts.items()} == {k: k for k in texts}
    assert [language_of(text) for text in ("", "12 % .", "彼は何も言わなかった")] == [None] * 3
    lines = "".join(text.lower() + "\n" for text in texts.values()).encode()
    chosen = np.array([2, 7, 0, 2])
    assert languages_of(lines, chosen).tolist() == [2, -1, 0, 2]
