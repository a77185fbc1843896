"""Scripts that need a tokenizer of their own are recognised, other text is left alone."""

from __future__ import annotations

import pytest

from wordorder.text.segmentation import looks_unsegmented, script_of, tokenizer_for
from wordorder.text.tokens import is_installed

TEXTS = {
    "Chinese": ("今天天气很好，我们去公园散步。", "han", True, "zh"),
    "Chinese words": ("今天 天气 很 好 ， 我们 去 公园 散步 。", "han", False, None),
    "Japanese": ("今日は天気がいいので、公園を散歩します。", "kana", True, "ja-mecab"),
    "Japanese words": ("今日 は 天気 が いい ので 、 公園 を 散歩 し ます 。", "kana", False, None),
    "Thai": ("วันนี้อากาศดีมาก เราไปเดินเล่นในสวนสาธารณะ", "other", True, "script"),
    "Khmer": ("ថ្ងៃនេះអាកាសធាតុល្អណាស់យើងទៅដើរលេងនៅសួនច្បារ", "other", True, "script"),
    "Lao": ("ມື້ນີ້ອາກາດດີຫຼາຍພວກເຮົາໄປຍ່າງຫຼິ້ນ", "other", True, "script"),
    "Korean": ("오늘은 날씨가 좋아서 공원에 산책하러 갑니다.", "hangul", False, "ko-mecab"),
    "German": ("Donaudampfschifffahrtsgesellschaftskapitän Rindfleischetikettierung", None, False, None),
    "Arabic": ("الطقس جميل اليوم", "marked", False, "intl"),
    "Hindi": ("आज मौसम बहुत अच्छा है", "marked", False, "intl"),
    "Turkish": ("Iğdır'da ılık, İzmir'de sıcak.", None, False, None),
    "Russian": ("Сегодня хорошая погода.", None, False, None),
    "names": ("The word 北京 is Beijing", None, False, None),
    "numbers": ("12345678901234567890", None, False, None),
    "nothing": ("", None, False, None),
}


@pytest.mark.parametrize("name", TEXTS)
def test_scripts_and_tokenizers(name: str) -> None:
    line, script, unsegmented, tokenizer = TEXTS[name]
    assert script_of([line]) == script
    assert looks_unsegmented([line]) == unsegmented
    if tokenizer and "mecab" in tokenizer and not is_installed(tokenizer):
        tokenizer = "script" if name == "Japanese" else "intl"
    assert tokenizer_for([line]) == tokenizer
    assert tokenizer_for([line, ""] * 3) == tokenizer


def test_no_lines() -> None:
    assert tokenizer_for([]) is None and not looks_unsegmented([])


@pytest.mark.parametrize("line", ["我喜欢猫", "你好，世界！", "猫が好き", "รักแมว"])
def test_a_short_line_without_spaces_is_divided(line: str) -> None:
    assert tokenizer_for([line]) is not None
