"""Write scenes in any format by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wordorder.draw.png import to_png
from wordorder.draw.scene import Scene
from wordorder.draw.svg import to_svg
from wordorder.draw.tikz import to_latex, to_tikz

WRITERS: Mapping[str, Callable[[Scene], str | bytes]] = {
    "svg": to_svg,
    "png": to_png,
    "latex": to_latex,
    "tikz": to_tikz,
}


def scene_bytes(scene: Scene, form: str) -> bytes:
    """Write a scene as svg, png, latex (a document) or tikz.

    >>> from wordorder.draw.scene import empty_scene
    >>> scene_bytes(empty_scene(), "svg")[:4]
    b'<svg'
    """
    written = WRITERS[form](scene)
    return written if isinstance(written, bytes) else written.encode("utf-8")
