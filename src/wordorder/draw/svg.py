"""Write scenes as self-contained SVG documents."""

from __future__ import annotations

import html
from collections.abc import Iterator

from wordorder.draw.labels import is_right_to_left, visible
from wordorder.draw.scene import Box, Group, Item, Label, Path, Scene
from wordorder.draw.style import PLAIN_STYLE, STYLE, look_of

_RIGHT_TO_LEFT = "\N{RIGHT-TO-LEFT MARK}"


def to_svg(scene: Scene, *, dark: bool = True) -> str:
    """Write a scene as SVG; with ``dark``, it follows the reader's setting of light or dark pages.

    A scene has its own background, because a notebook can be dark when the system is light.

    >>> to_svg(Scene(10, 20, (), "name", "a < b")).splitlines()[1]
    '<title>name</title><desc>a &lt; b</desc>'
    """
    w, h = decimal(scene.width), decimal(scene.height)
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="wo-drawing" role="img" '
        f'width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
    )
    texts = f"<title>{escape(scene.name)}</title><desc>{escape(scene.description)}</desc>"
    style = f"<style>{STYLE if dark else PLAIN_STYLE}</style>"
    back = f'<rect class="wo-back" width="{w}" height="{h}" rx="8"/>'
    return "\n".join([start, texts, style, back, *map(_element, scene.items), "</svg>"])


def escape(text: str) -> str:
    """Escape a text for use in XML, as content or as an attribute.

    >>> escape('<b a="1">\\x00')
    '&lt;b a=&quot;1&quot;&gt;�'
    """
    return html.escape(visible(text))


def decimal(value: float) -> str:
    """Format a coordinate to a tenth of a pixel, as briefly as possible.

    >>> decimal(12.0), decimal(0.25), decimal(-0.04)
    ('12', '0.2', '0')
    """
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def _element(item: Item) -> str:
    if isinstance(item, Label):
        return _text(item)
    if isinstance(item, Group):
        return _group(item)
    if isinstance(item, Path):
        dash = f' stroke-dasharray="{" ".join(map(decimal, item.dash))}"' if item.dash else ""
        return _closed(f'<path class="{_classes(item.css)}"{dash} d="{_steps(item)}"', "path", item.title)
    return _box(item)


def _box(item: Box) -> str:
    opacity = "" if item.opacity is None else f' fill-opacity="{item.opacity:.2f}"'
    radius = f' rx="{decimal(item.radius)}"' if item.radius else ""
    start = (
        f'<rect class="{_classes(item.css)}" x="{decimal(item.x)}" y="{decimal(item.y)}" '
        f'width="{decimal(item.width)}" height="{decimal(item.height)}"{radius}{opacity}'
    )
    return _closed(start, "rect", item.title)


def _closed(start: str, tag: str, title: str) -> str:
    return f"{start}><title>{escape(title)}</title></{tag}>" if title else f"{start}/>"


def _classes(css: str) -> str:
    return " ".join(f"wo-{name}" for name in css.split())


def _steps(path: Path) -> str:
    return "".join(name + " ".join(map(decimal, numbers)) for name, numbers in path.steps)


def _text(item: Label) -> str:
    text, classes, direction = escape(item.text), _classes(item.css), ""
    if item.anchor != "middle":
        classes += " wo-start" if item.anchor == "left" else " wo-end"
    if is_right_to_left(item.text):
        if item.anchor == "middle":
            direction = ' direction="rtl" unicode-bidi="embed"'
        else:  # with a direction, start would be the right side, but not in all programs; marks do not matter
            text = f"{_RIGHT_TO_LEFT}{text}{_RIGHT_TO_LEFT}"
    # Style, because the rule of a class would prevail over an attribute.
    size = f' style="font-size:{item.size:g}px"' if item.size != look_of(item.css).size else ""
    # Not all programs know dominant-baseline; a third of the font size is half the height of a letter.
    lowered = 0.35 * item.size
    if item.turned:
        place = f'transform="translate({decimal(item.x + lowered)} {decimal(item.y)}) rotate(-90)"'
    else:
        place = f'x="{decimal(item.x)}" y="{decimal(item.y + lowered)}"'
    return f'<text class="{classes}" {place}{size}{direction}>{text}</text>'


def _group(item: Group) -> str:
    return "".join(_group_parts(item))


def _group_parts(item: Group) -> Iterator[str]:
    classes = f' class="{_classes(item.css)}"' if item.css else ""
    data = "".join(f' data-{name}="{escape(str(value))}"' for name, value in item.data)
    moved = f' transform="translate({" ".join(map(decimal, item.offset))})"' if any(item.offset) else ""
    yield f"<g{classes}{data}{moved}>"
    if item.title:
        yield f"<title>{escape(item.title)}</title>"
    if item.clip:  # a nested document clips; unlike a clip path it needs no id, which could clash on a page
        left, top, wide, tall = map(decimal, item.clip)
        size = f'x="{left}" y="{top}" width="{wide}" height="{tall}" viewBox="{left} {top} {wide} {tall}"'
        yield f"<svg {size}>"
    yield from map(_element, item.items)
    yield "</svg></g>" if item.clip else "</g>"
