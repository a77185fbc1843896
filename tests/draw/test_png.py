"""PNG through resvg: scripts of all kinds leave ink, and a missing package is named."""

from __future__ import annotations

import struct
import sys

import pytest

from wordorder.core.tree import tree
from wordorder.draw import png, to_png, tree_picture
from wordorder.draw.scene import Label, Scene
from wordorder.errors import BadSetting


def size(image: bytes) -> tuple[int, int]:
    assert image.startswith(b"\x89PNG")
    wide, tall = struct.unpack(">II", image[16:24])
    return wide, tall


def test_size_and_scale() -> None:
    pytest.importorskip("resvg_py")
    scene = tree_picture(tree([1, 0], ["a", "b"]))
    for scale in (1, 2):
        wide, tall = size(to_png(scene, scale=scale))
        assert (wide, tall) == pytest.approx((scale * scene.width, scale * scene.height), abs=2)
    assert to_png(scene) == to_png(scene)


def test_words_leave_ink() -> None:
    pytest.importorskip("resvg_py")

    def drawn(word: str) -> bytes:
        return to_png(Scene(100, 40, (Label(word, 50, 20, "word", 16),), "n", ""))

    assert len({drawn(word) for word in ("", "word", "<b>&amp;")}) == 3


def test_large_pictures_are_made_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("resvg_py")
    monkeypatch.setattr(png, "MOST_PIXELS", 10_000)
    wide, tall = size(to_png(Scene(100, 900, (), "n", "")))
    assert wide * tall <= 10_500 and tall / wide == pytest.approx(9, rel=0.1)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(BadSetting, match=r"PNG needs resvg: pip install 'wordorder\[png\]'"):
        to_png(Scene(10, 10, (), "n", ""))
