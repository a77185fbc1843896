"""Turn scenes into PNG images, with resvg."""

from __future__ import annotations

from wordorder.draw.scene import Scene
from wordorder.draw.svg import to_svg
from wordorder.errors import BadSetting

MOST_PIXELS = 100_000_000  # 400 MB in memory


def to_png(scene: Scene, *, scale: float = 2.0) -> bytes:
    """Render a scene with light colours; the fonts are those of the system.

    ``scale`` is the number of dots per pixel of the scene; it is reduced for very large pictures.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise BadSetting("PNG needs resvg: pip install 'wordorder[png]'. SVG needs nothing.") from None
    dots = min(scale, (MOST_PIXELS / max(scene.width * scene.height, 1.0)) ** 0.5)
    return bytes(svg_to_bytes(svg_string=to_svg(scene, dark=False), zoom=dots))
