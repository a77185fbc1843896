"""Text is divided by script; an Arabic word is divided from its proclitics."""

from __future__ import annotations

import random

import pytest

from wordorder.text.scripts import cut, join, split_clitics, split_scripts
from wordorder.text.tokens import Words, splitter

WORDS = {
    "Chinese": ("他去年（2019年）去了北京。", "他 去 年 （ 2019 年 ） 去 了 北 京 。"),
    "Chinese and Latin": ("我用iPhone 15 Pro拍照", "我 用 iPhone 15 Pro 拍 照"),
    "Japanese": ("ちょっとコーヒーを飲んだ。", "ちょっ と コーヒー を 飲 ん だ 。"),
    "Thai": ("เขาไปโรงเรียนทุกวัน", "เขา ไป โร ง เรี ย น ทุ ก วั น"),
    "Lao": ("ສະບາຍດີ", "ສະ ບາ ຍ ດີ"),
    "Khmer": ("ខ្ញុំស្រឡាញ់", "ខ្ញុំ ស្រ ឡា ញ់"),
    "Burmese": ("ကျွန်တော်သွားမယ်", "ကျွန် တော် သွား မယ်"),
    "Tibetan": ("བཀྲ་ཤིས་བདེ་ལེགས།", "བཀྲ ཤིས བདེ ལེགས །"),
    "Korean": ("나는 학교에 갔다.", "나는 학교에 갔다 ."),
    "Arabic": ("هل قرأت الكتاب؟", "هل قرأت الكتاب ؟"),
    "Hindi": ("वह घर गया।", "वह घर गया ।"),
    "zero-width spaces": ("ไป\u200bบ้าน", "ไป บ้า น"),
}


@pytest.mark.parametrize("name", WORDS)
def test_words_by_script(name: str) -> None:
    line, words = WORDS[name]
    assert split_scripts(line) == words
    table = Words("script")
    assert [table.words[k] for k in table.encode([line]).ids.tolist()] == words.split()


def test_latin_text_is_split_as_by_intl() -> None:
    line = "“Well-known” words, e.g. 3.5 % of naïve ones…"
    assert split_scripts(line) == splitter("intl")(line)


def test_pieces_make_up_the_line() -> None:
    for line in ("Two words.", "我用Python 3.11写程序。", "나는 학교에 갔다.", "เขาไปบ้าน", ""):
        assert join(cut(line)) == line
        pieces = cut(line)
        random.Random(1).shuffle(pieces)
        assert sorted(cut(join(pieces))) == sorted(pieces)


def test_arabic_proclitics() -> None:
    for line, expected in (
        ("والكتاب", "و+ ال+ كتاب"),
        ("وبالقلم", "و+ ب+ ال+ قلم"),
        ("للمدرسة،", "ل+ ال+ مدرسة ،"),
        ("وللمدرسة", "و+ ل+ ال+ مدرسة"),
        ("فالبيت كالأسد", "ف+ ال+ بيت ك+ ال+ أسد"),
        ("وكتب", "و+ كتب"),
        ("ولد بيت لم", "ولد بيت لم"),  # too short to be divided, or without an article
    ):
        assert split_clitics(line) == expected
